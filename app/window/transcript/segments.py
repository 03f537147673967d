"""The body of an answer: prose, code, tables and formulas one below the other.

Owns which widget shows which items, and keeps a widget as long as what it shows only grows. Positions are set here and
not by a Qt layout, so that a growing text and the scroll position change in one step and nothing flickers. Bounds what
is built richly, since a small text can ask for very many cells or blocks. Knows no message and no engine.
"""

import operator
from collections.abc import Sequence

from PySide6.QtCore import QEvent, QTimer, Signal
from PySide6.QtGui import QFontInfo
from PySide6.QtWidgets import QWidget

from app.chat.markdown import Block, Code, Formula, Plain, Shown, Table
from app.window.transcript.code_view import CodeView
from app.window.transcript.formula_view import FormulaView
from app.window.transcript.plain_view import PlainView
from app.window.transcript.prose_view import INDENT_EM, MAX_DEPTH, QUOTE_EM, ProseView
from app.window.transcript.selection import TextPart
from app.window.transcript.shared import Shared
from app.window.transcript.table_view import TableView

GAP = 12
MAX_CELLS = 1000  # of one table
MAX_PARAGRAPH = 30_000  # characters of one paragraph
COST_AT_ONCE = 500.0  # of what is built richly before anything is seen
MAX_COST = 3000.0  # of all that is built richly, a paragraph being 1
VIEW_COST, CELL_COST, LINE_COST, SPAN_COST = 6.0, 0.4, 0.07, 0.1

Segment = list[Block] | Code | Table | Formula | Plain
SegmentView = ProseView | CodeView | TableView | FormulaView | PlainView


class SegmentsView(QWidget):
    link_activated = Signal(str)
    selected = Signal()
    reshaped = Signal()
    """Something in it has another height than before at the same width."""

    def __init__(self, parent: QWidget | None = None, shared: Shared | None = None) -> None:
        super().__init__(parent)
        self._shared = shared
        self._items: Sequence[Shown] = ()
        self._limit = COST_AT_ONCE
        self._built = 0.0
        self._is_building = False
        self._views: list[SegmentView] = []
        self._segments: list[Segment] = []
        self._heights: dict[SegmentView, tuple[int, int]] = {}
        """The widths and heights of those that are as they were when they were laid out."""

    def show_items(self, items: Sequence[Shown], *, is_growing: bool = False) -> None:
        """Show these.

        A text that grows is built richly as it does; one that comes as a whole bit by bit, where all of it can be.
        """
        self._items = items
        if is_growing:
            self._limit = min(MAX_COST, max(self._limit, self._built + COST_AT_ONCE / 4))
        self._show()
        is_cut = self._limit < MAX_COST and bool(items) and bool(self._segments)
        if is_cut and isinstance(self._segments[-1], Plain) and not isinstance(items[-1], Plain):
            self._begin_building_on()

    def _begin_building_on(self) -> None:
        if not self._is_building and sum(map(_cost, self._items)) <= MAX_COST:
            self._is_building = True
            QTimer.singleShot(0, self, self._build_on)

    def _show(self) -> None:
        shown = bounded(self._items, self._limit)
        self._built = sum(map(_cost, shown))
        segments = grouped(shown)
        for number, segment in enumerate(segments):
            if number < len(self._views) and _is_same(self._segments[number], segment):
                continue
            if number < len(self._views) and not _fits(self._views[number], segment):
                self._drop(number)
            if number == len(self._views):
                self._views.append(self._new_view(segment))
                self._segments.append(segment)
            self._fill(self._views[number], segment)
            self._segments[number] = segment
            self._heights.pop(self._views[number], None)
        self._drop(len(segments))

    def _build_on(self) -> None:
        self._limit += COST_AT_ONCE / 4
        self._show()
        self._is_building = self._limit < MAX_COST and bool(self._segments) and isinstance(self._segments[-1], Plain)
        if self._is_building:
            QTimer.singleShot(0, self, self._build_on)
        self.reshaped.emit()

    def parts(self) -> Sequence[TextPart]:
        """Its texts, in order."""
        return self._views

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._heights.clear()

    def fit(self, width: int) -> int:
        em = QFontInfo(self.font()).pixelSize()
        y = 0
        for view, segment in zip(self._views, self._segments, strict=True):
            left = min(int(_indent(segment) * em), width // 2)
            fitted = self._heights.get(view)
            if fitted is None or fitted[0] != width - left:
                fitted = self._heights[view] = (width - left, view.fit(width - left))
            view.setGeometry(left, y, *fitted)
            y += fitted[1] + GAP
        return max(0, y - GAP)

    def _new_view(self, segment: Segment) -> SegmentView:
        formulas = self._shared.formulas if self._shared is not None else None
        view: SegmentView
        if isinstance(segment, Code):
            view = CodeView(self)
            view.selected.connect(self.selected)
            view.reshaped.connect(self._on_reshaped)
        elif isinstance(segment, Plain):
            view = PlainView(self)
            view.selected.connect(self.selected)
        else:
            kind = TableView if isinstance(segment, Table) else ProseView
            view = FormulaView(self, formulas) if isinstance(segment, Formula) else kind(self, formulas)
            view.link_activated.connect(self.link_activated)
            view.selectionChanged.connect(self.selected)
            view.reshaped.connect(self._on_reshaped)
            if isinstance(view, ProseView):
                view.setAccessibleName(self.tr("Answer"))
        if self._shared is not None:
            self._shared.selection.adopt(view)
        view.show()
        return view

    def _fill(self, view: SegmentView, segment: Segment) -> None:
        if isinstance(view, CodeView) and isinstance(segment, Code):
            view.show_code(segment)
        elif isinstance(view, TableView) and isinstance(segment, Table):
            view.show_table(segment)
        elif isinstance(view, FormulaView) and isinstance(segment, Formula):
            view.show_formula(segment)
        elif isinstance(view, PlainView) and isinstance(segment, Plain):
            view.show_plain(segment)
        elif isinstance(view, ProseView) and isinstance(segment, list):
            view.show_blocks(segment)

    def _on_reshaped(self) -> None:
        view = self.sender()
        self._heights = {each: height for each, height in self._heights.items() if each is not view}
        self.reshaped.emit()

    def _drop(self, start: int) -> None:
        for view in self._views[start:]:
            self._heights.pop(view, None)
            view.hide()
            view.deleteLater()
        del self._views[start:]
        del self._segments[start:]


def bounded(items: Sequence[Shown], limit: float = MAX_COST) -> list[Shown]:
    """The same content; what would take too long to build is plain text, and so is all that goes beyond the limit."""
    shown: list[Shown] = []
    left = limit
    for position, item in enumerate(items):
        if isinstance(item, Table) and len(item.rows) * len(item.alignments) > MAX_CELLS:
            item = Plain(_text_of(item), is_table=True)
        elif isinstance(item, Block) and sum(len(span.text) for span in item.spans) > MAX_PARAGRAPH:
            item = Plain(_text_of(item))
        left -= _cost(item)
        if left < 0:
            rest = "\n\n".join(_text_of(each) for each in items[position:])
            return [*shown, Plain(rest)]
        shown.append(item)
    return shown


def _cost(item: Shown) -> float:
    if isinstance(item, Block):
        return 1 + SPAN_COST * len(item.spans)
    if isinstance(item, Code):
        return VIEW_COST + LINE_COST * item.text.count("\n")
    if isinstance(item, Table):
        return VIEW_COST + CELL_COST * len(item.rows) * len(item.alignments)
    return VIEW_COST


def _text_of(item: Shown) -> str:
    if isinstance(item, Table):
        return "\n".join(" | ".join("".join(span.text for span in cell) for cell in row) for row in item.rows)
    return "".join(span.text for span in item.spans) if isinstance(item, Block) else item.text


def grouped(items: Sequence[Shown]) -> list[Segment]:
    """Neighbouring blocks belong to one document."""
    segments: list[Segment] = []
    for item in items:
        if not isinstance(item, Block):
            segments.append(item)
        elif segments and isinstance(segments[-1], list):
            segments[-1].append(item)
        else:
            segments.append([item])
    return segments


def _fits(view: SegmentView, segment: Segment) -> bool:
    kinds: dict[type, type] = {Code: CodeView, Table: TableView, Formula: FormulaView, Plain: PlainView}
    return isinstance(view, kinds.get(type(segment), ProseView))


def _is_same(before: Segment, now: Segment) -> bool:
    """Whether nothing can be different: the same objects."""
    if isinstance(before, list) and isinstance(now, list):
        return len(before) == len(now) and all(map(operator.is_, before, now))
    return before is now


def _indent(segment: Segment) -> float:
    if isinstance(segment, list | Plain):
        return 0.0
    return min(segment.depth, MAX_DEPTH) * INDENT_EM + min(segment.quote, MAX_DEPTH) * QUOTE_EM
