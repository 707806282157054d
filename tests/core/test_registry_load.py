"""Loading a registry: its records, its languages, what is refused, what a fault touches, which."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from registry_changes import (
    Change,
    add_row,
    both,
    codes,
    copy_code,
    drop,
    drop_route,
    edit,
    put,
    put_unless,
    route,
)
from small_registry import (
    MAKE,
    MAKE_CODES,
    MAKE_MD,
    ROUTING,
    SHARED,
    SHIP_CODES,
    SHIP_MD,
    Files,
    small_registry,
    write,
)

from stopview_core.errors import EXIT_USAGE, RegistryRefused
from stopview_core.registry.load import RegistryChoice, find, load, shipped_root
from stopview_core.registry.model import Entry, Output, Registry, Requirement, Route, Unless

UPSTREAM = Path(__file__).parents[2] / ".." / "shared" / "upstream"


def loaded(tmp_path: Path, *changes: Change, lang: str | None = None) -> Registry:
    files = small_registry()
    for change in changes:
        change(files)
    return load(write(tmp_path, files), lang=lang)


def test_an_entry_holds_what_its_file_says(tmp_path: Path) -> None:
    registry = loaded(tmp_path)
    assert registry.entries["CHOICE_REQUIRED"] == Entry(
        code="CHOICE_REQUIRED",
        scope=("plan.make",),
        is_shared=False,
        domain="caller",
        disposition="fallback",
        meaning="It met caller.",
        resume="Change something.",
        fallback="Take the best.",
        unless=Unless("selectionPolicy", "approval-required", "terminate"),
        writer=None,
        file=MAKE_CODES,
    )
    shared = registry.entries["OWNER_CONFLICT"]
    assert shared.is_shared
    assert (shared.scope, shared.fallback, shared.unless) == (
        ("plan.make", "plan.ship"),
        None,
        None,
    )
    assert registry.entries["UNKNOWN_STOP"].writer == "runtime"
    assert registry.entries["UNKNOWN_STOP"].covers("anyone")
    assert not shared.covers("anyone")
    assert registry.faults == ()


def test_an_operator_holds_its_tables_in_their_order(tmp_path: Path) -> None:
    registry = loaded(tmp_path)
    operator = registry.operators["plan.make"]
    assert (operator.folder, operator.domain, operator.job) == ("plan-make", "plan", "Make.")
    assert list(operator.requirements) == ["goal", "selectionPolicy", "approval", "sizes", "limit"]
    assert operator.requirements["selectionPolicy"] == Requirement(
        "selectionPolicy", "choice", "automatic", "`automatic` or `approval-required`"
    )
    defaults = {name: field.default for name, field in operator.requirements.items()}
    assert (defaults["goal"], defaults["approval"]) == (None, None)
    assert (defaults["sizes"], defaults["limit"]) == ("[]", "1")
    assert operator.outputs == (
        Output("plan", "response/response.md", "md", True),
        Output("scores", "response/data/scores.json", "data", False),
    )
    assert operator.next == ("plan.ship", "user")
    assert list(operator.stops.items())[2:4] == [
        ("OWNER_CONFLICT", "terminate"),
        ("CHOICE_REQUIRED", "fallback"),
    ]


def test_routes_and_kinds(tmp_path: Path) -> None:
    registry = loaded(tmp_path)
    assert registry.routes["plan.ship"]["plan"] == Route("chain", "plan.make")
    assert registry.routes["plan.make"]["caller"] == Route("user", None)
    assert registry.kinds == {"operator": "Run the target.", "user": "A person."}


@pytest.mark.parametrize(
    ("lang", "fallback", "kind"),
    [
        (None, "Take the best.", "A person."),
        ("vi", "Lấy cái tốt nhất.", "Người."),
        ("fr", "Take the best.", "A person."),
    ],
)
def test_texts_come_in_the_language_else_english(
    tmp_path: Path, lang: str | None, fallback: str, kind: str
) -> None:
    registry = loaded(tmp_path, lang=lang)
    assert registry.entries["CHOICE_REQUIRED"].fallback == fallback
    assert registry.kinds["user"] == kind


@pytest.mark.parametrize(("lang", "text"), [(None, "One."), ("fr", "One."), ("vi", "Một.")])
def test_english_goes_before_what_stands_first(tmp_path: Path, lang: str | None, text: str) -> None:
    texts = {"vi": "Một.", "en": "One."}
    change = put(MAKE_CODES, "SHIP_NEEDED", "meaning", texts)
    assert loaded(tmp_path, change, lang=lang).entries["SHIP_NEEDED"].meaning == text


def test_texts_without_english_come_in_the_first_language_that_says_something(
    tmp_path: Path,
) -> None:
    texts = {"de": " ", "vi": "Một.", "fr": "Un."}
    registry = loaded(tmp_path, put(MAKE_CODES, "SHIP_NEEDED", "meaning", texts))
    assert registry.entries["SHIP_NEEDED"].meaning == "Một."


def test_every_text_is_cleaned(tmp_path: Path) -> None:
    registry = loaded(
        tmp_path,
        put(MAKE_CODES, "SHIP_NEEDED", "meaning", "\x1b[2Jgone\u202e"),
        edit(MAKE_MD, "How many at most", "How \x1b]0;x\x07 many"),
    )
    assert registry.entries["SHIP_NEEDED"].meaning == "\\x1b[2Jgone\\u202e"
    assert registry.operators["plan.make"].requirements["limit"].ask == "How \\x1b]0;x\\x07 many"


# --- digest -------------------------------------------------------------------------------------


def test_the_digest_covers_names_and_bytes_of_the_registry_files_alone(tmp_path: Path) -> None:
    first = loaded(tmp_path / "a").sha256
    assert loaded(tmp_path / "b").sha256 == first
    assert len(first) == 64
    (tmp_path / "b" / "notes.txt").write_text("no part of it")
    (tmp_path / "b" / MAKE / "validate.mjs").write_text("no part of it")
    assert load(tmp_path / "b").sha256 == first
    moved = small_registry()
    for name in ("operator.json", "operator.md", "errors.json"):
        moved[f"operators/plan-make-2/{name}"] = moved.pop(f"{MAKE}/{name}")
    digests = {
        first,
        load(write(tmp_path / "c", moved)).sha256,
        loaded(tmp_path / "d", put(SHARED, "INVALID_INPUT", "resume", "Other.")).sha256,
        loaded(tmp_path / "e", edit(SHIP_MD, "# plan.ship", "# plan.ship ")).sha256,
    }
    assert len(digests) == 4


# --- refused, or faulty and used ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (lambda files: files.pop(SHARED), SHARED),
        (lambda files: files.pop(ROUTING), ROUTING),
        (lambda files: files.pop(MAKE_MD), MAKE_MD),
        (lambda files: files.__setitem__(MAKE_CODES, b"{"), MAKE_CODES),
        (lambda files: files.__setitem__(f"{MAKE}/operator.json", b"\xff"), "operator.json"),
        (copy_code(MAKE_CODES, "SHIP_NEEDED", SHIP_CODES), "codes.SHIP_NEEDED"),
        (edit(SHARED, '"UNKNOWN_STOP": {', '"UNKNOWN_STOP": {}, "UNKNOWN_STOP": {'), SHARED),
    ],
)
def test_unreadable_files_and_double_codes_are_refused(
    tmp_path: Path, change: Change, named: str
) -> None:
    with pytest.raises(RegistryRefused, match=named) as refused:
        loaded(tmp_path, change)
    assert refused.value.exit_code == EXIT_USAGE


def test_a_place_without_a_registry_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RegistryRefused, match=r"errors\.json.*found it is not there"):
        load(tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("change", "touched_codes", "touched_routes"),
    [
        (drop(MAKE_CODES, "SHIP_NEEDED", "meaning"), {"SHIP_NEEDED"}, set()),
        (put(SHARED, "INVALID_INPUT", "disposition", "?"), {"INVALID_INPUT"}, set()),
        (put_unless(MAKE_CODES, "CHOICE_REQUIRED", "param", "?"), {"CHOICE_REQUIRED"}, set()),
        (add_row(MAKE_MD, "NOT_THERE", "terminate"), {"NOT_THERE"}, set()),
        (drop_route("plan.make", "ship"), set(), {("plan.make", "ship")}),
        (route("plan.make", "outside", {"kind": "user"}), set(), {("plan.make", "outside")}),
        (
            lambda files: files[ROUTING]["routes"].pop("plan.make"),
            set(),
            {("plan.make", domain) for domain in ("caller", "plan", "ship", "outside")},
        ),
        (
            edit(MAKE_MD, "| `limit` |", "| `selectionPolicy` | choice | x | |\n| `limit` |"),
            {"CHOICE_REQUIRED"},
            set(),
        ),
    ],
)
def test_a_fault_touches_its_codes_and_routes_alone(
    tmp_path: Path, change: Change, touched_codes: set[str], touched_routes: set[tuple[str, str]]
) -> None:
    registry = loaded(tmp_path, change)
    assert registry.faults
    assert {code for code in (*registry.entries, "NOT_THERE") if registry.touches(code)} == (
        touched_codes
    )
    domains = ("caller", "plan", "ship", "outside")
    pairs = {(name, domain) for name in registry.operators for domain in domains}
    assert {pair for pair in pairs if registry.touches_route(*pair)} == touched_routes
    assert all(any(fault.touches(code) for fault in registry.faults) for code in touched_codes)


def test_what_is_defined_twice_counts_once(tmp_path: Path) -> None:
    def twin(files: Files) -> None:
        files["operators/plan-twin/operator.json"] = {"id": "plan.make", "domain": "other"}
        files["operators/plan-twin/operator.md"] = files[SHIP_MD]

    registry = loaded(tmp_path, both(twin, add_row(MAKE_MD, "SHIP_NEEDED", "fallback")))
    assert registry.operators["plan.make"].domain == "plan"
    assert registry.operators["plan.make"].stops["SHIP_NEEDED"] == "fallback"
    assert registry.touches("SHIP_NEEDED")
    assert registry.touches_route("plan.make", "caller")


def test_a_scope_that_cannot_be_read_covers_nobody(tmp_path: Path) -> None:
    registry = loaded(tmp_path, put(SHARED, "OWNER_CONFLICT", "scope", ["plan.make", 3]))
    assert not registry.entries["OWNER_CONFLICT"].covers("plan.make")
    assert registry.touches("OWNER_CONFLICT")


# --- later trees --------------------------------------------------------------------------------


def test_a_later_tree_loads_without_a_fault(tmp_path: Path) -> None:
    def later(files: Files) -> None:
        for code in codes(files, SHARED).values():
            code.update(since="2.0.0", meaning={"en": "Said.", "vi": "Nói."})
        files[SHARED]["retired"] = {"OLD_ONE": {"by": "INVALID_INPUT"}}
        files[f"{MAKE}/operator.json"]["job"] = {"vi": "Lập.", "en": "Plan."}
        files[ROUTING]["kinds"]["chain"] = "A sibling run."

    registry = loaded(tmp_path, later, lang="vi")
    assert registry.faults == ()
    assert registry.operators["plan.make"].job == "Lập."
    assert registry.entries["INVALID_INPUT"].meaning == "Nói."
    assert "OLD_ONE" not in registry.entries


# --- which registry -----------------------------------------------------------------------------


def test_the_option_goes_before_the_variable_and_that_before_what_lies_above(
    tmp_path: Path,
) -> None:
    write(tmp_path, small_registry())
    runs = tmp_path / "runs"
    runs.mkdir()
    named = {"STOPVIEW_REGISTRY": "/named"}
    assert find(runs, Path("/given"), named) == RegistryChoice(Path("/given"), "option")
    assert find(runs, None, named) == RegistryChoice(Path("/named"), "environment")
    assert find(runs, None, {"STOPVIEW_REGISTRY": ""}) == RegistryChoice(tmp_path, "above")
    assert find(runs, None, {}) == RegistryChoice(tmp_path, "above")
    assert find(None, None, {}) == RegistryChoice(shipped_root(), "shipped")


def test_the_nearest_folder_strictly_above_counts(tmp_path: Path) -> None:
    write(tmp_path, small_registry())
    inner = write(tmp_path / "team" / "project", small_registry())
    (inner / "runs" / "one").mkdir(parents=True)
    assert find(inner / "runs" / "one", None, {}).root == inner
    assert find(inner / "runs", None, {}).root == inner
    assert find(inner, None, {}).root == tmp_path
    (tmp_path / "team" / "operators").mkdir()
    (tmp_path / "team" / ROUTING).write_text("{}")
    assert find(tmp_path / "team" / "x", None, {}).root == tmp_path


@pytest.mark.parametrize("mark", ["state.json", "step-1/parallel-1/request/request.json"])
def test_nothing_in_a_run_is_trusted(tmp_path: Path, mark: str) -> None:
    write(tmp_path, small_registry())
    run = write(tmp_path / "runs" / "one", small_registry() | {mark: "{}"})
    inner = write(run / "nested", small_registry())
    for start in (run / "step-1", inner / "runs", inner):
        start.mkdir(parents=True, exist_ok=True)
        assert find(start, None, {}).root == tmp_path
    assert find(run, None, {}).root == tmp_path


def test_a_path_is_followed_to_where_it_really_is(tmp_path: Path) -> None:
    real = write(tmp_path / "real", small_registry())
    write(tmp_path / "fake", small_registry())
    (real / "runs").mkdir()
    (tmp_path / "fake" / "runs").symlink_to(real / "runs")
    assert find(tmp_path / "fake" / "runs", None, {}).root == real
    (tmp_path / "loop").symlink_to("loop")
    assert find(tmp_path / "loop" / "runs", None, {}).how == "shipped"


def test_what_ships_loads_without_a_fault() -> None:
    registry = load(shipped_root())
    assert registry.faults == ()
    assert registry.entries["UNKNOWN_STOP"].scope == ("*",)


@pytest.mark.skipif(not UPSTREAM.is_dir(), reason="../shared/upstream is absent")
def test_a_real_registry_loads() -> None:
    registry = load(UPSTREAM, lang="vi")
    choice = registry.entries["CHOICE_REQUIRED"]
    assert choice.unless == Unless("selectionPolicy", "approval-required", "terminate")
    assert registry.operators["release.deploy"].domain == "deployment"
    assert (
        registry.operators["uat.verify"].requirements["cases"].default == "every case of the flow"
    )
    assert registry.faults == ()


def test_loading_imports_no_parser_of_markdown_and_no_models() -> None:
    code = (
        "import sys; from pathlib import Path; from stopview_core.registry.load import load;"
        "load(Path(sys.argv[1]));"
        "print(sorted(m for m in sys.modules if m in ('pydantic', 'markdown_it', 'yaml')))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, os.fspath(shipped_root())],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "[]"
