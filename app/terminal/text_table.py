"""Facts and tables as plain lines.

Columns are counted as a terminal does, two for most Chinese characters. A table that is wider than the lines it may
take is turned on its side, or becomes a block of lines for each of its rows. A width of None sets no limit, as suits
a pipe.
"""

from collections.abc import Sequence
from itertools import zip_longest

from app.benchmark_text import Table
from app.terminal.columns import wrapped
from app.terminal.text_width import columns_of

# Where less room is left beside a name, its value stands below it.
_LEAST_BESIDE = 16


def fact_lines(facts: Sequence[tuple[str, str]], width: int | None = None) -> str:
    """Names and values, the values below each other."""
    return "\n".join(_pairs(facts, 0, width))


def table_lines(table: Table, width: int | None = None) -> str:
    """A table below its title; one that is too wide on its side where that fits, or else in blocks."""
    if width is None:
        return "\n".join(_aligned(table))
    forms = (_aligned(table), _aligned(_turned(table)))
    fitting = (lines for lines in forms if max(map(columns_of, lines)) <= width)
    return "\n".join(next(fitting, []) or _blocks(table, width))


def _aligned(table: Table) -> list[str]:
    rows = [table.heading, *table.rows]
    widths = [max(columns_of(row[i]) for row in rows) for i in range(len(table.heading))]

    def cell(text: str, i: int) -> str:
        blank = " " * (widths[i] - columns_of(text))
        return blank + text if i in table.numeric else text + blank

    lines = ["  ".join(cell(text, i) for i, text in enumerate(row)).rstrip() for row in rows]
    return [table.title, *(f"  {line}" for line in lines)]


def _turned(table: Table) -> Table:
    """Rows as columns."""
    heading, *rows = zip(table.heading, *table.rows, strict=True)
    return Table(table.title, heading, tuple(rows), frozenset(range(1, len(heading))))


def _blocks(table: Table, width: int) -> list[str]:
    """The first cell of each row, and below it what the heading calls the others; empty cells are left out."""
    lines = wrapped(table.title, width)
    for row in table.rows:
        lines += [f"  {line}" for line in wrapped(f"{table.heading[0]} {row[0]}".strip(), width - 2)]
        lines += _pairs([(n, c) for n, c in zip(table.heading[1:], row[1:], strict=True) if c], 4, width)
    return lines


def _pairs(pairs: Sequence[tuple[str, str]], indent: int, width: int | None) -> list[str]:
    names = max((columns_of(name) for name, _ in pairs), default=0)
    lines = []
    for name, value in pairs:
        if width is None:
            lines.append(f"{_padded(name, names)}  {value}")
        elif width - indent - names - 2 >= _LEAST_BESIDE:
            values = wrapped(value, width - indent - names - 2)
            lines += [f"{_padded(head, names)}  {line}" for head, line in zip_longest([name], values, fillvalue="")]
        else:
            lines += [*wrapped(name, width - indent), *(f"  {line}" for line in wrapped(value, width - indent - 2))]
    return [f"{' ' * indent}{line}".rstrip() for line in lines]


def _padded(text: str, width: int) -> str:
    return text + " " * (width - columns_of(text))
