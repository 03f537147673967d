"""The bar above the conversation: which model answers, how full its context is, settings of answers, the menu.

Shows what it is told; what its controls mean is decided by whoever listens.
"""

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QColor, QCursor, QFont, QFontMetrics, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QSizePolicy, QToolButton, QWidget

from app.neuron_words import tier_name
from app.window.context_gauge import ContextGauge
from app.window.icons import IconButton, icon_pixmap
from app.window.theme import colors_of, scaled
from app.window.wording import tier_words

HEIGHT = 50
MENU_MARGIN = 10
LEAST_STATE = 52  # pixels for the model's state, below which it is left out
NARROW = 560  # below this width the context is a ring without numbers


class TopBar(QWidget):
    sidebar_clicked = Signal()
    new_clicked = Signal()
    picker_asked = Signal()
    tier_chosen = Signal(str)
    device_clicked = Signal()
    panel_clicked = Signal()

    def __init__(self, menu: QMenu, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedHeight(HEIGHT)
        self._has_edge = False
        self.sidebar_button = self._button("sidebar", self.tr("Show or hide the list of conversations"), "Ctrl+B")
        self.sidebar_button.clicked.connect(self.sidebar_clicked)
        self.new_button = self._button("compose", self.tr("New chat"), "Ctrl+N")
        self.new_button.clicked.connect(self.new_clicked)
        self.model = ModelChip(self)
        self.model.clicked.connect(self.picker_asked)
        self.model.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self._tier = TierChip(self)
        self._tier.chosen.connect(self.tier_chosen)
        self._device = DeviceChip(self)
        self._device.clicked.connect(self.device_clicked)
        self.context = ContextGauge(self)
        self.panel_button = self._button("sliders", self.tr("Answer settings"), "Ctrl+.")
        self.panel_button.setCheckable(True)
        self.panel_button.clicked.connect(self.panel_clicked)
        self._menu_button = self._button("more", self.tr("Menu"), "")
        self._menu_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._menu_button.setMenu(menu)
        menu.installEventFilter(self)
        menu.aboutToHide.connect(lambda: QTimer.singleShot(0, self, self._forget_hover))
        row = QHBoxLayout(self)
        row.setContentsMargins(10, 0, 10, 0)
        row.setSpacing(4)
        row.addWidget(self.sidebar_button)
        row.addWidget(self.new_button)
        row.addWidget(self.model)
        row.addWidget(self._tier)
        row.addWidget(self._device)
        row.addStretch(1)
        row.addWidget(self.context)
        row.addSpacing(4)
        row.addWidget(self.panel_button)
        row.addWidget(self._menu_button)

    def show_model(self, name: str, state: str, color: str) -> None:
        self.model.show_model(name, state, color)

    def offer_tiers(self, tiers: tuple[str, ...], current: str) -> None:
        """What answers can be computed at; one choice alone is not shown."""
        self._tier.offer_tiers(tiers, current)

    def show_device(self, words: str, meaning: str, *, is_essential: bool = False) -> None:
        """Where the loaded model is, in a word; empty hides it, an essential one is said however narrow the window."""
        self._device.show_words(words, meaning, is_essential=is_essential)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._device.show_room(self.width() >= NARROW)
        self.context.show_numbers(self.width() >= NARROW)

    def show_edge(self, is_shown: bool) -> None:
        """A line below the bar, for when something has scrolled under it."""
        if is_shown != self._has_edge:
            self._has_edge = is_shown
            self.update()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The menu opens inside the window: Qt only keeps it on the screen."""
        if event.type() == QEvent.Type.Show and isinstance(watched, QMenu):
            right = self.mapToGlobal(QPoint(self.width() - MENU_MARGIN, 0)).x()
            watched.move(min(watched.x(), right - watched.width()), watched.y())
        return super().eventFilter(watched, event)

    def _forget_hover(self) -> None:
        """A press on a menu leaves its button without word that the pointer is elsewhere by now."""
        button = self._menu_button
        is_under = button.rect().contains(button.mapFromGlobal(QCursor.pos()))
        button.setAttribute(Qt.WidgetAttribute.WA_UnderMouse, is_under)
        button.setDown(False)
        button.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._has_edge:
            painter = QPainter(self)
            painter.fillRect(0, self.height() - 1, self.width(), 1, QColor(colors_of(self.palette()).border))
            painter.end()

    def _button(self, icon: str, name: str, shortcut: str) -> IconButton:
        button = IconButton(icon, name, self, size=20)
        button.name_it(name, shortcut)
        button.setFixedSize(34, 34)
        return button


class ModelChip(QToolButton):
    """Name and state of the model; a press offers others."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name = self._state = ""
        self._color = "muted"
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def show_model(self, name: str, state: str, color: str) -> None:
        self._name, self._state, self._color = name, state, color
        self.setAccessibleName(self.tr("Model: %1, %2").replace("%1", name).replace("%2", state))
        self.setToolTip(self.tr("%1: %2").replace("%1", name).replace("%2", state))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        name = self._name_font()
        state = _width(self.font(), "  " + self._state)
        width = _width(name, self._name) + (state if state > LEAST_STATE else 0)
        return QSize(24 + width + 30, 34)

    def minimumSizeHint(self) -> QSize:
        return QSize(90, 34)

    def paintEvent(self, event: QPaintEvent) -> None:
        colors = colors_of(self.palette())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.underMouse() or self.hasFocus():
            painter.setPen(QColor(colors.accent) if self.hasFocus() else Qt.PenStyle.NoPen)
            painter.setBrush(QColor(colors.hover))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(getattr(colors, self._color)))
        painter.drawEllipse(QPointF(14, self.height() / 2), 4, 4)
        room = self.width() - 24 - 28
        align = Qt.AlignmentFlag.AlignVCenter
        font = self._name_font()
        painter.setFont(font)
        painter.setPen(QColor(colors.text))
        elide = Qt.TextElideMode.ElideRight
        name = painter.fontMetrics().elidedText(self._name, elide, room)
        used = painter.fontMetrics().horizontalAdvance(name)
        painter.drawText(QRectF(25, 0, room + 2, self.height()), align, name)
        painter.setFont(self.font())
        painter.setPen(QColor(colors.muted))
        gap = painter.fontMetrics().horizontalAdvance("  ")
        left = room - used - gap
        if left + gap > LEAST_STATE:
            state = painter.fontMetrics().elidedText(self._state, elide, left)
            painter.drawText(QRectF(25 + used + gap, 0, left + 2, self.height()), align, state)
            used += gap + painter.fontMetrics().horizontalAdvance(state)
        chevron = icon_pixmap("chevron-down", colors.muted, 16, self.devicePixelRatioF())
        painter.drawPixmap(25 + used + 5, (self.height() - 16) // 2 + 1, chevron)
        painter.end()

    def _name_font(self) -> QFont:
        return scaled(self.font(), 1.04, weight=QFont.Weight.DemiBold)


class TierChip(QToolButton):
    """What answers are computed at, and a menu of what else they can be."""

    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = ""
        self._menu = QMenu(self)
        self._menu.setToolTipsVisible(True)
        self.setMenu(self._menu)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.hide()

    def offer_tiers(self, tiers: tuple[str, ...], current: str) -> None:
        self.setVisible(len(tiers) > 1)
        name = tier_name(current)
        self._words = name[:1].upper() + name[1:]
        self.setAccessibleName(self.tr("Answers are computed: %1").replace("%1", name))
        self.setToolTip(tier_words(current))
        self._menu.clear()
        for tier in tiers:
            action = QAction(tier_words(tier), self._menu)
            action.setCheckable(True)
            action.setChecked(tier == current)
            action.triggered.connect(lambda _=False, t=tier: self.chosen.emit(t))
            self._menu.addAction(action)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(_width(self.font(), self._words) + 40, 34)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        colors = colors_of(self.palette())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QColor(colors.accent if self.hasFocus() else colors.border))
        painter.setBrush(QColor(colors.hover) if self.underMouse() else Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 4.5, -0.5, -4.5), 8, 8)
        painter.setPen(QColor(colors.text))
        painter.drawText(self.rect().adjusted(11, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, self._words)
        chevron = icon_pixmap("chevron-down", colors.muted, 14, self.devicePixelRatioF())
        painter.drawPixmap(self.width() - 23, (self.height() - 14) // 2 + 1, chevron)
        painter.end()


class DeviceChip(QToolButton):
    """Where the loaded model is; leads to the device page."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = ""
        self._has_room = True
        self._is_essential = False
        self.setAccessibleName(self.tr("Device"))
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.hide()

    def show_words(self, words: str, meaning: str, *, is_essential: bool) -> None:
        self._is_essential = is_essential
        if words != self._words or meaning != self.toolTip():
            self._words = words
            self.setToolTip(meaning)
            self.setAccessibleName(self.tr("Device. %1").replace("%1", meaning))
            self.setVisible(bool(words))
            self.updateGeometry()
            self.update()

    @property
    def _has_words(self) -> bool:
        return self._has_room or self._is_essential

    def show_room(self, has_room: bool) -> None:
        """Whether there is room for more than the icon."""
        if has_room != self._has_room:
            self._has_room = has_room
            self.updateGeometry()
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(36 + (_width(self.font(), self._words) if self._has_words else -4), 34)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        colors = colors_of(self.palette())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QColor(colors.accent if self.hasFocus() else colors.border))
        painter.setBrush(QColor(colors.hover) if self.underMouse() else Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 4.5, -0.5, -4.5), 8, 8)
        icon = icon_pixmap("device", colors.muted, 15, self.devicePixelRatioF())
        painter.drawPixmap(9, (self.height() - 15) // 2, icon)
        if self._has_words:
            painter.setPen(QColor(colors.text))
            painter.drawText(self.rect().adjusted(29, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, self._words)
        painter.end()


def _width(font: QFont, text: str) -> int:
    return QFontMetrics(font).horizontalAdvance(text)
