"""Questions and texts in windows of their own: a link, a licence, a file, what Ember is.

Each is shown without blocking the program and calls back with the answer. Owns their words only.
"""

from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

from PySide6.QtCore import QCoreApplication, QStandardPaths, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QLabel,
    QMessageBox,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from app.chat.markdown import is_web_link
from app.window.icons import icon_pixmap
from app.window.theme import colors_of, fixed_font
from app.window.zoom import zoomed


def ask_about_link(parent: QWidget, href: str) -> None:
    """Show where a link leads and open it only on request; anything but a web address is refused silently."""
    if not is_web_link(href):
        return
    box = question(parent, "external", _tr("Open this link in your browser?"))
    host = urlsplit(href).hostname or ""
    box.setInformativeText(_tr("It leads to %1:").replace("%1", host) + "\n\n" + href)
    open_button = box.addButton(_tr("Open"), QMessageBox.ButtonRole.AcceptRole)
    copy_button = box.addButton(_tr("Copy"), QMessageBox.ButtonRole.ActionRole)
    cancel = box.addButton(QMessageBox.StandardButton.Cancel)
    box.setDefaultButton(cancel)

    def answer() -> None:
        if box.clickedButton() is open_button:
            QDesktopServices.openUrl(QUrl(href))
        elif box.clickedButton() is copy_button:
            QGuiApplication.clipboard().setText(href)

    box.finished.connect(answer)
    box.open()


def ask_where_to_save(parent: QWidget, name: str, kind: str, save: Callable[[Path], None]) -> None:
    """Where a file of a kind (its suffix) is to go; `name` is suggested, in the documents of the user."""
    folder = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
    dialog = QFileDialog(parent, _tr("Save the report"), folder)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setFileMode(QFileDialog.FileMode.AnyFile)
    known = {"json": _tr("JSON files"), "html": _tr("Web pages"), "png": _tr("Pictures")}
    dialog.setNameFilter(f"{known.get(kind, kind)} (*.{kind})")
    dialog.setDefaultSuffix(kind)
    dialog.selectFile(name)
    dialog.fileSelected.connect(lambda path: save(Path(path)))
    dialog.open()


def ask_for_texts(parent: QWidget, use: Callable[[tuple[str, ...]], None]) -> None:
    """Which text files of the user's are to be read."""
    dialog = QFileDialog(parent, _tr("Text files for studies"), str(Path.home()))
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
    dialog.setNameFilters([_tr("Text (*.txt *.md *.rst *.py *.csv *.json)"), _tr("All files (*)")])
    dialog.filesSelected.connect(lambda names: use(tuple(names)))
    dialog.open()


def ask_for_models(parent: QWidget, use: Callable[[list[Path]], None]) -> None:
    """Which files are to become models."""
    dialog = QFileDialog(parent, _tr("Import models"), str(Path.home()))
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
    dialog.setNameFilters([_tr("GGUF models (*.gguf)"), _tr("All files (*)")])
    dialog.filesSelected.connect(lambda names: use([Path(name) for name in names]))
    dialog.open()


def ask_for_model_folder(parent: QWidget, use: Callable[[list[Path]], None]) -> None:
    """Which folder is to become a model."""
    ask_for_folder(parent, _tr("Import a model's folder"), lambda folder: use([folder]))


def ask_for_folder(parent: QWidget, title: str, use: Callable[[Path], None]) -> None:
    dialog = QFileDialog(parent, title, str(Path.home()))
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setFileMode(QFileDialog.FileMode.Directory)
    dialog.setOption(QFileDialog.Option.ShowDirsOnly)
    dialog.fileSelected.connect(lambda name: use(Path(name)))
    dialog.open()


def show_licence(parent: QWidget, title: str, text: str) -> None:
    dialog, _ = _text_dialog(parent, title, text)
    dialog.open()


def _text_dialog(parent: QWidget, title: str, text: str) -> tuple[QDialog, QDialogButtonBox]:
    """A long text to read, and a button that closes it."""
    dialog = QDialog(parent)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setWindowTitle(title)
    dialog.resize(zoomed(680), zoomed(560))
    field = QPlainTextEdit(text, dialog)
    field.setReadOnly(True)
    field.setProperty("kind", "field")
    field.setFont(fixed_font(dialog.font()))
    field.setAccessibleName(title)
    buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, dialog)
    buttons.rejected.connect(dialog.close)
    box = QVBoxLayout(dialog)
    box.setContentsMargins(16, 16, 16, 12)
    box.addWidget(field)
    box.addWidget(buttons)
    return dialog, buttons


def show_diagnostics(parent: QWidget, text: str, copied: Callable[[], None]) -> None:
    """What will be copied, to be read before it is."""
    dialog, buttons = _text_dialog(parent, _tr("Diagnostics"), text)
    words = QLabel(
        _tr("This will be copied. Names, folders and keys have been taken out; look through it all the same.")
    )
    words.setWordWrap(True)
    box = dialog.layout()
    assert isinstance(box, QVBoxLayout)  # noqa: S101 - made so below
    box.insertWidget(0, words)
    copy = buttons.addButton(_tr("Copy"), QDialogButtonBox.ButtonRole.AcceptRole)
    copy.setProperty("kind", "primary")
    copy.setDefault(True)

    def take() -> None:
        QGuiApplication.clipboard().setText(text)
        copied()
        dialog.close()

    buttons.accepted.connect(take)
    dialog.open()


def show_about(parent: QWidget, licence: str) -> None:
    from importlib.metadata import PackageNotFoundError, version  # here, since the window is to open quickly

    try:
        number = version("emberchat")
    except PackageNotFoundError:
        number = _tr("from its source folder")
    box = question(parent, "ember", _tr("Ember %1").replace("%1", number))
    box.setInformativeText(
        _tr("Desktop chat for large language models with sparse activations. Everything runs on this computer.")
        + "\n\n"
        + _tr("Apache-2.0. Made with Qt and PySide6 (LGPL-3.0).")
    )
    licence_button = box.addButton(_tr("Licence"), QMessageBox.ButtonRole.ActionRole)
    box.setDefaultButton(box.addButton(QMessageBox.StandardButton.Close))

    def answer() -> None:
        if box.clickedButton() is licence_button:
            show_licence(parent, _tr("Licence of Ember"), licence)

    box.finished.connect(answer)
    box.open()


def licence_texts(folder: Path) -> dict[str, str]:
    """Licence texts that come with Ember, by lower-case name."""
    return {path.stem.lower(): path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.txt"))}


def question(parent: QWidget, icon: str, text: str) -> QMessageBox:
    """A question of the program's: its buttons are the caller's, and so is opening it."""
    box = QMessageBox(parent)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    size = 56 if icon == "ember" else 32
    box.setIconPixmap(icon_pixmap(icon, colors_of(parent.palette()).accent, size, parent.devicePixelRatioF()))
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setText(text)
    box.setWindowTitle("Ember")
    return box


def _tr(text: str) -> str:
    return QCoreApplication.translate("Dialogs", text)
