"""The way to the hub as the user set it: endpoint, token, proxy, certificates, the offline switch; and a test of it.

Owns which token goes with which endpoint, and the steps that find what stands in the way. Opens no socket itself: that
is `transfer/line.py`'s alone.
"""

import contextlib
import threading
import time
from collections.abc import Callable, Iterator

from engine.errors import EngineError, HubAccessDenied, HubAnswerUnusable
from engine.hub.token_store import TokenStore
from engine.hub.transfer.line import Line, Network, Trial, trusting
from engine.hub.transfer.proxy import proxy_rules
from engine.hub.transfer.resolving import AskedToWait, Hub, LinkRefused, check_later, host_of, open_link, resolve
from engine.transfer_reports import HUB, ConnectionStep, NetworkSettings

_MAX_SHOWN = 80


class Access:
    """Settings, token and network together. Safe to use from several threads."""

    def __init__(self, tokens: TokenStore, network: Network | None = None) -> None:
        self.tokens = tokens
        self.network = network or Network()
        self._lock = threading.Lock()
        self._settings = NetworkSettings()

    @property
    def settings(self) -> NetworkSettings:
        return self._settings

    def use(self, settings: NetworkSettings) -> None:
        """Take another way from now on.

        Raises InvalidRequest and FileMissing where it cannot be, and goes on by the former way then.
        """
        Hub(settings.endpoint)
        rules = proxy_rules(settings)
        if settings.ca_file:
            trusting(settings.ca_file)
        with self._lock:
            before, self._settings = self._settings, settings
        self.network.switch(offline=settings.is_offline)
        if (rules, settings.ca_file) != (proxy_rules(before), before.ca_file):
            self.network.reroute(rules, settings.ca_file)

    def hub(self) -> Hub:
        """The hub to ask, with the token that was entered for it and no other."""
        endpoint = self._settings.endpoint
        return Hub(endpoint, self.tokens.read(endpoint))

    def is_mirror(self) -> bool:
        return self._settings.endpoint.rstrip("/") != HUB


def try_connection(
    access: Access, repo: str, path: str, clock: Callable[[], float] = time.monotonic
) -> Iterator[ConnectionStep]:
    """Each step as it ends; the first that fails is the last, since the others stand on it."""
    hub = access.hub()
    with contextlib.closing(Trial(access.network, hub.endpoint)) as trial:
        via = f" (proxy {trial.proxy.address})" if trial.proxy else ""

        def name() -> str:
            return ", ".join(trial.look_up()) + via

        def connect() -> str:
            trial.connect()
            return f"{trial.host}:{trial.port}{via}"

        def encryption() -> str:
            trial.encrypt()
            return trial.host

        yield (step := _tried("name", name, clock))
        if step.state == "failed":
            return
        yield (step := _tried("connect", connect, clock))
        if step.state == "failed":
            return
        if not trial.is_encrypted:
            detail = "inside the proxy's connection" if trial.proxy else "an address without encryption"
            yield ConnectionStep("encryption", "skipped", detail)
        else:
            yield (step := _tried("encryption", encryption, clock))
            if step.state == "failed":
                return
    with access.network.line(clock) as line:
        yield (step := _tried("hub", lambda: _ask_hub(line, hub), clock))
        if step.state == "failed":
            return
        if not hub.token:
            yield ConnectionStep("token", "skipped", "no token is kept for this hub")
        else:
            yield (step := _tried("token", lambda: _ask_whose(line, hub), clock))
            if step.state == "failed":
                return
        yield _tried("file", lambda: _read_range(line, hub, repo, path), clock)


def _tried(step: str, attempt: Callable[[], str], clock: Callable[[], float]) -> ConnectionStep:
    started = clock()
    detail, error = "", None
    try:
        detail = attempt()
    except AskedToWait as asked:
        error = asked.error.report()
    except LinkRefused as refused:
        error = HubAnswerUnusable(refused.host, "the status", str(refused.status)).report()
    except EngineError as found:
        error = found.report()
    took_s = clock() - started
    return ConnectionStep(step, "failed" if error else "passed", detail[: 4 * _MAX_SHOWN], took_s, error)


def _ask_hub(line: Line, hub: Hub) -> str:
    """Any answer of a server that speaks the hub's language: a listing of one model."""
    url = f"{hub.endpoint.rstrip('/')}/api/models?limit=1"
    with line.request("GET", url, hub.headers_for(url)) as answer:
        check_later(host_of(hub.endpoint), answer.status, answer.headers)
        kind = answer.headers.get("content-type", "")
        if answer.status >= 400:
            raise HubAnswerUnusable(host_of(hub.endpoint), "the status", str(answer.status))
        if "json" not in kind:  # what a network that wants a sign-in answers for every address
            raise HubAnswerUnusable(host_of(hub.endpoint), "the kind of answer", kind[:_MAX_SHOWN] or "absent")
        return f"status {answer.status}"


def _ask_whose(line: Line, hub: Hub) -> str:
    url = f"{hub.endpoint.rstrip('/')}/api/whoami-v2"
    with line.request("GET", url, hub.headers_for(url)) as answer:
        check_later(host_of(hub.endpoint), answer.status, answer.headers)
        if answer.status in (401, 403):
            raise HubAccessDenied("your account", answer.status, "the token is not valid")
        if answer.status != 200:
            raise HubAnswerUnusable(host_of(hub.endpoint), "the status", str(answer.status))
    return "accepted"


def _read_range(line: Line, hub: Hub, repo: str, path: str) -> str:
    """The first bytes of a file, from wherever the hub sends us."""
    found = resolve(line, hub, repo, "main", path)
    last = min(found.size_bytes, 1024) - 1
    with open_link(line, hub, found.link, {"Range": f"bytes=0-{last}"}) as (answer, _):
        if answer.status in (401, 403, 404, 410):
            raise LinkRefused(host_of(found.link), answer.status)
        if answer.status not in (200, 206):
            raise HubAnswerUnusable(host_of(found.link), "the status", str(answer.status))
        n_bytes = len(next(answer.body, b""))
    return f"{n_bytes} bytes from {host_of(found.link)}" + ("" if answer.status == 206 else ", without ranges")
