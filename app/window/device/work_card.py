"""Who did the work of the last answer, or of the one being written: shares of card and processor, and who waited.

Owns the bars; what made it slow is chosen by the rules of app/device_words.py from the same counters.
"""

from dataclasses import dataclass

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from app.device_figures import LoadShares, load_shares
from app.device_words import share_words, speed_words
from app.window.device.device_control import DeviceControl, words
from app.window.device.figures import DemonstrationRibbon, Heading
from app.window.icons import IconLabel
from app.window.labels import MutedLabel
from app.window.model_card import Card
from app.window.theme import Colors, colors_of, mixed, scaled
from app.window.wording import breakable, number
from engine.placement_reports import StepLoad

METER_HEIGHT = 15


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a meter's bar; hatched where nobody worked."""

    share: float
    ink: str
    is_hatched: bool = False


class Meter(QWidget):
    """A bar from nothing to all, with its name above it on the left and its figures on the right."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._parts: tuple[Part, ...] = ()
        self._name = QLabel(name, self)
        self._name.setTextFormat(Qt.TextFormat.PlainText)
        self._words = MutedLabel(parent=self)
        self._words.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop)
        row = QHBoxLayout()
        row.setSpacing(12)
        row.addWidget(self._name, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self._words, 1)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, METER_HEIGHT + 5)
        box.addLayout(row)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)

    @property
    def text(self) -> str:
        return self._words.text()

    def show_parts(self, parts: tuple[Part, ...], said: str) -> None:
        self._parts = parts
        self._words.setText(said)
        self.setAccessibleName(f"{self._name.text()}: {said}")
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        colors = colors_of(self.palette())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        bar = QRectF(0.5, self.height() - METER_HEIGHT - 0.5, self.width() - 1, METER_HEIGHT)
        outline = QPainterPath()
        outline.addRoundedRect(bar, 4, 4)
        painter.setClipPath(outline)
        painter.fillRect(bar, QColor(colors.hover))
        x = bar.left()
        for part in self._parts:
            width = bar.width() * part.share
            painter.fillRect(QRectF(x, bar.top(), width, bar.height()), _ink(colors, part))
            x += width
        painter.setClipping(False)
        painter.setPen(QColor(colors.border))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPath(outline)
        painter.end()


class WorkCard(Card):
    def __init__(self, device: DeviceControl, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._device = device
        self.setAccessibleName(self.tr("Who does the work"))
        self._demonstration = DemonstrationRibbon(self)
        self._when = MutedLabel(parent=self)
        self.work = Meter(self.tr("Neurons' work"), self)
        self.card = Meter(self.tr("Card"), self)
        self.processor = Meter(self.tr("Processor"), self)
        self._together = MutedLabel(parent=self)
        self._empty = MutedLabel(parent=self)
        self.reason = Reason(self)
        box = QVBoxLayout(self)
        box.setContentsMargins(16, 14, 16, 15)
        box.setSpacing(9)
        box.addWidget(Heading(self.tr("Who does the work"), self))
        box.addWidget(self._demonstration)
        for part in (self._when, self._empty, self.work, self.card, self.processor, self._together, self.reason):
            box.addWidget(part)

    def refresh(self) -> None:
        device = self._device
        load = device.load
        shares = load_shares(load)
        self._demonstration.setVisible(device.is_emulated and shares is not None)
        for part in (self._when, self.work, self.card, self.processor):
            part.setVisible(shares is not None)
        self._empty.setVisible(shares is None)
        self._empty.setText(self._empty_words())
        self._together.setVisible(False)
        slow = device.slowness
        self.reason.setVisible(slow is not None)
        if slow is not None:
            self.reason.show_words(slow.words)
        if load is not None and shares is not None:
            self._show(load, shares, is_live=device.live_load is not None)

    def _show(self, load: StepLoad, shares: LoadShares, *, is_live: bool) -> None:
        when = self.tr("Of the answer that is being written: %1") if is_live else self.tr("Of the last answer: %1")
        count = self.tr("1 token") if load.n_tokens == 1 else self.tr("%1 tokens").replace("%1", number(load.n_tokens))
        self._when.setText(when.replace("%1", f"{count}, {speed_words(shares.tokens_per_s, words)}"))
        has_card = load.card_busy_s > 0 or load.hot_bytes > 0
        both = self.tr("card %1, processor %2").replace("%1", share_words(shares.card_work))
        only = self.tr("processor %1").replace("%1", share_words(shares.processor_work))
        self.work.show_parts(
            (Part(shares.card_work, "accent"), Part(shares.processor_work, "syntax_name")),
            both.replace("%2", share_words(shares.processor_work)) if has_card else only,
        )
        self.card.setVisible(has_card)
        self._together.setVisible(has_card)
        for meter, ink, busy_s, waited in (
            (self.card, "accent", load.card_busy_s, shares.waited_for_processor),
            (self.processor, "syntax_name", load.cpu_busy_s, shares.waited_for_card),
        ):
            busy = min(1.0, busy_s / load.wall_s)
            waited = min(waited, 1.0 - busy)
            said = self.tr("computed %1 of the time").replace("%1", share_words(busy))
            if has_card:
                said += ", " + self.tr("waited %1").replace("%1", share_words(waited))
            meter.show_parts((Part(busy, ink), Part(waited, ink, is_hatched=True)), said)
        text = self.tr("Both computed at once for %1 of the time; hatched: waiting for the other.")
        self._together.setText(text.replace("%1", share_words(shares.overlap)))

    def _empty_words(self) -> str:
        if self._device.is_answering:
            return self.tr("Appears with the first tokens of the answer.")
        return self.tr("Nothing has been measured yet. Ask the model something, and this shows who did the work.")


class Reason(QWidget):
    """One line on what made an answer as slow as it was."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        title = QLabel(self.tr("Why is it slow?"), self)
        title.setFont(scaled(self.font(), 1.0, weight=QFont.Weight.DemiBold))
        self._words = QLabel(self)
        self._words.setTextFormat(Qt.TextFormat.PlainText)
        self._words.setWordWrap(True)
        words_box = QVBoxLayout()
        words_box.setSpacing(2)
        words_box.addWidget(title)
        words_box.addWidget(self._words)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 6, 0, 0)
        row.setSpacing(9)
        row.addWidget(IconLabel("gauge", "accent", 18, self), 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(words_box, 1)
        self.hide()

    @property
    def text(self) -> str:
        return self._words.text()

    def show_words(self, text: str) -> None:
        self._words.setText(breakable(text))
        self.setAccessibleName(f"{self.tr('Why is it slow?')} {text}")


def _ink(colors: Colors, part: Part) -> QBrush:
    if part.is_hatched:
        return QBrush(mixed(colors, part.ink, 0.7), Qt.BrushStyle.BDiagPattern)
    return QBrush(mixed(colors, part.ink, 0.88))
