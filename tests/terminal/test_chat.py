"""The terminal chat as a person or a pipe meets it, over an engine that follows a script."""

import io
import os
import signal
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput
from scripted_engine import DIE, LARGE, STARTER, WAIT, Script

from app.terminal.chat import ChatOptions, run_chat
from app.terminal.commands import COMMANDS
from app.terminal.console import Console
from app.terminal.session import RequestFailed, Session
from engine.errors import ContextFull, OutOfMemory
from engine.messages import Cancel, Generate, ImportModel, SamplingParams


@pytest.fixture(autouse=True)
def plain_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal without colours and without our line breaks; those have tests of their own."""
    monkeypatch.setenv("TERM", "dumb")


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class Run:
    """One run of the chat: what came out and what the engine was asked."""

    def __init__(self, script: Script, out: io.StringIO, err: io.StringIO, code: int) -> None:
        self.script, self.code = script, code
        self.out, self.err = out.getvalue(), err.getvalue()


def run_piped(script: Script, text: str, **options: object) -> Run:
    out, err = io.StringIO(), io.StringIO()
    console = Console(out, err)
    session = Session(script.open, console.progress)
    try:
        code = run_chat(session, console, io.StringIO(text), ChatOptions(**options))
    finally:
        session.close()
    return Run(script, out, err, code)


def run_typed(script: Script, keys: str | Callable[[Callable[[str], None]], None], **options: object) -> Run:
    """Type keys at the prompt; Ctrl+D at the end is added. A callable types by itself, on another thread."""
    out, err = Terminal(), Terminal()
    console = Console(out, err)
    session = Session(script.open, console.progress)
    with create_pipe_input() as pipe, create_app_session(input=pipe, output=DummyOutput()):
        if isinstance(keys, str):
            pipe.send_text(keys + "\x04")
            typist = None
        else:
            typist = threading.Thread(target=keys, args=(pipe.send_text,))
            typist.start()
        try:
            code = run_chat(session, console, Terminal(), ChatOptions(**options))
        finally:
            session.close()
            if typist:
                typist.join()
    return Run(script, out, err, code)


# Pipes ------------------------------------------------------------------------------------------------------------


def test_piped_answer_alone_is_on_the_standard_output():
    run = run_piped(Script([["Hel", "lo\x1b[0m 你好"]]), "hi\n")

    assert (run.out, run.code) == ("Hello\x1b[0m 你好\n", 0)
    assert "Reading the model..." in run.err


def test_every_piped_line_is_a_message_of_one_conversation():
    run = run_piped(Script([["one\n"], ["two"]]), "a\n\n  \nb\n")

    assert run.out == "one\ntwo\n"
    assert run.script.generations[1] == [("user", "a"), ("assistant", "one\n"), ("user", "b")]


def test_backslash_joins_piped_lines():
    run = run_piped(Script(), "a\\\nb\r\n")

    assert run.script.generations == [[("user", "a\nb")]]


def test_message_on_the_command_line_is_answered_with_what_is_piped():
    run = run_piped(Script(), "some\ntext\n", words=("large-7b", "Shorten", "this:"))

    assert run.script.generations == [[("user", "Shorten this:\n\nsome\ntext")]]
    assert (run.out, run.code) == ("ok\n", 0)


def test_failed_answer_makes_the_exit_code_one_and_the_rest_goes_on():
    run = run_piped(Script([[ContextFull(9000, 8192).report()], ["fine"]]), "a\nb\n")

    assert (run.out, run.code) == ("fine\n", 1)
    assert "9,000 tokens" in run.err
    assert run.script.generations[1] == [("user", "b")]


def test_failed_load_ends_a_piped_chat():
    run = run_piped(Script(load_error=OutOfMemory("weights", 9 << 30, 1 << 30).report()), "a\n")

    assert (run.out, run.code) == ("", 1)
    assert "memory" in run.err


def test_commands_work_through_a_pipe():
    run = run_piped(Script(), "/set temperature 0\n/system be brief\nhi\n/quit\nnever\n")

    generate = next(r for r in run.script.requests if isinstance(r, Generate))
    assert generate.sampling.temperature == 0
    assert run.script.generations == [[("system", "be brief"), ("user", "hi")]]


def test_doubled_slash_begins_a_message():
    assert run_piped(Script(), "//etc/passwd?\n").script.generations == [[("user", "/etc/passwd?")]]


def test_statistics_follow_each_answer_on_the_error_output():
    run = run_piped(Script(), "hi\n", shows_stats=True)

    assert run.out == "ok\n"
    assert (
        "prompt 41 tokens (12 reused) at 290/s · first token 0.31 s · answer 5 tokens at 40.0/s · context 46 of 8,192"
        in run.err
    )


@pytest.mark.parametrize(
    ("reason", "words"), [("length", "max_tokens"), ("context", "The context is full"), ("stop", "")]
)
def test_end_of_an_answer_is_explained_unless_the_model_chose_it(reason: str, words: str):
    run = run_piped(Script([["x", (reason,)]]), "hi\n")

    assert words in run.err
    assert run.out == "x\n"


# Choosing a model -------------------------------------------------------------------------------------------------


def test_starter_is_used_only_where_there_is_no_other_model():
    assert run_piped(Script(), "hi\n").script.loads == ["large-7b"]
    assert run_piped(Script(models=[STARTER]), "hi\n").script.loads == ["starter-id"]


def test_model_used_last_is_preferred():
    assert run_piped(Script(), "hi\n", last_model="starter-id").script.loads == ["starter-id"]


def test_first_use_of_the_starter_says_what_it_is():
    run = run_piped(Script(models=[STARTER]), "hi\n")

    assert all(words in run.err for words in ("English only", "weak at reasoning", "Apache-2.0"))
    assert "English only" not in run_piped(Script(models=[LARGE]), "hi\n").err


@pytest.mark.parametrize("name", ["large-7b", "LARGE-7B", "大模型 7B", "lar"])
def test_model_is_found_by_id_name_or_beginning(name: str):
    assert run_piped(Script(), "hi\n", words=(name,)).script.loads == ["large-7b"]


@pytest.mark.parametrize("words", [("larje-7b",), ("llama3",), ("org/model",), ("my-model", "Capital of Italy?")])
def test_misspelt_model_is_refused_with_those_that_are_known(words: tuple[str, ...]):
    run = run_piped(Script(), "hi\n", words=words)

    assert (run.out, run.code, run.script.loads) == ("", 1, [])
    assert "Known: " in run.err
    assert "large-7b" in run.err


def test_gguf_file_instead_of_a_model_leads_to_import():
    assert "ember import ./a.gguf" in run_piped(Script(), "", words=("./a.gguf",)).err


def test_empty_library_is_explained():
    run = run_piped(Script(models=[]), "hi\n")

    assert run.code == 1
    assert "ember import" in run.err


def test_asked_weight_format_is_packed_once():
    script = Script()

    runs = [run_piped(script, "hi\n", words=("large-7b",), weight_format="int4") for _ in range(2)]

    imports = [(r.source, r.weight_format) for r in runs[-1].script.requests if isinstance(r, ImportModel)]
    assert imports == [("/l.gguf", "int4")]
    assert script.loads == ["imported", "imported"]


@pytest.mark.parametrize("words", [("Why", "is", "the", "sky", "blue?"), ("Why is 7 > 3?",), ("Hello",), ("你好",)])
def test_words_that_are_no_model_are_a_message(words: tuple[str, ...]):
    run = run_piped(Script(), "", words=words)

    assert run.script.generations == [[("user", " ".join(words))]]


# A dying engine ---------------------------------------------------------------------------------------------------


def test_after_a_death_the_partial_answer_is_kept_and_the_next_message_starts_the_engine():
    run = run_piped(Script([["half ", DIE], ["whole"]]), "a\nb\n")

    assert (run.out, run.code, run.script.opened) == ("half \nwhole\n", 1, 2)
    assert "SIGKILL" in run.err
    assert run.script.generations[1] == [("user", "a"), ("assistant", "half "), ("user", "b")]
    assert run.script.loads == ["large-7b", "large-7b"]


def test_death_between_messages_is_noticed_with_the_next_one():
    script = Script()

    def type_keys(send: Callable[[str], None]) -> None:
        send("a\r")
        while not script.generations:
            threading.Event().wait(0.01)
        threading.Event().wait(0.3)
        script.engines[0].die()
        send("b\r\x04")

    run = run_typed(script, type_keys)

    assert (run.code, run.script.opened) == (0, 2)
    assert "The engine had ended" in run.err
    assert [g[-1] for g in run.script.generations] == [("user", "a"), ("user", "b")]


# The prompt -------------------------------------------------------------------------------------------------------


def test_typed_message_is_answered_and_control_d_quits():
    run = run_typed(Script([["Hello"]]), "hi\r")

    assert run.code == 0
    assert "Hello\n" in run.out
    assert "large" in run.err.lower() or "大模型" in run.err


@pytest.mark.parametrize("keys", ["one\x1b\rtwo\r", "one\ntwo\r", "one\\\rtwo\r", "\x1b[200~one\ntwo\x1b[201~\r"])
def test_messages_may_have_several_lines(keys: str):
    assert run_typed(Script(), keys).script.generations == [[("user", "one\ntwo")]]


def test_chinese_is_typed_and_answered_whole():
    run = run_typed(Script([["你", "好👩‍👩‍👧"]]), "床前明月光\r")

    assert run.script.generations == [[("user", "床前明月光")]]
    assert "你好👩‍👩‍👧\n" in run.out


def test_control_c_at_the_prompt_drops_what_was_typed():
    run = run_typed(Script(), "half\x03whole\r")

    assert (run.code, run.script.generations) == (0, [[("user", "whole")]])


def test_control_c_stops_the_answer_and_not_the_chat():
    script = Script([["so far", WAIT], ["next"]])

    def type_keys(send: Callable[[str], None]) -> None:
        send("a\r")
        assert script.waiting.wait(10)
        os.kill(os.getpid(), signal.SIGINT)
        send("b\r\x04")

    run = run_typed(script, type_keys)

    assert any(isinstance(r, Cancel) for r in script.requests)
    assert run.code == 0
    assert "Stopped." in run.err
    assert script.generations[1] == [("user", "a"), ("assistant", "so far"), ("user", "b")]


def test_message_stopped_before_its_answer_is_taken_back():
    script = Script([[WAIT], ["next"]])

    def type_keys(send: Callable[[str], None]) -> None:
        send("a\r")
        assert script.waiting.wait(10)
        os.kill(os.getpid(), signal.SIGINT)
        send("b\r\x04")

    run_typed(script, type_keys)

    assert script.generations[1] == [("user", "b")]


def test_control_c_in_a_pipe_ends_with_its_exit_code():
    script = Script([[WAIT]])
    killer = threading.Thread(target=lambda: script.waiting.wait(10) and os.kill(os.getpid(), signal.SIGINT))
    killer.start()

    run = run_piped(script, "a\nb\n")

    killer.join()
    assert (run.out, run.code) == ("", 130)


def test_control_sequences_of_a_model_do_not_reach_the_terminal():
    run = run_typed(Script([["a\x1b[2J\x07b\x9b1m\r\n\tc"]]), "hi\r")

    assert "a[2Jb1m\n\tc" in run.out


HOSTILE = replace(
    LARGE,
    model_id="h\x1b[Ax",
    name="\x1b]0;title\x07\x1b[2JNice\n\x9b1mrow",
    licence="mit\x1b[2K\r\nfake row",
    chat=False,
)


def test_what_a_model_says_of_itself_does_not_reach_the_terminal_as_commands():
    run = run_typed(Script(models=[HOSTILE]), "/models\r/model\r/model other\r")

    shown = run.out + run.err
    assert not set("\x1b\x9b\x07") & set(shown)
    assert "\r" not in run.out
    assert "]0;title[2JNice 1mrow" in shown
    assert [line for line in shown.splitlines() if line.lstrip().startswith(("fake", "row"))] == []
    assert "mit[2K fake row" in shown


def test_control_c_while_the_model_loads_ends_the_chat():
    script = Script(models=[replace(LARGE, model_id="endless")])

    def type_keys(send: Callable[[str], None]) -> None:
        assert script.waiting.wait(10)
        os.kill(os.getpid(), signal.SIGINT)
        send("hi\r\x04")

    run = run_typed(script, type_keys)

    assert (run.code, run.script.generations) == (130, [])


@pytest.mark.parametrize("is_shown_again", [True, False])
def test_after_a_stopped_change_of_model_the_one_before_answers(is_shown_again: bool):
    script = Script(models=[LARGE, replace(LARGE, model_id="endless", name="endless")])

    def type_keys(send: Callable[[str], None]) -> None:
        send("/model endless\r")
        assert script.waiting.wait(10)
        os.kill(os.getpid(), signal.SIGINT)
        send("/model nothing\rhi\r\x04" if is_shown_again else "hi\r\x04")

    run = run_typed(script, type_keys, words=("large-7b",))

    assert (run.code, script.loads) == (0, ["large-7b", "endless", "large-7b"])
    assert "Stopped." in run.err
    assert "ok\n" in run.out


def test_a_model_the_engine_has_let_go_of_is_loaded_with_the_next_message():
    script = Script()
    session = Session(script.open, lambda progress: None)
    session.load("large-7b", None)
    script.engines[0].loaded = ""

    with pytest.raises(RequestFailed):
        session.generate((), SamplingParams(), lambda text: None)
    session.generate((), SamplingParams(), lambda text: None)
    session.close()

    assert script.loads == ["large-7b", "large-7b"]


def test_engine_process_ignores_control_c_from_its_first_moment():
    seen = []

    def open_engine(on_event):
        seen.append(signal.getsignal(signal.SIGINT))
        return Script().open(on_event)

    session = Session(open_engine, lambda progress: None)
    session.models()
    session.close()

    assert seen == [signal.SIG_IGN]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_failed_load_leaves_a_prompt_where_another_model_can_be_chosen():
    script = Script(load_error=OutOfMemory("weights", 9 << 30, 1 << 30).report())

    def type_keys(send: Callable[[str], None]) -> None:
        while not script.loads:
            threading.Event().wait(0.01)
        threading.Event().wait(0.2)
        script.load_error = None
        send("/model starter-id\rhi\r\x04")

    run = run_typed(script, type_keys)

    assert (run.code, script.loads) == (0, ["large-7b", "starter-id"])
    assert "no model loaded" in run.err


def test_typed_lines_are_remembered_in_a_file_only_the_owner_reads(tmp_path: Path):
    path = tmp_path / "data" / "history.txt"

    run_typed(Script(), "床前\r/params\r", history_path=path)

    assert "+床前\n" in path.read_text(encoding="utf-8")
    assert path.stat().st_mode & 0o077 == 0


def test_history_that_cannot_be_written_costs_nothing(tmp_path: Path):
    (tmp_path / "file").touch()

    run = run_typed(Script(), "hi\r", history_path=tmp_path / "file" / "history.txt")

    assert (run.code, run.script.generations) == (0, [[("user", "hi")]])


def test_tab_completes_commands_and_model_names():
    run = run_typed(Script(), "/mode\t\t\x03/param\t\r/model star\t\r")

    assert "temperature" in run.out
    assert run.script.loads == ["large-7b", "starter-id"]


# Commands ---------------------------------------------------------------------------------------------------------


def test_unknown_command_is_not_sent_to_the_model():
    run = run_typed(Script(), "/regenrate\r")

    assert run.script.generations == []
    assert "Did you mean /regenerate?" in run.err


def test_help_lists_every_command():
    run = run_typed(Script(), "/help\r")

    assert all(f"/{command.name} " in run.out for command in COMMANDS)


def test_regenerate_answers_the_last_message_again():
    run = run_typed(Script([["first"], ["second"], ["third"]]), "a\r/regenerate\rb\r")

    assert run.script.generations[1] == [("user", "a")]
    assert run.script.generations[2] == [("user", "a"), ("assistant", "second"), ("user", "b")]


def test_failed_regeneration_keeps_the_old_answer():
    error = ContextFull(9, 8).report()

    run = run_typed(Script([["first"], [error], ["x"]]), "a\r/regenerate\rb\r")

    assert run.script.generations[2] == [("user", "a"), ("assistant", "first"), ("user", "b")]


def test_undo_takes_the_last_exchange_back():
    run = run_typed(Script(), "a\rb\r/undo\rc\r")

    assert run.script.generations[-1] == [("user", "a"), ("assistant", "ok"), ("user", "c")]
    assert "Taken back: b" in run.out


def test_a_file_in_the_home_of_nobody_is_refused_and_the_chat_goes_on():
    run = run_typed(Script(), "a\r/save ~nosuch/x.md\rb\r")

    assert "no home folder" in run.err
    assert len(run.script.generations) == 2


def test_new_keeps_system_prompt_and_parameters():
    run = run_typed(Script(), "/system be brief\r/set top_k 7\ra\r/new\rb\r")

    assert run.script.generations[-1] == [("system", "be brief"), ("user", "b")]
    assert [r.sampling.top_k for r in run.script.requests if isinstance(r, Generate)] == [7, 7]


def test_system_prompt_can_be_removed():
    run = run_typed(Script(), "/system none\ra\r", system="be brief")

    assert run.script.generations == [[("user", "a")]]


@pytest.mark.parametrize(
    ("command", "name", "value"),
    [
        ("temperature 0.5", "temperature", 0.5),
        ("top-k 3", "top_k", 3),
        ("top_p 0.5", "top_p", 0.5),
        ("min_p 0.1", "min_p", 0.1),
        ("repetition_penalty 1.2", "repetition_penalty", 1.2),
        ("presence_penalty -1", "presence_penalty", -1.0),
        ("frequency_penalty 0.5", "frequency_penalty", 0.5),
        ("penalty_window 10", "penalty_window", 10),
        ("seed 42", "seed", 42),
        ("seed none", "seed", None),
        ("max_tokens 9", "max_tokens", 9),
        ("logit_bias 5=-100 7=1.5", "logit_bias", ((5, -100.0), (7, 1.5))),
        ("logit_bias none", "logit_bias", ()),
        ("stop END 'two words' \"a\\n\"", "stop", ("END", "two words", "a\n")),
        ("stop none", "stop", ()),
    ],
)
def test_every_parameter_can_be_set(command: str, name: str, value: object):
    run = run_typed(Script(), f"/set {command}\ra\r")

    generate = next(r for r in run.script.requests if isinstance(r, Generate))
    assert getattr(generate.sampling, name) == value


@pytest.mark.parametrize(
    "command", ["temperature 99", "temperature hot", "top_k 1.5", "nonsense 1", "seed 1 2", "stop"]
)
def test_impossible_value_changes_nothing(command: str):
    run = run_typed(Script(), f"/set {command}\ra\r")

    generate = next(r for r in run.script.requests if isinstance(r, Generate))
    assert generate.sampling == SamplingParams()
    assert len(run.err) > 0


def test_params_shows_every_parameter():
    run = run_typed(Script(), "/params\r")

    assert all(line in run.out for line in ("temperature", "0.7", "repetition_penalty", "1.05", "max_tokens"))


def test_stats_can_be_switched():
    run = run_typed(Script(), "/stats on\ra\r/stats off\rb\r")

    assert run.err.count("first token") == 1


def test_unknown_model_leaves_the_one_in_use():
    run = run_typed(Script(), "/model lrage-7b\ra\r/model\r")

    assert run.script.loads == ["large-7b"]
    assert "Known: large-7b" in run.err
    assert "大模型 7B, int8, 4,096 tokens of context" in run.out


def test_history_shows_the_conversation():
    run = run_typed(Script([["first answer"]]), "question\r/history\r")

    assert run.out.count("first answer") == 2
    assert run.out.count("question") == 1


def test_save_writes_the_conversation_and_never_overwrites(tmp_path: Path):
    path = tmp_path / "chat.md"

    run = run_typed(Script([["**bold** 你好"]]), f"hi\r/save {path}\r/save {path}\r")

    assert (
        path.read_text(encoding="utf-8") == "# Chat with 大模型 7B\n\n## You\n\nhi\n\n## 大模型 7B\n\n**bold** 你好\n"
    )
    assert "exists already" in run.err


@pytest.mark.parametrize("command", ["/regenerate", "/undo", "/save x.md", "/save", "/set", "/stats maybe", "/set a"])
def test_command_without_its_object_says_so(command: str):
    run = run_typed(Script(), f"{command}\r")

    assert run.code == 0
    assert len(run.err.splitlines()) >= 3


def test_models_are_listed_aligned_whatever_their_script():
    run = run_typed(Script(), "/models\r")

    assert run.out.splitlines()[1:4] == [
        "MODEL       STATE           FORMAT  SIZE     PARAMETERS  CONTEXT  LICENCE",
        "starter-id  not packed yet  -       98.0 MB  135 M       8,192    Apache-2.0",
        "large-7b    ready           int8    7.0 GB   7.0 B       4,096    MIT",
    ]
