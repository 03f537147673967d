"""The page on a model's neurons: what is known of them, and the studies that find it out.

Owns the arrangement and its updates; when a study may run is decided by StudyControl, and files and folders are asked
for by whoever assembles the window.
"""

from pathlib import Path

from PySide6.QtCore import QBuffer, QIODevice, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QFont,
    QHideEvent,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import (
    QBoxLayout,
    QComboBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.engine_phrases import feed_forward_words
from app.neuron_html import study_to_html
from app.neuron_words import study_name
from app.window.chat_control import ChatControl
from app.window.column import lay_in_column
from app.window.error_card import ErrorCard
from app.window.icons import IconButton
from app.window.labels import MutedLabel
from app.window.model_control import MEASURING, ModelControl
from app.window.neurons.compare_row import CompareRow
from app.window.neurons.comparison_control import ComparisonControl
from app.window.neurons.learning_choice import LearningChoice
from app.window.neurons.study_card import StudyCard, StudyState
from app.window.neurons.study_control import StudyControl
from app.window.neurons.study_details import HTML, JSON, PICTURE
from app.window.settings_control import SettingsControl
from app.window.theme import scaled
from app.window.wording import breakable
from engine.messages import ModelInfo
from engine.neuron_reports import STUDIES, StudyReport, TierReport, study_to_json

COLUMN_WIDTH = 900
NARROW_HEAD = 640  # below this width what is chosen has a row of its own
NEED_SILENCE = ("predictors", "tiers")  # studies of neurons that can be silent
_BUNDLED, _OWN = "bundled", "own"


class NeuronsPage(QScrollArea):
    back_clicked = Signal()
    texts_asked = Signal()
    """The user's own text files are to be chosen."""

    save_asked = Signal(str, str, bytes)
    """A file's suggested name, its kind (json, html, png), and its content."""

    compare_asked = Signal(str, str)
    """A prompt and a tier."""

    def __init__(
        self,
        studies: StudyControl,
        models: ModelControl,
        chat: ChatControl,
        comparison: ComparisonControl,
        settings: SettingsControl,
        library: Path,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._studies = studies
        self._models = models
        self._chat = chat
        self._offered: list[tuple[str, str]] = []
        self._error: ErrorCard | None = None
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(self.tr("Neurons"))

        self._errors = QVBoxLayout()
        self._waits = MutedLabel(parent=self)
        self.learning = LearningChoice(settings, library, self)
        self.learning.forget_asked.connect(studies.forget_chats)
        self.compare = CompareRow(models, comparison, self)
        self.compare.asked.connect(self.compare_asked)
        self.cards = {study: StudyCard(study, self) for study in STUDIES}
        self.cards["profile"].add_below(self.learning)
        self.cards["tiers"].add_below(self.compare)
        box = QVBoxLayout()
        box.setContentsMargins(0, 16, 0, 24)
        box.setSpacing(12)
        box.addLayout(self._build_head())
        box.addWidget(
            MutedLabel(
                self.tr(
                    "Which neurons of a model are at work, and how many can be left out. A study takes minutes or more "
                    "and may be paused at any time. Chatting pauses meanwhile: messages wait and are answered "
                    "afterwards."
                ),
                self,
            )
        )
        box.addLayout(self._build_texts())
        box.addLayout(self._errors)
        box.addWidget(self._waits)
        for study, card in self.cards.items():
            card.start_clicked.connect(lambda s, resumed: studies.start(s, is_resumed=resumed))
            card.pause_clicked.connect(studies.pause)
            card.error_closed.connect(studies.forget_error)
            card.save_asked.connect(self._save)
            box.addWidget(self.cards[study])
        box.addStretch(1)
        self._column = lay_in_column(self, box, COLUMN_WIDTH)
        studies.changed.connect(self.refresh)
        studies.studied.connect(self._on_studied)
        models.changed.connect(self.refresh)
        chat.state_changed.connect(self.refresh)
        self.refresh()

    def _build_head(self) -> QBoxLayout:
        back = IconButton("back", self.tr("Back to the conversation"), self, size=20)
        back.clicked.connect(self.back_clicked)
        title = QLabel(self.tr("Neurons"), self)
        title.setFont(scaled(self.font(), 1.6, weight=QFont.Weight.DemiBold))
        self._model = QComboBox(self)
        self._model.setAccessibleName(self.tr("Model to study"))
        self._model.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self._model.setMinimumContentsLength(20)
        self._model.setMaximumWidth(300)
        self._model.activated.connect(lambda: self._studies.choose(str(self._model.currentData() or "")))
        name_row = QHBoxLayout()
        name_row.setSpacing(8)
        name_row.addWidget(back)
        name_row.addWidget(title, 1)
        self._head = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._head.setSpacing(8)
        self._head.addLayout(name_row, 1)
        self._head.addWidget(self._model)
        return self._head

    def _build_texts(self) -> QHBoxLayout:
        self._text = QComboBox(self)
        self._text.setAccessibleName(self.tr("Text that studies read"))
        self._text.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self._text.setMinimumContentsLength(18)
        self._text.activated.connect(self._choose_text)
        label = MutedLabel(self.tr("Studies read:"), self, wraps=False)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(label)
        row.addWidget(self._text)
        row.addStretch(1)
        return row

    def resizeEvent(self, event: QResizeEvent) -> None:
        is_narrow = self.width() < NARROW_HEAD
        direction = QBoxLayout.Direction
        self._head.setDirection(direction.TopToBottom if is_narrow else direction.LeftToRight)
        super().resizeEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._studies.watch(True)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._studies.watch(False)

    # What is shown ------------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        if not self.isVisible():
            return
        studies = self._studies
        self._offer_models()
        self._offer_texts()
        self._show_error()
        model = studies.model
        is_known = studies.known is not None or studies.running is not None
        first = next((s for s in STUDIES if self._is_open_to(s, model)), "")
        for study, card in self.cards.items():
            running = studies.running if studies.running and studies.running.spec.study == study else None
            card.setVisible(is_known and model is not None)
            card.show_state(
                StudyState(
                    studies.report(study),
                    studies.share_done(study),
                    studies.is_stale(study),
                    studies.is_damaged(study),
                    studies.error(study),
                    running,
                    studies.seconds_left,
                    self._meanwhile_words(),
                    self._impossible_words(study, model),
                    studies.running is None,
                    study == first,
                )
            )
        self.learning.show_counted(studies.known.chat_tokens if studies.known else 0)
        waits = ""
        if model is None:
            waits = self.tr("There is no model in the library. Import one on the models page.")
        elif not is_known and studies.read_error is None:
            waits = self.tr("Reading what is known of %1…").replace("%1", model.name)
        self._waits.setText(breakable(waits))
        self._waits.setVisible(bool(waits))
        report = studies.report("tiers")
        self.compare.show_model(model, report if isinstance(report, TierReport) else None)

    def _is_open_to(self, study: str, model: ModelInfo | None) -> bool:
        """Whether a study is possible, and was neither made nor begun."""
        studies = self._studies
        was_begun = studies.report(study) is not None or studies.share_done(study) is not None
        return not was_begun and not self._impossible_words(study, model)

    def _meanwhile_words(self) -> str:
        running = self._studies.running
        if running is None:
            return ""
        if running.is_running:
            words = self.tr("Chatting pauses until this is done or paused.")
            ready = self._models.ready
            if ready is not None:
                words += " " + self.tr("%1 is loaded again afterwards.").replace("%1", ready.model.name)
            return words
        if self._chat.answering is not None:
            return self.tr("Waits until the answer that is being written is finished.")
        if self._models.state == MEASURING:
            return self.tr("Waits until the speed measurement is done.")
        return self.tr("Waits until the model is loaded.")

    def _impossible_words(self, study: str, model: ModelInfo | None) -> str:
        if study not in NEED_SILENCE or model is None or model.is_sparse or not model.feed_forward:
            return ""
        words = self.tr(
            "Not for this model: none of its neurons is ever exactly silent (%1). Its census says how few carry the "
            "activity, and what silencing small activations would cost."
        )
        return words.replace("%1", feed_forward_words(model.feed_forward))

    def _offer_models(self) -> None:
        """The loaded model comes first."""
        current = self._models.current
        models = sorted(self._models.models, key=lambda m: current is None or m.model_id != current.model_id)
        offered = [(model.name, model.model_id) for model in models]
        if offered != self._offered:
            self._offered = offered
            self._model.clear()
            for name, model_id in offered:
                self._model.addItem(name, model_id)
                self._model.setItemData(self._model.count() - 1, name, Qt.ItemDataRole.ToolTipRole)
        shown = self._studies.model
        position = self._model.findData(shown.model_id) if shown else -1
        if position >= 0 and position != self._model.currentIndex():
            self._model.setCurrentIndex(position)
        self._model.setEnabled(bool(offered) and self._studies.running is None)
        self._model.setToolTip(self._model.currentText())

    def _offer_texts(self) -> None:
        paths = self._studies.texts
        names = ", ".join(Path(path).name for path in paths)
        own = self.tr("my own text files…")
        if paths:
            own = self.tr("1 file of mine") if len(paths) == 1 else self.tr("%1 files of mine")
            own = own.replace("%1", str(len(paths)))
        items = [(self.tr("the bundled text"), _BUNDLED), (own, _OWN)]
        if paths:
            items.append((self.tr("other files of mine…"), _OWN))
        if [self._text.itemText(i) for i in range(self._text.count())] != [words for words, _ in items]:
            self._text.clear()
            for words, which in items:
                self._text.addItem(words, which)
        self._text.setCurrentIndex(1 if paths else 0)
        self._text.setEnabled(self._studies.running is None)
        bundled = self.tr("English prose, Chinese, code and dialogue, which come with Ember")
        self._text.setToolTip(names or bundled)

    def _choose_text(self, at: int) -> None:
        if self._text.itemData(at) == _BUNDLED:
            self._studies.use_texts(())
        elif at != 1 or not self._studies.texts:
            self.texts_asked.emit()
        self._offer_texts()

    def _show_error(self) -> None:
        text = self._studies.read_error
        if (self._error.text if self._error else None) == text:
            return
        if self._error is not None:
            self._errors.removeWidget(self._error)
            self._error.hide()
            self._error.deleteLater()
            self._error = None
        if text is not None:
            self._error = ErrorCard(text, ((self.tr("Try again"), self._studies.refresh),), "", self)
            self._errors.addWidget(self._error)

    # What is asked ------------------------------------------------------------------------------------------------

    def _on_studied(self, study: str, _report: StudyReport) -> None:
        card = self.cards[study]
        self.refresh()
        card.open(True)
        words = self.tr("The study is done: %1.").replace("%1", study_name(study))
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, words))

    def _save(self, study: str, form: str) -> None:
        report = self._studies.report(study)
        card = self.cards[study]
        if report is None:
            return
        name = f"{report.head.subject.model_id}-{study}"
        if form == JSON:
            self.save_asked.emit(f"{name}.json", JSON, study_to_json(report).encode())
        elif form == HTML:
            self.save_asked.emit(f"{name}.html", HTML, study_to_html(report).encode())
        else:
            subject = card if form == PICTURE else self._column
            buffer = QBuffer()
            buffer.open(QIODevice.OpenModeFlag.WriteOnly)
            subject.grab().save(buffer, "PNG")
            name = name if form == PICTURE else f"{report.head.subject.model_id}-neurons"
            self.save_asked.emit(f"{name}.png", "png", bytes(buffer.data().data()))
