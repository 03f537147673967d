"""The governor against simulated machines: what another program takes away is found out from the steps' times alone."""

import itertools
import random
import time

import pytest

from engine.runtime.governor import FIRST_WAIT, LONGEST_WAIT, TRIAL_STEPS, Governor


class Machine:
    """A step takes `work` seconds on one core; threads beyond the free cores share one with another program."""

    def __init__(self, n_cores, work=0.1, noise=0.0, seed=0):
        self.n_cores, self.work, self.noise, self.n_busy = n_cores, work, noise, 0
        self._random = random.Random(seed)

    def seconds(self, n_threads):
        is_shared = n_threads > self.n_cores - self.n_busy
        time = self.work / n_threads * (2 if is_shared else 1)
        return time * (1 + self.noise * self._random.random())

    def run(self, governor, steps):
        """The thread counts and the times of so many steps."""
        counts, times = [], []
        for _ in range(steps):
            counts.append(governor.n_threads)
            times.append(self.seconds(governor.n_threads))
            governor.observe(times[-1])
        return counts, times


@pytest.mark.parametrize("n_cores", [1, 2, 4, 16])
@pytest.mark.parametrize("noise", [0.0, 0.15])
def test_a_quiet_machine_is_left_alone_but_for_rare_trials(n_cores, noise):
    counts, _ = Machine(n_cores, noise=noise).run(Governor(n_cores), 2000)

    assert counts.count(n_cores) >= 2000 - 6 * TRIAL_STEPS
    assert set(counts[:FIRST_WAIT]) == {n_cores}
    assert set(counts) <= {n_cores, n_cores - 1}


def test_a_program_that_was_there_from_the_start_is_found_too():
    machine, governor = Machine(4), Governor(4)
    machine.n_busy = 1

    counts, _ = machine.run(governor, 200)

    assert counts.count(3) > 0.7 * 200


def test_a_conversation_that_grows_is_not_taken_for_another_program():
    machine, governor = Machine(4), Governor(4)

    seen = []
    for _ in range(400):
        machine.work *= 1.002
        seen += machine.run(governor, 1)[0]

    assert seen.count(4) >= 400 - 4 * TRIAL_STEPS


@pytest.mark.parametrize("n_cores", [3, 4, 8])
def test_the_thread_that_waits_for_another_program_is_given_up_and_taken_back(n_cores):
    machine, governor = Machine(n_cores, noise=0.1), Governor(n_cores)
    machine.run(governor, 50)

    machine.n_busy = 1
    machine.run(governor, 2 * TRIAL_STEPS + 1)
    counts, _ = machine.run(governor, 300)
    assert counts.count(n_cores - 1) > 0.85 * 300

    machine.n_busy = 0
    counts, _ = machine.run(governor, LONGEST_WAIT + 2 * TRIAL_STEPS)
    assert counts[-1] == n_cores
    counts, _ = machine.run(governor, 200)
    assert counts.count(n_cores) >= 200 - 3 * TRIAL_STEPS


def test_several_programs_cost_several_threads_found_one_after_the_other():
    machine, governor = Machine(8), Governor(8)
    machine.run(governor, 50)

    machine.seconds = lambda n: {8: 0.04, 7: 0.035, 6: 0.03, 5: 0.02, 4: 0.025}[n]
    counts, _ = machine.run(governor, 200)

    assert counts[5 * TRIAL_STEPS] == 5
    assert counts.count(5) > 0.7 * 200


def test_where_fewer_threads_are_no_faster_all_are_kept_and_trials_get_rare():
    machine, governor = Machine(2), Governor(2)
    machine.run(governor, 50)
    machine.n_busy = 1  # half a core and a whole one are as fast as one alone

    counts, _ = machine.run(governor, 1000)

    assert counts.count(1) <= 6 * TRIAL_STEPS


def test_trials_of_more_threads_cost_little_while_the_other_program_runs():
    machine, governor = Machine(4), Governor(4)
    machine.run(governor, 20)
    machine.n_busy = 1
    machine.run(governor, 50)

    _, times = machine.run(governor, 1000)

    assert sum(times) <= 1.03 * 1000 * machine.seconds(3)


def test_everything_slower_is_the_new_normal():
    machine, governor = Machine(4), Governor(4)
    machine.run(governor, 50)
    machine.work *= 3

    counts, _ = machine.run(governor, 500)

    assert counts.count(4) >= 500 - 4 * TRIAL_STEPS


def test_the_same_times_give_the_same_answers():
    def answers():
        machine, governor = Machine(4, noise=0.5, seed=3), Governor(4)
        machine.n_busy = 1
        return machine.run(governor, 300)

    assert answers() == answers()


def test_counts_stay_between_one_and_all():
    generator, governor = random.Random(1), Governor(3)

    counts = {governor.observe(generator.choice([1e-9, 1e-3, 1.0, 100.0])) for _ in range(5000)}

    assert counts <= {1, 2, 3}


def test_waits_between_trials_are_bounded():
    machine, governor = Machine(4), Governor(4)
    machine.run(governor, 20)
    machine.n_busy = 1

    counts, _ = machine.run(governor, 3000)

    trials = [i for i in range(1, 3000) if counts[i] == 4 and counts[i - 1] == 3]
    waits = [after - before for before, after in itertools.pairwise(trials)]
    assert FIRST_WAIT <= waits[0] <= waits[-1] <= LONGEST_WAIT + 2 * TRIAL_STEPS


def test_an_observation_costs_microseconds():
    governor = Governor(8)
    started = time.perf_counter()
    for i in range(20_000):
        governor.observe(0.01 + i % 7 * 1e-5)

    assert (time.perf_counter() - started) / 20_000 < 20e-6  # 2 where nothing else runs
