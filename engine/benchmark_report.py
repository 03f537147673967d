"""What a benchmark is asked and what it answers, as plain values, and the answer as JSON.

Part of the engine's door: front-ends make a `BenchmarkSpec`, read a `BenchmarkReport`, and keep reports as files. Codes
and numbers only; the words are the front-ends'. Rates are tokens or bytes a second, shares lie between 0 and 1.
"""

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from engine.errors import InvalidRequest
from engine.plain_json import from_json, to_json

# Of the JSON form; raised whenever a reader of the former one could misread it.
SCHEMA_VERSION = 1
MODES = ("dense", "exact", "predicted")
# A llama-bench binary is named by its path: "llama-bench=/usr/bin/llama-bench".
COMPETITORS = ("xllamacpp", "llama-cpp-python", "llama-bench")
# A step at this share of the measured read rate waits for memory; below the other one it computes.
MEMORY_BOUND_ABOVE, COMPUTE_BOUND_BELOW = 0.75, 0.5
# Share of the time that threads wait for each other, above which neither holds a step up.
WAITING_ABOVE = 0.2
# Other programs' share of the processors above which figures are not to be trusted.
BUSY_ABOVE = 0.1


@dataclass(frozen=True, slots=True)
class BenchmarkSpec:
    """What to measure. A model of the library, or with `shape` random weights of that size.

    model_id        empty, without a shape: the starter model
    shape           a name of engine/bench/shapes.py, "7b-8" for instance; empty for a model of the library
    weight_formats  row formats to measure, each in turn; empty: the model's own, or int8
    modes           of MODES; empty: all that the model and this engine know
    active_shares   shares of active neurons set in a shape; a model's own neurons decide for themselves
    depths          tokens already in the cache when decoding is measured
    prompt_tokens   lengths of the prompts whose reading is measured
    decoded_tokens  tokens decoded in one measurement
    repeats         measurements of each figure, after one that is thrown away
    n_threads       None: the engine's own number
    thread_sweep    also decode with 1, 2, 3, 4, 6, 8, 12 … threads, at the first depth
    against         of COMPETITORS, alternating with our own measurements on the same file
    checks          also compare the tokens of every fast path with the reference
    probe_bytes     memory the read-rate probe goes through
    ember_version   of the program that asks, for the report
    """

    model_id: str = ""
    shape: str = ""
    weight_formats: tuple[str, ...] = ()
    modes: tuple[str, ...] = ()
    active_shares: tuple[float, ...] = (1.0, 0.5, 0.2, 0.1, 0.05)
    depths: tuple[int, ...] = (0, 512)
    prompt_tokens: tuple[int, ...] = (128, 512)
    decoded_tokens: int = 16
    repeats: int = 5
    n_threads: int | None = None
    thread_sweep: bool = False
    against: tuple[str, ...] = ()
    checks: bool = False
    probe_bytes: int = 1 << 30
    ember_version: str = ""

    def __post_init__(self) -> None:
        def check(name: str, ok: bool, reason: str) -> None:
            if not ok:
                value = getattr(self, name)
                text = ", ".join(str(each) for each in value) if isinstance(value, tuple) else str(value)
                raise InvalidRequest(name, text, reason)

        check("shape", not (self.shape and self.model_id), "a shape or a model, not both")
        check("modes", set(self.modes) <= set(MODES), ", ".join(MODES))
        check("active_shares", all(0.0 < s <= 1.0 for s in self.active_shares), "above 0, at most 1")
        check("depths", all(0 <= d <= 1 << 20 for d in self.depths), "0 or more")
        check("prompt_tokens", all(1 <= n <= 1 << 20 for n in self.prompt_tokens), "1 or more")
        check("decoded_tokens", 1 <= self.decoded_tokens <= 4096, "1 to 4096")
        check("repeats", 1 <= self.repeats <= 1000, "1 to 1000")
        check("n_threads", self.n_threads is None or self.n_threads >= 1, "1 or more")
        check("probe_bytes", self.probe_bytes >= 1 << 20, "1 MiB or more")
        for each in self.against:
            name, _, path = each.partition("=")
            is_known = name in COMPETITORS and bool(path) == (name == "llama-bench")
            check("against", is_known, "xllamacpp, llama-cpp-python or llama-bench=PATH")


@dataclass(frozen=True, slots=True)
class Spread:
    """Repeated measurements of one figure."""

    median: float
    smallest: float
    largest: float
    repeats: int

    @classmethod
    def of(cls, values: Sequence[float]) -> "Spread":
        return cls(statistics.median(values), min(values), max(values), len(values))


@dataclass(frozen=True, slots=True)
class MachineFacts:
    """Where and in what state it was measured.

    load_average  of the last minute, at the start; busy_share of all processors at the start, before anything of ours
    """

    processor: str
    architecture: str
    vector_features: tuple[str, ...]
    physical_cores: int
    usable_cores: int
    memory_bytes: int
    system: str
    python: str
    load_average: float
    busy_share: float


@dataclass(frozen=True, slots=True)
class Subject:
    """What was measured; `shape` is empty for a model of the library, whose GGUF file, if any, is `gguf`."""

    name: str
    shape: str
    family: str
    feed_forward: str
    is_sparse: bool
    n_parameters: int
    width: int
    n_neurons: int
    n_layers: int
    n_heads: int
    n_key_heads: int
    n_vocab: int
    gguf: str = ""


@dataclass(frozen=True, slots=True)
class ReadRate:
    """The probe: bytes a second that so many threads read, each through so many far-apart streams."""

    n_threads: int
    n_streams: int
    bytes_per_s: Spread


@dataclass(frozen=True, slots=True)
class DecodeResult:
    """One way of decoding one token at a time.

    asked_share      of active neurons that was set; None where the model's own neurons decide
    candidate_share  of neurons whose first product was computed: all, but for those a predictor ruled out
    examined_share   of neurons read past it; active_share of those that counted; all three None in dense models
    step_bytes      (part, bytes) one step has to read: attention, first, rest, head, cache, and predictor where used
    limit_bytes_per_s   the fastest that the same weights were read, in turns with the measurements
    phases          (part, share of the time) where the engine measured it
    """

    weight_format: str
    mode: str
    asked_share: float | None
    candidate_share: float | None
    examined_share: float | None
    active_share: float | None
    depth: int
    n_threads: int
    n_tokens: int
    tokens_per_s: Spread
    step_bytes: tuple[tuple[str, int], ...]
    limit_bytes_per_s: float
    phases: tuple[tuple[str, float], ...] = ()

    @property
    def bytes_per_token(self) -> int:
        return sum(n for _, n in self.step_bytes)

    @property
    def bytes_per_s(self) -> float:
        return self.bytes_per_token * self.tokens_per_s.median

    @property
    def limit_share(self) -> float:
        """Of the measured read rate; above 1 where part of the weights stays in the processor's cache."""
        return self.bytes_per_s / self.limit_bytes_per_s if self.limit_bytes_per_s > 0 else 0.0

    @property
    def bound(self) -> str:
        """What holds the step up: memory, compute, both, or waiting for a thread that others keep from running."""
        if dict(self.phases).get("waiting", 0.0) > WAITING_ABOVE:
            return "waiting"
        if self.limit_share >= MEMORY_BOUND_ABOVE:
            return "memory"
        return "compute" if self.limit_share < COMPUTE_BOUND_BELOW else "both"


@dataclass(frozen=True, slots=True)
class PrefillResult:
    """Reading a prompt of `n_tokens` into an empty cache."""

    weight_format: str
    n_tokens: int
    n_threads: int
    tokens_per_s: Spread


@dataclass(frozen=True, slots=True)
class Comparison:
    """One figure of ours and of a competitor, measured in turns on the same weights.

    task     decode (then `size` is the depth) or prefill (then `size` is the prompt's length)
    ratio    ours divided by theirs, round by round
    """

    competitor: str
    version: str
    their_format: str
    weight_format: str
    mode: str
    asked_share: float | None
    task: str
    size: int
    n_threads: int
    ours: Spread
    theirs: Spread
    ratio: Spread


@dataclass(frozen=True, slots=True)
class AbsentCompetitor:
    """A competitor that was asked for and could not be measured.

    reason   not_installed, no_file (there is no GGUF file of this model), failed (then `detail` is its own words)
    """

    competitor: str
    reason: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class CheckResult:
    """Greedy tokens of one fast path held against a slower, plainer one.

    name        reference (numpy on a tiny model), sparse (exact skipping against all neurons), prefill (many tokens at
                once against one by one), threads (one thread against several)
    subject     what it ran on: the model or the activation, the mode, the thread count
    compared, differing   tokens
    first       the first position that differs, -1 where none does
    deviation   largest distance of the logits, as a share of the largest logit; allowed is `tolerance`
    """

    name: str
    weight_format: str
    subject: str
    compared: int
    differing: int
    first: int
    deviation: float
    tolerance: float

    @property
    def passed(self) -> bool:
        return self.differing == 0 and self.deviation <= self.tolerance


@dataclass(frozen=True, slots=True)
class BenchmarkReport:
    """`created` is the time in ISO 8601 with the zone; `elapsed_s` what the whole benchmark took.

    others_share  of the processors' time that other programs took during the benchmark
    """

    schema: int
    created: str
    ember_version: str
    elapsed_s: float
    machine: MachineFacts
    others_share: float
    spec: BenchmarkSpec
    subject: Subject
    read_rates: tuple[ReadRate, ...] = ()
    decode: tuple[DecodeResult, ...] = ()
    prefill: tuple[PrefillResult, ...] = ()
    comparisons: tuple[Comparison, ...] = ()
    absent: tuple[AbsentCompetitor, ...] = ()
    checks: tuple[CheckResult, ...] = ()

    @property
    def was_busy(self) -> bool:
        """Whether other programs may have slowed what was measured."""
        return max(self.machine.busy_share, self.others_share) > BUSY_ABOVE

    @property
    def failed_checks(self) -> tuple[CheckResult, ...]:
        return tuple(check for check in self.checks if not check.passed)


def report_to_json(report: BenchmarkReport) -> str:
    return to_json(report)


def report_from_json(text: str, path: str = "") -> BenchmarkReport:
    """The inverse of `report_to_json`. Raises DamagedFile, naming `path`, for anything else."""
    return from_json(BenchmarkReport, text, path, SCHEMA_VERSION, "a benchmark report")
