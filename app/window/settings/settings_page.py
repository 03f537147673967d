"""The settings page: all choices on one page, in sections, found by typing; each acts at once.

Owns the arrangement, the search and the way to a section. What is in the sections is in sections.py; what a link leads
to, and asking before everything is reset, is the window's business.
"""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont, QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from app.window.actions import Actions
from app.window.column import lay_in_column
from app.window.controls import Controls
from app.window.icons import IconButton
from app.window.labels import MutedLabel, name_tools
from app.window.line import Line
from app.window.model_card import Card
from app.window.settings.rows import SettingRow
from app.window.settings.sections import Section, build_sections
from app.window.settings.shortcut_rows import ShortcutRow
from app.window.theme import scaled
from app.window.zoom import zoomed

COLUMN_WIDTH = 760
LIST_WIDTH = 172
NARROW = 720  # below this width the list of sections is left out
BELOW = 520  # with less room than this, controls are below their names


class SettingsPage(QWidget):
    back_clicked = Signal()
    asked = Signal(str)
    """One of the names in sections.py."""

    def __init__(self, controls: Controls, actions: Actions, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._settings = controls.settings
        self._network = controls.hub.network
        self._is_below = False
        self.search = QLineEdit(self)
        self.search.setPlaceholderText(self.tr("Search the settings"))
        self.search.setAccessibleName(self.tr("Search the settings"))
        self.search.setClearButtonEnabled(True)
        name_tools(self.search)
        self.search.textChanged.connect(self._find)
        self.area = QScrollArea(self)
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setWidgetResizable(True)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setAccessibleName(self.tr("Settings"))
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        content = QVBoxLayout()
        content.setContentsMargins(0, 8, 0, 24)
        content.setSpacing(14)
        self._nothing = MutedLabel("", self)
        self._nothing.hide()
        content.addWidget(self._nothing)
        self.sections = build_sections(controls, actions, self.asked.emit, self)
        self.cards = [SectionCard(section, self) for section in self.sections]
        for card in self.cards:
            content.addWidget(card)
        content.addStretch(1)
        lay_in_column(self.area, content, COLUMN_WIDTH)
        self._list = self._build_list()
        body = QHBoxLayout()
        body.setSpacing(0)
        body.addWidget(self._list, 0, Qt.AlignmentFlag.AlignTop)
        body.addWidget(self.area, 1)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 16, 0, 0)
        box.setSpacing(8)
        box.addLayout(self._build_head())
        box.addLayout(body, 1)
        self._settings.changed.connect(self.refresh)
        self._network.changed.connect(self.refresh)
        self.refresh()

    @property
    def rows(self) -> list[SettingRow]:
        return [row for section in self.sections for row in section.rows]

    def refresh(self) -> None:
        for row in self.rows:
            row.refresh()

    def take_focus(self) -> None:
        self.search.setFocus()
        self.search.selectAll()

    def reset_all(self) -> None:
        """Every choice on the page as it was at first."""
        for row in self.rows:
            row.reset()

    def show_row(self, row: SettingRow) -> None:
        """Bring a row into sight, with the keyboard on its control."""
        self.search.clear()
        self._lay_out_now()
        self.area.ensureWidgetVisible(row, 0, zoomed(80))
        row.control.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def show_shortcuts(self) -> None:
        self.show_section(next(n for n, card in enumerate(self.cards) if card.has_shortcuts))

    def _lay_out_now(self) -> None:
        """What has just been shown has its place only once the layouts have been gone through."""
        for widget in (self, self.area.widget()):
            layout = widget.layout() if widget is not None else None
            if layout is not None:
                layout.activate()

    def show_section(self, number: int) -> None:
        self.search.clear()
        card = self.cards[number]
        self._lay_out_now()
        self.area.verticalScrollBar().setValue(card.y() - zoomed(8))
        first = card.section.rows[0]
        first.control.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() != Qt.Key.Key_Escape:
            super().keyPressEvent(event)
        elif self.search.text():
            self.search.clear()
        else:
            self.back_clicked.emit()

    def showEvent(self, event: QShowEvent) -> None:
        for card in self.cards:
            card.complete()
        self._put_below(self._is_below)
        super().showEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        has_list = self.width() >= zoomed(NARROW)
        self._list.setVisible(has_list)
        room = self.width() - (self._list.sizeHint().width() if has_list else 0)
        self._put_below(room < zoomed(BELOW))

    def _put_below(self, is_below: bool) -> None:
        self._is_below = is_below
        for row in self.rows:
            row.put_below(is_below)

    def _build_head(self) -> QHBoxLayout:
        back = IconButton("back", self.tr("Back to the conversation"), self, size=20)
        back.clicked.connect(self.back_clicked)
        title = QLabel(self.tr("Settings"), self)
        title.setFont(scaled(self.font(), 1.6, weight=QFont.Weight.DemiBold))
        row = QHBoxLayout()
        row.setContentsMargins(20, 0, 20, 0)
        row.setSpacing(8)
        row.addWidget(back)
        row.addWidget(title)
        row.addStretch(1)
        row.addWidget(self.search, 2)
        self.search.setMaximumWidth(300)
        return row

    def _build_list(self) -> QWidget:
        whole = QWidget(self)
        whole.setMinimumWidth(LIST_WIDTH)
        whole.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)
        box = QVBoxLayout(whole)
        box.setContentsMargins(14, 8, 0, 8)
        box.setSpacing(1)
        for number, section in enumerate(self.sections):
            button = QPushButton(section.title, whole)
            button.setProperty("kind", "row")
            button.setAccessibleName(self.tr("To the section %1").replace("%1", section.title))
            button.clicked.connect(lambda _=False, n=number: self.show_section(n))
            box.addWidget(button)
        return whole

    def _find(self, wanted: str) -> None:
        is_found = False
        for card in self.cards:
            is_found = card.show_matching(wanted) or is_found
        self._nothing.setVisible(not is_found)
        self._nothing.setText(self.tr("No setting is called “%1”.").replace("%1", wanted.strip()))
        self.area.verticalScrollBar().setValue(0)


class SectionCard(Card):
    """A title and rows with a line between two of them."""

    def __init__(self, section: Section, parent: QWidget) -> None:
        super().__init__(parent)
        self.section = section
        self.setAccessibleName(section.title)
        title = QLabel(section.title, self)
        title.setFont(scaled(self.font(), 1.12, weight=QFont.Weight.DemiBold))
        self._lines: list[Line] = []
        self._more = section.more
        self._box = QVBoxLayout(self)
        self._box.setContentsMargins(18, 13, 14, 8)
        self._box.setSpacing(0)
        self._box.addWidget(title)
        self._box.addSpacing(4)
        for row in section.rows:
            self._add(row)

    def complete(self) -> None:
        """Make the rows that were left for later."""
        if self._more is not None:
            for row in self._more():
                self.section.rows.append(row)
                self._add(row)
            self._more = None

    def _add(self, row: SettingRow) -> None:
        line = Line(self)
        line.setVisible(bool(self._lines))
        self._lines.append(line)
        self._box.addWidget(line)
        self._box.addWidget(row)
        row.show()  # what is added to a card on the screen stays hidden otherwise

    @property
    def has_shortcuts(self) -> bool:
        return any(isinstance(row, ShortcutRow) for row in self.section.rows)

    def show_matching(self, wanted: str) -> bool:
        """Show only the rows that match, or all where the section does; whether there is one."""
        is_whole = wanted.strip().casefold() in self.section.title.casefold()
        is_first = True
        for line, row in zip(self._lines, self.section.rows, strict=True):
            is_shown = is_whole or row.matches(wanted)
            row.setVisible(is_shown)
            line.setVisible(is_shown and not is_first)
            is_first = is_first and not is_shown
        self.setVisible(not is_first)
        return not is_first
