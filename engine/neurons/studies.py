"""Every study there is, by name."""

from collections.abc import Callable, Mapping

from engine.errors import InvalidRequest
from engine.model.packed_model import PackedModel
from engine.neuron_reports import StudyReport, StudySpec
from engine.neurons.census import take_census
from engine.neurons.oracle import take_oracle
from engine.neurons.predictor_study import take_predictors
from engine.neurons.profile import take_profile
from engine.neurons.study import OnProgress, Study, run_study
from engine.neurons.tiers import take_tiers

TAKE: Mapping[str, Callable[[Study], StudyReport]] = {
    "census": take_census,
    "profile": take_profile,
    "predictors": take_predictors,
    "oracle": take_oracle,
    "tiers": take_tiers,
}


def study_neurons(spec: StudySpec, packed: PackedModel, n_threads: int, on_progress: OnProgress) -> StudyReport:
    """As `run_study`, with what the spec names."""
    if spec.study not in TAKE:
        raise InvalidRequest("study", spec.study, ", ".join(TAKE))
    return run_study(spec, packed, n_threads, on_progress, TAKE[spec.study])
