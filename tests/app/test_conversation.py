"""The message tree: one path is shown, other versions stay, and the model reads what a person sees."""

from collections.abc import Iterator

import pytest

from app.chat.chats import Chats, open_chats
from app.chat.conversation import TITLE_CHARACTERS, title_of
from app.chat.open_conversation import OpenConversation
from app.chat.records import ConversationSummary, StoredConversation, StoredMessage
from engine.messages import ChatMessage


@pytest.fixture
def chats() -> Iterator[Chats]:
    opened = open_chats(None)
    yield opened
    opened.database.close()


def tree(chats: Chats, *rows: tuple[str, str | None, str, str]) -> OpenConversation:
    """Of several messages below one, the last is shown."""
    conversation = OpenConversation(StoredConversation(ConversationSummary("c", "title")), chats)
    for message_id, parent_id, role, content in rows:
        conversation.add(StoredMessage(message_id, "c", parent_id, role, content))
    return conversation


@pytest.fixture
def regenerated(chats: Chats) -> OpenConversation:
    return tree(
        chats,
        ("1", None, "user", "q1"),
        ("2", "1", "assistant", "first"),
        ("3", "2", "user", "q2"),
        ("4", "3", "assistant", "a2"),
        ("5", "1", "assistant", "second"),
    )


def texts(conversation: OpenConversation) -> list[str]:
    return [message.content for message in conversation.path()]


def test_the_path_follows_the_versions_that_are_shown(regenerated: OpenConversation) -> None:
    assert texts(regenerated) == ["q1", "second"]


def test_versions_are_siblings_oldest_first(regenerated: OpenConversation) -> None:
    assert [m.content for m in regenerated.versions("5")] == ["first", "second"]


def test_showing_a_version_goes_on_to_what_followed_it(regenerated: OpenConversation) -> None:
    regenerated.show_version("2")

    assert texts(regenerated) == ["q1", "first", "q2", "a2"]


def test_the_path_ends_where_another_answer_is_awaited(regenerated: OpenConversation) -> None:
    regenerated.ends_at = "1"
    assert texts(regenerated) == ["q1"]

    regenerated.add(StoredMessage("6", "c", "1", "assistant", "third"))

    assert texts(regenerated) == ["q1", "third"]


def test_a_version_goes_with_all_below_it_and_the_one_before_it_is_shown(regenerated: OpenConversation) -> None:
    regenerated.show_version("2")

    removed = regenerated.remove("2")

    assert [m.id for m in removed] == ["2", "3", "4"]
    assert texts(regenerated) == ["q1", "second"]
    assert sorted(regenerated.messages) == ["1", "5"]


def test_a_store_and_the_open_conversation_agree_on_what_is_shown(chats: Chats) -> None:
    stored = chats.create("q1")
    question = stored.path()[0]
    answers = [chats.start_answer(question.id, "tiny") for _ in range(3)]
    for number, answer in enumerate(answers):
        chats.finish_answer(answer.id, f"a{number}")
    conversation = OpenConversation(chats.load(stored.id), chats)

    for at in (1, 0):
        chats.show_version(answers[at].id)
        conversation.show_version(answers[at].id)
        deleted = chats.delete_version(answers[at].id)
        conversation.remove(answers[at].id)
        assert [m.id for m in chats.load(stored.id).path()] == [m.id for m in conversation.path()]
        assert [m for _, m in deleted.rows] == [deleted.top]


@pytest.mark.parametrize("parents", [{"1": "1"}, {"1": "2", "2": "1"}])
def test_a_tree_that_runs_in_a_circle_has_an_end(chats: Chats, parents: dict[str, str]) -> None:
    conversation = tree(chats, *((number, parent, "user", f"q{number}") for number, parent in parents.items()))

    conversation.show_version("1")

    assert conversation.path() == []
    assert len(conversation.prompt("", "1")) == 1


def test_a_prompt_with_a_missing_parent_begins_there(chats: Chats) -> None:
    assert tree(chats, ("7", "3", "user", "x")).prompt("", "7") == (ChatMessage("user", "x"),)


def test_the_prompt_holds_the_system_prompt_and_the_turns_before(chats: Chats) -> None:
    conversation = tree(chats, ("1", None, "user", "q1"), ("2", "1", "assistant", "a1"), ("3", "2", "user", "q2"))

    assert conversation.prompt(" Be brief. ", "3") == (
        ChatMessage("system", "Be brief."),
        ChatMessage("user", "q1"),
        ChatMessage("assistant", "a1"),
        ChatMessage("user", "q2"),
    )


def test_turns_of_one_role_are_joined_where_an_answer_failed(chats: Chats) -> None:
    conversation = tree(
        chats,
        ("1", None, "user", "q1"),
        ("2", "1", "assistant", ""),
        ("3", "2", "user", "q2"),
        ("4", "3", "user", "q3"),
    )

    assert conversation.prompt("", "4") == (ChatMessage("user", "q1\n\nq2\n\nq3"),)


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Hello there", "Hello there"),
        ("\n\n  ## Plan\nmore", "Plan"),
        ("---", "---"),
        ("稀疏模型" * 30, ("稀疏模型" * 30)[:TITLE_CHARACTERS] + "…"),
        ("word " * 30, "word " * 11 + "word…"),
        ("", ""),
    ],
)
def test_a_title_is_the_first_line_that_says_something(text: str, title: str) -> None:
    assert title_of(text) == title
