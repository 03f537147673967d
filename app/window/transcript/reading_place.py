"""The place in a text that the upper edge of what is in sight cuts through, to be put back there when layout changes.

It is kept as a cursor of the document, so that text which grows or shrinks above it moves it along.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPoint
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QWidget

from app.window.transcript.message_view import MessageView
from app.window.transcript.selection import TextPart


@dataclass(frozen=True, slots=True)
class ReadingPlace:
    """`offset`: how far below the place the edge is."""

    view: MessageView
    part: TextPart
    place: QTextCursor
    offset: int


def place_at(views: Sequence[MessageView], column: QWidget, value: int) -> ReadingPlace | None:
    """The place at a height of the column; None where no text is cut through."""
    for view in views:
        if view.y() >= value:
            return None
        for part in view.parts() if view.geometry().bottom() >= value else ():
            viewport = part.editor.viewport()
            top = viewport.mapTo(column, QPoint(0, 0)).y()
            if top <= value < top + viewport.height():
                place = part.editor.cursorForPosition(QPoint(0, value - top))
                return ReadingPlace(view, part, place, value - top - part.editor.cursorRect(place).top())
    return None


def edge_for(reading: ReadingPlace | None, views: Sequence[MessageView], column: QWidget) -> int | None:
    """Where the edge has to be for the place to be where it was; None where the place is gone."""
    if reading is None or not any(view is reading.view for view in views):
        return None
    if not any(part.editor is reading.part.editor for part in reading.view.parts()):
        return None
    top = reading.part.editor.viewport().mapTo(column, QPoint(0, 0)).y()
    return top + reading.part.editor.cursorRect(reading.place).top() + reading.offset
