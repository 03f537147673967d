"""Who works when, within decoded tokens: spans of the card's and the processor's time on one clock.

The card's spans lie between timed events in its stream, the processor's between readings of its own clock; an event at
the beginning of a step, which is waited for, ties the two clocks together to within a few microseconds. What the card
does between two of its events counts as work, the gaps between its launches included. Measuring costs two events a
span, so that only some steps are measured; the sums say of how many tokens they are.
"""

import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import fields

from engine.kernels.cuda.device import Device, Event
from engine.placement_reports import StepLoad

# One step in so many is measured.
MEASURED_EVERY = 4

Span = tuple[float, float]
NO_LOAD = StepLoad(0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0, 0, 0, 0)


class LoadMeter:
    """Measures steps, and sums them up for each reader until it takes them; a reader begins with its first call."""

    def __init__(self) -> None:
        self._sums: dict[str, StepLoad] = {}
        self._n_steps = 0
        self._device: Device | None = None
        self._is_measuring = False
        self._began = 0.0
        self._anchor: Event | None = None
        self._card: list[tuple[Event, Event]] = []
        self._processor: list[Span] = []
        self._waited_s = 0.0

    def take(self, reader: str) -> StepLoad:
        """The sums since this reader's last call."""
        taken = self._sums.get(reader, NO_LOAD)
        self._sums[reader] = NO_LOAD
        return taken

    @property
    def is_measuring(self) -> bool:
        """Whether the step that has begun is measured."""
        return self._is_measuring

    def begin(self, device: Device | None) -> None:
        """A step begins; without a device it runs on the processor alone."""
        self._is_measuring = self._n_steps % MEASURED_EVERY == 0
        self._n_steps += 1
        if not self._is_measuring:
            return
        self._device, self._anchor = device, None
        self._card, self._processor, self._waited_s = [], [], 0.0
        if device is not None:
            self._anchor = device.record(timed=True)
            self._anchor.wait()
        self._began = time.perf_counter()

    @contextmanager
    def card(self) -> Iterator[None]:
        """What is put on the stream inside is the card's work."""
        if not self._is_measuring or self._device is None:
            yield
            return
        first = self._device.record(timed=True)
        yield
        self._card.append((first, self._device.record(timed=True)))

    @contextmanager
    def processor(self) -> Iterator[None]:
        """The processor computes inside."""
        began = time.perf_counter()
        yield
        if self._is_measuring:
            self._processor.append((began, time.perf_counter()))

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """The processor waits for the card inside."""
        began = time.perf_counter()
        yield
        self._waited_s += time.perf_counter() - began

    def end(self, tokens: int, *, hot_bytes: int, cold_bytes: int, active_hot: int, active_cold: int) -> None:
        """The step has ended, its stream too. A step that is not ended, because it failed, does not count."""
        if not self._is_measuring:
            return
        self._is_measuring = False
        wall_s = time.perf_counter() - self._began
        card = self._card_spans()
        card_busy, cpu_busy = _length(card), _length(self._processor)
        card_waited = card[-1][1] - card[0][0] - card_busy if card else 0.0
        step = StepLoad(
            tokens, wall_s, card_busy, cpu_busy, _length(common(card, self._processor)), self._waited_s, card_waited,
            hot_bytes, cold_bytes, active_hot, active_cold,
        )  # fmt: skip
        self._sums = {reader: _added(before, step) for reader, before in self._sums.items()}

    def _card_spans(self) -> list[Span]:
        """On the processor's clock."""
        anchor = self._anchor
        if anchor is None:
            return []
        return [
            (self._began + first.seconds_since(anchor), self._began + last.seconds_since(anchor))
            for first, last in self._card
        ]


def common(a: Iterable[Span], b: Iterable[Span]) -> list[Span]:
    """What two rows of spans, each in order and without overlaps of its own, have in common."""
    found: list[Span] = []
    left, right = iter(a), iter(b)
    one, other = next(left, None), next(right, None)
    while one is not None and other is not None:
        first, last = max(one[0], other[0]), min(one[1], other[1])
        if first < last:
            found.append((first, last))
        if one[1] < other[1]:
            one = next(left, None)
        else:
            other = next(right, None)
    return found


def _added(a: StepLoad, b: StepLoad) -> StepLoad:
    return StepLoad(*(getattr(a, field.name) + getattr(b, field.name) for field in fields(StepLoad)))


def _length(spans: Iterable[Span]) -> float:
    return sum(last - first for first, last in spans)
