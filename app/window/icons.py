"""Icons: our own SVG drawings, painted in the colour of the text around them.

Owns loading and recolouring. An `IconButton` follows the palette by itself, has a name for screen readers and a tooltip
with its shortcut.
"""

from pathlib import Path

from PySide6.QtCore import QByteArray, QEvent, QObject, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPaintEvent, QPixmap, QPixmapCache, QResizeEvent
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QLabel, QLineEdit, QToolButton, QWidget

from app.paths import assets_dir
from app.window.theme import colors_of

ICON_SIZE = 18
FIELD_ICON = 16  # as Qt has them in its fields


def icon_pixmap(name: str, color: str, size: int = ICON_SIZE, ratio: float = 1.0) -> QPixmap:
    """Draw `assets/icons/<name>.svg` with its `currentColor` set; drawn once for each look."""
    key = f"ember/{name}/{color}/{size}/{ratio}"
    drawn = QPixmap()
    if QPixmapCache.find(key, drawn):
        return drawn
    svg = icon_path(name).read_text(encoding="utf-8").replace("currentColor", color)
    pixmap = QPixmap(QSize(round(size * ratio), round(size * ratio)))
    pixmap.fill(QColor(0, 0, 0, 0))
    painter = QPainter(pixmap)
    QSvgRenderer(QByteArray(svg.encode())).render(painter, QRectF(pixmap.rect()))
    painter.end()
    pixmap.setDevicePixelRatio(ratio)
    QPixmapCache.insert(key, pixmap)
    return pixmap


def icon_path(name: str) -> Path:
    return assets_dir() / "icons" / f"{name}.svg"


def redraw_icons(window: QWidget) -> None:
    """On a screen with another scale the drawings made for the one before are blurred."""
    for widget in window.findChildren(QWidget):
        if isinstance(widget, IconButton | IconLabel):
            widget.redraw()


def app_icon() -> QIcon:
    return QIcon(str(icon_path("ember")))


class IconButton(QToolButton):
    """A flat button with an icon of ours; `color` names a field of Colors."""

    def __init__(
        self, icon: str, name: str, parent: QWidget | None = None, *, color: str = "muted", size: int = ICON_SIZE
    ) -> None:
        super().__init__(parent)
        self._icon = icon
        self._color = color
        self._is_faint = False
        self._drawn: tuple[object, ...] = ()
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setIconSize(QSize(size, size))
        self.name_it(name)
        self.redraw()

    def name_it(self, name: str, shortcut: str = "") -> None:
        self.setAccessibleName(name)
        self.setToolTip(f"{name} ({shortcut})" if shortcut else name)

    def show_icon(self, icon: str, *, color: str | None = None) -> None:
        self._icon = icon
        self._color = color or self._color
        self.redraw()

    def set_faint(self, is_faint: bool) -> None:
        """A faint button keeps its place, and its turn with the Tab key, but is drawn only while it has the focus."""
        if is_faint != self._is_faint:
            self._is_faint = is_faint
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._is_faint or self.hasFocus():
            super().paintEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.StyleChange):
            self.redraw()

    def redraw(self) -> None:
        """Anew only where something is different: a change of the theme tells a widget of itself several times."""
        colors = colors_of(self.palette())
        ratio = self.devicePixelRatioF()
        size = self.iconSize().width()
        look = (self._icon, self._color, colors, size, ratio)
        if look == self._drawn:
            return
        self._drawn = look
        icon = QIcon()
        icon.addPixmap(icon_pixmap(self._icon, getattr(colors, self._color), size, ratio))
        icon.addPixmap(icon_pixmap(self._icon, colors.scroll, size, ratio), QIcon.Mode.Disabled)
        self.setIcon(icon)


class FieldIcon(QObject):
    """An icon at the beginning of a field, which is a mark and no button."""

    def __init__(self, icon: str, field: QLineEdit) -> None:
        super().__init__(field)
        self._icon = icon
        self._field = field
        self._mark = field.addAction(QIcon(), QLineEdit.ActionPosition.LeadingPosition)
        field.installEventFilter(self)
        self.redraw()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.DevicePixelRatioChange):
            self.redraw()
        return False

    def redraw(self) -> None:
        color = colors_of(self._field.palette()).muted
        self._mark.setIcon(icon_pixmap(self._icon, color, FIELD_ICON, self._field.devicePixelRatioF()))


class IconLabel(QLabel):
    """An icon that is not a control."""

    def __init__(self, icon: str, color: str = "muted", size: int = ICON_SIZE, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icon = icon
        self._color = color
        self.setFixedSize(size, size)
        self.redraw()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.redraw()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.redraw()

    def redraw(self) -> None:
        color = getattr(colors_of(self.palette()), self._color)
        self.setPixmap(icon_pixmap(self._icon, color, self.maximumWidth(), self.devicePixelRatioF()))
