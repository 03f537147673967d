"""One study of a model's neurons: what it is given, and what every report begins with.

Studies run on the compute lane like any other request. Whatever takes long notes its state in the store's work folder
as it goes, raises Cancelled where `on_progress` does, and goes on from there when asked again.
"""

import contextlib
import datetime
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from engine.errors import DownloadInUse, StudyInUse
from engine.hub.model_infos import packed_info
from engine.hub.transfer.part_file import FileLock, disk_errors
from engine.model.packed_model import PackedModel
from engine.neuron_reports import Corpus, ReportHead, StudyReport, StudySpec, Subject
from engine.neurons.calibration import own_text
from engine.neurons.store import NeuronStore
from engine.runtime.loader import LoadedModel, load_model

# phase, done, total; may raise Cancelled.
OnProgress = Callable[[str, int, int], None]

# Positions of the cache a study runs with: windows of text are at most so long.
WINDOW_TOKENS = 512


@dataclass(slots=True)
class Study:
    """What a study works with; `model` is loaded with room for a window and a few tokens more."""

    spec: StudySpec
    packed: PackedModel
    model: LoadedModel
    store: NeuronStore
    on_progress: OnProgress
    ran_before_s: float = 0.0
    _started: float = field(default_factory=time.monotonic)

    @property
    def elapsed_s(self) -> float:
        """Time this study ran, with `ran_before_s`, what it ran before it was paused."""
        return self.ran_before_s + time.monotonic() - self._started

    def head(self, corpora: Sequence[Corpus]) -> ReportHead:
        created = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
        return ReportHead(created, self.spec.ember_version, self.elapsed_s, subject_of(self.packed), tuple(corpora))


def subject_of(packed: PackedModel) -> Subject:
    info, config = packed_info(packed), packed.config
    return Subject(
        info.model_id, info.name, info.feed_forward, info.is_sparse, packed.weight_format, config.n_layers,
        config.n_neurons, config.width, NeuronStore(packed).fingerprint,
    )  # fmt: skip


def run_study(
    spec: StudySpec, packed: PackedModel, n_threads: int, on_progress: OnProgress,
    take: Callable[[Study], StudyReport],
) -> StudyReport:  # fmt: skip
    """Load the model, let `take` study it, keep the report.

    Work left by an unfinished study of the same name is forgotten first, where the spec says so. Raises Cancelled,
    OutOfMemory, LibraryNotWritable, or StudyInUse: two that go on from the same work would spoil it. FileMissing and
    TextUnusable of the user's own files come before the model is read.
    """
    own_text(spec)
    store = NeuronStore(packed)
    with _owned(store, spec.study, packed):
        if not spec.is_resumed:
            store.forget_work(spec.study)
        model = load_model(packed, context_tokens=WINDOW_TOKENS + 64, n_threads=n_threads, on_progress=on_progress)
        try:
            report = take(Study(spec, packed, model, store, on_progress))
        finally:
            model.close()
        store.write(spec.study, report)
        store.forget_work(spec.study)
    return report


@contextlib.contextmanager
def _owned(store: NeuronStore, study: str, packed: PackedModel) -> Iterator[None]:
    """Keep other processes away from this study's work. Raises StudyInUse, LibraryNotWritable."""
    path = store.work_folder(study).with_suffix(".lock")
    with disk_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
    try:
        lock = FileLock(path, study)
    except DownloadInUse as error:
        raise StudyInUse(study, packed_info(packed).model_id) from error
    with lock:
        yield
