"""Neurons as they fire: layers by buckets, one picture for each sample, with the card's part and the processor's apart.

Owns the picture, its colours and what is said of a bucket. All buckets are one indexed image that the painter enlarges;
sides differ by hue (orange and blue, which every kind of colour vision tells apart) and by the line between them, and
what fired differs from what did not by lightness.
"""

from collections.abc import Sequence
from typing import overload

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QImage, QLinearGradient, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from app.device_figures import fired_share, heat_pixels, hot_edge, hot_part, shade
from app.device_words import share_words
from app.window.device.device_control import DeviceControl
from app.window.device.figures import DemonstrationRibbon, Heading
from app.window.labels import MutedLabel
from app.window.model_card import Card
from app.window.neurons.axes import layer_axis
from app.window.neurons.chart import Chart
from app.window.neurons.plot_data import Stop
from app.window.theme import Colors, colors_of, mixed, scaled
from engine.placement_reports import NeuronSample

TALLEST = 320
ROW_HEIGHTS = (3, 9)  # least and most of a layer
HOT_INK, COLD_INK = "accent", "syntax_name"
SILENT = 0.10  # how much of its side's colour a silent bucket has


class HeatMap(Chart):
    """A sample; pointer and arrow keys go from bucket to bucket."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._sample: NeuronSample | None = None
        self._image = QImage()
        self._is_ordered = False
        self._colors: Colors | None = None
        self._table: list[int] = []
        self.setAccessibleName(self.tr("Neurons by layer and bucket, as they fire"))
        self.show_sample(None)

    @property
    def image(self) -> QImage:
        """One pixel for each bucket."""
        return self._image

    def show_sample(self, sample: NeuronSample | None) -> None:
        self._sample = sample
        n_layers = sample.n_layers if sample is not None else 0
        row = max(ROW_HEIGHTS[0], min(ROW_HEIGHTS[1], TALLEST // n_layers)) if n_layers else 0
        height = self._top() + row * n_layers + QFontMetrics(self.font()).height() + 8
        if height != self.height() or height != self.minimumHeight():
            self.setFixedHeight(height)
        if sample is None or not n_layers or not sample.n_buckets:
            self._image = QImage()
        else:
            pixels = heat_pixels(sample)
            indexed = QImage.Format.Format_Indexed8
            # copied, since the image would otherwise look into bytes that Python may give up
            self._image = QImage(pixels, sample.n_buckets, n_layers, sample.n_buckets, indexed).copy()
        self.update()

    def show_order(self, *, is_ordered: bool) -> None:
        """Whether the neurons of a layer lie by how often they fire."""
        self._is_ordered = is_ordered

    def paintEvent(self, event: QPaintEvent) -> None:
        sample = self._sample
        if sample is None or self._image.isNull():
            return
        colors = colors_of(self.palette())
        if colors is not self._colors:
            self._colors, self._table = colors, [_color(colors, index).rgb() for index in range(256)]
        self._image.setColorTable(self._table)
        painter = QPainter(self)
        area = self._area()
        painter.drawImage(area, self._image)
        self._paint_edge(painter, colors, area, sample)
        self._paint_words_around(painter, colors, area, sample)
        self._paint_focus(painter, colors)
        if self.stop_words:
            cell = self._cell(*divmod(self._at, sample.n_buckets))
            painter.setPen(QPen(QColor(colors.text), 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(cell.adjusted(-0.5, -0.5, 0.5, 0.5))
            self._paint_words(painter, colors, QPointF(cell.right(), cell.top()))
        painter.end()

    def _paint_edge(self, painter: QPainter, colors: Colors, area: QRectF, sample: NeuronSample) -> None:
        """The line between what is on the card and what is not."""
        edges = [hot_edge(sample, layer) for layer in range(sample.n_layers)]
        if not any(edges):
            return
        places = []
        for layer, edge in enumerate(edges):
            x = area.left() + area.width() * edge / sample.n_buckets
            top = area.top() + area.height() * layer / sample.n_layers
            places += [QPointF(x, top), QPointF(x, top + area.height() / sample.n_layers)]
        painter.setPen(QPen(mixed(colors, "text", 0.75), 1))
        painter.drawPolyline(QPolygonF(places))

    def _paint_words_around(self, painter: QPainter, colors: Colors, area: QRectF, sample: NeuronSample) -> None:
        metrics = QFontMetrics(self.font())
        line = metrics.height()
        painter.setFont(self.font())
        painter.setPen(QColor(colors.muted))
        painter.drawText(QRectF(0, 0, self.width(), line), Qt.AlignmentFlag.AlignLeft, self.tr("layer"))
        for value, label in layer_axis(sample.n_layers).ticks:
            y = area.top() + area.height() * (value + 0.5) / sample.n_layers
            place = QRectF(0, y - line / 2, area.left() - 7, line)
            painter.drawText(place, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, label)
        below = QRectF(area.left(), area.bottom() + 4, area.width(), line)
        left, right = self.tr("first neurons of a layer"), self.tr("last")
        if self._is_ordered:
            left, right = self.tr("fire most often"), self.tr("least often")
        room = int(area.width()) - metrics.horizontalAdvance(right) - 12
        elided = metrics.elidedText(left, Qt.TextElideMode.ElideRight, room)
        painter.drawText(below, Qt.AlignmentFlag.AlignLeft, elided)
        painter.drawText(below, Qt.AlignmentFlag.AlignRight, right)

    # Stops --------------------------------------------------------------------------------------------------------

    def _stops(self) -> Sequence[Stop]:
        return _Cells(self._sample, self)

    def _steps(self) -> dict[int, int]:
        n = self._sample.n_buckets if self._sample is not None else 1
        return {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Up: -n, Qt.Key.Key_Down: n}

    def _stop_at(self, place: QPointF) -> int:
        sample, area = self._sample, self._area()
        if sample is None or self._image.isNull() or not area.contains(place):
            return -1
        bucket = int((place.x() - area.left()) / area.width() * sample.n_buckets)
        layer = int((place.y() - area.top()) / area.height() * sample.n_layers)
        return min(layer, sample.n_layers - 1) * sample.n_buckets + min(bucket, sample.n_buckets - 1)

    def words_of(self, sample: NeuronSample, layer: int, bucket: int) -> str:
        """A line for each fact of a bucket."""
        hot = hot_part(sample, layer, bucket)
        if hot >= 1:
            side = self.tr("on the card")
        elif hot <= 0:
            side = self.tr("on the processor")
        else:
            side = self.tr("%1 of it on the card").replace("%1", share_words(hot))
        place = self.tr("layer %1, bucket %2 of %3")
        for at, count in enumerate((layer, bucket + 1, sample.n_buckets), 1):
            place = place.replace(f"%{at}", str(count))
        fired = self.tr("%1 fired").replace("%1", share_words(fired_share(sample, layer, bucket)))
        return "\n".join((place, fired, side))

    # Places -------------------------------------------------------------------------------------------------------

    def _top(self) -> int:
        return QFontMetrics(self.font()).height() + 5

    def _area(self) -> QRectF:
        metrics = QFontMetrics(self.font())
        n_layers = self._sample.n_layers if self._sample is not None else 1
        left = max(metrics.horizontalAdvance(str(n_layers)), metrics.horizontalAdvance("00")) + 10
        height = self.height() - self._top() - metrics.height() - 8
        return QRectF(left, self._top(), max(20, self.width() - left - 2), max(1, height))

    def _cell(self, layer: int, bucket: int) -> QRectF:
        area, sample = self._area(), self._sample
        n_layers, n_buckets = (sample.n_layers, sample.n_buckets) if sample is not None else (1, 1)
        width, height = area.width() / n_buckets, area.height() / n_layers
        return QRectF(area.left() + bucket * width, area.top() + layer * height, width, height)


class _Cells(Sequence[Stop]):
    """The buckets of a sample as stops, made when they are asked for."""

    def __init__(self, sample: NeuronSample | None, owner: HeatMap) -> None:
        self._sample = sample
        self._owner = owner

    def __len__(self) -> int:
        return self._sample.n_layers * self._sample.n_buckets if self._sample is not None else 0

    @overload
    def __getitem__(self, at: int) -> Stop: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Stop]: ...
    def __getitem__(self, at: int | slice) -> Stop | Sequence[Stop]:
        if isinstance(at, slice):
            return [self[i] for i in range(*at.indices(len(self)))]
        if self._sample is None or not 0 <= at < len(self):
            raise IndexError(at)
        layer, bucket = divmod(at, self._sample.n_buckets)
        return Stop(float(bucket), self._owner.words_of(self._sample, layer, bucket))


class HeatLegend(QWidget):
    """The two scales of colours, from silent to all of a bucket firing; without a card only one of them."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._has_card = False
        self.setFont(scaled(self.font(), 0.9))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.show_sides(has_card=False)

    def show_sides(self, *, has_card: bool) -> None:
        self._has_card = has_card
        self.setFixedHeight(self._line() * (2 if has_card else 1))
        names = [name for name, _, _ in self._scales()]
        text = self.tr("Colours: %1; the stronger, the more of a bucket's neurons fired")
        self.setAccessibleName(text.replace("%1", ", ".join(names)))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        colors = colors_of(self.palette())
        painter = QPainter(self)
        metrics = QFontMetrics(self.font())
        line = self._line()
        names = [name for name, _, _ in self._scales()]
        left = min(max(metrics.horizontalAdvance(name) for name in names) + 10, self.width() // 2)
        for row, (name, ink, ends) in enumerate(self._scales()):
            y = row * line
            painter.setPen(QColor(colors.text))
            elided = metrics.elidedText(name, Qt.TextElideMode.ElideRight, left - 8)
            painter.drawText(QRectF(0, y, left, line), Qt.AlignmentFlag.AlignVCenter, elided)
            scale = QRectF(left, y + 4, max(30, min(140, self.width() - left - 110)), line - 8)
            gradient = QLinearGradient(scale.topLeft(), scale.topRight())
            gradient.setColorAt(0, mixed(colors, ink, SILENT))
            gradient.setColorAt(1, mixed(colors, ink, 1.0))
            painter.fillRect(scale, gradient)
            painter.setPen(QColor(colors.muted))
            words = metrics.elidedText(ends, Qt.TextElideMode.ElideRight, int(self.width() - scale.right() - 8))
            place = QRectF(scale.right() + 8, y, self.width() - scale.right() - 8, line)
            painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, words)
        painter.end()

    def _scales(self) -> list[tuple[str, str, str]]:
        ends = self.tr("silent to all fired")
        hot, cold = self.tr("hot, on the card"), self.tr("cold, on the processor")
        return [(hot, HOT_INK, ends), (cold, COLD_INK, ends)] if self._has_card else [(cold, COLD_INK, ends)]

    def _line(self) -> int:
        return QFontMetrics(self.font()).height() + 6


class HeatCard(Card):
    def __init__(self, device: DeviceControl, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._device = device
        self.setAccessibleName(self.tr("Neurons as they fire"))
        self._demonstration = DemonstrationRibbon(self)
        self._state = MutedLabel(parent=self)
        self._legend = HeatLegend(self)
        self.map = HeatMap(self)
        box = QVBoxLayout(self)
        box.setContentsMargins(16, 14, 16, 15)
        box.setSpacing(9)
        box.addWidget(Heading(self.tr("Neurons as they fire"), self))
        for part in (self._demonstration, self._state, self._legend, self.map):
            box.addWidget(part)

    def refresh(self) -> None:
        sample = self._device.pictures.sample
        self._demonstration.setVisible(self._device.is_emulated and sample is not None)
        self._legend.setVisible(sample is not None)
        self.map.setVisible(sample is not None)
        self._state.setText(self._state_words(sample))
        if sample is not None:
            has_card, offer = any(sample.hot_buckets), self._device.offer
            self._legend.show_sides(has_card=has_card)
            # The engine puts neurons in order where it has a profile and a card, and leaves them as they lie otherwise.
            self.map.show_order(is_ordered=has_card and offer is not None and offer.basis == "profile")
            self.map.show_sample(sample)

    def _state_words(self, sample: NeuronSample | None) -> str:
        error = self._device.pictures.error
        if sample is None and error is not None:
            return self.tr("No picture is to be had: %1").replace("%1", error.cause)
        if sample is None:
            return self.tr(
                "A picture of the model's neurons: a row for each layer, and which of them fire while an answer is "
                "written. It appears with the next answer."
            )
        count = self.tr("%1 layers, each in %2 buckets of neurons.")
        count = count.replace("%1", str(sample.n_layers)).replace("%2", str(sample.n_buckets))
        if self._device.is_answering:
            return self.tr("Live, one token several times a second.") + " " + count
        return self.tr("The last token that was looked at.") + " " + count


def _color(colors: Colors, index: int) -> QColor:
    is_hot, strength = shade(index)
    return mixed(colors, HOT_INK if is_hot else COLD_INK, SILENT + (1 - SILENT) * strength)
