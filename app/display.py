"""Whether there is a screen to open a window on.

Qt ends the whole process when the display it is told of does not answer, so it is asked first: a variable left over
from a session that is gone must lead to the terminal chat, not to an abort.
"""

import re
import socket
import sys
from collections.abc import Mapping
from pathlib import Path

_X_SOCKETS = "/tmp/.X11-unix/X"  # noqa: S108 - where X servers listen
_X_PORT = 6000
_WAIT_S = 2.0
_X_NAME = re.compile(r"(?:unix|(?P<host>[^:/]*))?:(?P<number>\d{1,5})(?:\.\d+)?")


def has_display(environment: Mapping[str, str]) -> bool:
    """True where a display answers, or where the user chose Qt's platform himself."""
    if sys.platform in ("win32", "darwin") or environment.get("QT_QPA_PLATFORM"):
        return True
    return _wayland_answers(environment) or _x_answers(environment.get("DISPLAY", ""))


def _wayland_answers(environment: Mapping[str, str]) -> bool:
    name = environment.get("WAYLAND_DISPLAY", "")
    if not name:
        return False
    return _listens(str(Path(environment.get("XDG_RUNTIME_DIR", "/")) / name))


def _x_answers(display: str) -> bool:
    match = _X_NAME.fullmatch(display)
    if match is None:
        return bool(display)  # a form we do not know, such as a launcher's: left to Qt
    number = int(match["number"])
    if not match["host"]:
        path = f"{_X_SOCKETS}{number}"
        return _listens(path) or (sys.platform == "linux" and _listens(f"\0{path}"))
    try:
        with socket.create_connection((match["host"], _X_PORT + number), _WAIT_S):
            return True
    except OSError:
        return False


def _listens(path: str) -> bool:
    """Whether something accepts connections at a socket of this machine."""
    if not hasattr(socket, "AF_UNIX"):
        return False
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.settimeout(_WAIT_S)
        try:
            probe.connect(path)
        except (OSError, ValueError):
            return False
    return True
