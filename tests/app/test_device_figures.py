"""Every figure of the device page follows from told ones: predictions between points, accounts that add up, shares."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.device_figures import (
    GIB,
    MIB,
    OTHERS,
    RESERVE,
    UNUSED,
    account_segments,
    facts_segments,
    fired_share,
    heat_pixels,
    hot_edge,
    hot_part,
    load_shares,
    most_budget,
    ours_of,
    predicted,
    read_rate,
    shade,
    slider_step,
    taken_by_others,
    total_of,
)
from engine.placement_reports import BudgetPoint, NeuronSample
from tests.app import device_samples as samples

POINTS = (BudgetPoint(0, 10.0, 0.0, 0, 0, "free"), BudgetPoint(4 * GIB, 20.0, 0.6, 8, 4, "free"),
          BudgetPoint(8 * GIB, 25.0, 0.8, 8, 8, "free"))  # fmt: skip


def test_at_a_point_the_prediction_is_the_offers_own() -> None:
    for point in POINTS:
        found = predicted(POINTS, point.budget_bytes)

        assert found is not None
        assert (found.tokens_per_s, found.hot_share, found.is_between) == (point.tokens_per_s, point.hot_share, False)


@given(st.integers(0, 8 * GIB))
def test_between_points_a_prediction_lies_between_theirs(budget: int) -> None:
    found = predicted(POINTS, budget)

    low = max((p for p in POINTS if p.budget_bytes <= budget), key=lambda p: p.budget_bytes)
    high = min((p for p in POINTS if p.budget_bytes >= budget), key=lambda p: p.budget_bytes)
    assert found is not None
    assert low.tokens_per_s <= found.tokens_per_s <= high.tokens_per_s
    assert low.hot_share <= found.hot_share <= high.hot_share


def test_halfway_is_half() -> None:
    found = predicted(POINTS, 6 * GIB)

    assert found is not None
    assert found.is_between
    assert (found.tokens_per_s, found.hot_share) == pytest.approx((22.5, 0.7))


@pytest.mark.parametrize("budget", [-1, 8 * GIB + 1, 80 * GIB])
def test_nothing_is_predicted_beyond_the_points(budget: int) -> None:
    assert predicted(POINTS, budget) is None
    assert predicted((), budget) is None


def test_the_slider_ends_where_the_offer_does() -> None:
    assert most_budget(samples.offer(points=POINTS, most_bytes=20 * GIB)) == 8 * GIB
    assert most_budget(samples.offer(points=POINTS, most_bytes=5 * GIB)) == 5 * GIB
    assert most_budget(samples.offer(points=())) == 0


@given(st.integers(0, 200 * GIB))
def test_the_arrow_keys_cross_the_range_in_no_fewer_than_fifty_steps(most: int) -> None:
    step = slider_step(most)

    assert step >= MIB
    assert 50 * step <= most or step == MIB


@given(st.integers(0, 10 * GIB))
def test_the_parts_of_an_account_are_the_card(budget: int) -> None:
    state = samples.placement(budget)

    segments = account_segments(state.account)

    assert total_of(segments) == samples.TOTAL
    assert ours_of(segments) == sum(n_bytes for _, n_bytes in state.allocated)
    assert all(segment.n_bytes > 0 for segment in segments)


def test_ours_come_first_and_other_programs_last() -> None:
    names = [segment.name for segment in account_segments(samples.placement().account)]

    assert names[0] == "hot neurons"
    assert names[-3:] == [UNUSED, RESERVE, OTHERS]


def test_the_drivers_figures_are_the_card_as_well() -> None:
    for card in (samples.CARD, samples.SECOND):
        segments = facts_segments(card)

        assert total_of(segments) == card.total_bytes
        assert ours_of(segments) == card.ours_bytes


def test_what_other_programs_took_is_the_difference_of_two_accounts_of_one_card() -> None:
    before, after = samples.placement(), samples.placement(4 * GIB)
    grown = replace(after, account=tuple((n, b + GIB if n == OTHERS else b) for n, b in after.account))

    assert taken_by_others(before, grown) == GIB
    assert taken_by_others(grown, before) == 0
    assert taken_by_others(replace(before, card_uuid="another"), grown) == 0


def test_shares_of_a_load_are_what_the_counters_say() -> None:
    shares = load_shares(samples.load())

    assert shares is not None
    assert shares.card_work == pytest.approx(30 / 39)
    assert shares.processor_work == pytest.approx(9 / 39)
    assert shares.overlap == pytest.approx(0.26 / 0.6)
    assert shares.waited_for_processor == pytest.approx(0.35)
    assert shares.waited_for_card == pytest.approx(0.05)
    assert shares.idle == pytest.approx((0.6 - 0.31 - 0.52 + 0.26) / 0.6)
    assert shares.tokens_per_s == pytest.approx(20 / 0.6)


@pytest.mark.parametrize("nothing", [{"n_tokens": 0}, {"wall_s": 0.0}, {"hot_bytes": 0, "cold_bytes": 0}])
def test_without_tokens_time_or_bytes_nothing_was_measured(nothing: dict[str, float]) -> None:
    assert load_shares(samples.load(**nothing)) is None
    assert load_shares(None) is None


def test_the_rate_of_the_nearest_count_of_threads_is_taken() -> None:
    assert read_rate(samples.SPEEDS, 4) == samples.CPU_RATES[3].bytes_per_s
    assert read_rate(samples.SPEEDS, 64) == samples.CPU_RATES[-1].bytes_per_s
    assert read_rate(None, 4) == 0.0


SMALL = NeuronSample(2, 4, bytes([0, 255, 64, 1, 255, 0, 0, 255]), (1.5, 0.0), samples.load())


def test_a_picture_has_a_byte_for_each_bucket_by_side_and_strength() -> None:
    pixels = heat_pixels(SMALL)

    assert len(pixels) == 8
    assert [shade(pixel)[0] for pixel in pixels] == [True, True, False, False, False, False, False, False]
    assert shade(pixels[0])[1] == 0.0
    assert shade(pixels[1])[1] == 1.0
    assert shade(pixels[2])[1] == pytest.approx(0.5, abs=0.01)


def test_a_bucket_counts_as_hot_where_at_least_half_of_it_is() -> None:
    assert [hot_edge(replace(SMALL, hot_buckets=(hot, 9.0)), 0) for hot in (0.0, 0.4, 0.5, 3.6, 4.0)] == [0, 0, 1, 4, 4]
    assert hot_edge(replace(SMALL, hot_buckets=(0.0, 9.0)), 1) == 4
    assert hot_edge(replace(SMALL, hot_buckets=()), 1) == 0


def test_what_is_said_of_a_bucket_is_of_that_bucket() -> None:
    assert fired_share(SMALL, 0, 1) == 1.0
    assert fired_share(SMALL, 1, 1) == 0.0
    assert [hot_part(SMALL, 0, bucket) for bucket in range(3)] == [1.0, 0.5, 0.0]


def test_a_sample_with_too_few_bytes_still_makes_a_whole_picture() -> None:
    assert len(heat_pixels(replace(SMALL, fired=b"\xff" * 5))) == 8
