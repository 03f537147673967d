"""Where the window was and what it showed: place and size, page, list of conversations, settings of answers.

Kept in a file of its own, since none of it is a choice that is made on the settings page. What cannot be read is as if
nothing had been kept.
"""

from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QByteArray, QSettings


@dataclass(frozen=True, slots=True)
class WindowState:
    """`has_sidebar` is None while nobody has said whether the list is to be shown."""

    geometry: QByteArray | None = None
    page: str = ""
    has_sidebar: bool | None = None
    has_panel: bool = False


def read_state(config: Path) -> WindowState:
    file = _file(config)
    geometry, page, sidebar = file.value("geometry"), file.value("page"), file.value("sidebar")
    return WindowState(
        geometry if isinstance(geometry, QByteArray) else None,
        page if isinstance(page, str) else "",
        sidebar == "shown" if sidebar in ("shown", "hidden") else None,
        has_panel=file.value("panel") == "shown",
    )


def write_state(config: Path, state: WindowState) -> None:
    file = _file(config)
    if state.geometry is not None:
        file.setValue("geometry", state.geometry)
    file.setValue("page", state.page)
    file.setValue("sidebar", {True: "shown", False: "hidden", None: ""}[state.has_sidebar])
    file.setValue("panel", "shown" if state.has_panel else "hidden")


def _file(config: Path) -> QSettings:
    return QSettings(str(config / "window.ini"), QSettings.Format.IniFormat)
