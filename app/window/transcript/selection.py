"""A selection that runs through paragraphs, code, tables and messages, and what of it is copied.

Each text on the screen is a widget with a selection of its own; this joins them: a drag that leaves one text goes on in
the next, everything can be selected at once, and what is copied is clean Markdown or plain text. Owns the menu of a
text, too. Knows texts by `TextPart` and messages by `SelectableMessage` only.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Protocol

from PySide6.QtCore import QCoreApplication, QEvent, QMimeData, QObject, QPoint, Qt, QTimer
from PySide6.QtGui import (
    QContextMenuEvent,
    QCursor,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QTextCursor,
)
from PySide6.QtWidgets import QAbstractScrollArea, QMenu, QPlainTextEdit, QScrollArea, QTextBrowser, QTextEdit

from app.chat.markdown import Block, Code, Shown
from app.chat.markdown_text import to_markdown, to_plain

SCROLL_MS = 30
SCROLL_SHARE = 4  # of the distance to the edge, the part that is scrolled at once

Editor = QTextEdit | QPlainTextEdit


class TextPart(Protocol):
    """A text on the screen: the widget that shows it, and what lies between two positions of its document."""

    @property
    def editor(self) -> Editor: ...

    def items_between(self, start: int, end: int) -> list[Shown]: ...


class SelectableMessage(Protocol):
    def parts(self) -> Sequence[TextPart]:
        """Its texts that are on the screen, in order."""

    def clean_text(self) -> str:
        """All of it as Markdown."""


class TranscriptSelection(QObject):
    def __init__(
        self,
        area: QScrollArea,
        messages: Callable[[], Sequence[SelectableMessage]],
        whole: Callable[[bool], str],
    ) -> None:
        """`whole` gives the text of the conversation, as Markdown or plain, which may have messages not built yet."""
        super().__init__(area)
        self._area = area
        self._messages = messages
        self._whole = whole
        self._parts: dict[QObject, TextPart] = {}
        self._anchor: tuple[TextPart, int] | None = None
        self._is_spanning = False
        self._is_all = False
        self._scroll = QTimer(self)
        self._scroll.setInterval(SCROLL_MS)
        self._scroll.timeout.connect(self._scroll_on)
        kind = QEvent.Type
        self._handlers: dict[QEvent.Type, Callable[[TextPart, QEvent], bool]] = {
            kind.MouseButtonPress: self._on_press,
            kind.MouseMove: self._on_move,
            kind.MouseButtonRelease: self._on_release,
            kind.KeyPress: self._on_key,
            kind.ContextMenu: self._on_menu,
        }

    @property
    def is_some(self) -> bool:
        return self._is_all or any(part.editor.textCursor().hasSelection() for part in self._ordered())

    def adopt(self, part: TextPart) -> None:
        """Let the selection run through this text, too."""
        for watched in (part.editor, part.editor.viewport()):
            self._parts[watched] = part
            watched.installEventFilter(self)
            watched.destroyed.connect(partial(self._forget, watched))

    def clear(self) -> None:
        self._is_all = False
        for part in self._ordered():
            _select(part.editor, 0, 0, keep=True)

    def select_all(self) -> None:
        """The whole conversation, with the messages that are not built."""
        for part in self._ordered():
            _select(part.editor, _end(part.editor), 0)
        self._is_all = True

    def select(self, first: TextPart, start: int, last: TextPart, end: int) -> None:
        """From a position in one text to a position in another, whichever comes first."""
        self._is_all = False
        parts = self._ordered()
        at, to = _index(parts, first), _index(parts, last)
        for number, part in enumerate(parts):
            if number == at == to:
                _select(part.editor, start, end)
            elif number == at:
                _select(part.editor, _end(part.editor) if to > at else 0, start)
            elif number == to:
                _select(part.editor, 0 if to > at else _end(part.editor), end)
            elif min(at, to) < number < max(at, to):
                _select(part.editor, _end(part.editor), 0)
            else:
                _select(part.editor, 0, 0, keep=True)

    def copy(self, *, as_markdown: bool = True) -> None:
        text = self.text(as_markdown=as_markdown)
        if not text:
            return
        data = QMimeData()
        data.setText(text)
        if as_markdown:
            data.setData("text/markdown", text.encode("utf-8", "replace"))
        QGuiApplication.clipboard().setMimeData(data)

    def text(self, *, as_markdown: bool = True) -> str:
        """What is selected."""
        if self._is_all:
            return self._whole(as_markdown)
        texts: list[str] = []
        for message in self._messages():
            parts = message.parts()
            cursors = [part.editor.textCursor() for part in parts]
            items: list[Shown] = []
            for part, cursor in zip(parts, cursors, strict=True):
                if cursor.hasSelection():
                    items += part.items_between(cursor.selectionStart(), cursor.selectionEnd())
            if not items:
                continue
            is_whole = all(_is_whole(part.editor, cursor) for part, cursor in zip(parts, cursors, strict=True))
            if not as_markdown or _is_bare(items):
                texts.append(to_plain(items))
            else:
                texts.append(message.clean_text() if is_whole else to_markdown(items))
        return "\n\n".join(texts)

    def on_key(self, event: QKeyEvent) -> bool:
        """Copying and selecting everything; whether it was one of these keys."""
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        elif event.matches(QKeySequence.StandardKey.SelectAll):
            self.select_all()
        else:
            return False
        return True

    # Events -------------------------------------------------------------------------------------------------------

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        handler = self._handlers.get(event.type())
        part = self._parts.get(watched) if handler is not None else None
        return handler(part, event) if handler is not None and part is not None else False

    def _on_press(self, part: TextPart, event: QEvent) -> bool:
        if not isinstance(event, QMouseEvent) or event.button() != Qt.MouseButton.LeftButton:
            return False
        position = part.editor.cursorForPosition(event.position().toPoint()).position()
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier and self._anchor is not None:
            self._extend(event.globalPosition().toPoint())
            return True
        self._is_spanning = self._is_all = False
        own = part.editor.textCursor()
        if own.hasSelection() and own.selectionStart() < position < own.selectionEnd() and self._is_within(part):
            self._anchor = None  # Qt drags the text that is selected
            return False
        for other in self._ordered():
            if other.editor is not part.editor:
                _select(other.editor, 0, 0, keep=True)
        self._anchor = (part, position)
        return False

    def _on_move(self, part: TextPart, event: QEvent) -> bool:
        if not isinstance(event, QMouseEvent) or not event.buttons() & Qt.MouseButton.LeftButton:
            return False
        if self._anchor is None:
            return False
        at = event.globalPosition().toPoint()
        target = self._part_at(at)
        if not self._is_spanning and (target is None or target[0].editor is self._anchor[0].editor):
            return False
        if not self._is_spanning:
            self._is_spanning = True
            self._scroll.start()
        self._extend(at)
        return True

    def _on_release(self, part: TextPart, event: QEvent) -> bool:
        self._scroll.stop()
        was_spanning, self._is_spanning = self._is_spanning, False
        return was_spanning

    def _on_key(self, part: TextPart, event: QEvent) -> bool:
        return isinstance(event, QKeyEvent) and self.on_key(event)

    def _on_menu(self, part: TextPart, event: QEvent) -> bool:
        if not isinstance(event, QContextMenuEvent):
            return False
        editor = part.editor
        at = editor.viewport().mapFromGlobal(event.globalPos())
        menu = self.menu(editor.anchorAt(at) if isinstance(editor, QTextBrowser) else "")
        menu.popup(event.globalPos())
        return True

    def menu(self, href: str = "") -> QMenu:
        """What can be done with the selection, and with a link where there is one."""
        menu = QMenu(self._area)
        menu.aboutToHide.connect(menu.deleteLater)
        for words, run in (
            (_tr("Copy"), lambda: self.copy()),
            (_tr("Copy as plain text"), lambda: self.copy(as_markdown=False)),
        ):
            action = menu.addAction(words, run)
            action.setEnabled(self.is_some)
        if href:
            menu.addAction(_tr("Copy link"), lambda: QGuiApplication.clipboard().setText(href))
        menu.addSeparator()
        menu.addAction(_tr("Select the whole conversation"), self.select_all)
        return menu

    # Within -------------------------------------------------------------------------------------------------------

    def _ordered(self) -> list[TextPart]:
        return [part for message in self._messages() for part in message.parts()]

    def _forget(self, watched: QObject, *_: object) -> None:
        part = self._parts.pop(watched, None)
        if part is not None and self._anchor is not None and self._anchor[0] is part:
            self._anchor = None

    def _is_within(self, part: TextPart) -> bool:
        """Whether no other text is selected beside this."""
        return not any(
            other.editor.textCursor().hasSelection() for other in self._ordered() if other.editor is not part.editor
        )

    def _extend(self, at: QPoint) -> None:
        target = self._part_at(at)
        if target is not None and self._anchor is not None:
            self.select(*self._anchor, *target)

    def _part_at(self, at: QPoint) -> tuple[TextPart, int] | None:
        """The text at a point of the screen, or the nearest above it, and the position in it."""
        found: TextPart | None = None
        for part in self._ordered():
            if found is not None and _global_top(part.editor) > at.y():
                break
            found = part
        if found is None:
            return None
        viewport = found.editor.viewport()
        inside = viewport.mapFromGlobal(at)
        if inside.y() < 0:
            return found, 0
        if inside.y() >= viewport.height():
            return found, _end(found.editor)
        return found, found.editor.cursorForPosition(inside).position()

    def _scroll_on(self) -> None:
        """While a drag is held above or below what is in sight, more comes into sight."""
        at = QCursor.pos()
        y = self._area.viewport().mapFromGlobal(at).y()
        beyond = min(0, y) or max(0, y - self._area.viewport().height())
        if beyond:
            bar = self._area.verticalScrollBar()
            bar.setValue(bar.value() + beyond // SCROLL_SHARE + (1 if beyond > 0 else -1))
            self._extend(at)


def _index(parts: Sequence[TextPart], wanted: TextPart) -> int:
    return next((number for number, part in enumerate(parts) if part.editor is wanted.editor), 0)


def _global_top(editor: QAbstractScrollArea) -> int:
    return editor.viewport().mapToGlobal(QPoint(0, 0)).y()


def _end(editor: Editor) -> int:
    return editor.document().characterCount() - 1


def _select(editor: Editor, anchor: int, position: int, *, keep: bool = False) -> None:
    """Select; the text scrolls to `position`. `keep` leaves the cursor where it is, with nothing selected."""
    cursor = editor.textCursor()
    if keep:
        if not cursor.hasSelection():
            return
        anchor = position = cursor.position()
    if (cursor.anchor(), cursor.position()) == (anchor, position):
        return
    cursor.setPosition(anchor)
    cursor.setPosition(position, QTextCursor.MoveMode.KeepAnchor)
    editor.setTextCursor(cursor)


def _is_whole(editor: Editor, cursor: QTextCursor) -> bool:
    return cursor.selectionStart() == 0 and cursor.selectionEnd() >= _end(editor)


def _is_bare(items: Sequence[Shown]) -> bool:
    """Whether marks would be in the way: a stretch of one paragraph in one style, or code alone."""
    if len(items) != 1:
        return False
    (item,) = items
    return isinstance(item, Code) or (isinstance(item, Block) and len(item.spans) == 1 and not item.spans[0].formula)


def _tr(text: str) -> str:
    return QCoreApplication.translate("TranscriptSelection", text)
