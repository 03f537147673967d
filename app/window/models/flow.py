"""Widgets one after another, on as many lines as it takes: chips, and buttons with words of any length."""

from PySide6.QtCore import QMargins, QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget


class FlowLayout(QLayout):
    def __init__(self, parent: QWidget | None = None, *, spacing: int = 8) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self._gap = spacing
        self.setContentsMargins(QMargins())

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._place(QRect(0, 0, width, 0), moves=False)

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        self._place(rect, moves=True)

    def sizeHint(self) -> QSize:
        return self.minimumSize()

    def minimumSize(self) -> QSize:
        size = QSize()
        for item in self._shown():
            size = size.expandedTo(item.minimumSize())
        return size

    def _shown(self) -> list[QLayoutItem]:
        return [item for item in self._items if not item.isEmpty()]

    def _place(self, rect: QRect, *, moves: bool) -> int:
        """The height taken; lines are as high as what is highest on them, and what is lower stands in the middle."""
        x, y, line = rect.x(), rect.y(), list[tuple[QLayoutItem, int, QSize]]()

        def end_line() -> int:
            height = max((size.height() for _, _, size in line), default=0)
            for item, left, size in line if moves else ():
                item.setGeometry(QRect(QPoint(left, y + (height - size.height()) // 2), size))
            return height

        for item in self._shown():
            size = item.sizeHint().boundedTo(QSize(max(rect.width(), item.minimumSize().width()), 16_777_215))
            if line and x + size.width() > rect.right() + 1:
                y += end_line() + self._gap
                x, line = rect.x(), []
            line.append((item, x, size))
            x += size.width() + self._gap
        return y + end_line() - rect.y()
