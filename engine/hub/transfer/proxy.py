"""Which proxy stands between here and an address: from one setting, or as the usual environment variables say it.

Owns the reading of proxy addresses and of the list of hosts that are reached without one. Passwords are never shown.
"""

import ipaddress
import re
from dataclasses import dataclass, field
from urllib.parse import unquote, urlsplit

from engine.errors import InvalidRequest
from engine.transfer_reports import NetworkSettings

SCHEMES = ("http", "https", "socks5", "socks5h")
NO_PROXY = "none"
_PORTS = {"http": 80, "https": 443, "socks5": 1080, "socks5h": 1080}
_WEB_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class Proxy:
    """A proxy by scheme, host and port; user and password are empty where it asks for none."""

    scheme: str
    host: str
    port: int
    user: str = field(default="", repr=False)
    password: str = field(default="", repr=False)

    @property
    def address(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{host}:{self.port}"


@dataclass(frozen=True, slots=True)
class ProxyRules:
    """A proxy for each scheme of the web, or None, and the hosts that are reached without."""

    http: Proxy | None = None
    https: Proxy | None = None
    bypassed: tuple[str, ...] = ()

    def proxy_for(self, scheme: str, host: str, port: int | None = None) -> Proxy | None:
        """The proxy on the way to a host, or None."""
        proxy = self.https if scheme == "https" else self.http
        if proxy is None or self._is_bypassed(host.lower().strip("[]"), port or _WEB_PORTS.get(scheme, 0)):
            return None
        return proxy

    def _is_bypassed(self, host: str, port: int) -> bool:
        return any(_matches(rule, host, port) for rule in self.bypassed)


def proxy_rules(settings: NetworkSettings) -> ProxyRules:
    """Raises InvalidRequest for an address that is no proxy's."""
    bypassed = tuple(rule for rule in re.split(r"[,\s]+", settings.no_proxy.lower()) if rule)
    if settings.proxy.strip().lower() == NO_PROXY:
        return ProxyRules()
    if settings.proxy.strip():
        chosen = parse_proxy(settings.proxy)
        return ProxyRules(chosen, chosen, bypassed)
    http, https = (parse_proxy(text) if text.strip() else None for text in (settings.http_proxy, settings.https_proxy))
    return ProxyRules(http, https, bypassed)


def parse_proxy(text: str) -> Proxy:
    """`scheme://user:password@host:port`; without a scheme it is http. Raises InvalidRequest without the password."""
    text = text.strip()
    try:
        parts = urlsplit(text if "://" in text else f"http://{text}")
        scheme, host, port = parts.scheme.lower(), parts.hostname or "", parts.port
    except ValueError:
        scheme, host, port = "", "", None
    if scheme == "socks":
        scheme = "socks5h"
    usable = scheme in SCHEMES and host and host.isascii() and host.isprintable() and " " not in host
    if not usable or parts.path not in ("", "/") or parts.query or parts.fragment:
        shown = text.rpartition("@")[2][:80]
        raise InvalidRequest("proxy", shown, ", ".join(f"{name}://host:port" for name in SCHEMES))
    return Proxy(scheme, host, port or _PORTS[scheme], unquote(parts.username or ""), unquote(parts.password or ""))


def _matches(rule: str, host: str, port: int) -> bool:
    """As usual clients read NO_PROXY: `*`, a host, a domain with all below it, an address, a network."""
    if rule == "*":
        return True
    name, colon, wanted_port = rule.rpartition(":")
    if colon and wanted_port.isdigit() and not name.count(":"):
        if int(wanted_port) != port:
            return False
        rule = name
    rule = rule.strip("[]").removeprefix("*").lstrip(".")
    if not rule:
        return False
    try:
        return ipaddress.ip_address(host) in ipaddress.ip_network(rule, strict=False)
    except ValueError:
        return host == rule or host.endswith("." + rule)
