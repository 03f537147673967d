"""The files of a message that is being written, as chips: name, size, tokens, a look inside, a way out.

Owns which files there are. Reading them is asked for here and done elsewhere; what could not be read stays as a chip
that says why, until it is put away.
"""

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app.attachments import MAX_CHARACTERS, MAX_FILES, TOO_LONG, TOO_MANY, Refused
from app.chat.attached_files import AttachedFile, file_name
from app.window.composer.attachment_reader import AttachmentReader
from app.window.composer.attachment_words import pasted_name, refusal_words, tokens_words
from app.window.flow import FlowRow
from app.window.icons import IconButton, IconLabel
from app.window.labels import MutedLabel
from app.window.theme import colors_of, scaled
from app.window.wording import size
from app.window.zoom import zoomed

CHIP_WIDTH = 250
REFUSED_WIDTH = 420
AROUND_NAME = 79  # pixels of a chip that are not the name's


class AttachmentChip(QFrame):
    """One file: being read, read, or refused."""

    opened = Signal()
    removed = Signal()
    reshaped = Signal()

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.file: AttachedFile | None = None
        self.refused: Refused | None = None
        self._name = name
        self._tokens = ""
        self._icon = IconLabel("file", "muted", 18, self)
        self._title = QLabel(self)
        self._title.setTextFormat(Qt.TextFormat.PlainText)
        self._title.setFont(scaled(self.font(), 0.94))
        self._facts = MutedLabel(parent=self, factor=0.84, wraps=False)
        self._remove = IconButton("close", self.tr("Remove"), self, size=14)
        self._remove.setFixedSize(24, 24)
        self._remove.clicked.connect(self.removed)
        words = QVBoxLayout()
        words.setContentsMargins(0, 0, 0, 0)
        words.setSpacing(0)
        words.addWidget(self._title)
        words.addWidget(self._facts)
        row = QHBoxLayout(self)
        row.setContentsMargins(10, 5, 5, 5)
        row.setSpacing(8)
        row.addWidget(self._icon)
        row.addLayout(words, 1)
        row.addWidget(self._remove, 0, Qt.AlignmentFlag.AlignTop)
        self._show()

    @property
    def name(self) -> str:
        return self._name

    def show_file(self, file: AttachedFile) -> None:
        self.file, self._name = file, file.name
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self._show()

    def show_refused(self, refused: Refused) -> None:
        self.refused = refused
        self._facts.setWordWrap(True)
        self._show()

    def show_tokens(self, n_tokens: int, *, is_about: bool) -> None:
        words = tokens_words(n_tokens, is_about=is_about)
        if words != self._tokens:
            self._tokens = words
            self._show()
            self.reshaped.emit()

    def sizeHint(self) -> QSize:
        if self.refused is not None:
            layout, width = self.layout(), zoomed(REFUSED_WIDTH)
            return QSize(width, layout.heightForWidth(width) if layout is not None else 0)
        texts = (self._title, self._name), (self._facts, self._facts.text())
        width = max(QFontMetrics(label.font()).horizontalAdvance(text) for label, text in texts)
        return QSize(min(width + zoomed(AROUND_NAME), zoomed(CHIP_WIDTH)), super().sizeHint().height())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self.file is not None and event.button() == Qt.MouseButton.LeftButton:
            self.opened.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self.file is not None and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.opened.emit()
        elif event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.removed.emit()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        colors = colors_of(self.palette())
        is_refused = self.refused is not None
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        border = colors.danger_border if is_refused else colors.accent if self.hasFocus() else colors.border
        painter.setPen(QColor(border))
        painter.setBrush(QColor(colors.danger_background if is_refused else colors.raised))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 9, 9)
        painter.end()

    def _show(self) -> None:
        if self.refused is not None:
            facts = refusal_words(self.refused)
        elif self.file is not None:
            facts = " · ".join(filter(None, (size(self.file.n_bytes), self._tokens)))
        else:
            facts = self.tr("Reading…")
        self._facts.setText(facts)
        room = zoomed((REFUSED_WIDTH if self.refused is not None else CHIP_WIDTH) - AROUND_NAME)
        self._title.setText(QFontMetrics(self._title.font()).elidedText(self._name, Qt.TextElideMode.ElideMiddle, room))
        self._title.setToolTip(self._name)
        self.setAccessibleName(f"{self._name}. {facts}")
        self._remove.name_it(self.tr("Remove %1").replace("%1", self._name))
        self.updateGeometry()
        self.update()


class AttachmentsBar(FlowRow):
    changed = Signal()
    """Other files than before, or others that are still being read."""

    opened = Signal(object)
    """An AttachedFile that is to be looked at."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._reader = AttachmentReader(self)
        self._reader.read.connect(self._on_read)
        self._reading: dict[int, AttachmentChip] = {}

    @property
    def chips(self) -> list[AttachmentChip]:
        return [chip for chip in self.widgets if isinstance(chip, AttachmentChip)]

    @property
    def with_file(self) -> list[AttachmentChip]:
        """Those whose file has been read."""
        return [chip for chip in self.chips if chip.file is not None]

    @property
    def files(self) -> tuple[AttachedFile, ...]:
        return tuple(chip.file for chip in self.chips if chip.file is not None)

    @property
    def is_reading(self) -> bool:
        return bool(self._reading)

    def show_files(self, files: tuple[AttachedFile, ...]) -> None:
        """These in place of those there are."""
        for chip in self.chips:
            self._drop(chip)
        for file in files:
            self._add_chip(file.name).show_file(file)
        self.arrange()

    def add_paths(self, paths: list[Path]) -> None:
        for path in paths:
            if len(self.chips) >= MAX_FILES:
                self._refuse_more(path.name)
                break
            self._reading[self._reader.ask(path)] = self._add_chip(file_name(path.name))
        self.changed.emit()

    def add_pasted(self, text: str) -> None:
        if len(self.chips) >= MAX_FILES:
            self._refuse_more(pasted_name(0))
            return
        if len(text) > MAX_CHARACTERS:
            self.add_refused(Refused(pasted_name(0), TOO_LONG, found=len(text), limit=MAX_CHARACTERS))
            return
        names = {file.name for file in self.files}
        name = next(name for name in map(pasted_name, range(MAX_FILES + 1)) if name not in names)
        self._add_chip(name).show_file(AttachedFile(name, text))
        self.arrange()
        self.changed.emit()

    def add_refused(self, refused: Refused) -> None:
        """Say that something cannot be added, and why."""
        self._add_chip(refused.name).show_refused(refused)
        self.arrange()

    def remove(self, file: AttachedFile) -> None:
        for chip in self.chips:
            if chip.file is file:
                self._remove(chip)
                return

    def _add_chip(self, name: str) -> AttachmentChip:
        chip = AttachmentChip(name, self)
        chip.removed.connect(lambda: self._remove(chip))
        chip.reshaped.connect(self.arrange)
        chip.opened.connect(lambda: self.opened.emit(chip.file))
        self.add(chip)
        return chip

    def _refuse_more(self, name: str) -> None:
        if not any(chip.refused is not None and chip.refused.reason == TOO_MANY for chip in self.chips):
            self.add_refused(Refused(file_name(name), TOO_MANY, found=MAX_FILES, limit=MAX_FILES))

    def _remove(self, chip: AttachmentChip) -> None:
        self._drop(chip)
        self.changed.emit()

    def _drop(self, chip: AttachmentChip) -> None:
        for number, reading in tuple(self._reading.items()):
            if reading is chip:
                self._reader.forget(number)
                del self._reading[number]
        self.take_out(chip)

    def _on_read(self, number: int, result: object) -> None:
        chip = self._reading.pop(number, None)
        if chip is None:
            return
        if isinstance(result, AttachedFile):
            chip.show_file(self._named_apart(result))
        elif isinstance(result, Refused):
            chip.show_refused(result)
        self.arrange()
        self.changed.emit()

    def _named_apart(self, file: AttachedFile) -> AttachedFile:
        names = {other.name for other in self.files}
        if file.name not in names:
            return file
        stem, dot, suffix = file.name.rpartition(".")
        stem, suffix = (stem, dot + suffix) if stem else (file.name, "")
        number = next(n for n in range(2, MAX_FILES + 2) if f"{stem} {n}{suffix}" not in names)
        return replace(file, name=f"{stem} {number}{suffix}")
