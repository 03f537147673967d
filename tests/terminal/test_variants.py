"""Several answers to one message in the terminal: their order, their headings, their seeds, and what goes wrong."""

import os
import signal
import threading
from dataclasses import replace

import pytest
from scripted_engine import DIE, STATS, WAIT, FakeEngine, Script
from test_chat import run_piped, run_typed

from app.cli import main
from app.command_line.arguments import MOST_VARIANTS
from app.terminal.variants import together_line
from engine import messages
from engine.errors import ContextFull
from engine.messages import Generate, GenerateVariants, LoadModel, SamplingParams

QUESTION = ("large-7b", "Why?")
MIXED = [
    (1, "be"), (0, "al"), (2, ""), (1, "ta"), (1, "stop", STATS), (0, "pha"), (2, "gam"), (0, "length", STATS),
    (2, "ma\n"), (2, "stop", replace(STATS, seed=7)),
]  # fmt: skip
PLAIN = "[1 of 3]\nalpha\n[2 of 3]\nbeta\n[3 of 3]\ngamma\n"


@pytest.fixture(autouse=True)
def plain_terminal(monkeypatch):
    monkeypatch.setenv("TERM", "dumb")


def asked(run):
    return [request for request in run.script.requests if isinstance(request, GenerateVariants)]


def test_answers_come_in_the_order_of_their_numbers_under_headings():
    run = run_piped(Script(variants=MIXED), "", words=QUESTION, n_variants=3, system="Be brief.")

    assert (run.out, run.code) == (PLAIN, 0)
    (request,) = asked(run)
    assert [(m.role, m.content) for m in request.messages] == [("system", "Be brief."), ("user", "Why?")]
    assert "max_tokens" in run.err
    assert "3 answers, 15 tokens at 120.0/s together, 40.0/s each" in run.err


def test_the_first_that_has_not_ended_is_written_as_it_comes_the_others_wait():
    run = run_piped(Script(variants=[(1, "beta"), (0, "al"), DIE]), "", words=QUESTION, n_variants=2)

    assert run.out == "[1 of 2]\nal\n[2 of 2]\nbeta\n"  # and what had come of them is shown when the engine ends
    assert run.code == 1
    assert "together" not in run.err


def test_in_a_terminal_a_line_is_left_between_answers():
    run = run_typed(Script(variants=MIXED), "", words=QUESTION, n_variants=3)

    assert run.out == PLAIN.replace("\n[", "\n\n[")


def test_what_is_piped_is_added_to_the_message():
    run = run_piped(Script(variants=MIXED), "some text\n", words=QUESTION, n_variants=3)

    assert asked(run)[0].messages[-1].content == "Why?\n\nsome text"


@pytest.mark.parametrize(
    ("seed", "seeds"), [(5, [5, 6, 7]), (None, [None] * 3), (2**63 - 2, [2**63 - 2, 2**63 - 1, 0])]
)
def test_a_seed_is_counted_on_from_and_without_one_each_draws_its_own(seed, seeds):
    sampling = SamplingParams(seed=seed, top_k=3)
    run = run_piped(Script(variants=MIXED), "", words=QUESTION, n_variants=3, sampling=sampling)

    assert asked(run)[0].samplings == tuple(replace(sampling, seed=seed) for seed in seeds)


def test_statistics_follow_each_answer_with_its_seed():
    run = run_piped(Script(variants=MIXED), "", words=QUESTION, n_variants=3, shows_stats=True)

    assert run.err.count("prompt 41 tokens") == 3
    assert "seed 7" in run.err


def test_ctrl_c_stops_all_and_keeps_what_came():
    script = Script(variants=[(1, "be"), (0, "al"), WAIT])
    stopper = threading.Thread(target=lambda: script.waiting.wait(10) and os.kill(os.getpid(), signal.SIGINT))
    stopper.start()
    run = run_piped(script, "", words=QUESTION, n_variants=3)
    stopper.join()

    assert run.out == "[1 of 3]\nal\n[2 of 3]\nbe\n"
    assert run.err.count("Stopped.") == 1


class LateEngine(FakeEngine):
    """Presses Ctrl+C in the last moment of a load: the model is ready before the engine hears of it."""

    def _load(self, request):
        os.kill(os.getpid(), signal.SIGINT)
        threading.Event().wait(0.2)  # the key is noticed, and the engine told
        yield from super()._load(request)


class LateScript(Script):
    def open(self, on_event):
        self.opened += 1
        self.engines.append(LateEngine(self, on_event))
        return self.engines[-1]


@pytest.mark.parametrize("n_variants", [1, 3])
def test_ctrl_c_in_the_last_moment_of_a_load_is_not_lost(n_variants):
    run = run_piped(LateScript(variants=MIXED), "", words=QUESTION, n_variants=n_variants)

    assert (run.out, run.code) == ("", 130)
    assert run.err.count("Stopped.") == 1
    assert not any(isinstance(request, Generate | GenerateVariants) for request in run.script.requests)


def test_an_answer_with_nothing_has_its_heading_and_is_said_to_be_empty():
    run = run_piped(Script(variants=[(0, "stop", STATS), (1, "b"), (1, "stop", STATS)]), "", words=QUESTION,
                    n_variants=2)  # fmt: skip

    assert run.out == "[1 of 2]\n[2 of 2]\nb\n"
    assert "answered with nothing" in run.err


def test_a_refusal_is_explained():
    run = run_piped(Script(variants=[ContextFull(9000, 8192).report()]), "", words=QUESTION, n_variants=2)

    assert (run.out, run.code) == ("", 1)
    assert "9,000 tokens" in run.err


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"words": ("large-7b",)}, ("there is none", "--variants 4")),
        ({"words": ()}, ("there is none", "ember chat MODEL")),
        ({"words": QUESTION, "tier": "fine"}, ("the tier fine", "--tier")),
        ({"words": QUESTION, "sampling": SamplingParams(temperature=0.0)}, ("would be the same", "--temperature")),
    ],
)
def test_what_cannot_be_done_is_said_before_a_model_is_loaded(options, words):
    run = run_piped(Script(), "a line\n", n_variants=4, **options)

    assert (run.out, run.code) == ("", 2)
    assert all(word in run.err for word in words)
    assert not any(isinstance(request, LoadModel | GenerateVariants) for request in run.script.requests)


def test_one_is_a_plain_answer():
    run = run_piped(Script(), "", words=QUESTION, n_variants=1)

    assert run.out == "ok\n"


@pytest.mark.parametrize("number", ["0", "33", "-1", "two"])
def test_a_number_of_answers_that_is_not_possible_is_refused(number, capsys):
    with pytest.raises(SystemExit) as ended:
        main(["chat", "--variants", number, "Why?"])

    assert ended.value.code == 2
    assert "--variants" in capsys.readouterr().err


def test_the_command_line_knows_how_many_the_engine_takes():
    assert messages.MOST_VARIANTS == MOST_VARIANTS


def test_speed_is_left_out_where_nothing_was_decoded():
    assert together_line([replace(STATS, generated_tokens=1, decode_s=0.0)] * 2) == "2 answers, 2 tokens"
    assert together_line([]) == "0 answers, 0 tokens"
