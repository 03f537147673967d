"""Requests and events: all that crosses the engine's door.

Frozen dataclasses of plain values, so that they may cross a process boundary. Only `worker.py` and `host.py` make
events; only front-ends make requests. Every event names the request it answers.
"""

from dataclasses import dataclass

from engine.benchmark_report import BenchmarkReport, BenchmarkSpec
from engine.catalog_reports import CatalogEvents, CatalogRequests
from engine.context_reports import ASK, OVERFLOWS, ContextEvents, LeftOut
from engine.errors import ErrorReport, InvalidRequest
from engine.neuron_reports import EXACT, TIERS, Comparison, StudyReport, StudySpec
from engine.placement_reports import DeviceReport, NeuronSample, PlacementOffer, PlacementState, StepLoad
from engine.template_reports import TemplateEvents, TemplateRequests
from engine.transfer_reports import TransferEvents, TransferRequests

WEIGHT_FORMATS = ("mixed", "int8", "int4", "f32")
MAX_LOGIT_BIAS = 1e6
MOST_VARIANTS = 32
"""Answers that are computed together, at most."""


@dataclass(frozen=True, slots=True)
class EngineConfig:
    """What an engine needs to know to start; it reads no environment variable and no settings file.

    library_dir       where packed models live
    kernel_cache_dir  where compiled kernels are kept between starts
    n_threads         compute threads; None means one per physical core
    log_path          file of the engine host's log; empty means no file
    card              "auto" (the usable one with most free memory), "none", a card's UUID, or "emulated", which
                      demonstrates a card on the processor
    vram_bytes        what of the card's memory Ember may take; None means what is recommended
    """

    library_dir: str
    kernel_cache_dir: str
    n_threads: int | None = None
    log_path: str = ""
    card: str = "auto"
    vram_bytes: int | None = None


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """One turn as the chat template sees it; `role` is system, user or assistant."""

    role: str
    content: str


@dataclass(frozen=True, slots=True)
class SamplingParams:
    """How the next token is chosen. Defaults suit a small chat model.

    temperature         0 means greedy
    top_k               0 means off
    top_p, min_p        1.0 and 0.0 mean off
    repetition_penalty  divides (or multiplies, where negative) the logits of tokens seen; 1.0 means off
    presence_penalty, frequency_penalty   as in the OpenAI interface; 0.0 means off
    penalty_window      how many of the latest tokens the three penalties look at
    seed                None draws one; a seed gives the same draws, and the same answer where the logits are the same
    logit_bias          (token id, added to its logit)
    stop                the answer ends before the first of these strings
    max_tokens          None means until the context is full
    """

    temperature: float = 0.7
    top_k: int = 40
    top_p: float = 0.95
    min_p: float = 0.05
    repetition_penalty: float = 1.05
    presence_penalty: float = 0.0
    frequency_penalty: float = 0.0
    penalty_window: int = 256
    seed: int | None = None
    logit_bias: tuple[tuple[int, float], ...] = ()
    stop: tuple[str, ...] = ()
    max_tokens: int | None = None

    def __post_init__(self) -> None:
        def check(name: str, ok: bool, reason: str) -> None:
            if not ok:
                raise InvalidRequest(name, str(getattr(self, name)), reason)

        check("temperature", self.temperature == 0.0 or 0.001 <= self.temperature <= 10.0, "0, or 0.001 to 10")
        check("top_k", self.top_k >= 0, "0 (off) or more")
        check("top_p", 0.0 < self.top_p <= 1.0, "above 0, at most 1")
        check("min_p", 0.0 <= self.min_p < 1.0, "0 (off) to below 1")
        check("repetition_penalty", 0.5 <= self.repetition_penalty <= 2.0, "0.5 to 2")
        check("presence_penalty", -2.0 <= self.presence_penalty <= 2.0, "-2 to 2")
        check("frequency_penalty", -2.0 <= self.frequency_penalty <= 2.0, "-2 to 2")
        check("penalty_window", self.penalty_window >= 0, "0 or more")
        check("seed", self.seed is None or 0 <= self.seed < 2**63, "0 to 2^63 - 1")
        check("max_tokens", self.max_tokens is None or self.max_tokens > 0, "1 or more")
        check("stop", all(self.stop), "no empty string")
        check(
            "logit_bias",
            all(isinstance(token, int) and abs(bias) <= MAX_LOGIT_BIAS for token, bias in self.logit_bias),
            f"token numbers with a bias of -{MAX_LOGIT_BIAS:,.0f} to {MAX_LOGIT_BIAS:,.0f}",
        )


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """A model the library knows.

    model_id        stable name used in requests and on the command line
    state           "packed" (ready to load) or "source" (will be packed on first use)
    weight_format   of the packed file; empty while not packed
    size_bytes      of the packed file, or of the source while not packed
    note            "" or "starter": the small embedded English model
    chat            False for a base model (completion, not chat)
    feed_forward    what its neurons compute, e.g. "gated fatrelu 0.01"; is_sparse says whether they can be silent
    template        where the chat template comes from: checkpoint, a built-in one's name, or question and answer
    remarks         codes of what the source said wrongly of itself, e.g. "wider than labelled"
    away_from       the folder of the library that it is in, where that is not connected; it cannot be loaded then
    """

    model_id: str
    name: str
    state: str
    family: str
    weight_format: str
    size_bytes: int
    n_parameters: int
    context_tokens: int
    licence: str
    source: str
    note: str = ""
    chat: bool = True
    feed_forward: str = ""
    is_sparse: bool = False
    template: str = ""
    remarks: tuple[str, ...] = ()
    away_from: str = ""


@dataclass(frozen=True, slots=True)
class GenerationStats:
    """Measured facts of one answer.

    prompt_tokens    tokens of the whole prompt
    reused_tokens    of these, found in the KV cache and not computed again
    prefill_s        time spent on the rest
    first_token_s    from the request's start to the first sampled token
    decode_s         time spent on the generated tokens after the first
    examined, active share of each layer's neurons that were looked at past their first product, and that were active,
                     as a mean over the decoded tokens; empty where no neuron can be silent
    tier             the tier that was asked for; `tier_left_at` is the generated token at which drift made the answer
                     go on exactly, -1 where it did not
    audited_tokens   tokens of a tier that were also computed densely; `audit_kl` is the mean KL found, in nats
    proposed_tokens, accepted_tokens   tokens that were guessed from the text and checked in one step with others, and
                     how many of them held; the answer is the same without
    load             who did the work, where a card takes part; otherwise None
    left_out         what of the conversation was not read, since it did not fit
    seed             of the random choices; the one that was drawn where none was asked for
    stopped_by       the stop string that ended it, asked for or of the prompt's form; empty where none did
    step_bytes, dense_bytes   read for a token, as a mean, and what reading every neuron would have been; 0 where none
                     was decoded after the first
    processor_joules, card_joules   what both took meanwhile by their counters, other programs' share included; None
                     where there is no counter that may be read
    parts            of which the answer was made, each with a first token of its own; what the engine tells is of one
    """

    prompt_tokens: int
    reused_tokens: int
    prefill_s: float
    first_token_s: float
    generated_tokens: int
    decode_s: float
    context_tokens: int
    examined: tuple[float, ...] = ()
    active: tuple[float, ...] = ()
    proposed_tokens: int = 0
    accepted_tokens: int = 0
    tier: str = EXACT
    tier_left_at: int = -1
    audited_tokens: int = 0
    audit_kl: float = 0.0
    load: StepLoad | None = None
    left_out: LeftOut | None = None
    seed: int | None = None
    stopped_by: str = ""
    step_bytes: int = 0
    dense_bytes: int = 0
    processor_joules: float | None = None
    card_joules: float | None = None
    parts: int = 1

    @property
    def decoded_tokens(self) -> int:
        """Tokens after the first of a part, which `decode_s`, `active` and `step_bytes` are of."""
        return max(0, self.generated_tokens - self.parts)

    @property
    def active_share(self) -> float | None:
        """Share of all neurons that were active; None where no neuron can be silent."""
        return sum(self.active) / len(self.active) if self.active else None

    @property
    def prompt_tokens_per_s(self) -> float:
        return (self.prompt_tokens - self.reused_tokens) / self.prefill_s if self.prefill_s > 0 else 0.0

    @property
    def decode_tokens_per_s(self) -> float:
        return self.decoded_tokens / self.decode_s if self.decode_s > 0 else 0.0


# Requests ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ListModels:
    request_id: str


@dataclass(frozen=True, slots=True)
class DescribeModel:
    """Everything known of a model without loading it; memory needs are for `context_tokens` (None: as LoadModel)."""

    request_id: str
    model_id: str
    context_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class ImportModel:
    """Pack `source` into the library: a GGUF file, or a folder in the hub's layout.

    weight_format   one of WEIGHT_FORMATS; empty leaves it to the engine, which goes by the model's size
    """

    request_id: str
    source: str
    weight_format: str = ""


@dataclass(frozen=True, slots=True)
class RemoveModel:
    """Delete a packed model from the library; its source, if it is elsewhere, stays."""

    request_id: str
    model_id: str


@dataclass(frozen=True, slots=True)
class LoadModel:
    """Load a model, packing it first where needed; a loaded one is replaced.

    context_tokens   None means the model's own limit, at most 8,192
    """

    request_id: str
    model_id: str
    context_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class UnloadModel:
    request_id: str


@dataclass(frozen=True, slots=True)
class Generate:
    """Answer a conversation with the loaded model; the last message is the user's, or an answer, which then goes on.

    tier           one that the model's ModelReady names
    counts_neurons add what the answer activates to the model's profile of the user's own chats
    overflow       what is done with a conversation that does not fit: one of OVERFLOWS. What is left out is told
    keeps_first    whether the first message and its answer stay where OLDEST leaves turns out
    completes_text without a chat template: the messages of user and assistant, put together as they are, are a text
                   that goes on; a system message is not read. For base models
    """

    request_id: str
    messages: tuple[ChatMessage, ...]
    sampling: SamplingParams = SamplingParams()
    tier: str = EXACT
    counts_neurons: bool = False
    overflow: str = ASK
    keeps_first: bool = True
    completes_text: bool = False

    def __post_init__(self) -> None:
        if self.tier not in TIERS:
            raise InvalidRequest("tier", self.tier, ", ".join(TIERS))
        if self.overflow not in OVERFLOWS:
            raise InvalidRequest("overflow", self.overflow, ", ".join(OVERFLOWS))


@dataclass(frozen=True, slots=True)
class GenerateVariants:
    """Answer a conversation several times at once: the prompt is read once, and the weights once for a token of each.

    Answered by VariantText and VariantEnded, then VariantsFinished. Each answer is the one that Generate gives exactly
    for its sampling. They are the processor's: what is on a card makes way until the last has ended, and a budget that
    is set meanwhile is begun after them. What they activate is not counted.

    samplings   one for each answer, 2 to MOST_VARIANTS; the other fields are Generate's
    """

    request_id: str
    messages: tuple[ChatMessage, ...]
    samplings: tuple[SamplingParams, ...]
    overflow: str = ASK
    keeps_first: bool = True
    completes_text: bool = False

    def __post_init__(self) -> None:
        if not 2 <= len(self.samplings) <= MOST_VARIANTS:
            raise InvalidRequest("variants", str(len(self.samplings)), f"2 to {MOST_VARIANTS}")
        if self.overflow not in OVERFLOWS:
            raise InvalidRequest("overflow", self.overflow, ", ".join(OVERFLOWS))


@dataclass(frozen=True, slots=True)
class CountTokens:
    """Count what the loaded model would read, and compute nothing.

    texts      each is counted by itself
    messages   a conversation as in Generate, of which the other fields have the meaning they have there; may be empty
    """

    request_id: str
    texts: tuple[str, ...] = ()
    messages: tuple[ChatMessage, ...] = ()
    overflow: str = ASK
    keeps_first: bool = True
    max_tokens: int | None = None
    completes_text: bool = False

    def __post_init__(self) -> None:
        if self.overflow not in OVERFLOWS:
            raise InvalidRequest("overflow", self.overflow, ", ".join(OVERFLOWS))


@dataclass(frozen=True, slots=True)
class RunBenchmark:
    """Measure a model or a shape. The loaded model is unloaded first: a measurement wants the memory for itself."""

    request_id: str
    spec: BenchmarkSpec


@dataclass(frozen=True, slots=True)
class StudyNeurons:
    """Find out about a model's neurons, and keep the report beside the model. The loaded model is unloaded first.

    Cancelled, or ended in the middle, a study leaves what it has; asked for again it goes on from there.
    """

    request_id: str
    spec: StudySpec


@dataclass(frozen=True, slots=True)
class ReadStudies:
    """What is kept of a model's neurons."""

    request_id: str
    model_id: str


@dataclass(frozen=True, slots=True)
class ForgetChats:
    """Delete what was counted of the user's own chats for a model. Answered as ReadStudies is."""

    request_id: str
    model_id: str


@dataclass(frozen=True, slots=True)
class SaveProfile:
    """Write what was measured of a model's neurons to a file, for others. Answered as ReadStudies is."""

    request_id: str
    model_id: str
    path: str


@dataclass(frozen=True, slots=True)
class AddProfile:
    """Count such a file, of the same weights, together with what is kept. Answered as ReadStudies is."""

    request_id: str
    model_id: str
    path: str
    ember_version: str = ""


@dataclass(frozen=True, slots=True)
class CompareTiers:
    """Answer a conversation with the loaded model twice with the same seed, exactly and by a tier."""

    request_id: str
    messages: tuple[ChatMessage, ...]
    sampling: SamplingParams
    tier: str


@dataclass(frozen=True, slots=True)
class ReadDevices:
    """Say what this machine is. With `measure`, probe its speeds anew; otherwise those measured before are told."""

    request_id: str
    measure: bool = False


@dataclass(frozen=True, slots=True)
class OfferPlacement:
    """What each budget would buy for a model, without loading anything; `card` as in EngineConfig.

    vram_bytes    the budget whose account is wanted; None: the recommended one
    assumed_card  reckon with the published figures of a card of this name instead of one that is here
    """

    request_id: str
    model_id: str
    context_tokens: int | None = None
    card: str = "auto"
    vram_bytes: int | None = None
    assumed_card: str = ""


@dataclass(frozen=True, slots=True)
class SetBudget:
    """Give the loaded model so much of the card, now: between two tokens where an answer is running.

    vram_bytes   0 leaves the card; None means what is recommended
    """

    request_id: str
    vram_bytes: int | None


@dataclass(frozen=True, slots=True)
class WatchNeurons:
    """Send a NeuronsSeen a few times a second while answers are computed, or stop sending them."""

    request_id: str
    wanted: bool
    n_buckets: int = 64


@dataclass(frozen=True, slots=True)
class Cancel:
    """Stop the request `target_id`, whether it runs or waits. Has no answer of its own.

    A generation stops within 200 ms, also while it reads its prompt; a load or an import at its next step, which while
    a kernel is compiled or a vocabulary is opened can take some seconds.
    """

    target_id: str


Request = (
    ListModels
    | DescribeModel
    | ImportModel
    | RemoveModel
    | LoadModel
    | UnloadModel
    | Generate
    | GenerateVariants
    | CountTokens
    | RunBenchmark
    | StudyNeurons
    | ReadStudies
    | ForgetChats
    | SaveProfile
    | AddProfile
    | CompareTiers
    | ReadDevices
    | OfferPlacement
    | SetBudget
    | WatchNeurons
    | TemplateRequests
    | TransferRequests
    | CatalogRequests
    | Cancel
)

# Events -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a request is. `phase` is one of PROGRESS_PHASES; total 0 means unknown."""

    request_id: str
    phase: str
    done: int
    total: int


PROGRESS_PHASES = (
    "verify", "pack", "tune", "read", "compile", "prompt",
    "weights", "rates", "checks", "decode", "prefill", "rounds",  # of a benchmark
    "headers",  # of a model on the hub
    "observe", "train", "evaluate", "choose", "compare",  # of a study
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ModelList:
    request_id: str
    models: tuple[ModelInfo, ...]


@dataclass(frozen=True, slots=True)
class ModelDescription:
    """Answer to DescribeModel.

    parts          bytes of attention, feed-forward, embedding and head, and other tensors as packed; empty for a source
    cache_bytes    of the key/value cache at `context_tokens`
    memory_bytes   all of it: weights, cache and buffers
    weight_bytes   of these, the weights; what is left beside them and the cache is room to work
    free_bytes     of memory now, with what the loaded model would give back; 0 where it was not asked
    """

    request_id: str
    model: ModelInfo
    width: int
    n_layers: int
    n_heads: int
    n_key_heads: int
    n_neurons: int
    n_vocab: int
    context_tokens: int
    parts: tuple[tuple[str, int], ...]
    cache_bytes: int
    memory_bytes: int
    weight_bytes: int = 0
    free_bytes: int = 0


@dataclass(frozen=True, slots=True)
class ModelImported:
    request_id: str
    model: ModelInfo


@dataclass(frozen=True, slots=True)
class ModelRemoved:
    request_id: str
    model_id: str
    freed_bytes: int


@dataclass(frozen=True, slots=True)
class ModelReady:
    """`tiers` can be asked for in Generate: exact, and those that are calibrated for these weights.

    placement   None where no card takes part; `card_refusal` then says why, where one was found or asked for
    from_disk   the model needs more than the memory that was free: its weights are read from its file as they are
                needed, slowly; `needed_bytes` and `free_bytes` say by how much
    estimated_bytes   what was reckoned before loading, as ModelDescription.memory_bytes
    resident_bytes    what it takes, measured: by how much the memory of the engine's process has grown since it began,
                      and what of the cache and the buffers will be taken once they are used; 0 where it is read from
                      its file
    """

    request_id: str
    model: ModelInfo
    load_s: float
    n_threads: int
    memory_bytes: int
    context_tokens: int
    tiers: tuple[str, ...] = (EXACT,)
    placement: PlacementState | None = None
    from_disk: bool = False
    needed_bytes: int = 0
    free_bytes: int = 0
    card_refusal: ErrorReport | None = None
    estimated_bytes: int = 0
    resident_bytes: int = 0


@dataclass(frozen=True, slots=True)
class ModelUnloaded:
    request_id: str
    freed_bytes: int


@dataclass(frozen=True, slots=True)
class TextPiece:
    """The next characters of the answer, always whole characters."""

    request_id: str
    text: str


@dataclass(frozen=True, slots=True)
class GenerationFinished:
    """`reason` is stop (the model or a stop string ended it), length (max_tokens), context (full) or cancelled."""

    request_id: str
    reason: str
    stats: GenerationStats


@dataclass(frozen=True, slots=True)
class VariantText:
    """The next characters of one of several answers, which is counted from 0; always whole characters."""

    request_id: str
    number: int
    text: str


@dataclass(frozen=True, slots=True)
class VariantEnded:
    """One of several answers is whole; `reason` as in GenerationFinished.

    Its figures are its own, but the prompt was read once for all. Of the bytes read and the energy it has none: they
    went to all of them.
    """

    request_id: str
    number: int
    reason: str
    stats: GenerationStats


@dataclass(frozen=True, slots=True)
class VariantsFinished:
    """Answer to GenerateVariants: each of them has ended."""

    request_id: str


@dataclass(frozen=True, slots=True)
class BenchmarkDone:
    """Answer to RunBenchmark. A check that failed is in the report; it is no Failed."""

    request_id: str
    report: BenchmarkReport


@dataclass(frozen=True, slots=True)
class StudyDone:
    """Answer to StudyNeurons."""

    request_id: str
    study: str
    report: StudyReport


@dataclass(frozen=True, slots=True)
class StudiesRead:
    """Answer to ReadStudies: by study, the kept report; and the studies that were left unfinished, with the share done.

    stale        studies whose reports are of other weights: the model was packed anew
    chat_tokens  tokens of the user's own chats whose neurons were counted
    damaged      studies whose reports are there and cannot be read
    """

    request_id: str
    model_id: str
    reports: tuple[tuple[str, StudyReport], ...]
    unfinished: tuple[tuple[str, float], ...]
    stale: tuple[str, ...] = ()
    chat_tokens: int = 0
    damaged: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TiersCompared:
    request_id: str
    comparison: Comparison


@dataclass(frozen=True, slots=True)
class DevicesRead:
    request_id: str
    report: DeviceReport


@dataclass(frozen=True, slots=True)
class PlacementOffered:
    request_id: str
    offer: PlacementOffer


@dataclass(frozen=True, slots=True)
class BudgetApplied:
    """Answer to SetBudget; also sent unasked, with the request that ran, where the engine stepped down by itself."""

    request_id: str
    state: PlacementState


@dataclass(frozen=True, slots=True)
class NeuronsSeen:
    """`request_id` is that of WatchNeurons."""

    request_id: str
    sample: NeuronSample


@dataclass(frozen=True, slots=True)
class RequestCancelled:
    """Answer to a cancelled request that is not a generation, or to a generation that had not begun."""

    request_id: str


@dataclass(frozen=True, slots=True)
class Failed:
    request_id: str
    error: ErrorReport


@dataclass(frozen=True, slots=True)
class HostDied:
    """The engine process ended by itself. `pending` are the requests that will not be answered."""

    exit_code: int
    log_tail: str
    pending: tuple[str, ...]


Event = (
    Progress
    | ModelList
    | ModelDescription
    | ModelImported
    | ModelRemoved
    | ModelReady
    | ModelUnloaded
    | TextPiece
    | GenerationFinished
    | VariantText
    | VariantEnded
    | VariantsFinished
    | BenchmarkDone
    | StudyDone
    | StudiesRead
    | TiersCompared
    | DevicesRead
    | PlacementOffered
    | BudgetApplied
    | NeuronsSeen
    | ContextEvents
    | TemplateEvents
    | TransferEvents
    | CatalogEvents
    | RequestCancelled
    | Failed
    | HostDied
)
