"""A tier that keeps its promise is hardly ever left, one that breaks it soon is: both by simulation; and what follows
in an answer."""

import numpy as np
import pytest

from engine.runtime.audit import (
    AUDIT_EVERY,
    FALSE_ALARM_AUDITS,
    MOST_DRIFTS,
    Audit,
    Promise,
    is_audited,
    tokens_to_audit,
)

LIMIT = 0.01
# Divergences of single tokens are about log-normal, with a standard deviation of their logarithm of so much.
SPREADS = (0.5, 1.0, 1.5, 2.0)


def promise(spread, calibrated=0.8 * LIMIT):
    """What would be promised of a tier calibrated at this mean."""
    return Promise("fine", LIMIT, float(calibrated * np.exp(2.326 * spread - spread**2 / 2)))


def audits_until_drift(mean, spread, most, trials, seed=0):
    """For each trial how many audits it took, or `most` where no drift was seen."""
    rng, counts = np.random.default_rng(seed), []
    for _ in range(trials):
        audit = Audit(promise(spread))
        kls = mean * np.exp(spread * rng.standard_normal(most) - spread**2 / 2)
        counts.append(next((i + 1 for i, kl in enumerate(kls) if audit.observe(float(kl))), most))
    return np.array(counts)


@pytest.mark.parametrize("spread", SPREADS)
def test_a_tier_at_the_limit_of_its_promise_is_left_as_rarely_as_stated(spread):
    counts = audits_until_drift(LIMIT, spread, most=4 * FALSE_ALARM_AUDITS, trials=80)

    # The mean is cut at `most`, which only lowers it; three deviations of 80 trials are below a third of it.
    assert counts.mean() > 0.67 * FALSE_ALARM_AUDITS


@pytest.mark.parametrize("spread", SPREADS)
def test_a_tier_as_calibrated_is_not_left_in_a_long_conversation(spread):
    counts = audits_until_drift(0.8 * LIMIT, spread, most=128, trials=200)

    assert (counts < 128).mean() <= 0.02


@pytest.mark.parametrize(("spread", "within"), [(0.5, 16), (1.0, 24), (1.5, 48)])
def test_a_mean_of_three_limits_is_seen(spread, within):
    assert np.median(audits_until_drift(3 * LIMIT, spread, most=400, trials=100)) <= within


def test_a_broken_predictor_is_seen_in_a_few_audits():
    assert audits_until_drift(1.0, 1.0, most=50, trials=50).max() <= 6


@pytest.mark.parametrize("kl", [promise(1.0).kl_p99, 0.5, 20.0, float("inf")])
def test_one_token_decides_nothing(kl):
    audit = Audit(promise(1.0))
    ordinary = 0.8 * LIMIT * np.exp(np.random.default_rng(1).standard_normal(64) - 0.5)

    assert not any(audit.observe(float(each)) for each in [*ordinary, kl, *ordinary])


def test_drift_after_a_long_good_run_is_seen_as_soon():
    late = Audit(promise(1.0))
    for _ in range(2000):
        assert not late.observe(0.5 * LIMIT)

    n_late = next(i for i in range(100) if late.observe(3 * LIMIT))
    early = Audit(promise(1.0))
    n_early = next(i for i in range(100) if early.observe(3 * LIMIT))

    assert n_late <= n_early


def test_a_tier_is_withdrawn_after_repeated_drift():
    audit = Audit(promise(1.0))
    for n in range(MOST_DRIFTS):
        assert not audit.is_withdrawn
        while not audit.observe(1.0):
            pass
        assert audit.n_drifts == n + 1

    assert audit.is_withdrawn


def test_every_sixty_fourth_position_is_audited():
    audited = [position for position in range(1000) if is_audited(position)]

    assert audited == list(range(AUDIT_EVERY - 1, 1000, AUDIT_EVERY))
    assert all(is_audited(position + tokens_to_audit(position)) for position in range(200))
    assert all(tokens_to_audit(position) < AUDIT_EVERY for position in range(200))
