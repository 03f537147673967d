"""Every choice is on one page, is found, explained, acts at once, can be undone, and is kept."""

from collections.abc import Callable
from dataclasses import fields

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QComboBox, QMessageBox, QPushButton

from app.settings import ACCENTS, LANGUAGES, THEMES, ZOOMS, AppSettings
from app.settings_file import SettingsFile
from app.window.settings.accent_choice import AccentChoice, AccentDisc
from app.window.settings.rows import ChoiceRow, LinkRow, SettingRow, SwitchRow
from app.window.settings.settings_page import SettingsPage
from app.window.settings.shortcut_rows import ShortcutRow
from app.window.settings_ways import settings_ways
from app.window.theme import THEMES as COLORS
from app.window.theme import colors_of
from tests.app.conftest import Bench

MakeBench = Callable[..., Bench]


@pytest.fixture
def page(bench: Bench) -> SettingsPage:
    bench.window.commands.command("show_settings").action.trigger()
    bench.settle()
    return bench.window.settings_page


def row(page: SettingsPage, name: str) -> SettingRow:
    return next(each for each in page.rows if each.name == name and not isinstance(each, ShortcutRow))


def choose(row: SettingRow, value: object) -> None:
    assert isinstance(row, ChoiceRow)
    assert isinstance(row.control, QComboBox)
    row.control.setCurrentIndex(row.control.findData(value))


def shown(page: SettingsPage) -> list[str]:
    return [each.name for each in page.rows if each.isVisible()]


def test_every_row_says_what_it_is_and_explains_itself(page: SettingsPage) -> None:
    for each in page.rows:
        assert each.name.strip()
        assert isinstance(each, ShortcutRow) or each._words.endswith("."), each.name
        assert each.control.accessibleName() or each.control.focusProxy(), each.name


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("theme", "Theme"),
        ("DARK", "Theme"),
        ("memory back", "Give memory back when idle"),
        ("proxy", "Hub, mirror, proxy and folders"),
        ("简体", "Language"),
        ("ctrl+b", "Show conversations"),
    ],
)
def test_a_setting_is_found_by_its_name_its_explanation_or_its_choices(
    page: SettingsPage, typed: str, expected: str
) -> None:
    QTest.keyClicks(page.search, typed) if typed.isascii() else page.search.setText(typed)

    assert expected in shown(page)
    assert len(shown(page)) < 8


def test_a_section_is_found_whole(page: SettingsPage) -> None:
    page.search.setText("privacy")

    assert "Where your conversations are" in shown(page)


def test_nothing_found_is_said_and_escape_shows_all_again(page: SettingsPage) -> None:
    page.search.setText("xyzzy")
    assert shown(page) == []
    assert "xyzzy" in page._nothing.text()
    assert page._nothing.isVisible()

    QTest.keyClick(page.search, Qt.Key.Key_Escape)

    assert len(shown(page)) == len(page.rows)
    assert not page._nothing.isVisible()


def test_escape_without_a_search_goes_back(bench: Bench, page: SettingsPage) -> None:
    QTest.keyClick(page.search, Qt.Key.Key_Escape)

    assert bench.window.pages.current == "chat"


def test_a_switch_acts_at_once_and_is_kept(bench: Bench, page: SettingsPage) -> None:
    changed = row(page, "Figures below each answer")
    assert isinstance(changed, SwitchRow)
    assert isinstance(changed.control, QCheckBox)
    assert not changed.reset_button.isVisible()

    changed.control.click()

    assert not bench.session.settings.value.show_stats
    assert changed.reset_button.isVisible()
    bench.session.settings.save()
    assert not SettingsFile(bench.paths.settings).settings.show_stats

    changed.reset_button.click()
    assert bench.session.settings.value.show_stats
    assert changed.control.isChecked()


@pytest.mark.parametrize(("name", "field", "values"), [("Theme", "theme", THEMES), ("Language", "language", LANGUAGES)])
def test_a_choice_is_taken(bench: Bench, page: SettingsPage, name: str, field: str, values: tuple[str, ...]) -> None:
    for value in reversed(values):
        choose(row(page, name), value)

        assert getattr(bench.session.settings.value, field) == value


def test_what_is_changed_elsewhere_is_shown(bench: Bench, page: SettingsPage) -> None:
    bench.session.settings.update(theme="dark", show_stats=False, zoom=125)

    assert row(page, "Theme").control.currentData() == "dark"  # type: ignore[attr-defined]
    assert not row(page, "Figures below each answer").control.isChecked()  # type: ignore[attr-defined]
    assert row(page, "Size of everything").control.currentData() == 125  # type: ignore[attr-defined]


def test_the_theme_and_the_accent_act_at_once(bench: Bench, page: SettingsPage) -> None:
    choose(row(page, "Theme"), "dark")
    accent = row(page, "Accent").control
    assert isinstance(accent, AccentChoice)
    accent._discs["sky"].click()

    assert colors_of(bench.window.palette()) == COLORS[True, "sky"]
    assert bench.session.settings.value.accent == "sky"


def test_accents_are_discs_with_names_and_arrows_go_between_them(page: SettingsPage) -> None:
    accent = row(page, "Accent").control
    discs = accent.findChildren(AccentDisc)
    assert [each.accessibleName() for each in discs] == ["Ember", "Forest", "Lagoon", "Sky", "Violet", "Rose"]

    discs[0].setFocus()
    QTest.keyClick(discs[0], Qt.Key.Key_Right)

    assert discs[1].isChecked()
    seen = {disc.grab().toImage().pixelColor(disc.rect().center()).name() for disc in discs}
    assert len(seen) == len(ACCENTS)


def test_working_offline_goes_through_the_network(bench: Bench, page: SettingsPage) -> None:
    box = row(page, "Work offline").control
    assert isinstance(box, QCheckBox)

    box.click()

    assert bench.session.hub.network.is_offline
    assert bench.session.settings.value.is_offline


@pytest.mark.parametrize(
    ("name", "page_name"),
    [("Logs", "logs"), ("Card and its memory", "device"), ("How answers are made", "chat")],
)
def test_links_lead_to_their_pages(bench: Bench, page: SettingsPage, name: str, page_name: str) -> None:
    link = row(page, name)
    assert isinstance(link, LinkRow)
    assert isinstance(link.control, QPushButton)

    link.control.click()

    assert bench.window.pages.current == page_name


def test_the_list_leads_to_every_section(bench: Bench, page: SettingsPage) -> None:
    bench.window.resize(1100, 500)
    bench.settle()
    for number, card in enumerate(page.cards):
        page.show_section(number)
        bench.settle()
        top = card.mapTo(page.area.viewport(), card.rect().topLeft()).y()
        assert top < page.area.viewport().height() - 40, card.section.title
        focus = bench.window.focusWidget()
        assert focus is not None
        assert card.isAncestorOf(focus)


@pytest.mark.parametrize("width", [440, 600, 800, 1300])
def test_nothing_sticks_out(bench: Bench, page: SettingsPage, width: int) -> None:
    bench.window.resize(width, 700)
    bench.settle()

    assert page._list.isVisible() == (page.width() >= 720)
    bench.until(lambda: sticking_out(page) == [])


def sticking_out(page: SettingsPage) -> list[str]:
    """Rows that reach beyond the right edge; layouts within each other take some rounds to settle."""
    viewport = page.area.viewport()
    parts = [(each.name, part) for each in page.rows for part in (each, each.control)]
    return [name for name, part in parts if part.mapTo(viewport, part.rect().topRight()).x() >= viewport.width()]


def test_everything_can_be_made_as_it_was_at_first(bench: Bench, page: SettingsPage) -> None:
    bench.session.settings.update(
        theme="dark", accent="rose", zoom=125, show_stats=False, last_model="tiny", shortcuts=(("quit", ""),)
    )
    settings_ways(bench.window)["reset all"]()
    (box,) = bench.window.findChildren(QMessageBox)

    next(button for button in box.buttons() if button.text() == "Reset").click()

    value = bench.session.settings.value
    assert (value.theme, value.accent, value.zoom, value.show_stats) == ("system", "ember", 100, True)
    assert value.shortcuts == ()
    assert value.last_model == "tiny", "what is not on the page stays"


def test_resetting_is_asked_about_first(bench: Bench, page: SettingsPage) -> None:
    bench.session.settings.update(accent="rose")
    settings_ways(bench.window)["reset all"]()
    (box,) = bench.window.findChildren(QMessageBox)

    box.reject()

    assert bench.session.settings.value.accent == "rose"


TRIAL: dict[str, object] = {
    "theme": "dark", "language": "en", "accent": "sky", "zoom": 125, "unload_minutes": 15, "overflow": "oldest",
    "send_with": "ctrl+enter",
}  # fmt: skip
# Fields that are chosen elsewhere than on this page, and where.
ELSEWHERE = {
    "last_model": "the model that is loaded",
    "recent_models": "the models that were loaded",
    "shortcuts": "the rows of shortcuts",
    "is_welcomed": "the first questions",
    "tiers": "the tier beside the model's name",
    "card": "the device page",
    "vram_bytes": "the device page",
    "endpoint": "the hub's dialog",
    "is_offline": "by the network, on this page",
    "proxy": "the hub's dialog",
    "ca_file": "the hub's dialog",
    "library_folders": "the hub's dialog",
    "download_limit": "by the downloads, on this page",
}
# Of app/answer_settings.py: the panel of answers.
PANEL = {
    "system_prompt", "temperature", "top_p", "top_k", "min_p", "repetition_penalty", "seed", "max_tokens", "stop",
    "preset",
}  # fmt: skip


def test_no_choice_is_forgotten(bench: Bench, page: SettingsPage) -> None:
    """Each field of the settings is changed by a row of the page, or it is known where it is."""
    rows = [each for each in page.rows if each._usual is not None and not isinstance(each, ShortcutRow)]
    reached = set()
    for field in fields(AppSettings):
        usual = getattr(AppSettings(), field.name)
        value = TRIAL.get(field.name, not usual if isinstance(usual, bool) else None)
        if value is not None:
            before = [each._read() for each in rows if each._read is not None]
            bench.session.settings.update(**{field.name: value})
            if [each._read() for each in rows if each._read is not None] != before:
                reached.add(field.name)

    known = reached | set(ELSEWHERE) | PANEL
    assert [f.name for f in fields(AppSettings) if f.name not in known] == []


def test_zooms_are_offered_around_the_usual_size() -> None:
    assert 100 in ZOOMS
    assert list(ZOOMS) == sorted(ZOOMS)
    assert ZOOMS[0] >= 50
    assert ZOOMS[-1] >= 200
