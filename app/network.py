"""The way to the hub as this user's settings and environment say it, and where other programs keep what they fetched.

Owns the names of the variables; what they mean for a connection is the engine's.
"""

from collections.abc import Mapping
from pathlib import Path

from engine.transfer_reports import HUB, NetworkSettings

# As other clients of the hub read it; a setting of Ember's own goes before it.
ENDPOINT = "HF_ENDPOINT"
_OFFLINE = ("HF_HUB_OFFLINE", "EMBER_OFFLINE")
_CA_FILES = ("SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE")
_TRUE = ("1", "true", "yes", "on")


def network_settings(
    environ: Mapping[str, str], *, endpoint: str = "", is_offline: bool = False, proxy: str = "", ca_file: str = ""
) -> NetworkSettings:
    """The user's own choices, each where it is empty as the environment has it. Nothing is checked here."""
    return NetworkSettings(
        endpoint=endpoint or environ.get(ENDPOINT, "").strip() or HUB,
        is_offline=is_offline or any(environ.get(name, "").strip().lower() in _TRUE for name in _OFFLINE),
        proxy=proxy,
        http_proxy=_either(environ, "http_proxy") or _either(environ, "all_proxy"),
        https_proxy=_either(environ, "https_proxy") or _either(environ, "all_proxy"),
        no_proxy=_either(environ, "no_proxy"),
        ca_file=ca_file or next((value for name in _CA_FILES if Path(value := environ.get(name, "")).is_file()), ""),
    )


def hub_caches(environ: Mapping[str, str], home: Path) -> tuple[Path, ...]:
    """Where the hub's own library keeps models, if it was ever used here; folders that exist, each once."""
    named = [environ.get(name, "") for name in ("HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE")]
    hf_home = environ.get("HF_HOME", "")
    cache = Path(environ.get("XDG_CACHE_HOME", "") or home / ".cache")
    places = [Path(name) for name in named if name]
    places += [Path(hf_home) / "hub"] if hf_home else []
    places.append(cache / "huggingface" / "hub")
    return tuple(place for place in dict.fromkeys(places) if place.is_dir())


def _either(environ: Mapping[str, str], name: str) -> str:
    """Small letters go before capitals, as in other programs."""
    return (environ.get(name, "") or environ.get(name.upper(), "")).strip()
