"""What others take of the machine is told apart from what we take."""

import itertools
import time

import psutil
import pytest

from engine.bench import machine
from engine.bench.machine import Watch, machine_facts


@pytest.mark.parametrize(
    ("busy_s", "own_s", "share"),
    [(0.0, 0.0, 0.0), (10.0, 10.0, 0.0), (10.0, 4.0, 0.3), (20.0, 0.0, 1.0), (3.0, 4.0, 0.0), (99.0, 0.0, 1.0)],
)
def test_others_took_what_was_busy_and_not_ours(monkeypatch: pytest.MonkeyPatch, busy_s, own_s, share):
    """Ten seconds on two processors."""
    monkeypatch.setattr(psutil, "cpu_count", lambda: 2)
    monkeypatch.setattr(machine, "_busy_s", itertools.chain([100.0, 100.0 + busy_s]).__next__)
    monkeypatch.setattr(machine, "_own_s", itertools.chain([5.0, 5.0 + own_s]).__next__)
    monkeypatch.setattr(time, "monotonic", itertools.chain([1.0, 11.0], itertools.repeat(11.0)).__next__)

    assert Watch().others_share() == pytest.approx(share)


def test_our_own_work_is_counted_as_ours():
    before, end = machine._own_s(), time.process_time() + 0.2
    while time.process_time() < end:
        pass

    assert machine._own_s() - before >= 0.15


def test_facts_name_the_machine():
    facts = machine_facts()

    assert facts.architecture
    assert facts.system
    assert facts.usable_cores >= 1
    assert facts.memory_bytes > 0
    assert 0.0 <= facts.busy_share <= 1.0
