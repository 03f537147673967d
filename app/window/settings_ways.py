"""Where the links of the settings page and of the logs page lead: other pages, dialogs, folders, and starting over."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QMessageBox

from app.diagnostics import diagnostics
from app.redaction import this_person
from app.window import dialogs
from app.window.pages import CHAT
from app.window.settings import sections
from app.window.shortcut_sheet import ShortcutSheet

if TYPE_CHECKING:
    from app.window.main_window import MainWindow


def settings_ways(window: "MainWindow") -> dict[str, Callable[[], object]]:
    """By the names in app/window/settings/sections.py."""
    paths = window.controls.paths
    return {
        sections.ANSWERS: lambda: show_answer_settings(window),
        sections.DEVICE: window.show_device_page,
        sections.NETWORK: window.models_page.open_settings,
        sections.LOGS: window.show_logs_page,
        sections.WELCOME: window.welcome_asked.emit,
        sections.SHEET: lambda: show_shortcuts(window),
        sections.DATA_FOLDER: lambda: open_folder(paths.data),
        sections.SETTINGS_FOLDER: lambda: open_folder(paths.config),
        sections.RESET_KEYS: window.commands.reset_all,
        sections.RESET_ALL: lambda: _ask_to_reset(window),
    }


def show_answer_settings(window: "MainWindow") -> None:
    window.pages.show_page(CHAT)
    if window.panel.isHidden():
        window.toggle_panel()
    else:
        window.panel.take_focus()


def show_shortcuts(window: "MainWindow") -> None:
    sheet = ShortcutSheet(window.commands, window)
    sheet.change_asked.connect(window.show_shortcut_settings)
    sheet.open()


def open_folder(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))


def show_diagnostics(window: "MainWindow", version: Callable[[], str]) -> None:
    """The report, to be read before it is copied."""
    controls = window.controls
    report = controls.device.report
    facts = {"Qt": _qt_version()}
    if report is not None:
        facts |= {
            "processor": f"{report.processor}, {report.usable_cores} of {report.logical_cores} threads",
            "memory": f"{report.memory_bytes / 1e9:.1f} GB, {report.memory_free_bytes / 1e9:.1f} GB free",
            "card": f"{report.state} {report.detail}".strip(),
            "driver": report.driver or "none",
        }
    if (ready := controls.models.ready) is not None:
        model = ready.model
        facts["model"] = f"{model.family}, {model.weight_format}, {model.size_bytes / 1e9:.2f} GB"
    logs = {f"Log of the {name}": lines for name, lines in window.logs_page.newest().items()}
    text = diagnostics(version(), controls.settings.value, facts, logs, this_person())
    dialogs.show_diagnostics(window, text, lambda: window.toast.show_text(_tr("The diagnostics have been copied")))


def _qt_version() -> str:
    from PySide6.QtCore import qVersion

    return qVersion()


def _ask_to_reset(window: "MainWindow") -> None:
    box = dialogs.question(window, "settings", _tr("Make all settings as they were at first?"))
    box.setInformativeText(_tr("Everything on this page, shortcuts included. Models and conversations stay."))
    reset = box.addButton(_tr("Reset"), QMessageBox.ButtonRole.AcceptRole)
    box.setDefaultButton(box.addButton(QMessageBox.StandardButton.Cancel))

    def answer() -> None:
        if box.clickedButton() is reset:
            window.settings_page.reset_all()
            window.commands.reset_all()
            window.toast.show_text(_tr("All settings are as they were at first"))

    box.finished.connect(answer)
    box.open()


def _tr(text: str) -> str:
    return QCoreApplication.translate("SettingsWays", text)
