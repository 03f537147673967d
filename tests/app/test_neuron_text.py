"""What is said of neurons is what the reports hold: no figure is lost, none is made up, and nothing empty breaks it."""

from dataclasses import fields, replace

import pytest

from app.neuron_figures import at_wanted_recall, best_of, small_error_silence, sufficing
from app.neuron_text import (
    KL_MEANING,
    drift_words,
    duration,
    nats,
    not_sparse,
    refused_words,
    share,
    study_facts,
    study_headline,
    study_notes,
    study_tables,
    tier_missing,
)
from engine.neuron_reports import (
    COVERED,
    STUDIES,
    TIER_LIMITS,
    UNION_TOKENS,
    OraclePoint,
    PredictorFigures,
    RefusedTier,
    StudyReport,
    Thresholding,
)
from tests.app import neuron_samples as samples
from tests.app.fake_engine import STARTER

REPORTS = dict(samples.every_report())
SPARSE = replace(STARTER, model_id="relu-7b", is_sparse=True)


def said(report: StudyReport, *, every_layer: bool = False) -> str:
    """Everything that is said of a report, as one text."""
    parts = [study_headline(report), *study_notes(report)]
    parts += [f"{name} {value}" for name, value in study_facts(report)]
    for table in study_tables(report, every_layer=every_layer):
        parts += [table.title, *table.heading, *(cell for row in table.rows for cell in row)]
    return "\n".join(parts)


@pytest.mark.parametrize("study", STUDIES)
@pytest.mark.parametrize("every_layer", [False, True])
def test_every_table_has_a_cell_for_each_heading(study: str, every_layer: bool) -> None:
    for table in study_tables(REPORTS[study], every_layer=every_layer):
        assert {len(row) for row in table.rows} == {len(table.heading)}
        assert max(table.numeric) < len(table.heading)


@pytest.mark.parametrize("study", STUDIES)
def test_subject_text_and_licence_stand_above_every_report(study: str) -> None:
    facts = dict(study_facts(REPORTS[study]))

    assert facts["Model"] == "Starter 135M (starter-135m)"
    assert "30 layers" in facts["Shape"]
    assert "16,384 tokens" in facts["Text"]
    assert facts["  code"] == "4,096: Python's standard library (PSF-2.0)"
    assert "4 min" in facts["Measured"]


@pytest.mark.parametrize("study", STUDIES)
def test_a_summary_is_as_long_for_eighty_layers_as_for_thirty(study: str) -> None:
    def n_rows(report: StudyReport) -> int:
        return sum(len(table.rows) for table in study_tables(report))

    assert n_rows(dict(samples.every_report(samples.LARGE))[study]) == n_rows(REPORTS[study])


@pytest.mark.parametrize("study", ["census", "profile", "predictors", "tiers"])
def test_every_layer_has_a_row_when_asked_for(study: str) -> None:
    report = dict(samples.every_report(samples.LARGE))[study]

    by_layer = [t for t in study_tables(report, every_layer=True) if t.heading[0] == "layer"]

    assert by_layer
    assert all({row[0] for row in table.rows} == {str(i) for i in range(80)} for table in by_layer)


@pytest.mark.parametrize("study", STUDIES)
def test_a_report_without_layers_or_text_is_still_told(study: str) -> None:
    empty = {"layers": (), "uses": (), "overlaps": (), "active": (), "neurons": (), "heads": (), "tiers": ()}
    names = {field.name for field in fields(REPORTS[study])}
    head = replace(REPORTS[study].head, corpora=())
    report = replace(REPORTS[study], head=head, **{n: v for n, v in empty.items() if n in names})

    assert "Starter 135M" in said(report)
    assert "Starter 135M" in said(report, every_layer=True)


# Census -----------------------------------------------------------------------------------------------------------


def test_a_summary_gives_mean_extremes_and_where_they_are() -> None:
    report = samples.census()
    silent = [layer.silent for layer in report.layers]
    (row,) = [row for table in study_tables(report) for row in table.rows if row[0] == "silent"]

    lowest, highest = min(silent), max(silent)
    expected = (sum(silent) / 30, lowest, silent.index(lowest), highest, silent.index(highest), silent[0], silent[-1])
    assert row[1:] == tuple(str(x) if isinstance(x, int) else share(x) for x in expected)


def test_every_share_of_a_census_is_in_its_tables() -> None:
    (first, *_) = study_tables(samples.census())

    names = {row[0] for row in first.rows}
    assert {f"carry {100 * c:g} %" for c in COVERED} | {f"any of {n}" for n in UNION_TOKENS} < names
    assert {"exact zeros", "silent", "also before", "never", "always"} < names


def test_a_model_that_is_never_silent_is_told_what_thresholding_would_give() -> None:
    report = samples.census(samples.SILU)

    silenced = sum(small_error_silence(layer) for layer in report.layers) / len(report.layers)

    assert silenced > 0
    assert f"silence {share(silenced)} of the neurons" in said(report)
    assert "Nothing is ever exactly zero" in said(report)
    assert "Nothing is ever exactly zero" not in said(samples.census())


def test_only_thresholds_with_a_small_error_count() -> None:
    steps = (Thresholding(0.1, 0.2, 0.001), Thresholding(0.2, 0.4, 0.01), Thresholding(0.3, 0.9, 0.02))
    layer = replace(samples.census().layers[0], thresholding=steps)

    assert small_error_silence(layer) == 0.4
    assert small_error_silence(replace(layer, thresholding=steps[2:])) == 0.0


# Profile ----------------------------------------------------------------------------------------------------------


def test_kinds_are_compared_in_both_orders_and_the_nearest_named() -> None:
    report = samples.profile()
    means = {(o.kind, o.other): o.mean for o in report.overlaps}
    (table,) = [t for t in study_tables(report) if "Jaccard" in t.title]
    cells = {
        (row[0], column): cell for row in table.rows for column, cell in zip(table.heading[1:], row[1:], strict=True)
    }

    assert cells["prose", "code"] == cells["code", "prose"] == share(means["prose", "code"])
    assert cells["code", "code"] == "100 %"
    assert f"fewest ({share(min(means.values()))})" in study_headline(report)


def test_published_counts_are_said_to_be_no_rates() -> None:
    plain, with_counts = samples.profile(), replace(samples.profile(), importance=True)

    assert "importance" not in said(plain)
    assert "say nothing of how often" in said(with_counts)


def test_counted_chats_are_said_to_stay_here() -> None:
    assert "1,234 tokens were counted, on this computer only" in said(replace(samples.profile(), chat_tokens=1234))


# Predictors -------------------------------------------------------------------------------------------------------


def point(named: float, recall: float, saved: float, kind: str = "sign") -> PredictorFigures:
    return PredictorFigures(kind, "normed", 0, 100, 0.0, named, recall - 0.01, recall, 0.5, saved)


def test_a_predictor_stands_for_its_fewest_named_neurons_with_the_wanted_recall() -> None:
    layer = [point(0.9, 0.999, 10), point(0.6, 0.991, 40), point(0.4, 0.98, 60)]

    assert at_wanted_recall(layer) == [layer[1]]
    assert best_of(layer) is layer[1]


def test_a_predictor_that_saves_nothing_or_misses_too_much_is_never_best() -> None:
    assert best_of([point(0.9, 0.995, -5), point(0.2, 0.5, 90)]) is None
    assert best_of([]) is None


def test_savings_are_summed_over_the_layers_where_one_saves() -> None:
    report = replace(
        samples.predictors(), active=(0.1, 0.1), layer_bytes=1000,
        layers=((point(0.5, 0.995, 400.0),), (point(0.99, 0.995, -90.0),)),
    )  # fmt: skip

    assert "In 1 of 2 layers" in study_headline(report)
    assert "400 bytes a token, 20 %" in study_headline(report)


def test_predictors_that_reach_the_recall_nowhere_are_listed_without_figures() -> None:
    report = replace(samples.predictors(), layers=((point(0.5, 0.7, 400.0),),), active=(0.1,))

    (row, *_) = study_tables(report)[0].rows
    assert row[3:7] == ("0 of 1", "–", "–", "–")
    assert "No predictor saves bytes" in study_headline(report)


def test_the_look_ahead_stands_beside_the_same_layer() -> None:
    rows = [row[:2] for row in study_tables(samples.predictors())[0].rows]

    at = rows.index(("linear, rank 72", "before attention"))
    assert rows[at + 1] == ("linear, rank 72", "same layer")


# Oracle -----------------------------------------------------------------------------------------------------------


def test_the_ceiling_is_the_least_share_within_each_limit() -> None:
    points = [OraclePoint(k, kl, 3 * kl, 0.0, 40.0) for k, kl in ((1.0, 0.0), (0.3, 0.009), (0.2, 0.02), (0.1, 0.5))]

    assert [(name, p.kept) for name, p in sufficing(points)] == [("fine", 0.3), ("fast", 0.2)]
    assert sufficing(points[3:]) == []


def test_a_ceiling_that_is_all_is_called_so() -> None:
    report = replace(samples.oracle(), heads=samples.oracle().heads[:1])

    assert dict(study_facts(report))["Heads"].endswith("all for fine (KL 0.01), all for fast (KL 0.03)")


# Tiers ------------------------------------------------------------------------------------------------------------


def test_every_figure_of_a_tier_is_in_the_table() -> None:
    report = samples.tiers()
    fast = next(tier for tier in report.tiers if tier.name == "fast")
    (row,) = [row for row in study_tables(report)[0].rows if row[0] == "fast"]

    assert row[1:] == (
        "0.03", nats(fast.kl_mean), nats(fast.kl_upper), nats(fast.kl_p99), share(fast.flips), "42.05", "+1.03 %",
        "57.9", "0.49", "56.2", "1.76",
    )  # fmt: skip


def test_computing_every_neuron_stands_beside_the_tiers() -> None:
    assert study_tables(samples.tiers())[0].rows[-1][0] == "every neuron"


def test_a_tier_that_is_not_offered_says_why() -> None:
    text = said(samples.tiers(offered=()))

    assert "fine is not offered: nothing worth leaving out" in text
    assert "fast is not offered: its mean KL may be as high as 0.041, and 0.03 is its limit" in text
    assert "(new)" in refused_words(RefusedTier("fast", "new"))


@pytest.mark.parametrize("study", STUDIES)
def test_divergence_is_explained_once_where_it_is_used(study: str) -> None:
    assert study_notes(REPORTS[study]).count(KL_MEANING) == (study in ("oracle", "tiers"))


def test_what_packing_costs_is_said_only_where_it_was_measured() -> None:
    assert "Packing" not in dict(study_facts(samples.tiers()))
    assert "0.0031" in dict(study_facts(replace(samples.tiers(), format_kl=0.0031)))["Packing"]


@pytest.mark.parametrize("offered", [("exact",), ("exact", "fine")])
def test_a_missing_tier_names_those_that_are_there_and_what_to_do(offered: tuple[str, ...]) -> None:
    text = tier_missing("fast", offered, SPARSE)

    assert all(name in text.cause for name in offered)
    assert "ember calibrate relu-7b" in text.action


def test_a_calibration_that_offers_nothing_says_so_first() -> None:
    report = samples.tiers()
    exact = tuple(tier for tier in report.tiers if tier.name == "exact")

    assert study_headline(replace(report, tiers=exact)).startswith("No tier is offered")
    assert study_headline(report).startswith("Offered: ")


def test_a_name_that_is_no_tier_is_told_the_names() -> None:
    assert all(name in tier_missing("quick", ("exact",), SPARSE).action for name in ("exact", *TIER_LIMITS))


def test_a_model_that_can_have_no_tiers_is_not_sent_to_calibrate() -> None:
    text = tier_missing("fast", ("exact",), replace(SPARSE, is_sparse=False, feed_forward="gated silu"))

    assert "gated silu" in text.action
    assert "calibrate" not in text.action


def test_a_model_without_silent_neurons_is_told_what_a_census_can_say() -> None:
    text = not_sparse("silu-1b", "gated silu", "tiers")

    assert "gated silu" in text.cause
    assert "ember profile silu-1b --census" in text.action


def test_drift_is_told_with_the_token_it_began_at() -> None:
    assert "From token 129 on" in drift_words("fast", 128)


# Numbers ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0 %"), (0.0001, "<0.1 %"), (0.004, "0.4 %"), (0.0994, "9.9 %"), (0.0996, "10 %"), (0.314, "31 %"),
        (0.989, "99 %"), (0.994, "99.4 %"), (0.9996, ">99.9 %"), (1.0, "100 %"), (-0.05, "-5.0 %"),
    ],
)  # fmt: skip
def test_shares_keep_the_digits_that_count(value: float, text: str) -> None:
    assert share(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.0, "0"), (0.00001, "<0.0001"), (0.0071, "0.0071"), (0.0213, "0.021"), (0.281, "0.281"), (2.913, "2.91")],
)
def test_divergences_keep_the_digits_that_count(value: float, text: str) -> None:
    assert nats(value) == text


@pytest.mark.parametrize(("seconds", "text"), [(4, "4 s"), (130, "2 min"), (5999, "100 min"), (7500, "2 h 5 min")])
def test_durations_are_written_as_people_do(seconds: float, text: str) -> None:
    assert duration(seconds) == (text if seconds != 5999 else "1 h 40 min")
