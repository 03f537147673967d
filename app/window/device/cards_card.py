"""The cards of this computer: which there are, who uses them, which one Ember uses, and what to do where none can be.

Owns the list and the choice; a demonstration is none of them and stands apart. What a choice means is decided by
DeviceControl.
"""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import (
    QButtonGroup,
    QComboBox,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from app.device_figures import facts_segments
from app.device_words import (
    ASSUMABLE_CARDS,
    DEMONSTRATION,
    assumed_words,
    card_facts_words,
    card_users_words,
    rate_words,
    real_cards,
    state_words,
)
from app.language import in_a_row
from app.window.device.budget_card import curve_data
from app.window.device.device_control import AUTO, EMULATED, DeviceControl, words
from app.window.device.figures import DemonstrationRibbon, Heading
from app.window.device.memory_bar import MemoryBar
from app.window.icons import IconLabel
from app.window.labels import MutedLabel
from app.window.model_card import Card
from app.window.neurons.plot import Plot
from app.window.theme import scaled
from app.window.wording import breakable
from engine.placement_reports import CardFacts, DeviceReport, PlacementOffer


class CardsCard(Card):
    def __init__(self, device: DeviceControl, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._device = device
        self._shown: object = None
        self.setAccessibleName(self.tr("Graphics cards"))
        self._heading = Heading(self.tr("Graphics card"), self)
        self._demonstration = DemonstrationRibbon(self)
        self._cause = QLabel(self)
        self._cause.setTextFormat(Qt.TextFormat.PlainText)
        self._cause.setWordWrap(True)
        self._action = MutedLabel(parent=self)
        for label in (self._cause, self._action):
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._versions = MutedLabel(parent=self, factor=0.93)
        self._group = QButtonGroup(self)
        self._automatic = QRadioButton(self.tr("The one with most free memory"), self)
        self._automatic.setAccessibleName(self.tr("Use the card with most free memory"))
        self._automatic.clicked.connect(lambda: device.choose_card(AUTO))
        self._group.addButton(self._automatic)
        self.rows: list[CardRow] = []
        self._list = QVBoxLayout()
        self._list.setSpacing(12)
        self.demonstrate = QPushButton(self.tr("Try a demonstration on the processor"), self)
        self.demonstrate.setAccessibleName(self.demonstrate.text())
        self.demonstrate.setProperty("kind", "flush")
        self.demonstrate.clicked.connect(self._toggle_demonstration)
        self._restart = RestartRow(self)
        self._restart.clicked.connect(device.restart)
        box = QVBoxLayout(self)
        box.setContentsMargins(16, 14, 16, 15)
        box.setSpacing(9)
        for part in (self._heading, self._demonstration, self._cause, self._action, self._versions):
            box.addWidget(part)
        box.addLayout(self._list)
        box.addWidget(self._automatic)
        box.addWidget(self._restart)
        box.addWidget(self.demonstrate, 0, Qt.AlignmentFlag.AlignLeft)

    @property
    def cause(self) -> str:
        return self._cause.text()

    @property
    def action(self) -> str:
        return self._action.text()

    def refresh(self) -> None:
        device, report = self._device, self._device.report
        self._restart.setVisible(device.needs_restart)
        self._restart.show_state(can_restart=device.can_restart)
        if report is None:
            return
        is_demonstration = report.state == EMULATED
        cards = real_cards(report)
        self._heading.setText(self.tr("Graphics cards") if len(cards) > 1 else self.tr("Graphics card"))
        self._demonstration.setVisible(is_demonstration)
        text = state_words(report, words)
        self._cause.setText(breakable(text.cause.removeprefix(DEMONSTRATION).strip()))
        self._cause.setVisible(not is_demonstration and report.state != "usable")
        self._action.setText(breakable(text.action))
        self._action.setVisible(bool(self._action.text()))
        self._versions.setText(self._version_words(report))
        self._versions.setVisible(bool(self._versions.text()))
        has_choice = report.state == "usable" and (len(cards) > 1 or not report.chosen_uuid)
        self._automatic.setVisible(has_choice)
        self._automatic.setChecked(device.card == AUTO)
        self._show_cards(cards, report, has_choice=has_choice)
        wants_demonstration = device.card == EMULATED
        self.demonstrate.setVisible(wants_demonstration or report.state not in ("usable", EMULATED))
        label = self.tr("Try a demonstration on the processor")
        if wants_demonstration:
            label = self.tr("End the demonstration")
        self.demonstrate.setText(label)
        self.demonstrate.setAccessibleName(label)

    def _show_cards(self, cards: tuple[CardFacts, ...], report: DeviceReport, *, has_choice: bool) -> None:
        if [row.card.uuid for row in self.rows] != [card.uuid for card in cards]:
            for row in self.rows:
                self._group.removeButton(row.choice)
                self._list.removeWidget(row)
                row.hide()
                row.deleteLater()
            self.rows = []
            for card in cards:
                row = CardRow(card, self)
                row.choice.clicked.connect(lambda _=False, uuid=card.uuid: self._device.choose_card(uuid))
                self._group.addButton(row.choice)
                self._list.addWidget(row)
                self.rows.append(row)
        for row, card in zip(self.rows, cards, strict=True):
            is_used = report.state == "usable" and card.uuid == report.chosen_uuid
            row.show_card(card, is_used=is_used, has_choice=has_choice, is_wished=card.uuid == self._device.card)

    def _version_words(self, report: DeviceReport) -> str:
        parts = [self.tr("driver %1").replace("%1", report.driver)] if report.driver else []
        if report.cupy:
            parts.append(f"CuPy {report.cupy}")
        return " · ".join(parts)

    def _toggle_demonstration(self) -> None:
        self._device.choose_card(AUTO if self._device.card == EMULATED else EMULATED)


class CardRow(QWidget):
    """One card: its name, memory and link, who uses it; where there are two, it can be chosen."""

    def __init__(self, card: CardFacts, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.card = card
        self.choice = QRadioButton(self)
        self.choice.setAccessibleName(card.name)
        self._name = QLabel(self)
        self._name.setFont(scaled(self.font(), 1.0, weight=QFont.Weight.DemiBold))
        self._name.setTextFormat(Qt.TextFormat.PlainText)
        self._name.setWordWrap(True)
        self._used = MutedLabel(parent=self, factor=0.93, wraps=False)
        self._tick = IconLabel("check", "good", 16, self)
        self._facts = MutedLabel(parent=self)
        self._users = MutedLabel(parent=self, factor=0.93)
        self._bar = MemoryBar(self)
        head = QHBoxLayout()
        head.setSpacing(7)
        head.addWidget(self._name, 1)
        head.addWidget(self._tick, 0, Qt.AlignmentFlag.AlignTop)
        head.addWidget(self._used, 0, Qt.AlignmentFlag.AlignTop)
        lines = QVBoxLayout()
        lines.setSpacing(4)
        lines.addLayout(head)
        lines.addWidget(self._facts)
        lines.addWidget(self._bar)
        lines.addWidget(self._users)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 2, 0, 2)
        row.setSpacing(9)
        row.addWidget(self.choice, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(lines, 1)

    @property
    def facts(self) -> str:
        return self._facts.text()

    @property
    def users(self) -> str:
        return self._users.text()

    def show_card(self, card: CardFacts, *, is_used: bool, has_choice: bool, is_wished: bool) -> None:
        self.card = card
        self._name.setText(breakable(card.name))
        self._facts.setText(card_facts_words(card, words))
        self._users.setText(breakable(card_users_words(card, words)))
        self._bar.show_segments(facts_segments(card))
        self._used.setText(self.tr("in use") if is_used else self.tr("too old") if card.is_too_old else "")
        self._used.setVisible(is_used or card.is_too_old)
        self._tick.setVisible(is_used)
        self.choice.setVisible(has_choice)
        self.choice.setEnabled(not card.is_too_old)
        self.choice.setChecked(is_wished)
        self.choice.setAccessibleName(self.tr("Use %1").replace("%1", card.name))


class RestartRow(QWidget):
    """Another card takes effect with another engine."""

    clicked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = QLabel(self)
        self._words.setTextFormat(Qt.TextFormat.PlainText)
        self._words.setWordWrap(True)
        self.button = QPushButton(self.tr("Restart the engine"), self)
        self.button.setAccessibleName(self.tr("Restart the engine"))
        self.button.setProperty("kind", "primary")
        self.button.clicked.connect(self.clicked)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(12)
        row.addWidget(self._words, 1)
        row.addWidget(self.button)
        self.hide()

    def show_state(self, *, can_restart: bool) -> None:
        self.button.setEnabled(can_restart)
        text = self.tr("Your choice takes effect once the engine is started again; the model is then loaded anew.")
        if not can_restart:
            text = self.tr("Your choice takes effect once the engine is started again. It is busy just now.")
        self._words.setText(text)


class WithoutCard(Card):
    """What a card would bring: in words, and for a card of one's choice as a prediction that names what it assumes."""

    def __init__(self, device: DeviceControl, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._device = device
        self._drawn: PlacementOffer | None = None
        self.setAccessibleName(self.tr("What a card would bring"))
        what = MutedLabel(
            self.tr(
                "With a card, Ember keeps the neurons that fire most often, and attention, in the card's memory and "
                "computes the others here at the same time. A card's memory is usually read much faster than main "
                "memory. Nothing of an answer is lost, and a model need not fit the card as a whole."
            ),
            self,
        )
        self._measured = MutedLabel(parent=self)
        self.choice = QComboBox(self)
        self.choice.setAccessibleName(self.tr("A card to reckon with"))
        self.choice.addItem(self.tr("choose a card"), "")
        for name in ASSUMABLE_CARDS:
            self.choice.addItem(name, name)
        self.choice.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.choice.setMinimumContentsLength(14)
        self.choice.activated.connect(lambda: device.assume(str(self.choice.currentData() or "")))
        label = QLabel(self.tr("What it would be with:"), self)
        label.setWordWrap(True)
        label.setBuddy(self.choice)
        row = QHBoxLayout()
        row.setSpacing(10)
        row.addWidget(label)
        row.addWidget(self.choice)
        row.addStretch(1)
        self._result = QLabel(self)
        self._result.setTextFormat(Qt.TextFormat.PlainText)
        self._result.setWordWrap(True)
        self.plot = Plot(self)
        box = QVBoxLayout(self)
        box.setContentsMargins(16, 14, 16, 15)
        box.setSpacing(9)
        box.addWidget(Heading(self.tr("What a card would bring"), self))
        box.addWidget(what)
        box.addWidget(self._measured)
        box.addLayout(row)
        box.addWidget(self._result)
        box.addWidget(self.plot)

    @property
    def measured(self) -> str:
        return self._measured.text()

    @property
    def result(self) -> str:
        return self._result.text()

    def refresh(self) -> None:
        device, report = self._device, self._device.report
        rates = report.speeds.cpu if report is not None and report.speeds is not None else ()
        self._measured.setVisible(bool(rates))
        if rates:
            best = max(rate.bytes_per_s for rate in rates)
            text = self.tr(
                "Main memory was measured here at %1. What stays on the processor is read no faster, with or without "
                "a card: that is the limit of what one can bring."
            )
            self._measured.setText(text.replace("%1", rate_words(best)))
        self.choice.setCurrentIndex(max(0, self.choice.findData(device.assumed.name)))
        self.choice.setEnabled(device.model is not None)
        self._result.setVisible(bool(device.assumed.name))
        self._result.setText(breakable(self._result_words()))
        offer = device.assumed.offer
        self.plot.setVisible(offer is not None and len(offer.points) > 1)
        if offer is not None and offer is not self._drawn:
            self._drawn = offer
            self.plot.show_data(curve_data(offer, (0, 0.0), 0), self._assumed_words(offer))

    def _result_words(self) -> str:
        error, offer = self._device.assumed.error, self._device.assumed.offer
        if error is not None:
            return in_a_row(error.cause, error.action)
        if offer is None:
            return self.tr("Working it out; where this computer was not measured yet, that comes first…")
        return self._assumed_words(offer)

    def _assumed_words(self, offer: PlacementOffer) -> str:
        model = self._device.model
        return assumed_words(offer, words, is_sparse=model is None or model.is_sparse)
