"""The list of conversations, a button for a new one, and the model that is loaded.

Assembles the pane and paints its ground; what its controls mean is decided by whoever listens.
"""

from PySide6.QtCore import QEvent, QRect, QSize, Qt, Signal, SignalInstance
from PySide6.QtGui import QColor, QFont, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from app.window.chats.chats_pane import ChatsPane
from app.window.icons import IconButton, icon_pixmap
from app.window.theme import colors_of, scaled
from app.window.zoom import zoomed

WIDTH = 252


class Sidebar(QFrame):
    new_clicked = Signal()
    temporary_clicked = Signal()
    models_clicked = Signal()
    speed_clicked = Signal()
    neurons_clicked = Signal()
    device_clicked = Signal()
    settings_clicked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedWidth(WIDTH)
        self.new_button = QPushButton("  " + self.tr("New chat"), self)
        self.new_button.setAccessibleName(self.tr("New chat"))
        self.new_button.setIconSize(QSize(18, 18))
        self.new_button.clicked.connect(self.new_clicked)
        self._temporary = IconButton("temporary", self.tr("New temporary chat, which is saved nowhere"), self)
        self._temporary.clicked.connect(self.temporary_clicked)
        self.chats = ChatsPane(self)
        self.neurons = self._row(self.tr("Neurons"), self.neurons_clicked)
        self.speed = self._row(self.tr("Speed"), self.speed_clicked)
        self.device = self._row(self.tr("Device"), self.device_clicked)
        self.settings = self._row(self.tr("Settings"), self.settings_clicked)
        self._model = ModelButton(self)
        self._model.clicked.connect(self.models_clicked)
        box = QVBoxLayout(self)
        box.setContentsMargins(10, 10, 10, 10)
        box.setSpacing(8)
        begin = QHBoxLayout()
        begin.setSpacing(4)
        begin.addWidget(self.new_button, 1)
        begin.addWidget(self._temporary)
        box.addLayout(begin)
        box.addWidget(self.chats, 1)
        tools = QVBoxLayout()
        tools.setSpacing(0)
        for row in (self.neurons, self.speed, self.device, self.settings):
            tools.addWidget(row)
        box.addLayout(tools)
        box.addWidget(self._model)
        self._recolour()

    def show_model(self, name: str, state: str, color: str) -> None:
        """The model's name, a word on its state, and the colour of the dot: a field of Colors."""
        self._model.show_model(name, state, color)

    def rename_current(self) -> None:
        self.chats.list.rename_current()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.FontChange):
            self._recolour()

    def paintEvent(self, event: QPaintEvent) -> None:
        colors = colors_of(self.palette())
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(colors.sidebar))
        painter.fillRect(self.width() - 1, 0, 1, self.height(), QColor(colors.border))
        painter.end()

    def _row(self, text: str, clicked: SignalInstance) -> QPushButton:
        """A way to a page."""
        button = QPushButton("  " + text, self)
        button.setAccessibleName(text)
        button.setProperty("kind", "row")
        button.setIconSize(QSize(18, 18))
        button.clicked.connect(clicked)
        return button

    def _recolour(self) -> None:
        color = colors_of(self.palette()).text
        for button, icon in (
            (self.new_button, "compose"),
            (self.speed, "gauge"),
            (self.neurons, "neurons"),
            (self.device, "device"),
            (self.settings, "settings"),
        ):
            button.setIcon(icon_pixmap(icon, color, zoomed(18), self.devicePixelRatioF()))


class ModelButton(QToolButton):
    """Name and state of the model; leads to the model page."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name = ""
        self._state = ""
        self._color = "muted"
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFixedHeight(52)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setToolTip(self.tr("Models"))

    def show_model(self, name: str, state: str, color: str) -> None:
        self._name, self._state, self._color = name, state, color
        self.setAccessibleName(self.tr("Models. %1, %2").replace("%1", name).replace("%2", state))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(10, zoomed(52))

    def paintEvent(self, event: QPaintEvent) -> None:
        colors = colors_of(self.palette())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = self.rect().adjusted(0, 0, -1, -1)
        painter.setPen(QColor(colors.accent if self.hasFocus() else colors.border))
        painter.setBrush(QColor(colors.hover if self.underMouse() else colors.raised))
        painter.drawRoundedRect(area, 9, 9)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(getattr(colors, self._color)))
        middle, dot, left = area.center().y(), zoomed(8), zoomed(31)
        painter.drawEllipse(QRect(zoomed(13), middle - dot // 2, dot, dot))
        width = self.width() - 2 * left
        name = scaled(self.font(), 1.0, weight=QFont.Weight.DemiBold)
        for font, color, text, bottom in (
            (name, colors.text, self._name, middle + zoomed(1)),
            (scaled(self.font(), 0.86), colors.muted, self._state, middle + zoomed(19)),
        ):
            painter.setFont(font)
            painter.setPen(QColor(color))
            metrics = painter.fontMetrics()
            line = QRect(left, bottom - metrics.height(), width, metrics.height())
            painter.drawText(line, Qt.AlignmentFlag.AlignVCenter, metrics.elidedText(text, _ELIDE, width))
        size = zoomed(16)
        chevron = icon_pixmap("chevron-right", colors.muted, size, self.devicePixelRatioF())
        painter.drawPixmap(self.width() - zoomed(26), (self.height() - size) // 2, chevron)
        painter.end()


_ELIDE = Qt.TextElideMode.ElideRight
