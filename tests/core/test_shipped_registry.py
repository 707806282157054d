"""Holds the registry that ships to upstream's facts and to own words, without our own loader."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
UPSTREAM = ROOT.parent / "shared" / "upstream"
LONGEST_SHARED_RUN = 6
LONGEST_TEXT = 240

# Upstream states these defaults as a sentence: the meaning is the fact, the words are not.
WORDED_DEFAULTS = {
    ("architecture.decide", "decisionId"),
    ("business.decide", "promise"),
    ("business.decide", "dimensions"),
    ("content.generate", "commands"),
    ("frontend.surface.audit", "matrix"),
    ("quality.verify", "gates"),
    ("quality.verify", "thresholds"),
    ("release.deploy", "probes"),
    ("uat.verify", "cases"),
    ("workspace.bind", "gitPolicy"),
}
# What a reviewer holds the runtime to: the words that each fallback text cannot do without.
FALLBACK_FACTS = {
    "CHOICE_REQUIRED": ("highest total", "tradeoffAxes", "fewest changed", "## Decision"),
    "COMPATIBILITY_UNVERIFIED": ("replaced-candidate", "unknown", "Handoff"),
    "REVIEW_REVISION_REQUIRED": ("Only the artifacts", "findings", "## Fallbacks taken", "next"),
    "DIRECTION_CHOICE_REQUIRED": ("highest score", "fewest new nodes", "## Scores", "## Decision"),
    "ROLLOUT_FAILED": ("approved", "undone", "same release", "## Fallbacks taken"),
    "RECOVERY_EXHAUSTED": ("rollbackIdentity", "digest", "not by a tag", "## Fallbacks taken"),
}
# The runtime's inner words, which an approver need not know.
JARGON = re.compile(
    r"\b(?:heads?|gates?|gated|trees?|freezes?|frozen|unfrozen|deltas?|lanes?|ceilings?|leases?"
    r"|leased|checkouts?|hydrated?|custody)\b",
    re.IGNORECASE,
)

needs_upstream = pytest.mark.skipif(
    not UPSTREAM.is_dir(), reason="the upstream registry is not beside this repository"
)


def read_json(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def english(text: Any) -> str | None:
    found = text["en"] if isinstance(text, dict) else text
    return found if isinstance(found, str) else None


def table(path: Path, heading: str) -> list[tuple[str, ...]]:
    """The body rows of the one table under `## heading`, cells stripped, backquotes kept."""
    section = re.search(
        rf"^## {heading}\n(.*?)(?=^## |\Z)", path.read_text(encoding="utf-8"), re.M | re.S
    )
    if section is None:
        return []
    lines = [line for line in section.group(1).splitlines() if line.startswith("|")]
    rows = [re.split(r"(?<!\\)\|", line)[1:-1] for line in lines]
    return [tuple(cell.strip() for cell in row) for row in rows][2:]


def folders(root: Path) -> list[Path]:
    return sorted(path for path in (root / "operators").iterdir() if path.is_dir())


def id_of(folder: Path) -> str:
    return str(read_json(folder / "operator.json")["id"])


def entries(root: Path) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Each registered code as (its operator or "shared", code, entry)."""
    for code, entry in read_json(root / "operators" / "errors.json")["codes"].items():
        yield "shared", code, entry
    for folder in folders(root):
        for code, entry in read_json(folder / "errors.json")["codes"].items():
            yield id_of(folder), code, entry


def code_facts(root: Path) -> dict[tuple[str, str], dict[str, Any]]:
    return {
        (owner, code): {
            "scope": sorted(entry["scope"]) if "scope" in entry else None,
            "domain": entry["domain"],
            "disposition": entry["disposition"],
            "unless": entry.get("unless"),
            "can_fall_back": "fallback" in entry,
        }
        for owner, code, entry in entries(root)
    }


def operator_facts(folder: Path) -> dict[str, Any]:
    about, tables = read_json(folder / "operator.json"), folder / "operator.md"
    return {
        "schemaVersion": about["schemaVersion"],
        "domain": about["domain"],
        "folder": folder.name,
        "requirements": [
            (
                field,
                type_,
                None if (id_of(folder), field.strip("`")) in WORDED_DEFAULTS else default,
            )
            for field, type_, default, _ask in table(tables, "Requirements")
        ],
        "outputs": table(tables, "Outputs"),
        "stops": table(tables, "Stops"),
        "next": [operator for _when, operator in table(tables, "Next")],
    }


def codes_prose(root: Path) -> dict[tuple[str, ...], str]:
    """Each sentence of the errors.json files, under the place it stands at."""
    prose: dict[tuple[str, ...], str] = {
        (owner, code, field): english(entry[field]) or ""
        for owner, code, entry in entries(root)
        for field in ("meaning", "fallback", "resume")
        if field in entry
    }
    prose["shared", "note"] = read_json(root / "operators" / "errors.json")["note"]
    for folder in folders(root):
        prose[id_of(folder), "note"] = read_json(folder / "errors.json").get("note", "")
    return prose


def operators_prose(root: Path) -> dict[tuple[str, ...], str]:
    """Each sentence of the operator.json and operator.md files, under the place it stands at."""
    prose: dict[tuple[str, ...], str] = {}
    for folder in folders(root):
        operator = id_of(folder)
        prose[operator, "job"] = read_json(folder / "operator.json")["job"]
        for field, _type, default, ask in table(folder / "operator.md", "Requirements"):
            prose[operator, "ask", field] = ask
            if (operator, field.strip("`")) in WORDED_DEFAULTS:
                prose[operator, "default", field] = default
        for row, (when, _operator) in enumerate(table(folder / "operator.md", "Next")):
            prose[operator, "when", str(row)] = when
    return prose


def all_prose(root: Path) -> dict[tuple[str, ...], str]:
    routing = read_json(root / "routing.json")
    prose = {**codes_prose(root), **operators_prose(root), ("routing", "note"): routing["note"]}
    return {**prose, **{("kind", kind): text for kind, text in routing["kinds"].items()}}


def upstream_texts() -> Iterator[str]:
    """Every sentence of upstream, at whatever place: JSON texts, jobs and table cells."""
    yield from all_prose(UPSTREAM).values()
    for folder in folders(UPSTREAM):
        for line in (folder / "operator.md").read_text(encoding="utf-8").splitlines():
            yield from line.split("|")


def words(text: str) -> list[str]:
    return re.findall(r"[a-z0-9]+", text.lower())


def runs(text: str, length: int) -> set[tuple[str, ...]]:
    found = words(text)
    return {tuple(found[i : i + length]) for i in range(len(found) - length + 1)}


def sentences(text: str) -> set[tuple[str, ...]]:
    return {found for part in re.split(r"[.;:]\s+", text) if len(found := tuple(words(part))) > 1}


@needs_upstream
def test_codes_carry_the_facts_of_upstream() -> None:
    assert code_facts(ROOT) == code_facts(UPSTREAM)


@needs_upstream
def test_operators_carry_the_facts_of_upstream() -> None:
    shipped = {id_of(folder): operator_facts(folder) for folder in folders(ROOT)}
    assert shipped == {id_of(folder): operator_facts(folder) for folder in folders(UPSTREAM)}


@needs_upstream
def test_routes_are_those_of_upstream() -> None:
    shipped, upstream = read_json(ROOT / "routing.json"), read_json(UPSTREAM / "routing.json")
    assert shipped["routes"] == upstream["routes"]
    assert shipped["kinds"].keys() == upstream["kinds"].keys()


@needs_upstream
def test_every_worded_default_stands_for_a_default_of_upstream() -> None:
    for root in (ROOT, UPSTREAM):
        defaults = {
            (id_of(folder), field.strip("`")): default
            for folder in folders(root)
            for field, _type, default, _ask in table(folder / "operator.md", "Requirements")
        }
        assert all(len(words(defaults[place])) > 2 for place in WORDED_DEFAULTS)


@needs_upstream
def test_no_sentence_is_one_of_upstream() -> None:
    taken = {sentence for text in upstream_texts() for sentence in sentences(text)}
    repeated = {place: text for place, text in all_prose(ROOT).items() if sentences(text) & taken}
    assert repeated == {}


@needs_upstream
def test_no_text_shares_a_long_run_of_words_with_upstream() -> None:
    length = LONGEST_SHARED_RUN + 1
    taken = {run for text in upstream_texts() for run in runs(text, length)}
    shared = {
        place: found
        for place, text in all_prose(ROOT).items()
        if (found := runs(text, length) & taken)
    }
    assert shared == {}


@needs_upstream
def test_every_place_for_a_text_is_filled_as_upstream_fills_it() -> None:
    assert all_prose(ROOT).keys() == all_prose(UPSTREAM).keys()


def test_the_counts_are_those_of_the_closed_map() -> None:
    owners = Counter(owner == "shared" for owner, _code, _entry in entries(ROOT))
    routes = read_json(ROOT / "routing.json")["routes"]
    kinds = Counter(route["kind"] for domains in routes.values() for route in domains.values())
    assert len(folders(ROOT)) == len(routes) == 16
    assert owners == {True: 15, False: 88}
    assert len({code for _owner, code, _entry in entries(ROOT)}) == 103
    assert sum(len(table(folder / "operator.md", "Stops")) for folder in folders(ROOT)) == 161
    assert kinds == {"operator": 32, "user": 24, "resume": 13, "external": 7}


def stops_with_domains() -> Iterator[tuple[str, str, str, dict[str, Any]]]:
    """Each Stops row as (operator, code, the domain that `self` stands for, entry)."""
    registered = {(owner, code): entry for owner, code, entry in entries(ROOT)}
    for folder in folders(ROOT):
        about = read_json(folder / "operator.json")
        for cell, _disposition in table(folder / "operator.md", "Stops"):
            code = cell.strip("`")
            entry = registered.get((about["id"], code)) or registered["shared", code]
            domain = about["domain"] if entry["domain"] == "self" else entry["domain"]
            yield about["id"], code, domain, entry


def test_the_map_is_closed() -> None:
    reached: dict[str, set[str]] = {}
    for operator, _code, domain, _entry in stops_with_domains():
        reached.setdefault(operator, set()).add(domain)
    routes = read_json(ROOT / "routing.json")["routes"]
    assert {operator: set(domains) for operator, domains in routes.items()} == reached


def test_a_resume_text_that_names_operators_names_the_one_the_stop_goes_to() -> None:
    routes = read_json(ROOT / "routing.json")["routes"]
    astray = []
    for operator, code, domain, entry in stops_with_domains():
        route = routes[operator][domain]
        named = {other for other in routes if other in entry["resume"]}
        if named and route["kind"] == "operator" and route["target"] not in named:
            astray.append((operator, code, named))
        if named and route["kind"] in ("user", "external"):
            astray.append((operator, code, named))
    assert astray == []


@pytest.mark.parametrize("field", ["meaning", "resume", "fallback"])
def test_texts_are_short_plain_whole_sentences(field: str) -> None:
    texts = {code: entry[field] for _owner, code, entry in entries(ROOT) if field in entry}
    assert texts
    for code, text in texts.items():
        assert isinstance(text, str), code
        assert text.endswith("."), code
        assert text[0].isupper(), code
        assert text == text.strip(), code
        assert len(words(text)) >= 4, code
        assert field == "fallback" or len(text) < LONGEST_TEXT, code


def test_every_text_is_filled_and_in_printable_ascii() -> None:
    for place, text in all_prose(ROOT).items():
        assert text, place
        assert re.fullmatch(r"[ -~]+", text), place


def test_no_meaning_is_used_twice() -> None:
    meanings = Counter(entry["meaning"] for _owner, _code, entry in entries(ROOT))
    assert [meaning for meaning, times in meanings.items() if times > 1] == []


def test_no_text_uses_the_inner_words_of_the_runtime() -> None:
    ids = "|".join(re.escape(id_of(folder)) for folder in folders(ROOT))
    plain = {place: re.sub(rf"`[^`]*`|{ids}", " ", text) for place, text in all_prose(ROOT).items()}
    assert {place: text for place, text in plain.items() if JARGON.search(text)} == {}


def test_every_fallback_says_what_the_runtime_is_held_to() -> None:
    fallbacks = {code: entry["fallback"] for _, code, entry in entries(ROOT) if "fallback" in entry}
    assert fallbacks.keys() == FALLBACK_FACTS.keys()
    for code, facts in FALLBACK_FACTS.items():
        assert [fact for fact in facts if fact not in fallbacks[code]] == [], code


def test_operator_pages_and_their_json_agree() -> None:
    for folder in folders(ROOT):
        page = (folder / "operator.md").read_text(encoding="utf-8")
        about = read_json(folder / "operator.json")
        assert folder.name == about["id"].replace(".", "-")
        assert page.startswith(f"# {about['id']}\n\n## Job\n\n{about['job']}\n")
        headings = re.findall(r"^## (.+)$", page, re.M)
        assert headings == ["Job", "Requirements", "Outputs", "Stops", "Next"]


def test_json_files_are_written_in_one_way() -> None:
    written = [ROOT / "routing.json", *sorted((ROOT / "operators").rglob("*.json"))]
    assert len(written) == 34
    for path in written:
        text = path.read_text(encoding="utf-8")
        assert json.loads(text)["schemaVersion"] == 9
        assert text == json.dumps(json.loads(text), indent=2, ensure_ascii=False) + "\n", path
