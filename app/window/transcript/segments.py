"""The body of an answer: prose, code, tables and formulas one below the other.

Owns which widget shows which items, and keeps a widget as long as what it shows only grows. Positions are set here and
not by a Qt layout, so that a growing text and the scroll position change in one step and nothing flickers. Bounds what
is built richly, since a small text can ask for very many cells or blocks. Knows no message and no engine.
"""

from collections.abc import Sequence

from PySide6.QtCore import Signal
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
MAX_COST = 500.0  # of all that is built richly, a paragraph being 1
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
        self._views: list[SegmentView] = []
        self._indents: list[float] = []

    def show_items(self, items: Sequence[Shown]) -> None:
        segments = grouped(bounded(items))
        for number, segment in enumerate(segments):
            if number < len(self._views) and not _fits(self._views[number], segment):
                self._drop(number)
            if number == len(self._views):
                self._views.append(self._new_view(segment))
            self._fill(self._views[number], segment)
        self._drop(len(segments))
        self._indents = [_indent(s) if isinstance(s, Code | Table | Formula) else 0.0 for s in segments]

    def parts(self) -> Sequence[TextPart]:
        """Its texts, in order."""
        return self._views

    def fit(self, width: int) -> int:
        em = QFontInfo(self.font()).pixelSize()
        y = 0
        for view, indent in zip(self._views, self._indents, strict=True):
            left = min(int(indent * em), width // 2)
            height = view.fit(width - left)
            view.setGeometry(left, y, width - left, height)
            y += height + GAP
        return max(0, y - GAP)

    def _new_view(self, segment: Segment) -> SegmentView:
        formulas = self._shared.formulas if self._shared is not None else None
        view: SegmentView
        if isinstance(segment, Code):
            view = CodeView(self)
            view.selected.connect(self.selected)
            view.reshaped.connect(self.reshaped)
        elif isinstance(segment, Plain):
            view = PlainView(self)
            view.selected.connect(self.selected)
        else:
            kind = TableView if isinstance(segment, Table) else ProseView
            view = FormulaView(self, formulas) if isinstance(segment, Formula) else kind(self, formulas)
            view.link_activated.connect(self.link_activated)
            view.selectionChanged.connect(self.selected)
            view.reshaped.connect(self.reshaped)
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

    def _drop(self, start: int) -> None:
        for view in self._views[start:]:
            view.hide()
            view.deleteLater()
        del self._views[start:]


def bounded(items: Sequence[Shown]) -> list[Shown]:
    """The same content; what would take too long to build is plain text, and so is all that follows MAX_COST."""
    shown: list[Shown] = []
    left = MAX_COST
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


def _indent(segment: Code | Table | Formula) -> float:
    return min(segment.depth, MAX_DEPTH) * INDENT_EM + min(segment.quote, MAX_DEPTH) * QUOTE_EM
