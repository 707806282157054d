"""The sample stories: committed as they are made, consistent, and true to the registry."""

from __future__ import annotations

import hashlib
import json
import re
from collections import defaultdict
from collections.abc import Iterator
from decimal import Decimal
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from stopview_core.demo import SCENARIOS, Branch, RunBuilder

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples" / "runs"

# What each story is about: the branch that shows it, its status, its stop or its fallback.
SHOWN = {
    "orders-out-of-the-shop": ("3/1", "blocked", "CHOICE_REQUIRED"),
    "invoice-pdf-at-month-end": ("2/1", "done", "CHOICE_REQUIRED"),
    "api-rate-limits": ("3/1", "blocked", "SOURCE_DRIFT"),
    "consent-for-minors": ("2/1", "blocked", "BUSINESS_REQUIRED"),
    "nightly-export-checkout": ("2/1", "blocked", "CHECKOUT_DIRTY"),
    "delivery-slot-picker": ("3/1", "blocked", "DIRECTION_CHOICE_REQUIRED"),
    "audit-trail-storage": ("3/1", "done", None),
    "refund-window-wording": ("2/1", "blocked", "CONTRADICTION_UNRESOLVED"),
    "trace-collector-upgrade": ("2/1", "blocked", "SERVICE_UNAVAILABLE"),
    "search-index-rebuild": ("2/2", "running", None),
    "settings-navigation": ("2/1", "done", "DIRECTION_CHOICE_REQUIRED"),
    "catalogue-release": ("2/1", "done", "ROLLOUT_FAILED"),
}

RUNS = {identifier: scenario.build() for identifier, scenario in SCENARIOS.items()}
BRANCHES = [(run, branch) for run in RUNS.values() for branch in run.branches]
each_run = pytest.mark.parametrize("run", RUNS.values(), ids=RUNS.keys())
each_branch = pytest.mark.parametrize(
    ("run", "branch"), BRANCHES, ids=[f"{run.id}-{branch.key}" for run, branch in BRANCHES]
)


def tables(text: str, heading: str) -> list[list[list[str]]]:
    """The pipe tables under a heading, cells without their backquotes."""
    section = re.split(r"^## ", text, flags=re.M)
    body = next((part for part in section if part.startswith(f"{heading}\n")), "")
    found: list[list[list[str]]] = []
    for line in body.splitlines():
        if not line.startswith("|"):
            found.append([])
        elif not re.fullmatch(r"[|\s:-]+", line):
            if not found:
                found.append([])
            cells = re.split(r"(?<!\\)\|", line)[1:-1]
            found[-1].append([cell.strip().strip("`").replace("\\|", "|") for cell in cells])
    return [rows for rows in found if rows]


def rows(text: str, heading: str) -> list[dict[str, str]]:
    """The first table under a heading."""
    found = tables(text, heading)
    return [dict(zip(found[0][0], row, strict=True)) for row in found[0][1:]] if found else []


def data(run: RunBuilder, path: str) -> bytes:
    return run.files()[path].data


def text(run: RunBuilder, branch: Branch) -> str:
    return data(run, f"{branch.folder}/response/response.md").decode()


def document(run: RunBuilder, branch: Branch, path: str) -> dict:
    return json.loads(data(run, f"{branch.folder}/{path}"))


def registry() -> dict[str, dict]:
    """By operator its domain, codes, Requirements, Stops and Outputs; and the routing map."""
    operators = {}
    shared = json.loads((ROOT / "operators/errors.json").read_bytes())["codes"]
    for folder in sorted(path.parent for path in (ROOT / "operators").glob("*/operator.json")):
        named = json.loads((folder / "operator.json").read_bytes())
        manual = (folder / "operator.md").read_text()
        own = json.loads((folder / "errors.json").read_bytes())["codes"]
        operators[named["id"]] = {
            "domain": named["domain"],
            "codes": shared | own,
            "fields": [row["Field"] for row in rows(manual, "Requirements")],
            "stops": [row["Code"] for row in rows(manual, "Stops")],
            "outputs": rows(manual, "Outputs"),
        }
    return {"operators": operators, "routes": json.loads((ROOT / "routing.json").read_bytes())}


@pytest.fixture(scope="module")
def shipped() -> dict[str, dict]:
    return registry()


def test_every_story_is_told_under_its_own_id() -> None:
    assert set(SCENARIOS) == set(SHOWN)
    assert all(RUNS[key].id == RUNS[key].folder == key == SCENARIOS[key].id for key in SCENARIOS)
    assert len({scenario.about for scenario in SCENARIOS.values()}) == len(SCENARIOS)


@pytest.mark.parametrize("identifier", SHOWN)
def test_a_story_shows_what_it_is_about(identifier: str) -> None:
    key, status, code = SHOWN[identifier]
    branch = next(branch for branch in RUNS[identifier].branches if branch.key == key)
    assert branch.status == status
    assert branch.stop == (code if status == "blocked" else None)
    assert list(branch.fallbacks) == ([code] if code and status == "done" else [])


def test_the_committed_examples_are_what_the_stories_make() -> None:
    committed = {
        path.relative_to(EXAMPLES).as_posix(): path.read_bytes()
        for path in EXAMPLES.rglob("*")
        if path.is_file()
    }
    made = {
        f"{run.folder}/{path}": file.data
        for run in RUNS.values()
        for path, file in run.files().items()
    }
    assert sorted(committed) == sorted(made), "run scripts/make_examples.py"
    different = [path for path in made if made[path] != committed[path]]
    assert different == [], "run scripts/make_examples.py"


@each_run
def test_the_same_story_gives_the_same_files(run: RunBuilder) -> None:
    assert SCENARIOS[run.id].build().files() == run.files()


@each_run
def test_all_of_it_happened_in_november_2026(run: RunBuilder) -> None:
    state = json.loads(data(run, "state.json"))
    times = [state["startedAt"], *(line["at"] for line in state["transitions"])]
    assert all(time.startswith("2026-11-") for time in times)
    assert times == sorted(times)
    assert all(file.changed.strftime("%Y-%m") == "2026-11" for file in run.files().values())


@each_run
def test_requests_are_the_ones_that_were_hashed(run: RunBuilder) -> None:
    hashes = json.loads(data(run, "state.json"))["requestHashes"]
    for branch in run.branches:
        request = data(run, f"{branch.folder}/request/request.json")
        assert hashes[branch.key] == f"sha256:{hashlib.sha256(request).hexdigest()}"
    assert len(hashes) == len(run.branches)


@each_branch
def test_every_path_leads_somewhere(run: RunBuilder, branch: Branch) -> None:
    files = run.files()
    for path in branch.inputs.values():
        assert path in files
        assert int(path.partition("/")[0].removeprefix("step-")) < branch.step
        assert files[path].changed <= branch.began
    for kind, listed in document(run, branch, "response/response.json")["fields"].items():
        for path in [listed] if isinstance(listed, str) else listed:
            assert f"{branch.folder}/{path}" in files, kind


@each_branch
def test_fallbacks_stand_in_both_places(run: RunBuilder, branch: Branch) -> None:
    if "response.md" not in branch.files:
        assert not branch.fallbacks
        return
    recorded = rows(text(run, branch), "Fallbacks taken")
    assert [row["Code"] for row in recorded] == list(branch.fallbacks)
    assert all(len(row["Action"]) > 20 for row in recorded)


@each_branch
def test_a_branch_that_stopped_is_blocked_and_says_why(run: RunBuilder, branch: Branch) -> None:
    assert (branch.stop is not None) == (branch.status == "blocked")
    assert (branch.reason is not None) == (branch.status == "blocked")


@each_branch
def test_a_request_asks_what_the_operator_asks(
    run: RunBuilder, branch: Branch, shipped: dict[str, dict]
) -> None:
    asked = document(run, branch, "request/request.json")["requirements"]
    assert sorted(asked) == sorted(shipped["operators"][branch.operator]["fields"])


@each_branch
def test_outputs_are_the_operators_own(
    run: RunBuilder, branch: Branch, shipped: dict[str, dict]
) -> None:
    outputs = {row["Kind"]: row for row in shipped["operators"][branch.operator]["outputs"]}
    fields = document(run, branch, "response/response.json")["fields"]
    assert set(fields) <= set(outputs)
    for kind, listed in fields.items():
        pattern = re.sub(r"<[^>]*>", "*", outputs[kind]["File"])
        paths = [listed] if isinstance(listed, str) else listed
        assert all(fnmatchcase(path, pattern) for path in paths), kind
    if branch.status == "done":
        needed = {kind for kind, row in outputs.items() if row["Required"] == "yes"}
        assert needed <= set(fields)


def codes_used(branch: Branch) -> Iterator[tuple[str, str]]:
    if branch.stop is not None:
        yield branch.stop, "terminate"
    for code in branch.fallbacks:
        yield code, "fallback"


@each_branch
def test_each_code_was_used_as_the_registry_allows(
    run: RunBuilder, branch: Branch, shipped: dict[str, dict]
) -> None:
    operator = shipped["operators"][branch.operator]
    for code, used in codes_used(branch):
        entry = operator["codes"][code]
        assert code in operator["stops"]
        assert branch.operator in entry.get("scope", [branch.operator]) or entry["scope"] == ["*"]
        unless = entry.get("unless")
        is_flipped = unless and branch.requirements[unless["param"]] == unless["equals"]
        assert (unless["then"] if is_flipped else entry["disposition"]) == used


@each_branch
def test_a_stop_goes_where_the_map_sends_it(
    run: RunBuilder, branch: Branch, shipped: dict[str, dict]
) -> None:
    if branch.stop is None:
        return
    operator = shipped["operators"][branch.operator]
    domain = operator["codes"][branch.stop]["domain"]
    domain = operator["domain"] if domain == "self" else domain
    route = shipped["routes"]["routes"][branch.operator][domain]
    assert branch.handoff is not None
    assert branch.handoff.domain == domain
    assert (branch.handoff.kind, branch.handoff.target) == (route["kind"], route.get("target"))
    target = branch.operator if route["kind"] == "resume" else route.get("target")
    assert list(branch.next) in ([], [target])


def branch_of(identifier: str) -> tuple[RunBuilder, Branch]:
    run = RUNS[identifier]
    return run, next(b for b in run.branches if b.key == SHOWN[identifier][0])


def test_the_architecture_choice_offers_three_scored_alternatives() -> None:
    run, branch = branch_of("orders-out-of-the-shop")
    model = document(run, branch, "response/data/stack-model.json")["alternatives"]
    axes = branch.requirements["tradeoffAxes"]
    assert [list(each["scores"]) for each in model] == [axes] * 3
    assert len({sum(each["scores"].values()) for each in model}) == 3
    told = rows(text(run, branch), "Alternatives")
    assert [row["Alternative"] for row in told] == [each["alternativeId"] for each in model]
    critique = document(run, branch, "critique/response/response.json")
    assert critique["status"] == "done"
    assert [b.status for b in run.branches] == ["done", "done", "blocked"]


def test_the_automatic_choice_is_the_highest_total() -> None:
    run, branch = branch_of("invoice-pdf-at-month-end")
    model = document(run, branch, "response/data/stack-model.json")
    totals = {
        each["alternativeId"]: sum(Decimal(str(score)) for score in each["scores"].values())
        for each in model["alternatives"]
    }
    selected = model["selectedAlternativeId"]
    assert [name for name in totals if totals[name] == max(totals.values())] == [selected]
    decision, scores = tables(text(run, branch), "Decision")
    assert ["Selected alternative", selected] in decision
    assert {row[0]: Decimal(row[-1]) for row in scores[1:]} == totals


def totals_by_mean(run: RunBuilder, branch: Branch) -> dict[str, Decimal]:
    scores = defaultdict(list)
    for row in rows(text(run, branch), "Scores"):
        scores[row["Candidate"], row["Criterion"]].append(Decimal(row["Score"]))
    totals: dict[str, Decimal] = defaultdict(Decimal)
    for (candidate, _), values in scores.items():
        totals[candidate] += sum(values) / len(values)
    return totals


def test_the_direction_choice_is_scored_on_two_screens_and_drawn() -> None:
    run, branch = branch_of("delivery-slot-picker")
    listed = rows(text(run, branch), "Scores")
    assert {row["Viewport"] for row in listed} == {"wide", "narrow"}
    assert len(listed) == 3 * 2 * len({row["Criterion"] for row in listed})
    assert len({row["Criterion"] for row in listed}) >= 8
    totals = totals_by_mean(run, branch)
    assert len(set(totals.values())) == 3
    sketches = document(run, branch, "response/response.json")["fields"]["candidates"]
    assert [Path(path).stem for path in sketches] == list(totals)
    for path in sketches:
        page = data(run, f"{branch.folder}/{path}").decode()
        assert page.startswith("<!doctype html>")
        assert "<script" not in page
        assert "Sketch, not product code." in page


def test_the_tie_is_one_and_the_selection_is_in_it() -> None:
    run, branch = branch_of("settings-navigation")
    totals = totals_by_mean(run, branch)
    top = [name for name in totals if totals[name] == max(totals.values())]
    decision = dict(tables(text(run, branch), "Decision")[0])
    assert len(top) == 2
    assert len(totals) == 3
    assert decision["Selected candidate"] in top


def test_the_resume_without_a_delta_changes_nothing_but_its_token() -> None:
    run, branch = branch_of("nightly-export-checkout")
    first, second = (document(run, b, "request/request.json") for b in run.branches)
    token = first["requirements"].pop("resume"), second["requirements"].pop("resume")
    assert token == (None, "step-1-parallel-1-checkout-dirty")
    ignored = {"step", "resume"}
    assert {k: v for k, v in first.items() if k not in ignored} == {
        k: v for k, v in second.items() if k not in ignored
    }
    assert [b.stop for b in run.branches] == ["CHECKOUT_DIRTY", "CHECKOUT_DIRTY"]
    assert branch.inputs == {}


def test_the_approved_choice_was_resumed_with_the_approval() -> None:
    run, branch = branch_of("audit-trail-storage")
    asked = next(b for b in run.branches if b.key == "2/1")
    assert (asked.stop, asked.requirements["approval"]) == ("CHOICE_REQUIRED", None)
    assert branch.resume is not None
    assert (branch.resume.key, branch.resume.token) == ("2/1", asked.token)
    approved = branch.requirements["approval"]
    assert (
        document(run, branch, "response/data/stack-model.json")["selectedAlternativeId"] == approved
    )


def test_the_question_has_options_and_no_answer_yet() -> None:
    run, branch = branch_of("refund-window-wording")
    interaction = document(run, branch, "response/response.json")["interaction"]
    assert len({option["id"] for option in interaction["options"]}) == 3
    assert all(option["label"] and option["tradeoff"] for option in interaction["options"])
    assert interaction["decisionId"] not in json.loads(data(run, "state.json")).get("choices", {})
