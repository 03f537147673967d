"""Which kind of file conversations are saved as, and where."""

from collections.abc import Callable
from datetime import date
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QStandardPaths, Qt
from PySide6.QtWidgets import (
    QButtonGroup,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QPushButton,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from app.chat.exchange import HTML, JSON, JSONL, KINDS, MARKDOWN, file_name_of, suffix_of
from app.window.labels import MutedLabel
from app.window.wording import number


class ExportDialog(QDialog):
    """Calls `save` with a kind and a path once both are chosen."""

    def __init__(self, parent: QWidget, titles: list[str], save: Callable[[str, Path], None]) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._titles = titles
        self._save = save
        several = _tr("Export %1 conversations").replace("%1", number(len(titles)))
        self.setWindowTitle(_tr("Export conversation") if len(titles) == 1 else several)
        self._kinds = QButtonGroup(self)
        box = QVBoxLayout(self)
        box.setContentsMargins(20, 18, 20, 14)
        box.setSpacing(4)
        for kind in KINDS:
            name, explanation = _words(kind, len(titles))
            button = QRadioButton(name, self)
            button.setAccessibleName(name)
            button.setAccessibleDescription(explanation)
            self._kinds.addButton(button, KINDS.index(kind))
            label = MutedLabel(explanation, self, factor=0.93)
            label.setContentsMargins(25, 0, 0, 8)
            label.setBuddy(button)
            box.addWidget(button)
            box.addWidget(label)
        self._kinds.button(0).setChecked(True)
        buttons = QDialogButtonBox(self)
        cancel, proceed = QPushButton(_tr("Cancel"), self), QPushButton(_tr("Save as…"), self)
        proceed.setProperty("kind", "primary")
        proceed.setDefault(True)
        for choice, role in (
            (cancel, QDialogButtonBox.ButtonRole.RejectRole),
            (proceed, QDialogButtonBox.ButtonRole.AcceptRole),
        ):
            choice.setAccessibleName(choice.text())
            buttons.addButton(choice, role)
        buttons.rejected.connect(self.reject)
        buttons.accepted.connect(self._ask_where)
        box.addSpacing(6)
        box.addWidget(buttons)
        self.setMinimumWidth(440)

    @property
    def kind(self) -> str:
        return KINDS[self._kinds.checkedId()]

    def _ask_where(self) -> None:
        kind, suffix = self.kind, suffix_of(self.kind, len(self._titles))
        folder = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
        dialog = QFileDialog(self, self.windowTitle(), folder)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setFileMode(QFileDialog.FileMode.AnyFile)
        dialog.setNameFilter(f"{_words(kind, len(self._titles))[0]} (*.{suffix})")
        dialog.setDefaultSuffix(suffix)
        dialog.selectFile(f"{self._suggested()}.{suffix}")
        dialog.fileSelected.connect(lambda name: self._finish(kind, Path(name)))
        dialog.open()

    def _suggested(self) -> str:
        if len(self._titles) == 1:
            return file_name_of(self._titles[0], _tr("conversation"))
        return file_name_of(f"Ember {date.today().isoformat()}", "Ember")

    def _finish(self, kind: str, path: Path) -> None:
        self._save(kind, path)
        self.accept()


def ask_for_imports(parent: QWidget, use: Callable[[list[Path]], None]) -> None:
    """Which files conversations are to come from."""
    dialog = QFileDialog(parent, _tr("Import conversations"), str(Path.home()))
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
    dialog.setNameFilters([_tr("Exports of Ember, ChatGPT, Open WebUI, Jan (*.json *.jsonl)"), _tr("All files (*)")])
    dialog.filesSelected.connect(lambda names: use([Path(name) for name in names]))
    dialog.open()


def ask_for_import_folder(parent: QWidget, use: Callable[[list[Path]], None]) -> None:
    """The same for Jan, which keeps a folder for each conversation."""
    dialog = QFileDialog(parent, _tr("Import Jan’s folder of threads"), str(Path.home()))
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setFileMode(QFileDialog.FileMode.Directory)
    dialog.setOption(QFileDialog.Option.ShowDirsOnly)
    dialog.filesSelected.connect(lambda names: use([Path(name) for name in names]))
    dialog.open()


def _words(kind: str, count: int) -> tuple[str, str]:
    """The name of a kind of file, and what is in it."""
    as_archive = " " + _tr("Several become a zip archive.") if count > 1 else ""
    return {
        MARKDOWN: (_tr("Markdown"), _tr("The messages shown, as text to read and edit.") + as_archive),
        HTML: (_tr("Web page"), _tr("The messages shown, to look at and print in a browser.") + as_archive),
        JSON: (_tr("JSON"), _tr("Everything, with all versions and folders. Ember reads it back.")),
        JSONL: (_tr("JSON lines"), _tr("The messages shown, a conversation a line, as programs for training read it.")),
    }[kind]


def _tr(text: str) -> str:
    return QCoreApplication.translate("ExportDialog", text)
