"""Where the hub's token is kept: the system's keyring, or a file that only this user may read where no keyring answers.

A token is kept with the origin (scheme, host, port) it was entered for and is given out for no other, so that changing
the endpoint to a mirror never sends it there. Nothing here logs or shows a token.
"""

import contextlib
import json
import os
import threading
from pathlib import Path
from typing import Protocol

from engine.errors import TokenNotKept
from engine.hub.transfer.resolving import Hub, origin_of

SERVICE = "ember"
_ONLY_OWNER = 0o600


class Keyring(Protocol):
    """The three functions of the library `keyring`; each raises KeyringFailed where there is none that answers."""

    def get(self, name: str) -> str | None: ...
    def set(self, name: str, secret: str) -> None: ...
    def delete(self, name: str) -> None: ...


class KeyringFailed(Exception):
    """No keyring, or a locked one, or one whose service does not answer."""


class TokenStore:
    """Tokens by the endpoint of their hub. Safe to use from several threads."""

    def __init__(self, file: Path, keyring: Keyring | None = None) -> None:
        """`file` is used where the keyring fails, or does not give back what it was given."""
        self._file = file
        self._keyring = keyring or SystemKeyring()
        self._lock = threading.Lock()

    def read(self, endpoint: str) -> str:
        """The token entered for this hub, or an empty string."""
        return self._find(endpoint)[0]

    def place(self, endpoint: str) -> str:
        """Where the token of this hub is kept: one of TOKEN_PLACES."""
        return self._find(endpoint)[1]

    def write(self, endpoint: str, token: str) -> str:
        """Keep a token, or with an empty one forget it; returns where it is kept now.

        Raises InvalidRequest for what cannot be a token and TokenNotKept where nothing takes it.
        """
        Hub(endpoint, token)
        name = origin_name(endpoint)
        with self._lock:
            if not token:
                self._forget(name)
                return "nowhere"
            try:
                self._keyring.set(name, token)
                if self._keyring.get(name) != token:
                    raise KeyringFailed("the keyring gave back something else")
            except KeyringFailed as error:
                self._write_file({**self._read_file(), name: token}, str(error))
                return "file"
            if name in self._read_file():
                self._write_file({key: value for key, value in self._read_file().items() if key != name}, "")
            return "keyring"

    def _find(self, endpoint: str) -> tuple[str, str]:
        name = origin_name(endpoint)
        with self._lock:
            if token := self._read_file().get(name, ""):  # only there where the keyring did not take it
                return token, "file"
            with contextlib.suppress(KeyringFailed):
                if kept := self._keyring.get(name):
                    return kept, "keyring"
        return "", "nowhere"

    def _forget(self, name: str) -> None:
        with contextlib.suppress(KeyringFailed):
            self._keyring.delete(name)
        kept = self._read_file()
        if name in kept:
            del kept[name]
            self._write_file(kept, "")

    def _read_file(self) -> dict[str, str]:
        try:
            if os.name == "posix" and self._file.stat().st_mode & 0o077:
                self._file.chmod(_ONLY_OWNER)  # it was made less private by a copy or another program
            found = json.loads(self._file.read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError):
            return {}
        pairs = found.items() if isinstance(found, dict) else ()
        return {str(name): token for name, token in pairs if isinstance(token, str)}

    def _write_file(self, tokens: dict[str, str], keyring_reason: str) -> None:
        fresh = self._file.with_name(self._file.name + ".new")
        try:
            if not tokens:
                self._file.unlink(missing_ok=True)
                return
            self._file.parent.mkdir(parents=True, exist_ok=True)
            fresh.unlink(missing_ok=True)
            handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _ONLY_OWNER)
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                json.dump(tokens, file)
                file.flush()
                os.fsync(file.fileno())
            fresh.replace(self._file)
        except OSError as error:
            words = "; ".join(text for text in (keyring_reason, error.strerror or str(error)) if text)
            raise TokenNotKept(str(self._file), words) from error


class SystemKeyring:
    """The keyring of this system, by the library `keyring`, which is loaded when it is first asked."""

    def get(self, name: str) -> str | None:
        return self._ask("get_password", name)

    def set(self, name: str, secret: str) -> None:
        self._ask("set_password", name, secret)

    def delete(self, name: str) -> None:
        self._ask("delete_password", name)

    def _ask(self, function: str, *arguments: str) -> str | None:
        try:
            import keyring

            answer = getattr(keyring, function)(SERVICE, *arguments)
        except Exception as error:  # noqa: BLE001 - backends raise their services' own classes, of libraries not ours
            raise KeyringFailed(type(error).__name__) from None
        return answer if isinstance(answer, str) else None


def origin_name(endpoint: str) -> str:
    """An origin as it is written: `https://host`, with the port where it is not the usual one."""
    scheme, host, port = origin_of(endpoint)
    usual = {"https": 443, "http": 80}[scheme]
    shown = f"[{host}]" if ":" in host else host
    return f"{scheme}://{shown}" + ("" if port == usual else f":{port}")
