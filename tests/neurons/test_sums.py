"""Sums over text that are ended anywhere and gone on with are those of one run; nothing foreign is gone on with."""

import dataclasses

import numpy as np
import pytest

from engine.errors import Cancelled, DamagedFile, FileMissing, StudyInUse
from engine.model.array_file import read_arrays, write_arrays
from engine.neuron_reports import StudySpec
from engine.neurons.calibration import TextWindow
from engine.neurons.census import take_census
from engine.neurons.profile import read_profile, take_profile
from engine.neurons.store import NeuronStore
from engine.neurons.study import run_study
from engine.neurons.sums import FILE_NAME, WindowJob, add_up
from tests.neurons.tiny_study import KilledAt, alike, ignore, packed_tiny, tiny_study, write_text

WINDOWS = [TextWindow("own", tuple(range(first, first + 20))) for first in range(0, 120, 20)]
# Reports of progress over WINDOWS: the first, one for each of 3 layers, one for each window.
N_REPORTS = 1 + len(WINDOWS) * 4


class Adding:
    """Adds up products by layer, and notes on how many windows it ran."""

    def __init__(self, sums):
        self.sums, self.n_windows = sums, 0

    def attended(self, layer, heads):
        """Not added up."""

    def neurons(self, layer, view):
        self.n_windows += layer == 0
        self.sums["products"][layer] += view.product.sum(axis=0, dtype=np.float64)
        self.sums["fired"][layer] += np.count_nonzero(view.product, axis=0)


def empty_sums():
    return {"products": np.zeros((3, 70)), "fired": np.zeros((3, 70), np.int64)}


def run(packed, progress, settings=(), spec=None, windows=WINDOWS, **options):
    """One process's part of the work: the sums, and on how many windows it ran the model."""
    with tiny_study(packed, spec or StudySpec("census"), progress) as study:
        sums = empty_sums()
        tap = Adding(sums)
        add_up(study, [WindowJob(window, tap) for window in windows], sums, list(settings), **options)
        return sums, tap.n_windows


@pytest.fixture
def packed(tmp_path):
    return packed_tiny(tmp_path)


@pytest.fixture
def reports():
    return []


@pytest.fixture
def progress(reports):
    return lambda *report: reports.append(report)


def same(one, other):
    return all(np.array_equal(one[name], other[name]) for name in one)


@pytest.mark.parametrize("killed_at", range(0, N_REPORTS, 3))
def test_a_pause_at_any_moment_changes_nothing(packed, progress, killed_at):
    whole, _ = run(packed, progress, spec=StudySpec("profile"))

    with pytest.raises(Cancelled):
        run(packed, KilledAt(killed_at, Cancelled()))
    resumed, n_windows = run(packed, progress)

    assert same(resumed, whole)
    assert n_windows == len(WINDOWS) - killed_at // 4  # no whole window is run again


def test_a_kill_loses_what_was_not_saved_and_nothing_else(packed, progress):
    whole, _ = run(packed, progress, spec=StudySpec("profile"))

    with pytest.raises(ZeroDivisionError):
        run(packed, KilledAt(15, ZeroDivisionError()), save_every_s=0)
    resumed, n_windows = run(packed, progress)

    assert same(resumed, whole)
    assert n_windows == len(WINDOWS) - 3


def test_progress_never_goes_back_and_ends_at_all_tokens(packed, progress, reports):
    with pytest.raises(Cancelled):
        run(packed, KilledAt(11, Cancelled()))
    assert dict(NeuronStore(packed).unfinished())["census"] == pytest.approx(2 / 6, abs=1e-4)
    run(packed, progress)

    done = [report[1] for report in reports]
    assert {(report[0], report[2]) for report in reports} == {("observe", 120)}
    assert done == sorted(done)
    assert (done[0], done[-1]) == (40, 120)


def test_time_before_a_pause_counts(packed):
    with pytest.raises(Cancelled):
        run(packed, KilledAt(9, Cancelled()))
    path = NeuronStore(packed).work_folder("census") / FILE_NAME
    header, arrays = read_arrays(path, 1 << 20)
    write_arrays(path, header | {"elapsed_s": 1000.0}, arrays)

    with tiny_study(packed, StudySpec("census")) as study:
        sums = empty_sums()
        add_up(study, [WindowJob(window, Adding(sums)) for window in WINDOWS], sums, [])
        assert 1000 < study.elapsed_s < 1100


def flipped(content):
    return content[: len(content) // 2] + bytes([content[len(content) // 2] ^ 1]) + content[len(content) // 2 + 1 :]


DAMAGE = {"short": lambda c: c[:-30], "flipped": flipped, "empty": lambda c: b"", "text": lambda c: b"no zip"}


@pytest.mark.parametrize("damage", DAMAGE)
def test_damaged_sums_are_not_gone_on_with(packed, progress, damage):
    whole, _ = run(packed, progress, spec=StudySpec("profile"))
    with pytest.raises(Cancelled):
        run(packed, KilledAt(15, Cancelled()))
    path = NeuronStore(packed).work_folder("census") / FILE_NAME
    path.write_bytes(DAMAGE[damage](path.read_bytes()))

    resumed, n_windows = run(packed, progress)

    assert n_windows == len(WINDOWS)
    assert same(resumed, whole)


@pytest.mark.parametrize("change", ["settings", "text", "order", "kind", "weights", "shape", "count"])
def test_sums_of_other_work_are_not_gone_on_with(packed, progress, tmp_path, change):
    with pytest.raises(Cancelled):
        run(packed, KilledAt(15, Cancelled()))
    path = NeuronStore(packed).work_folder("census") / FILE_NAME
    windows, settings = WINDOWS, ()
    header, arrays = read_arrays(path, 1 << 20)
    match change:
        case "settings":
            settings = (0.5,)
        case "text":
            windows = [*WINDOWS[:-1], TextWindow("own", tuple(range(7, 27)))]
        case "order":
            windows = WINDOWS[::-1]
        case "kind":
            windows = [dataclasses.replace(window, kind="code") for window in WINDOWS]
        case "weights":
            content = path.read_bytes()
            (tmp_path / "other").mkdir()
            packed = packed_tiny(tmp_path / "other", seed=1)
            path = NeuronStore(packed).work_folder("census") / FILE_NAME
            path.parent.mkdir(parents=True)
            path.write_bytes(content)
        case "shape":
            write_arrays(path, header, arrays | {"fired": arrays["fired"][:, :5]})
        case "count":
            write_arrays(path, header | {"n_windows": 7}, arrays)

    assert run(packed, progress, settings, windows=windows)[1] == len(WINDOWS)


@pytest.mark.parametrize(
    ("study", "take", "killed_at"),
    [("census", take_census, n) for n in (2, 11, 18)] + [("profile", take_profile, n) for n in (2, 11, 16)],
)
def test_a_resumed_study_reports_what_an_uninterrupted_one_does(tmp_path, packed, study, take, killed_at):
    spec = StudySpec(study, paths=(str(write_text(tmp_path / "text.txt")),), n_tokens=4 * 64)
    plain = alike(run_study(spec, packed, 2, lambda *report: None, take))
    counts = None if study == "census" else read_profile(NeuronStore(packed)).uses[0]

    with pytest.raises(Cancelled):
        run_study(spec, packed, 2, AfterLoading(KilledAt(killed_at, Cancelled())), take)
    resumed = alike(run_study(spec, packed, 2, lambda *report: None, take))

    assert resumed == plain
    assert not NeuronStore(packed).work_folder(study).exists()
    if counts:
        again = read_profile(NeuronStore(packed)).uses[0]
        assert np.array_equal(again.fired, counts.fired)
        assert np.array_equal(again.contribution, counts.contribution)


class AfterLoading:
    """Hands on the progress of the study itself."""

    def __init__(self, progress):
        self._progress = progress

    def __call__(self, phase, done, total):
        if phase == "observe":
            self._progress(phase, done, total)


# The file they lie in ---------------------------------------------------------------------------------------------


def test_a_study_that_runs_is_not_run_twice(tmp_path, packed):
    spec = StudySpec("census", paths=(str(write_text(tmp_path / "t.txt")),), n_tokens=256)
    refused = []

    def take(study):
        with pytest.raises(StudyInUse) as told:
            run_study(dataclasses.replace(spec, is_resumed=False), packed, 1, ignore, take_census)
        refused.append(told.value)
        return take_census(study)

    report = run_study(spec, packed, 1, ignore, take)

    assert [error.study for error in refused] == ["census"]
    assert alike(report) == alike(run_study(spec, packed, 1, ignore, take_census))
    assert not list(NeuronStore(packed).folder.glob("unfinished/*"))


def test_arrays_come_back_with_their_header(tmp_path):
    arrays = {"a": np.arange(6.0).reshape(2, 3), "b": np.array(3), "c": np.zeros((0, 4), np.uint8)}
    write_arrays(tmp_path / "x" / "file.npz", {"version": 1, "words": ["ä"]}, arrays)

    header, found = read_arrays(tmp_path / "x" / "file.npz", 100)

    assert header == {"version": 1, "words": ["ä"]}
    assert found.keys() == arrays.keys()
    assert all(
        found[name].dtype == array.dtype and np.array_equal(found[name], array) for name, array in arrays.items()
    )
    assert [path.name for path in (tmp_path / "x").iterdir()] == ["file.npz"]


@pytest.mark.parametrize("way", ["compressed", "pickled", "no header", "list", "claims", "large"])
def test_a_file_that_is_not_such_arrays_is_refused(tmp_path, way):
    path = tmp_path / "file.npz"
    header = np.frombuffer(b"{}", np.uint8)
    match way:
        case "compressed":
            np.savez_compressed(path, header=header, a=np.zeros(1 << 20))
        case "pickled":
            np.savez(path, header=header, a=np.array([{}], object))
        case "no header":
            np.savez(path, a=np.zeros(3))
        case "list":
            np.savez(path, header=np.frombuffer(b"[]", np.uint8))
        case "claims":
            np.savez(path, header=header, a=np.zeros(16))
            path.write_bytes(path.read_bytes().replace(b"(16,), ", b"(9999,)"))
        case "large":
            np.savez(path, header=header, a=np.zeros(1 << 18))

    with pytest.raises(DamagedFile):
        read_arrays(path, 1000)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(FileMissing):
        read_arrays(tmp_path / "none.npz", 1000)
