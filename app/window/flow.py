"""Widgets in rows that break where the width ends."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QSizePolicy, QWidget

from app.window.zoom import zoomed


class FlowRow(QWidget):
    """Its height follows from its width; without widgets it is hidden."""

    arranged = Signal()
    """The widgets may take another height than before."""

    def __init__(self, parent: QWidget | None = None, *, spacing: int = 6) -> None:
        super().__init__(parent)
        self._spacing = spacing
        self._widgets: list[QWidget] = []
        self._height = 0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.hide()

    @property
    def widgets(self) -> list[QWidget]:
        return list(self._widgets)

    def add(self, widget: QWidget) -> None:
        widget.setParent(self)
        self._widgets.append(widget)
        widget.show()
        self.arrange()

    def take_out(self, widget: QWidget) -> None:
        self._widgets.remove(widget)
        widget.hide()
        widget.deleteLater()
        self.arrange()

    def sizeHint(self) -> QSize:
        return QSize(0, self._height)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.arrange()

    def arrange(self) -> None:
        """Place the widgets anew; after one of them has changed its size."""
        x = y = row_height = 0
        for widget in self._widgets:
            size = widget.sizeHint().boundedTo(widget.maximumSize())
            width = min(size.width(), max(1, self.width()))
            if x and x + width > self.width():
                x, y, row_height = 0, y + row_height + self._spacing, 0
            widget.setGeometry(x, y, width, size.height())
            x += width + self._spacing
            row_height = max(row_height, size.height())
        height = y + row_height
        self.setVisible(bool(self._widgets))
        if height != self._height:
            self._height = height
            self.updateGeometry()
        self.arranged.emit()


class FlowArea(QScrollArea):
    """As high as its row of widgets, up to `most` pixels; then it scrolls, and shows what was added last."""

    def __init__(self, row: FlowRow, most: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._row = row
        self._limit = most
        self._scrolled = 0
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setWidget(row)
        self.viewport().setAutoFillBackground(False)
        row.setAutoFillBackground(False)
        row.arranged.connect(self._fit)
        self.verticalScrollBar().rangeChanged.connect(self._on_range)
        self._fit()

    def _fit(self) -> None:
        self.setVisible(bool(self._row.widgets))
        self.setFixedHeight(min(self._row.sizeHint().height(), zoomed(self._limit)))

    def _on_range(self, _: int, end: int) -> None:
        if end > self._scrolled:
            self.verticalScrollBar().setValue(end)
        self._scrolled = end
