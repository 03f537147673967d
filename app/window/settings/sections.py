"""The sections of the settings page and what is in each: a list of rows, each with a line that explains it.

A new setting is one entry here, beside its field in app/settings.py. What a link leads to is the window's business: it
is asked for by one of the names below.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from PySide6.QtCore import QCoreApplication, QLocale
from PySide6.QtWidgets import QWidget

from app.settings import CTRL_ENTER, ENTER, LANGUAGES, THEMES, UNLOAD_MINUTES, ZOOMS
from app.window.actions import Actions
from app.window.controls import Controls
from app.window.number_field import NumberField
from app.window.settings.accent_choice import AccentChoice
from app.window.settings.rows import NumberRow, Rows, SettingRow, SwitchRow
from app.window.settings.shortcut_rows import ShortcutRow
from engine.context_reports import ASK, MIDDLE, OLDEST

ANSWERS, DEVICE, NETWORK, LOGS, WELCOME, SHEET = "answers", "device", "network", "logs", "welcome", "sheet"
DATA_FOLDER, SETTINGS_FOLDER = "data folder", "settings folder"
RESET_ALL, RESET_KEYS = "reset all", "reset keys"
MB = 1_000_000

Ask = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Section:
    """`more` makes further rows, which are many, once the page is shown."""

    title: str
    rows: list[SettingRow]
    more: Callable[[], list[SettingRow]] | None = None


def build_sections(controls: Controls, actions: Actions, ask: Ask, parent: QWidget) -> list[Section]:
    """All of them, in the order of the page."""

    def section(title: str, fill: Callable[[Rows], None]) -> Section:
        rows = Rows(controls.settings, parent)
        fill(rows)
        return Section(title, rows.made)

    return [
        section(_tr("General"), lambda rows: _general(rows, ask)),
        section(_tr("Appearance"), lambda rows: _appearance(rows, parent)),
        section(_tr("Chat"), _chat),
        section(_tr("Model and answers"), lambda rows: _answers(rows, ask)),
        section(_tr("Device"), lambda rows: _device(rows, ask)),
        section(_tr("Models and network"), lambda rows: _network(rows, controls, ask, parent)),
        replace(
            section(_tr("Shortcuts"), lambda rows: _shortcuts(rows, ask)),
            more=lambda: [ShortcutRow(command, actions, parent) for command in actions.commands],
        ),
        section(_tr("Privacy"), lambda rows: _privacy(rows, ask)),
        section(_tr("Advanced"), lambda rows: _advanced(rows, ask)),
    ]


def language_names() -> tuple[tuple[str, str], ...]:
    """Each language in its own words, so that whoever cannot read the present one finds his."""
    names = {"system": _tr("As the system says"), "en": "English", "zh_CN": "简体中文"}
    return tuple((language, names[language]) for language in LANGUAGES)


def theme_names() -> tuple[tuple[str, str], ...]:
    names = {"system": _tr("As the system says"), "light": _tr("Light"), "dark": _tr("Dark")}
    return tuple((theme, names[theme]) for theme in THEMES)


def _general(rows: Rows, ask: Ask) -> None:
    rows.choice("language", _tr("Language"), _tr("The language of the window."), language_names())
    rows.switch(
        "tells_ends",
        _tr("Tell when a long answer has ended"),
        _tr("The desktop says so while you are in another window."),
    )
    rows.switch(
        "has_tray",
        _tr("Icon in the tray"),
        _tr("It brings the window to the front, begins a chat or quits; not every desktop has a tray."),
    )
    rows.link(
        _tr("First questions"),
        _tr("The questions of the first start: language, theme, folder, speed of this computer."),
        _tr("Ask again…"),
        lambda: ask(WELCOME),
    )


def _appearance(rows: Rows, parent: QWidget) -> None:
    rows.choice("theme", _tr("Theme"), _tr("Light, dark, or what the desktop is set to."), theme_names())
    accents = AccentChoice(parent)
    accent = rows.own(
        _AccentRow(
            _tr("Accent"),
            _tr("The colour of buttons, links and marks."),
            accents,
            parent,
            **rows.for_field("accent"),
        )
    )
    accents.chosen.connect(accent.take)
    percent = QLocale().percent()
    rows.choice(
        "zoom",
        _tr("Size of everything"),
        _tr("Text, buttons and spaces; Ctrl and + or − do the same."),
        [(zoom, f"{zoom} {percent}") for zoom in ZOOMS],
    )


def _chat(rows: Rows) -> None:
    rows.choice(
        "send_with",
        _tr("Send with"),
        _tr("Shift and Enter always begins a new line."),
        [(ENTER, _tr("Enter")), (CTRL_ENTER, _tr("Ctrl and Enter"))],
    )
    rows.choice(
        "overflow",
        _tr("When a conversation is too long"),
        _tr("What is done once the model can no longer read all of it. What is left out is always said."),
        [
            (ASK, _tr("Stop and ask")),
            (OLDEST, _tr("Leave out the oldest turns")),
            (MIDDLE, _tr("Leave out the middle")),
        ],
    )
    rows.switch(
        "keeps_first",
        _tr("Keep the first message in sight"),
        _tr("Where older turns are left out, the message that began the conversation stays."),
    )
    rows.switch(
        "show_stats",
        _tr("Figures below each answer"),
        _tr("Tokens, speed and the time to the first token, as measured."),
    )


def _answers(rows: Rows, ask: Ask) -> None:
    rows.link(
        _tr("How answers are made"),
        _tr("System prompt, presets, temperature, stop texts and the rest, beside the conversation."),
        _tr("Answer settings…"),
        lambda: ask(ANSWERS),
    )
    rows.switch(
        "restores_model",
        _tr("Load the last model at the start"),
        _tr("Otherwise it is loaded by the first message."),
    )
    minutes = {0: _tr("Never")} | {n: _tr("After %1 minutes").replace("%1", str(n)) for n in UNLOAD_MINUTES if n}
    rows.choice(
        "unload_minutes",
        _tr("Give memory back when idle"),
        _tr("A model that has not answered for so long is unloaded; the next message loads it again."),
        [(n, minutes[n]) for n in UNLOAD_MINUTES],
    )
    rows.switch(
        "completes_base",
        _tr("Base models go on with your text"),
        _tr("They were not trained to converse. Otherwise they are given questions to answer all the same."),
    )


def _device(rows: Rows, ask: Ask) -> None:
    rows.link(
        _tr("Card and its memory"),
        _tr("Which graphics card computes with, how much of its memory Ember takes, how fast this computer is."),
        _tr("Device page"),
        lambda: ask(DEVICE),
    )


def _network(rows: Rows, controls: Controls, ask: Ask, parent: QWidget) -> None:
    network, downloads, settings = controls.hub.network, controls.hub.downloads, controls.settings
    rows.own(
        SwitchRow(
            _tr("Work offline"),
            _tr("No connection is made, whatever is asked for."),
            parent,
            read=lambda: network.is_offline,
            write=lambda is_on: network.switch(offline=is_on),
        )
    )
    limit = NumberField(0.1, 100_000, step=1, decimals=1, empty=_tr("no limit"))
    rows.own(
        NumberRow(
            _tr("Speed limit of downloads, in MB/s"),
            _tr("Of all downloads together."),
            limit,
            parent,
            read=lambda: None if (value := settings.value.download_limit) is None else value / MB,
            write=lambda value: downloads.limit(None if value is None else round(value * MB)),
            usual=lambda: None,
        )
    )
    rows.switch(
        "keeps_source",
        _tr("Keep what was fetched once a model is prepared"),
        _tr("It can then be prepared again in another precision without fetching it."),
    )
    rows.link(
        _tr("Hub, mirror, proxy and folders"),
        _tr("The hub’s address, a proxy, certificates, the access token, and the folders models are kept in."),
        _tr("Hub and library…"),
        lambda: ask(NETWORK),
    )


def _shortcuts(rows: Rows, ask: Ask) -> None:
    rows.link(
        _tr("All shortcuts at a glance"),
        _tr("A sheet of every action and its keys."),
        _tr("Show the sheet"),
        lambda: ask(SHEET),
    )
    rows.link(
        _tr("Usual keys"),
        _tr("Every action gets the keys again that it had at first."),
        _tr("Reset all keys"),
        lambda: ask(RESET_KEYS),
    )


def _privacy(rows: Rows, ask: Ask) -> None:
    rows.switch(
        "counts_neurons",
        _tr("Learn from my chats which neurons fire"),
        _tr("Only counts are kept, on this computer; with them Ember chooses what is kept close at hand."),
    )
    rows.link(
        _tr("Where your conversations are"),
        _tr("On this computer, in one file. Ember sends nothing anywhere, and there is no telemetry."),
        _tr("Open the folder"),
        lambda: ask(DATA_FOLDER),
    )


def _advanced(rows: Rows, ask: Ask) -> None:
    rows.link(
        _tr("Logs"),
        _tr("What window and engine wrote down, and a report on this computer to copy. Never what you wrote."),
        _tr("Logs page"),
        lambda: ask(LOGS),
    )
    rows.link(
        _tr("Settings file"),
        _tr("A text file with everything on this page."),
        _tr("Open the folder"),
        lambda: ask(SETTINGS_FOLDER),
    )
    rows.link(
        _tr("Usual settings"),
        _tr("Everything on this page becomes as it was at first; models and conversations stay."),
        _tr("Reset all settings…"),
        lambda: ask(RESET_ALL),
    )


class _AccentRow(SettingRow):
    def take(self, accent: str) -> None:
        self._take(accent)

    def show_value(self, value: str) -> None:
        assert isinstance(self.control, AccentChoice)  # noqa: S101 - made above
        self.control.show_accent(value)


def _tr(text: str) -> str:
    return QCoreApplication.translate("Settings", text)
