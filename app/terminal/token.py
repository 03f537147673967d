"""`ember token`: give the engine the hub's access token, forget it, or say where it is kept. It is never shown."""

import getpass
from typing import TextIO

from app.terminal.console import Console
from app.terminal.session import Session
from engine.transfer_reports import NetworkSettings, ReadToken, StoreToken, TokenKept, UseNetwork

_PLACES = {
    "keyring": "The token for {endpoint} is in this system's keyring.",
    "file": "The token for {endpoint} is in a file that only you may read, since no keyring answers here.",
    "nowhere": "No token is kept for {endpoint}.",
}


def run_token(
    session: Session, console: Console, stdin: TextIO, network: NetworkSettings, *, forgets: bool, asks: bool
) -> int:  # fmt: skip
    """Returns the exit code; a token is asked for without echo, or read as one line from a pipe.

    forgets  delete the token that is kept
    asks     a token is wanted; otherwise it is only said where one is
    """
    session.ask(UseNetwork(session.next_id(), network))
    if forgets:
        answer = session.ask(StoreToken(session.next_id(), ""))
    elif asks:
        token = _token(stdin)
        if not token:
            console.error(f"No token was given. Make one at {network.endpoint}/settings/tokens, then paste it here.")
            return 2
        answer = session.ask(StoreToken(session.next_id(), token))
    else:
        answer = session.ask(ReadToken(session.next_id()))
    if not isinstance(answer, TokenKept):
        return 1
    console.result(_PLACES[answer.place].format(endpoint=answer.endpoint))
    return 0


def _token(stdin: TextIO) -> str:
    if not stdin.isatty():
        return stdin.readline().strip()
    try:
        return getpass.getpass("The hub's access token (it is not shown): ").strip()
    except EOFError:
        return ""
