"""The way to the hub in the window: what the user set, whether the engine took it, the token, a test of it all.

Decides when a choice is kept: once the engine goes that way. Where a way that was kept cannot be taken at the start,
the engine is told to stay offline, so that nothing leaves by another way than the one chosen. Knows no widget.
"""

import os
from dataclasses import replace

from PySide6.QtCore import QObject, Signal

from app.error_text import ErrorText
from app.network import network_settings
from app.window.bridge import EngineBridge
from app.window.models.asking import Asking
from app.window.settings_control import SettingsControl
from app.window.wording import error_words
from engine.errors import ErrorReport
from engine.messages import Event, Failed, RequestCancelled
from engine.transfer_reports import (
    ConnectionStep,
    ConnectionTested,
    ConnectionTried,
    DownloadsRead,
    NetworkSettings,
    ReadToken,
    StoreToken,
    TokenKept,
    TryConnection,
    UseNetwork,
)


class NetworkControl(Asking):
    token_kept = Signal()
    """A token was entered or forgotten, and that has been done."""

    went_online = Signal()

    def __init__(self, bridge: EngineBridge, settings: SettingsControl, parent: QObject | None = None) -> None:
        super().__init__(bridge, "network", parent)
        self._settings = settings
        self._wanted: dict[str, str] | None = None
        self._use_id = self._switch_id = self._read_id = self._store_id = self._try_id = ""
        self._is_starting = False
        self.error: ErrorText | None = None
        """Why a way to the hub could not be taken."""
        self.token_place = ""
        """One of TOKEN_PLACES; empty until it is known."""
        self.token_endpoint = ""
        self.token_error: ErrorText | None = None
        self.steps: tuple[ConnectionStep, ...] = ()
        self.test_error: ErrorText | None = None

    @property
    def is_offline(self) -> bool:
        return self.chosen.is_offline

    @property
    def chosen(self) -> NetworkSettings:
        """The way to the hub by the settings and this process's environment."""
        value = self._settings.value
        return network_settings(
            os.environ,
            endpoint=value.endpoint,
            is_offline=value.is_offline,
            proxy=value.proxy,
            ca_file=value.ca_file,
        )

    @property
    def is_forced_offline(self) -> bool:
        """Whether the environment says so, which no switch here can change."""
        return network_settings(os.environ).is_offline

    @property
    def is_using(self) -> bool:
        return bool(self._use_id)

    @property
    def is_storing(self) -> bool:
        return bool(self._store_id)

    @property
    def is_testing(self) -> bool:
        return bool(self._try_id)

    # What the user asks -------------------------------------------------------------------------------------------

    def switch(self, *, offline: bool) -> None:
        """At once, and kept."""
        self._settings.update(is_offline=offline)
        self._switch_id = self._ask(lambda i: UseNetwork(i, self.chosen))
        if not self.is_offline:
            self.went_online.emit()
        self.changed.emit()

    def use(self, *, endpoint: str, proxy: str, ca_file: str) -> None:
        """Try another way; it is kept if the engine can go it."""
        self._wanted = {"endpoint": endpoint.strip(), "proxy": proxy.strip(), "ca_file": ca_file.strip()}
        wanted = network_settings(os.environ, is_offline=self._settings.value.is_offline, **self._wanted)
        self.error = None
        self._is_starting = False
        self._use_id = self._ask(lambda i: UseNetwork(i, wanted))
        self.changed.emit()

    def store_token(self, token: str) -> None:
        """An empty one is forgotten."""
        self.token_error = None
        self._store_id = self._ask(lambda i: StoreToken(i, token.strip()))
        self.changed.emit()

    def test(self, repo: str) -> None:
        """Try the way to the hub step by step."""
        self.steps, self.test_error = (), None
        self._try_id = self._ask(lambda i: TryConnection(i, repo))
        self.changed.emit()

    def stop_test(self) -> None:
        self._cancel(self._try_id)

    # The engine ---------------------------------------------------------------------------------------------------

    def _on_opened(self) -> None:
        self._is_starting = True
        self._use_id = self._ask(lambda i: UseNetwork(i, self.chosen))
        self._read_id = self._ask(ReadToken)

    def _on_event(self, event: Event) -> None:
        match event:
            case DownloadsRead() if event.request_id in (self._use_id, self._switch_id):
                self._on_used(event.request_id)
            case TokenKept():
                self._on_token(event)
            case ConnectionTried() if event.request_id == self._try_id:
                self.steps = (*self.steps, event.step)
            case ConnectionTested() if event.request_id == self._try_id:
                self.steps, self._try_id = event.steps, ""
            case RequestCancelled() if event.request_id == self._try_id:
                self._try_id = ""
            case Failed():
                if not self._on_failed(event.request_id, event.error):
                    return
            case _:
                return
        self.changed.emit()

    def _on_used(self, request_id: str) -> None:
        if request_id == self._switch_id:
            self._switch_id = ""
            return
        self._use_id = ""
        if self._wanted is not None:
            self._settings.update(**self._wanted)
            self._wanted = None
            self._read_id = self._ask(ReadToken)  # it belongs to an address

    def _on_token(self, event: TokenKept) -> None:
        self.token_place, self.token_endpoint, self.token_error = event.place, event.endpoint, None
        if event.request_id == self._store_id:
            self._store_id = ""
            self.token_kept.emit()

    def _on_failed(self, request_id: str, report: ErrorReport) -> bool:
        text = error_words(report)
        if request_id in (self._use_id, self._switch_id):
            if self._is_starting or request_id == self._switch_id:
                self._ask(lambda i: UseNetwork(i, replace(NetworkSettings(), is_offline=True)))
            self._use_id = self._switch_id = ""
            self._wanted = None
            self.error = text
        elif request_id == self._store_id:
            self._store_id, self.token_error = "", text
        elif request_id == self._try_id:
            self._try_id, self.test_error = "", text
        else:
            return False
        return True

    def _on_death(self) -> None:
        self._use_id = self._switch_id = self._read_id = self._store_id = self._try_id = ""
        self._wanted = None
        self.changed.emit()
