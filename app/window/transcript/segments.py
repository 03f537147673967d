"""The body of an answer: prose, code and tables one below the other.

Owns which widget shows which items, and keeps a widget as long as what it shows only grows. Positions are set here and
not by a Qt layout, so that a growing text and the scroll position change in one step and nothing flickers. Knows no
message and no engine.
"""

from PySide6.QtCore import Signal
from PySide6.QtGui import QFontInfo
from PySide6.QtWidgets import QWidget

from app.chat.markdown import Block, Code, Item, Table
from app.window.transcript.code_view import CodeView
from app.window.transcript.prose_view import INDENT_EM, MAX_DEPTH, QUOTE_EM, ProseView
from app.window.transcript.table_view import TableView

GAP = 12

Segment = list[Block] | Code | Table
SegmentView = ProseView | CodeView | TableView


class SegmentsView(QWidget):
    link_activated = Signal(str)
    selected = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._views: list[SegmentView] = []
        self._indents: list[float] = []

    def show_items(self, items: list[Item]) -> None:
        segments = grouped(items)
        for number, segment in enumerate(segments):
            if number < len(self._views) and not _fits(self._views[number], segment):
                self._drop(number)
            if number == len(self._views):
                self._views.append(self._new_view(segment))
            self._fill(self._views[number], segment)
        self._drop(len(segments))
        self._indents = [0.0 if isinstance(s, list) else _indent(s) for s in segments]

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
        view: SegmentView
        if isinstance(segment, Code):
            view = CodeView(self)
            view.selected.connect(self.selected)
        else:
            view = TableView(self) if isinstance(segment, Table) else ProseView(self)
            view.link_activated.connect(self.link_activated)
            view.selectionChanged.connect(self.selected)
            if isinstance(view, ProseView):
                view.setAccessibleName(self.tr("Answer"))
        view.show()
        return view

    def _fill(self, view: SegmentView, segment: Segment) -> None:
        if isinstance(view, CodeView) and isinstance(segment, Code):
            view.show_code(segment)
        elif isinstance(view, TableView) and isinstance(segment, Table):
            view.show_table(segment)
        elif isinstance(view, ProseView) and isinstance(segment, list):
            view.show_blocks(segment)

    def _drop(self, start: int) -> None:
        for view in self._views[start:]:
            view.hide()
            view.deleteLater()
        del self._views[start:]


def grouped(items: list[Item]) -> list[Segment]:
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
    wanted = CodeView if isinstance(segment, Code) else TableView if isinstance(segment, Table) else ProseView
    return isinstance(view, wanted)


def _indent(segment: Code | Table) -> float:
    return min(segment.depth, MAX_DEPTH) * INDENT_EM + min(segment.quote, MAX_DEPTH) * QUOTE_EM
