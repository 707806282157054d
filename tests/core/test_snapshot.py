"""Scanning again: each kind of change is seen, by a walk and by a hint; nothing else is read."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from plain_scan import REGISTRY, assert_exact, assert_true_picture, in_an_hour

from stopview_core import keeper, passes
from stopview_core.actor import Actor
from stopview_core.decide import Pick, Wish, decide
from stopview_core.demo import RunBuilder, write_many
from stopview_core.quiet import QuietRun
from stopview_core.readings import RunReading
from stopview_core.snapshot import EMPTY_SNAPSHOT, Scanner, scan_once

RESPONSE = "step-1/parallel-1/response/response.json"
MODEL = "step-3/parallel-1/response/data/stack-model.json"
CHOICE = "choice/step-3/parallel-1"
EXTRA = '"extra": "response/extra/note.txt", '
ACTOR = Actor("ada", "ada", "here", "0", "command, no terminal")


def quiet_run(name: str) -> RunBuilder:
    run = RunBuilder(name)
    run.branch("1/1", "workspace.bind")
    run.branch("2/1", "business.decide")
    return run


def retried_run() -> RunBuilder:
    """A resume that brought nothing new, unless the file behind its input is newer."""
    run = RunBuilder("retried")
    inputs = {"brief": "brief.md"}
    run.branch("1/1", "workspace.bind", status="blocked", stop="CHECKOUT_DIRTY", inputs=inputs)
    run.branch(
        "2/1", "workspace.bind", status="blocked", stop="CHECKOUT_DIRTY", inputs=inputs,
        resumes="1/1",
    )  # fmt: skip
    run.file("brief.md", "# Brief\n")
    return run


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Runs of every kind, at several depths; one of them has a decision in force."""
    root = tmp_path / "runs"
    quiet_run("quiet").write(root)
    quiet_run("deep").write(root / "group/inner")
    retried = retried_run().write(root / "group")
    os.utime(retried / "brief.md", (0, 0))
    (choice,) = write_many(root / "group/bulk", 1, blocked_every=1)
    edited("step-3/parallel-1/response/response.json", '"fields": {', f'"fields": {{ {EXTRA}')(
        choice
    )
    written("step-3/parallel-1/response/extra/note.txt", "note")(choice)
    wish = Wish(Pick.of(json_in(choice / MODEL)["alternatives"][0]["alternativeId"], None))
    assert decide(choice, "3/1", wish, REGISTRY, ACTOR).status_code == 301
    choice.rename(root / "choice")
    (root / "half/step-1").mkdir(parents=True)
    return root


def json_in(file: Path) -> dict:
    return json.loads(file.read_bytes())


def rewritten(file: Path, old: str, new: str) -> None:
    """In place: the inode stays."""
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))


def replaced_keeping_its_time(root: Path) -> list[str]:
    file = root / "quiet" / RESPONSE
    before = file.stat()
    new = file.with_name("new")
    new.write_text(file.read_text().replace('"done"', '"fail"'))
    os.utime(new, ns=(before.st_atime_ns, before.st_mtime_ns))
    new.replace(file)
    assert (file.stat().st_size, file.stat().st_mtime_ns) == (before.st_size, before.st_mtime_ns)
    return [str(file)]


def rewritten_keeping_its_time(root: Path) -> list[str]:
    file = root / "quiet" / RESPONSE
    before = file.stat()
    rewritten(file, '"done"', '"fail"')
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert file.stat().st_size == before.st_size
    return [str(file)]


def written(path: str, text: str) -> Callable[[Path], list[str]]:
    """The file written, its folders made where they are missing; only the file is hinted."""

    def change(root: Path) -> list[str]:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
        return [str(root / path)]

    return change


def edited(path: str, old: str, new: str) -> Callable[[Path], list[str]]:
    def change(root: Path) -> list[str]:
        rewritten(root / path, old, new)
        return [str(root / path)]

    return change


def removed(*paths: str) -> Callable[[Path], list[str]]:
    def change(root: Path) -> list[str]:
        for path in paths:
            target = root / path
            shutil.rmtree(target) if target.is_dir() else target.unlink()
        return [str(root / path) for path in paths]

    return change


def moved(path: str, to: str) -> Callable[[Path], list[str]]:
    def change(root: Path) -> list[str]:
        (root / to).parent.mkdir(parents=True, exist_ok=True)
        (root / path).rename(root / to)
        return [str(root / path), str(root / to)]

    return change


def linked(path: str) -> Callable[[Path], list[str]]:
    """Moved away, with a link to it left in its place."""

    def change(root: Path) -> list[str]:
        (root / path).rename(root.parent / "aside")
        (root / path).symlink_to(root.parent / "aside")
        return [str(root / path)]

    return change


def newer_input(root: Path) -> list[str]:
    os.utime(root / "group/retried/brief.md")
    return [str(root / "group/retried/brief.md")]


def run_inside_and_outside(root: Path) -> list[str]:
    """A group becomes a run while a run in it changes: what lies in a run is none of its own."""
    inside = edited("group/retried/state.json", "retried", "renamed")(root)
    return inside + written("group/state.json", '{"id": "group"}')(root)


CHANGES: dict[str, Callable[[Path], list[str]]] = {
    "a file rewritten": edited(f"quiet/{RESPONSE}", '"done"', '"running"'),
    "a file replaced, its time and size kept": replaced_keeping_its_time,
    "a file rewritten, its time and size kept": rewritten_keeping_its_time,
    "a response gone": removed(f"quiet/{RESPONSE}"),
    "a response folder gone": removed("quiet/step-2/parallel-1/response"),
    "a response that comes late": written(f"late/{RESPONSE}", "{}"),
    "a branch more": written("quiet/step-2/parallel-2/response/response.json", "{}"),
    "a step more": written("quiet/step-3/parallel-1/request/request.json", "{}"),
    "an exchange": written("quiet/step-2/parallel-1/ask/response/response.json", "{}"),
    "an import": written("quiet/step-2/parallel-1/import.json", "{}"),
    "a step that is a link": linked("quiet/step-2"),
    "a branch that is a link": linked("quiet/step-2/parallel-1"),
    "a response folder that is a link": linked("quiet/step-2/parallel-1/response"),
    "a state that is a link": linked("quiet/state.json"),
    "a state gone": removed("quiet/state.json"),
    "a state and all steps gone": removed("quiet/state.json", "quiet/step-1", "quiet/step-2"),
    "a run gone": removed("quiet"),
    "a run that is a link": linked("quiet"),
    "a run moved deeper": moved("quiet", "group/inner/quiet"),
    "a run moved too deep": moved("quiet", "1/2/3/4/5/6/quiet"),
    "a folder of runs moved": moved("group", "moved"),
    "a folder of runs gone": removed("group"),
    "a folder of runs that is a link": linked("group"),
    "a new run told of by its state": written("new/state.json", "{}"),
    "a new run told of by its innermost file": written(f"new/{RESPONSE}", "{}"),
    "a folder that becomes a run": written(f"half/{RESPONSE}", "{}"),
    "a group that becomes a run": written("group/state.json", "{}"),
    "a group that becomes a run around a changed one": run_inside_and_outside,
    "the root that becomes a run": written("state.json", "{}"),
    "a stray file": written("notes.txt", "note"),
    "the evidence of a decision": edited(f"{CHOICE}/response/response.md", "state", "State"),
    "the data of a decision": edited(f"choice/{MODEL}", "status", "Status"),
    "an output of a decided branch": edited(f"{CHOICE}/response/extra/note.txt", "note", "Note"),
    "an output gone": removed(f"{CHOICE}/response/extra/note.txt"),
    "outputs behind a link": linked(f"{CHOICE}/response/extra"),
    "data that comes": written(f"{CHOICE}/response/data/more.json", "[]"),
    "a receipt rewritten": edited(f"{CHOICE}/decision/0001.yaml", "ada", "bob"),
    "a receipt gone": removed(f"{CHOICE}/decision/0001.yaml"),
    "a receipt that comes": written(f"{CHOICE}/decision/0002.yaml", "{}"),
    "the decisions a link": linked(f"{CHOICE}/decision"),
    "a newer file behind an input": newer_input,
    "nothing": lambda root: [str(root / "quiet/step-1"), str(root / "nowhere/at/all")],
}  # fmt: skip


@pytest.mark.parametrize("name", CHANGES)
@pytest.mark.parametrize("how", ["walk", "hint"])
def test_a_change_is_seen(name: str, how: str, root: Path) -> None:
    scanner = Scanner([root], REGISTRY, clock_ns=in_an_hour)
    scanner.reconcile()
    earlier = scanner.snapshot
    before = dict(earlier.runs)
    hints = CHANGES[name](root)
    diff = scanner.reconcile() if how == "walk" else scanner.rescan(hints)
    assert_true_picture(scanner, root)
    assert_exact(diff, before, scanner.snapshot.runs)
    assert dict(earlier.runs) == before
    assert not scanner.reconcile()


def test_the_runs_are_of_every_kind(root: Path) -> None:
    """Else the changes above would prove little."""
    runs = scan_once([root], REGISTRY).runs
    assert {Path(path).relative_to(root).as_posix() for path in runs} == {
        "quiet", "choice", "group/retried", "group/inner/deep",
    }  # fmt: skip
    assert runs[str(root / "quiet")].is_quiet
    choice = runs[str(root / "choice")].branches["3/1"]
    assert choice.decision.status == "in_force"
    retried = runs[str(root / "group/retried")].branches["2/1"]
    assert [violation.code for violation in retried.violations] == ["RESUME_WITHOUT_DELTA"]


class Counted:
    """Counts how often runs are read, by folder name."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.read: list[str] = []
        read_quiet, read_run = passes.read_quiet, keeper.read_run

        def counted_quiet(path: str, *, keeps_stamps: bool) -> QuietRun | None:
            quiet = read_quiet(path, keeps_stamps=keeps_stamps)
            self.read += [Path(path).name] if quiet is not None else []
            return quiet

        monkeypatch.setattr(passes, "read_quiet", counted_quiet)
        monkeypatch.setattr(
            keeper,
            "read_run",
            lambda folder, *rest: (
                self.read.append(Path(folder.path).name),
                read_run(folder, *rest),
            )[1],
        )

    def taken(self) -> list[str]:
        found, self.read = sorted(self.read), []
        return found


def test_only_what_changed_is_read_again(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    counted = Counted(monkeypatch)
    scanner = Scanner([root], REGISTRY, clock_ns=in_an_hour)
    scanner.reconcile()
    assert counted.taken() == ["choice", "deep", "quiet", "retried"]
    assert not scanner.reconcile()
    assert counted.taken() == []
    rewritten(root / "quiet" / RESPONSE, '"done"', '"running"')
    assert scanner.reconcile().changed == {str(root / "quiet")}
    assert counted.taken() == ["quiet"]
    assert not scanner.rescan([str(root / "quiet" / RESPONSE), str(root / "group/inner/deep")])
    assert counted.taken() == []


def test_what_was_written_just_now_is_read_again(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file may change twice within a tick of its clock, and look as if it had changed once."""
    counted = Counted(monkeypatch)
    scanner = Scanner([root / "quiet"], REGISTRY, clock_ns=lambda: newest(root / "quiet"))
    scanner.reconcile()
    assert not scanner.reconcile()
    assert counted.taken() == ["quiet", "quiet"]
    scanner = Scanner(
        [root / "quiet"], REGISTRY, clock_ns=lambda: newest(root / "quiet") + 3_000_000_000
    )
    scanner.reconcile()
    assert not scanner.reconcile()
    assert counted.taken() == ["quiet"]


def newest(folder: Path) -> int:
    stats = [path.stat() for path in (folder, *folder.rglob("*"))]
    return max(max(found.st_mtime_ns, found.st_ctime_ns) for found in stats)


def test_a_run_that_reads_the_same_stays_the_same_object(root: Path) -> None:
    scanner = Scanner([root], REGISTRY, clock_ns=in_an_hour)
    scanner.reconcile()
    before = dict(scanner.snapshot.runs)
    told: list[RunReading] = []
    for path in (root / "quiet" / RESPONSE, root / CHOICE / "response/response.json"):
        os.utime(path)
    assert not scanner.reconcile(told.append)
    assert all(scanner.snapshot.runs[path] is run for path, run in before.items())


def test_a_root_that_is_a_run_or_a_link_or_gone(root: Path) -> None:
    link = root.parent / "link"
    link.symlink_to(root / "quiet")
    for at in (root / "quiet", link):
        scanner = Scanner([at], REGISTRY, clock_ns=in_an_hour)
        assert scanner.reconcile().added == {str(at)}
        written("step-3/parallel-1/response/response.json", "{}")(at)
        assert scanner.rescan([str(at / "step-3")]).changed == {str(at)}
        shutil.rmtree(at / "step-3")
        assert scanner.reconcile().changed == {str(at)}
    shutil.rmtree(root / "quiet")
    diff = scanner.reconcile()
    assert diff.removed == {str(link)}
    assert diff.skipped_changed
    assert [item.path for item in scanner.snapshot.skipped] == [str(link)]


def test_roots_that_overlap_show_a_run_once(root: Path) -> None:
    scanner = Scanner([root, root / "group"], REGISTRY, clock_ns=in_an_hour)
    told: list[RunReading] = []
    scanner.reconcile(told.append)
    assert len(told) == len(scanner.snapshot.runs)
    assert_true_picture(scanner, root)
    removed("group/retried")(root)
    assert scanner.rescan([str(root / "group/retried")]).removed == {str(root / "group/retried")}


def test_a_folder_that_cannot_be_listed_is_said_and_heals(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed = str(root / "group/inner")
    scandir = os.scandir

    def refusing(path: str) -> object:
        if path == closed:
            raise PermissionError(13, "Permission denied")
        return scandir(path)

    scanner = Scanner([root], REGISTRY, clock_ns=in_an_hour)
    monkeypatch.setattr("stopview_core.folder.os.scandir", refusing)
    scanner.reconcile()
    assert [item.path for item in scanner.snapshot.skipped] == [closed]
    monkeypatch.undo()
    diff = scanner.rescan([closed])
    assert diff.added == {f"{closed}/deep"}
    assert diff.skipped_changed
    assert scanner.snapshot.skipped == ()


def test_a_snapshot_cannot_be_changed(root: Path) -> None:
    snapshot = scan_once([root], REGISTRY)
    with pytest.raises(TypeError):
        snapshot.runs["x"] = snapshot.runs[str(root / "quiet")]  # type: ignore[index]
    assert not EMPTY_SNAPSHOT.runs
