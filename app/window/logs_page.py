"""The logs page: what window and engine wrote down, bounded, filtered by level and words, followed while it is shown.

Owns what is shown of the lines; reading them is app/log_lines.py. While the page is hidden nothing is read and nothing
is painted. The report that can be copied is shown before it is, by whoever listens.
"""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, QTimer, QUrl, Signal
from PySide6.QtGui import (
    QColor,
    QDesktopServices,
    QFont,
    QGuiApplication,
    QHideEvent,
    QKeyEvent,
    QShowEvent,
    QSyntaxHighlighter,
    QTextCharFormat,
    QTextDocument,
)
from PySide6.QtWidgets import QCheckBox, QComboBox, QHBoxLayout, QLabel, QLineEdit, QPlainTextEdit, QVBoxLayout, QWidget

from app.log_lines import MOST_LINES, LogLine, LogTail, matching, merged
from app.window.icons import IconButton
from app.window.labels import MutedLabel, name_tools
from app.window.models.flow import FlowLayout
from app.window.theme import colors_of, fixed_font, scaled

READ_EVERY_MS = 1000
SEARCH_AFTER_MS = 150


class LogsPage(QWidget):
    back_clicked = Signal()
    copied = Signal(int)
    """So many lines have been put on the clipboard."""

    diagnostics_asked = Signal()

    def __init__(self, folder: Path, logs: Sequence[LogTail], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._folder = folder
        self._logs = tuple(logs)
        self._read: dict[str, list[LogLine]] = {log.source: [] for log in self._logs}
        self._shown: list[LogLine] = []
        self.level = QComboBox(self)
        self.level.setAccessibleName(self.tr("Least level shown"))
        for level, words in (
            ("DEBUG", self.tr("Everything")),
            ("INFO", self.tr("From notes")),
            ("WARNING", self.tr("From warnings")),
            ("ERROR", self.tr("Errors only")),
        ):
            self.level.addItem(words, level)
        self.level.setCurrentIndex(1)
        self.level.currentIndexChanged.connect(self._show_all)
        self.search = QLineEdit(self)
        self.search.setPlaceholderText(self.tr("Search the logs"))
        self.search.setAccessibleName(self.tr("Search the logs"))
        self.search.setClearButtonEnabled(True)
        name_tools(self.search)
        self.search.setMinimumWidth(160)
        self.follow = QCheckBox(self.tr("Follow"), self)
        self.follow.setAccessibleName(self.tr("Follow: keep the newest lines in sight"))
        self.follow.setChecked(True)
        self.follow.toggled.connect(self._on_follow)
        self._copy = self._button("copy", self.tr("Copy the lines shown"))
        self._copy.clicked.connect(self._copy_lines)
        self._open = self._button("folder", self.tr("Open the folder of the logs"))
        self._open.clicked.connect(lambda: QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._folder))))
        self._report = self._button("info", self.tr("Copy diagnostics…"))
        self._report.clicked.connect(self.diagnostics_asked)
        self.text = QPlainTextEdit(self)
        self.text.setReadOnly(True)
        self.text.setProperty("kind", "field")
        self.text.setAccessibleName(self.tr("Lines of the logs"))
        self.text.setFont(scaled(fixed_font(self.font()), 0.94))
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.text.setMaximumBlockCount(MOST_LINES)
        self.text.setUndoRedoEnabled(False)
        self.text.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self._highlighter = LevelHighlighter(self.text.document(), self)
        self._count = MutedLabel("", self, factor=0.92, wraps=False)
        self._build()
        self._timer = QTimer(self)
        self._timer.setInterval(READ_EVERY_MS)
        self._timer.timeout.connect(self.read_on)
        self._search_timer = QTimer(self)
        self._search_timer.setSingleShot(True)
        self._search_timer.setInterval(SEARCH_AFTER_MS)
        self._search_timer.timeout.connect(self._show_all)
        self.search.textChanged.connect(lambda: self._search_timer.start())

    @property
    def lines(self) -> tuple[LogLine, ...]:
        """Those shown."""
        return tuple(self._shown)

    def newest(self) -> dict[str, list[LogLine]]:
        """What is known of every log, read on first."""
        self._read_new()
        return self._read

    def take_focus(self) -> None:
        self.search.setFocus()

    def read_on(self) -> None:
        """Add the lines that have been written since, if there are any."""
        new = self._read_new()
        shown = matching(merged(*new.values()), self.level.currentData(), self.search.text())
        if shown:
            self._shown = (self._shown + shown)[-MOST_LINES:]
            self.text.appendPlainText("\n".join(line.written for line in shown))
            self._after_change()

    def _read_new(self) -> dict[str, list[LogLine]]:
        new = {log.source: log.read() for log in self._logs}
        for source, lines in new.items():
            self._read[source] = (self._read[source] + lines)[-MOST_LINES:]
        return new

    def _show_all(self) -> None:
        lines = merged(*self._read.values())
        self._shown = matching(lines, self.level.currentData(), self.search.text())
        self.text.setPlainText("\n".join(line.written for line in self._shown))
        self._after_change()

    def _after_change(self) -> None:
        if self._shown:
            self._count.setText(self.tr("%n line(s)", "", len(self._shown)))
        elif any(self._read.values()):
            self._count.setText(self.tr("No line matches"))
        else:
            self._count.setText(self.tr("Nothing has been written to %1 yet").replace("%1", str(self._folder)))
        if self.follow.isChecked():
            bar = self.text.verticalScrollBar()
            bar.setValue(bar.maximum())

    def _on_follow(self, follows: bool) -> None:
        self._watch()
        if follows:
            self._after_change()

    def _copy_lines(self) -> None:
        chosen = self.text.textCursor().selection().toPlainText()
        text = chosen or "\n".join(line.written for line in self._shown)
        QGuiApplication.clipboard().setText(text)
        self.copied.emit(len(text.splitlines()))

    def _watch(self) -> None:
        if self.isVisible() and self.follow.isChecked():
            self._timer.start()
        else:
            self._timer.stop()

    # Window events ------------------------------------------------------------------------------------------------

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._read_new()
        self._show_all()
        self._watch()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._timer.stop()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and not self.search.text():
            self.back_clicked.emit()
        elif event.key() == Qt.Key.Key_Escape:
            self.search.clear()
        else:
            super().keyPressEvent(event)

    # Assembly -----------------------------------------------------------------------------------------------------

    def _button(self, icon: str, name: str) -> IconButton:
        return IconButton(icon, name, self, size=18)

    def _build(self) -> None:
        back = IconButton("back", self.tr("Back"), self, size=20)
        back.clicked.connect(self.back_clicked)
        title = QLabel(self.tr("Logs"), self)
        title.setFont(scaled(self.font(), 1.6, weight=QFont.Weight.DemiBold))
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(back)
        head.addWidget(title, 1)
        for button in (self._report, self._copy, self._open):
            head.addWidget(button)
        tools = QWidget(self)
        flow = FlowLayout(tools, spacing=10)
        for widget in (self.level, self.search, self.follow, self._count):
            flow.addWidget(widget)
        box = QVBoxLayout(self)
        box.setContentsMargins(20, 16, 20, 16)
        box.setSpacing(10)
        box.addLayout(head)
        box.addWidget(
            MutedLabel(
                self.tr("What window and engine wrote down. What you write and what models answer is not in it.")
            )
        )
        box.addWidget(tools)
        box.addWidget(self.text, 1)


class LevelHighlighter(QSyntaxHighlighter):
    """Errors and warnings in colours of the theme."""

    def __init__(self, document: QTextDocument, page: QWidget) -> None:
        super().__init__(document)
        self._page = page

    def highlightBlock(self, text: str) -> None:
        start = text[:60]
        name = "danger" if " ERROR " in start or " CRITICAL " in start else "link" if " WARNING " in start else ""
        if name:
            look = QTextCharFormat()
            look.setForeground(QColor(getattr(colors_of(self._page.palette()), name)))
            self.setFormat(0, len(text), look)
