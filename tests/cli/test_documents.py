"""Every `--json` document of every command is what docs/schemas says, over all runs there are."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar

import pytest
from corpus import sacp
from corpus.all import RECIPES
from corpus.compare import Corpus
from corpus.recipe import Recipe
from jsonschema import Draft202012Validator

from stopview_core.report.models import DOCUMENTS
from stopview_core.report.schemas import schema_text
from stopview_tui.cli import common
from stopview_tui.cli.root import run

ROOT = Path(__file__).resolve().parents[2]
SCHEMAS = ROOT / "docs" / "schemas"
EXAMPLES = ROOT / "examples" / "runs"
SHIPPED = [recipe for recipe in RECIPES if recipe.registry == "shipped"]
SHARED_FIELDS = ("run", "path", "branch", "operator", "status", "code", "written_code")
MORE_SHARED_FIELDS = ("disposition", "flipped_by", "domain", "route", "blocked_at", "decision")
VALIDATORS = {
    command: Draft202012Validator(json.loads(schema_text(command))) for command in DOCUMENTS
}

Json = dict[str, Any]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    found = Corpus(tmp_path_factory.mktemp("documents"))
    for recipe in RECIPES:
        found.read(recipe)
    return found


class Called:
    """Runs a command in this process and gives its document, checked against its schema."""

    _said: ClassVar[dict[tuple[object, ...], Json]] = {}

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self.capsys = capsys
        self.stderr = ""

    def __call__(self, *words: object, exit_code: int | Sequence[int] = 0) -> Json:
        command = str(words[0])
        status = run([*map(str, words), "--json"])
        out, self.stderr = self.capsys.readouterr()
        assert status in ([exit_code] if isinstance(exit_code, int) else exit_code), self.stderr
        assert out.isascii()
        assert out.count("\n") == 1
        document: Json = json.loads(out)
        assert [error.message for error in VALIDATORS[command].iter_errors(document)] == []
        assert document["schema"] == f"stopview.{command}/1"
        return document

    def once(self, *words: object) -> Json:
        """The same for a command that only reads: called before, it says what it said then."""
        if words not in self._said:
            self._said[words] = self(*words)
        return self._said[words]


@pytest.fixture(scope="module", autouse=True)
def _loaded_once() -> Iterator[None]:
    """The registries never change here: each is loaded once, and not for every command."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(common, "load", functools.cache(common.load))
        yield


@pytest.fixture
def called(capsys: pytest.CaptureFixture[str]) -> Called:
    return Called(capsys)


@pytest.mark.parametrize("command", DOCUMENTS)
def test_the_published_schema_is_that_of_the_models(command: str) -> None:
    """Made by scripts/make_schemas.py."""
    assert (SCHEMAS / f"{command}.json").read_text(encoding="utf-8") == schema_text(command)


def test_there_is_no_schema_of_a_command_that_is_gone() -> None:
    assert {path.stem for path in SCHEMAS.iterdir()} == DOCUMENTS.keys()


@pytest.mark.parametrize("command", DOCUMENTS)
def test_a_schema_refuses_what_is_no_document(command: str) -> None:
    assert not VALIDATORS[command].is_valid({})
    assert not VALIDATORS[command].is_valid({"schema": f"stopview.{command}/1"})


def test_list(corpus: Corpus, called: Called) -> None:
    runs = corpus.root / "runs"
    few, every = called("list", runs), called("list", runs, "--all")
    assert few["counts"]["listed"] == len(few["branches"]) < len(every["branches"])
    assert few["counts"]["runs"] == len(RECIPES)
    decidable = called("list", runs, "--decidable")["branches"]
    assert decidable
    assert all(branch["decidable"] for branch in decidable)
    assert [branch["branch"] for branch in every["branches"]]
    assert few["branches"] == every["branches"][: len(few["branches"])]


def test_history(corpus: Corpus, called: Called) -> None:
    runs = corpus.root / "runs"
    whole, broken = called("history", runs), called("history", runs, "--violations")
    counts = whole["counts"]
    assert counts["fallbacks"] + counts["decisions"] == len(whole["records"])
    assert sum(counts["by_code"].values()) == len(whole["records"])
    assert broken["counts"]["hidden"] == len(whole["records"]) - len(broken["records"])
    assert {record["kind"] for record in whole["records"]} == {"fallback", "decision"}


@pytest.mark.parametrize("recipe", SHIPPED, ids=lambda recipe: recipe.name)
def test_show_and_list_say_the_same(recipe: Recipe, corpus: Corpus, called: Called) -> None:
    folder = corpus.read(recipe).folder
    every = called.once("list", corpus.root / "runs", "--all")["branches"]
    listed = [branch for branch in every if branch["path"].startswith(f"{folder}/")]
    whole = called.once("show", folder, "--registry", corpus.registry("shipped").root)
    shown = {branch["branch"]: branch for branch in whole["branches"]}
    assert shown.keys() == recipe.branches.keys()
    for branch in listed:
        other = shown[branch["branch"]]
        for field in (*SHARED_FIELDS, *MORE_SHARED_FIELDS):
            assert branch[field] == other[field]
        needs_more = recipe.branches[branch["branch"]].needs_more
        expected = [v for v in other["violations"] if not _is_named(v, needs_more)]
        assert branch["violations"] == expected
        assert branch["decidable"] == other["decidable"]
    imported = {key for key, e in recipe.branches.items() if e.because == "imported"}
    assert shown.keys() - {branch["branch"] for branch in listed} >= imported


def _is_named(violation: Json, needs_more: Sequence[str]) -> bool:
    return f"{violation['code']} {violation['where']}" in needs_more


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.name)
def test_one_branch_is_shown_as_in_its_run(recipe: Recipe, corpus: Corpus, called: Called) -> None:
    folder, registry = corpus.read(recipe).folder, corpus.registry(recipe.registry).root
    options = ("--registry", registry)
    whole = called.once("show", folder, *options)
    for branch in whole["branches"][-1:]:
        alone = called("show", folder, branch["branch"], *options)
        for own in ("schema", "registry", "skipped"):
            del alone[own]
        assert alone == branch


def test_show_of_receipts_and_exchanges(tmp_path: Path, called: Called) -> None:
    document = called("show", sacp.build(tmp_path), "1/1")
    assert len(document["receipts"]) == len(sacp.RECEIPTS)
    assert called("show", tmp_path / "with-receipts", "1/1/critique")["exchanges"]


def decidable(corpus: Corpus) -> Iterator[tuple[Path, str, str]]:
    for recipe in SHIPPED:
        for key, expect in recipe.branches.items():
            if expect.decidable:
                yield corpus.read(recipe).folder, key, expect.offered[-1]


def test_decide(corpus: Corpus, called: Called) -> None:
    outcomes = set()
    for folder, key, pick in decidable(corpus):
        document = called(
            "decide", folder, key, "--select", pick, "--dry-run", "--approver", "ada",
            exit_code=(0, 3),
        )  # fmt: skip
        assert document["written"] is False
        assert document["status_code"] in (301, 409), (folder, document["message"])
        outcomes.add(document["status_code"])
    assert outcomes == {301, 409}


def test_decide_refuses_in_its_schema(corpus: Corpus, called: Called) -> None:
    outcomes = set()
    for recipe in SHIPPED:
        for key, expect in recipe.branches.items():
            if expect.refusal is not None:
                document = called(
                    "decide", corpus.read(recipe).folder, key, "--none", "--reason", "no",
                    "--approver", "ada", exit_code=3,
                )  # fmt: skip
                assert document["status_code"] == expect.refusal
                outcomes.add(document["status_code"])
    assert outcomes == {200, 204, 400, 412}


def test_resume(corpus: Corpus, called: Called) -> None:
    packets = 0
    for recipe in SHIPPED:
        for key, expect in recipe.branches.items():
            if expect.decision != "none":
                document = called("resume", corpus.read(recipe).folder, key, exit_code=(0, 3))
                packets += document["request"] is not None
    assert packets


def test_the_registry_commands(corpus: Corpus, called: Called) -> None:
    assert called("check", ROOT)["faults"] == []
    assert called("check", corpus.registry("faulty").root, exit_code=1)["faults"]
    policy = ("-p", "selectionPolicy=approval-required")
    assert called("resolve", "architecture.decide", "CHOICE_REQUIRED", *policy)["flipped_by"]
    assert called("resolve", "nobody.knows", "MADE_UP")["route"]["unrouted"]
    assert len(called("codes")["codes"]) == 103


def test_the_sample_runs(called: Called) -> None:
    listed = called("list", EXAMPLES, "--all")
    for path in EXAMPLES.iterdir():
        called("show", path)
    assert called("history", EXAMPLES)["counts"]["fallbacks"] == 3
    assert {branch["run"] for branch in listed["branches"]} == {p.name for p in EXAMPLES.iterdir()}
