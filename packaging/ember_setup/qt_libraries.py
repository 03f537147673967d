"""The system libraries Qt loads on Linux, and what each is called by the package managers.

Read off the wheels of PySide6 6.11 with `objdump -p` (Qt6Gui, Qt6Widgets, the offscreen, xcb and wayland plugins). The
wheels bring Qt itself; these come from the distribution. Names for dnf and pacman are those of Fedora and Arch.
"""

import ctypes
from collections.abc import Callable, Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class SystemLibrary:
    """`soname` is what the loader is asked for; the others are the packages that hold it."""

    soname: str
    apt: str
    dnf: str
    pacman: str

    def package(self, manager: str) -> str:
        return {"apt": self.apt, "dnf": self.dnf, "pacman": self.pacman}[manager]


BASE = (
    SystemLibrary("libEGL.so.1", "libegl1", "libglvnd-egl", "libglvnd"),
    SystemLibrary("libGL.so.1", "libgl1", "libglvnd-glx", "libglvnd"),
    SystemLibrary("libxkbcommon.so.0", "libxkbcommon0", "libxkbcommon", "libxkbcommon"),
    SystemLibrary("libfontconfig.so.1", "libfontconfig1", "fontconfig", "fontconfig"),
    SystemLibrary("libfreetype.so.6", "libfreetype6", "freetype", "freetype2"),
    SystemLibrary("libdbus-1.so.3", "libdbus-1-3", "dbus-libs", "dbus"),
    SystemLibrary("libglib-2.0.so.0", "libglib2.0-0", "glib2", "glib2"),
    SystemLibrary("libX11.so.6", "libx11-6", "libX11", "libx11"),
)
X11 = (
    SystemLibrary("libX11-xcb.so.1", "libx11-xcb1", "libX11-xcb", "libx11"),
    SystemLibrary("libxcb-cursor.so.0", "libxcb-cursor0", "xcb-util-cursor", "xcb-util-cursor"),
    SystemLibrary("libxcb-icccm.so.4", "libxcb-icccm4", "xcb-util-wm", "xcb-util-wm"),
    SystemLibrary("libxcb-image.so.0", "libxcb-image0", "xcb-util-image", "xcb-util-image"),
    SystemLibrary("libxcb-keysyms.so.1", "libxcb-keysyms1", "xcb-util-keysyms", "xcb-util-keysyms"),
    SystemLibrary("libxcb-randr.so.0", "libxcb-randr0", "libxcb", "libxcb"),
    SystemLibrary("libxcb-render-util.so.0", "libxcb-render-util0", "xcb-util-renderutil", "xcb-util-renderutil"),
    SystemLibrary("libxcb-shape.so.0", "libxcb-shape0", "libxcb", "libxcb"),
    SystemLibrary("libxcb-sync.so.1", "libxcb-sync1", "libxcb", "libxcb"),
    SystemLibrary("libxcb-util.so.1", "libxcb-util1", "xcb-util", "xcb-util"),
    SystemLibrary("libxcb-xfixes.so.0", "libxcb-xfixes0", "libxcb", "libxcb"),
    SystemLibrary("libxcb-xkb.so.1", "libxcb-xkb1", "libxcb", "libxcb"),
    SystemLibrary("libxkbcommon-x11.so.0", "libxkbcommon-x11-0", "libxkbcommon-x11", "libxkbcommon-x11"),
)
WAYLAND = (
    SystemLibrary("libwayland-client.so.0", "libwayland-client0", "libwayland-client", "wayland"),
    SystemLibrary("libwayland-cursor.so.0", "libwayland-cursor0", "libwayland-cursor", "wayland"),
    SystemLibrary("libwayland-egl.so.1", "libwayland-egl1", "libwayland-egl", "wayland"),
)


def missing_libraries(
    wanted: Iterable[SystemLibrary], load: Callable[[str], object] = ctypes.CDLL
) -> tuple[SystemLibrary, ...]:
    """Those the loader does not find."""

    def loads(soname: str) -> bool:
        try:
            load(soname)
        except OSError:
            return False
        return True

    return tuple(library for library in wanted if not loads(library.soname))
