"""Proxies on the loopback device: HTTP, with CONNECT and whole addresses, and SOCKS 5. Each keeps what it was asked."""

import base64
import contextlib
import re
import socket
import socketserver
import struct
import threading
from types import TracebackType
from typing import Self

PIECE = 64 << 10


class FakeProxy:
    """Threads on a free port; `asked` are hosts with ports as they came, `seen` the headers they came with."""

    scheme = "http"

    def __init__(self, *, user: str = "", password: str = "") -> None:
        self.asked: list[str] = []
        self.seen: list[bytes] = []
        self.user, self.password = user, password
        self._open: set[socket.socket] = set()
        proxy = self

        class Handler(socketserver.BaseRequestHandler):
            def handle(self) -> None:
                proxy._open.add(self.request)
                with contextlib.suppress(OSError):
                    proxy.serve(self.request)

        self._server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True

    @property
    def port(self) -> int:
        return int(self._server.server_address[1])

    @property
    def url(self) -> str:
        user = f"{self.user}:{self.password}@" if self.user else ""
        return f"{self.scheme}://{user}127.0.0.1:{self.port}"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._server.shutdown()
        for connection in self._open:
            connection.close()
        self._server.server_close()

    def serve(self, client: socket.socket) -> None:
        """HTTP: a tunnel, or one request to a whole address, after which the connection is the server's."""
        head = _until(client, b"\r\n\r\n")
        self.seen.append(head)
        expected = base64.b64encode(f"{self.user}:{self.password}".encode())
        if self.user and b"Basic " + expected not in head:
            client.sendall(b"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n")
            return
        tunnel = re.match(rb"CONNECT ([^: ]+):(\d+) ", head)
        if tunnel:
            with self._to(tunnel[1].decode(), int(tunnel[2])) as server:
                client.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
                _relay(client, server)
            return
        whole = re.match(rb"([A-Z]+) http://([^:/ ]+):(\d+)(/\S*) ", head)
        if whole:
            with self._to(whole[2].decode(), int(whole[3])) as server:
                server.sendall(head.replace(whole[0], whole[1] + b" " + whole[4] + b" ", 1))
                _relay(client, server)

    def _to(self, host: str, port: int) -> socket.socket:
        self.asked.append(f"{host}:{port}")
        server = socket.create_connection(("127.0.0.1", port), 10)
        self._open.add(server)
        return server


class FakeSocksProxy(FakeProxy):
    scheme = "socks5h"

    def serve(self, client: socket.socket) -> None:
        """RFC 1928, with the names of hosts resolved here, and RFC 1929 where a user is set."""
        methods = _exactly(client, _exactly(client, 2)[1])
        wanted = 2 if self.user else 0
        if wanted not in methods:
            client.sendall(b"\x05\xff")
            return
        client.sendall(bytes((5, wanted)))
        if self.user:
            user = _exactly(client, _exactly(client, 2)[1])
            password = _exactly(client, _exactly(client, 1)[0])
            if (user.decode(), password.decode()) != (self.user, self.password):
                client.sendall(b"\x01\x01")
                return
            client.sendall(b"\x01\x00")
        kind = _exactly(client, 4)[3]
        host = socket.inet_ntoa(_exactly(client, 4)) if kind == 1 else _exactly(client, _exactly(client, 1)[0]).decode()
        (port,) = struct.unpack(">H", _exactly(client, 2))
        with self._to(host, port) as server:
            client.sendall(b"\x05\x00\x00\x01\x00\x00\x00\x00\x00\x00")
            _relay(client, server)


def _until(client: socket.socket, end: bytes) -> bytes:
    data = b""
    while not data.endswith(end):
        piece = client.recv(1)
        if not piece:
            raise ConnectionError
        data += piece
    return data


def _exactly(client: socket.socket, count: int) -> bytes:
    data = b""
    while len(data) < count:
        piece = client.recv(count - len(data))
        if not piece:
            raise ConnectionError
        data += piece
    return data


def _relay(one: socket.socket, other: socket.socket) -> None:
    back = threading.Thread(target=_pump, args=(other, one), daemon=True)
    back.start()
    _pump(one, other)
    back.join()


def _pump(source: socket.socket, target: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while data := source.recv(PIECE):
            target.sendall(data)
    with contextlib.suppress(OSError):
        target.shutdown(socket.SHUT_WR)
