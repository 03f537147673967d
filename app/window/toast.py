"""A short message over the lower edge of the page, with at most one thing to do about it, that goes by itself."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QRectF, Qt, QTimer
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QWidget

from app.window.theme import colors_of

SHOWN_MS = 8000
MARGIN = 24


class Toast(QFrame):
    def __init__(self, window: QWidget, over: QWidget) -> None:
        super().__init__(window)
        self._over = over
        self._run: Callable[[], None] | None = None
        self._label = QLabel(self)
        self._label.setTextFormat(Qt.TextFormat.PlainText)
        self._label.setWordWrap(True)
        self._button = QPushButton(self)
        self._button.setAccessibleName(self.tr("Action"))
        self._button.setCursor(Qt.CursorShape.PointingHandCursor)
        self._button.clicked.connect(self._press)
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 8, 8, 8)
        row.setSpacing(12)
        row.addWidget(self._label, 1)
        row.addWidget(self._button)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(SHOWN_MS)
        self._timer.timeout.connect(self.hide)
        window.installEventFilter(self)
        over.installEventFilter(self)
        self.hide()

    def show_text(self, text: str, action: str = "", run: Callable[[], None] | None = None) -> None:
        colors = colors_of(self.palette())
        self._run = run
        self._label.setText(text)
        self._label.setStyleSheet(f"color: {colors.page};")
        self._button.setText(action)
        self._button.setAccessibleName(action)
        self._button.setStyleSheet(
            f"QPushButton {{ color: {colors.page}; background: transparent; border: 1px solid {colors.muted};"
            f" font-weight: 600; padding: 4px 12px; }} QPushButton:hover {{ border-color: {colors.page}; }}"
        )
        self._button.setVisible(bool(action))
        self.setAccessibleName(text)
        self._place()
        self.show()
        self.raise_()
        self._timer.start()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Move) and self.isVisible():
            self._place()
        return super().eventFilter(watched, event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colors_of(self.palette()).text))
        painter.drawRoundedRect(QRectF(self.rect()), 11, 11)
        painter.end()

    def _press(self) -> None:
        self.hide()
        self._timer.stop()
        if self._run is not None:
            self._run()

    def _place(self) -> None:
        window = self.parentWidget()
        if window is None:
            return
        self._label.setWordWrap(False)
        self.adjustSize()
        whole = window.rect()
        area = whole if self._over.isHidden() else QRect(self._over.mapTo(window, QPoint(0, 0)), self._over.size())
        limit = area.width() - 2 * MARGIN
        if self.width() > limit:
            self._label.setWordWrap(True)
            layout = self.layout()
            self.resize(limit, layout.heightForWidth(limit) if layout is not None else self.height())
        self.move(area.left() + (area.width() - self.width()) // 2, window.height() - self.height() - 150)
