"""Connections to the outside: the only sockets the engine opens, the switch that forbids them, and how they are cut.

A `Line` serves one thread, which makes one request after another on it; connections stay open between them. Another
thread may ask how long the line has waited for the network, and may cut it, which ends a blocked read at once. The
library beneath is httpcore2 over a backend of our own; certificates are checked against the system's store and, where
the user names one, against a company's own authority. A `Trial` takes the same way step by step, to find the fault.
"""

import contextlib
import math
import ssl
import sys
import threading
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from socket import IPPROTO_TCP, SHUT_RDWR, SOCK_STREAM, getaddrinfo, socket

import httpcore2
import truststore
from socksio.exceptions import SOCKSError

from engine.errors import FileMissing, HubBusy, HubUnreachable, InvalidRequest, NetworkSwitchedOff, TransferStalled
from engine.hub.transfer.backoff import LONGEST_ASKED_S
from engine.hub.transfer.progress import Clock
from engine.hub.transfer.proxy import Proxy, ProxyRules

CONNECT_TIMEOUT_S = 10.0
WRITE_TIMEOUT_S = 30.0
READ_TIMEOUT_S = 90.0  # a net under the watchdog of `Transfer`, which cuts a silent line much earlier
KEEP_OPEN_S = 30.0
READ_BYTES = 512 << 10  # at most at once: each piece costs the same time again, and what is in hand a kill costs
# What may be on the way of one connection, or in the system's hands. Left alone some systems let that grow to 32 MB,
# which a kill costs; so much is still a gigabit a second over eight connections when the hub is 80 ms away.
_WINDOW_BYTES = 5 << 18
_WINDOW: tuple[tuple[int, int, int], ...] = ()
if sys.platform == "linux":
    from socket import TCP_WINDOW_CLAMP

    _WINDOW = ((IPPROTO_TCP, TCP_WINDOW_CLAMP, _WINDOW_BYTES),)
_PROXY_WANTS_A_USER = 407
_TOO_MANY_REQUESTS = 429

Origin = tuple[str, str, int]  # scheme, host, port


class Network:
    """The switch and the way: while the switch is off no socket is opened and the open ones are cut.

    Safe to use from several threads.
    """

    def __init__(
        self, *, offline: bool = False, tls: ssl.SSLContext | None = None, proxies: ProxyRules | None = None
    ) -> None:
        self._lock = threading.Lock()
        self._offline = offline
        self._tls = tls
        self._proxies = proxies or ProxyRules()
        self._way = 0
        self._held: dict[tuple[Origin, str], float] = {}
        self._lines: set[Line] = set()

    @property
    def is_offline(self) -> bool:
        return self._offline

    @property
    def way(self) -> int:
        """Another number after each change of proxy or certificates: connections of the former are not used again."""
        return self._way

    def switch(self, *, offline: bool) -> None:
        with self._lock:
            self._offline = offline
            cut = list(self._lines) if offline else []
        for line in cut:
            line.cut()

    def reroute(self, proxies: ProxyRules, ca_file: str = "") -> None:
        """Take another way from now on; what is under way is cut, and goes on by the new one.

        Raises FileMissing and InvalidRequest for certificates that cannot be read, and changes nothing then.
        """
        tls = trusting(ca_file) if ca_file else None
        with self._lock:
            self._proxies, self._tls, self._way = proxies, tls, self._way + 1
            cut = list(self._lines)
        for line in cut:
            line.cut()

    def check(self, host: str) -> None:
        """Raises NetworkSwitchedOff."""
        if self._offline:
            raise NetworkSwitchedOff(host)

    def hold(self, origin: Origin, path: str, until: float) -> None:
        """Ask nothing of this path of a server before that time; of all its paths where this one is empty."""
        with self._lock:
            self._held[origin, path] = until

    def forget_holds(self) -> None:
        """Somebody wants to be answered now, whatever a server has asked for."""
        with self._lock:
            self._held.clear()

    def held_s(self, origin: Origin, path: str, now: float) -> float:
        """How long a path of a server is still to be left alone; 0 where it may be asked."""
        with self._lock:
            self._held = {key: until for key, until in self._held.items() if now < until <= now + LONGEST_ASKED_S}
            return max(0.0, *(self._held.get(key, now) - now for key in ((origin, path), (origin, ""))))

    def proxy_for(self, url: httpcore2.URL) -> Proxy | None:
        return self._proxies.proxy_for(url.scheme.decode("ascii", "replace"), _host(url), url.port)

    def tls(self) -> ssl.SSLContext:
        """Made once, when the first line asks for it."""
        with self._lock:
            if self._tls is None:
                self._tls = truststore.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
            return self._tls

    @contextlib.contextmanager
    def line(self, clock: Clock) -> Iterator["Line"]:
        """A line that is cut when the switch is turned off, and closed at the end."""
        line = Line(self, clock)
        with self._lock:
            self._lines.add(line)
        try:
            yield line
        finally:
            with self._lock:
                self._lines.discard(line)
            line.close()


def trusting(ca_file: str) -> ssl.SSLContext:
    """The system's certificates and those of a file in PEM. Raises FileMissing and InvalidRequest."""
    context = truststore.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    try:
        Path(ca_file).open("rb").close()
        context.load_verify_locations(cafile=ca_file)
    except ssl.SSLError as error:
        raise InvalidRequest("ca_file", ca_file, "a file of certificates in PEM") from error
    except OSError as error:
        raise FileMissing(ca_file, error.strerror or str(error)) from error
    return context


@dataclass(frozen=True, slots=True)
class Answer:
    """Status, headers by lower-case name (of a repeated one the first), and the body in pieces of up to READ_BYTES."""

    status: int
    headers: Mapping[str, str]
    body: Iterator[bytes]


class Line:
    """One thread's way to the outside. `waiting_s` and `cut` are for other threads."""

    def __init__(self, network: Network, clock: Clock) -> None:
        self._network = network
        self._clock = clock
        self._waiting_since: float | None = None
        self._silent_s: float | None = None
        self._sockets: set[socket] = set()
        self._pools: dict[tuple[int, Proxy | None], httpcore2.ConnectionPool] = {}

    @contextlib.contextmanager
    def request(self, method: str, url: str, headers: Mapping[str, str]) -> Iterator[Answer]:
        """Send a request and read its answer inside the `with` block; redirections are the caller's to follow.

        Raises NetworkSwitchedOff, HubUnreachable for whatever goes wrong on the way, and TransferStalled where the line
        was cut for its silence.
        """
        address = httpcore2.URL(url)
        host = _host(address)
        self._network.check(host)
        self._silent_s = None
        proxy = self._network.proxy_for(address)
        timeouts = {"connect": CONNECT_TIMEOUT_S, "read": READ_TIMEOUT_S, "write": WRITE_TIMEOUT_S, "pool": 0.0}
        try:
            with self._pool(proxy).stream(
                method, address, headers=list(headers.items()), extensions={"timeout": timeouts}
            ) as response:
                found = {
                    name.decode("latin-1").lower(): value.decode("latin-1")
                    for name, value in reversed(response.headers)
                }
                if proxy is not None and response.status == _PROXY_WANTS_A_USER:
                    raise httpcore2.ProxyError("it wants another user or password")
                yield Answer(response.status, found, response.iter_stream())
        except (httpcore2.ProxyError, SOCKSError) as error:
            self.close()  # a connection that a proxy refused is left open by the library
            raise HubUnreachable(host, f"the proxy {proxy.host if proxy else ''} refused: {error}") from error
        except (httpcore2.NetworkError, httpcore2.TimeoutException, httpcore2.ProtocolError) as error:
            self._network.check(host)
            if self._silent_s is not None:
                raise TransferStalled(host, round(self._silent_s)) from error
            via = f" (by the proxy {proxy.host})" if proxy else ""
            raise HubUnreachable(host, (str(error) or type(error).__name__) + via) from error

    def hold(self, origin: Origin, path: str, status: int, wait_s: float) -> None:
        """A server asked to be left alone for a while: where it limits all requests, with everything."""
        self._network.hold(origin, "" if status == _TOO_MANY_REQUESTS else path, self._clock() + wait_s)

    def check_hold(self, origin: Origin, path: str) -> None:
        """Raises HubBusy with the rest of the time for which a server asked to be left alone."""
        left_s = self._network.held_s(origin, path, self._clock())
        if left_s > 0:
            raise HubBusy(origin[1], _TOO_MANY_REQUESTS, math.ceil(left_s))

    def waiting_s(self) -> float | None:
        """Seconds since this line began to wait for the network, or None while it does not."""
        since = self._waiting_since
        return None if since is None else self._clock() - since

    def cut(self, silent_s: float | None = None) -> None:
        """End what is being read or written; with `silent_s`, for having been silent that long."""
        self._silent_s = silent_s
        for open_socket in tuple(self._sockets):
            with contextlib.suppress(OSError):  # it has just been closed, or never got connected
                socket.shutdown(open_socket, SHUT_RDWR)  # not SSLSocket's, which forgets its session under the reader

    def close(self) -> None:
        """Close what is open; the line may be used again."""
        for pool in self._pools.values():
            pool.close()
        self._pools.clear()
        for left in tuple(self._sockets):
            left.close()
        self._sockets.clear()

    def _pool(self, proxy: Proxy | None) -> httpcore2.ConnectionPool:
        key = (self._network.way, proxy)
        if key not in self._pools:
            self._pools[key] = httpcore2.ConnectionPool(
                ssl_context=self._network.tls(),
                proxy=_as_the_library_has_it(proxy, self._network) if proxy else None,
                max_connections=4,
                keepalive_expiry=KEEP_OPEN_S,
                network_backend=_Backend(self._network, self),
            )
        return self._pools[key]

    def _opened(self, stream: httpcore2.NetworkStream) -> socket:
        opened: socket = stream.get_extra_info("socket")
        self._sockets.add(opened)
        return opened

    def _closed(self, closed: socket) -> None:
        self._sockets.discard(closed)

    @contextlib.contextmanager
    def _waiting(self) -> Iterator[None]:
        self._waiting_since = self._clock()
        try:
            yield
        finally:
            self._waiting_since = None


class Trial:
    """The beginning of a connection, one step at a time; each raises HubUnreachable or NetworkSwitchedOff.

    With a proxy on the way to `url` the steps are those of the connection to the proxy, and it alone knows the rest.
    """

    def __init__(self, network: Network, url: str) -> None:
        address = httpcore2.URL(url)
        self._network = network
        self.proxy = network.proxy_for(address)
        self.host = self.proxy.host if self.proxy else _host(address)
        scheme = self.proxy.scheme if self.proxy else address.scheme.decode("ascii", "replace")
        self.is_encrypted = scheme == "https"
        self.port = self.proxy.port if self.proxy else address.port or (443 if self.is_encrypted else 80)
        self._stream: httpcore2.NetworkStream | None = None

    def look_up(self) -> tuple[str, ...]:
        """The addresses of the host's name."""
        self._network.check(self.host)
        try:
            found = getaddrinfo(self.host, self.port, type=SOCK_STREAM)
        except (OSError, UnicodeError) as error:
            raise HubUnreachable(self.host, getattr(error, "strerror", None) or str(error)) from error
        return tuple(sorted({str(address[0]) for *_, address in found}))

    def connect(self) -> None:
        self._network.check(self.host)
        with self._errors():
            self._stream = httpcore2.SyncBackend().connect_tcp(self.host, self.port, CONNECT_TIMEOUT_S)

    def encrypt(self) -> None:
        """To be called once connected."""
        self._network.check(self.host)
        with self._errors():
            if self._stream is not None:
                self._stream = self._stream.start_tls(self._network.tls(), self.host, CONNECT_TIMEOUT_S)

    def close(self) -> None:
        if self._stream is not None:
            self._stream.close()

    @contextlib.contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except (httpcore2.NetworkError, httpcore2.TimeoutException) as error:
            raise HubUnreachable(self.host, str(error) or type(error).__name__) from error


def _host(url: httpcore2.URL) -> str:
    return url.host.decode("ascii", "replace")


def _as_the_library_has_it(proxy: Proxy, network: Network) -> httpcore2.Proxy:
    auth = (proxy.user.encode(), proxy.password.encode()) if proxy.user or proxy.password else None
    return httpcore2.Proxy(proxy.address, auth=auth, ssl_context=network.tls() if proxy.scheme == "https" else None)


class _Backend(httpcore2.NetworkBackend):
    """Opens sockets for one line, where the switch lets it."""

    def __init__(self, network: Network, line: Line) -> None:
        self._network = network
        self._line = line
        self._system = httpcore2.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.NetworkStream:
        self._network.check(host)
        with self._line._waiting():
            stream = self._system.connect_tcp(host, port, timeout, local_address, (*(socket_options or ()), *_WINDOW))
        watched = _WatchedStream(stream, self._line)
        if self._network.is_offline:  # switched off meanwhile, when this socket could not be cut yet
            watched.close()
            raise NetworkSwitchedOff(host)
        return watched


class _WatchedStream(httpcore2.NetworkStream):
    """A stream whose line knows when it waits."""

    def __init__(self, stream: httpcore2.NetworkStream, line: Line) -> None:
        self._stream = stream
        self._line = line
        self._socket = line._opened(stream)

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        """What has come, in one piece: more than was asked for, and with encryption many records of 16 KiB."""
        data = self._read(max(max_bytes, READ_BYTES), timeout)
        pieces, left = [data], READ_BYTES - len(data)
        while left > 0 and data and self._has_more():
            try:
                data = self._read(left, timeout)
            except (httpcore2.NetworkError, httpcore2.TimeoutException):
                break  # the next one to read meets it again; what came before it is not lost
            pieces.append(data)
            left -= len(data)
        return b"".join(pieces) if len(pieces) > 1 else pieces[0]

    def _read(self, max_bytes: int, timeout: float | None) -> bytes:
        with self._line._waiting():
            return self._stream.read(max_bytes, timeout)

    def _has_more(self) -> bool:
        """Whether another read would not wait; of an encrypted record that has only begun to come it would."""
        return bool(self._stream.get_extra_info("is_readable"))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        with self._line._waiting():
            self._stream.write(buffer, timeout)

    def close(self) -> None:
        self._line._closed(self._socket)
        self._stream.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.NetworkStream:
        self._line._closed(self._socket)  # TLS takes the socket over under another object
        with self._line._waiting():
            stream = self._stream.start_tls(ssl_context, server_hostname, timeout)
        return _WatchedStream(stream, self._line)

    def get_extra_info(self, info: str) -> object:
        return self._stream.get_extra_info(info)
