"""The files of a message that was sent, as cards that can be opened."""

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QPushButton, QWidget

from app.chat.attached_files import AttachedFile
from app.window.icons import icon_pixmap
from app.window.theme import colors_of, scaled
from app.window.wording import size
from app.window.zoom import zoomed

HEIGHT = 44
MOST_WIDTH = 260
PADDING = 12
ICON = 20
GAP = 6


class FileCard(QPushButton):
    def __init__(self, file: AttachedFile, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.file = file
        self._facts = size(file.n_bytes)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(self.tr("Open %1, %2").replace("%1", file.name).replace("%2", self._facts))
        self.setToolTip(file.name)

    def sizeHint(self) -> QSize:
        self.ensurePolished()  # the style sheet may bring another font
        name, facts = QFontMetrics(self.font()), QFontMetrics(scaled(self.font(), 0.86))
        words = max(name.horizontalAdvance(self.file.name), facts.horizontalAdvance(self._facts)) + 2
        width = words + zoomed(ICON) + 3 * zoomed(PADDING)
        return QSize(min(width, zoomed(MOST_WIDTH)), zoomed(HEIGHT))

    def paintEvent(self, event: QPaintEvent) -> None:
        colors = colors_of(self.palette())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QColor(colors.accent if self.hasFocus() else colors.border))
        painter.setBrush(QColor(colors.hover if self.underMouse() else colors.raised))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 10, 10)
        side, pad = zoomed(ICON), zoomed(PADDING)
        pixmap = icon_pixmap("file", colors.muted, side, self.devicePixelRatioF())
        painter.drawPixmap(pad, (self.height() - side) // 2, pixmap)
        area = self.rect().adjusted(2 * pad + side, zoomed(5), -pad, -zoomed(5))
        half = area.height() // 2
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.setPen(QColor(colors.text))
        name = painter.fontMetrics().elidedText(self.file.name, Qt.TextElideMode.ElideMiddle, area.width())
        painter.drawText(area.adjusted(0, 0, 0, -half), left, name)
        painter.setFont(scaled(self.font(), 0.86))
        painter.setPen(QColor(colors.muted))
        painter.drawText(area.adjusted(0, half, 0, 0), left, self._facts)
        painter.end()


class FileCards(QWidget):
    """Right-aligned, in rows that break where the width ends."""

    opened = Signal(object)
    """An AttachedFile."""

    def __init__(self, files: tuple[AttachedFile, ...], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._cards = [FileCard(file, self) for file in files]
        for card in self._cards:
            card.clicked.connect(lambda _=False, f=card.file: self.opened.emit(f))
        self.setVisible(bool(files))

    def fit(self, width: int) -> int:
        """Lay out for a width; the height it takes, 0 without files."""
        y = 0
        for row in self._rows(width):
            x = width - sum(w for _, w in row) - zoomed(GAP) * (len(row) - 1)
            for card, card_width in row:
                card.setGeometry(x, y, card_width, card.sizeHint().height())
                x += card_width + zoomed(GAP)
            y += zoomed(HEIGHT) + zoomed(GAP)
        return max(0, y - zoomed(GAP))

    def _rows(self, width: int) -> list[list[tuple[FileCard, int]]]:
        rows: list[list[tuple[FileCard, int]]] = []
        left = -1
        for card in self._cards:
            card_width = min(card.sizeHint().width(), width)
            if not rows or left < card_width:
                rows.append([])
                left = width
            rows[-1].append((card, card_width))
            left -= card_width + zoomed(GAP)
        return rows
