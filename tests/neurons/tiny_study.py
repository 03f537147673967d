"""Studies of tiny random models on text that is made up, as the program runs them."""

import contextlib
import dataclasses

import numpy as np

from engine.model.pack import pack
from engine.neuron_reports import StudySpec
from engine.neurons.store import NeuronStore
from engine.neurons.study import Study
from engine.runtime.loader import load_model
from tests.tiny_model import TINY, TinyCheckpoint

TEXT = "the of and to in is was he for it with as his on be at by had not are but from or have an they which"


def ignore(*progress):
    """Progress nobody looks at."""


def write_text(path, n_words=4000, seed=0):
    words = np.random.default_rng(seed).choice(TEXT.split(), n_words)
    path.write_text(" ".join(words), encoding="utf-8")
    return path


def packed_tiny(folder, weight_format="f32", seed=0, checkpoint=TinyCheckpoint, **changes):
    config = dataclasses.replace(TINY, **({"activation": "relu", "context_tokens": 64} | changes))
    path = folder / f"tiny-{seed}-{weight_format}.ember"
    return pack(checkpoint(config, seed), path, weight_format, source="", note="", on_step=ignore)


@contextlib.contextmanager
def tiny_study(packed, spec: StudySpec, on_progress=ignore, n_threads=2):
    """What a study is given, as run_study would make it."""
    model = load_model(packed, context_tokens=576, n_threads=n_threads, on_progress=ignore)
    try:
        yield Study(spec, packed, model, NeuronStore(packed), on_progress)
    finally:
        model.close()


class KilledAt:
    """Progress that ends a study at its n-th report, as a kill or a pause would."""

    def __init__(self, n, error):
        self.n, self.error = n, error

    def __call__(self, phase, done, total):
        self.n -= 1
        if self.n < 0:
            raise self.error


def alike(report):
    """A report without what differs from run to run: when and how long."""
    return dataclasses.replace(report, head=dataclasses.replace(report.head, created="", elapsed_s=0.0))
