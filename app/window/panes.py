"""The panes of a window: the list of conversations, the page below its bar, the settings of answers.

Owns which of them have room. In a narrow window the list lies over the page, below the bar whose button puts it away
again; where it is crowded, the settings of answers take the place of the page.
"""

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.window.answer_panel import AnswerPanel
from app.window.pages import Pages
from app.window.sidebar import Sidebar
from app.window.top_bar import TopBar
from app.window.zoom import zoomed

NARROW = 760  # below this width the list of conversations is hidden until asked for
CROWDED = 900  # below this width the settings of answers take the place of the conversation
_NO_LIMIT = 16_777_215


class Panes(QWidget):
    """`has_sidebar` is None while nobody has said whether the list is to be shown."""

    def __init__(self, sidebar: Sidebar, top_bar: TopBar, pages: Pages, panel: AnswerPanel, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._sidebar, self._top_bar, self._panel = sidebar, top_bar, panel
        self._is_narrow = False
        self.has_sidebar: bool | None = None
        self.centre = QWidget(self)
        column = QVBoxLayout(self.centre)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(top_bar)
        column.addWidget(pages, 1)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(0)
        self._row.addWidget(sidebar)
        self._row.addWidget(self.centre, 1)
        self._row.addWidget(panel)
        pages.shown.connect(self._uncover_page)

    def toggle_sidebar(self) -> None:
        self.has_sidebar = self._sidebar.isHidden()
        self.arrange()

    def toggle_panel(self) -> None:
        self._panel.setVisible(self._panel.isHidden())
        self.arrange()

    def follow_width(self, before: int, now: int) -> None:
        """The window has another width: where it has become narrow or wide, the list is as usual there."""
        limit = zoomed(NARROW)
        if before >= 0 and (before >= limit) != (now >= limit):
            self.has_sidebar = None
        self.arrange()

    def arrange(self) -> None:
        width = self._window.width()
        is_wide = width >= zoomed(NARROW)
        is_crowded = not self._panel.isHidden() and width < zoomed(CROWDED)
        self._place_sidebar(is_over_page=not is_wide)
        wants_sidebar = is_wide if self.has_sidebar is None else self.has_sidebar
        self._sidebar.setVisible(wants_sidebar and not is_crowded)
        self.centre.setVisible(not is_crowded)
        self._panel.setMaximumWidth(_NO_LIMIT if is_crowded else self._panel.minimumWidth())
        self._top_bar.new_button.setVisible(self._is_narrow or self._sidebar.isHidden())
        self._top_bar.panel_button.setChecked(not self._panel.isHidden())

    def _place_sidebar(self, *, is_over_page: bool) -> None:
        """Beside the page, or over it."""
        if is_over_page != self._is_narrow:
            self._is_narrow = is_over_page
            if is_over_page:
                self._row.removeWidget(self._sidebar)
            else:
                self._row.insertWidget(0, self._sidebar)
        if is_over_page:
            top = self._top_bar.maximumHeight()
            self._sidebar.setGeometry(0, top, self._sidebar.maximumWidth(), self._window.height() - top)
            self._sidebar.raise_()

    def _uncover_page(self) -> None:
        """Put away a list that lies over the page somebody asked for."""
        if self._is_narrow and not self._sidebar.isHidden():
            self.toggle_sidebar()
