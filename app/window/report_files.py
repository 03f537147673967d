"""Reports that leave the window: copied, deleted with a way back, written to a file of the user's choice."""

from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from app.benchmarks import ShownReport
from app.window import dialogs
from app.window.speed_control import SpeedControl
from app.window.toast import Toast


class ReportFiles(QObject):
    def __init__(self, speed: SpeedControl, toast: Toast, window: QWidget) -> None:
        super().__init__(window)
        self._speed = speed
        self._toast = toast
        self._window = window

    def copy(self, report: ShownReport) -> None:
        QGuiApplication.clipboard().setText(report.markdown)
        self._toast.show_text(self.tr("The report has been copied as Markdown"))

    def delete(self, report: ShownReport) -> None:
        try:
            undo = self._speed.delete(report)
        except OSError as error:
            words = self.tr("The report could not be deleted: %1").replace("%1", error.strerror or str(error))
            self._toast.show_text(words)
        else:
            self._toast.show_text(self.tr("Report deleted"), self.tr("Undo"), undo)

    def ask_where_to_save(self, name: str, kind: str, content: bytes) -> None:
        dialogs.ask_where_to_save(self._window, name, kind, lambda path: self.write(path, content))

    def write(self, path: Path, content: bytes) -> None:
        try:
            path.write_bytes(content)
        except OSError as error:
            words = self.tr("The report could not be saved: %1").replace("%1", error.strerror or str(error))
            self._toast.show_text(words)
        else:
            self._toast.show_text(self.tr("Saved as %1").replace("%1", path.name))
