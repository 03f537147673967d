"""The tree of messages: after any sequence of operations, what is read from the file is what a plain model says."""

import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from app.chat.answer_facts import NO_FACTS, AnswerFacts
from app.chat.answer_parts import unfinished
from app.chat.chats import LASTING_S, TRASH_DAYS, Chats, open_chats
from app.chat.conversation import DONE, ERROR, INTERRUPTED, STOPPED, STREAMING
from app.chat.database import Database
from app.chat.identifiers import is_id, new_id
from app.chat.records import FIRST_LINE, MODEL, PERSON, AnswerRunning, UnknownRecord
from engine.errors import ErrorReport
from engine.messages import GenerationStats
from engine.placement_reports import StepLoad

FACTS = AnswerFacts(
    "stop",
    GenerationStats(
        12, 4, 0.5, 0.6, 30, 3.0, 2048, active=(0.1, 0.2), load=StepLoad(29, 3.0, 1, 2, 1, 0, 0, 5, 6, 7, 8)
    ),
)
MEMORY = Path("/dev/shm")
TEXT = st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=12)


@dataclass
class Turn:
    """A message of the model."""

    id: str
    parent: str | None
    role: str
    content: str
    status: str = DONE
    is_shown: bool = True
    facts: AnswerFacts = NO_FACTS


@dataclass
class Talk:
    """A conversation of the model."""

    title: str
    source: str = FIRST_LINE
    turns: list[Turn] = field(default_factory=list)
    folder: str | None = None
    is_pinned: bool = False
    is_unread: bool = False
    is_trashed: bool = False
    draft: str = ""

    def turn(self, turn_id: str) -> Turn:
        return next(t for t in self.turns if t.id == turn_id)

    def show(self, turn: Turn) -> None:
        for other in self.turns:
            if other.parent == turn.parent:
                other.is_shown = other is turn

    def add(self, turn: Turn) -> None:
        self.turns.append(turn)
        self.show(turn)

    def path_to(self, turn: Turn | None) -> list[Turn]:
        path: list[Turn] = []
        while turn is not None:
            path.insert(0, turn)
            turn = self.turn(turn.parent) if turn.parent else None
        return path

    def path(self) -> list[Turn]:
        path: list[Turn] = []
        parent = None
        while below := [t for t in self.turns if t.parent == parent and t.is_shown]:
            (turn,) = below
            path.append(turn)
            parent = turn.id
        return path

    def below(self, turn: Turn) -> list[Turn]:
        found = [turn]
        for at in found:
            found.extend(t for t in self.turns if t.parent == at.id)
        return found


class ChatMachine(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(dir=MEMORY if MEMORY.is_dir() else None))
        self.path = self.folder / "chats.sqlite3"
        self.clock = 1_750_000_000.0
        self.talks: dict[str, Talk] = {}
        self.folders: dict[str, str] = {}
        self.draft = ""
        self.chats = self._opened()

    def _opened(self) -> Chats:
        return Chats(Database(self.path), now=self._now)

    def _now(self) -> float:
        self.clock += 1
        return self.clock

    def teardown(self) -> None:
        self.chats.database.close()
        shutil.rmtree(self.folder)

    def _talk(self, data: st.DataObject) -> tuple[str, Talk]:
        assume(self.talks)
        conversation_id = data.draw(st.sampled_from(sorted(self.talks)))
        return conversation_id, self.talks[conversation_id]

    def _turn(self, data: st.DataObject, *statuses: str, role: str = "") -> tuple[Talk, Turn, str]:
        found = [
            (talk, turn, conversation_id)
            for conversation_id, talk in self.talks.items()
            for turn in talk.turns
            if (not statuses or turn.status in statuses) and (not role or turn.role == role)
        ]
        assume(found)
        return found[data.draw(st.integers(0, len(found) - 1))]

    # Operations ---------------------------------------------------------------------------------------------------

    @rule(text=TEXT)
    def create(self, text: str) -> None:
        conversation = self.chats.create("q" + text)
        talk = self.talks[conversation.id] = Talk(conversation.title)
        talk.add(Turn(conversation.messages[0].id, None, "user", "q" + text))
        self.draft = ""

    @rule(data=st.data(), text=TEXT)
    def send(self, data: st.DataObject, text: str) -> None:
        talk, turn, conversation_id = self._turn(data)
        sent = self.chats.send(conversation_id, turn.id, text)
        talk.add(Turn(sent.id, turn.id, "user", text))
        talk.draft = ""

    @rule(data=st.data(), text=TEXT)
    def edit(self, data: st.DataObject, text: str) -> None:
        talk, turn, _ = self._turn(data)
        new = self.chats.edit(turn.id, text)
        talk.add(Turn(new.id, turn.parent, turn.role, text))

    @rule(data=st.data())
    def answer(self, data: st.DataObject) -> None:
        talk, turn, _ = self._turn(data, role="user")
        answer = self.chats.start_answer(turn.id, "tiny")
        talk.add(Turn(answer.id, turn.id, "assistant", "", STREAMING))

    @rule(data=st.data())
    def regenerate(self, data: st.DataObject) -> None:
        talk, turn, _ = self._turn(data, role="assistant")
        answer = self.chats.regenerate(turn.id, "tiny")
        talk.add(Turn(answer.id, turn.parent, "assistant", "", STREAMING))

    @rule(data=st.data(), text=TEXT, is_other=st.booleans())
    def grow(self, data: st.DataObject, text: str, is_other: bool) -> None:
        _, turn, _ = self._turn(data, STREAMING)
        content = text if is_other and data.draw(st.booleans()) else turn.content + text
        self.chats.grow_answer(turn.id, content)
        turn.content = content

    @rule(data=st.data(), text=TEXT, status=st.sampled_from((DONE, STOPPED, ERROR)), is_seen=st.booleans())
    def finish(self, data: st.DataObject, text: str, status: str, is_seen: bool) -> None:
        talk, turn, _ = self._turn(data, STREAMING)
        self.chats.finish_answer(turn.id, turn.content + text, status, FACTS, is_seen=is_seen)
        turn.content, turn.status, turn.facts = turn.content + text, status, FACTS
        talk.is_unread |= not is_seen

    @rule(data=st.data())
    def go_on(self, data: st.DataObject) -> None:
        talk, turn, _ = self._turn(data, INTERRUPTED)
        self.chats.continue_answer(turn.id)
        turn.status, turn.facts = STREAMING, unfinished(turn.facts)
        talk.show(turn)

    @rule(data=st.data())
    def show(self, data: st.DataObject) -> None:
        talk, turn, _ = self._turn(data)
        self.chats.show_version(turn.id)
        for above in talk.path_to(turn):
            talk.show(above)

    @rule(data=st.data())
    def delete(self, data: st.DataObject) -> None:
        talk, turn, _ = self._turn(data)
        gone = talk.below(turn)
        if any(t.status == STREAMING for t in gone):
            with pytest.raises(AnswerRunning):
                self.chats.delete_version(turn.id)
            return
        self.chats.delete_version(turn.id)
        siblings = [t for t in talk.turns if t.parent == turn.parent]
        at = siblings.index(turn)
        left = siblings[at - 1] if at else next(iter(siblings[1:]), None)
        talk.turns = [t for t in talk.turns if t not in gone]
        if turn.is_shown and left is not None:
            talk.show(left)

    @rule(data=st.data())
    def delete_and_undo(self, data: st.DataObject) -> None:
        talk, turn, _ = self._turn(data)
        assume(all(t.status != STREAMING for t in talk.below(turn)))
        deleted = self.chats.delete_version(turn.id)
        for _ in range(2):  # again is harmless
            self.chats.restore_version(deleted)

    @rule(data=st.data())
    def fork(self, data: st.DataObject) -> None:
        talk, turn, _ = self._turn(data)
        path = talk.path_to(turn)
        copy = self.chats.fork(turn.id)
        new = self.talks[copy.id] = Talk(talk.title, talk.source, folder=talk.folder)
        parent = None
        for old, message in zip(path, copy.path(), strict=True):
            status = INTERRUPTED if old.status == STREAMING else old.status
            new.add(Turn(message.id, parent, old.role, old.content, status, facts=old.facts))
            parent = message.id

    @rule(data=st.data(), title=TEXT, by_model=st.booleans())
    def rename(self, data: st.DataObject, title: str, by_model: bool) -> None:
        conversation_id, talk = self._talk(data)
        if not by_model:
            self.chats.rename(conversation_id, title)
            talk.title, talk.source = title, PERSON
        elif self.chats.suggest_title(conversation_id, title):
            assert talk.source == FIRST_LINE
            talk.title, talk.source = title, MODEL
        else:
            assert talk.source != FIRST_LINE

    @rule(data=st.data(), text=st.one_of(st.just(""), TEXT), is_new=st.booleans())
    def keep_draft(self, data: st.DataObject, text: str, is_new: bool) -> None:
        if is_new:
            self.chats.save_draft(None, text)
            self.draft = text
        else:
            conversation_id, talk = self._talk(data)
            self.chats.save_draft(conversation_id, text)
            talk.draft = text

    @rule(data=st.data(), is_pinned=st.booleans(), is_looked_at=st.booleans())
    def mark(self, data: st.DataObject, is_pinned: bool, is_looked_at: bool) -> None:
        conversation_id, talk = self._talk(data)
        self.chats.pin(conversation_id, is_pinned=is_pinned)
        talk.is_pinned = is_pinned
        if is_looked_at:
            self.chats.mark_opened(conversation_id)
            talk.is_unread = False

    @rule(data=st.data(), name=TEXT)
    def file_away(self, data: st.DataObject, name: str) -> None:
        conversation_id, talk = self._talk(data)
        if len(self.folders) < 2:
            self.folders[self.chats.add_folder(name).id] = name
        folder = data.draw(st.sampled_from([None, *sorted(self.folders)]))
        self.chats.move(conversation_id, folder)
        talk.folder = folder

    @precondition(lambda self: self.folders)
    @rule(data=st.data())
    def delete_folder(self, data: st.DataObject) -> None:
        folder = data.draw(st.sampled_from(sorted(self.folders)))
        self.chats.delete_folder(folder)
        del self.folders[folder]
        for talk in self.talks.values():
            talk.folder = None if talk.folder == folder else talk.folder

    @rule(data=st.data())
    def trash_or_not(self, data: st.DataObject) -> None:
        conversation_id, talk = self._talk(data)
        talk.is_trashed = not talk.is_trashed
        (self.chats.throw_away if talk.is_trashed else self.chats.bring_back)(conversation_id)

    @rule(data=st.data())
    def erase(self, data: st.DataObject) -> None:
        conversation_id, talk = self._talk(data)
        assume(talk.is_trashed and all(t.status != STREAMING for t in talk.turns))
        self.chats.erase(conversation_id)
        del self.talks[conversation_id]
        with pytest.raises(UnknownRecord):
            self.chats.load(conversation_id)

    @rule()
    def reopen(self) -> None:
        self.chats.database.close()
        running = {i for i, talk in self.talks.items() if any(t.status == STREAMING for t in talk.turns)}
        self.chats = self._opened()
        assert set(self.chats.interrupted) == running
        for talk in self.talks.values():
            for turn in talk.turns:
                turn.status = INTERRUPTED if turn.status == STREAMING else turn.status

    # Laws ---------------------------------------------------------------------------------------------------------

    @invariant()
    def the_file_equals_the_model(self) -> None:
        reader = Chats(Database(self.path, is_read_only=True))
        try:
            for chats in (self.chats, reader):
                self._compare(chats)
        finally:
            reader.database.close()

    def _compare(self, chats: Chats) -> None:
        listed = {s.id: s for s in chats.conversations()}
        assert listed.keys() == {i for i, talk in self.talks.items() if not talk.is_trashed}
        assert {s.id for s in chats.trash()} == self.talks.keys() - listed.keys()
        assert chats.drafts() == {
            k: v for k, v in {None: self.draft, **{i: t.draft for i, t in self.talks.items()}}.items() if v
        }
        assert {f.id: f.name for f in chats.folders()} == self.folders
        for conversation_id, talk in self.talks.items():
            conversation = chats.load(conversation_id)
            s = conversation.summary
            assert (s.title, s.title_source, s.folder_id) == (talk.title, talk.source, talk.folder)
            assert (s.is_pinned, s.is_unread) == (talk.is_pinned, talk.is_unread)
            assert s.is_cut == any(t.status == INTERRUPTED for t in talk.turns)
            found = [
                Turn(m.id, m.parent_id, m.role, m.content, m.status, m.is_shown, m.facts) for m in conversation.messages
            ]
            assert found == talk.turns
            assert [m.id for m in conversation.path()] == [t.id for t in talk.path()]
            for turn in talk.turns:
                versions = [t.id for t in talk.turns if t.parent == turn.parent]
                assert [v.id for v in conversation.versions(turn.id)] == versions


ChatMachine.TestCase.settings = settings(
    max_examples=20, stateful_step_count=22, deadline=None, suppress_health_check=list(HealthCheck)
)
TestTree = ChatMachine.TestCase


@pytest.fixture
def chats(tmp_path: Path) -> Iterator[Chats]:
    found = open_chats(tmp_path / "chats.sqlite3")
    yield found
    found.database.close()


def test_a_path_of_thousands_of_messages_can_be_deleted_and_erased(chats: Chats) -> None:
    conversation = chats.create("first")
    top = conversation.messages[0].id
    second = at = chats.send(conversation.id, top, "second").id
    with chats.database.writing() as db:
        for _ in range(3000):
            below = new_id()
            db.execute(
                "INSERT INTO messages (id, conversation_id, parent_id, role, status, is_shown, model, created, content)"
                " VALUES (?, ?, ?, 'user', 'done', 1, '', 0, 'x')",
                (below, conversation.id, at),
            )
            at = below

    chats.delete_version(second)
    assert [m.id for m in chats.load(conversation.id).path()] == [top]
    chats.erase(conversation.id)

    assert chats.conversations() == []


@pytest.mark.parametrize(("deleted", "shown"), [(0, 1), (1, 0), (2, 1), (3, 2)])
def test_the_version_before_a_deleted_one_is_shown_or_else_the_one_after(
    chats: Chats, deleted: int, shown: int
) -> None:
    conversation = chats.create("zero")
    ids = [conversation.messages[0].id]
    ids += [chats.edit(ids[0], text).id for text in ("one", "two", "three")]
    chats.show_version(ids[deleted])

    chats.delete_version(ids[deleted])

    after = chats.load(conversation.id)
    assert [m.id for m in after.path()] == [ids[shown]]
    assert [m.id for m in after.versions(ids[shown])] == [i for i in ids if i != ids[deleted]]


def test_what_was_said_since_does_not_keep_a_deleted_version_from_coming_back(chats: Chats) -> None:
    conversation = chats.create("q")
    question = conversation.path()[0].id
    first, second = (chats.start_answer(question, "tiny").id for _ in range(2))
    for answer in (first, second):
        chats.finish_answer(answer, answer)
    deleted = chats.delete_version(second)
    elsewhere = chats.create("takes the number of its row").path()[0]

    chats.restore_version(deleted)

    assert [m.id for m in chats.load(conversation.id).path()] == [question, second]
    assert [m.id for m in chats.load(conversation.id).versions(first)] == [first, second]
    assert chats.message(elsewhere.id).content == "takes the number of its row"
    deleted = chats.delete_version(second)
    chats.throw_away(conversation.id)
    chats.erase(conversation.id)
    with pytest.raises(UnknownRecord):
        chats.restore_version(deleted)


def test_a_conversation_of_another_store_is_taken_in_whole(chats: Chats) -> None:
    other = open_chats(None)
    conversation = other.create("q", title="t")
    answer = other.start_answer(conversation.path()[0].id, "tiny")
    other.finish_answer(answer.id, "a", DONE, FACTS)
    other.move(conversation.id, other.add_folder("not here").id)

    chats.adopt(other.load(conversation.id))

    assert chats.load(conversation.id).messages == other.load(conversation.id).messages
    assert chats.summary(conversation.id).folder_id is None
    other.database.close()


def test_notes_are_kept(chats: Chats) -> None:
    assert chats.note("closed") == ""
    for text in ("one", "two"):
        chats.set_note("closed", text)

    assert chats.note("closed") == "two"


def test_deleting_a_version_that_is_not_shown_leaves_the_path(chats: Chats) -> None:
    conversation = chats.create("zero")
    first = conversation.messages[0].id
    second = chats.edit(first, "one").id

    chats.delete_version(first)

    assert [m.id for m in chats.load(conversation.id).path()] == [second]


def test_a_message_of_another_branch_is_shown_with_all_above_it_and_the_way_back_is_kept(chats: Chats) -> None:
    conversation = chats.create("old question")
    old = conversation.messages[0].id
    old_answer = chats.send(conversation.id, old, "old answer").id
    old_end = chats.send(conversation.id, old_answer, "old end").id
    new = chats.edit(old, "new question").id
    new_end = chats.send(conversation.id, new, "new end").id

    def path() -> list[str]:
        return [m.id for m in chats.load(conversation.id).path()]

    assert path() == [new, new_end]
    chats.show_version(old_answer)
    assert path() == [old, old_answer, old_end]
    chats.show_version(new)
    assert path() == [new, new_end]


def test_the_trash_is_emptied_after_its_days(tmp_path: Path) -> None:
    day = 86_400.0
    path = tmp_path / "chats.sqlite3"
    for at, titles in ((0.0, {"old"}), ((TRASH_DAYS - 1) * day, {"old"}), ((TRASH_DAYS + 1) * day, set())):
        chats = Chats(Database(path), now=lambda at=at: at)  # type: ignore[misc]
        if at == 0:
            chats.throw_away(chats.create("old").id)
            chats.create("kept")
        assert {s.title for s in chats.trash()} == titles
        assert [s.title for s in chats.conversations()] == ["kept"]
        chats.database.close()


def test_an_interrupted_answer_goes_on_where_it_ended(tmp_path: Path) -> None:
    path = tmp_path / "chats.sqlite3"
    chats = open_chats(path)
    answer = chats.start_answer(chats.create("q").messages[0].id, "tiny")
    chats.grow_answer(answer.id, "one")
    chats.grow_answer(answer.id, "one two")
    chats.database.close()

    chats = open_chats(path)
    cut = chats.message(answer.id)
    again = chats.continue_answer(answer.id)
    chats.grow_answer(answer.id, again.content + " three")
    chats.database.close()
    chats = open_chats(path)

    assert (cut.content, cut.can_continue, again.status) == ("one two", True, STREAMING)
    assert chats.message(answer.id).content == "one two three"
    chats.database.close()


def test_the_error_of_an_answer_is_kept(chats: Chats) -> None:
    answer = chats.start_answer(chats.create("q").messages[0].id, "tiny")
    error = ErrorReport("OutOfMemory", (("what", "KV"), ("needed_bytes", 5)))

    chats.finish_answer(answer.id, "", ERROR, AnswerFacts(error=error))

    assert chats.message(answer.id).error == error


def test_lone_surrogates_and_zeros_cost_nothing_else(chats: Chats) -> None:
    conversation = chats.create("a\ud800b\x00c")

    assert chats.load(conversation.id).path()[0].content == "a?b\x00c"


def test_what_is_not_there_is_named(chats: Chats) -> None:
    conversation = chats.create("q")
    other = chats.create("other")
    for operation in (
        lambda: chats.send("nowhere", None, "x"),
        lambda: chats.send(other.id, conversation.messages[0].id, "x"),
        lambda: chats.start_answer("nowhere", "m"),
        lambda: chats.rename("nowhere", "x"),
        lambda: chats.move(conversation.id, "nowhere"),
        lambda: chats.save_draft("nowhere", "x"),
        lambda: chats.delete_version("nowhere"),
    ):
        with pytest.raises(UnknownRecord):
            operation()
    with pytest.raises(ValueError):
        chats.grow_answer(conversation.messages[0].id, "x")
    assert len(chats.load(conversation.id).messages) == 1


def test_an_empty_conversation_is_not_made_where_its_message_cannot_be_written(chats: Chats) -> None:
    with pytest.raises(UnknownRecord):
        chats.create("q", folder_id="nowhere")

    assert chats.conversations() == []


def test_names_sort_by_time_and_are_uuids_of_version_7() -> None:
    names = [new_id() for _ in range(200)]

    assert all(is_id(name) and name[14] == "7" and name[19] in "89ab" for name in names)
    assert len(set(names)) == 200
    assert [name[:13] for name in names] == sorted(name[:13] for name in names)


def test_text_reaches_the_drive_itself_now_and_then_while_it_is_written(
    chats: Chats, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = chats.start_answer(chats.create("q").messages[0].id, "tiny")
    assert chats.database.path is not None
    before = chats.database.last_checkpoint

    chats.grow_answer(answer.id, "soon")
    assert chats.database.last_checkpoint == before
    chats.database.last_checkpoint -= LASTING_S + 1
    chats.grow_answer(answer.id, "soon after")

    assert chats.database.last_checkpoint >= before
    assert b"soon after" not in chats.database.path.read_bytes()  # in two pieces
    assert b" after" in chats.database.path.read_bytes()
