"""Breaks every file of a run in every way: nothing crashes, nothing else is hidden, all is said."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from corpus.damage import decide_twice, decided, whole

from stopview_core.dossier import Dossier, OpenedRun, open_branch, open_run
from stopview_core.readings import RunReading
from stopview_core.registry.load import load, shipped_root
from stopview_core.registry.model import Registry
from stopview_core.snapshot import scan_once
from stopview_tui.cli.root import run as command

Damage = Callable[[Path], None]
_NOBODY = 65534


def _empty(path: Path) -> None:
    path.write_bytes(b"")


def _cut(path: Path) -> None:
    """Stop in the middle of a token, as a writer that was killed does."""
    data = path.read_bytes()
    at = data.find(b'": "') + 6 if b'": "' in data else 2 * len(data) // 3
    path.write_bytes(data[:at])


def _folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def _bytes(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:20] + b"\xc3\x28\xff")


def _pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def _link(path: Path) -> None:
    """To a file of the same content: what it says is not the question."""
    moved = path.with_name(f".{path.name}.moved")
    path.rename(moved)
    path.symlink_to(moved.name)


def _huge(path: Path) -> None:
    """Beyond the cap of what is read, or of all evidence together."""
    is_read = path.suffix in (".json", ".yaml") or path.name == "response.md"
    os.truncate(path, 9 << 20 if is_read else 65 << 20)


DAMAGES: dict[str, Damage] = {
    "emptied": _empty,
    "cut": _cut,
    "a folder": _folder,
    "no UTF-8": _bytes,
    "a pipe": _pipe,
    "a link": _link,
    "over-large": _huge,
}


@pytest.fixture(scope="module")
def registry() -> Registry:
    return load(shipped_root())


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory, registry: Registry) -> dict[str, Path]:
    """The runs before they are damaged, by name.

    Each is read once, so that all modules are loaded before anybody gives up the right to.
    """
    root = tmp_path_factory.mktemp("sound")
    decide_twice(decided().write(root))
    whole().write(root)
    found = {path.name: path for path in root.iterdir()}
    for path in found.values():
        assert isinstance(open_run(path, registry), OpenedRun)
    return found


@pytest.fixture(scope="module")
def whole_readings(sound: dict[str, Path], registry: Registry) -> dict[str, RunReading]:
    """What is read of the sound runs, by name."""
    return {name: read_at("full", path, registry) for name, path in sound.items()}


def files_of(run: Path) -> list[str]:
    return sorted(str(path.relative_to(run)) for path in run.rglob("*") if path.is_file())


def all_files() -> Iterator[tuple[str, str]]:
    with tempfile.TemporaryDirectory() as root:
        decide_twice(decided().write(root))
        whole().write(root)
        for name in ("whole", "decided"):
            for file in files_of(Path(root) / name):
                yield name, file


FILES = list(all_files())


def can_be_seen(file: str, damage: str) -> bool:
    """Whether the damage shows: bytes that are only digested may be any, half a text is a text."""
    if damage in ("emptied", "cut", "no UTF-8"):
        if file.endswith((".html", "critique.md")):
            return False
        if file.endswith(".md"):
            return damage != "cut"
        # An empty YAML file where no decision lies might be anything.
        return damage != "emptied" or "notes/" not in file
    return True


def told(opened: OpenedRun) -> list[tuple[str, str]]:
    """Every path that something is said of, with what is said: skipped, violations, receipts."""
    branches = opened.reading.branches.values()
    return [
        *((item.path, item.why) for item in opened.skipped),
        *((f"/{v.where}", v.text) for branch in branches for v in branch.violations),
        *(
            (f"/{found.where}", str(found.receipt.faults))
            for receipts in opened.receipts.values()
            for found in receipts
            if found.receipt.faults
        ),
    ]


def test_the_runs_are_sound_before_they_are_damaged(
    sound: dict[str, Path], registry: Registry
) -> None:
    for path in sound.values():
        opened = open_run(path, registry)
        assert isinstance(opened, OpenedRun)
        assert told(opened) == []


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize(("name", "file"), FILES, ids=lambda value: value)
def test_a_damaged_file_is_told_and_hides_nothing(
    name: str,
    file: str,
    damage: str,
    sound: dict[str, Path],
    whole_readings: dict[str, RunReading],
    registry: Registry,
    tmp_path: Path,
) -> None:
    run = tmp_path / name
    shutil.copytree(sound[name], run)
    DAMAGES[damage](run / file)

    opened = open_run(run, registry)
    assert isinstance(opened, OpenedRun)
    listed = read_at("list", run, registry)
    readings = [opened.reading, listed]
    if damage == "cut":
        readings.append(read_at("history", run, registry))
    for reading in readings:
        assert_nothing_is_hidden(whole_readings[name], reading, file)
    if can_be_seen(file, damage):
        assert any(path.endswith(f"/{file}") and why for path, why in told(opened))
    assert set(listed.skipped) <= set(opened.skipped)
    assert isinstance(open_branch(run, key_of(file) or "1/1", registry), Dossier)


def key_of(file: str) -> str:
    """The branch that the file is of."""
    if not file.startswith("step-"):
        return ""
    step, parallel = file.split("/")[:2]
    return f"{step.removeprefix('step-')}/{parallel.removeprefix('parallel-')}"


def read_at(level: str, run: Path, registry: Registry) -> RunReading:
    (reading,) = scan_once([run], registry, level).runs.values()  # type: ignore[arg-type]
    return reading


def assert_nothing_is_hidden(before: RunReading, after: RunReading, file: str) -> None:
    """Every branch is there, and those that the file is not of are read as before."""
    assert after.branches.keys() == before.branches.keys()
    for key, branch in before.branches.items():
        folder = "step-{}/parallel-{}/".format(*key.split("/"))
        if file != "state.json" and not file.startswith(folder):
            found = after.branches[key]
            assert (found.status, found.written_code) == (branch.status, branch.written_code)


def test_the_commands_go_on_over_damaged_runs(
    sound: dict[str, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for place, (name, file) in enumerate(FILES):
        for damage in ("cut", "a pipe"):
            run = tmp_path / f"{place}-{damage.replace(' ', '-')}"
            shutil.copytree(sound[name], run)
            DAMAGES[damage](run / file)
    runs = len(list(tmp_path.iterdir()))
    for words in (["list", "--all"], ["history"]):
        assert command([*words, str(tmp_path), "--json"]) == 0
        document = json.loads(capsys.readouterr().out)
        assert document["skipped"]
        if words[0] == "list":
            assert document["counts"]["runs"] == runs
        assert command([*words, str(tmp_path)]) == 0
        assert "not read: " in capsys.readouterr().err
    for run in sorted(tmp_path.iterdir())[::23]:
        assert command(["show", str(run), "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["branches"]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a second process of another user")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_files_without_permission_are_told_and_hide_nothing(
    sound: dict[str, Path], registry: Registry
) -> None:
    with tempfile.TemporaryDirectory() as root:
        Path(root).chmod(0o755)
        for place, (name, file) in enumerate(FILES):
            run = Path(root) / f"{place:03d}"
            shutil.copytree(sound[name], run)
            (run / file).chmod(0)
        found = as_nobody(lambda: read_all(Path(root), registry))
    for place, (name, file) in enumerate(FILES):
        read = found[f"{place:03d}"]
        assert read["branches"] == read["listed"] == branches_of(sound[name])
        assert any(path.endswith(f"/{file}") and why for path, why in read["told"]), file


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a second process of another user")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_folders_without_permission_are_told_and_hide_nothing_else(
    sound: dict[str, Path], registry: Registry
) -> None:
    """Down to the run itself, which is then told of by whoever looks through its root."""
    folders = [path for path in sound["whole"].rglob("*") if path.is_dir()]
    inside = sorted(str(path.relative_to(sound["whole"])) for path in folders)
    with tempfile.TemporaryDirectory() as root:
        Path(root).chmod(0o755)
        for place, folder in enumerate(inside):
            shutil.copytree(sound["whole"], Path(root) / f"{place:03d}")
            (Path(root) / f"{place:03d}" / folder).chmod(0)
        shutil.copytree(sound["decided"], Path(root) / "closed")
        (Path(root) / "closed").chmod(0)
        found = as_nobody(lambda: read_all(Path(root), registry))
        for path in Path(root).rglob("*"):
            if path.is_dir():
                path.chmod(0o755)
    assert found["closed"] == {
        "skipped": [[f"{root}/closed", "cannot be listed: Permission denied"]]
    }
    for place, folder in enumerate(inside):
        read = found[f"{place:03d}"]
        hidden = {key for key in branches_of(sound["whole"]) if folder == f"step-{key[0]}"}
        assert set(read["branches"]) == set(read["listed"])
        assert set(read["branches"]) == set(branches_of(sound["whole"])) - hidden
        assert any(is_at_or_below(path, folder) and why for path, why in read["told"]), folder


def is_at_or_below(path: str, folder: str) -> bool:
    return f"{path}/".find(f"/{folder}/") >= 0


def read_all(root: Path, registry: Registry) -> dict[str, Any]:
    listed = scan_once([root], registry)
    found: dict[str, Any] = {}
    for run in sorted(root.iterdir()):
        if str(run) not in listed.runs:
            found[run.name] = {"skipped": [(item.path, item.why) for item in listed.skipped]}
            continue
        opened = open_run(run, registry)
        assert isinstance(opened, OpenedRun)
        found[run.name] = {
            "branches": sorted(opened.reading.branches),
            "listed": sorted(listed.runs[str(run)].branches),
            "told": told(opened),
        }
    return found


def as_nobody(work: Callable[[], Any]) -> Any:
    """What the work gives in a child process that has no rights, as JSON carries it."""
    read_end, write_end = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            if os.geteuid() == 0:
                os.setgid(_NOBODY)
                os.setuid(_NOBODY)
            given = {"given": work()}
        except BaseException:
            given = {"failed": traceback.format_exc()}
        with os.fdopen(write_end, "w") as pipe:
            json.dump(given, pipe)
        os._exit(0)
    os.close(write_end)
    with os.fdopen(read_end) as pipe:
        answer = json.load(pipe)
    assert os.waitpid(child, 0)[1] == 0
    assert "failed" not in answer, answer["failed"]
    return answer["given"]


def branches_of(run: Path) -> list[str]:
    return sorted(key_of(f"{path.relative_to(run)}/") for path in run.glob("step-*/parallel-*"))
