"""What can be done with a message where it stands: edit, continue, fork, delete, choose versions, save code."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QMessageBox
from pytestqt.qtbot import QtBot

from app.chat.attached_files import AttachedFile, with_files
from app.chat.conversation import INTERRUPTED, STREAMING
from app.chat.records import StoredMessage
from app.window.transcript.answer_view import AnswerView
from app.window.transcript.code_file import suggested_name, write_code
from app.window.transcript.code_view import CodeView
from app.window.transcript.file_cards import FileCard
from app.window.transcript.message_editor import EditField, MessageEditor
from app.window.transcript.message_view import MessageView, UserMessageView
from app.window.transcript.segments import COST_AT_ONCE, SegmentsView
from app.window.transcript.thinking_view import ThinkingView
from app.window.transcript.transcript_view import TranscriptView
from engine.placement_reports import StepLoad
from tests.app.transcript_samples import STATS, answered, asked, grown, open_transcript


class Heard:
    """A transcript and what its signals said."""

    def __init__(self, qtbot: QtBot, path: list[StoredMessage]) -> None:
        self.view = open_transcript(qtbot, [])
        self.said: list[tuple[object, ...]] = []
        for name in (
            "edit_submitted", "continue_clicked", "fork_clicked", "delete_version_clicked", "details_clicked",
            "regenerate_clicked", "version_chosen", "file_opened",
        ):  # fmt: skip
            getattr(self.view, name).connect(lambda *values, name=name: self.said.append((name, *values)))
        self.view.show_path(path, show_stats=True)

    def user(self) -> UserMessageView:
        view = self.view.views[0]
        assert isinstance(view, UserMessageView)
        return view

    def answer(self) -> AnswerView:
        view = self.view.views[1]
        assert isinstance(view, AnswerView)
        return view

    def editor(self) -> EditField:
        self.user()._edit.click()
        editor = self.user().findChildren(MessageEditor)[-1]
        (field,) = editor.findChildren(EditField)
        return field


def menu_words(message: MessageView) -> list[str]:
    menu = message._menu()
    words = [action.text() for action in menu.actions()]
    menu.deleteLater()
    return words


def test_what_nobody_listens_to_is_not_offered(qtbot: QtBot) -> None:
    view = open_transcript(qtbot, [asked(0), answered(1, "Cut", INTERRUPTED)])

    user, answer = view.views
    assert isinstance(user, UserMessageView)
    assert isinstance(answer, AnswerView)
    assert user._edit.isHidden()
    assert answer._footer.go_on.isHidden()
    assert menu_words(answer) == ["Copy as plain text"]
    assert answer._facts.focusPolicy() == Qt.FocusPolicy.NoFocus


def test_an_edit_is_sent_with_enter_and_given_up_with_escape(qtbot: QtBot) -> None:
    heard = Heard(qtbot, [asked(0, "What?"), answered(1, "That.")])
    field = heard.editor()
    assert field.toPlainText() == "What?"
    QTest.keyClick(field, Qt.Key.Key_Escape)
    assert heard.said == []
    assert heard.user()._editor is None
    assert not heard.user()._text.isHidden()

    field = heard.editor()
    field.setPlainText("Which")
    field.moveCursor(field.textCursor().MoveOperation.End)
    QTest.keyClick(field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClicks(field, "one?")
    QTest.keyClick(field, Qt.Key.Key_Return)

    assert heard.said == [("edit_submitted", "m0", "Which\none?")]


def test_an_input_method_is_not_interrupted_while_editing(qtbot: QtBot) -> None:
    heard = Heard(qtbot, [asked(0, "x"), answered(1, "That.")])
    field = heard.editor()
    QApplication.sendEvent(field, QInputMethodEvent("ni", []))
    QTest.keyClick(field, Qt.Key.Key_Return)
    QTest.keyClick(field, Qt.Key.Key_Escape)
    commit = QInputMethodEvent("", [])
    commit.setCommitString("你")
    QApplication.sendEvent(field, commit)
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert heard.said == []

    QTest.qWait(60)
    QTest.keyClick(field, Qt.Key.Key_Return)

    assert heard.said == [("edit_submitted", "m0", "x你")]


def test_nothing_empty_is_sent_and_nothing_while_an_answer_runs(qtbot: QtBot) -> None:
    heard = Heard(qtbot, [asked(0, "x"), answered(1, "That.")])
    field = heard.editor()
    field.setPlainText("  ")
    QTest.keyClick(field, Qt.Key.Key_Return)
    heard.view.set_idle(False)
    field.setPlainText("y")
    QTest.keyClick(field, Qt.Key.Key_Return)

    assert heard.said == []
    assert field.toPlainText() == "y"


def test_files_of_a_message_are_cards_and_stay_when_it_is_edited(qtbot: QtBot) -> None:
    file = AttachedFile("notes.txt", "secret ingredients\n")
    heard = Heard(qtbot, [asked(0, with_files("Read this", [file])), answered(1, "Done.")])
    assert heard.user()._text.toPlainText() == "Read this"
    (card,) = heard.user().findChildren(FileCard)
    card.click()
    field = heard.editor()
    field.setPlainText("Read it")
    QTest.keyClick(field, Qt.Key.Key_Return)

    assert heard.said == [("file_opened", file), ("edit_submitted", "m0", with_files("Read it", [file]))]
    assert heard.user()._text.toPlainText() == "Read this"


def test_a_message_of_files_alone_has_no_empty_bubble(qtbot: QtBot) -> None:
    heard = Heard(qtbot, [asked(0, with_files("", [AttachedFile("a.py", "x = 1")])), answered(1, "Done.")])

    assert heard.user()._bubble.isEmpty()
    assert heard.user().parts() == ()


def test_buttons_and_menu_of_an_answer_name_it(qtbot: QtBot) -> None:
    heard = Heard(qtbot, [asked(0), answered(1, "Cut", INTERRUPTED)])
    answer = heard.answer()
    answer._footer.go_on.click()
    answer._regenerate.click()
    for words in ("Go on from here in a new chat", "Delete this message"):
        menu = answer._menu()
        next(action for action in menu.actions() if action.text() == words).trigger()
        menu.deleteLater()
    QTest.mouseClick(answer._facts, Qt.MouseButton.LeftButton)
    QTest.keyClick(answer._facts, Qt.Key.Key_Return)

    assert heard.said == [
        ("continue_clicked", "m1"),
        ("regenerate_clicked", "m1"),
        ("fork_clicked", "m1"),
        ("delete_version_clicked", "m1"),
        ("details_clicked", "m1"),
        ("details_clicked", "m1"),
    ]


def test_continuing_waits_until_nothing_runs_and_is_for_the_last_answer(qtbot: QtBot) -> None:
    path = [asked(0), answered(1, "Cut", INTERRUPTED), asked(2)]
    heard = Heard(qtbot, path)
    assert heard.answer()._footer.go_on.isHidden()
    heard.view.show_path(path[:2], show_stats=True)
    assert not heard.answer()._footer.go_on.isHidden()
    heard.view.set_idle(False)
    assert heard.answer()._footer.go_on.isHidden()


def test_a_question_has_versions_too(qtbot: QtBot) -> None:
    other = replace(asked(0, "Before"), id="m9")
    view = TranscriptView(lambda m: [other, m] if m.id == "m0" else [m], lambda m: ())
    qtbot.addWidget(view)
    view.resize(700, 500)
    view.show()
    view.show_path([asked(0), answered(1, "x")], show_stats=True)
    chosen: list[str] = []
    view.version_chosen.connect(chosen.append)
    user = view.views[0]
    assert isinstance(user, UserMessageView)

    assert user._versions.label.text() == "2 / 2"
    user._versions.previous.click()

    assert chosen == ["m9"]


def test_the_line_of_figures_has_bytes_and_the_share_of_the_card(qtbot: QtBot) -> None:
    load = StepLoad(39, 2.0, 0.5, 1.5, 0.3, 0.2, 0.1, 300, 700, 10, 20)
    stats = replace(
        STATS, step_bytes=312_000_000, dense_bytes=1_100_000_000, load=load, active=(0.25,), examined=(0.5,)
    )
    heard = Heard(qtbot, [asked(0), answered(1, "x", stats=stats)])

    assert heard.answer()._facts.text() == (
        "40 tokens · 19.5 tokens/s · prompt 40.0 tokens/s · first token after 0.60 s · 25.0 % of neurons active"
        " · 312 MB of 1.1 GB read for a token · neurons: card 30 %, processor 70 %"
    )

    dense = replace(STATS, step_bytes=151_000_000, dense_bytes=151_000_000)
    assert "read for a token" not in Heard(qtbot, [asked(0), answered(1, "x", stats=dense)]).answer()._facts.text()


# Thinking ---------------------------------------------------------------------------------------------------------


def thinking_of(view: TranscriptView) -> ThinkingView:
    (thinking,) = view.views[1].findChildren(ThinkingView)
    return thinking


def test_thinking_is_open_while_it_goes_on_and_closed_once_the_answer_begins(qtbot: QtBot) -> None:
    message = answered(1, "", STREAMING)
    view = open_transcript(qtbot, [asked(0), message])
    message = grown(message, "<think>Let me see")
    view.grow(message, message.content)
    assert thinking_of(view).is_open
    assert thinking_of(view)._header.text() == "Thinking…"
    QTest.qWait(80)
    for piece in (" more.", "</think>\n\n", "Yes."):
        message = grown(message, piece)
        view.grow(message, piece)
        QTest.qWait(30)
    view.update_answer(answered(1, message.content))

    assert not thinking_of(view).is_open
    assert thinking_of(view)._header.text().startswith("Thought for 0.")
    assert [part.editor.toPlainText() for part in view.views[1].parts()] == ["Yes."]
    assert view.views[1].clean_text() == "Yes."
    thinking_of(view)._header.click()
    assert [part.editor.toPlainText() for part in view.views[1].parts()] == ["Let me see more.", "Yes."]


def test_how_long_it_thought_is_not_said_where_its_beginning_was_not_seen(qtbot: QtBot) -> None:
    message = answered(1, "<think>Let me see", STREAMING)
    view = open_transcript(qtbot, [asked(0), message])
    QTest.qWait(80)
    message = grown(message, "</think>\n\nYes.")
    view.grow(message, "</think>\n\nYes.")
    view.update_answer(answered(1, message.content))

    assert thinking_of(view)._header.text() == "Thoughts, about 13 tokens"


def test_what_a_person_chose_about_thinking_stays(qtbot: QtBot) -> None:
    message = answered(1, "<think>Let me see", STREAMING)
    view = open_transcript(qtbot, [asked(0), message])
    thinking_of(view)._header.click()
    message = grown(message, " and see")
    view.grow(message, " and see")
    assert not thinking_of(view).is_open
    thinking_of(view)._header.click()
    view.update_answer(answered(1, message.content + "</think>Yes."))

    assert thinking_of(view).is_open


def test_stored_thinking_is_closed_not_built_and_says_about_how_long_it_is(qtbot: QtBot) -> None:
    view = open_transcript(qtbot, [asked(0), answered(1, "<think>" + "a" * 93 + "</think>" + "b" * 92)])

    assert not thinking_of(view).is_open
    assert thinking_of(view).body is None
    assert thinking_of(view)._header.text() == "Thoughts, about 19 tokens"


# Code -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "language", "name"),
    [
        ("x = 1", "python", "code.py"),
        ("x = 1", "", "code.txt"),
        ("x = 1", "unheard-of", "code.txt"),
        ("# report.py\nx = 1", "python", "report.py"),
        ("// file: src/main.rs\n", "rust", "main.rs"),
        ("<!-- index.html -->\n", "html", "index.html"),
        ("# ../../etc/passwd.txt\n", "sh", "passwd.txt"),
        ("# C:\\Windows\\con.txt\n", "sh", "code.sh"),
        ("# a comment that names no file.\n", "python", "code.py"),
        ("# .bashrc.sh\n", "sh", "bashrc.sh"),
    ],
)
def test_a_name_that_suits_the_code_and_is_safe(code: str, language: str, name: str) -> None:
    assert suggested_name(code, language) == name


def test_saving_writes_the_code_and_keeps_an_older_file_where_it_cannot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "code.py"
    write_code(path, "x = 'ä'")
    assert path.read_bytes() == "x = 'ä'\n".encode()

    def fail(fd: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", fail)
    with pytest.raises(OSError, match="No space left"):
        write_code(path, "y = 2")

    assert path.read_bytes() == "x = 'ä'\n".encode()
    assert list(tmp_path.iterdir()) == [path]


def test_the_dialog_asks_before_an_older_file_goes_and_errors_are_told(qtbot: QtBot, tmp_path: Path) -> None:
    view = open_transcript(qtbot, [asked(0), answered(1, "```python\nx = 1\n```")])
    (code,) = view.findChildren(CodeView)
    code._save.click()
    (dialog,) = view.findChildren(QFileDialog)
    assert dialog.acceptMode() == QFileDialog.AcceptMode.AcceptSave
    assert not dialog.testOption(QFileDialog.Option.DontConfirmOverwrite)
    assert dialog.selectedFiles()[0].endswith("code.py")
    dialog.reject()
    code._save_code(tmp_path / "code.py")
    assert (tmp_path / "code.py").read_text() == "x = 1\n"

    code._save_code(tmp_path / "missing" / "code.py")

    (box,) = view.findChildren(QMessageBox)
    assert box.text() == "“code.py” could not be saved: No such file or directory."
    assert "still here" in box.informativeText()
    box.close()
    code._copied.stop()


# What is long -----------------------------------------------------------------------------------------------------


def test_a_long_answer_is_built_richly_bit_by_bit(qtbot: QtBot) -> None:
    text = "\n\n".join(f"# Part {n}\n\n```\ncode {n}\n```\n\n**end** {n}" for n in range(80))
    view = open_transcript(qtbot, [asked(0), answered(1, text)])
    (body,) = view.views[1].findChildren(SegmentsView)
    assert body._limit == COST_AT_ONCE
    assert len(body.parts()) < 160
    n_codes = 80

    qtbot.waitUntil(lambda: sum(isinstance(part, CodeView) for part in body.parts()) == n_codes)

    assert view.verticalScrollBar().value() == view.verticalScrollBar().maximum()
    assert len(body.parts()) == 161


def test_layout_of_what_did_not_change_is_kept(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    message = answered(1, "```\nx\n```\n\nA\n\n```\ny\n```\n\nB", STREAMING)
    view = open_transcript(qtbot, [asked(0), message])
    fitted: list[CodeView] = []
    fit = CodeView.fit
    monkeypatch.setattr(CodeView, "fit", lambda self, width: (fitted.append(self), fit(self, width))[1])
    for _ in range(5):
        message = grown(message, " more")
        view.grow(message, " more")
        QTest.qWait(20)

    assert fitted == []
    view.resize(700, 700)
    assert len(fitted) >= 2


def test_a_larger_font_lays_everything_out_anew(qtbot: QtBot, qapp: QApplication) -> None:
    view = open_transcript(qtbot, [asked(0), answered(1, "Words " * 80 + "\n\n```\nx\n```")])
    before = view.views[1].height()
    font = qapp.font()
    larger = qapp.font()
    larger.setPointSizeF(font.pointSizeF() * 2)
    try:
        for widget in (view, *view.findChildren(SegmentsView)):
            QApplication.sendEvent(widget, QEvent(QEvent.Type.FontChange))
        for part in view.views[1].parts():
            part.editor.setFont(larger)
        qtbot.waitUntil(lambda: view.views[1].height() > before * 1.5)
    finally:
        qapp.setFont(font)


def test_code_is_shown_from_its_left_edge(qtbot: QtBot) -> None:
    text = "```\n" + "first " * 60 + "\n" + "last " * 40 + "\n```"
    message = answered(1, text[:30], STREAMING)
    view = open_transcript(qtbot, [asked(0), message])
    view.grow(grown(message, text[30:]), text[30:])
    view.update_answer(answered(1, text))
    view.resize(600, 700)
    (code,) = view.findChildren(CodeView)

    assert code.editor.horizontalScrollBar().maximum() > 0
    assert code.editor.horizontalScrollBar().value() == 0
