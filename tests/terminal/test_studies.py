"""Studies and comparisons on the command line, over an engine that follows a script."""

import io
import json
import os
import re
import signal
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest
from prompt_toolkit.utils import get_cwidth
from scripted_engine import DIE, LARGE, STARTER, STATS, WAIT, Script

import engine.api
from app.cli import main
from app.command_line import arguments, studies
from app.neuron_text import study_tables
from app.terminal.columns import side_by_side, wrapped
from app.terminal.compare import MARK, comparison_text
from app.terminal.console import Console
from app.terminal.studies import kept_text, report_text
from app.time_left import TimeLeft, time_left_words
from engine.errors import UNREADABLE_PART, DamagedFile, FileMissing, ProfileRefused, TextUnusable
from engine.messages import (
    AddProfile,
    CompareTiers,
    EngineConfig,
    Generate,
    LoadModel,
    Progress,
    StudiesRead,
    StudyNeurons,
)
from engine.neuron_reports import KINDS, STUDIES, Comparison, study_from_json
from tests.app import neuron_samples as samples

SPARSE = replace(LARGE, model_id="relu-7b", name="Relu 7B", feed_forward="gated relu", is_sparse=True)


@pytest.fixture(autouse=True)
def own_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("EMBER_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("TERM", "dumb")
    return tmp_path / "home"


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> Script:
    """Every engine that is opened follows this script."""
    script = Script(models=[STARTER, LARGE, SPARSE], kept=dict(samples.every_report()))

    def open_engine(_config: EngineConfig, on_event, *, in_process: bool = False):
        return script.open(on_event)

    monkeypatch.setattr(engine.api, "open_engine", open_engine)
    return script


def asked(script: Script) -> StudyNeurons:
    return next(r for r in script.requests if isinstance(r, StudyNeurons))


def interrupted_when_waiting(script: Script) -> threading.Thread:
    def press() -> None:
        script.waiting.wait(10)
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=press)
    thread.start()
    return thread


# What is asked ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "study"),
    [
        ("profile relu", "profile"),
        ("profile relu --census", "census"),
        ("profile --oracle relu", "oracle"),
        ("train-predictor relu", "predictors"),
        ("calibrate relu", "tiers"),
    ],
)
def test_each_command_asks_for_its_study_and_prints_the_report(words: str, study: str, script: Script, capsys):
    assert main(words.split()) == 0

    spec = asked(script).spec
    assert (spec.study, spec.model_id, spec.is_resumed, spec.n_tokens) == (study, "relu-7b", True, 0)
    assert capsys.readouterr().out == report_text(script.kept[study], None, every_layer=False) + "\n"


def test_options_reach_the_study(script: Script, tmp_path: Path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    main(
        [
            "train-predictor",
            "relu",
            "--ranks",
            "32,64",
            "--tokens",
            "9000",
            "--published",
            "there",
            "--text",
            "a.txt",
            "b.txt",
            "--anew",
        ]
    )

    spec = asked(script).spec
    assert (spec.ranks, spec.n_tokens, spec.is_resumed) == ((32, 64), 9000, False)
    assert spec.published == str(tmp_path / "there")
    assert spec.paths == (str(tmp_path / "a.txt"), str(tmp_path / "b.txt"))
    assert spec.ember_version


def test_kinds_and_counts_reach_the_profile(script: Script, tmp_path: Path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    main(["profile", "relu", "--kinds", "prose,code", "--counts", "c"])

    assert (asked(script).spec.kinds, asked(script).spec.counts) == (("prose", "code"), str(tmp_path / "c"))


def test_the_command_line_knows_the_studies_and_kinds_of_the_engine():
    assert (studies.STUDIES, arguments.TEXT_KINDS) == (STUDIES, KINDS)


def test_without_a_model_the_starter_is_studied(script: Script):
    main(["profile", "--census"])

    assert asked(script).spec.model_id == "starter-id"


@pytest.mark.parametrize(
    "words", ["profile --kinds poems", "profile --tokens 0", "profile --census --oracle", "calibrate --ranks 3"]
)
def test_misuse_exits_with_two_and_opens_no_engine(words: str, script: Script):
    with pytest.raises(SystemExit) as caught:
        main(words.split())

    assert (caught.value.code, script.opened) == (2, 0)


def test_ranks_beyond_their_range_are_told(script: Script, capsys):
    assert main(["train-predictor", "relu", "--ranks", "9999"]) == 2
    assert "9999" in capsys.readouterr().err


def test_an_unknown_model_is_told(script: Script, capsys):
    assert main(["profile", "nosuch"]) == 1
    assert "“nosuch”" in capsys.readouterr().err


def test_an_empty_library_is_told(script: Script, capsys):
    script.models.clear()

    assert main(["profile"]) == 1
    assert "ember import" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["train-predictor", "calibrate"])
def test_a_model_whose_neurons_are_never_silent_is_refused_with_what_can_be_had(command: str, script: Script, capsys):
    code = main([command, "large-7b"])

    told = capsys.readouterr()
    assert (code, told.out) == (1, "")
    assert "ember profile large-7b --census" in told.err
    assert not any(isinstance(r, StudyNeurons) for r in script.requests)


# Pausing and going on ---------------------------------------------------------------------------------------------


@pytest.mark.skipif(os.name == "nt", reason="signals to oneself")
def test_ctrl_c_pauses_and_says_how_to_go_on(script: Script, capsys):
    script.study = [("observe", 1, 4), WAIT]
    thread = interrupted_when_waiting(script)

    code = main(["profile", "relu", "--census", "--tokens", "9000", "--anew"])

    thread.join()
    told = capsys.readouterr()
    assert (code, told.out) == (130, "")
    assert told.err.splitlines()[-1] == "Paused. Go on with: ember profile relu --census --tokens 9000"


def test_a_second_run_says_where_it_goes_on(script: Script, capsys):
    script.unfinished = {"predictors": 0.351}

    main(["train-predictor", "relu"])

    assert "at 35 %" in capsys.readouterr().err
    assert asked(script).spec.is_resumed


def test_begun_anew_nothing_is_said_of_what_was_paused(script: Script, capsys):
    script.unfinished = {"predictors": 0.351}

    main(["train-predictor", "relu", "--anew"])

    assert "35 %" not in capsys.readouterr().err


def test_an_engine_that_dies_tells_how_to_go_on(script: Script, capsys):
    script.study = [("train", 1, 4), DIE]

    code = main(["train-predictor", "relu"])

    told = capsys.readouterr().err
    assert code == 1
    assert "Go on with: ember train-predictor relu" in told
    assert "Traceback" not in told


def test_an_error_of_the_engine_is_told(script: Script, capsys):
    script.study = [FileMissing("/own.txt", "no such file").report()]

    assert main(["profile", "relu"]) == 1
    assert "“/own.txt”" in capsys.readouterr().err


# Files ------------------------------------------------------------------------------------------------------------


def test_the_report_is_written_as_json_and_as_a_page(script: Script, tmp_path: Path, capsys):
    data, page = tmp_path / "r.json", tmp_path / "r.html"

    main(["calibrate", "relu", "--json", str(data), "--html", str(page)])

    assert study_from_json("tiers", data.read_text(encoding="utf-8")) == script.kept["tiers"]
    assert page.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert f"Written: {page}" in capsys.readouterr().err


def test_a_file_that_cannot_be_written_is_told_before_the_study(script: Script, tmp_path: Path, capsys):
    code = main(["calibrate", "relu", "--html", str(tmp_path / "no" / "r.html")])

    assert code == 1
    assert "No such file" in capsys.readouterr().err
    assert not any(isinstance(r, StudyNeurons) for r in script.requests)


def test_a_study_that_fails_leaves_no_empty_file_and_an_old_one_alone(script: Script, tmp_path: Path):
    script.study = [TextUnusable("", "too_short", 512).report()]
    old = tmp_path / "old.html"
    old.write_text("old")

    main(["profile", "relu", "--json", str(tmp_path / "new.json"), "--html", str(old)])

    assert not (tmp_path / "new.json").exists()
    assert old.read_text() == "old"


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (TextUnusable("/x/a.txt", "not_utf8"), "“/x/a.txt” is no text in UTF-8."),
        (TextUnusable("/x/a.txt", "empty"), "There is no text in “/x/a.txt”."),
        (TextUnusable("/x", "no_file"), "“/x” is no file of text."),
        (TextUnusable("/x/a.txt", "too_large"), "“/x/a.txt” is too large"),
        (TextUnusable("", "too_short", 4096), "which needs 4,096 tokens of it or more."),
    ],
)
def test_text_that_cannot_be_used_is_not_called_a_setting(script: Script, capsys, error, words):
    script.study = [error.report()]

    assert main(["profile", "relu", "--text", __file__]) == 1

    told = " ".join(capsys.readouterr().err.split())
    assert words in told
    assert "setting" not in told


def test_every_layer_is_printed_when_asked_for(script: Script, capsys):
    main(["profile", "relu", "--census", "--layers"])

    rows = [line for line in capsys.readouterr().out.splitlines() if re.match(r"\s+29\s", line)]
    assert len(rows) >= 2


# What is kept -----------------------------------------------------------------------------------------------------


def test_neurons_lists_every_study_with_its_state(script: Script, capsys):
    script.kept = {"census": samples.census(), "tiers": samples.tiers()}
    script.unfinished, script.stale = {"predictors": 0.5}, ("oracle",)

    assert main(["neurons", "relu"]) == 0

    out = capsys.readouterr().out
    states = {line.strip().partition("  ")[0]: line for line in out.splitlines()[2:7]}
    assert "done" in states["Census"]
    assert "not done" in states["Activation profile"]
    assert "unfinished, at 50 %" in states["Predictors"]
    assert "of other weights" in states["Two-pass ceiling"]
    assert "ember profile relu-7b --oracle" in out
    assert "ember train-predictor relu-7b" in out
    assert "ember calibrate relu-7b" not in out
    assert "Tiers on text they were not chosen on" in out


def test_neurons_of_a_model_that_is_never_silent_asks_for_no_predictor(script: Script, capsys):
    script.kept = {}

    main(["neurons", "large"])

    out = capsys.readouterr().out
    assert "ember profile large-7b --census" in out
    assert "train-predictor" not in out
    assert "not for this model" in out


@pytest.mark.parametrize("study", STUDIES)
def test_a_kept_report_is_shown_again_without_a_study(study: str, script: Script, tmp_path: Path, capsys):
    page = tmp_path / "r.html"

    assert main(["neurons", "relu", study, "--html", str(page)]) == 0

    assert capsys.readouterr().out == report_text(script.kept[study], None, every_layer=False) + "\n"
    assert page.exists()
    assert not any(isinstance(r, StudyNeurons) for r in script.requests)


@pytest.mark.parametrize(
    ("script_changes", "words"),
    [
        ({}, "nothing is kept"),
        ({"unfinished": {"census": 0.25}}, "unfinished, at 25 %"),
        ({"stale": ("census",)}, "of other weights"),
    ],
)
def test_a_report_that_is_not_kept_is_told_with_the_command(script_changes, words: str, script: Script, capsys):
    script.kept = {}
    for name, value in script_changes.items():
        setattr(script, name, value)

    code = main(["neurons", "relu", "census"])

    told = capsys.readouterr().err
    assert code == 1
    assert words in told
    assert "ember profile relu-7b --census" in told


def test_damaged_reports_keep_nobody_from_the_sound_ones(script: Script, capsys):
    script.kept = {"tiers": samples.tiers()}
    script.damaged = ("census", "oracle")

    assert main(["neurons", "relu"]) == 0
    listed = capsys.readouterr().out
    assert listed.count("damaged, measure again") == 2
    assert "ember profile relu-7b --census" in listed
    assert "ember profile relu-7b --oracle" in listed
    assert main(["neurons", "relu", "tiers"]) == 0
    assert "damaged" not in capsys.readouterr().err
    assert main(["neurons", "relu", "oracle"]) == 1
    told = capsys.readouterr().err
    assert "damaged" in told
    assert "ember profile relu-7b --oracle" in told


def test_the_list_says_when_in_the_time_of_this_computer(script: Script, monkeypatch, capsys):
    monkeypatch.setenv("TZ", "Asia/Shanghai")
    time.tzset()
    try:
        tiers = samples.tiers()
        head = replace(tiers.head, created="2026-11-30T20:07:11+00:00")
        script.kept = {"tiers": replace(tiers, head=head)}
        assert main(["neurons", "relu"]) == 0
    finally:
        monkeypatch.undo()
        time.tzset()
    assert "1 Dec 2026, 04:07" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "command"),
    [
        ("profile.npz", "ember profile relu-7b."), ("census.json", "ember profile relu-7b --census."),
        ("predictors.npz", "ember train-predictor relu-7b."), ("tier-fast.npz", "ember calibrate relu-7b."),
    ],
)  # fmt: skip
def test_a_damaged_file_of_a_study_is_measured_again_and_not_fetched(script: Script, capsys, name: str, command: str):
    script.profile_error = DamagedFile(f"/models/relu-7b.neurons/{name}", UNREADABLE_PART).report()

    assert main(["neurons", "relu", "--save-profile", "mine.npz"]) == 1

    told = " ".join(capsys.readouterr().err.split())
    assert "a part of it cannot be read" in told
    assert command in told
    assert "Fetch" not in told


def test_a_damaged_report_does_not_keep_a_study_from_being_made_again(script: Script, capsys):
    script.kept_error = DamagedFile("/models/relu-7b.neurons/census.json", "no JSON").report()

    assert main(["profile", "relu", "--census"]) == 0


def test_a_file_for_all_studies_is_refused(script: Script, tmp_path: Path, capsys):
    assert main(["neurons", "relu", "--json", str(tmp_path / "r.json")]) == 2
    assert "ember neurons relu-7b census" in capsys.readouterr().err


# Widths -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("columns", [28, 44, 79, 131])
@pytest.mark.parametrize("study", STUDIES)
def test_no_line_of_a_report_is_wider_than_the_terminal(study: str, columns: int):
    report = dict(samples.every_report(samples.LARGE))[study]

    lines = report_text(report, columns, every_layer=False).splitlines()

    assert [line for line in lines if get_cwidth(line) > columns] == []


def test_what_was_counted_of_chats_is_told_and_deleted(script: Script, capsys):
    script.chat_tokens = 1234

    assert main(["neurons", "relu"]) == 0
    assert "1,234 tokens" in capsys.readouterr().out
    assert main(["neurons", "relu", "--forget-chats"]) == 0
    assert "1,234 tokens" in capsys.readouterr().err
    assert script.chat_tokens == 0
    assert main(["neurons", "relu", "--forget-chats"]) == 0
    assert "Nothing was counted" in capsys.readouterr().err


def test_a_profile_is_saved_for_others_and_theirs_is_added(script: Script, tmp_path: Path, capsys):
    assert main(["neurons", "relu", "--save-profile", str(tmp_path / "mine.npz")]) == 0
    assert f"Written: {tmp_path / 'mine.npz'}" in capsys.readouterr().err
    assert main(["neurons", "relu", "--add-profile", str(tmp_path / "theirs.npz")]) == 0
    assert "dialogue" in capsys.readouterr().out
    added = next(r for r in script.requests if isinstance(r, AddProfile))
    assert (added.model_id, added.path) == ("relu-7b", str(tmp_path / "theirs.npz"))

    script.profile_error = ProfileRefused("theirs.npz", "other_weights").report()
    assert main(["neurons", "relu", "--add-profile", "theirs.npz"]) == 1
    assert "other weights" in capsys.readouterr().err


def test_no_line_of_the_list_is_wider_than_the_terminal():
    kept = StudiesRead("", "relu-7b", samples.every_report(), (("census", 0.5),), ("oracle",))

    lines = kept_text(kept, SPARSE, 44).splitlines()

    assert [line for line in lines if get_cwidth(line) > 44] == []


@pytest.mark.parametrize("columns", [28, 60])
def test_narrow_tables_lose_no_cell(columns: int):
    shown = "".join(report_text(samples.tiers(), columns, every_layer=False).split())

    cells = [cell for table in study_tables(samples.tiers()) for row in table.rows for cell in row]

    assert [cell for cell in cells if "".join(cell.split()) not in shown] == []


@pytest.mark.parametrize(
    "text", ["", "a", "one two three", "两个字和 some words", "abcdefghijklmnop", "a\n\nb", "  in"]
)
@pytest.mark.parametrize("width", [2, 5, 9])
def test_wrapping_keeps_every_character_and_the_width(text: str, width: int):
    lines = wrapped(text, width)

    assert max(map(get_cwidth, lines)) <= width
    assert "".join("".join(lines).split()) == "".join(text.split())


def test_no_line_begins_with_a_mark_that_closes():
    lines = wrapped("两个字，三个字。" * 3, 6)

    assert [line for line in lines if line[0] in "，。"] == []


def test_a_table_that_is_too_wide_is_turned_before_it_is_broken_up():
    lines = report_text(samples.tiers(), 79, every_layer=False).splitlines()

    assert "  tier                  exact     fine     fast  every neuron" in lines


def test_columns_beside_each_other_are_aligned():
    lines = side_by_side("一二三四五六七八", "short", 20)

    assert len({get_cwidth(line.partition("│")[0]) for line in lines}) == 1
    assert all("│" in line for line in lines)


# Time left --------------------------------------------------------------------------------------------------------


def test_time_left_follows_the_speed_and_not_what_was_done_before():
    left = TimeLeft()

    assert left.seconds("train", 50, 100, 0.0) is None
    assert left.seconds("train", 60, 100, 10.0) == pytest.approx(40.0)
    assert left.seconds("train", 100, 100, 50.0) is None


def test_time_left_goes_by_the_later_half_where_the_speed_changes():
    left = TimeLeft()
    for second in range(41):  # one each second, and from the 20th on one each four seconds
        said = left.seconds("train", second if second <= 20 else 20 + (second - 20) // 4, 100, float(second))

    assert said == pytest.approx(75 * 4)


def test_time_left_begins_anew_with_a_phase_and_waits_until_it_knows():
    left = TimeLeft()
    left.seconds("observe", 0, 200, 0.0)

    assert left.seconds("observe", 40, 200, 4.0) is None
    assert left.seconds("observe", 100, 200, 10.0) == pytest.approx(10.0)
    assert left.seconds("train", 50, 100, 11.0) is None
    assert left.seconds("train", 51, 100, 30.0) == pytest.approx(19.0 * 49)


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (3, "less than a minute"),
        (70, "about 1 min"),
        (250, "about 4 min"),
        (1500, "about 25 min"),
        (9000, "about 2.5 h"),
    ],
)
def test_time_left_is_said_as_people_do(seconds: float, words: str):
    assert time_left_words(seconds) == f"{words} left"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def progressed(err: io.StringIO, shares: range) -> str:
    """What a console says of a phase that takes ten seconds a step."""
    now = iter(range(0, 100_000, 10))
    times = {"at": 0.0}
    console = Console(io.StringIO(), err, lambda: times["at"])
    for done in shares:
        times["at"] = float(next(now))
        console.progress(Progress("1", "train", done, 100))
    return err.getvalue()


def test_a_terminal_shows_phase_share_and_time_left():
    shown = progressed(Terminal(), range(0, 41, 10))

    assert "Training predictors  40 %, less than a minute left" not in shown
    assert shown.endswith("Training predictors  40 %, about 1 min left")


def test_a_narrow_terminal_leaves_the_time_out(monkeypatch):
    monkeypatch.setenv("COLUMNS", "30")

    assert progressed(Terminal(), range(0, 41, 10)).rstrip().endswith("Training predictors  40 %")


def test_a_pipe_gets_a_line_for_each_tenth_that_takes_long():
    lines = progressed(io.StringIO(), range(0, 100, 5)).splitlines()

    assert lines[0] == "Training predictors..."
    assert lines[1].startswith("Training predictors: 10 %")
    assert len(lines) == 10
    assert all("\r" not in line for line in lines)


# Comparing --------------------------------------------------------------------------------------------------------


def test_compare_asks_with_a_seed_and_shows_both(script: Script, tmp_path: Path, capsys):
    script.tiers, script.comparison = ("exact", "fast"), samples.DIVERGING
    data = tmp_path / "c.json"

    code = main(["compare", "relu", "--tier", "fast", "--seed", "7", "Why does", "it rain?", "--json", str(data)])

    request = next(r for r in script.requests if isinstance(r, CompareTiers))
    out = capsys.readouterr().out
    assert code == 0
    assert (request.tier, request.sampling.seed, request.sampling.max_tokens) == ("fast", 7, 256)
    assert [(m.role, m.content) for m in request.messages] == [("user", "Why does it rain?")]
    assert out == comparison_text(samples.DIVERGING, None) + "\n"
    assert json.loads(data.read_text(encoding="utf-8"))["diverges_at"] == 4


def test_the_first_token_that_differs_is_marked_in_both_and_named():
    text = comparison_text(samples.DIVERGING, None)

    assert f"evaporation{MARK}: the sun" in text
    assert f"evaporation{MARK}. Water" in text
    assert "the same for 4 tokens and part at token 5" in text
    assert "“:”" in text
    assert "1.36 times as fast" in text


def test_same_answers_are_said_to_be_the_same_and_bear_no_mark():
    text = comparison_text(samples.IDENTICAL, None)

    assert "the same, all 5 tokens" in text
    assert MARK not in text


def test_an_answer_that_only_ends_earlier_is_told():
    text = comparison_text(Comparison("fast", ("a", " b"), ("a",), 1, 0.0, 0.0), None)

    assert "exact goes on with “ b”, fast ends there" in text
    assert "times" not in text


@pytest.mark.parametrize("columns", [30, 71, 72, 120])
@pytest.mark.parametrize("comparison", [samples.DIVERGING, samples.IDENTICAL, samples.CHINESE])
def test_comparisons_fit_the_terminal_and_stand_beside_each_other_where_there_is_room(comparison, columns: int):
    lines = comparison_text(comparison, columns).splitlines()

    assert [line for line in lines if get_cwidth(line) > columns] == []
    assert ("│" in lines[0]) == (columns >= 72)


@pytest.mark.parametrize("tier", ["fast", "exact", "quick"])
def test_a_tier_that_is_not_there_is_told_with_what_is_and_what_to_do(tier: str, script: Script, capsys):
    code = main(["compare", "relu", "--tier", tier, "hi"])

    told = capsys.readouterr()
    assert (code, told.out) == (1, "")
    assert "exact" in told.err
    if tier != "quick":
        assert "ember calibrate relu-7b" in told.err
    assert not any(isinstance(r, CompareTiers) for r in script.requests)


# Chatting by a tier -----------------------------------------------------------------------------------------------


def chat(script: Script, monkeypatch, words: list[str], lines: str = "") -> int:
    monkeypatch.setattr(sys, "stdin", io.StringIO(lines))
    return main(["chat", "relu-7b", *words])


def test_a_chat_answers_by_the_tier_it_is_given(script: Script, monkeypatch, capsys):
    script.tiers = ("exact", "fine")
    script.stats = replace(STATS, tier="fine", audited_tokens=3, audit_kl=0.0042)

    code = chat(script, monkeypatch, ["--tier", "fine", "--stats", "hi"])

    told = capsys.readouterr().err
    assert code == 0
    assert [r.tier for r in script.requests if isinstance(r, Generate)] == ["fine"]
    assert "tier fine, 3 tokens checked, mean KL 0.0042" in told


def test_a_chat_is_not_begun_with_a_tier_the_model_does_not_offer(script: Script, monkeypatch, capsys):
    code = chat(script, monkeypatch, ["--tier", "fast", "hi"])

    assert code == 1
    assert "ember calibrate relu-7b" in capsys.readouterr().err
    assert not any(isinstance(r, Generate) for r in script.requests)


def test_an_answer_that_left_its_tier_says_so_without_being_asked(script: Script, monkeypatch, capsys):
    script.tiers = ("exact", "fast")
    script.stats = replace(STATS, tier="fast", tier_left_at=128, audited_tokens=2, audit_kl=0.4)

    chat(script, monkeypatch, ["--tier", "fast", "hi"])

    assert "From token 129 on this answer was computed exactly" in capsys.readouterr().err


def test_the_tier_is_changed_within_a_chat(script: Script, monkeypatch, capsys):
    script.tiers = ("exact", "fine")

    chat(script, monkeypatch, [], "a\n/set tier fine\nb\n/set tier fast\nc\n/params\n")

    told = capsys.readouterr()
    assert [r.tier for r in script.requests if isinstance(r, Generate)] == ["exact", "fine", "fine"]
    assert "tier = fine" in told.out
    assert "exact and fine" in told.err
    assert "this model has exact, fine" in told.out


def test_another_model_without_the_tier_answers_exactly_and_says_so(script: Script, monkeypatch, capsys):
    script.tiers = ("exact", "fine")
    loads = iter([("exact", "fine"), ("exact",)])
    load = script.open

    def open_engine(_config: EngineConfig, on_event, *, in_process: bool = False):
        fake = load(on_event)
        submit = fake.submit

        def submitted(request) -> None:
            if isinstance(request, LoadModel):
                script.tiers = next(loads)
            submit(request)

        fake.submit = submitted
        return fake

    monkeypatch.setattr(engine.api, "open_engine", open_engine)

    chat(script, monkeypatch, ["--tier", "fine"], "/model large-7b\nb\n")

    assert [r.tier for r in script.requests if isinstance(r, Generate)] == ["exact"]
    assert "large-7b has no tier fine" in capsys.readouterr().err
