"""`ember plan`: what a budget buys, in words and tables, with every prediction named as one."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from scripted_engine import LARGE, STARTER, Script

import engine.api
from app.cli import main
from app.device_words import basis_words
from app.terminal.plan import account_table, budget_table, comparison_table, plan_facts, plan_text
from engine.errors import InvalidRequest, OutOfMemory
from engine.messages import OfferPlacement, ReadDevices
from engine.placement_reports import (
    BudgetPoint,
    CardFacts,
    CardProcess,
    DeviceReport,
    MachineSpeeds,
    PlacementOffer,
    ThreadRate,
)

GIB = 1 << 30
MODEL = replace(LARGE, is_sparse=True)
SPEEDS = MachineSpeeds((ThreadRate(1, 2e10), ThreadRate(2, 4.5e10)), "GPU-1", 9e11, 2e10, 2e10, 6e-6, 4e-5, "", 1.0)
CARD = CardFacts(
    "GPU-1", "NVIDIA RTX 4090", 0, (8, 9), 24 * GIB, 20 * GIB, GIB // 2, 0, (CardProcess("blender", 7, 3 * GIB),),
    "PCIe 4.0 x16",
)  # fmt: skip
REPORT = DeviceReport(
    "Some CPU", 8, 16, 16, 64 * GIB, 40 * GIB, "usable", "", "580.1", "cupy-cuda13x 14.2.0", (CARD,), "GPU-1", SPEEDS
)  # fmt: skip
NO_CARD = replace(REPORT, state="no_driver", cards=(), chosen_uuid="", driver="", cupy="")
POINTS = tuple(
    BudgetPoint(i * GIB // 2, 4.0 + i, i / 40, 32 if i > 8 else 0, i % 5, "dense on card") for i in range(41)
)
ACCOUNT = (
    ("context and modules", GIB // 2), ("workspace", 8 << 20), ("attention", 2 * GIB), ("head", GIB // 4),
    ("predictors", 0), ("KV cache", GIB), ("hot neurons", 8 * GIB), ("other programs", 4 * GIB),
    ("reserve", GIB // 2), ("unused", 24 * GIB - 2 * GIB // 2 - (8 << 20) - 15 * GIB - GIB // 4),
)  # fmt: skip
OFFER = PlacementOffer(
    "large-7b", 4096, "GPU-1", POINTS, (("whole layers", 20.0), ("cpu only", 4.0)), 39 * GIB // 2, 18 * GIB, "profile",
    12 * GIB, 40 * GIB, POINTS[36], ACCOUNT,
)  # fmt: skip
ALONE = replace(
    OFFER, card_uuid="", points=POINTS[:1], baselines=(("cpu only", 4.0),), most_bytes=0, recommended_bytes=0,
    chosen=POINTS[0], account=(),
)  # fmt: skip


@pytest.fixture(autouse=True)
def own_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("EMBER_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> Script:
    script = Script(report=REPORT, offer=OFFER)

    def open_engine(config, on_event, *, in_process: bool = False):
        script.config = config
        return script.open(on_event)

    monkeypatch.setattr(engine.api, "open_engine", open_engine)
    return script


def asked(script: Script) -> OfferPlacement:
    return next(request for request in script.requests if isinstance(request, OfferPlacement))


def fact(name: str, facts: list[tuple[str, str]]) -> str:
    return dict(facts)[name]


# What is said -----------------------------------------------------------------------------------------------------


def test_the_machine_the_card_and_its_users_are_named():
    text = plan_text(MODEL, REPORT, OFFER)

    for words in (
        "Some CPU, 16 of 16 hardware threads usable, 64.0 GiB; 2 threads read 45.0 GB/s",
        "NVIDIA RTX 4090: 24.0 GiB, 20.0 GiB free · PCIe 4.0 x16", "blender 3.0 GiB",
        "18.0 GiB: 40.0 tokens/s, predicted; 90 % of the neurons' work on the card", "4.0 tokens/s, predicted",
        basis_words(OFFER),
    ):  # fmt: skip
        assert words in text


def test_every_speed_of_the_text_is_called_predicted():
    for line in plan_text(MODEL, REPORT, OFFER).splitlines():
        is_row = line.startswith("  ")
        assert is_row or "tokens/s" not in line or "predicted" in line


def test_budgets_are_few_and_name_the_recommended_one():
    table = budget_table(OFFER)

    assert len(table.rows) <= 16
    assert table.rows[0][0] == "0 MiB"
    assert table.rows[-1][0] == "20.0 GiB"
    assert [row[0] for row in table.rows if row[-1] == "recommended"] == ["18.0 GiB"]
    assert [row[0] for row in table.rows if row[-1] == "all that is free"] == ["19.5 GiB"]
    speeds = [float(row[1].split()[0]) for row in table.rows]
    assert speeds == sorted(speeds)


def test_a_budget_that_was_asked_for_has_its_row():
    asked_for = replace(OFFER, chosen=BudgetPoint(int(5.2 * GIB), 14.1, 0.3, 8, 3, "by layer"))

    rows = budget_table(asked_for).rows

    assert [row[:2] for row in rows if row[-1] == "asked for"] == [("5.2 GiB", "14.1 tokens/s")]


def test_names_of_the_account_add_up_to_the_card():
    table = account_table(OFFER)

    figures = [int(row[1].replace(",", "")) for row in table.rows]
    assert sum(figures[:-1]) == figures[-1] == CARD.total_bytes
    assert not any(row[0] == "predictors" for row in table.rows)


def test_other_plans_stand_beside_embers():
    rows = comparison_table(OFFER).rows

    assert rows[0] == ("Ember's plan", "40.0 tokens/s")
    assert ("Whole layers on the card, as many as fit", "20.0 tokens/s") in rows


def test_other_plans_are_within_the_budget_that_was_asked_for():
    asked_for = replace(OFFER, chosen=POINTS[8], asked_bytes=4 * GIB)

    table = comparison_table(asked_for)

    assert table.title.startswith("Within 4.0 GiB,")
    assert table.rows[0] == ("Ember's plan", "12.0 tokens/s")
    assert comparison_table(OFFER).title.startswith("Within 19.5 GiB,")


def test_a_context_longer_than_the_model_reads_is_said_not_to_be_reckoned_with():
    facts = plan_facts(MODEL, REPORT, OFFER, 99_999_999)

    assert facts[0] == ("Model", f"{MODEL.name}, context of 4,096 tokens")
    assert facts[1][1].startswith("A context of 99,999,999 was asked for")
    assert plan_facts(MODEL, REPORT, OFFER, 4096) == plan_facts(MODEL, REPORT, OFFER)


@pytest.mark.parametrize(
    "state", ["no_driver", "no_answer", "old_driver", "no_device", "no_compiler", "not_installed", "too_old", "failed"]
)
def test_without_a_usable_card_the_reason_and_what_to_do_are_told(state):
    text = plan_text(MODEL, replace(NO_CARD, state=state), ALONE)

    assert "ember plan --assume-card NAME" in text
    assert "4.0 tokens/s, predicted" in text
    assert "What each budget" not in text
    assert "{" not in text


def test_an_assumed_card_is_called_one():
    text = plan_text(MODEL, NO_CARD, replace(OFFER, assumed="RTX 4090", card_uuid="assumed RTX 4090"))

    assert "The RTX 4090 is not in this machine" in text
    assert "nothing of it was measured" in text
    assert "Other makes" not in text


def test_a_demonstration_is_never_called_a_card():
    emulated = replace(OFFER, card_uuid="emulated", assumed="RTX 4060")

    facts = plan_facts(MODEL, replace(NO_CARD, state="emulated"), emulated)

    assert fact("Card", facts).startswith("Demonstration: the processor plays the card.")
    assert "published figures of the RTX 4060, an assumption" in fact("Basis", facts)
    for table in (budget_table(emulated), comparison_table(emulated)):
        assert "by the published figures of the RTX 4060, an assumption" in table.title
    for table in (budget_table(OFFER), comparison_table(OFFER)):
        assert "published" not in table.title


def test_a_dense_models_basis_is_that_all_is_read():
    basis = fact("Basis", plan_facts(replace(MODEL, is_sparse=False), REPORT, OFFER))

    assert "No neuron of this model can be silent" in basis
    assert "profile" not in basis


def test_a_model_larger_than_memory_is_said_to_run_from_the_disk():
    large = replace(OFFER, memory_bytes=80 * GIB)

    assert "read from the disk" in fact("Main memory", plan_facts(MODEL, REPORT, large))


def test_a_budget_that_brings_nothing_says_so():
    useless = replace(OFFER, chosen=replace(POINTS[0], budget_bytes=GIB))

    assert "the processor alone is as fast" in fact("This budget", plan_facts(MODEL, REPORT, useless))


def test_narrow_terminals_get_whole_lines():
    text = plan_text(MODEL, REPORT, OFFER, 60)

    assert max(map(len, text.splitlines())) <= 60


# What is asked ----------------------------------------------------------------------------------------------------


def test_options_reach_the_engine(script, capsys):
    code = main(["plan", "large-7b", "--vram", "4GiB", "--context", "2048", "--card", "4090", "--threads", "3"])

    assert code == 0
    request = asked(script)
    assert (request.model_id, request.vram_bytes, request.context_tokens) == ("large-7b", 4 * GIB, 2048)
    assert (request.card, request.assumed_card) == ("4090", "")
    assert (script.config.card, script.config.n_threads) == ("4090", 3)
    assert "What each budget of the card's memory buys, predicted" in capsys.readouterr().out


def test_the_context_that_was_asked_for_is_compared_with_what_is_reckoned_with(script, capsys):
    assert main(["plan", "large-7b", "--context", "99999999"]) == 0

    assert "A context of 99,999,999 was asked for" in capsys.readouterr().out


def test_without_a_model_it_is_the_starter(script):
    assert main(["plan", "--assume-card", "RTX 4070"]) == 0

    assert (asked(script).model_id, asked(script).assumed_card) == (STARTER.model_id, "RTX 4070")
    assert script.config.card == "none"


def test_json_holds_the_offer_and_the_machine(script, capsys):
    assert main(["plan", "large-7b", "--json"]) == 0

    values = json.loads(capsys.readouterr().out)
    assert values["offer"]["recommended_bytes"] == OFFER.recommended_bytes
    assert len(values["offer"]["points"]) == len(POINTS)
    assert values["devices"]["cards"][0]["uuid"] == "GPU-1"


@pytest.mark.parametrize(
    ("text", "n_bytes"),
    [("4GiB", 4 * GIB), ("4", 4 * GIB), ("1.5gib", 3 * GIB // 2), ("800MiB", 800 << 20), ("2GB", 2 * 10**9), ("0", 0)],
)  # fmt: skip
def test_sizes_have_units(script, text, n_bytes):
    main(["plan", "large-7b", "--vram", text])

    assert asked(script).vram_bytes == n_bytes


@pytest.mark.parametrize("text", ["much", "-4GiB", "4XB", "", "4 GiB 2"])
def test_what_is_no_size_is_refused(script, text, capsys):
    with pytest.raises(SystemExit) as caught:
        main(["plan", "large-7b", f"--vram={text}"])

    assert caught.value.code == 2
    assert "is no size" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("error", "words", "code"),
    [
        (
            OutOfMemory("hot neurons", 9 * GIB, 8 * GIB),
            "Not enough memory on the card for hot neurons: 9.0 GiB needed, 8.0 GiB free",
            1,
        ),
        (InvalidRequest("card", "4090", "auto, none"), "auto, none", 2),
        (InvalidRequest("assumed_card", "9999", "RTX 3060, RTX 4090"), "RTX 3060, RTX 4090", 2),
    ],
)
def test_what_cannot_be_is_told_and_a_wrong_argument_exits_with_two(script, capsys, error, words, code):
    script.offer = error.report()

    assert main(["plan", "large-7b"]) == code

    assert words in capsys.readouterr().err


def test_an_empty_library_is_told(script, capsys):
    script.models = []

    assert main(["plan"]) == 1

    assert "ember import" in capsys.readouterr().err


def test_the_doctor_measures_first_where_it_is_asked_to(script, capsys):
    main(["doctor", "--measure"])

    (request,) = [request for request in script.requests if isinstance(request, ReadDevices)]
    assert request.measure
    assert "Measured speeds" in capsys.readouterr().out


def test_the_doctor_alone_opens_no_engine(script):
    main(["doctor"])

    assert script.opened == 0
