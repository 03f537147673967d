"""Where a file of a repository lies at this moment: its commit, size and digest from the hub, and a link to its bytes.

The hub answers for large files with a signed link to another server, which ends after minutes; it is asked anew then.
The token goes to the hub's own origin (scheme, host and port) and nowhere else. Also what the hub's refusals mean.
"""

import contextlib
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import quote, urljoin, urlsplit

from engine.errors import (
    EngineError,
    HubAccessDenied,
    HubAnswerUnusable,
    HubBusy,
    InvalidRequest,
    LicenceNotAccepted,
    NotOnHub,
)
from engine.hub.transfer.backoff import retry_after_s
from engine.hub.transfer.line import Answer, Line, Origin
from engine.hub.transfer.verify import digest_kind
from engine.transfer_reports import HUB

USER_AGENT = "ember"
REDIRECTIONS = 5

_REDIRECTS = {301, 302, 303, 307, 308}
_LATER = {408, 425, 429, 500, 502, 503, 504}
_SIZE = re.compile(r"\d{1,18}")
_COMMIT = re.compile(r"[0-9a-f]{40}")
_DEFAULT_PORTS = {"https": 443, "http": 80}


class AskedToWait(Exception):
    """Raised with the error that a person may see; `wait_s` is what the server asked for, or None."""

    def __init__(self, error: HubBusy, wait_s: float | None) -> None:
        super().__init__(error)
        self.error = error
        self.wait_s = wait_s


class LinkRefused(Exception):
    """The server of the bytes, which is not the hub, does not take this link, or no more."""

    def __init__(self, host: str, status: int) -> None:
        super().__init__(host, status)
        self.host = host
        self.status = status


@dataclass(frozen=True, slots=True)
class Hub:
    """A hub or a mirror of one by its address, and the token that is its alone."""

    endpoint: str = HUB
    token: str = ""

    def __post_init__(self) -> None:
        if not _is_endpoint(self.endpoint):
            raise InvalidRequest("endpoint", self.endpoint, "https://host, without a user or a query")
        if not self.token.isascii() or any(c.isspace() or not c.isprintable() for c in self.token):
            raise InvalidRequest("token", "(not shown)", "printable ASCII without spaces")

    def __repr__(self) -> str:
        return f"Hub({self.endpoint!r})"  # a token is never shown

    def address(self, repo: str, revision: str, path: str) -> str:
        """Of a file, on the hub."""
        return f"{self.endpoint.rstrip('/')}/{repo}/resolve/{quote(revision, safe='')}/{quote(path)}"

    def page(self, repo: str) -> str:
        """Of a repository, for people."""
        return f"{self.endpoint.rstrip('/')}/{repo}"

    def owns(self, url: str) -> bool:
        """Whether an address is of the hub's own origin."""
        return origin_of(url) == origin_of(self.endpoint)

    def headers_for(self, url: str) -> dict[str, str]:
        headers = {"User-Agent": USER_AGENT, "Accept-Encoding": "identity"}
        if self.token and self.owns(url):
            headers["Authorization"] = f"Bearer {self.token}"
        return headers


@dataclass(frozen=True, slots=True)
class ResolvedFile:
    """A file as the hub describes it; `etag` is its digest, `link` where its bytes are for the time being."""

    commit: str
    etag: str
    size_bytes: int
    link: str


def _is_endpoint(url: str) -> bool:
    if not url.isascii() or not url.isprintable() or " " in url:
        return False
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:  # brackets without an address in them, a port that is none
        return False
    bare = parts.username is None and not parts.query and not parts.fragment
    return parts.scheme in _DEFAULT_PORTS and bool(host) and port != 0 and bare


def origin_of(url: str) -> Origin:
    """Scheme, host and port. Raises HubAnswerUnusable for an address that is none of the web's."""
    try:
        parts = urlsplit(url)
        scheme, host, port = parts.scheme.lower(), (parts.hostname or "").lower(), parts.port
    except ValueError as error:
        raise HubAnswerUnusable("", "the address", without_secrets(url)) from error
    if scheme not in _DEFAULT_PORTS or not host or parts.username is not None:
        raise HubAnswerUnusable(host, "the address", without_secrets(url))
    return scheme, host, port or _DEFAULT_PORTS[scheme]


def host_of(url: str) -> str:
    return origin_of(url)[1]


def without_secrets(url: str) -> str:
    """An address as it may be shown: signatures are in the query, passwords before the host."""
    bare = url.partition("?")[0].partition("#")[0]
    scheme, slashes, rest = bare.partition("//")
    authority, slash, path = rest.partition("/")
    return (scheme + slashes + authority.rpartition("@")[2] + slash + path)[:200]


def resolve(line: Line, hub: Hub, repo: str, revision: str, path: str) -> ResolvedFile:
    """Ask the hub about a file. Redirections within the hub are followed, the first one that leads out is the link.

    Raises NotOnHub, LicenceNotAccepted, HubAccessDenied, HubAnswerUnusable, AskedToWait, and what `Line` raises.
    """
    url = hub.address(repo, revision, path)
    known: dict[str, str] = {}
    for _ in range(REDIRECTIONS):
        with line.request("HEAD", url, hub.headers_for(url)) as answer:
            status, headers = answer.status, answer.headers
        if status not in _REDIRECTS:
            check_hub_status(hub, repo, revision, path, status, headers)
            return _described(hub, {**known, **headers, **_in_x(known)}, url)
        known = {**_in_x(headers), "etag": headers.get("etag", ""), **known}
        following = redirection(url, headers)
        if not hub.owns(following):
            return _described(hub, known, following)
        url = following
    raise HubAnswerUnusable(host_of(url), "the number of redirections", str(REDIRECTIONS))


@contextlib.contextmanager
def open_link(line: Line, hub: Hub, link: str, headers: Mapping[str, str]) -> Iterator[tuple[Answer, bool]]:
    """GET a link and follow its redirections; with the answer, whether the hub itself gave it.

    Raises HubAnswerUnusable for a redirection that no hub makes, and what `Line` raises.
    """
    url = link
    for _ in range(REDIRECTIONS):
        with line.request("GET", url, {**hub.headers_for(url), **headers}) as answer:
            if answer.status not in _REDIRECTS:
                yield answer, hub.owns(url)
                return
            url = redirection(url, answer.headers)
    raise HubAnswerUnusable(host_of(link), "the number of redirections", str(REDIRECTIONS))


def redirection(url: str, headers: Mapping[str, str]) -> str:
    """Where an answer sends us. Raises HubAnswerUnusable for no place at all and for one that gives up encryption."""
    host, place = host_of(url), headers.get("location", "")
    try:
        following = urljoin(url, place)
    except ValueError as error:
        raise HubAnswerUnusable(host, "the redirection", without_secrets(place)) from error
    if not place or not place.isascii() or not place.isprintable() or " " in place:
        raise HubAnswerUnusable(host, "the redirection", without_secrets(place))
    if origin_of(url)[0] == "https" and origin_of(following)[0] != "https":
        raise HubAnswerUnusable(host, "the redirection", without_secrets(following))
    return following


def check_later(host: str, status: int, headers: Mapping[str, str]) -> None:
    """Raises AskedToWait for an answer that asks to come again."""
    if status in _LATER:
        wait_s = retry_after_s(headers.get("retry-after", ""), headers.get("date", ""))
        raise AskedToWait(HubBusy(host, status, math.ceil(wait_s or 0)), wait_s)


def check_hub_status(hub: Hub, repo: str, revision: str, path: str, status: int, headers: Mapping[str, str]) -> None:
    """Raises what a status other than success means, coming from the hub itself."""
    host = host_of(hub.endpoint)
    check_later(host, status, headers)
    if status >= 400:
        raise _refusal(hub, repo, revision, path, status, headers)
    if status not in (200, 206):
        raise HubAnswerUnusable(host, "the status", str(status))


def _refusal(hub: Hub, repo: str, revision: str, path: str, status: int, headers: Mapping[str, str]) -> EngineError:
    code = headers.get("x-error-code", "")
    if code == "GatedRepo":
        return LicenceNotAccepted(repo, hub.page(repo))
    # without a token the hub does not tell a private repository from one that is not there, and answers 401 for both
    if status in (404, 410) or code in ("RepoNotFound", "RevisionNotFound", "EntryNotFound"):
        return NotOnHub(repo, revision, path)
    reason = headers.get("x-error-message", "")[:300]
    return HubAccessDenied(repo, status, reason if reason.isprintable() and reason else "no reason given")


def _in_x(headers: Mapping[str, str]) -> dict[str, str]:
    """What a hub says of the file itself in a redirection, whose own length is none of the file's."""
    return {name: value for name, value in headers.items() if name.startswith("x-")}


def _described(hub: Hub, headers: Mapping[str, str], link: str) -> ResolvedFile:
    host = host_of(hub.endpoint)
    commit = headers.get("x-repo-commit", "")
    if not _COMMIT.fullmatch(commit):
        raise HubAnswerUnusable(host, "X-Repo-Commit", commit[:80] or "absent")
    etag = _bare(headers.get("x-linked-etag") or headers.get("etag", ""))
    if not digest_kind(etag):
        raise HubAnswerUnusable(host, "ETag", etag[:80] or "absent")
    size = headers.get("x-linked-size") or headers.get("content-length", "")
    if not _SIZE.fullmatch(size):
        raise HubAnswerUnusable(host, "the size", size[:80] or "absent")
    return ResolvedFile(commit, etag, int(size), link)


def _bare(etag: str) -> str:
    return etag.strip().removeprefix("W/").strip('"')
