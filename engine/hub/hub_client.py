"""huggingface_hub on our own line: its client, the token, and what its errors mean.

That library knows the hub's addresses, its pages of results and its errors, and opens no socket here: its HTTP client
is given a transport that makes each request on a `Line`. So the offline switch, the certificates and the one place from
which sockets are opened are those of a download. The token is added where a request leaves, for the hub's own origin;
requests to any other origin are refused, wherever an answer points. Nothing that the library keeps on this machine is
read: no token, no cache.
"""

import contextlib
import os
import re
import threading
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import httpx2

from engine.errors import (
    EngineError,
    HubAccessDenied,
    HubAnswerUnusable,
    HubBusy,
    LicenceNotAccepted,
    NotOnHub,
)
from engine.hub.transfer.line import Line
from engine.hub.transfer.resolving import AskedToWait, Hub, check_later, host_of, origin_of, without_secrets

if TYPE_CHECKING:
    from huggingface_hub import HfApi
    from huggingface_hub.errors import HfHubHTTPError

# Read by huggingface_hub when it is imported: no downloads of its own, nothing told of the user, no token from files.
SETTINGS = {
    "HF_HUB_DISABLE_XET": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "DO_NOT_TRACK": "1",
    "HF_HUB_DISABLE_UPDATE_CHECK": "1",
    "HF_HUB_DISABLE_IMPLICIT_TOKEN": "1",
    "HF_HUB_DISABLE_PROGRESS_BARS": "1",
}
MAX_ANSWER_BYTES = 32 << 20
MAX_REQUESTS = 100  # for one question; a listing of 20,000 files takes twenty
_SWIFT_REQUESTS, _PAUSE_S = 30, 0.1

_LONGEST_TEXT = 300
_CHECK_S = 0.05
# What the library raises on an answer of another form than it expects.
_FORM_ERRORS = (
    httpx2.HTTPError, httpx2.InvalidURL, ValueError, TypeError, LookupError, AttributeError, ArithmeticError,
    RecursionError,
)  # fmt: skip
# The library has one client for the whole process.
_one_at_a_time = threading.Lock()


@contextlib.contextmanager
def asking(
    line: Line, hub: Hub, repo: str, revision: str, check: Callable[[], None] = lambda: None
) -> Iterator["HfApi"]:
    """The library's interface to this hub, for questions about `repo` (for the errors' sake; may be empty).

    Raises, in place of the library's errors, NotOnHub, LicenceNotAccepted, HubAccessDenied, HubBusy, HubAnswerUnusable,
    and what `Line` raises. One question at a time in a process: others wait, and call `check` meanwhile, which raises
    to end the wait.
    """
    for name, value in SETTINGS.items():
        os.environ[name] = value
    from huggingface_hub import HfApi, set_client_factory
    from huggingface_hub.errors import HfHubHTTPError

    with _turn(check):
        set_client_factory(lambda: _client(LineTransport(line, hub, check)))
        try:
            yield HfApi(endpoint=hub.endpoint.rstrip("/"), token=False)
        except HfHubHTTPError as error:
            raise _refusal(hub, repo, revision, error) from error
        except _FORM_ERRORS as error:
            raise HubAnswerUnusable(host_of(hub.endpoint), "the answer", shown(f"{error}")) from error
        finally:
            set_client_factory(lambda: _client(ClosedTransport()))


@contextlib.contextmanager
def _turn(check: Callable[[], None]) -> Iterator[None]:
    while not _one_at_a_time.acquire(timeout=_CHECK_S):
        check()
    try:
        yield
    finally:
        _one_at_a_time.release()


class LineTransport(httpx2.BaseTransport):
    """Requests of the library on a line, to the hub's own origin, with its token.

    A question may take several requests, such as the pages of a listing: so many and no more, and the later ones not
    in haste, whatever an answer says comes next. What the hub asked to be left alone with is not asked before its time.
    """

    def __init__(self, line: Line, hub: Hub, check: Callable[[], None] = lambda: None) -> None:
        self._line = line
        self._hub = hub
        self._check = check
        self._n_requests = 0

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """Raises HubBusy, HubAnswerUnusable, and what `Line` raises; the library lets them pass."""
        url = str(request.url)
        host = host_of(url)
        if request.method not in ("GET", "HEAD") or not self._hub.owns(url):
            raise HubAnswerUnusable(host_of(self._hub.endpoint), "the address", without_secrets(url))
        self._count()
        self._line.check_hold(origin_of(url), request.url.path)
        headers = {"Accept": "application/json", **self._hub.headers_for(url)}
        with self._line.request(request.method, url, headers) as answer:
            try:
                check_later(host, answer.status, answer.headers)
            except AskedToWait as waiting:  # the library would wait on this thread, deaf to a cancellation
                if waiting.wait_s:
                    self._line.hold(origin_of(url), request.url.path, answer.status, waiting.wait_s)
                raise waiting.error from waiting
            if answer.headers.get("content-encoding", "identity") != "identity":
                raise HubAnswerUnusable(host, "the encoding", shown(answer.headers["content-encoding"]))
            body = bytearray()
            for piece in answer.body:
                body += piece
                if len(body) > MAX_ANSWER_BYTES:
                    raise HubAnswerUnusable(host, "the length", f"more than {MAX_ANSWER_BYTES} bytes")
            known = {name: value for name, value in answer.headers.items() if name != "transfer-encoding"}
            return httpx2.Response(answer.status, headers=known, content=bytes(body), request=request)

    def _count(self) -> None:
        self._n_requests += 1
        if self._n_requests > MAX_REQUESTS:
            found = f"more than {MAX_REQUESTS}"
            raise HubAnswerUnusable(host_of(self._hub.endpoint), "the number of pages", found)
        if self._n_requests > _SWIFT_REQUESTS:
            self._check()
            time.sleep(_PAUSE_S)


class ClosedTransport(httpx2.BaseTransport):
    """What the library has between questions: nothing of it may reach the network by itself."""

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        raise httpx2.ConnectError("no question is being asked", request=request)


def shown(text: str) -> str:
    """Text of a stranger, fit to be shown: one line, without controls, of bounded length."""
    return re.sub(r"\s+", " ", "".join(c if c.isprintable() else " " for c in text[:_LONGEST_TEXT])).strip()


def _client(transport: httpx2.BaseTransport) -> httpx2.Client:
    return httpx2.Client(transport=transport, follow_redirects=True, trust_env=False, timeout=None)


def _refusal(hub: Hub, repo: str, revision: str, error: "HfHubHTTPError") -> EngineError:
    from huggingface_hub.errors import GatedRepoError, RepositoryNotFoundError, RevisionNotFoundError

    host, status = host_of(hub.endpoint), error.response.status_code
    if isinstance(error, GatedRepoError):
        return LicenceNotAccepted(repo, hub.page(repo))
    if isinstance(error, (RepositoryNotFoundError, RevisionNotFoundError)) or status in (404, 410):
        return NotOnHub(repo, revision, "")
    if status in (401, 403):
        return HubAccessDenied(repo, status, shown(error.server_message or "") or "no reason given")
    if status in (408, 425, 429) or status >= 500:
        return HubBusy(host, status)
    return HubAnswerUnusable(host, "the status", str(status))
