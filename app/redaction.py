"""Text without what is nobody else's business: the user's name and home, the computer's name, keys, tokens, passwords.

Owns what is taken out and what stands in its place. It rather takes out too much: whatever looks like a secret is one.
Knows no Qt.
"""

import getpass
import re
import socket
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

SECRET, USER, COMPUTER, HOME, ADDRESS, MAIL = "<secret>", "<user>", "<computer>", "~", "<address>", "<mail>"

_LEAST_NAME = 3  # letters of a name that can be looked for without hitting half of all words

# (what is looked for, what stands in its place), in this order
_RULES: tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...] = (
    (re.compile(r"-----BEGIN [A-Z ]+-----.*?(-----END [A-Z ]+-----|\Z)", re.DOTALL), SECRET),
    # user and password in an address
    (re.compile(r"(?<=://)[^\s/@]+@"), f"{SECRET}@"),
    # what is said to be one: token=…, "password": "…", Authorization: Bearer …
    (
        re.compile(
            r"(?i)\b((?:[\w-]*(?:token|secret|passw(?:or)?d|passwd|passphrase|api[_-]?key|apikey|credential|signature|"
            r"cookie|session[_-]?id|authorization)[\w-]*)[\"']?\s*[:=]\s*)((?:bearer|basic|token)\s+)?"
            r"(?!\d{1,9}\b|(?:none|null|true|false)\b)(\"[^\"]*\"|'[^']*'|[^\s,;&)}\]]+)"
        ),
        lambda match: match[1] + SECRET,
    ),
    (re.compile(r"(?i)\b(bearer|basic)\s+[\w.~+/=-]{8,}"), lambda match: f"{match[1]} {SECRET}"),
    # what is known to look like one
    (re.compile(r"\b(?:hf|sk|pk|rk|ghp|gho|ghu|ghs|ghr|github_pat|glpat|xox[abprs]|api)[_-][\w-]{8,}"), SECRET),
    (re.compile(r"\b(?:AKIA|ASIA)[A-Z0-9]{12,}\b"), SECRET),
    (re.compile(r"\beyJ[\w-]{6,}\.[\w-]+(?:\.[\w-]*)?"), SECRET),
    # an identity of this machine's hardware
    (re.compile(r"\b(?:GPU|MIG)-[0-9a-fA-F]{8}-[0-9a-fA-F-]{20,}"), lambda match: match[0][:3] + "-<id>"),
    (re.compile(r"\b(?:[0-9a-fA-F]{2}:){5}[0-9a-fA-F]{2}\b"), ADDRESS),
    (re.compile(r"\b[\w.+-]+@[\w-]+(?:\.[\w-]+)+\b"), MAIL),
    (re.compile(r"(?<![\w.])(?!127\.|0\.0\.0\.0)\d{1,3}(?:\.\d{1,3}){3}(?![\w.])"), ADDRESS),
    # whatever is long and mixed enough to be one; a word of letters alone, or a path, is none
    (re.compile(r"(?<![\w/+.-])(?=[\w+=-]*\d)(?=[\w+=-]*[A-Za-z])[\w+-]{32,}={0,2}(?![\w/+-])"), SECRET),
)


@dataclass(frozen=True, slots=True)
class Person:
    """Whose machine it is: what is taken out of every text."""

    home: str
    names: tuple[str, ...]
    computer: str


def this_person() -> Person:
    try:
        home = str(Path.home())
    except RuntimeError:
        home = ""
    try:
        user = getpass.getuser()
    except (OSError, KeyError, ImportError):  # no such entry, or a system without a list of users
        user = ""
    names = tuple({name for name in (user, Path(home).name if home else "") if name})
    return Person(home, names, socket.gethostname())


def redacted(text: str, person: Person) -> str:
    for pattern, stands in _RULES:
        text = pattern.sub(stands, text)
    for home in _written_homes(person.home):
        text = re.sub(re.escape(home) + r"(?![\w-])", HOME, text, flags=re.IGNORECASE)
    for name in sorted(person.names, key=len, reverse=True):
        text = _without(text, name, USER)
    return _without(text, person.computer, COMPUTER)


def _written_homes(home: str) -> tuple[str, ...]:
    """The home folder as it is, as in an address, and with the backslashes of a string in code."""
    if len(home) <= 1:
        return ()
    return tuple({home, home.replace("\\", "/"), home.replace("\\", "\\\\")})


def _without(text: str, name: str, stands: str) -> str:
    if len(name) < _LEAST_NAME or name.casefold() in _NO_NAMES:
        return text
    return re.sub(rf"(?<![^\W_]){re.escape(name)}(?![^\W_])", stands, text, flags=re.IGNORECASE)


_NO_NAMES = frozenset({"root", "user", "home", "admin", "localhost", "ember"})
