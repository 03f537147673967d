"""A download as a row: its name, state, bar and time left, what can be done with it, and its files when opened.

Shows what it is told and changes only what is different. What its buttons and keys mean is decided by whoever listens.
"""

from dataclasses import replace

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QFont, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QProgressBar, QPushButton, QVBoxLayout, QWidget

from app.download_words import (
    file_amount,
    file_words,
    kept_words,
    line_words,
    name_of,
    next_step,
    next_step_label,
    progress_of,
)
from app.error_text import ErrorText
from app.language import in_a_row
from app.window.error_card import ErrorCard
from app.window.icons import IconButton
from app.window.labels import MutedLabel
from app.window.models.asking import words
from app.window.models.file_list import FileList
from app.window.theme import colors_of, scaled
from app.window.wording import breakable, error_words, lined
from engine.transfer_reports import DownloadReport

SHOWN_FILES = 8  # higher, the list of files scrolls by itself
STEPS = 1000


class DownloadRow(QFrame):
    """Keys, where the row itself has the focus: Space pauses and goes on, Alt with an arrow moves, Enter opens the
    files, Delete gives up."""

    steered = Signal(str, str)
    """Id, and one of STEERING."""

    cancel_asked = Signal(str)
    chat_asked = Signal(str)
    """Id of the packed model."""

    step_asked = Signal(str, str)
    """Id, and the key of a next step of app/download_words.py."""

    def __init__(self, download: DownloadReport, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._download = download
        self._error_text: ErrorText | None = None
        self._error: ErrorCard | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._name = QLabel(self)
        self._name.setFont(scaled(self.font(), 1.0, weight=QFont.Weight.DemiBold))
        self._name.setTextFormat(Qt.TextFormat.PlainText)
        self._name.setWordWrap(True)
        self._line = MutedLabel(parent=self, factor=0.92)
        self._bar = QProgressBar(self)
        self._bar.setTextVisible(False)
        self._bar.setRange(0, STEPS)
        self._fold = self._button("chevron-right", self.tr("Show the files"))
        self._fold.clicked.connect(self.toggle_files)
        self._earlier = self._button("arrow-up", self.tr("Earlier"))
        self._earlier.clicked.connect(lambda: self._steer("earlier"))
        self._later = self._button("arrow-down", self.tr("Later"))
        self._later.clicked.connect(lambda: self._steer("later"))
        self._pause = self._button("pause", self.tr("Pause"))
        self._pause.clicked.connect(self._toggle)
        self._cancel = self._button("close", self.tr("Give up"))
        self._cancel.clicked.connect(lambda: self.cancel_asked.emit(self._download.download_id))
        self._chat = QPushButton(self.tr("Chat with it"), self)
        self._chat.setProperty("kind", "primary")
        self._chat.clicked.connect(lambda: self.chat_asked.emit(self._download.model_id))
        self._files: FileList | None = None
        policy = self._fold.sizePolicy()
        policy.setRetainSizeWhenHidden(True)  # names stand below each other
        self._fold.setSizePolicy(policy)

        head = QHBoxLayout()
        head.setSpacing(4)
        head.addWidget(self._fold, 0, Qt.AlignmentFlag.AlignTop)
        text = QVBoxLayout()
        text.setSpacing(4)
        text.addWidget(self._name)
        text.addWidget(self._line)
        head.addLayout(text, 1)
        head.addWidget(self._chat, 0, Qt.AlignmentFlag.AlignVCenter)
        for button in (self._earlier, self._later, self._pause, self._cancel):
            head.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
        self._box = QVBoxLayout()
        self._box.setContentsMargins(30, 0, 4, 0)
        self._box.setSpacing(8)
        self._box.addWidget(self._bar)
        box = QVBoxLayout(self)
        box.setContentsMargins(8, 10, 8, 11)
        box.setSpacing(7)
        box.addLayout(head)
        box.addLayout(self._box)
        self._errors = QVBoxLayout()
        box.addLayout(self._errors)
        self.show_download(download, is_first=True, is_last=True)

    @property
    def download(self) -> DownloadReport:
        return self._download

    @property
    def line(self) -> str:
        return self._line.text().replace("\u00a0", " ").replace("\u2060", "")

    @property
    def files(self) -> FileList | None:
        return self._files

    @property
    def error(self) -> ErrorCard | None:
        return self._error

    def show_download(self, download: DownloadReport, *, is_first: bool, is_last: bool) -> None:
        """`is_first`, `is_last`: among those whose order can be changed."""
        self._download = download
        name = name_of(download.repo)
        at = f" @ {download.revision}" if download.revision not in ("", "main") else ""
        _say(self._name, breakable(name + at))
        if self._name.toolTip() != download.repo:
            self._name.setToolTip(download.repo)
        line = line_words(download, words)
        _say(self._line, lined(line))
        share = progress_of(download)
        self._show_bar(share)
        spoken = f"{name}: {line}"
        if self.accessibleName() != spoken:
            self.setAccessibleName(spoken)
            self._bar.setAccessibleName(spoken)
        self._show_buttons(name, is_first=is_first, is_last=is_last)
        self._show_error()
        if self._files is not None and self._files.isVisibleTo(self):
            self._show_files(self._files)

    def _show_bar(self, share: float | None) -> None:
        state = self._download.state
        self._bar.setVisible(state not in ("ready", "failed", "queued") or bool(share and state != "ready"))
        is_moving = share is None and state == "resolving"
        if (self._bar.maximum() == 0) != is_moving:
            self._bar.setRange(0, 0 if is_moving else STEPS)
        value = round(STEPS * (share or 0.0))
        if not is_moving and value != self._bar.value():
            self._bar.setValue(value)

    def _show_buttons(self, name: str, *, is_first: bool, is_last: bool) -> None:
        download = self._download
        is_own = not download.holder
        is_ready, is_stopped = download.state == "ready", download.state in ("paused", "failed")
        self._pause.setVisible(is_own and not is_ready)
        self._name_button(self._pause, self.tr("Continue %1") if is_stopped else self.tr("Pause %1"), name)
        self._pause.show_icon("play" if is_stopped else "pause")
        self._earlier.setVisible(is_own and not (is_first and is_last))
        self._earlier.setEnabled(not is_first)
        self._name_button(self._earlier, self.tr("%1: earlier"), name)
        self._later.setVisible(is_own and not (is_first and is_last))
        self._later.setEnabled(not is_last)
        self._name_button(self._later, self.tr("%1: later"), name)
        self._cancel.setVisible(is_own)
        self._name_button(self._cancel, self.tr("Take %1 off the list") if is_ready else self.tr("Give up %1"), name)
        self._chat.setVisible(is_ready and bool(download.model_id))
        self._chat.setAccessibleName(self.tr("Chat with %1").replace("%1", name))
        is_open = self._files is not None and self._files.isVisibleTo(self)
        self._name_button(
            self._fold, self.tr("Hide the files of %1") if is_open else self.tr("Show the files of %1"), name
        )
        self._fold.setVisible(bool(download.files) or is_open)

    def _show_error(self) -> None:
        download = self._download
        report = download.error if download.state in ("failed", "paused") else None
        text = error_words(report) if report is not None else None
        if text is not None and (kept := kept_words(download, words)):
            text = replace(text, action=in_a_row(text.action, kept))
        if text == self._error_text:
            return
        self._error_text = text
        if self._error is not None:
            self._errors.removeWidget(self._error)
            self._error.hide()
            self._error.deleteLater()
            self._error = None
        if text is not None and report is not None:
            step = next_step(report)
            label = next_step_label(step, words)
            run = (label, lambda: self.step_asked.emit(self._download.download_id, step))
            self._error = ErrorCard(text, (run,) if label else (), "", self)
            self._errors.addWidget(self._error)

    # Files --------------------------------------------------------------------------------------------------------

    def toggle_files(self) -> None:
        if self._files is None:
            name = self.tr("Files of %1").replace("%1", name_of(self._download.repo))
            self._files = FileList(name, SHOWN_FILES, self)
            self._box.addWidget(self._files)
            self._files.hide()
        shows = not self._files.isVisibleTo(self)
        if shows:
            self._show_files(self._files)
        self._files.setVisible(shows)
        self._fold.show_icon("chevron-down" if shows else "chevron-right")
        label = self.tr("Hide the files of %1") if shows else self.tr("Show the files of %1")
        self._name_button(self._fold, label, name_of(self._download.repo))

    def _show_files(self, files: FileList) -> None:
        files.show_rows(
            [
                (file.path, file_words(file.state, words), file_amount(file.done_bytes, file.size_bytes, words))
                for file in self._download.files
            ]
        )

    # Keys and looks -----------------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, alt = event.key(), bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)
        if key == Qt.Key.Key_Space and not self._pause.isHidden():
            self._toggle()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if not self._chat.isHidden():
                self._chat.click()
            elif not self._fold.isHidden():
                self.toggle_files()
        elif key == Qt.Key.Key_Delete and not self._cancel.isHidden():
            self._cancel.click()
        elif alt and key == Qt.Key.Key_Up and self._earlier.isEnabled():
            self._steer("earlier")
        elif alt and key == Qt.Key.Key_Down and self._later.isEnabled():
            self._steer("later")
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.hasFocus():
            painter = QPainter(self)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(QColor(colors_of(self.palette()).accent), 1))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1.5, 1.5, -1.5, -1.5), 8, 8)
            painter.end()

    def _toggle(self) -> None:
        self._steer("resume" if self._download.state in ("paused", "failed") else "pause")

    def _steer(self, action: str) -> None:
        self.steered.emit(self._download.download_id, action)

    def _button(self, icon: str, name: str) -> IconButton:
        return IconButton(icon, name, self, size=17)

    def _name_button(self, button: IconButton, template: str, name: str) -> None:
        text = template.replace("%1", name)
        if button.accessibleName() != text:
            button.name_it(text)


def _say(label: QLabel, text: str) -> None:
    if label.text() != text:
        label.setText(text)
