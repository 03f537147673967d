"""A theme to choose: a window in small, painted in its colours, with the theme's name below."""

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from app.window.theme import colors_for, colors_of
from app.window.zoom import zoomed

PREVIEW = (148, 96)


class ThemePreview(QAbstractButton):
    """A window in small, in the colours of a theme; "system" shows half of each."""

    def __init__(self, theme: str, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._accent = "ember"
        self.setCheckable(True)
        self.setText(name)
        self.setAccessibleName(name)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def show_accent(self, accent: str) -> None:
        if accent != self._accent:
            self._accent = accent
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(zoomed(PREVIEW[0]), zoomed(PREVIEW[1]) + self.fontMetrics().height() + zoomed(10))

    def paintEvent(self, event: QPaintEvent) -> None:
        own = colors_of(self.palette())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = QRectF(1.5, 1.5, self.width() - 3, zoomed(PREVIEW[1]) - 3)
        if self._theme == "system":
            half = QRectF(area.left(), area.top(), area.width() / 2, area.height())
            self._paint_window(painter, area, half, is_dark=False)
            self._paint_window(painter, area, half.translated(area.width() / 2, 0), is_dark=True)
        else:
            self._paint_window(painter, area, area, is_dark=self._theme == "dark")
        painter.setBrush(Qt.BrushStyle.NoBrush)
        is_marked = self.isChecked() or self.hasFocus()
        edge = own.text if self.hasFocus() else own.accent if self.isChecked() else own.border
        painter.setPen(QPen(QColor(edge), 2.4 if is_marked else 1))
        painter.drawRoundedRect(area, 9, 9)
        painter.setPen(QColor(own.text if self.isChecked() else own.muted))
        below = QRectF(0, area.bottom() + zoomed(6), self.width(), self.fontMetrics().height() + 2)
        text = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, int(below.width()))
        painter.drawText(below, Qt.AlignmentFlag.AlignCenter, text)
        painter.end()

    def _paint_window(self, painter: QPainter, area: QRectF, clip: QRectF, *, is_dark: bool) -> None:
        colors = colors_for(is_dark=is_dark, accent=self._accent)
        painter.save()
        painter.setClipRect(clip)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colors.page))
        painter.drawRoundedRect(area, 9, 9)
        width, height = area.width(), area.height()
        left, top = area.left(), area.top()
        painter.setBrush(QColor(colors.sidebar))
        painter.drawRoundedRect(QRectF(left, top, width * 0.27, height), 9, 9)
        painter.setBrush(QColor(colors.scroll))
        for number in range(3):
            painter.drawRoundedRect(QRectF(left + width * 0.05, top + height * (0.2 + 0.16 * number), 24, 4), 2, 2)
        painter.setBrush(QColor(colors.bubble))
        painter.drawRoundedRect(QRectF(left + width * 0.6, top + height * 0.16, width * 0.33, height * 0.15), 5, 5)
        painter.setBrush(QColor(colors.muted))
        for number, share in enumerate((0.5, 0.58, 0.36)):
            painter.drawRoundedRect(
                QRectF(left + width * 0.34, top + height * (0.42 + 0.11 * number), width * share, 3.4), 1.7, 1.7
            )
        painter.setBrush(QColor(colors.accent))
        painter.drawRoundedRect(QRectF(left + width * 0.82, top + height * 0.81, width * 0.12, height * 0.1), 4, 4)
        painter.restore()
