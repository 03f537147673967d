"""Figures of an answer that was continued are those of the whole, or say that they are not."""

import json
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from app.chat.answer_facts import NO_FACTS, AnswerFacts, facts_from_json, facts_to_json
from app.chat.answer_parts import joined_facts, joined_stats, unfinished
from app.chat.chats import open_chats
from app.chat.conversation import INTERRUPTED, STOPPED
from app.chat.exports import to_json
from app.window.answer_detail_words import sections_of
from app.window.transcript.answer_view import AnswerView
from engine.context_reports import LeftOut
from engine.messages import GenerationStats, SamplingParams
from engine.placement_reports import StepLoad
from tests.app.chat_bench import ChatBench
from tests.app.conftest import Bench

FIRST = GenerationStats(
    400, 100, 1.5, 1.6, 101, 4.0, 2048, examined=(0.5, 0.7), active=(0.1, 0.3), proposed_tokens=8, accepted_tokens=5,
    load=StepLoad(100, 4.0, 1.0, 3.0, 0.5, 0.1, 0.2, 750, 250, 10, 5), seed=77, step_bytes=60, dense_bytes=150,
    processor_joules=200.0,
)  # fmt: skip
SECOND = GenerationStats(
    501, 500, 0.1, 0.2, 301, 6.0, 4096, examined=(0.9, 0.7), active=(0.5, 0.7), proposed_tokens=2, accepted_tokens=1,
    load=StepLoad(300, 6.0, 2.0, 5.0, 1.0, 0.2, 0.3, 250, 750, 30, 15), seed=77, step_bytes=100, dense_bytes=150,
    processor_joules=300.0, stopped_by="END", left_out=LeftOut(1, 2, 50),
)  # fmt: skip


def test_amounts_are_added_and_means_are_weighted_by_what_they_are_means_of() -> None:
    whole = joined_stats(FIRST, SECOND)

    assert (whole.generated_tokens, whole.decode_s, whole.parts) == (402, 10.0, 2)
    assert whole.decode_tokens_per_s == pytest.approx(40.0)  # 100 and 300 tokens after a first one, in 4 and 6 s
    assert whole.active == pytest.approx((0.4, 0.6))
    assert whole.examined == pytest.approx((0.8, 0.7))
    assert (whole.step_bytes, whole.dense_bytes) == (90, 150)
    assert (whole.proposed_tokens, whole.accepted_tokens) == (10, 6)
    assert whole.load == StepLoad(400, 10.0, 3.0, 8.0, 1.5, 0.1 + 0.2, 0.5, 1000, 1000, 40, 20)
    assert (whole.processor_joules, whole.card_joules) == (500.0, None)
    assert whole.left_out == SECOND.left_out


def test_bytes_that_one_part_has_not_are_not_those_of_the_whole() -> None:
    one_of_several = replace(FIRST, step_bytes=0, dense_bytes=0)

    for whole in (joined_stats(one_of_several, SECOND), joined_stats(SECOND, one_of_several)):
        assert (whole.step_bytes, whole.dense_bytes) == (0, 0)
    begun = replace(one_of_several, generated_tokens=1)
    assert joined_stats(begun, SECOND).step_bytes == 100


def test_what_comes_before_the_first_word_is_the_first_parts() -> None:
    whole = joined_stats(FIRST, SECOND)

    assert (whole.prompt_tokens, whole.reused_tokens, whole.prefill_s, whole.first_token_s) == (400, 100, 1.5, 1.6)
    assert (whole.context_tokens, whole.stopped_by, whole.seed) == (4096, "END", 77)
    assert joined_stats(FIRST, replace(SECOND, seed=5)).seed is None  # no seed gives all of it again


def test_parts_are_joined_one_after_the_other() -> None:
    third = replace(FIRST, generated_tokens=11, decode_s=1.0, active=(1.0, 1.0))
    left = joined_stats(joined_stats(FIRST, SECOND), third)
    right = joined_stats(FIRST, joined_stats(SECOND, third))

    assert (left.generated_tokens, left.parts, left.decoded_tokens) == (413, 3, 410)
    assert left.active == pytest.approx(right.active)
    assert left.active[0] == pytest.approx((100 * 0.1 + 300 * 0.5 + 10) / 410)


def test_a_tier_is_never_called_exact_and_its_checks_are_weighted() -> None:
    fine = replace(FIRST, tier="fine", audited_tokens=10, audit_kl=0.002)
    fast = replace(SECOND, tier="fast", audited_tokens=30, audit_kl=0.006, tier_left_at=7)

    whole = joined_stats(fine, fast)

    assert (whole.tier, whole.audited_tokens, whole.tier_left_at) == ("fast", 40, 108)
    assert whole.audit_kl == pytest.approx(0.005)
    assert joined_stats(fine, SECOND).tier == joined_stats(SECOND, fine).tier == "fine"


def test_what_one_part_does_not_know_the_whole_does_not_claim() -> None:
    alone = replace(SECOND, load=None, active=(0.1, 0.2, 0.3), examined=(0.1, 0.2, 0.3), processor_joules=None)

    whole = joined_stats(FIRST, alone)

    assert (whole.load, whole.active, whole.examined, whole.processor_joules) == (None, (), (), None)


def test_a_part_of_no_tokens_or_of_one_changes_no_mean() -> None:
    nothing = GenerationStats(500, 500, 0.0, 0.0, 0, 0.0, 2048)
    one = GenerationStats(500, 499, 0.1, 0.1, 1, 0.0, 2048)

    assert joined_stats(FIRST, nothing) == replace(FIRST, processor_joules=None)
    longer = joined_stats(FIRST, one)
    assert (longer.generated_tokens, longer.active, longer.load) == (102, FIRST.active, FIRST.load)
    assert longer.decode_tokens_per_s == pytest.approx(25.0)


def test_facts_end_as_the_last_part_does() -> None:
    sampling = SamplingParams(temperature=0.25)
    before = AnswerFacts("length", FIRST, sampling=sampling, preset="precise")

    ended = joined_facts(before, AnswerFacts("stop", SECOND, sampling=SamplingParams()), is_grown=True)
    died = joined_facts(before, NO_FACTS, is_grown=True)
    stopped_at_once = joined_facts(before, NO_FACTS, is_grown=False)
    late = joined_facts(NO_FACTS, AnswerFacts("stop", SECOND), is_grown=True)

    assert (ended.reason, ended.stats, ended.preset, ended.is_whole) == ("stop", joined_stats(FIRST, SECOND), "", True)
    assert (died.reason, died.stats, died.sampling, died.preset) == ("", FIRST, sampling, "precise")
    assert (died.is_whole, stopped_at_once.is_whole, late.is_whole) == (False, True, False)
    assert not joined_facts(died, AnswerFacts("stop", SECOND), is_grown=True).is_whole
    assert joined_facts(NO_FACTS, NO_FACTS, is_grown=True) == NO_FACTS


def test_that_a_part_was_not_measured_is_kept() -> None:
    cut = unfinished(AnswerFacts("length", FIRST))

    assert (cut.reason, cut.is_whole) == ("", False)
    assert facts_from_json(facts_to_json(cut)) == cut
    older = json.loads(facts_to_json(AnswerFacts("stop", FIRST)) or "")
    del older["is_whole"], older["stats"]["parts"]
    assert facts_from_json(json.dumps(older)) == AnswerFacts("stop", FIRST)


def test_a_continued_answer_has_the_figures_of_all_its_parts_everywhere(bench: Bench) -> None:
    bench.script.reason = "length"
    bench.ask("Hi")
    bench.script.reason = "stop"
    bench.chat.continue_last()
    bench.until(lambda: bench.chat.answering is None and bench.chat.path[-1].reason == "stop")
    answer = bench.chat.path[-1]

    assert answer.stats is not None
    assert (answer.stats.generated_tokens, answer.stats.decode_s, answer.stats.parts) == (6, 0.5, 2)
    stored = bench.session.store.load(answer.conversation_id)
    assert stored.path()[-1].facts == answer.facts
    exported = json.loads(to_json([stored]))["conversations"][0]["messages"][-1]["facts"]
    assert (exported["stats"]["generated_tokens"], exported["is_whole"]) == (6, True)
    bench.settle()
    (view,) = (each for each in bench.transcript.views if isinstance(each, AnswerView))
    assert view._facts.text().startswith("6 tokens · 8.0 tokens/s")
    shown = dict(sections_of(answer)[0].rows)
    assert (shown["Tokens of the answer"], shown["Written in"]) == ("6", "2 parts, continued in between")


def test_an_engine_that_dies_while_it_continues_leaves_figures_that_say_so(bench: Bench) -> None:
    bench.script.reason = "length"
    bench.ask("Hi")
    bench.script.answer = lambda request: (" More",)
    bench.script.gates["answer"] = threading.Event()
    bench.chat.continue_last()
    bench.until(lambda: bench.chat.path[-1].content.endswith("More"))
    bench.engine.die()
    bench.until(lambda: bench.chat.answering is None)
    bench.settle()

    (view,) = (each for each in bench.transcript.views if isinstance(each, AnswerView))
    assert view._facts.text().startswith("interrupted · 3 tokens")
    assert view._facts.text().endswith("without an interrupted part")
    assert "not measured" in dict(sections_of(bench.chat.path[-1])[0].rows)["Figures"]


def test_a_kill_while_it_continues_leaves_the_figures_of_before(tmp_path: Path) -> None:
    path = tmp_path / "chats.sqlite3"
    chats = open_chats(path)
    answer = chats.start_answer(chats.create("q").messages[0].id, "tiny")
    chats.finish_answer(answer.id, "one", STOPPED, AnswerFacts("cancelled", FIRST))
    chats.continue_answer(answer.id)
    chats.grow_answer(answer.id, "one two")
    chats.database.close()

    again = open_chats(path)
    found = again.message(answer.id)

    assert (found.content, found.status) == ("one two", INTERRUPTED)
    assert (found.stats, found.facts.is_whole) == (FIRST, False)
    again.database.close()


def test_a_stop_before_the_first_new_word_changes_no_figure(chat_bench: ChatBench) -> None:
    chat_bench.script.reason = "length"
    chat_bench.ask("Hi")
    before = chat_bench.chat.path[-1]
    chat_bench.script.gates["prompt"] = threading.Event()
    chat_bench.chat.continue_last()
    chat_bench.until(lambda: chat_bench.chat.is_answering_here)
    chat_bench.chat.stop()
    chat_bench.until(lambda: chat_bench.chat.answering is None)

    after = chat_bench.chat.path[-1]
    assert (after.status, after.stats, after.facts.is_whole) == (STOPPED, before.stats, True)
