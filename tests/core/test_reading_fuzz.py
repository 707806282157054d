"""Whatever JSON stands in a run's files, it is read, told of and printed, and nothing crashes."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from corpus.compare import violations
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from stopview_core.board import build_board, run_rows
from stopview_core.dossier import Dossier, OpenedRun, open_branch, open_run
from stopview_core.history import build_history, run_records
from stopview_core.readings import RunReading
from stopview_core.registry.load import RegistryChoice, load, shipped_root
from stopview_core.registry.model import Registry
from stopview_core.report.schemas import schema_of
from stopview_core.report.showing import branch_document, run_document
from stopview_core.snapshot import scan_once

KEYS = ("1/1", "2/1", "2/2", "3/1")
OPERATORS = ("architecture.decide", "business.decide", "novel.write")
CODES = ("CHOICE_REQUIRED", "SOURCE_DRIFT", "MADE_UP", "UNKNOWN_STOP", "\x1b[2J")
TEXTS = st.sampled_from(("", "queue", "—", "[/x]", "\x1b]0;x\x07", "\u202e", "a\nb", "9" * 40))

scalars = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), TEXTS, st.text(max_size=4)
)
anything = st.recursive(
    scalars,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=6,
)


def mostly(strategy: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """What belongs there, and now and then anything at all."""
    return st.one_of(strategy, strategy, strategy, anything)


def listed(strategy: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return mostly(st.lists(mostly(strategy), max_size=3))


def keyed(strategy: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return mostly(st.dictionaries(st.sampled_from((*KEYS, "x")), mostly(strategy), max_size=4))


keys = st.sampled_from(KEYS)
times = st.sampled_from(("2026-11-02T08:00:00Z", "2026-11-02T09:00:00+01:00", "0001-01-01", "now"))
resume = st.fixed_dictionaries({"step": st.integers(0, 4), "parallel": st.just(1)})

REQUEST = st.fixed_dictionaries(
    {},
    optional={
        "operatorId": mostly(st.sampled_from(OPERATORS)),
        "requirements": mostly(
            st.fixed_dictionaries(
                {},
                optional={
                    "selectionPolicy": mostly(st.sampled_from(("approval-required", "automatic"))),
                    "tradeoffAxes": listed(TEXTS),
                    "approval": mostly(TEXTS),
                },
            )
        ),
        "inputs": mostly(st.dictionaries(st.text(max_size=3), mostly(TEXTS), max_size=2)),
        "contexts": listed(st.fixed_dictionaries({"alias": TEXTS, "head": scalars})),
        "resume": mostly(resume),
        "decisionId": mostly(TEXTS),
        "selectedOption": mostly(TEXTS),
    },
)
OPTIONS = listed(st.fixed_dictionaries({"id": mostly(TEXTS), "label": mostly(TEXTS)}))
RESPONSE = st.fixed_dictionaries(
    {},
    optional={
        "operatorId": mostly(st.sampled_from(OPERATORS)),
        "status": mostly(st.sampled_from(("blocked", "blocked", "done", "running", "waiting"))),
        "stop": mostly(st.sampled_from(CODES)),
        "fallbacks": listed(st.sampled_from(CODES)),
        "fields": mostly(st.dictionaries(st.text(max_size=3), mostly(TEXTS), max_size=2)),
        "next": listed(st.sampled_from((*OPERATORS, "user"))),
        "reason": mostly(TEXTS),
        "awaiting": mostly(st.fixed_dictionaries({"exchange": TEXTS})),
        "interaction": mostly(
            st.fixed_dictionaries({"decisionId": mostly(TEXTS), "options": OPTIONS})
        ),
    },
)
STATE = st.fixed_dictionaries(
    {},
    optional={
        "id": mostly(TEXTS),
        "startedAt": mostly(times),
        "chain": listed(st.lists(keys, max_size=2)),
        "steps": keyed(st.sampled_from(OPERATORS)),
        "requestHashes": keyed(TEXTS),
        "resumes": keyed(st.fixed_dictionaries({"resumes": mostly(keys)})),
        "substitutions": keyed(TEXTS),
        "choices": mostly(
            st.dictionaries(TEXTS, mostly(st.fixed_dictionaries({"selected": TEXTS})))
        ),
        "transitions": listed(
            st.fixed_dictionaries(
                {
                    "at": mostly(times),
                    "branch": mostly(keys),
                    "event": st.sampled_from(("dispatched", "blocked", "done", "resolved")),
                }
            )
        ),
        "mission": mostly(st.fixed_dictionaries({"goal": mostly(TEXTS)})),
    },
)
DATA = mostly(
    st.fixed_dictionaries(
        {
            "alternatives": listed(
                st.fixed_dictionaries(
                    {
                        "alternativeId": mostly(TEXTS),
                        "scores": mostly(st.dictionaries(TEXTS, scalars, max_size=3)),
                    }
                )
            ),
            "selectedAlternativeId": mostly(TEXTS),
        }
    )
)
ROW = st.lists(TEXTS.map(lambda text: text.replace("\n", " ")), min_size=2, max_size=5)
DOCUMENT = st.lists(
    st.tuples(
        st.sampled_from(("Alternatives", "Scores", "Decision", "Fallbacks taken", "Falsification")),
        st.sampled_from(
            (
                "Candidate | Viewport | Criterion | Score | Verdict",
                "Alternative | Status | Assessment",
                "Code | Action",
                "Field | Value",
            )
        ),
        st.lists(ROW, max_size=3),
    ),
    max_size=4,
)
BRANCH = st.fixed_dictionaries(
    {},
    optional={
        "request/request.json": mostly(REQUEST),
        "response/response.json": mostly(RESPONSE),
        "response/data/stack-model.json": DATA,
        "critique/response/response.json": mostly(RESPONSE),
        "response/response.md": DOCUMENT,
        "import.json": anything,
    },
)
RUN = st.fixed_dictionaries(
    {"branches": st.dictionaries(keys, BRANCH, min_size=1)}, optional={"state": mostly(STATE)}
)


@cache
def registry() -> Registry:
    return load(shipped_root())


@cache
def validator() -> Draft202012Validator:
    return Draft202012Validator(schema_of("show"))


def write(root: Path, run: Mapping[str, Any]) -> None:
    if "state" in run:
        (root / "state.json").write_text(json.dumps(run["state"]))
    for key, files in run["branches"].items():
        step, parallel = key.split("/")
        for name, value in files.items():
            path = root / f"step-{step}" / f"parallel-{parallel}" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            is_document = name.endswith(".md")
            text = markdown(value) if is_document else json.dumps(value)
            path.write_text(text, encoding="utf-8", errors="surrogatepass")


def markdown(sections: list[tuple[str, str, list[list[str]]]]) -> str:
    parts = []
    for heading, columns, rows in sections:
        rule = "|".join("---" for _ in columns.split(" | "))
        table = [f"| {columns} |", f"|{rule}|", *(f"| {' | '.join(row)} |" for row in rows)]
        parts.append(f"## {heading}\n\n" + "\n".join(table))
    return "\n\n".join(parts) + "\n"


@given(run=RUN)
def test_any_run_is_read_judged_and_printed(run: dict[str, Any]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        write(root, run)
        listed_runs = list(scan_once([root], registry()).runs.values())
        opened = open_run(root, registry())
        if not isinstance(opened, OpenedRun):
            assert listed_runs == []
            return
        (read,) = listed_runs
        assert read.branches.keys() == opened.reading.branches.keys()
        assert_all_of_it_prints(opened)
        assert_list_says_nothing_of_its_own(read, opened.reading)
        assert_history_says_all(root, opened.reading)
        for key in opened.reading.branches:
            dossier = open_branch(root, key, registry())
            assert isinstance(dossier, Dossier)
            choice = RegistryChoice(registry().root, "shipped")
            printed = branch_document(dossier, registry(), choice).model_dump_json(by_alias=True)
            assert validator().is_valid(json.loads(printed))


def assert_all_of_it_prints(opened: OpenedRun) -> None:
    choice = RegistryChoice(registry().root, "shipped")
    printed = run_document(opened, registry(), choice).model_dump_json(by_alias=True)
    assert validator().is_valid(json.loads(printed))
    rows = run_rows(opened.reading)
    assert len(build_board(rows).rows) == len(rows)
    for row in rows:
        assert isinstance(row.search_text, str)


def assert_list_says_nothing_of_its_own(listed_run: RunReading, shown: RunReading) -> None:
    more = violations(shown)
    for key, codes in violations(listed_run).items():
        assert set(codes) <= set(more[key])
    for key, branch in listed_run.branches.items():
        assert branch.status == shown.branches[key].status
        assert branch.is_open == shown.branches[key].is_open
        assert branch.decidability == shown.branches[key].decidability


def assert_history_says_all(root: Path, shown: RunReading) -> None:
    (historic,) = scan_once([root], registry(), "history").runs.values()
    assert violations(historic) == violations(shown)
    assert build_history(run_records(historic)) == build_history(run_records(shown))
