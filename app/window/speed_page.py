"""The speed page: how fast this computer runs models, measured now and before.

Owns the arrangement and its updates; when a measurement may run is decided by SpeedControl, and what is said about
copied and deleted reports by whoever assembles the window.
"""

from PySide6.QtCore import QEvent, Qt, QUrl, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QDesktopServices, QFont, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QComboBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.benchmarks import NEWER, UNREADABLE, ShownReport, SkippedFile
from app.error_text import ErrorText
from app.window.chat_control import ChatControl
from app.window.column import lay_in_column
from app.window.error_card import ErrorCard
from app.window.icons import IconButton, IconLabel
from app.window.labels import MutedLabel
from app.window.model_card import Card, ProgressLine
from app.window.model_control import ModelControl
from app.window.report_card import ReportCard
from app.window.speed_control import Measurement, SpeedControl
from app.window.theme import scaled
from app.window.wording import breakable

COLUMN_WIDTH = 900
NARROW_HEAD = 640  # below this width what measures has a row of its own
NAMED_FILES = 3  # of those left out; more are counted


class SpeedPage(QScrollArea):
    back_clicked = Signal()
    copy_asked = Signal(object)
    delete_asked = Signal(object)

    def __init__(
        self, speed: SpeedControl, models: ModelControl, chat: ChatControl, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._speed = speed
        self._models = models
        self._chat = chat
        self._cards: dict[str, ReportCard] = {}
        self._offered: list[tuple[str, str]] = []
        self._chosen = ""
        self._error: ErrorCard | None = None
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(self.tr("Speed"))

        self._running = MeasureCard(self)
        self._running.cancelled.connect(speed.cancel)
        self._errors = QVBoxLayout()
        self._skipped = SkippedNote(self)
        self._empty = EmptyHistory(self)
        self._list = QVBoxLayout()
        self._list.setSpacing(10)
        self._folder = QPushButton(self.tr("Open the folder of the reports"), self)
        self._folder.setAccessibleName(self.tr("Open the folder of the reports"))
        self._folder.setToolTip(str(speed.folder))
        self._folder.setProperty("kind", "inline")
        self._folder.clicked.connect(lambda: QDesktopServices.openUrl(QUrl.fromLocalFile(str(speed.folder))))

        box = QVBoxLayout()
        box.setContentsMargins(0, 16, 0, 24)
        box.setSpacing(12)
        box.addLayout(self._build_head())
        box.addWidget(
            MutedLabel(
                self.tr(
                    "A quick measurement of one model. Chatting pauses meanwhile: messages wait and are answered "
                    "afterwards. Close other programs first: they lower the figures."
                ),
                self,
            )
        )
        box.addWidget(self._running)
        box.addLayout(self._errors)
        box.addWidget(self._skipped)
        box.addWidget(self._empty)
        box.addLayout(self._list)
        box.addWidget(self._folder, 0, Qt.AlignmentFlag.AlignLeft)
        box.addStretch(1)
        lay_in_column(self, box, COLUMN_WIDTH)
        speed.changed.connect(self.refresh)
        speed.measured.connect(self._on_measured)
        models.changed.connect(self._show_controls)
        chat.state_changed.connect(self._show_controls)
        self.refresh()

    def _build_head(self) -> QBoxLayout:
        back = IconButton("back", self.tr("Back to the conversation"), self, size=20)
        back.clicked.connect(self.back_clicked)
        title = QLabel(self.tr("Speed"), self)
        title.setFont(scaled(self.font(), 1.6, weight=QFont.Weight.DemiBold))
        self._model = QComboBox(self)
        self._model.setAccessibleName(self.tr("Model to measure"))
        self._model.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self._model.setMinimumContentsLength(20)
        self._model.setMaximumWidth(300)
        self._model.activated.connect(self._choose)
        self._measure = QPushButton(self.tr("Measure now"), self)
        self._measure.setProperty("kind", "primary")
        self._measure.clicked.connect(lambda: self._speed.measure(str(self._model.currentData() or "")))
        name_row = QHBoxLayout()
        name_row.setSpacing(8)
        name_row.addWidget(back)
        name_row.addWidget(title, 1)
        tools = QHBoxLayout()
        tools.setSpacing(8)
        tools.addWidget(self._model, 1)
        tools.addWidget(self._measure)
        self._head = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._head.setSpacing(8)
        self._head.addLayout(name_row, 1)
        self._head.addLayout(tools)
        return self._head

    def resizeEvent(self, event: QResizeEvent) -> None:
        is_narrow = self.width() < NARROW_HEAD
        direction = QBoxLayout.Direction
        self._head.setDirection(direction.TopToBottom if is_narrow else direction.LeftToRight)
        super().resizeEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._speed.refresh()

    def event(self, event: QEvent) -> bool:
        """Somebody may have measured in a terminal and come back."""
        if event.type() == QEvent.Type.WindowActivate and self.isVisible():
            self._speed.refresh()
        return super().event(event)

    def refresh(self) -> None:
        history = self._speed.history
        self._show_controls()
        self._show_error()
        self._skipped.show_files(history.skipped)
        self._empty.setVisible(self._speed.is_read and not history.reports and self._speed.measurement is None)
        self._folder.setVisible(bool(history.reports or history.skipped))
        self._show_reports(history.reports)

    # Parts --------------------------------------------------------------------------------------------------------

    def _show_controls(self) -> None:
        self._offer_models()
        measurement = self._speed.measurement
        self._measure.setEnabled(measurement is None and bool(self._offered))
        self._measure.setAccessibleName(
            self.tr("Measure the speed of %1 now").replace("%1", self._model.currentText() or "–")
        )
        self._running.setVisible(measurement is not None)
        if measurement is not None:
            model = self._models.find(measurement.task.subject)
            name = model.name if model else measurement.task.subject
            self._running.show_measurement(name, measurement, self._waiting_words(), self._return_words())

    def _waiting_words(self) -> str:
        if self._chat.answering is not None:
            return self.tr("Waits until the answer that is being written is finished.")
        return self.tr("Waits until the model is loaded.")

    def _return_words(self) -> str:
        ready = self._models.ready
        words = self.tr("Chatting pauses until this is done.")
        if ready is not None:
            words += " " + self.tr("%1 is loaded again afterwards.").replace("%1", ready.model.name)
        return words

    def _offer_models(self) -> None:
        models = [(model.name, model.model_id) for model in self._models.models]
        current = self._models.current
        if models != self._offered:
            self._offered = models
            self._model.clear()
            for name, model_id in models:
                self._model.addItem(name, model_id)
                self._model.setItemData(self._model.count() - 1, name, Qt.ItemDataRole.ToolTipRole)
        wanted = self._chosen or (current.model_id if current else "")
        position = self._model.findData(wanted)
        if position >= 0 and position != self._model.currentIndex():
            self._model.setCurrentIndex(position)
        self._model.setEnabled(bool(models) and self._speed.measurement is None)
        self._model.setToolTip(self._model.currentText())

    def _choose(self) -> None:
        self._chosen = str(self._model.currentData() or "")
        self._show_controls()

    def _show_error(self) -> None:
        text = self._speed.error
        problem = self._speed.history.problem
        if text is None and problem:
            text = ErrorText(
                self.tr("The folder with the reports cannot be read: %1 (%2).")
                .replace("%1", str(self._speed.folder))
                .replace("%2", problem),
                self.tr("Check that it is a folder and that you may read it."),
            )
        if (self._error.text if self._error else None) == text:
            return
        if self._error is not None:
            _discard(self._errors, self._error)
            self._error = None
        if text is not None:
            actions = ((self.tr("Close"), self._speed.forget_error),) if self._speed.error else ()
            self._error = ErrorCard(text, actions, "", self)
            self._errors.addWidget(self._error)

    def _show_reports(self, reports: tuple[ShownReport, ...]) -> None:
        known = {report.key for report in reports}
        for key in [k for k in self._cards if k not in known]:
            _discard(self._list, self._cards.pop(key))
        for position, report in enumerate(reports):
            card = self._cards.get(report.key)
            if card is None:
                card = self._cards[report.key] = ReportCard(report, self)
                card.copy_clicked.connect(self.copy_asked)
                card.delete_clicked.connect(self._delete)
            if self._list.indexOf(card) != position:
                self._list.insertWidget(position, card)
            card.show_history(reports)

    def _delete(self, report: ShownReport) -> None:
        """The focus goes to a neighbour, since the button that has it goes away."""
        keys = [each.key for each in self._speed.history.reports]
        at = keys.index(report.key)
        neighbour = next((self._cards[k] for k in [*keys[at + 1 :], *reversed(keys[:at])] if k in self._cards), None)
        (neighbour.header if neighbour else self._measure).setFocus()
        self.delete_asked.emit(report)

    def _on_measured(self, report: ShownReport) -> None:
        self.refresh()
        card = self._cards.get(report.key)
        if card is not None:
            card.header.setChecked(True)
        self.verticalScrollBar().setValue(0)
        words = self.tr("The measurement is done.")
        if report.decode is not None:
            words += " " + report.decode.words
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, words))


class MeasureCard(Card):
    """The measurement under way, what it means for the chat, and a button that ends it."""

    cancelled = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name = QLabel(self)
        self._name.setFont(scaled(self.font(), 1.0, weight=QFont.Weight.DemiBold))
        self._name.setTextFormat(Qt.TextFormat.PlainText)
        self._name.setWordWrap(True)
        self._line = ProgressLine(self)
        self._line.cancelled.connect(self.cancelled)
        self._words = MutedLabel(parent=self)
        box = QVBoxLayout(self)
        box.setContentsMargins(16, 12, 12, 13)
        box.setSpacing(7)
        box.addWidget(self._name)
        box.addWidget(self._line)
        box.addWidget(self._words)
        self.hide()

    def show_measurement(self, name: str, measurement: Measurement, waiting: str, meanwhile: str) -> None:
        self._name.setText(breakable(self.tr("Measuring %1").replace("%1", name)))
        self._line.show_task(measurement.task)
        if measurement.is_stopping:
            self._words.setText(self.tr("Stopping…"))
        else:
            self._words.setText(breakable(meanwhile if measurement.is_running else waiting))


class EmptyHistory(QWidget):
    """What is said while nothing has been measured."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        title = QLabel(self.tr("Nothing has been measured yet"), self)
        title.setFont(scaled(self.font(), 1.2, weight=QFont.Weight.DemiBold))
        hint = MutedLabel(
            self.tr("Measure a model here, or run “ember bench” in a terminal: reports of both are kept on this page."),
            self,
        )
        hint.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 56, 0, 40)
        box.setSpacing(10)
        box.addWidget(IconLabel("gauge", "muted", 44, self), 0, Qt.AlignmentFlag.AlignHCenter)
        box.addWidget(title, 0, Qt.AlignmentFlag.AlignHCenter)
        box.addWidget(hint)
        self.hide()


class SkippedNote(QWidget):
    """Names files of the folder that are not shown; they are left as they are."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = MutedLabel(parent=self, factor=0.93)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(IconLabel("info", "muted", 16, self), 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self._words, 1)
        self.hide()

    def show_files(self, files: tuple[SkippedFile, ...]) -> None:
        self.setVisible(bool(files))
        named = [f"{file.path.name} ({self._reason(file)})" for file in files[:NAMED_FILES]]
        if len(files) > NAMED_FILES:
            named.append(self.tr("%1 more").replace("%1", str(len(files) - NAMED_FILES)))
        words = self.tr("Not shown, and left as they are: %1.").replace("%1", ", ".join(named))
        self._words.setText(breakable(words))
        self.setToolTip("\n".join(f"{file.path.name}: {file.detail or self._reason(file)}" for file in files[:20]))

    def _reason(self, file: SkippedFile) -> str:
        if file.reason == NEWER:
            return self.tr("written by a later Ember")
        if file.reason == UNREADABLE:
            return self.tr("cannot be read")
        return self.tr("no report, or a damaged one")


def _discard(layout: QVBoxLayout, widget: QWidget) -> None:
    layout.removeWidget(widget)
    widget.hide()
    widget.deleteLater()
