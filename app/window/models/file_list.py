"""Files with what is happening to each and how large it is, in three columns; changes only what is different."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTreeWidget, QTreeWidgetItem, QWidget

from app.window.theme import scaled

Row = tuple[str, str, str]


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
