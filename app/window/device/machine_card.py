"""The speeds of this computer as they were measured: main memory by threads, the card's memory, and the way between.

Owns the arrangement. What was not measured is not shown; measuring is asked of DeviceControl.
"""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from app.device_words import rate_words, time_words
from app.error_text import memory_words
from app.window.device.device_control import DeviceControl, words
from app.window.device.figures import DemonstrationRibbon, Figure, FigureRow, Heading
from app.window.labels import MutedLabel
from app.window.model_card import Card, ProgressLine
from app.window.neurons.axes import count_axis
from app.window.neurons.plot import Plot
from app.window.neurons.plot_data import Axis, Bars, PlotData, Stop
from app.window.wording import breakable, created_words, number
from engine.placement_reports import DeviceReport, MachineSpeeds


class MachineCard(Card):
    def __init__(self, device: DeviceControl, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._device = device
        self._drawn: object = None
        self.setAccessibleName(self.tr("Speeds of this computer"))
        self.measure = QPushButton(self.tr("Measure"), self)
        self.measure.setAccessibleName(self.tr("Measure the speeds of this computer"))
        self.measure.clicked.connect(device.measure)
        self._processor = MutedLabel(parent=self)
        self._when = MutedLabel(parent=self, factor=0.93)
        self.progress = ProgressLine(self)
        self.progress.cancelled.connect(device.cancel_measuring)
        self._waiting = MutedLabel(parent=self, factor=0.93)
        self.plot = Plot(self)
        self._demonstration = DemonstrationRibbon(self)
        self.card_rate = Figure(self.tr("the card's memory, read"), self)
        self.upload = Figure(self.tr("to the card"), self)
        self.download = Figure(self.tr("from the card"), self)
        self.round_trip = Figure(self.tr("there and back, a short vector"), self)
        self._card = FigureRow((self.card_rate, self.upload, self.download, self.round_trip), self)
        head = QHBoxLayout()
        head.addWidget(Heading(self.tr("Speeds of this computer"), self), 1)
        head.addWidget(self.measure, 0, Qt.AlignmentFlag.AlignTop)
        box = QVBoxLayout(self)
        box.setContentsMargins(16, 14, 16, 15)
        box.setSpacing(9)
        box.addLayout(head)
        for part in (self._processor, self._when, self.progress, self._waiting, self.plot, self._demonstration):
            box.addWidget(part)
        box.addWidget(self._card)

    @property
    def when(self) -> str:
        return self._when.text()

    def refresh(self) -> None:
        device, report = self._device, self._device.report
        task = device.measuring
        self.measure.setEnabled(task is None and device.can_measure)
        self.progress.setVisible(task is not None)
        self._waiting.setVisible(task is not None)
        if task is not None:
            self.progress.show_task(task)
            text = self.tr("Messages that you send meanwhile wait until this is done.")
            if device.is_answering:
                text = self.tr("Begins once the answer that is being written is finished.")
            self._waiting.setText(text)
        self._processor.setVisible(report is not None)
        speeds = report.speeds if report is not None else None
        self.plot.setVisible(speeds is not None and bool(speeds.cpu))
        has_card = speeds is not None and speeds.card_bytes_per_s > 0
        self._card.setVisible(has_card)
        self._demonstration.setVisible(has_card and device.is_emulated)
        self._when.setText(_when_words(speeds))
        if report is not None:
            self._processor.setText(breakable(self._processor_words(report)))
        if speeds is not None and speeds != self._drawn:
            self._drawn = speeds
            self._show(speeds)

    def _show(self, speeds: MachineSpeeds) -> None:
        if speeds.cpu:
            data = sweep_data(speeds)
            best = max(speeds.cpu, key=lambda rate: rate.bytes_per_s)
            said = self.tr("Fastest with %1 threads: %2")
            said = said.replace("%1", str(best.n_threads)).replace("%2", rate_words(best.bytes_per_s))
            self.plot.show_data(data, said)
        for figure, value in (
            (self.card_rate, speeds.card_bytes_per_s),
            (self.upload, speeds.upload_bytes_per_s),
            (self.download, speeds.download_bytes_per_s),
        ):
            figure.show_value(rate_words(value) if value > 0 else "")
        self.round_trip.show_value(time_words(speeds.round_trip_s) if speeds.round_trip_s > 0 else "")

    def _processor_words(self, report: DeviceReport) -> str:
        parts = [report.processor] if report.processor else []
        if report.physical_cores:
            cores = self.tr("1 core") if report.physical_cores == 1 else self.tr("%1 cores")
            parts.append(cores.replace("%1", str(report.physical_cores)))
        if 0 < report.usable_cores < (report.physical_cores or report.logical_cores):
            parts.append(self.tr("%1 of them usable").replace("%1", str(report.usable_cores)))
        if report.memory_bytes:
            text = self.tr("%1 of memory, %2 free")
            text = text.replace("%1", memory_words(report.memory_bytes))
            parts.append(text.replace("%2", memory_words(report.memory_free_bytes)))
        return " · ".join(parts)


def sweep_data(speeds: MachineSpeeds) -> PlotData:
    """What threads read from main memory together, by their number."""
    rates = sorted(speeds.cpu, key=lambda rate: rate.n_threads)
    ticks = tuple((float(at), str(rate.n_threads)) for at, rate in enumerate(rates))
    x = Axis(words("threads"), -0.6, len(rates) - 0.4, ticks)
    y = count_axis(words("main memory, GB/s"), [rate.bytes_per_s / 1e9 for rate in rates])
    one, several = words("1 thread"), words("{count} threads")
    threads = [one if r.n_threads == 1 else several.format(count=r.n_threads) for r in rates]
    stops = tuple(
        Stop(float(at), f"{name}\n{rate_words(rate.bytes_per_s)}")
        for at, (name, rate) in enumerate(zip(threads, rates, strict=True))
    )
    bars = Bars("", tuple((float(at), rate.bytes_per_s / 1e9) for at, rate in enumerate(rates)), "syntax_name", 0.8)
    return PlotData(words("Main memory by threads"), x, y, bars=(bars,), stops=stops)


def _when_words(speeds: MachineSpeeds | None) -> str:
    if speeds is None:
        return words("Nothing has been measured yet. It takes at most half a minute.")
    text = words("Measured %1, in %2 s.").replace("%1", created_words(speeds.measured_at))
    return text.replace("%2", number(speeds.took_s, 1))
