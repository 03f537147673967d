"""Files with what is happening to each and how large it is, in three columns; changes only what is different.

Where a name is too long, what tells the parts of one model from each other stays.
"""

import re
from collections.abc import Callable, Iterator

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from app.window.theme import scaled

Row = tuple[str, str, str]

_PART = re.compile(r"(\d{2,})-of-\d{2,}")


def elided(name: str, fits: Callable[[str], bool]) -> str:
    """A name made shorter around the number of its part until it fits; one without a number stays as it is."""
    part = _PART.search(name)
    if part is None or fits(name):
        return name
    return next(filter(fits, _shorter(name[: part.start()], part[0], name[part.end() :])), f"…{part[1]}")


def _shorter(head: str, part: str, tail: str) -> Iterator[str]:
    """Ever shorter: first less of what stands before the part, then nothing after it."""
    for end in (tail, "…"):
        for kept in range(len(head) - 1, -1, -1):
            yield f"{head[:kept]}…{part}{end}"


class NameDelegate(QStyledItemDelegate):
    def initStyleOption(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> None:
        super().initStyleOption(option, index)
        view = option.widget
        margin = view.style().pixelMetric(QStyle.PixelMetric.PM_FocusFrameHMargin, option, view) + 1
        room = option.rect.width() - 2 * margin
        option.text = elided(option.text, lambda text: option.fontMetrics.horizontalAdvance(text) <= room)


class FileList(QTreeWidget):
    """Higher than `n_shown` rows it scrolls by itself."""

    def __init__(self, name: str, n_shown: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._n_shown = n_shown
        self._items: list[QTreeWidgetItem] = []
        self.setAccessibleName(name)
        self.setColumnCount(3)
        self.setHeaderLabels([self.tr("File"), self.tr("State"), self.tr("Size")])
        self.setHeaderHidden(True)
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(True)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setFont(scaled(self.font(), 0.9))
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTabKeyNavigation(False)
        self.setItemDelegateForColumn(0, NameDelegate(self))
        self.viewport().setAutoFillBackground(False)
        header = self.header()
        header.setAccessibleName(name)
        header.setStretchLastSection(False)
        header.setMinimumSectionSize(0)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for column in (1, 2):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Fixed)
            header.resizeSection(column, 0)

    @property
    def rows(self) -> tuple[Row, ...]:
        return tuple((item.text(0), item.text(1), item.text(2)) for item in self._items)

    def show_rows(self, rows: list[Row]) -> None:
        if len(rows) != len(self._items):
            self.clear()
            self._items = [QTreeWidgetItem() for _ in rows]
            for item in self._items:
                item.setTextAlignment(2, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            self.addTopLevelItems(self._items)
        is_wider = False
        for item, row in zip(self._items, rows, strict=True):
            for column, text in enumerate(row):
                if item.text(column) != text:
                    item.setText(column, text)
                    is_wider = is_wider or column > 0
            if item.toolTip(0) != row[0]:
                item.setToolTip(0, row[0])
        if is_wider:
            self._fit_columns(rows)
        height = max(self.sizeHintForRow(0), 18) * min(len(rows), self._n_shown) + 4
        if self.height() != height:
            self.setFixedHeight(height)

    def _fit_columns(self, rows: list[Row]) -> None:
        """Only ever wider, so that columns do not jump with every figure."""
        metrics = self.fontMetrics()
        for column in (1, 2):
            wide = max((metrics.horizontalAdvance(row[column]) for row in rows), default=0) + 18
            if wide > self.header().sectionSize(column):
                self.header().resizeSection(column, wide)
