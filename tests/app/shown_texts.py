"""Every text that a window shows or says to a screen reader, and what of it does not fit where it stands.

For tests that walk the window: in another language nothing English may be left, and with longer texts nothing may be
cut off. What a widget paints by itself is told by its accessible name.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, QSize, Qt, QTranslator
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QAbstractButton,
    QComboBox,
    QGroupBox,
    QLabel,
    QLineEdit,
    QListWidget,
    QMenu,
    QPlainTextEdit,
    QTabBar,
    QTextEdit,
    QWidget,
)

# Two words of small Latin letters beside each other, of which the first may begin with a capital.
ENGLISH = re.compile(r"\b[A-Za-z][a-z’']+ [a-z]{2,}\b")
# A label of one word.
ONE_WORD = re.compile(r"[A-Za-z][a-z]{2,}")
# Letters with marks that make a text longer and show that it came from a translation.
_MARKED = str.maketrans("aeiouyAEIOUYcnst", "äéîöüýÄÉÎÖÜÝçñšţ")
_PLACE = re.compile(r"(%L?n|%\d+|\{\{?[a-z_]*\}?\}|https?://\S+|\*\.\w+|[<>&])")


@dataclass(frozen=True)
class Shown:
    """`where` names the widget and what of it the text is."""

    where: str
    text: str


def shown_texts(root: QWidget) -> list[Shown]:
    """What is on the screen below a widget, and what is said of it."""
    found = []
    for widget in [root, *root.findChildren(QWidget)]:
        if widget.isVisibleTo(root):
            found += [Shown(f"{type(widget).__name__}.{what}", text) for what, text in _texts(widget) if text.strip()]
    return found


def _texts(widget: QWidget) -> Iterator[tuple[str, str]]:
    yield "accessibleName", widget.accessibleName()
    yield "accessibleDescription", widget.accessibleDescription()
    yield "toolTip", widget.toolTip()
    if isinstance(widget, QLabel | QAbstractButton):
        yield "text", widget.text()
    if isinstance(widget, QLineEdit | QPlainTextEdit | QTextEdit):
        yield "placeholderText", widget.placeholderText()
    if isinstance(widget, QGroupBox):
        yield "title", widget.title()
    if isinstance(widget, QComboBox):
        yield from (("itemText", widget.itemText(i)) for i in range(widget.count()))
    if isinstance(widget, QListWidget):
        yield from (("item", widget.item(i).text()) for i in range(widget.count()))
    if isinstance(widget, QTabBar):
        yield from (("tabText", widget.tabText(i)) for i in range(widget.count()))
    if isinstance(widget, QMenu):
        yield from (("action", action.text()) for action in _actions(widget))


def _actions(menu: QMenu) -> Iterator[QAction]:
    for action in menu.actions():
        yield action
        below = action.menu()
        if isinstance(below, QMenu):
            yield from _actions(below)


def english_left(root: QWidget, *, known: re.Pattern[str]) -> list[Shown]:
    """Texts with English in them once what matches `known` (names, what people wrote) is taken out."""
    found = [Shown(shown.where, known.sub("", shown.text).strip()) for shown in shown_texts(root)]
    return [shown for shown in found if ENGLISH.search(shown.text) or ONE_WORD.fullmatch(shown.text)]


def cut_off(root: QWidget) -> list[Shown]:
    """Labels and buttons whose words do not fit the room they have."""
    found = []
    for widget in root.findChildren(QWidget):
        if not widget.isVisibleTo(root) or not isinstance(widget, QLabel | QAbstractButton) or not widget.text():
            continue
        needed = _needed(widget)
        has = widget.size()
        if needed.width() > has.width() + 1 or needed.height() > has.height() + 1:
            words = f"needs {needed.width()}×{needed.height()}, has {has.width()}×{has.height()}"
            found.append(
                Shown(f"{type(widget).__name__} in {type(widget.parentWidget()).__name__} {words}", widget.text())
            )
    return found


def _needed(widget: QLabel | QAbstractButton) -> QSize:
    if isinstance(widget, QLabel):
        margins = widget.contentsMargins()
        width = widget.width() - margins.left() - margins.right()
        metrics = widget.fontMetrics()
        if widget.wordWrap():
            flags = int(Qt.TextFlag.TextWordWrap | widget.alignment())
            rect = metrics.boundingRect(0, 0, max(1, width), 1 << 16, flags, widget.text())
            return QSize(rect.width() + margins.left() + margins.right(), rect.height())
        lines = widget.text().split("\n")
        widest = max(metrics.horizontalAdvance(line) for line in lines)
        return QSize(widest + margins.left() + margins.right(), metrics.height() * len(lines) - metrics.descent())
    return QSize(widget.minimumSizeHint().width(), 0)


class Lengthened(QTranslator):
    """A language that is English with marks, and 40 % longer: what is cut off in it would be in German."""

    def translate(self, context: str, source: str, disambiguation: str | None = None, n: int = -1) -> str:
        if not source.strip() or context.startswith("Q"):
            return ""
        text = source.replace("%Ln", str(n)).replace("%n", str(n)) if n >= 0 else source
        marked = "".join(p if _PLACE.fullmatch(p) else p.translate(_MARKED) for p in _PLACE.split(text))
        words = sum(len(part) for part in _PLACE.split(text) if not _PLACE.fullmatch(part))
        return marked + " þþþ" * max(1, round(0.1 * words)) if words > 2 else marked

    def isEmpty(self) -> bool:
        return False


def installed(translator: QTranslator) -> QTranslator:
    QCoreApplication.installTranslator(translator)
    return translator
