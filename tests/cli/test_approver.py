"""Who decides: the option, the variable, git's address, the login name; named and not proved."""

from __future__ import annotations

import platform
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from stopview_core.actor import Actor
from stopview_core.errors import UsageError
from stopview_tui import approver
from stopview_tui.approver import VARIABLE, find_actor, login_name

BAD = ["", " ", "\n", "ada\n", "a\tb", "ada\x1b[31m", "\x00", "\x85", "\ud800", "x" * 201]


@pytest.fixture(autouse=True)
def _nobody(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """An account whose git knows no address, in a folder that is no checkout."""
    for name in ("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM"):
        monkeypatch.setenv(name, str(tmp_path / "gitconfig"))
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(platform, "node", lambda: "desk-7")
    monkeypatch.setattr("getpass.getuser", lambda: "ada")


@pytest.fixture
def git_email(tmp_path: Path) -> Callable[[str], None]:
    def set_to(email: str) -> None:
        config = tmp_path / "gitconfig"
        command = ["git", "config", "--file", str(config), "user.email", email]
        subprocess.run(command, check=True)

    return set_to


def found(named: str | None = None, env: dict[str, str] | None = None) -> Actor:
    return find_actor(named, env or {}, version="1.2", via="command, terminal")


def test_the_option_goes_first(git_email: Callable[[str], None]) -> None:
    git_email("ada@example.org")
    who = found("Grace Hopper", {VARIABLE: "barbara"})
    assert who == Actor("Grace Hopper", "ada", "desk-7", "1.2", "command, terminal")


def test_then_the_variable(git_email: Callable[[str], None]) -> None:
    git_email("ada@example.org")
    assert found(env={VARIABLE: " barbara "}).approver == "barbara"


def test_then_the_address_that_git_knows(git_email: Callable[[str], None]) -> None:
    git_email("ada@example.org")
    assert found().approver == "ada@example.org"


def test_then_the_login_name_with_the_host() -> None:
    assert found().approver == "ada@desk-7"


@pytest.mark.parametrize("name", BAD)
def test_an_option_that_is_no_name_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match="--approver has to be a name"):
        found(name)


@pytest.mark.parametrize("name", BAD)
def test_a_variable_that_is_no_name_is_refused_and_not_passed_over(name: str) -> None:
    with pytest.raises(UsageError, match=f"{VARIABLE} has to be a name"):
        found(env={VARIABLE: name})


@pytest.mark.parametrize("name", ["O'Brien", "李雷", "a: b # c", "x" * 200])
def test_any_other_name_is_taken_as_it_is(name: str) -> None:
    assert found(name).approver == name


@pytest.mark.parametrize("email", ["", "a\x1bb", "x" * 300])
def test_an_address_that_is_no_name_is_passed_over(
    git_email: Callable[[str], None], email: str
) -> None:
    git_email(email)
    assert found().approver == "ada@desk-7"


def test_without_git_the_login_name_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(approver.shutil, "which", lambda _: None)
    assert found().approver == "ada@desk-7"


@pytest.mark.parametrize("trouble", [OSError("no"), subprocess.TimeoutExpired("git", 5)])
def test_a_git_that_does_not_answer_is_passed_over(
    monkeypatch: pytest.MonkeyPatch, trouble: Exception
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise trouble

    monkeypatch.setattr(approver.subprocess, "run", fail)
    assert found().approver == "ada@desk-7"


def test_an_account_without_a_name_is_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> str:
        raise KeyError("uid not found: 12345")

    monkeypatch.setattr("getpass.getuser", fail)
    monkeypatch.setattr(platform, "node", lambda: "")
    assert login_name() == "unknown"
    assert found().approver == "unknown@unknown-host"


def test_a_machine_that_calls_itself_badly_makes_one_clean_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("getpass.getuser", lambda: "ada\nroot\x1b")
    monkeypatch.setattr(platform, "node", lambda: "desk\t7\udc80")
    who = found()
    assert (who.os_user, who.host) == ("ada root\\x1b", "desk 7\\udc80")
    assert who.approver == "ada root\\x1b@desk 7\\udc80"
