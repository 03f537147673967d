"""From the output of a failed command to its cause and the next action, in one or two sentences."""

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Diagnosis:
    cause: str
    action: str


_KNOWN = (
    (
        r"No space left on device|Errno 28|ENOSPC|not enough space on the disk|enough free space",
        "The disk is full.",
        "Free some space, then run this again: it goes on from here.",
    ),
    (
        r"ensurepip is not\s+available|No module named ensurepip|No module named '?venv",
        "This Python comes without the parts that make virtual environments.",
        "On Debian and Ubuntu: `sudo apt-get install -y {python}-venv`; then run this again.",
    ),
    (
        r"CERTIFICATE_VERIFY_FAILED|SSLError|SSLCertVerificationError|certificate verify failed",
        "The package registry's certificate was not accepted.",
        "Behind a company proxy, point pip at its certificate: `pip config set global.cert /path/to/ca.pem`.",
    ),
    (
        r"407 Proxy Authentication|ProxyError|Cannot connect to proxy",
        "The proxy refused the connection.",
        "Set HTTPS_PROXY to the proxy's address, with user and password where it asks for them.",
    ),
    (
        r"(?:HTTP error|Client Error|status code|response code)\D{0,20}(?:401|403|404|429|5\d\d)"
        r"|\b(?:401|403|429|5\d\d) (?:Client|Server) Error|^E: .*(?:403|404)\s+(?:Forbidden|Not Found)",
        "The package registry refused the request.",
        "Check the registry that `pip config list` names, or try again later.",
    ),
    (
        r"name resolution|Name or service not known|nodename nor servname|getaddrinfo failed|Network is unreachable"
        r"|Connection refused|NewConnectionError|ConnectTimeout|ReadTimeout|Read timed out|No route to host"
        r"|Connection (?:reset|aborted)|Temporary failure resolving|Could not resolve|Failed to establish",
        "The package registry cannot be reached: no network, or a firewall in between.",
        "Connect and run this again; what was fetched so far is kept.",
    ),
    (
        r"DO NOT MATCH THE HASHES|BadZipFile|File is not a zip file|has an invalid wheel|IncompleteRead|EOF occurred",
        "A downloaded file arrived damaged.",
        "Run this again; if it recurs, empty pip's store with `pip cache purge` first.",
    ),
    (
        r"Could not get lock|dpkg frontend lock|is another process using it",
        "Another package manager is at work on this machine.",
        "Wait until it has finished, then run this again.",
    ),
    (
        r"Permission denied|Errno 13|Access is denied|Read-only file system|Errno 30",
        "A file or folder could not be written.",
        "Run this as the owner of Ember's folder; on Windows, close programs that use it.",
    ),
    (
        r"No matching distribution found for (?P<what>[^\s(]+)|Unable to locate package (?P<deb>\S+)"
        r"|Cannot install (?P<pin>\S+) because these package versions",
        "The package registry has no {what} for this Python and system.",
        # PySide6's wheels set the bounds: manylinux_2_34_x86_64, manylinux_2_39_aarch64, macosx_13_0
        "Ember needs 64-bit Windows 10, macOS 13, or Linux with glibc 2.34 (Ubuntu 22.04, Debian 12), on ARM 2.39.",
    ),
    (
        r"MemoryError|Cannot allocate memory|Errno 12",
        "The machine ran out of memory.",
        "Close other programs, then run this again.",
    ),
)


def diagnose(output: str, *, return_code: int = 1, python: str = "python3") -> Diagnosis:
    """The first cause in order of how telling it is: a full disk also breaks connections, not the other way round."""
    if return_code in (-9, 137):
        return Diagnosis(
            "The command was killed, most often because memory ran out.", "Close other programs, then run this again."
        )
    for pattern, cause, action in _KNOWN:
        found = re.search(pattern, output, re.MULTILINE)
        if found:
            what = next((value for value in found.groupdict().values() if value), "")
            return Diagnosis(cause.format(what=what), action.format(python=python))
    return Diagnosis(f"The command ended with code {return_code}.", "The last lines above say why.")
