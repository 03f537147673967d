"""Sums over windows of text that survive being killed: the long part of a census and of a profile.

Owns the order of the windows, the file that holds the sums so far, and the progress. What is added up is the taps'.
Only whole windows are ever kept, so that sums which go on from a file are those of a run that was never ended. A file
that is damaged, of other weights, other text or other settings is not gone on with.
"""

import hashlib
import itertools
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from engine.errors import Cancelled, DamagedFile, FileMissing
from engine.kernels.formats import Float32
from engine.model.array_file import Arrays, read_arrays, write_arrays
from engine.neurons.calibration import TextWindow
from engine.neurons.study import Study
from engine.runtime.prefill import LayerView, Tap

VERSION = 1
FILE_NAME = "sums.npz"
# Work that may be lost when the process is killed.
SAVE_EVERY_S = 5.0

Sums = Mapping[str, NDArray[Any]]


@dataclass(frozen=True, slots=True)
class WindowJob:
    """One window and the tap that adds to the sums what the model does on it."""

    window: TextWindow
    tap: Tap


def add_up(
    study: Study, jobs: Sequence[WindowJob], sums: Sums, settings: Sequence[Any], *, save_every_s: float = SAVE_EVERY_S
) -> None:
    """Run the jobs in order; their taps add to `sums`, arrays that are zero at first.

    settings   plain values that what is added depends on, beside weights and text
    Sums left by an unfinished study of the same kind are gone on with, and `study.ran_before_s` is set. Raises
    Cancelled, with what whole windows gave kept, or LibraryNotWritable.
    """
    kept = _KeptSums(study, jobs, settings)
    n_done = kept.restore(sums)
    ends = [0, *itertools.accumulate(len(job.window.tokens) for job in jobs)]
    whole: Arrays = {name: array.copy() for name, array in sums.items()}
    saved_at = time.monotonic()
    try:
        study.on_progress("observe", ends[n_done], ends[-1])
        while n_done < len(jobs):
            job = jobs[n_done]
            tap = _Reporting(study, job.tap, ends[n_done], ends[n_done + 1], ends[-1])
            study.model.transformer.observe(job.window.tokens, tap)
            for name, array in sums.items():
                whole[name][...] = array
            n_done += 1
            if time.monotonic() - saved_at >= save_every_s:
                kept.save(n_done, whole, ends[n_done] / ends[-1])
                saved_at = time.monotonic()
            study.on_progress("observe", ends[n_done], ends[-1])
    except Cancelled:
        kept.save(n_done, whole, ends[n_done] / ends[-1])
        raise


class _KeptSums:
    """The file of sums of an unfinished study."""

    def __init__(self, study: Study, jobs: Sequence[WindowJob], settings: Sequence[Any]) -> None:
        self._study, self._name = study, study.spec.study
        self._n_jobs = len(jobs)
        self._path = study.store.work_folder(self._name) / FILE_NAME
        texts = [[job.window.kind, job.window.tokens] for job in jobs]
        facts = json.dumps([VERSION, self._name, study.store.fingerprint, list(settings), texts])
        self._of = hashlib.sha256(facts.encode()).hexdigest()

    def restore(self, sums: Sums) -> int:
        """Fill in the sums of an unfinished study; returns how many windows they are of."""
        try:
            header, found = read_arrays(self._path, sum(array.nbytes for array in sums.values()))
        except (FileMissing, DamagedFile):
            return 0
        n_done, elapsed_s = header.get("n_windows"), header.get("elapsed_s")
        if header.get("of") != self._of or not isinstance(n_done, int) or not isinstance(elapsed_s, float):
            return 0
        if not 0 < n_done <= self._n_jobs:
            return 0
        if {n: (a.shape, a.dtype) for n, a in found.items()} != {n: (a.shape, a.dtype) for n, a in sums.items()}:
            return 0
        for name, array in sums.items():
            array[...] = found[name]
        self._study.ran_before_s = elapsed_s
        return n_done

    def save(self, n_windows: int, sums: Sums, share: float) -> None:
        """Keep the sums of so many windows, unless there are none yet."""
        if n_windows:
            header = {"of": self._of, "n_windows": n_windows, "elapsed_s": float(self._study.elapsed_s)}
            write_arrays(self._path, header, sums)
            self._study.store.note_done(self._name, share)


@dataclass(frozen=True, slots=True)
class _Reporting:
    """Reports progress by layers: each counts as that share of the window's tokens."""

    study: Study
    tap: Tap
    first: int
    last: int
    total: int

    def attended(self, layer: int, heads: Float32) -> None:
        self.tap.attended(layer, heads)

    def neurons(self, layer: int, view: LayerView) -> None:
        self.tap.neurons(layer, view)
        done = (self.last - self.first) * (layer + 1) // (self.study.packed.config.n_layers + 1)
        self.study.on_progress("observe", self.first + done, self.total)
