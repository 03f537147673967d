"""Whether a model of the hub would run here, and how fast, before it is fetched.

Puts together what others know: the repository opened without its weights (`hub/remote_headers.py`), the very file that
packing would write (`model/packed_model.py`), what loading would take (`runtime/loader.py`), what the card would hold
and the predicted time of a step (`placement/offer.py`). Nothing is guessed that one of them can say; what the machine
has free is handed in.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from engine.catalog_reports import FitReason, FitReport, HubRepository
from engine.errors import DamagedFile, ErrorReport, FileMissing, ForeignFile, InvalidRequest, UnsupportedModel
from engine.hub.remote_headers import NoHeaders, RemoteModel
from engine.model.config import ModelConfig
from engine.model.packed_model import WEIGHT_FORMATS, default_weight_format, packed_bytes
from engine.placement.budget import CardMemory, ModelBytes
from engine.placement.offer import CONTEXT_BYTES_ESTIMATE, EVEN, FiringShares, Placer, model_costs
from engine.placement_reports import MachineSpeeds
from engine.runtime.card_model import bytes_on_card
from engine.runtime.loader import MIN_CONTEXT_TOKENS, MemoryNeed, cache_kind_of, memory_need

# What packing leaves free on the drive, and the transfer as much again.
SPARE_DISK_BYTES = 128 << 20
# How many more neurons than published may fire at the slow end: shares differ between texts, and a gate alone silences
# fewer neurons than gate and up together.
FIRING_AT_WORST = 2.0
# What loading raises of a model that it does not run.
_REFUSALS = (UnsupportedModel, DamagedFile, ForeignFile, FileMissing)


@dataclass(frozen=True, slots=True)
class FitQuestion:
    """What the model would be run with, and what this machine has.

    weight_format, context_tokens   "" and None: what loading would choose
    disk_free_bytes     of the library's drive; memory_free_bytes what loading may take
    card                None where none is to be used; `card_context_bytes` is what a context on it takes, None where it
                        was not measured
    speeds              None where nothing was measured: no speed is predicted then
    source              what the packed file will name as its source
    """

    disk_free_bytes: int
    memory_free_bytes: int
    weight_format: str = ""
    context_tokens: int | None = None
    card: CardMemory | None = None
    card_context_bytes: int | None = None
    speeds: MachineSpeeds | None = None
    n_threads: int | None = None
    source: str = ""

    def __post_init__(self) -> None:
        if self.weight_format and self.weight_format not in WEIGHT_FORMATS:
            raise InvalidRequest("weight_format", self.weight_format, ", ".join(WEIGHT_FORMATS))
        if self.context_tokens is not None and self.context_tokens < MIN_CONTEXT_TOKENS:
            raise InvalidRequest("context_tokens", str(self.context_tokens), f"{MIN_CONTEXT_TOKENS} or more")


def check_fit(repository: HubRepository, look: Callable[[], RemoteModel], question: FitQuestion) -> FitReport:
    """Look into a repository and judge it; a model that would be refused is a verdict, not an exception.

    `look` is `open_remote`, or remembers it. Raises what stands in the way of looking: errors of the network and of the
    hub, and a stop.
    """
    if repository.error is not None:
        return _blank(repository, "unsupported", "sizes", error=repository.error)
    try:
        remote = look()
    except NoHeaders:
        reasons = _too_little_disk(repository.download_bytes, question)
        return _blank(repository, "does_not_fit" if reasons else "unknown", "sizes", reasons=reasons)
    except _REFUSALS as error:
        return _blank(repository, "unsupported", "headers", error=error.report())
    return judge(repository, remote, question)


def judge(repository: HubRepository, remote: RemoteModel, question: FitQuestion) -> FitReport:
    """The verdict on a model that loading would take."""
    config = remote.config
    weight_format = question.weight_format or default_weight_format(config)
    packed = packed_bytes(
        config, weight_format, remote.tokenizer, source=question.source, note="", remarks=remote.remarks
    )
    disk = repository.download_bytes + packed
    need = memory_need(config, weight_format, question.context_tokens)
    placed = _on_card(config, weight_format, need.context_tokens, question)
    slowest, fastest, basis = _speeds(repository, config, weight_format, need, placed, question)
    verdict, reasons = _verdict(disk, need, placed, question)
    return FitReport(
        repo=repository.model.repo,
        commit=repository.commit,
        verdict=verdict,
        basis="headers",
        reasons=reasons,
        error=None,
        family=config.family,
        feed_forward=config.feed_forward,
        is_sparse=config.is_sparse,
        n_parameters=config.n_parameters,
        weight_format=weight_format,
        context_tokens=need.context_tokens,
        longest_context=config.context_tokens,
        fitting_context=_fitting_context(config, weight_format, question.memory_free_bytes),
        download_bytes=repository.download_bytes,
        packed_bytes=packed,
        disk_bytes=disk,
        memory_bytes=need.total_bytes,
        cache_bytes=need.cache_bytes,
        card_bytes=placed.total if question.card else 0,
        slowest=slowest,
        fastest=fastest,
        speed_basis=basis,
    )


def _verdict(
    disk: int, need: MemoryNeed, placed: ModelBytes, question: FitQuestion
) -> tuple[str, tuple[FitReason, ...]]:
    """As `runtime/loader.py` decides: weights that exceed memory are mapped, everything else has to fit."""
    reasons = _too_little_disk(disk, question)
    free = question.memory_free_bytes
    beside_weights = need.total_bytes - need.weight_bytes
    if beside_weights > free:
        reasons = (*reasons, FitReason("cache", beside_weights, free))
    if reasons:
        return "does_not_fit", reasons
    if need.total_bytes > free:
        return "from_disk", (FitReason("memory", need.total_bytes, free),)
    if question.card is not None and placed.total > question.card.available:
        return "smaller_budget", (FitReason("card", placed.total, question.card.available),)
    return "fits", ()


def _too_little_disk(needed: int, question: FitQuestion) -> tuple[FitReason, ...]:
    needed += SPARE_DISK_BYTES
    return (FitReason("disk", needed, question.disk_free_bytes),) if needed > question.disk_free_bytes else ()


def _fitting_context(config: ModelConfig, weight_format: str, free: int) -> int:
    least, most = 0, config.context_tokens
    while least < most:
        tried = (least + most + 1) // 2
        if memory_need(config, weight_format, tried).total_bytes <= free:
            least = tried
        else:
            most = tried - 1
    return least if least >= min(MIN_CONTEXT_TOKENS, config.context_tokens) else 0


def _on_card(config: ModelConfig, weight_format: str, context_tokens: int, question: FitQuestion) -> ModelBytes:
    """Everything of the model on a card, as its account has it."""
    context = question.card_context_bytes
    return bytes_on_card(
        config,
        WEIGHT_FORMATS[weight_format],
        context_tokens=context_tokens,
        cache_kind=cache_kind_of(weight_format),
        predictors=[0] * config.n_layers,
        context_bytes=CONTEXT_BYTES_ESTIMATE if context is None else context,
    )


def _speeds(
    repository: HubRepository, config: ModelConfig, weight_format: str, need: MemoryNeed, placed: ModelBytes,
    question: FitQuestion,
) -> tuple[float, float, str]:  # fmt: skip
    """Tokens/s at least and at most, and what was known of the neurons; zeros where nothing can be said.

    A model that runs from disk is read at the drive's speed, which nobody has measured.
    """
    speeds = question.speeds
    if speeds is None or not speeds.cpu or need.total_bytes > question.memory_free_bytes:
        return 0.0, 0.0, ""
    silent = repository.entry.sparsity if repository.entry else None
    if not config.is_sparse:
        firing, basis = (1.0, 1.0), "dense"
    elif silent is None:
        firing, basis = (1.0, 0.0), "bounds"
    else:
        firing, basis = (min(1.0, FIRING_AT_WORST * (1 - silent)), 1 - silent), "catalogue"
    card = question.card if speeds.card_bytes_per_s > 0 else None
    found: list[float] = []
    for share in firing:
        shape = (config.n_layers, config.n_neurons)
        shares = FiringShares(EVEN, np.ones(shape), np.full(shape, share))
        parts = WEIGHT_FORMATS[weight_format]
        costs = model_costs(config, parts, placed, shares, context_tokens=need.context_tokens)
        placer = Placer(costs, speeds, card, question.n_threads)
        found.append(placer.plan_for(placer.most_bytes).tokens_per_s)
    return min(found), max(found), basis


def _blank(
    repository: HubRepository,
    verdict: str,
    basis: str,
    *,
    reasons: tuple[FitReason, ...] = (),
    error: ErrorReport | None = None,
) -> FitReport:
    return FitReport(
        repo=repository.model.repo,
        commit=repository.commit,
        verdict=verdict,
        basis=basis,
        reasons=reasons,
        error=error,
        family="",
        feed_forward="",
        is_sparse=False,
        n_parameters=0,
        weight_format="",
        context_tokens=0,
        longest_context=0,
        fitting_context=0,
        download_bytes=repository.download_bytes,
        packed_bytes=0,
        disk_bytes=repository.download_bytes,
        memory_bytes=0,
        cache_bytes=0,
        card_bytes=0,
    )
