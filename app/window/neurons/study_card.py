"""One study of a model's neurons as a card: what it tells, whether it was made, how far it is, and what it found.

Shows what it is told; what its buttons mean is decided by whoever listens.
"""

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.error_text import ErrorText
from app.language import in_a_row
from app.neuron_text import study_headline
from app.neuron_words import duration, refused_words, study_name
from app.time_left import time_left_words
from app.window.error_card import ErrorCard
from app.window.icons import IconLabel
from app.window.labels import MutedLabel
from app.window.model_card import Card, ProgressLine
from app.window.neurons.study_control import RunningStudy
from app.window.neurons.study_details import StudyDetails
from app.window.theme import scaled
from app.window.wording import breakable, created_words, number, tied
from engine.neuron_reports import StudyReport, TierReport


@dataclass(frozen=True, slots=True)
class StudyState:
    """What a card shows of a study.

    share_done    of an unfinished one, else None
    running       this study, waiting or running
    seconds_left  of the running phase, where that can be said
    meanwhile     what a running study means for the chat, or what a waiting one waits for
    impossible    why this model cannot be studied so; empty where it can
    can_start     whether the engine is free of other studies
    is_next       whether this is the study to begin with
    """

    report: StudyReport | None
    share_done: float | None
    is_stale: bool
    is_damaged: bool
    error: ErrorText | None
    running: RunningStudy | None
    seconds_left: float | None
    meanwhile: str
    impossible: str
    can_start: bool
    is_next: bool


class StudyCard(Card):
    start_clicked = Signal(str, bool)
    """The study, and whether it goes on from where it was left."""

    pause_clicked = Signal()
    error_closed = Signal(str)
    save_asked = Signal(str, str)
    """The study, and the form: see StudyDetails."""

    def __init__(self, study: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.study = study
        self.details: StudyDetails | None = None
        self._report: StudyReport | None = None
        self._is_open = False
        self._error: ErrorCard | None = None
        self._name = study_name(study)
        title = QLabel(self._name, self)
        title.setFont(scaled(self.font(), 1.1, weight=QFont.Weight.DemiBold))
        self._resume = self._button(self.tr("Continue"), "primary")
        self._resume.setAccessibleName(self.tr("Continue: %1").replace("%1", self._name))
        self._resume.clicked.connect(lambda: self.start_clicked.emit(study, True))
        self._start = self._button(self.tr("Start"), "plain")
        self._start.setAccessibleName(self.tr("Start: %1").replace("%1", self._name))
        self._start.clicked.connect(lambda: self.start_clicked.emit(study, False))
        self._words = QLabel(self)
        self._words.setTextFormat(Qt.TextFormat.PlainText)
        self._words.setWordWrap(True)
        self._about = MutedLabel(parent=self)
        self._origin = MutedLabel(parent=self, factor=0.9)
        self._note = NoteLine(self)
        self._line = ProgressLine(self, self.tr("Pause"))
        self._line.cancelled.connect(self.pause_clicked)
        self._meanwhile = MutedLabel(parent=self, factor=0.9)
        self._errors = QVBoxLayout()
        self._toggle = self._button(self.tr("Show the figures"), "flush")
        self._toggle.setAccessibleName(self.tr("Show the figures: %1").replace("%1", self._name))
        self._toggle.clicked.connect(lambda: self.open(not self._is_open))
        self._place = QVBoxLayout()
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(title, 1)
        head.addWidget(self._resume)
        head.addWidget(self._start)
        self._box = QVBoxLayout(self)
        self._box.setContentsMargins(18, 14, 18, 14)
        self._box.setSpacing(7)
        self._box.addLayout(head)
        for widget in (self._words, self._about, self._origin, self._note, self._line, self._meanwhile):
            self._box.addWidget(widget)
        self._box.addLayout(self._errors)
        self._box.addWidget(self._toggle, 0, Qt.AlignmentFlag.AlignLeft)
        self._box.addLayout(self._place)

    @property
    def is_open(self) -> bool:
        return self._is_open

    def add_below(self, widget: QWidget) -> None:
        """Something that belongs to this study, below what it found."""
        self._box.addWidget(widget)

    def take_focus(self) -> None:
        """To what the card is about: its figures, else what starts it."""
        (self._toggle if self._report is not None else self._start).setFocus()

    def open(self, is_open: bool) -> None:
        """Show or hide what the study found; made when it is asked for first."""
        self._is_open = is_open and self._report is not None
        if self._is_open and self.details is None and self._report is not None:
            self.details = StudyDetails(self.study, self._report, self)
            self.details.save_asked.connect(lambda form: self.save_asked.emit(self.study, form))
            self._place.addWidget(self.details)
        if self.details is not None:
            self.details.setVisible(self._is_open)
        words = self.tr("Hide the figures") if self._is_open else self.tr("Show the figures")
        self._toggle.setText(words)
        self._toggle.setAccessibleName(f"{words}: {self._name}")

    def show_state(self, state: StudyState) -> None:
        self._show_report(state.report)
        is_idle = state.running is None
        is_unfinished = is_idle and state.share_done is not None and not state.impossible
        self._resume.setVisible(is_unfinished)
        self._resume.setEnabled(state.can_start)
        self._start.setVisible(is_idle and not state.impossible)
        self._start.setEnabled(state.can_start)
        has_any = state.report is not None or state.is_stale or state.is_damaged
        start = self.tr("Start anew") if is_unfinished else self.tr("Run again") if has_any else self.tr("Start")
        kind = "primary" if state.is_next else "plain"
        if (start, kind) != (self._start.text(), self._start.property("kind")):
            self._start.setText(start)
            self._start.setAccessibleName(f"{start}: {self._name}")
            self._start.setProperty("kind", kind)
            self._start.style().unpolish(self._start)
            self._start.style().polish(self._start)
        self._about.setText(state.impossible or about_words(self.study))
        self._about.setVisible(state.report is None or bool(state.impossible))
        self._note.show_text(self._note_words(state))
        self._line.setVisible(state.running is not None)
        self._meanwhile.setVisible(state.running is not None)
        if state.running is not None:
            left = "" if state.seconds_left is None else time_left_words(state.seconds_left)
            self._line.show_task(state.running.task, left)
            stopping = self.tr("Pausing; what has been found so far is kept…")
            self._meanwhile.setText(breakable(stopping if state.running.is_stopping else state.meanwhile))
        self._show_error(state.error)

    # Parts --------------------------------------------------------------------------------------------------------

    def _show_report(self, report: StudyReport | None) -> None:
        self._words.setVisible(report is not None)
        self._origin.setVisible(report is not None)
        self._toggle.setVisible(report is not None)
        if report is self._report or report == self._report:
            return
        was_open = self._is_open
        if self.details is not None:
            self._place.removeWidget(self.details)
            self.details.hide()
            self.details.deleteLater()
            self.details = None
        self._report = report
        if report is not None:
            self._words.setText(breakable(tied(headline_words(report))))
            self._origin.setText(origin_words(report))
        self.open(was_open)

    def _note_words(self, state: StudyState) -> str:
        if state.running is not None:
            return ""
        if state.share_done is not None and not state.impossible:
            words = self.tr("Paused at %1 %; it can go on from there.")
            return words.replace("%1", number(100 * state.share_done))
        if state.is_damaged:
            return self.tr("The report of this study is damaged and cannot be read. Run it again, which replaces it.")
        if state.is_stale:
            return self.tr(
                "The model was packed anew since this was studied: the figures are of other weights. Run it again."
            )
        return ""

    def _show_error(self, error: ErrorText | None) -> None:
        if (self._error.text if self._error else None) == error:
            return
        if self._error is not None:
            self._errors.removeWidget(self._error)
            self._error.hide()
            self._error.deleteLater()
            self._error = None
        if error is not None:
            again = (self.tr("Try again"), lambda: self.start_clicked.emit(self.study, True))
            close = (self.tr("Close"), lambda: self.error_closed.emit(self.study))
            self._error = ErrorCard(error, (again, close), "", self)
            self._errors.addWidget(self._error)

    def _button(self, text: str, kind: str) -> QPushButton:
        button = QPushButton(text, self)
        button.setAccessibleName(text)
        button.setProperty("kind", kind)
        return button


class NoteLine(QWidget):
    """A line with a mark; hidden where there is nothing to say."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.label = MutedLabel(parent=self, factor=0.93)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(IconLabel("info", "muted", 16, self), 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self.label, 1)
        self.hide()

    def show_text(self, text: str) -> None:
        self.label.setText(text)
        self.setVisible(bool(text))


def headline_words(report: StudyReport) -> str:
    """What a study found, in a sentence; tiers also say what is not offered."""
    words = study_headline(report)
    words = words[:1].upper() + words[1:]
    if isinstance(report, TierReport):
        words = in_a_row(words, *map(refused_words, report.refused))
    return words


def origin_words(report: StudyReport) -> str:
    """When a study was made, from how much text, and how long it took."""
    head = report.head
    text = _tr("%1 tokens of text").replace("%1", number(head.n_tokens))
    return " · ".join((created_words(head.created), text, _tr("took %1").replace("%1", duration(head.elapsed_s))))


def about_words(study: str) -> str:
    """What a study tells, and how long it takes."""
    return {
        "census": _tr(
            "What the neurons do while the model reads ordinary text: how many are silent for a token, how few carry "
            "the activity, and how much of that changes with the next token. A few minutes for a small model."
        ),
        "profile": _tr(
            "Which neurons matter for prose, Chinese, code and dialogue, and how many of them are the same. "
            "A few minutes for a small model."
        ),
        "predictors": _tr(
            "Whether the active neurons of a layer can be named before they are computed, and the bytes that saves. "
            "Predictors are trained for it here: up to half an hour for a small model."
        ),
        "oracle": _tr(
            "How few neurons and attention heads would suffice for the same predictions, if it were known beforehand "
            "which: what no predictor can better. Some minutes for a small model."
        ),
        "tiers": _tr(
            "How much can be left out at a loss that is measured and stated, and what it brings in speed. What holds "
            "what it promises can be chosen for answers afterwards. Up to half an hour for a small model."
        ),
    }[study]


def _tr(text: str) -> str:
    return QCoreApplication.translate("StudyCard", text)
