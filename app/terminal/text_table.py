"""Facts and tables as plain lines.

Columns are counted as a terminal does, two for most Chinese characters. A table that is wider than the lines it may
take becomes a block of lines for each of its rows.
"""

from collections.abc import Sequence

from prompt_toolkit.utils import get_cwidth

from app.benchmark_text import Table

_MIN_WIDTH = 20


def fact_lines(facts: Sequence[tuple[str, str]]) -> str:
    """Names and values, the values below each other."""
    width = max((get_cwidth(name) for name, _ in facts), default=0)
    return "\n".join(f"{_padded(name, width)}  {value}" for name, value in facts)


def table_lines(table: Table, width: int | None = None) -> str:
    """A table below its title; `width` None sets no limit, as suits a pipe."""
    rows = [table.heading, *table.rows]
    widths = [max(get_cwidth(row[i]) for row in rows) for i in range(len(table.heading))]
    if width is not None and 2 + sum(widths) + 2 * (len(widths) - 1) > max(width, _MIN_WIDTH):
        return _blocks(table)

    def cell(text: str, i: int) -> str:
        blank = " " * (widths[i] - get_cwidth(text))
        return blank + text if i in table.numeric else text + blank

    lines = ["  ".join(cell(text, i) for i, text in enumerate(row)).rstrip() for row in rows]
    return "\n".join([table.title, *(f"  {line}" for line in lines)])


def _blocks(table: Table) -> str:
    """The first cell of each row, and below it what the heading calls the others; empty cells are left out."""
    names = [f"{table.heading[0]} ".lstrip(), *table.heading[1:]]
    width = max(get_cwidth(name) for name in names[1:]) if len(names) > 1 else 0
    lines = [table.title]
    for row in table.rows:
        lines.append(f"  {names[0]}{row[0]}")
        lines += [f"    {_padded(name, width)}  {cell}" for name, cell in zip(names[1:], row[1:], strict=True) if cell]
    return "\n".join(lines)


def _padded(text: str, width: int) -> str:
    return text + " " * (width - get_cwidth(text))
