"""`ember token`: what is kept, what is said, and that it is never shown."""

import io

import pytest

from app.terminal.token import run_token
from engine.transfer_reports import HUB, NetworkSettings
from tests.terminal.test_pull import Shell, shell  # noqa: F401 - a fixture

SECRET = "hf_not-a-real-token"


class Typed(io.StringIO):
    def isatty(self) -> bool:
        return True


def run(shell: Shell, text: str = "", *, stdin: io.StringIO | None = None, **options: bool) -> int:  # noqa: F811
    chosen = {"forgets": False, "asks": True, **options}
    return run_token(shell.session, shell.console, stdin or io.StringIO(text), NetworkSettings(), **chosen)


def test_a_piped_token_is_kept_found_and_forgotten(shell):  # noqa: F811
    assert run(shell, f"{SECRET}\n") == 0
    assert run(shell, asks=False) == 0
    assert run(shell, forgets=True) == 0
    assert shell.out.getvalue().splitlines() == [
        f"The token for {HUB} is in this system's keyring.",
        f"The token for {HUB} is in this system's keyring.",
        f"No token is kept for {HUB}.",
    ]
    assert SECRET not in shell.out.getvalue() + shell.said


def test_a_typed_token_is_asked_for_without_being_shown(shell, monkeypatch):  # noqa: F811
    asked = []
    monkeypatch.setattr("getpass.getpass", lambda words: asked.append(words) or SECRET)
    assert run(shell, stdin=Typed()) == 0
    assert "not shown" in asked[0]
    assert SECRET not in shell.out.getvalue() + shell.said


@pytest.mark.parametrize("text", ["", "\n", "   \n"])
def test_without_a_token_it_is_said_where_to_make_one(shell, text):  # noqa: F811
    assert run(shell, text) == 2
    assert f"{HUB}/settings/tokens" in shell.said
