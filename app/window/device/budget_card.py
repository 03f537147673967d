"""The budget: how much of the card Ember may take, and what that buys, before and after it is applied.

Owns the arrangement, and which budget is looked at: the one under the handle, else the one on its way, else the one in
force. Predictions come from the points of the offer; what is applied is decided by DeviceControl.
"""

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QGridLayout, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.device_figures import (
    GIB,
    OTHERS,
    UNUSED,
    Segment,
    account_segments,
    facts_segments,
    most_budget,
    ours_of,
    part_of,
    predicted,
    slider_step,
    total_of,
)
from app.device_words import (
    baseline_name,
    basis_words,
    main_memory_words,
    nothing_on_card_words,
    point_words,
    published_words,
    share_words,
    speed_words,
    time_words,
)
from app.error_text import ErrorText, memory_words
from app.language import in_a_row
from app.window.device.budget_slider import BudgetSlider
from app.window.device.device_control import DeviceControl, words
from app.window.device.figures import DemonstrationRibbon, Figure, FigureRow, Heading
from app.window.device.memory_bar import MemoryLegend
from app.window.error_card import ErrorCard
from app.window.labels import MutedLabel
from app.window.model_card import Card
from app.window.neurons.axes import count_axis
from app.window.neurons.plot import Plot
from app.window.neurons.plot_data import Axis, Line, PlotData, Stop
from app.window.number_field import NumberField
from app.window.wording import breakable
from engine.placement_reports import PlacementOffer

NARROW = 560  # below this width the state of the budget has a row of its own
WHOLE = ("card only", "gpu only")  # baselines that are all or nothing


class BudgetCard(Card):
    def __init__(self, device: DeviceControl, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._device = device
        self._preview: int | None = None
        self._drawn: object = None
        self._error: ErrorCard | None = None
        self.setAccessibleName(self.tr("Memory on the card"))
        self._demonstration = DemonstrationRibbon(self)
        self._summary = MutedLabel(parent=self)
        self.slider = BudgetSlider(self)
        self.slider.setEnabled(False)
        self.slider.previewed.connect(self._on_preview)
        self.slider.chosen.connect(self._on_chosen)
        self._legend = MemoryLegend(self)
        self.field = NumberField(0.0, 1.0, step=0.25, decimals=2, parent=self)
        self.field.setAccessibleName(self.tr("Budget in GiB"))
        self.field.setFixedWidth(84)
        self.field.changed.connect(self._on_typed)
        self.field.editingFinished.connect(self._on_typed_through)
        self.budget = Figure(self.tr("budget"), self, control=self._field_with_unit())
        self.hot = Figure(self.tr("of the neurons' work on the card"), self)
        self.predicted = Figure(self.tr("predicted"), self)
        self.measured = Figure(self.tr("measured"), self)
        self._figures = FigureRow((self.budget, self.hot, self.predicted, self.measured), self)
        self._state = MutedLabel(parent=self)
        self._recommended = QPushButton(self.tr("Use what is recommended"), self)
        self._recommended.setAccessibleName(self._recommended.text())
        self._recommended.clicked.connect(self._on_recommended)
        self._errors = QVBoxLayout()
        self.plot = Plot(self)
        self._basis = MutedLabel(parent=self, factor=0.93)
        self._baselines = Baselines(self)

        box = QVBoxLayout(self)
        box.setContentsMargins(16, 14, 16, 15)
        box.setSpacing(10)
        box.addWidget(Heading(self.tr("Memory on the card"), self))
        box.addWidget(self._demonstration)
        box.addWidget(self._summary)
        box.addWidget(self.slider)
        box.addWidget(self._legend)
        box.addSpacing(4)
        box.addWidget(self._figures)
        self._state_row = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._state_row.setSpacing(10)
        self._state_row.addWidget(self._state, 1)
        self._state_row.addWidget(self._recommended, 0, Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        box.addLayout(self._state_row)
        box.addLayout(self._errors)
        box.addWidget(self.plot)
        box.addWidget(self._basis)
        box.addWidget(self._baselines)

    def _field_with_unit(self) -> QWidget:
        whole = QWidget(self)
        row = QHBoxLayout(whole)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        row.addWidget(self.field)
        row.addWidget(QLabel("GiB", whole))
        return whole

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        direction = QBoxLayout.Direction
        is_narrow = event.size().width() < NARROW
        self._state_row.setDirection(direction.TopToBottom if is_narrow else direction.LeftToRight)

    # What is shown ------------------------------------------------------------------------------------------------

    @property
    def shown_bytes(self) -> int:
        """The budget whose figures are shown."""
        if self._preview is not None:
            return self._preview
        return self._device.wanted if self._device.wanted is not None else self._device.budget_bytes

    def refresh(self) -> None:
        device = self._device
        offer, segments = device.offer, self._segments()
        can_apply = offer is not None and device.is_loaded and bool(segments)
        self._demonstration.setVisible(device.is_emulated)
        self._summary.setText(breakable(self._summary_words(segments)))
        most = most_budget(offer, device.placement) if offer is not None else ours_of(segments)
        recommended = min(most, offer.recommended_bytes) if offer is not None else 0
        self.slider.setEnabled(can_apply)
        self.field.setEnabled(can_apply)
        if not can_apply:
            self._preview = None
        self.slider.show_card(segments, most, recommended)
        self.field.set_range(0.0, round(most / GIB + 0.005, 2), max(0.01, round(slider_step(most) / GIB, 2)))
        self._legend.show_segments(segments)
        self._recommended.setVisible(offer is not None)
        if offer is not None:
            text = self.tr("Use what is recommended: %1").replace("%1", memory_words(recommended))
            self._recommended.setText(text)
            self._recommended.setAccessibleName(text)
            self._recommended.setEnabled(can_apply and self.shown_bytes != recommended)
        self._show_figures()
        self._show_error()
        self._show_offer(offer)

    def _show_figures(self) -> None:
        device, n_bytes = self._device, self.shown_bytes
        self.slider.show_budget(n_bytes)
        if not self.field.hasFocus():
            self.field.show_value(n_bytes / GIB)
        offer, placement = device.offer, device.placement
        now = predicted(offer.points, n_bytes) if offer is not None else None
        is_in_force = n_bytes == device.budget_bytes and placement is not None
        share, speed = (now.hot_share, now.tokens_per_s) if now else (None, None)
        if is_in_force and placement is not None:
            share, speed = placement.hot_share, placement.predicted_tokens_per_s
        if device.is_emulated or (offer is not None and offer.assumed):
            speed = None
        self.hot.show_value(share_words(share) if share is not None else "")
        self.predicted.show_value(
            speed_words(speed, words) if speed else "",
            self._predicted_words(is_between=now is not None and now.is_between and not is_in_force),
        )
        measured = placement.measured_tokens_per_s if is_in_force and placement is not None else 0.0
        self.measured.show_value(
            speed_words(measured, words) if measured else "",
            self.tr("measured, last answer") if measured else self._not_measured(is_in_force=is_in_force),
        )
        said = [memory_words(n_bytes)]
        if share is not None:
            said.append(self.tr("%1 of the neurons' work on the card").replace("%1", share_words(share)))
        if speed:
            said.append(self.tr("predicted %1").replace("%1", speed_words(speed, words)))
        self.slider.setAccessibleDescription(", ".join(said))
        self._state.setText(self._state_words())

    def _predicted_words(self, *, is_between: bool) -> str:
        if self._device.is_emulated:
            return self.tr("not predicted for a demonstration")
        return self.tr("predicted, between two points") if is_between else self.tr("predicted")

    def _not_measured(self, *, is_in_force: bool) -> str:
        return self.tr("measured after the next answer") if is_in_force else self.tr("measured once applied")

    def _segments(self) -> tuple[Segment, ...]:
        """From where the model is; before it is anywhere, from what the driver says of the card."""
        device = self._device
        if device.placement is not None and device.placement.account:
            return account_segments(device.placement.account)
        report, offer = device.report, device.offer
        wished = offer.card_uuid if offer is not None else report.chosen_uuid if report is not None else ""
        card = next((card for card in report.cards if card.uuid == wished), None) if report is not None else None
        if card is not None:
            return facts_segments(card)
        total = sum(n_bytes for _, n_bytes in offer.account) if offer is not None else 0
        return (Segment(UNUSED, total, False),) if total else ()

    def _summary_words(self, segments: tuple[Segment, ...]) -> str:
        text = self.tr("%1 in all: %2 Ember, %3 other programs, %4 free")
        for at, count in enumerate(
            (total_of(segments), ours_of(segments), part_of(segments, OTHERS), part_of(segments, UNUSED)), 1
        ):
            text = text.replace(f"%{at}", memory_words(count))
        model = self._device.model
        return f"{model.name} · {text}" if model is not None else text

    def _state_words(self) -> str:
        device = self._device
        if self._preview is not None and self.field.hasFocus():
            return self.tr("Press Enter to apply it.")
        if self._preview is not None:
            return self.tr("Let go to apply it.")
        if device.is_applying:
            return self.tr("Moving neurons…")
        if device.wanted is not None:
            return self.tr("Is applied at once…")
        if not device.is_loaded:
            return self.tr("Load a model to set its budget.")
        if device.offer is None and device.offer_error is None:
            return self.tr("Working out what each budget buys…")
        placement = device.placement
        nothing = nothing_on_card_words(placement, device.budget_setting, words) if placement is not None else ""
        if placement is not None and placement.applied_s > 0 and not nothing:
            text = self.tr("In force; moving the neurons took %1.").replace("%1", time_words(placement.applied_s))
        elif placement is not None:
            text = self.tr("In force.")
        else:
            text = self.tr("Nothing of this model is on the card.")
        moving = self.tr(
            "It can be moved while an answer is written: the words stay the same, but for near ties that rounding "
            "decides."
        )
        return in_a_row(text, nothing, moving)

    def _show_error(self) -> None:
        text = self._device.budget_error or self._device.offer_error
        if (self._error.text if self._error else None) == text:
            return
        if self._error is not None:
            self._errors.removeWidget(self._error)
            self._error.hide()
            self._error.deleteLater()
            self._error = None
        if text is not None:
            actions = ((self.tr("Close"), self._device.forget_error),) if self._device.budget_error else ()
            self._error = ErrorCard(ErrorText(text.cause, text.action), actions, "", self)
            self._errors.addWidget(self._error)

    # The curve ----------------------------------------------------------------------------------------------------

    def _show_offer(self, offer: PlacementOffer | None) -> None:
        """Drawn anew only where it is another, so that a chosen place of the plot stays."""
        device, placement = self._device, self._device.placement
        measured = (placement.budget_bytes, placement.measured_tokens_per_s) if placement else (0, 0.0)
        is_sparse = device.model is None or device.model.is_sparse
        # An offer for a card of this computer says nothing of a demonstration.
        has_curve = offer is not None and len(offer.points) > 1 and (bool(offer.assumed) or not device.is_emulated)
        for part in (self.plot, self._basis, self._baselines):
            part.setVisible(has_curve)
        drawn = (offer, measured, is_sparse)
        if drawn == self._drawn:
            return
        self._drawn = drawn
        if offer is None or len(offer.points) < 2:
            return
        n_layers = len(placement.attention_on_card) if placement else 0
        data = curve_data(offer, measured, n_layers)
        best = max(offer.points, key=lambda point: point.tokens_per_s)
        said = self.tr("From %1 with nothing on the card to %2 with %3.")
        for at, text in enumerate(
            (
                speed_words(offer.points[0].tokens_per_s, words),
                speed_words(best.tokens_per_s, words),
                memory_words(best.budget_bytes),
            ),
            1,
        ):
            said = said.replace(f"%{at}", text)
        self.plot.show_data(data, in_a_row(said, self._assumption(offer)))
        memory = main_memory_words(offer, words)
        basis = basis_words(offer, words, is_sparse=is_sparse)
        self._basis.setText(in_a_row(basis, memory))
        self._baselines.show_offer(offer, is_sparse=is_sparse)

    def _assumption(self, offer: PlacementOffer) -> str:
        return self.tr("By %1.").replace("%1", published_words(offer, words)) if offer.assumed else ""

    # What is asked ------------------------------------------------------------------------------------------------

    def _on_preview(self, n_bytes: int) -> None:
        self._preview = n_bytes
        self._show_figures()

    def _on_chosen(self, n_bytes: int) -> None:
        self._preview = None
        if n_bytes != (self._device.wanted if self._device.wanted is not None else self._device.budget_bytes):
            self._device.choose_budget(n_bytes)
        else:
            self._show_figures()

    def _on_typed(self, value: float | None) -> None:
        offer = self._device.offer
        most = most_budget(offer, self._device.placement) if offer is not None else 0
        self._preview = min(round((value or 0.0) * GIB), most)
        self._show_figures()

    def _on_typed_through(self) -> None:
        if self._preview is not None:
            self._on_chosen(self._preview)

    def _on_recommended(self) -> None:
        self._preview = None
        self._device.choose_recommended()


class Baselines(QWidget):
    """What other ways of sharing work would do with the same memory, as a small table."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title = MutedLabel(parent=self, factor=0.93)
        self._rows: list[QLabel] = []
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(18)
        self._grid.setVerticalSpacing(3)
        self._grid.setColumnStretch(0, 1)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 4, 0, 0)
        box.setSpacing(5)
        box.addWidget(self._title)
        box.addLayout(self._grid)

    @property
    def texts(self) -> list[str]:
        return [label.text() for label in self._rows]

    def show_offer(self, offer: PlacementOffer, *, is_sparse: bool) -> None:
        for label in self._rows:
            self._grid.removeWidget(label)
            label.hide()
            label.deleteLater()
        self._rows = []
        text = self.tr("Within %1, predicted by the same account and the same speeds:")
        if offer.assumed:
            text = self.tr("Within %1, by %2:").replace("%2", published_words(offer, words))
        self._title.setText(text.replace("%1", memory_words(offer.most_bytes)))
        ours = predicted(offer.points, offer.recommended_bytes)
        name = self.tr("Ember: neurons by how often they fire") if is_sparse else self.tr("Ember: as much as fits")
        lines = [(name, ours.tokens_per_s if ours else 0.0, True)]
        lines += [(baseline_name(name, words), speed, False) for name, speed in offer.baselines]
        for row, (name, speed, is_ours) in enumerate(lines):
            missing = self.tr("does not fit") if row and offer.baselines[row - 1][0] in WHOLE else "–"
            value = speed_words(speed, words) if speed > 0 else missing
            for column, text in enumerate((name, value)):
                label = QLabel(breakable(text), self)
                label.setTextFormat(Qt.TextFormat.PlainText)
                label.setWordWrap(column == 0)
                font = label.font()
                font.setBold(is_ours)
                label.setFont(font)
                side = Qt.AlignmentFlag.AlignRight if column else Qt.AlignmentFlag.AlignLeft
                label.setAlignment(side | Qt.AlignmentFlag.AlignTop)
                self._grid.addWidget(label, row, column)
                self._rows.append(label)


def curve_data(offer: PlacementOffer, measured: tuple[int, float], n_layers: int) -> PlotData:
    """Predicted tokens/s over the budget, what is recommended, and what was measured with the budget in force.

    Of a card that is not here nothing is measured, and its curve is named as the assumption it is.
    """
    tr = words
    if offer.assumed:
        measured = (0, 0.0)
    points = tuple((point.budget_bytes / GIB, point.tokens_per_s) for point in offer.points)
    speeds = [speed for _, speed in points] + ([measured[1]] if measured[1] else [])
    y = count_axis(tr("tokens/s"), speeds)
    high = points[-1][0] or 1.0
    ticks = count_axis("", [high]).ticks
    x = Axis(tr("budget in GiB"), 0.0, high, tuple(tick for tick in ticks if tick[0] <= high * 1.001))
    name = tr("predicted")
    if offer.assumed:
        name = tr("{card}, assumed").format(card=offer.assumed)
    lines = [Line(name, points, "accent")]
    recommended = offer.recommended_bytes / GIB
    if 0 < recommended <= high:
        mark = ((recommended, y.low), (recommended, y.high))
        lines.append(Line(tr("recommended"), mark, "good", width=1.4, is_dashed=True))
    if measured[1]:
        place = ((min(high, measured[0] / GIB), measured[1]),)
        lines.append(Line(tr("measured, last answer"), place, "syntax_name", has_dots=True))
    told = [(point.budget_bytes / GIB, point_words(point, n_layers, words, offer.assumed)) for point in offer.points]
    title = tr("Tokens per second by budget")
    if offer.assumed:
        title = tr("{title}, by {whose}").format(title=title, whose=published_words(offer, words))
    return PlotData(title, x, y, tuple(lines), stops=tuple(Stop(*each) for each in told))
