"""Imports take all of a file or nothing, name the place of what is wrong, and do not double what is there."""

import copy
import json
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.chat import checked_json
from app.chat.answer_facts import AnswerFacts
from app.chat.chats import Chats, open_chats
from app.chat.checked_json import ImportRefused
from app.chat.conversation import INTERRUPTED, STOPPED
from app.chat.exchange_words import REFUSALS, describe_import, describe_refusal
from app.chat.exports import to_json
from app.chat.imports import import_file, read_conversations
from app.chat.previous_store import take_over
from app.chat.records import StoredConversation
from app.chat.search import search
from app.chat.store_errors import StoreError
from engine.messages import GenerationStats
from tests.app.chat_store.previous_file import write_previous_file

CHATGPT = [
    {
        "title": "Trip 旅行",
        "create_time": 1700000000.5,
        "update_time": 1700000100.0,
        "conversation_id": "abc",
        "current_node": "a2",
        "mapping": {
            "root": {"id": "root", "message": None, "parent": None, "children": ["sys"]},
            "sys": {
                "id": "sys", "parent": "root", "children": ["u1"],
                "message": {"author": {"role": "system"}, "content": {"content_type": "text", "parts": [""]}},
            },
            "a1": {
                "id": "a1", "parent": "u1", "children": [],
                "message": {
                    "author": {"role": "assistant"}, "create_time": 1700000003.0, "metadata": {"model_slug": "g"},
                    "content": {"content_type": "text", "parts": ["Rome"]}, "recipient": "all",
                },
            },
            "u1": {
                "id": "u1", "parent": "sys", "children": ["a1", "t1"],
                "message": {
                    "author": {"role": "user"}, "create_time": 1700000002.0,
                    "content": {"content_type": "multimodal_text", "parts": [{"asset_pointer": "x"}, "Where to?"]},
                },
            },
            "t1": {
                "id": "t1", "parent": "u1", "children": ["a2"],
                "message": {
                    "author": {"role": "assistant"}, "recipient": "browser",
                    "content": {"content_type": "code", "text": "search()"},
                },
            },
            "a2": {
                "id": "a2", "parent": "t1", "children": [],
                "message": {
                    "author": {"role": "assistant"}, "content": {"content_type": "text", "parts": ["Oslo"]},
                },
            },
        },
    }
]  # fmt: skip

WEBUI = [
    {
        "id": "w1", "title": "Poem", "pinned": True, "created_at": 1700000000, "updated_at": 1700000050,
        "chat": {
            "title": "Poem", "models": ["m"], "system": "Rhyme.",
            "history": {
                "currentId": "3",
                "messages": {
                    "1": {"id": "1", "parentId": None, "childrenIds": ["2", "3"], "role": "user", "content": "Go",
                          "timestamp": 1700000001, "files": [{"x": 1}]},
                    "2": {"id": "2", "parentId": "1", "childrenIds": [], "role": "assistant", "content": "Roses",
                          "model": "m", "timestamp": 1700000002},
                    "3": {"id": "3", "parentId": "1", "childrenIds": [], "role": "assistant", "content": "Violets",
                          "model": "m", "timestamp": 1700000003},
                },
            },
        },
    }
]  # fmt: skip


@pytest.fixture
def chats(tmp_path: Path) -> Iterator[Chats]:
    found = open_chats(tmp_path / "data" / "chats.sqlite3")
    yield found
    found.database.close()


def write(path: Path, value: object) -> Path:
    path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
    return path


def jan_thread(folder: Path, *messages: object, **about: object) -> Path:
    folder.mkdir(parents=True)
    write(
        folder / "thread.json",
        {"id": folder.name, "title": "Cats", "created": 1700000000, "updated": 1700000009} | about,
    )
    (folder / "messages.jsonl").write_text("".join(json.dumps(m) + "\n" for m in messages), encoding="utf-8")
    return folder


def jan_message(number: int, role: str, text: str) -> dict[str, Any]:
    content = [{"type": "text", "text": {"value": text, "annotations": []}}]
    return {"id": f"m{number}", "role": role, "content": content, "created_at": 1700000000000 + number}


def everything(chats: Chats) -> list[StoredConversation]:
    return [chats.load(s.id) for s in (*chats.conversations(), *chats.trash())]


def full(chats: Chats) -> None:
    """Two conversations with versions, a folder, figures, an answer being written."""
    folder = chats.add_folder("Work")
    one = chats.create("Which 题?", folder_id=folder.id, system_prompt="Be brief.")
    answer = chats.start_answer(one.messages[0].id, "tiny")
    chats.finish_answer(
        answer.id,
        "This.",
        STOPPED,
        AnswerFacts("cancelled", GenerationStats(1, 0, 0.5, 0.6, 3, 3.0, 2048)),
        is_seen=False,
    )
    chats.finish_answer(chats.regenerate(answer.id, "tiny").id, "That.")
    chats.edit(one.messages[0].id, "Which then?")
    chats.show_version(answer.id)
    chats.pin(one.id, is_pinned=True)
    chats.rename(chats.create("x\u2028y <b>").id, "Other")


# Our own ----------------------------------------------------------------------------------------------------------


def test_what_was_exported_comes_back_the_same_in_another_database(chats: Chats, tmp_path: Path) -> None:
    full(chats)
    file = write(tmp_path / "own.json", to_json([chats.load(s.id) for s in chats.conversations()], chats.folders()))
    other = open_chats(None)

    report = import_file(other, file)

    assert everything(other) == everything(chats)
    assert other.folders() == chats.folders()
    assert (report.source, report.n_conversations, report.n_messages, report.n_present) == ("Ember", 2, 5, 0)
    assert len(search(other.database, "which").hits) == 3
    other.database.close()


def test_what_is_there_is_not_doubled_and_comes_out_of_the_trash(chats: Chats, tmp_path: Path) -> None:
    full(chats)
    file = write(tmp_path / "own.json", to_json([chats.load(s.id) for s in chats.conversations()], chats.folders()))
    before = everything(chats)
    chats.throw_away(chats.conversations()[0].id)

    report = import_file(chats, file)

    assert (report.n_conversations, report.n_present) == (0, 2)
    assert everything(chats) == before
    assert "2 were there already" in describe_import(report)


def test_one_of_the_same_name_with_other_messages_comes_in_once_as_a_copy(chats: Chats, tmp_path: Path) -> None:
    full(chats)
    file = write(tmp_path / "own.json", to_json([chats.load(s.id) for s in chats.conversations()]))
    conversation = chats.load(chats.conversations()[0].id)
    chats.delete_version(conversation.path()[-1].id)
    short = chats.load(conversation.id)

    first, second = import_file(chats, file), import_file(chats, file)

    assert (first.n_conversations, second.n_conversations) == (1, 0)
    assert chats.load(conversation.id) == short
    copies = [
        c for c in everything(chats) if [m.content for m in c.messages] == [m.content for m in conversation.messages]
    ]
    assert len(copies) == 1
    assert copies[0].id != conversation.id
    assert [m.content for m in copies[0].path()] == [m.content for m in conversation.path()]


def test_an_answer_being_written_is_exported_as_cut(chats: Chats, tmp_path: Path) -> None:
    conversation = chats.create("q")
    answer = chats.start_answer(conversation.messages[0].id, "tiny")
    chats.grow_answer(answer.id, "so far")
    other = open_chats(None)

    import_file(other, write(tmp_path / "own.json", to_json([chats.load(conversation.id)])))

    assert other.load(conversation.id).path()[-1].status == INTERRUPTED
    assert other.load(conversation.id).path()[-1].content == "so far"
    other.database.close()


# Others -----------------------------------------------------------------------------------------------------------


def test_chatgpt_keeps_versions_and_the_path_and_leaves_out_what_is_no_text(chats: Chats, tmp_path: Path) -> None:
    report = import_file(chats, write(tmp_path / "conversations.json", CHATGPT))

    (summary,) = chats.conversations()
    conversation = chats.load(summary.id)
    assert (summary.title, summary.created, summary.updated) == ("Trip 旅行", 1700000000.5, 1700000100.0)
    assert [(m.role, m.content) for m in conversation.path()] == [("user", "Where to?"), ("assistant", "Oslo")]
    assert [m.content for m in conversation.versions(conversation.path()[1].id)] == ["Rome", "Oslo"]
    assert conversation.messages[1].model == "g"
    assert (report.source, report.n_messages, report.n_left_out) == ("ChatGPT", 3, 2)
    assert import_file(chats, tmp_path / "conversations.json").n_present == 1


def test_open_webui_keeps_versions_and_the_path(chats: Chats, tmp_path: Path) -> None:
    report = import_file(chats, write(tmp_path / "chats.json", WEBUI))

    (summary,) = chats.conversations()
    conversation = chats.load(summary.id)
    assert (summary.title, summary.is_pinned, conversation.system_prompt) == ("Poem", True, "Rhyme.")
    assert [m.content for m in conversation.path()] == ["Go", "Violets"]
    assert [m.content for m in conversation.versions(conversation.path()[1].id)] == ["Roses", "Violets"]
    assert (report.source, report.n_left_out) == ("Open WebUI", 1)
    assert import_file(chats, tmp_path / "chats.json").n_present == 1


def test_threads_of_jan_are_read_from_their_folder(chats: Chats, tmp_path: Path) -> None:
    threads = tmp_path / "threads"
    jan_thread(threads / "t1", jan_message(1, "user", "Why cats?"), jan_message(2, "assistant", "Because."))
    jan_thread(threads / "t2", title=None, metadata={"title": "Dogs"})

    report = import_file(chats, threads)

    by_title = {s.title: chats.load(s.id) for s in chats.conversations()}
    assert [(m.role, m.content) for m in by_title["Cats"].path()] == [("user", "Why cats?"), ("assistant", "Because.")]
    assert by_title["Cats"].path()[0].created == pytest.approx(1700000000.001)
    assert by_title["Dogs"].messages == ()
    assert (report.source, report.n_conversations) == ("Jan", 2)
    assert import_file(chats, threads / "t1").n_present == 1


# What is refused --------------------------------------------------------------------------------------------------


def changed(value: Any, change: Callable[[Any], object]) -> Any:
    value = copy.deepcopy(value)
    change(value)
    return value


def node(name: str) -> Callable[[Any], Any]:
    return lambda value: value[0]["mapping"][name]


REFUSED: list[tuple[object, str, str]] = [
    ("", "not_json", "line 1, column 1"),
    ('{"a": \n tru}', "not_json", "line 2, column 2"),
    ("[" * 200_000, "too_deep", ""),
    ('{"mapping":' * 100_000, "too_deep", ""),
    ("[1" + "0" * 5000 + "]", "out_of_range", ""),
    ("NaN", "out_of_range", ""),
    ({"hello": 1}, "unknown_format", ""),
    ([], "unknown_format", ""),
    ("7", "unknown_format", ""),
    ({"format": "other", "version": 1}, "unknown_format", "format"),
    ({"format": "ember-conversations", "version": 2}, "newer", "version"),
    ({"format": "ember-conversations", "version": 1, "folders": []}, "missing", "conversations"),
    (changed(CHATGPT, lambda v: v.append(7)), "wrong_type", "[1]"),
    (changed(CHATGPT, lambda v: v[0].update(title=7)), "wrong_type", "[0].title"),
    (changed(CHATGPT, lambda v: v[0].update(create_time=True)), "wrong_type", "[0].create_time"),
    (changed(CHATGPT, lambda v: v[0].update(create_time=-5)), "out_of_range", "[0].create_time"),
    (changed(CHATGPT, lambda v: v[0].update(create_time=1e300)), "out_of_range", "[0].create_time"),
    (changed(CHATGPT, lambda v: v[0].update(mapping=[])), "wrong_type", "[0].mapping"),
    (changed(CHATGPT, lambda v: node("u1")(v).update(parent="gone")), "no_parent", "[0].mapping.u1"),
    (changed(CHATGPT, lambda v: node("root")(v).update(parent="a2")), "cycle", "[0].mapping.sys"),
    (changed(CHATGPT, lambda v: node("a2")(v).update(parent="a2")), "cycle", "[0].mapping.a2"),
    (
        changed(CHATGPT, lambda v: node("a1")(v)["message"]["content"].update(parts="Rome")),
        "wrong_type", "[0].mapping.a1.message.content.parts",
    ),
    (
        changed(CHATGPT, lambda v: node("a1")(v)["message"]["content"].update(parts=["x" * 1_100_000])),
        "too_long", "[0].mapping.a1.message.content.parts[0]",
    ),
    (changed(CHATGPT, lambda v: node("a1")(v)["message"].pop("author")), "missing", "[0].mapping.a1.message.author"),
    (
        changed(WEBUI, lambda v: v[0]["chat"]["history"]["messages"]["2"].update(content={"a": 1})),
        "wrong_type", "[0].chat.history.messages.2.content",
    ),
    (changed(WEBUI, lambda v: v[0]["chat"].update(history=None)), "missing", "[0].chat.history"),
]  # fmt: skip


@pytest.mark.parametrize(("value", "kind", "place"), REFUSED, ids=range(len(REFUSED)))
def test_what_is_wrong_is_named_and_nothing_is_imported(
    chats: Chats, tmp_path: Path, value: object, kind: str, place: str
) -> None:
    with pytest.raises(ImportRefused) as caught:
        import_file(chats, write(tmp_path / "file.json", value))

    assert (caught.value.kind, caught.value.place) == (kind, place)
    assert everything(chats) == []
    assert place in describe_refusal(caught.value).cause or kind in ("unknown_format", "newer")
    assert len(describe_refusal(caught.value).cause) < 400


def own_of_two() -> dict[str, Any]:
    chats = open_chats(None)
    full(chats)
    whole: dict[str, Any] = json.loads(to_json([chats.load(s.id) for s in chats.conversations()], chats.folders()))
    chats.database.close()
    return whole


@pytest.mark.parametrize(
    ("change", "kind", "place"),
    [
        (lambda m: m[0].update(parent_id=m[1]["id"]), "no_parent", "messages[0].parent_id"),
        (lambda m: m[1].update(id=m[0]["id"]), "duplicate", "messages[1].id"),
        (lambda m: m[2].update(is_shown=not m[2]["is_shown"]), "duplicate", "messages[2].is_shown"),
        (lambda m: m[1].update(is_shown=False), "missing", "messages[1].is_shown"),
        (lambda m: m[0].update(id="../x"), "out_of_range", "messages[0].id"),
        (lambda m: m[0].update(role="system"), "out_of_range", "messages[0].role"),
        (lambda m: m[0].update(status="eaten"), "out_of_range", "messages[0].status"),
        (lambda m: m[0].update(content=None), "missing", "messages[0].content"),
    ],
)
def test_a_changed_export_of_our_own_is_refused_whole(
    chats: Chats, tmp_path: Path, change: Callable[[Any], object], kind: str, place: str
) -> None:
    whole = own_of_two()
    change(whole["conversations"][0]["messages"])

    with pytest.raises(ImportRefused) as caught:
        import_file(chats, write(tmp_path / "own.json", whole))

    assert (caught.value.kind, caught.value.place) == (kind, f"conversations[0].{place}")
    assert everything(chats) == chats.folders() == []


def test_a_deep_tree_is_no_deep_recursion(chats: Chats, tmp_path: Path) -> None:
    mapping: dict[str, object] = {}
    for number in range(20_000, -1, -1):  # children before their parents
        message = {"author": {"role": "user"}, "content": {"content_type": "text", "parts": [f"turn {number}"]}}
        mapping[str(number)] = {"message": message, "parent": str(number - 1) if number else None}

    import_file(chats, write(tmp_path / "deep.json", [{"title": "deep", "current_node": "20000", "mapping": mapping}]))

    path = chats.load(chats.conversations()[0].id).path()
    assert [path[0].content, path[-1].content, len(path)] == ["turn 0", "turn 20000", 20_001]


def test_files_that_are_too_large_or_no_text_are_refused(
    chats: Chats, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "binary.json").write_bytes(b'{"a": "\xff"}')
    monkeypatch.setattr(checked_json, "MAX_FILE_BYTES", 1000)

    for file, kind in ((write(tmp_path / "large.json", "[" + " " * 1000 + "]"), "too_large"),
                       (tmp_path / "binary.json", "not_text"), (tmp_path / "absent.json", "unreadable")):  # fmt: skip
        with pytest.raises(ImportRefused) as caught:
            import_file(chats, file)
        assert caught.value.kind == kind


def test_a_thread_of_jan_with_a_wrong_line_names_it(chats: Chats, tmp_path: Path) -> None:
    good = jan_thread(tmp_path / "threads" / "t1", jan_message(1, "user", "hello"))
    jan_thread(tmp_path / "threads" / "t2", jan_message(1, "user", "hello"), {"id": "m2", "role": 7})

    with pytest.raises(ImportRefused) as caught:
        import_file(chats, tmp_path / "threads")

    assert caught.value.kind == "wrong_type"
    assert caught.value.place == "line 2: role"
    assert caught.value.path.endswith("messages.jsonl")
    assert everything(chats) == []
    (good / "messages.jsonl").unlink()
    (good / "messages.jsonl").symlink_to("/etc/hostname")
    with pytest.raises(ImportRefused) as caught:
        import_file(chats, good)
    assert (caught.value.kind, caught.value.found) == ("unreadable", "a link")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.floats(allow_nan=False) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)


def places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    yield at
    for key, member in inner:
        yield from places(member, (*at, key))


@settings(max_examples=250, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_any_value_in_any_place_is_read_or_refused(data: st.DataObject, tmp_path: Path) -> None:
    value = copy.deepcopy(data.draw(st.sampled_from([CHATGPT, WEBUI, OWN])))
    at = data.draw(st.sampled_from([place for place in places(value) if place]))
    holder = value
    for key in at[:-1]:
        holder = holder[key]
    holder[at[-1]] = data.draw(JSON)
    file = write(tmp_path / "file.json", value)
    chats = open_chats(None)

    report = refused = None
    try:
        report = import_file(chats, file)
    except ImportRefused as error:
        refused = error

    assert refused is None or refused.kind in REFUSALS
    assert len(chats.conversations()) == (report.n_conversations if report else 0)
    assert report is not None or chats.folders() == []
    for conversation in everything(chats):
        assert conversation.path() or not conversation.messages
    chats.database.close()


OWN = own_of_two()


# The store before -------------------------------------------------------------------------------------------------


def test_the_conversations_of_the_store_before_are_taken_over_once(chats: Chats, tmp_path: Path) -> None:
    previous = tmp_path / "conversations.sqlite3"
    paths = write_previous_file(previous)
    before = previous.read_bytes()

    report = take_over(chats, previous)

    found = {s.title: chats.load(s.id) for s in chats.conversations()}
    assert {title: [m.content for m in c.path()] for title, c in found.items()} == paths
    one = found["One 题"]
    assert [(m.content, m.status) for m in one.versions(one.path()[1].id)] == [
        ("first answer", "done"), ("second answer", INTERRUPTED),
    ]  # fmt: skip
    assert chats.drafts() == {one.id: "next question", None: "new one"}
    assert report is not None
    assert (report.n_conversations, report.n_messages) == (2, 4)
    chats.erase(one.id)
    assert take_over(chats, previous) is None
    assert [s.title for s in chats.conversations()] == ["Two"]
    assert previous.read_bytes() == before


def test_a_store_before_that_is_damaged_is_explained_and_tried_again_later(chats: Chats, tmp_path: Path) -> None:
    previous = tmp_path / "conversations.sqlite3"
    assert take_over(chats, previous) is None
    previous.write_bytes(b"no database " * 500)

    with pytest.raises(StoreError) as caught:
        take_over(chats, previous)

    assert (caught.value.kind, caught.value.path) == ("corrupt", str(previous))
    assert chats.conversations() == []
    previous.unlink()
    write_previous_file(previous)
    assert take_over(chats, previous) is not None


def test_reading_alone_writes_nothing(tmp_path: Path) -> None:
    read = read_conversations(write(tmp_path / "conversations.json", CHATGPT))

    assert (read.source, len(read.conversations)) == ("ChatGPT", 1)
    assert sqlite3.sqlite_version_info >= (3, 34)
