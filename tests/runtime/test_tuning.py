"""The tuning is measured once for a machine, and whatever is in its file costs no more than measuring again."""

import dataclasses
import json

import numpy as np
import pytest

from engine.messages import EngineConfig, ImportModel, LoadModel, ModelReady, Progress
from engine.placement.hardware import probe_processor
from engine.runtime import tuning
from engine.runtime.decoder import FETCH_AHEAD
from engine.runtime.transformer import Transformer
from engine.runtime.tuning import choose, thread_steps, tuned
from engine.runtime.tuning_file import FETCHES, FILE_NAME, Rate, Tuning, latest, stored
from engine.worker import Worker
from tests.tiny_model import write_gguf


def rates_of(speeds, row_format="int8"):
    """{(threads, fetch): bytes a second} → rates."""
    return tuple(Rate(row_format, n, fetch, speed) for (n, fetch), speed in speeds.items())


class Measurement:
    """Rates that grow with the threads up to `bus`, fastest with 1536 bytes fetched ahead; counts its calls."""

    def __init__(self, bus=100.0, rates=None):
        self.bus, self.calls, self._rates = bus, [], rates

    def __call__(self, n_pool, counts, on_step):
        self.calls.append((n_pool, counts))
        on_step(1, 1)
        if self._rates is not None:
            return self._rates
        return rates_of({(n, f): min(10.0 * n, self.bus) + (f == 1536) for n in counts for f in FETCHES})


def nothing(done, total):
    """Progress nobody looks at."""


@pytest.fixture
def eight_cores(monkeypatch):
    monkeypatch.setattr(tuning, "compute_threads", lambda wanted: wanted or 8)


def test_the_fewest_threads_within_three_percent_of_the_best_are_chosen():
    speeds = {(1, 0): 50, (2, 0): 97.1, (4, 0): 100, (8, 0): 99}

    assert choose(rates_of(speeds)).n_threads == 2
    assert choose(rates_of(speeds | {(2, 0): 96.9})).n_threads == 4


def test_the_fetching_is_the_best_for_the_threads_chosen():
    speeds = {(1, 0): 50, (1, 3072): 40, (2, 0): 80, (2, 3072): 100, (4, 0): 102, (4, 3072): 90}

    assert choose(rates_of(speeds)) == Tuning(2, 3072, rates_of(speeds))
    assert choose(rates_of({(1, 0): 50, (1, 1536): 50})).fetch_ahead == 0


def test_both_formats_count_alike_however_fast_they_are():
    slow = rates_of({(1, 0): 1.0, (1, 1536): 0.5})
    fast = rates_of({(1, 0): 900.0, (1, 1536): 1000.0}, "int4")

    assert choose(slow + fast).fetch_ahead == 0


@pytest.mark.parametrize(
    ("n", "steps"), [(1, (1,)), (2, (1, 2)), (4, (1, 2, 3, 4)), (6, (1, 2, 3, 4, 6)), (16, (1, 2, 4, 8, 16))]
)
def test_many_cores_are_tried_in_a_few_steps(n, steps):
    assert thread_steps(n) == steps


def test_a_machine_is_measured_once(tmp_path, eight_cores):
    measure, seen = Measurement(bus=40), []

    first = tuned(tmp_path, None, lambda done, total: seen.append((done, total)), measure)
    again = tuned(tmp_path, None, pytest.fail, measure)

    assert first == again
    assert (first.n_threads, first.fetch_ahead) == (4, 1536)
    assert first.bytes_per_s("int8") == 41
    assert latest(tmp_path, probe_processor().model) == first
    assert latest(tmp_path, "another processor") is None
    assert measure.calls == [(8, (1, 2, 4, 8))]
    assert seen == [(1, 1)]


def test_a_wanted_number_of_threads_is_taken_and_only_the_fetching_tuned(tmp_path, eight_cores):
    measure = Measurement(bus=10)

    found = tuned(tmp_path, 5, nothing, measure)

    assert (found.n_threads, found.fetch_ahead) == (5, 1536)
    assert measure.calls == [(5, (5,))]
    assert tuned(tmp_path, None, nothing, measure).n_threads == 1
    assert tuned(tmp_path, 5, nothing, measure) == found
    assert len(measure.calls) == 2


@pytest.mark.parametrize("changed", ["cache_name", "usable_processors", "cgroup_cores"])
def test_other_kernels_or_another_share_of_the_machine_are_measured_anew(tmp_path, eight_cores, monkeypatch, changed):
    measure = Measurement()
    tuned(tmp_path, None, nothing, measure)

    monkeypatch.setattr(tuning, changed, lambda: "numba-other" if changed == "cache_name" else 7)
    tuned(tmp_path, None, nothing, measure)

    assert len(measure.calls) == 2
    assert len(stored(tmp_path)) == 2


GOOD = {"n_threads": 2, "fetch_ahead": 0, "rates": []}


@pytest.mark.parametrize(
    "content",
    [
        b"", b"\xff\xfe", b"{", b"[1]", b"null", b'{"other": 3}',
        json.dumps({"k": GOOD | {"fetch_ahead": -1}}).encode(),
        json.dumps({"k": GOOD | {"n_threads": 0}}).encode(), json.dumps({"k": GOOD | {"rates": [{}]}}).encode(),
        json.dumps({"k": GOOD | {"rates": 7}}).encode(), json.dumps({"k": GOOD | {"n_threads": "2"}}).encode(),
    ],
)  # fmt: skip
def test_a_damaged_file_costs_measuring_again_and_is_replaced(tmp_path, eight_cores, content):
    (tmp_path / FILE_NAME).write_bytes(content)
    measure = Measurement()

    found = tuned(tmp_path, None, nothing, measure)

    assert tuned(tmp_path, None, nothing, measure) == found
    assert len(measure.calls) == 1


def test_more_threads_than_this_pool_has_are_not_believed(tmp_path, eight_cores, monkeypatch):
    measure = Measurement()
    tuned(tmp_path, None, nothing, measure)
    monkeypatch.setattr(tuning, "compute_threads", lambda wanted: 2)

    assert tuned(tmp_path, None, nothing, measure).n_threads == 2


def test_a_folder_that_cannot_be_written_costs_measuring_at_every_start(tmp_path, eight_cores):
    blocker = tmp_path / "file"
    blocker.write_text("in the way")
    measure = Measurement()

    for _ in range(2):
        assert tuned(blocker / "folder", None, nothing, measure).n_threads == 8
    assert len(measure.calls) == 2
    assert [p.name for p in tmp_path.iterdir()] == ["file"]


def test_without_memory_to_measure_in_all_threads_are_taken_and_nothing_is_kept(tmp_path, eight_cores):
    assert tuned(tmp_path, None, nothing, Measurement(rates=())) == Tuning(8, FETCH_AHEAD)
    assert not list(tmp_path.iterdir())


def test_machines_of_long_ago_are_forgotten(tmp_path, eight_cores, monkeypatch):
    for number in range(20):
        monkeypatch.setattr(tuning, "cache_name", lambda number=number: f"numba-{number}")
        tuned(tmp_path, None, nothing, Measurement())

    assert len(stored(tmp_path)) == 8
    assert tuning.machine_key(None) in stored(tmp_path)


def test_a_tuning_is_stored_as_it_was(tmp_path, eight_cores):
    found = tuned(tmp_path, None, nothing, Measurement())

    assert json.loads((tmp_path / FILE_NAME).read_text()) == {
        tuning.machine_key(None): json.loads(json.dumps(dataclasses.asdict(found)))
    }


def test_the_measurement_reads_every_choice_in_every_format():
    seen = []

    rates = tuning.measure_rates(
        2, (1, 2), lambda done, total: seen.append((done, total)), n_bytes=1 << 20, budget_s=0.0
    )

    assert {(r.row_format, r.n_threads, r.fetch_ahead) for r in rates} == {
        (name, n, fetch) for name in ("int8", "int4") for n in (1, 2) for fetch in FETCHES
    }
    assert all(1e6 < rate.bytes_per_s < 1e13 for rate in rates)
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)
    assert seen[-1][0] == seen[-1][1]


def test_a_measurement_that_is_stopped_leaves_no_thread():
    def stop(done, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tuning.measure_rates(2, (1, 2), stop, n_bytes=1 << 20)


def test_more_memory_than_is_free_is_not_measured_in(monkeypatch):
    assert tuning.measure_rates(1, (1,), nothing, n_bytes=1 << 50) == ()


def test_the_largest_cache_is_found_where_the_system_tells(tmp_path):
    for index, size in enumerate(("32K", "1M", "unknown", "24M")):
        (tmp_path / f"index{index}").mkdir()
        (tmp_path / f"index{index}" / "size").write_text(size + "\n")

    assert tuning.largest_cache_bytes(tmp_path) == 24 << 20
    assert tuning.largest_cache_bytes(tmp_path / "nowhere") == 0


# In the engine ----------------------------------------------------------------------------------------------------


def tuned_like(plain, n_threads, tuning):
    """The same model as `plain`, with a tuning."""
    parts, tensors = plain._prefill._parts, plain._decoder._tensors
    sizes = {"context_tokens": 64, "cache_kind": plain.cache.kind, "n_threads": n_threads}
    return Transformer(plain.config, parts, tensors, **sizes, tuning=tuning)


@pytest.mark.parametrize(("n_threads", "fetch_ahead"), [(1, 0), (2, 6144), (9, 1536)])
def test_a_tuned_step_has_the_same_bits(tiny_transformer, n_threads, fetch_ahead):
    plain = tiny_transformer("int4", n_threads=3)
    expected = [plain.decode_step(token).copy() for token in range(5)]

    other = tuned_like(plain, 3, Tuning(n_threads, fetch_ahead))
    try:
        assert other._decoder.n_active_threads == min(n_threads, 3)
        assert other._decoder.fetch_ahead == fetch_ahead
        assert all(np.array_equal(other.decode_step(token), expected[token]) for token in range(5))
    finally:
        other.close()


def test_the_governor_decides_how_many_threads_a_step_takes(tiny_transformer, monkeypatch):
    plain = tiny_transformer("int8", n_threads=3)
    expected = [plain.decode_step(token % 300).copy() for token in range(60)]
    other, counts = tuned_like(plain, 3, Tuning(3, 0)), []
    try:
        for token in range(60):
            other._governor.n_threads = 1 + token % 3
            monkeypatch.setattr(other._governor, "observe", lambda seconds, token=token: 1 + token % 3)
            assert np.array_equal(other.decode_step(token % 300), expected[token])
            counts.append(other._decoder.n_active_threads)
    finally:
        other.close()
    assert counts == [1 + token % 3 for token in range(60)]


def test_the_first_load_measures_and_says_so(tmp_path, kernel_cache, monkeypatch):
    measure, events = Measurement(), []
    monkeypatch.setattr(tuning, "measure_rates", measure)
    config = EngineConfig(str(tmp_path / "library"), str(tmp_path / "cache" / "kernels"))
    worker = Worker(config, events.append)
    try:
        worker.run(ImportModel("import", str(write_gguf(tmp_path / "tiny.gguf")), "int8"))
        for request_id in ("first", "second"):
            worker.run(LoadModel(request_id, "tiny"))
    finally:
        worker.close()

    assert [e.request_id for e in events if isinstance(e, ModelReady)] == ["first", "second"]
    phases = [(e.request_id, e.phase) for e in events if isinstance(e, Progress)]
    assert ("first", "tune") in phases
    assert ("second", "tune") not in phases
    assert phases.index(("first", "tune")) < phases.index(("first", "read"))
    assert len(measure.calls) == 1
    assert (tmp_path / "cache" / FILE_NAME).exists()
