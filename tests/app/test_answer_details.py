"""What is told of an answer: all that was measured, nothing that was not."""

from dataclasses import replace

from PySide6.QtGui import QGuiApplication

from app.chat.answer_facts import AnswerFacts, facts_from_json, facts_to_json
from app.chat.records import ASSISTANT, StoredMessage
from app.window.answer_detail_words import as_text, sections_of
from app.window.answer_details import AnswerDetails
from engine.messages import GenerationStats, SamplingParams
from engine.placement_reports import StepLoad
from tests.app.conftest import Bench

STATS = GenerationStats(
    400, 100, 1.5, 1.6, 101, 4.0, 2048, examined=(0.5, 0.7), active=(0.1, 0.3), seed=77, step_bytes=60_000_000,
    dense_bytes=150_000_000,
)  # fmt: skip
SAMPLING = SamplingParams(temperature=0.25, stop=("\n\n",), max_tokens=300)
MESSAGE = StoredMessage(
    "m", "c", "q", ASSISTANT, "Hello", model="Demo 1B",
    facts=AnswerFacts("stop", STATS, sampling=SAMPLING, preset="precise"),
)  # fmt: skip
LOAD = StepLoad(100, 4.0, 1.0, 3.0, 0.5, 0.1, 0.2, 750, 250, 10, 5)


def rows(message: StoredMessage, preset: str = "") -> dict[str, str]:
    return {name: value for section in sections_of(message, preset) for name, value in section.rows}


def test_everything_measured_is_there(bench: Bench):
    known = rows(MESSAGE, "Precise")

    assert known["Model"] == "Demo 1B"
    assert known["Tokens of the answer"] == "101"
    assert known["Writing"] == "25.0 tokens/s"
    assert known["Reading the prompt"] == "200 tokens/s"
    assert known["First token after"] == "1.60 s"
    assert known["Active neurons"] == "20.0 %, by layer 10.0 to 30.0 %"
    assert known["Read for a token"].replace("\u00a0", " ") == "60.0 MB"
    assert known["With every neuron"].replace("\u00a0", " ") == "150 MB; 40 % of it was read"
    assert (known["Seed"], known["Preset"], known["Temperature"]) == ("77", "Precise", "0.25")
    assert known["Stop strings"] == r"'\n\n'"
    assert known["Computed"] == "exactly"
    assert known["Ended"] == "by itself"
    stopped = replace(MESSAGE, facts=replace(MESSAGE.facts, stats=replace(STATS, stopped_by="User:")))
    assert rows(stopped)["Ended"] == "at the stop string 'User:'"


def test_what_was_not_measured_is_not_there(bench: Bench):
    known = rows(replace(MESSAGE, facts=AnswerFacts("stop", GenerationStats(0, 0, 0.0, 0.0, 0, 0.0, 2048))))

    for name in ("Writing", "Active neurons", "Read for a token", "Neurons’ work", "Graphics card", "Seed", "Preset"):
        assert name not in known
    assert [section.title for section in sections_of(replace(MESSAGE, facts=AnswerFacts()))] == ["Answer"]


def test_the_card_and_energy_are_told_where_they_are_counted(bench: Bench):
    stats = replace(STATS, load=LOAD, processor_joules=202.0, card_joules=50.5)
    known = rows(replace(MESSAGE, facts=AnswerFacts("stop", stats)))

    assert known["Neurons’ work"] == "75 % graphics card, 25 % processor"
    assert known["Processor and its memory"] == "202.0 J, 2.00 J a token"
    assert known["Graphics card"] == "50.5 J, 0.50 J a token"


def test_facts_survive_the_store():
    assert facts_from_json(facts_to_json(MESSAGE.facts)) == MESSAGE.facts
    assert facts_from_json('{"sampling": {"temperature": 99.0}, "preset": 3}') == AnswerFacts()


def test_the_window_copies_and_gives_the_seed_back(bench: Bench):
    details = AnswerDetails(MESSAGE, "Precise", bench.window)
    details.open()
    chosen: list[int] = []
    details.seed_chosen.connect(chosen.append)

    details.copy_button.click()
    details.seed_button.click()

    assert QGuiApplication.clipboard().text() == as_text(details.sections)
    assert "Seed: 77" in as_text(details.sections)
    assert chosen == [77]
