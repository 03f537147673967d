"""Conversations out to files and in again beside a window: whole files, whole conversations, and refusals in words."""

import json
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.chat.chats import Chats, open_chats
from app.chat.exchange import HTML, JSON, JSONL, KINDS, MARKDOWN, ExportChoice, file_name_of, suffix_of
from app.error_text import ErrorText
from app.window.chats.exchange_control import ExchangeControl, Exported, Imported

NAMES = {"user": "You", "assistant": "Answer"}


@pytest.fixture
def chats(tmp_path: Path) -> Iterator[Chats]:
    opened = open_chats(tmp_path / "data" / "chats.sqlite3")
    yield opened
    opened.database.close()


class Outcome:
    """What the control has said."""

    def __init__(self, control: ExchangeControl, qtbot: QtBot) -> None:
        self.control = control
        self.all: list[object] = []
        self._qtbot = qtbot
        for signal in (control.exported, control.imported, control.failed):
            signal.connect(self.all.append)

    def after(self, ask: Callable[[], None]) -> object:
        n_before = len(self.all)
        ask()
        self._qtbot.waitUntil(lambda: len(self.all) > n_before and not self.control.is_busy, timeout=20_000)
        return self.all[-1]


@pytest.fixture
def outcome(chats: Chats, qtbot: QtBot) -> Iterator[Outcome]:
    control = ExchangeControl(chats)
    yield Outcome(control, qtbot)
    control.close()


def fill(chats: Chats, *titles: str) -> list[str]:
    ids = []
    for title in titles:
        conversation = chats.create(f"question of {title}", title=title)
        answer = chats.start_answer(conversation.path()[0].id, "tiny")
        chats.finish_answer(answer.id, f"**answer** of {title}")
        ids.append(conversation.id)
    return ids


@pytest.mark.parametrize("kind", KINDS)
def test_one_conversation_becomes_a_file_of_its_kind(chats: Chats, outcome: Outcome, tmp_path: Path, kind: str) -> None:
    path = tmp_path / f"one.{kind}"

    said = outcome.after(lambda: outcome.control.export(fill(chats, "One"), ExportChoice(kind, NAMES), path))

    assert said == Exported(path, 1)
    text = path.read_text(encoding="utf-8")
    assert "question of One" in text
    assert ("<strong>answer</strong>" in text) == (kind == HTML)
    assert [p for p in tmp_path.iterdir() if p.name.startswith(".")] == []


def test_several_pages_become_an_archive_with_names_of_their_own(
    chats: Chats, outcome: Outcome, tmp_path: Path
) -> None:
    ids = fill(chats, "a/b", "A/B", "con", "…" * 200)
    path = tmp_path / "all.zip"
    assert suffix_of(MARKDOWN, len(ids)) == "zip"

    outcome.after(lambda: outcome.control.export(ids, ExportChoice(MARKDOWN, NAMES), path))

    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()
        assert len({name.casefold() for name in names}) == 4
        assert not any("/" in name or len(name) > 130 for name in names)
        assert "**You**" in archive.read(names[0]).decode()


def test_what_was_saved_as_json_comes_back_elsewhere_once(
    chats: Chats, outcome: Outcome, tmp_path: Path, qtbot: QtBot
) -> None:
    ids = fill(chats, *(f"chat {number}" for number in range(40)))
    folder = chats.add_folder("Work")
    chats.move(ids[0], folder.id)
    path = tmp_path / "all.json"
    outcome.after(lambda: outcome.control.export(ids, ExportChoice(JSON, NAMES), path))
    elsewhere = open_chats(tmp_path / "other" / "chats.sqlite3")
    control = ExchangeControl(elsewhere)
    other = Outcome(control, qtbot)

    said = other.after(lambda: control.import_files([path]))

    assert isinstance(said, Imported)
    assert (said.report.source, said.report.n_conversations, said.report.n_messages) == ("Ember", 40, 80)
    assert set(said.report.new_ids) == set(ids)
    for conversation_id in ids:
        assert elsewhere.load(conversation_id).messages == chats.load(conversation_id).messages
    assert elsewhere.summary(ids[0]).folder_id == folder.id
    again = other.after(lambda: control.import_files([path]))
    assert isinstance(again, Imported)
    assert (again.report.n_conversations, again.report.n_present) == (0, 40)
    control.close()
    elsewhere.database.close()


def test_lines_for_training_hold_the_path(chats: Chats, outcome: Outcome, tmp_path: Path) -> None:
    path = tmp_path / "all.jsonl"

    outcome.after(lambda: outcome.control.export(fill(chats, "a", "b"), ExportChoice(JSONL, NAMES), path))

    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert [line["messages"][0]["content"] for line in lines] == ["question of a", "question of b"]


def test_a_file_that_is_no_export_is_refused_in_words_and_the_next_one_comes_in(
    chats: Chats, outcome: Outcome, tmp_path: Path
) -> None:
    good = tmp_path / "good.json"
    ids = fill(chats, "one")
    outcome.after(lambda: outcome.control.export(ids, ExportChoice(JSON, NAMES), good))
    bad = tmp_path / "bad.json"
    bad.write_text('{"surprise": 1}', encoding="utf-8")
    n_before = len(outcome.all)

    outcome.control.import_files([bad, good])
    outcome._qtbot.waitUntil(lambda: len(outcome.all) == n_before + 2, timeout=20_000)

    refused, imported = outcome.all[-2:]
    assert isinstance(refused, ErrorText)
    assert "bad.json" in refused.cause
    assert isinstance(imported, Imported)
    assert imported.report.n_present == 1


def test_a_place_that_cannot_be_written_to_is_said_and_nothing_is_left(
    chats: Chats, outcome: Outcome, tmp_path: Path
) -> None:
    said = outcome.after(
        lambda: outcome.control.export(fill(chats, "a"), ExportChoice(JSON, NAMES), tmp_path / "nowhere" / "a.json")
    )

    assert isinstance(said, ErrorText)
    assert str(tmp_path / "nowhere") in said.cause


def test_an_import_that_the_disk_stops_says_how_much_is_in(
    chats: Chats, outcome: Outcome, tmp_path: Path, qtbot: QtBot
) -> None:
    path = tmp_path / "all.json"
    ids = fill(chats, "a", "b", "c")
    outcome.after(lambda: outcome.control.export(ids, ExportChoice(JSON, NAMES), path))
    elsewhere = open_chats(tmp_path / "other.sqlite3")
    elsewhere.database._db.execute("PRAGMA query_only = ON")
    control = ExchangeControl(elsewhere)
    other = Outcome(control, qtbot)

    said = other.after(lambda: control.import_files([path]))

    assert isinstance(said, ErrorText)
    assert "write-protected" in said.cause
    assert elsewhere.conversations() == []
    elsewhere.database._db.execute("PRAGMA query_only = OFF")
    assert isinstance(other.after(lambda: control.import_files([path])), Imported)
    assert len(elsewhere.conversations()) == 3
    control.close()
    elsewhere.database.close()


@pytest.mark.parametrize(
    ("title", "name"),
    [("a/b: c?", "a b c"), ("  ..  ", "x"), ("CON", "x"), ("con.txt", "x"), ("题" * 200, "题" * 80), ("a\0b", "a b")],
)
def test_names_of_files_are_such_that_every_system_takes_them(title: str, name: str) -> None:
    assert file_name_of(title, "x") == name
