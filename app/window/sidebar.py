"""The list of conversations, a button for a new one, and the model that is loaded.

Assembles the pane and paints its ground; what its controls mean is decided by whoever listens.
"""

from PySide6.QtCore import QEvent, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from app.window.chats.chats_pane import ChatsPane
from app.window.icons import IconButton, icon_pixmap
from app.window.theme import colors_of, scaled

WIDTH = 252


class Sidebar(QFrame):
    new_clicked = Signal()
    temporary_clicked = Signal()
    models_clicked = Signal()
    speed_clicked = Signal()
    neurons_clicked = Signal()
    device_clicked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedWidth(WIDTH)
        self._new = QPushButton("  " + self.tr("New chat"), self)
        self._new.setAccessibleName(self.tr("New chat"))
        self._new.setToolTip(self.tr("New chat (Ctrl+N)"))
        self._new.clicked.connect(self.new_clicked)
        self._temporary = IconButton("temporary", self.tr("New temporary chat, which is saved nowhere"), self)
        self._temporary.clicked.connect(self.temporary_clicked)
        self.chats = ChatsPane(self)
        self._speed = QPushButton("  " + self.tr("Speed"), self)
        self._speed.setAccessibleName(self.tr("Speed"))
        self._speed.setToolTip(self.tr("How fast models run here (Ctrl+Shift+M)"))
        self._speed.setProperty("kind", "row")
        self._speed.clicked.connect(self.speed_clicked)
        self._neurons = QPushButton("  " + self.tr("Neurons"), self)
        self._neurons.setAccessibleName(self.tr("Neurons"))
        self._neurons.setToolTip(self.tr("Which neurons of a model are at work (Ctrl+Shift+N)"))
        self._neurons.setProperty("kind", "row")
        self._neurons.clicked.connect(self.neurons_clicked)
        self._device = QPushButton("  " + self.tr("Device"), self)
        self._device.setAccessibleName(self.tr("Device"))
        self._device.setToolTip(self.tr("What computes your answers, and how much of the card it takes (Ctrl+Shift+D)"))
        self._device.setProperty("kind", "row")
        self._device.clicked.connect(self.device_clicked)
        self._model = ModelButton(self)
        self._model.clicked.connect(self.models_clicked)
        box = QVBoxLayout(self)
        box.setContentsMargins(10, 10, 10, 10)
        box.setSpacing(8)
        begin = QHBoxLayout()
        begin.setSpacing(4)
        begin.addWidget(self._new, 1)
        begin.addWidget(self._temporary)
        box.addLayout(begin)
        box.addWidget(self.chats, 1)
        tools = QVBoxLayout()
        tools.setSpacing(0)
        tools.addWidget(self._neurons)
        tools.addWidget(self._speed)
        tools.addWidget(self._device)
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
        if event.type() == QEvent.Type.PaletteChange:
            self._recolour()

    def paintEvent(self, event: QPaintEvent) -> None:
        colors = colors_of(self.palette())
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(colors.sidebar))
        painter.fillRect(self.width() - 1, 0, 1, self.height(), QColor(colors.border))
        painter.end()

    def _recolour(self) -> None:
        color = colors_of(self.palette()).text
        self._new.setIcon(icon_pixmap("compose", color, 18, self.devicePixelRatioF()))
        self._speed.setIcon(icon_pixmap("gauge", color, 18, self.devicePixelRatioF()))
        self._neurons.setIcon(icon_pixmap("neurons", color, 18, self.devicePixelRatioF()))
        self._device.setIcon(icon_pixmap("device", color, 18, self.devicePixelRatioF()))


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
        return QSize(10, 52)

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
        painter.drawEllipse(QRect(13, area.center().y() - 3, 8, 8))
        text = QRect(31, 7, self.width() - 62, 20)
        painter.setPen(QColor(colors.text))
        font = scaled(self.font(), 1.0, weight=QFont.Weight.DemiBold)
        painter.setFont(font)
        metrics = painter.fontMetrics()
        painter.drawText(text, Qt.AlignmentFlag.AlignVCenter, metrics.elidedText(self._name, _ELIDE, text.width()))
        painter.setFont(scaled(self.font(), 0.86))
        painter.setPen(QColor(colors.muted))
        text = QRect(31, 26, self.width() - 62, 18)
        metrics = painter.fontMetrics()
        painter.drawText(text, Qt.AlignmentFlag.AlignVCenter, metrics.elidedText(self._state, _ELIDE, text.width()))
        chevron = icon_pixmap("chevron-right", colors.muted, 16, self.devicePixelRatioF())
        painter.drawPixmap(self.width() - 26, (self.height() - 16) // 2, chevron)
        painter.end()


_ELIDE = Qt.TextElideMode.ElideRight
