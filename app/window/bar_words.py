"""What the bar and the list say of the model, the card and the context, as long as a window is open.

Owns keeping them up to date; what they look like is theirs.
"""

from PySide6.QtCore import QCoreApplication, QObject
from PySide6.QtWidgets import QWidget

from app.device_words import DEMONSTRATION, share_words
from app.window.controls import Controls
from app.window.device.device_control import words as device_words
from app.window.model_words import model_words
from app.window.pages import CHAT, Pages
from app.window.sidebar import Sidebar
from app.window.top_bar import TopBar


class BarWords(QObject):
    def __init__(self, controls: Controls, top_bar: TopBar, sidebar: Sidebar, pages: Pages, window: QWidget) -> None:
        super().__init__(window)
        self._controls = controls
        self._top_bar, self._sidebar, self._pages = top_bar, sidebar, pages
        settings, context = controls.settings, top_bar.context
        context.overflow_chosen.connect(lambda choice: settings.update(overflow=choice))
        context.keeps_first_chosen.connect(lambda keeps: settings.update(keeps_first=keeps))
        controls.context.changed.connect(self._show_context)
        controls.models.changed.connect(self._show_model)
        controls.device.changed.connect(self._show_device)
        settings.changed.connect(self._show_policy)
        pages.shown.connect(self._show_context)
        self._show_model()
        self._show_device()
        self._show_policy()

    def _show_model(self) -> None:
        models = self._controls.models
        name, state, color = model_words(models)
        self._sidebar.show_model(name, state, color)
        self._top_bar.show_model(name, state, color)
        ready = models.ready
        self._top_bar.offer_tiers(ready.tiers if ready is not None else (), models.tier)
        self._show_context()

    def _show_device(self) -> None:
        placement = self._controls.device.placement
        if placement is None:
            self._top_bar.show_device("", "")
        elif placement.is_emulated:
            self._top_bar.show_device(_tr("Demonstration"), device_words(DEMONSTRATION), is_essential=True)
        else:
            share = share_words(placement.hot_share)
            text = _tr("%1 of the neurons’ work is on the card").replace("%1", share)
            self._top_bar.show_device(_tr("card %1").replace("%1", share), text)

    def _show_policy(self) -> None:
        value = self._controls.settings.value
        self._top_bar.context.show_policy(value.overflow, keeps_first=value.keeps_first)

    def _show_context(self) -> None:
        self._top_bar.context.show_use(self._controls.context.use if self._pages.current == CHAT else None)


def _tr(text: str) -> str:
    return QCoreApplication.translate("MainWindow", text)
