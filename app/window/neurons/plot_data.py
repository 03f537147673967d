"""What a plot shows, as values: axes, lines, bands, bars, limits, and the places where numbers are told.

Owns how a value lies on its axis. Knows no screen.
"""

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Axis:
    """One direction of a plot; `ticks` are (value, label).

    On a logarithmic one, what is below `low` lies at its start.
    """

    title: str
    low: float
    high: float
    ticks: tuple[tuple[float, str], ...]
    is_log: bool = False

    def place(self, value: float) -> float:
        """Where a value lies, from 0 to 1."""
        if self.is_log:
            share = math.log(max(value, self.low) / self.low) / math.log(self.high / self.low)
        else:
            share = (value - self.low) / (self.high - self.low)
        return min(1.0, max(0.0, share))


@dataclass(frozen=True, slots=True)
class Line:
    """`ink` names a colour of the theme; `strength` is how much of it is mixed with the ground. No name: no legend."""

    name: str
    points: tuple[tuple[float, float], ...]
    ink: str = "accent"
    strength: float = 1.0
    width: float = 2.0
    is_dashed: bool = False
    has_dots: bool = False


@dataclass(frozen=True, slots=True)
class Band:
    """The room between two values, at each x: (x, low, high)."""

    name: str
    points: tuple[tuple[float, float, float], ...]
    ink: str = "accent"
    strength: float = 0.3


@dataclass(frozen=True, slots=True)
class Bars:
    """Values as bars from zero, which may go down."""

    name: str
    points: tuple[tuple[float, float], ...]
    ink: str = "accent"
    strength: float = 0.85


Series = Line | Band | Bars


@dataclass(frozen=True, slots=True)
class Limit:
    """A line across at a value, with a word on it, or below it."""

    value: float
    words: str
    is_below: bool = False


@dataclass(frozen=True, slots=True)
class Stop:
    """A place on the x axis where pointer and arrow keys stop; `words` has a line for each figure there."""

    x: float
    words: str


@dataclass(frozen=True, slots=True)
class PlotData:
    """A plot's content; later series are painted over earlier ones, bands and bars below lines."""

    title: str
    x: Axis
    y: Axis
    lines: tuple[Line, ...] = ()
    bands: tuple[Band, ...] = ()
    bars: tuple[Bars, ...] = ()
    limits: tuple[Limit, ...] = ()
    stops: tuple[Stop, ...] = ()


@dataclass(frozen=True, slots=True)
class MatrixData:
    """Shares by row and column (None: unknown); `texts` are what the cells show, `words` what is said of one."""

    title: str
    names: tuple[str, ...]
    values: tuple[tuple[float | None, ...], ...]
    texts: tuple[tuple[str, ...], ...]
    words: tuple[tuple[str, ...], ...]
