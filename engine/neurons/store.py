"""What is kept of a model's neurons, in a folder beside its packed file.

Owns the names of the files, the finding of reports that belong to other weights, and the folder of unfinished work.
Reports are JSON; every file under its own name is whole.
"""

import logging
import shutil
from dataclasses import dataclass
from pathlib import Path

from engine.errors import UNREADABLE_PART, DamagedFile, EngineError, FileMissing, LibraryNotWritable
from engine.hub.library import neurons_folder
from engine.model.array_file import write_whole
from engine.model.packed_model import PackedModel
from engine.model.predictors import LayerChoice, fingerprint, read_choices, write_choices
from engine.neuron_reports import STUDIES, TIER_LIMITS, StudyReport, TierReport, study_from_json, study_to_json

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class KeptReports:
    """By study: the reports of these very weights; and the studies whose reports are of others, or cannot be read."""

    reports: tuple[tuple[str, StudyReport], ...]
    stale: tuple[str, ...]
    damaged: tuple[str, ...]


class NeuronStore:
    """The folder of one packed model; it need not exist."""

    def __init__(self, packed: PackedModel) -> None:
        self.folder = neurons_folder(packed.path)
        self.fingerprint = fingerprint(packed)
        self._config = packed.config

    @property
    def shape(self) -> tuple[int, int]:
        """Layers, and neurons of each."""
        return self._config.n_layers, self._config.n_neurons

    def read(self, study: str) -> StudyReport | None:
        """The report of a study of these very weights. Raises DamagedFile."""
        report = self._kept(study)
        return report if report is not None and report.head.subject.fingerprint == self.fingerprint else None

    def survey(self) -> KeptReports:
        """Every report there is; what one of them is like keeps nobody from the others."""
        reports: list[tuple[str, StudyReport]] = []
        stale: list[str] = []
        damaged: list[str] = []
        for study in STUDIES:
            try:
                report = self._kept(study)
            except (DamagedFile, FileMissing) as error:
                log.warning("a report cannot be read: %s (%s)", error, error.__cause__)
                damaged.append(study)
                continue
            if report is None:
                continue
            if report.head.subject.fingerprint == self.fingerprint:
                reports.append((study, report))
            else:
                stale.append(study)
        return KeptReports(tuple(reports), tuple(stale), tuple(damaged))

    def write(self, study: str, report: StudyReport) -> None:
        """Raises LibraryNotWritable."""
        write_whole(self._report_path(study), study_to_json(report).encode())

    def forget(self, study: str) -> None:
        """Delete the report of a study, if there is one. Raises LibraryNotWritable."""
        path = self._report_path(study)
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            raise LibraryNotWritable(str(path), error.strerror or str(error)) from error

    def work_folder(self, study: str) -> Path:
        """Where an unfinished study keeps what it has; not made here."""
        return self.folder / "unfinished" / study

    def forget_work(self, study: str) -> None:
        """Delete what an unfinished study left. Raises LibraryNotWritable."""
        folder = self.work_folder(study)
        if folder.exists():
            try:
                shutil.rmtree(folder)
            except OSError as error:
                raise LibraryNotWritable(str(folder), error.strerror or str(error)) from error

    def unfinished(self) -> tuple[tuple[str, float], ...]:
        """Studies that were left in the middle, with the share done as they last noted it."""
        found = []
        for study in STUDIES:
            try:
                found.append((study, float((self.work_folder(study) / "done").read_text())))
            except (OSError, ValueError):  # no such study, or one killed before it had anything worth going on with
                continue
        return tuple(found)

    def note_done(self, study: str, share: float) -> None:
        """Note how far an unfinished study is. Raises LibraryNotWritable."""
        write_whole(self.work_folder(study) / "done", f"{share:.4f}".encode())

    def tiers(self) -> dict[str, tuple[LayerChoice, ...]]:
        """The choices of each tier that is calibrated for these weights. A tier whose file is broken is not offered."""
        report = self._quietly("tiers")
        known = report.tiers if isinstance(report, TierReport) else ()
        offered = {tier.name for tier in known if tier.limit == TIER_LIMITS.get(tier.name)}
        found: dict[str, tuple[LayerChoice, ...]] = {}
        for name in TIER_LIMITS:
            try:
                choices = read_choices(self._tier_path(name), self._config, self.fingerprint)
            except EngineError:
                continue
            if choices is not None and name in offered:
                found[name] = choices
        return found

    def write_tier(self, name: str, choices: tuple[LayerChoice, ...]) -> None:
        """Raises LibraryNotWritable."""
        write_choices(self._tier_path(name), choices, self.fingerprint)

    def _quietly(self, study: str) -> StudyReport | None:
        try:
            return self.read(study)
        except DamagedFile:
            return None

    def _kept(self, study: str) -> StudyReport | None:
        path = self._report_path(study)
        try:
            return study_from_json(study, path.read_text(encoding="utf-8"), str(path))
        except FileNotFoundError:
            return None
        except OSError as error:
            raise FileMissing(str(path), error.strerror or str(error)) from error
        except UnicodeDecodeError as error:
            raise DamagedFile(str(path), UNREADABLE_PART) from error

    def _report_path(self, study: str) -> Path:
        return self.folder / f"{study}.json"

    def _tier_path(self, name: str) -> Path:
        return self.folder / f"tier-{name}.npz"
