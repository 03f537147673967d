"""A hub on the loopback device, with faults: what the transfer's tests talk to.

It answers as the real one does where that matters: large files by a redirection with a signed link to another origin,
whose validator is not the hub's; small ones by a redirection within the hub; refusals by `X-Error-Code`. A `Fault`
changes the answers it matches, as often as it says. Every request is kept in `requests`.
"""

import functools
import hashlib
import re
import socket
import threading
import time
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, unquote, urlsplit

from tests.hub.transfer.certificates import server_context

PIECE = 64 << 10
MAIN = "main"


@functools.lru_cache(maxsize=32)  # asked for at each request, as by a real hub, which knows it beforehand
def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


@functools.lru_cache(maxsize=32)
def git_sha1(data: bytes) -> str:
    return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def is_large(name: str) -> bool:
    """Whether a file is kept apart from the repository, as weights are."""
    return name.endswith((".safetensors", ".bin"))


def etag_of(name: str, data: bytes) -> str:
    return sha256(data) if is_large(name) else git_sha1(data)


@dataclass
class Repo:
    """A repository: its commits, the newest last, each a folder of files."""

    commits: dict[str, dict[str, bytes]]
    gated: bool = False
    private: bool = False
    readers: set[str] = field(default_factory=set)

    @property
    def newest(self) -> str:
        return list(self.commits)[-1]


@dataclass
class Fault:
    """What to do otherwise with requests of this method to this origin (`hub` or `cdn`), `times` times (-1: always)."""

    origin: str = "cdn"
    method: str = "GET"
    path: str = ""  # a pattern
    times: int = 1
    skip: int = 0
    status: int | None = None
    headers: dict[str, str] = field(default_factory=dict)  # beside those of the answer, or in their place
    without: tuple[str, ...] = ()  # headers to leave out
    cut_after: int | None = None  # bytes of the body
    hang_after: int | None = None  # bytes of the body; until the gate opens, or else the test ends
    gate: threading.Event | None = None
    first_byte_s: float = 0.0
    piece_s: float = 0.0  # a pause after each 64 KiB
    flip_at: int | None = None  # of the file: this byte comes out wrong
    ignore_range: bool = False


@dataclass
class Seen:
    """A request as it came, and how much body was sent in answer."""

    origin: str
    method: str
    path: str
    headers: dict[str, str]
    status: int = 0
    sent_bytes: int = 0

    @property
    def range(self) -> tuple[int, int] | None:
        """The bytes asked for, from one up to, not including, the other."""
        match = re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers.get("range", ""))
        return (int(match[1]), int(match[2]) + 1) if match else None


class FakeHub:
    """Two servers on free ports, of two origins: the hub, and where large files are.

    With `send_buffer` their system keeps no more bytes of an answer than that, so that what was sent has left.
    """

    def __init__(self, *, tls: bool = False, send_buffer: int | None = None) -> None:
        self._send_buffer = send_buffer
        self.repos: dict[str, Repo] = {}
        self.faults: list[Fault] = []
        self.requests: list[Seen] = []
        self.link_generation = 0
        self.cdn_epoch = 0
        self.lock = threading.Lock()
        self.ended = threading.Event()
        self._servers = {name: self._server(name) for name in ("hub", "cdn")}
        scheme = "http"
        if tls:
            scheme, context = "https", server_context()
            for server in self._servers.values():
                server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
        self.url, self.cdn_url = (f"{scheme}://127.0.0.1:{s.server_port}" for s in self._servers.values())

    def __enter__(self) -> "FakeHub":
        for server in self._servers.values():
            threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.ended.set()
        for server in self._servers.values():
            server.shutdown()
            server.server_close()

    def add(self, repo: str, files: dict[str, bytes], **facts) -> Repo:
        self.repos[repo] = Repo({"a" * 40: dict(files)}, **facts)
        return self.repos[repo]

    def answer_api(self, path: str, query: dict[str, list[str]], seen: "Seen") -> tuple[int, dict[str, str], bytes]:
        """Status, headers and body of a question about repositories; see tests/hub/hub_with_api.py."""
        return 404, {}, b""

    def expire_links(self) -> None:
        """Every signed link given so far is refused from now on."""
        self.link_generation += 1

    def seen(self, origin: str, method: str = "GET") -> list[Seen]:
        with self.lock:
            return [request for request in self.requests if (request.origin, request.method) == (origin, method)]

    def _server(self, origin: str) -> ThreadingHTTPServer:
        hub = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_: object) -> None:
                pass

            def do_GET(self) -> None:
                _Exchange(hub, origin, self).answer()

            do_HEAD = do_GET

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.daemon_threads = True
        if self._send_buffer is not None:
            server.socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, self._send_buffer)
        server.handle_error = lambda *_: None  # a client that goes away is what many tests do
        return server


class _Exchange:
    """One request and its answer."""

    def __init__(self, hub: FakeHub, origin: str, handler: BaseHTTPRequestHandler) -> None:
        self.hub, self.origin, self.handler = hub, origin, handler
        parts = urlsplit(handler.path)
        self.path, self.query = unquote(parts.path), parse_qs(parts.query)
        headers = {name.lower(): value for name, value in handler.headers.items()}
        self.seen = Seen(origin, handler.command, self.path, headers)
        self.fault = self._fault()

    def answer(self) -> None:
        with self.hub.lock:
            self.hub.requests.append(self.seen)
        if self.fault.first_byte_s:
            self.hub.ended.wait(self.fault.first_byte_s)
        if self.fault.status:
            self._send(self.fault.status, {})
        elif self.origin == "cdn":
            self._answer_cdn()
        elif match := re.fullmatch(r"/(api/resolve-cache/)?([^/]+/[^/]+)/resolve/([^/]+)/(.+)", self.path):
            self._resolve(*match.groups())
        elif self.path.startswith("/api/"):
            self._send(*self.hub.answer_api(self.path, self.query, self.seen))
        else:
            self._send(404, {})

    def _fault(self) -> Fault:
        with self.hub.lock:
            for fault in self.hub.faults:
                same = (fault.origin, fault.method) == (self.origin, self.handler.command)
                if same and fault.times and re.search(fault.path, self.path):
                    if fault.skip:
                        fault.skip -= 1
                        continue
                    fault.times -= 1
                    return fault
        return Fault(times=0)

    def _resolve(self, cached: str | None, name: str, revision: str, path: str) -> None:
        repo = self.hub.repos.get(name)
        token = self.seen.headers.get("authorization", "").removeprefix("Bearer ")
        if repo is None or (repo.private and token not in repo.readers):
            return self._send(404 if token else 401, {"X-Error-Code": "RepoNotFound"})
        if repo.gated and token not in repo.readers:
            return self._send(403 if token else 401, {"X-Error-Code": "GatedRepo"})
        commit = repo.newest if revision == MAIN else revision
        if commit not in repo.commits:
            return self._send(404, {"X-Error-Code": "RevisionNotFound"})
        data = repo.commits[commit].get(path)
        if data is None:
            return self._send(404, {"X-Error-Code": "EntryNotFound"})
        about = {"X-Repo-Commit": commit, "Accept-Ranges": "bytes"}
        if is_large(path):
            about |= {
                "X-Linked-Size": str(len(data)),
                "X-Linked-Etag": f'"{sha256(data)}"',
                "ETag": f'"{git_sha1(b"")}"',
            }
            query = f"generation={self.hub.link_generation}&signature=secret"
            return self._send(302, about | {"Location": f"{self.hub.cdn_url}/{name}/{commit}/{path}?{query}"})
        if cached is None:
            return self._send(307, about | {"Location": f"/api/resolve-cache/{name}/resolve/{commit}/{path}"})
        return self._body(data, about | {"ETag": f'"{git_sha1(data)}"'})

    def _answer_cdn(self) -> None:
        owner, name, commit, path = self.path.lstrip("/").split("/", 3)
        if self.query.get("generation") != [str(self.hub.link_generation)]:
            return self._send(403, {})
        data = self.hub.repos[f"{owner}/{name}"].commits[commit][path]
        return self._body(data, {"ETag": f'"cdn-{self.hub.cdn_epoch}-{sha256(data)[:16]}"', "Accept-Ranges": "bytes"})

    def _body(self, data: bytes, headers: dict[str, str]) -> None:
        start, end, status = 0, len(data), 200
        asked, validator = self.seen.range, self.seen.headers.get("if-range")
        if asked and not self.fault.ignore_range and validator in (None, headers["ETag"]):
            start, end, status = asked[0], min(asked[1], len(data)), 206
            if start >= len(data):
                return self._send(416, {"Content-Range": f"bytes */{len(data)}"})
            headers["Content-Range"] = f"bytes {start}-{end - 1}/{len(data)}"
        if self.fault.flip_at is not None and start <= self.fault.flip_at < end:
            at = self.fault.flip_at
            data = data[:at] + bytes([data[at] ^ 0xFF]) + data[at + 1 :]
        return self._send(status, headers, data[start:end])

    def _send(self, status: int, headers: dict[str, str], body: bytes = b"") -> None:
        self.seen.status = status
        headers = {"Content-Length": str(len(body)), "Date": self.handler.date_time_string(), **headers}
        headers |= self.fault.headers
        self.handler.send_response_only(status)
        for name, value in headers.items():
            if name not in self.fault.without:
                self.handler.send_header(name, value)
        self.handler.end_headers()
        if self.handler.command != "HEAD":
            self._send_body(memoryview(body))

    def _send_body(self, body: memoryview) -> None:
        if self.fault.hang_after is not None and self.fault.hang_after < len(body):
            self._send_until(body, self.fault.hang_after)
            while not (self.hub.ended.is_set() or (self.fault.gate and self.fault.gate.is_set())):
                self.hub.ended.wait(0.02)
        cut = self.fault.cut_after is not None and self.fault.cut_after < len(body)
        self._send_until(body, self.fault.cut_after if cut else len(body))
        if cut or self.hub.ended.is_set():
            self.handler.close_connection = True

    def _send_until(self, body: memoryview, last: int) -> None:
        while self.seen.sent_bytes < last and not self.hub.ended.is_set():
            piece = body[self.seen.sent_bytes : min(self.seen.sent_bytes + PIECE, last)]
            self.handler.wfile.write(piece)
            self.seen.sent_bytes += len(piece)
            if self.fault.piece_s:
                time.sleep(self.fault.piece_s)
