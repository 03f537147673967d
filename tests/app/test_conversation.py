"""The message tree: one path is shown, other versions stay, and the model reads what a person sees."""

import pytest

from app.chat.conversation import TITLE_CHARACTERS, Conversation, Message, title_of
from engine.messages import ChatMessage


def tree(*rows: tuple[int, int | None, str, str]) -> Conversation:
    conversation = Conversation(1, "title")
    for message_id, parent_id, role, content in rows:
        conversation.add(Message(message_id, 1, parent_id, role, content))
    return conversation


@pytest.fixture
def regenerated() -> Conversation:
    return tree(
        (1, None, "user", "q1"),
        (2, 1, "assistant", "first"),
        (3, 2, "user", "q2"),
        (4, 3, "assistant", "a2"),
        (5, 1, "assistant", "second"),
    )


def test_the_path_goes_from_the_first_message_to_the_leaf(regenerated: Conversation) -> None:
    assert [m.content for m in regenerated.path()] == ["q1", "second"]


def test_versions_are_siblings_oldest_first(regenerated: Conversation) -> None:
    assert [m.content for m in regenerated.versions(5)] == ["first", "second"]


def test_showing_a_version_goes_on_to_what_followed_it(regenerated: Conversation) -> None:
    regenerated.show_version(2)

    assert [m.content for m in regenerated.path()] == ["q1", "first", "q2", "a2"]


def test_a_path_with_a_missing_parent_ends_there() -> None:
    assert [m.id for m in tree((7, 3, "user", "x")).path()] == [7]


@pytest.mark.parametrize("parents", [{1: 1}, {1: 2, 2: 1}])
def test_a_tree_that_runs_in_a_circle_has_an_end(parents: dict[int, int]) -> None:
    conversation = tree(*((number, parent, "user", f"q{number}") for number, parent in parents.items()))

    conversation.show_version(1)

    assert len(conversation.path()) == len(parents)
    assert len(conversation.prompt("", 1)) == 1


def test_a_prompt_with_a_missing_parent_begins_there() -> None:
    assert tree((7, 3, "user", "x")).prompt("", 7) == (ChatMessage("user", "x"),)


def test_the_prompt_holds_the_system_prompt_and_the_turns_before() -> None:
    conversation = tree((1, None, "user", "q1"), (2, 1, "assistant", "a1"), (3, 2, "user", "q2"))

    assert conversation.prompt(" Be brief. ", 3) == (
        ChatMessage("system", "Be brief."),
        ChatMessage("user", "q1"),
        ChatMessage("assistant", "a1"),
        ChatMessage("user", "q2"),
    )


def test_turns_of_one_role_are_joined_where_an_answer_failed() -> None:
    conversation = tree((1, None, "user", "q1"), (2, 1, "assistant", ""), (3, 2, "user", "q2"), (4, 3, "user", "q3"))

    assert conversation.prompt("", 4) == (ChatMessage("user", "q1\n\nq2\n\nq3"),)


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
