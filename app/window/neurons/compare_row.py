"""A prompt to compare: answered exactly and by a tier of the model that is loaded.

Shows which tiers there are; the comparison itself is ComparisonControl's.
"""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QComboBox, QHBoxLayout, QLabel, QLineEdit, QPushButton, QVBoxLayout, QWidget

from app.neuron_words import tier_name
from app.window.labels import MutedLabel
from app.window.model_control import ModelControl
from app.window.neurons.comparison_control import ComparisonControl
from app.window.theme import scaled
from app.window.wording import breakable
from engine.messages import ModelInfo
from engine.neuron_reports import TierReport

NARROW = 460  # below this width the prompt has a row of its own


class CompareRow(QWidget):
    """A prompt for both: answered exactly and by a tier, beside each other."""

    asked = Signal(str, str)
    """A prompt and a tier."""

    def __init__(self, models: ModelControl, comparison: ComparisonControl, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._models = models
        self._comparison = comparison
        self._model_id = ""
        title = QLabel(self.tr("See the difference"), self)
        title.setFont(scaled(self.font(), 0.96, weight=QFont.Weight.DemiBold))
        self._words = MutedLabel(parent=self, factor=0.93)
        self.prompt = QLineEdit(self)
        self.prompt.setPlaceholderText(self.tr("For example: Explain how rain forms"))
        self.prompt.setAccessibleName(self.tr("Prompt to compare answers to"))
        self.prompt.setMinimumWidth(120)
        self.prompt.returnPressed.connect(self._ask)
        self.prompt.textChanged.connect(self._show_button)
        self.tier = QComboBox(self)
        self.tier.setAccessibleName(self.tr("Tier to compare with exact"))
        self.go = QPushButton(self.tr("Compare"), self)
        self.go.setAccessibleName(self.tr("Compare exact with the tier"))
        self.go.clicked.connect(self._ask)
        self.load = QPushButton(self.tr("Load this model"), self)
        self.load.setAccessibleName(self.load.text())
        self.load.clicked.connect(lambda: models.load(self._model_id))
        self._fields = QWidget(self)
        tools = QHBoxLayout()
        tools.setSpacing(8)
        tools.addWidget(self.tier)
        tools.addWidget(self.go)
        tools.addStretch(1)
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight, self._fields)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(8)
        self._row.addWidget(self.prompt, 1)
        self._row.addLayout(tools)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 8, 0, 0)
        box.setSpacing(6)
        box.addWidget(title)
        box.addWidget(self._words)
        box.addWidget(self._fields)
        box.addWidget(self.load, 0, Qt.AlignmentFlag.AlignLeft)

    def resizeEvent(self, event: QResizeEvent) -> None:
        is_narrow = self.width() < NARROW
        direction = QBoxLayout.Direction
        self._row.setDirection(direction.TopToBottom if is_narrow else direction.LeftToRight)
        super().resizeEvent(event)

    def show_model(self, model: ModelInfo | None, report: TierReport | None) -> None:
        """The model shown, and its tiers as measured; only the loaded one can answer."""
        ready = self._models.ready
        is_loaded = ready is not None and model is not None and ready.model.model_id == model.model_id
        tiers = self._comparison.tiers if is_loaded else ()
        has_measured = report is not None and len(report.tiers) > 1
        self.setVisible(bool(tiers) or (has_measured and not is_loaded))
        self._model_id = model.model_id if model else ""
        self._fields.setVisible(bool(tiers))
        self.load.setVisible(not is_loaded)
        if not is_loaded and model is not None:
            self.load.setAccessibleName(self.tr("Load %1").replace("%1", model.name))
            words = self.tr("%1 is not loaded; once it is, it can answer exactly and by a tier.")
            self._words.setText(breakable(words.replace("%1", model.name)))
        else:
            self._words.setText(self.tr("One prompt, answered exactly and by a tier, with the same seed."))
        shown = [self.tier.itemData(i) for i in range(self.tier.count())]
        if shown != list(tiers):
            self.tier.clear()
            for tier in tiers:
                self.tier.addItem(tier_name(tier), tier)
        self._show_button()

    def _show_button(self) -> None:
        self.go.setEnabled(self._can_ask())

    def _can_ask(self) -> bool:
        return bool(self.prompt.text().strip()) and self.tier.count() > 0 and self._comparison.task is None

    def _ask(self) -> None:
        if self._can_ask():
            self.asked.emit(self.prompt.text(), str(self.tier.currentData()))
