"""Everything in the window larger or smaller: fonts, paddings, fixed sizes, icons.

Fonts without a size of their own follow the application's. What code has given in pixels is multiplied when a widget is
first shown, and again when the zoom changes; each widget and layout keeps what it was given, so that nothing drifts.
Widgets that paint ask `zoomed`. The window's own size is the user's and stays.
"""

import re
from collections.abc import Sequence

import shiboken6
from PySide6.QtCore import QCoreApplication, QEvent, QObject, QSize, Qt, QTimer
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QBoxLayout,
    QGridLayout,
    QLayout,
    QLayoutItem,
    QSpacerItem,
    QWidget,
)

USUAL = 100
_KEPT = "ember_given"
_PERCENT = "ember_zoom"
_OWN_SIZE = "ember_own_size"
_POLISHED = "ember_polished"
_SIZE = 0x2  # of a font's resolve mask: the size is its own, not that of the widget around it
_NO_POINTS = 0.01  # of a font's size: no difference
_LARGEST = 16_777_215  # Qt's QWIDGETSIZE_MAX: no limit
_PIXELS = re.compile(r"(?<![\w.#])(\d+)px")


def zoomed(pixels: float) -> int:
    """Pixels at the zoom of the moment."""
    return round(pixels * zoom_percent() / USUAL)


def sizes_itself(widget: QWidget) -> None:
    """Its fixed sizes are made with `zoomed` already, and are left alone."""
    widget.setProperty(_OWN_SIZE, True)


def zoom_percent() -> int:
    app = QCoreApplication.instance()
    percent = app.property(_PERCENT) if app is not None else None
    return percent if isinstance(percent, int) else USUAL


def zoomed_sheet(text: str, percent: int) -> str:
    """A style sheet with its pixels multiplied; what is there stays there."""
    return _PIXELS.sub(lambda match: f"{_times(int(match[1]), percent)}px", text)


class Zoom(QObject):
    """Keeps every widget of the application at a zoom."""

    def __init__(self, app: QApplication) -> None:
        super().__init__(app)
        self._app = app
        self._percent = zoom_percent()
        self._before = self._percent
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._lay_out_again)
        self._points = app.font().pointSizeF() * USUAL / self._percent
        self._filter()

    @property
    def percent(self) -> int:
        return self._percent

    def set(self, percent: int) -> None:
        """Fonts of widgets' own, and widgets made later, follow with `fit_fonts`, once the style sheet is in force."""
        before, self._percent = self._percent, percent
        if percent == before:
            return
        self.rest()
        self._before = before
        self._app.setProperty(_PERCENT, percent)
        font = self._app.font()
        font.setPointSizeF(self._points * percent / USUAL)
        self._app.setFont(font)
        for widget in self._app.allWidgets():
            self._fit(widget)

    def rest(self) -> None:
        """Until `fit_fonts`: a new style sheet sends many thousand events, none of which shows a widget at first."""
        self._app.removeEventFilter(self)

    def fit_fonts(self) -> None:
        """Called whenever a style sheet was set: Qt then gives widgets the fonts again that they had at first."""
        for widget in self._app.allWidgets():
            if widget.testAttribute(Qt.WidgetAttribute.WA_SetFont):
                self._fit_font(widget)
        self._before = self._percent
        self._filter()

    def _fit_font(self, widget: QWidget) -> None:
        font = widget.font()
        points = font.pointSizeF()
        if points <= 0 or not font.resolveMask() & _SIZE:  # in pixels; or bold, say, in the size of what it lies in
            return
        kept = widget.property(f"{_KEPT}_font")
        usual, *known = kept if isinstance(kept, list) else (points * USUAL / self._before, points)
        if all(abs(points - size) > _NO_POINTS for size in known):  # it has been given another
            usual, known = points * USUAL / self._before, [points]
        wanted = usual * self._percent / USUAL
        if all(abs(wanted - size) > _NO_POINTS for size in known):  # what Qt may give it back one day
            known.append(wanted)
        widget.setProperty(f"{_KEPT}_font", [usual, *known])
        if abs(points - wanted) > _NO_POINTS:
            font.setPointSizeF(wanted)
            widget.setFont(font)

    def _filter(self) -> None:
        """Every event of the application passes through the filter, so it is there only where it is needed."""
        self.rest()
        if self._percent != USUAL:
            self._app.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Polish and isinstance(watched, QWidget):
            self._fit(watched)
            watched.setProperty(_POLISHED, True)
            self._timer.start()
        return False

    def _lay_out_again(self) -> None:
        """A widget may be polished while the layout above it asks for its size, which then remembers the one before.

        They are looked for, not held: Qt polishes some of its dialogs in the middle of making them, and what is held of
        one from then on is a second Python object of it, which ends the program when the dialog goes.
        """
        for widget in self._app.allWidgets():
            if widget.property(_POLISHED):
                widget.setProperty(_POLISHED, None)
                layout = widget.layout()
                if layout is not None:
                    layout.invalidate()
                widget.updateGeometry()

    def _fit(self, widget: QWidget) -> None:
        if widget.objectName().startswith("qt_"):
            return
        if not widget.isWindow() and not widget.property(_OWN_SIZE):
            self._fit_size(widget)
        if isinstance(widget, QAbstractButton):
            size = widget.iconSize()
            width, height = self._applied(widget, "icon", (size.width(), size.height()))
            widget.setIconSize(QSize(width, height))
            QCoreApplication.sendEvent(widget, QEvent(QEvent.Type.StyleChange))  # icons are drawn in their size
        layout = widget.layout()
        if layout is not None:
            self._fit_layout(layout)

    def _fit_size(self, widget: QWidget) -> None:
        limits = (widget.minimumWidth(), widget.minimumHeight(), widget.maximumWidth(), widget.maximumHeight())
        if limits == (0, 0, _LARGEST, _LARGEST):
            return
        low_x, low_y, high_x, high_y = self._applied(widget, "limits", limits)
        widget.setMinimumSize(low_x, low_y)
        widget.setMaximumSize(high_x, high_y)

    def _fit_layout(self, layout: QLayout) -> None:
        edges = layout.contentsMargins()
        given = (edges.left(), edges.top(), edges.right(), edges.bottom())
        layout.setContentsMargins(*self._applied(layout, "margins", given))
        if isinstance(layout, QGridLayout):
            across, down = self._applied(layout, "gaps", (layout.horizontalSpacing(), layout.verticalSpacing()))
            layout.setHorizontalSpacing(across)
            layout.setVerticalSpacing(down)
        elif isinstance(layout, QBoxLayout):
            layout.setSpacing(self._applied(layout, "gaps", (layout.spacing(),))[0])
        items = [item for at in range(layout.count()) if (item := layout.itemAt(at)) is not None]
        if isinstance(layout, QBoxLayout):
            self._fit_spacers(layout, [spacer for item in items if (spacer := item.spacerItem()) is not None])
        for item in items:
            below = item.layout()
            if below is not None:
                self._fit_layout(below)
        if isinstance(layout, QBoxLayout | QGridLayout):
            _let_go(items)

    def _fit_spacers(self, layout: QBoxLayout, spacers: list[QSpacerItem]) -> None:
        if not spacers:
            return
        given = [part for spacer in spacers for part in (spacer.sizeHint().width(), spacer.sizeHint().height())]
        applied = self._applied(layout, "spacers", given)
        for at, spacer in enumerate(spacers):
            policy = spacer.sizePolicy()
            spacer.changeSize(applied[2 * at], applied[2 * at + 1], policy.horizontalPolicy(), policy.verticalPolicy())
        layout.invalidate()

    def _applied(self, owner: QObject, what: str, found: Sequence[int]) -> list[int]:
        """What is to be set where `found` is set now; what is not what was set last has been given anew."""
        kept = owner.property(f"{_KEPT}_{what}")
        given = list(found)
        if isinstance(kept, list) and len(kept) == 2 * len(given):
            before, set_last = kept[: len(given)], kept[len(given) :]
            given = [old if now == last else now for old, last, now in zip(before, set_last, given, strict=True)]
        applied = [_times(value, self._percent) for value in given]
        owner.setProperty(f"{_KEPT}_{what}", [*given, *applied])
        return applied


def _let_go(items: list[QLayoutItem]) -> None:
    """Of the items that a layout of Qt's has made for itself.

    A layout keeps what Python has seen of it, and Qt deletes some items untold; a widget that is then made in the same
    place of memory would be taken for the item.
    """
    for item in items:
        if not isinstance(item, QLayout) and not shiboken6.createdByPython(item):
            shiboken6.invalidate(item)


def _times(pixels: int, percent: int) -> int:
    """Nothing stays nothing, and whatever is there stays there; no limit stays none."""
    if pixels <= 0 or pixels >= _LARGEST:
        return pixels
    return min(_LARGEST, max(1, round(pixels * percent / USUAL)))
