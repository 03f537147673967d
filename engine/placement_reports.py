"""What the engine tells of cards, budgets and where a token's work is done: plain values that cross the engine's door.

Owns the wording of these facts as fields; how they are found is `engine/placement/`, how they are shown is `app/`.
Every figure is measured (`Rate.measured_s` says how long) or predicted from measured ones, and its name says which.
"""

from dataclasses import dataclass

# Whether a card can be used, each with its own remedy. `emulated`: a demonstration on the processor, never a card.
CARD_STATES = ("usable", "not_installed", "no_driver", "no_answer", "old_driver", "no_device", "no_compiler", "too_old",
               "failed", "emulated")  # fmt: skip
# Why a budget was stepped down by itself: what a message about it names.
STEP_DOWN_REASONS = ("out_of_memory", "other_program", "device_lost", "wrong_result")


@dataclass(frozen=True, slots=True)
class CardProcess:
    """Another program on the card; `n_bytes` is 0 where the system does not tell."""

    name: str
    process_id: int
    n_bytes: int


@dataclass(frozen=True, slots=True)
class CardFacts:
    """One card, as the driver describes it without a context on it.

    uuid          by which it is chosen and remembered; `cuda_index` is its number for CUDA, -1 where unknown
    capability    (major, minor)
    reserved_bytes   kept by the driver itself
    ours_bytes    taken by this engine
    link          such as "PCIe 4.0 x16"; empty where not told
    is_too_old    the installed CUDA no longer serves its capability; another card of this machine may be usable
    """

    uuid: str
    name: str
    cuda_index: int
    capability: tuple[int, int]
    total_bytes: int
    free_bytes: int
    reserved_bytes: int
    ours_bytes: int
    processes: tuple[CardProcess, ...] = ()
    link: str = ""
    is_emulated: bool = False
    is_too_old: bool = False


@dataclass(frozen=True, slots=True)
class ThreadRate:
    """What so many threads read from main memory together, in bytes/s."""

    n_threads: int
    bytes_per_s: float


@dataclass(frozen=True, slots=True)
class MachineSpeeds:
    """Measured by the probe and cached per machine and card; zeros for a card where there is none.

    card_bytes_per_s   the card's own memory, read
    upload, download   between main memory and the card, pinned
    launch_s           one kernel; round_trip_s: a short vector there and back with the wait for it
    measured_at        ISO date and time, UTC; took_s: how long the probe took
    """

    cpu: tuple[ThreadRate, ...]
    card_uuid: str
    card_bytes_per_s: float
    upload_bytes_per_s: float
    download_bytes_per_s: float
    launch_s: float
    round_trip_s: float
    measured_at: str
    took_s: float


@dataclass(frozen=True, slots=True)
class DeviceReport:
    """This machine. `state` is one of CARD_STATES; `detail` carries versions or the driver's own words."""

    processor: str
    physical_cores: int
    logical_cores: int
    usable_cores: int
    memory_bytes: int
    memory_free_bytes: int
    state: str
    detail: str
    driver: str
    cupy: str
    cards: tuple[CardFacts, ...]
    chosen_uuid: str
    speeds: MachineSpeeds | None


@dataclass(frozen=True, slots=True)
class BudgetPoint:
    """What a budget buys, predicted: `budget_bytes` is all of Ember's memory on the card.

    hot_share    share of neurons' work (bytes read) that the card does
    n_split      layers whose neurons lie on both sides
    """

    budget_bytes: int
    tokens_per_s: float
    hot_share: float
    attention_on_card: int
    n_split: int
    strategy: str


@dataclass(frozen=True, slots=True)
class PlacementOffer:
    """The whole curve of budgets for one model on one card, without loading anything.

    points        by rising budget, the first with nothing on the card
    baselines     (name, tokens/s within `asked_bytes`, or `most_bytes` where none were): whole layers, card only,
                  cpu only, from the same planner; one that has no plan within them is left out
    most_bytes    free for Ember now, after the reserve; recommended_bytes at most that
    basis         where the shares of firing neurons come from: "profile", "census", or "even" (nothing known)
    memory_bytes, memory_free_bytes   main memory: needed with nothing on the card, and free now; a model that needs
                  more runs from disk
    asked_bytes   the budget that was asked for, None where none was
    chosen        what the budget asked for buys (the recommended one, where none was), with its `account`: (purpose,
                  bytes), every byte of the card once
    assumed       the card is not here: the name under which its published figures were taken; empty for a real one
    """

    model_id: str
    context_tokens: int
    card_uuid: str
    points: tuple[BudgetPoint, ...]
    baselines: tuple[tuple[str, float], ...]
    most_bytes: int
    recommended_bytes: int
    basis: str
    memory_bytes: int
    memory_free_bytes: int
    chosen: BudgetPoint | None = None
    account: tuple[tuple[str, int], ...] = ()
    assumed: str = ""
    asked_bytes: int | None = None


@dataclass(frozen=True, slots=True)
class PlacementState:
    """Where the loaded model is now.

    account        (purpose, bytes) of the card, every byte once: ours, other programs, reserve, unused
    allocated      (purpose, bytes) really allocated, for ours
    predicted_tokens_per_s   of this plan, 0.0 where nothing is measured to predict from
    measured_tokens_per_s    of the last answer under this plan, 0.0 before one
    stepped_down   "" or one of STEP_DOWN_REASONS, with `wanted_bytes` what could not be had
    """

    model_id: str
    card_uuid: str
    is_emulated: bool
    budget_bytes: int
    account: tuple[tuple[str, int], ...]
    allocated: tuple[tuple[str, int], ...]
    hot_neurons: tuple[int, ...]
    n_neurons: int
    attention_on_card: tuple[bool, ...]
    head_on_card: bool
    hot_share: float
    predicted_tokens_per_s: float
    measured_tokens_per_s: float = 0.0
    applied_s: float = 0.0
    stepped_down: str = ""
    wanted_bytes: int = 0


@dataclass(frozen=True, slots=True)
class StepLoad:
    """Who did the work of some decoded tokens, from counters; sums over `n_tokens`, seconds.

    card_busy_s      the card computed; cpu_busy_s: the compute threads did
    overlap_s        both did
    cpu_waited_s     the processor waited for the card; card_waited_s: the other way round
    hot_bytes, cold_bytes   read of neurons on either side
    active_hot, active_cold   neurons that fired
    """

    n_tokens: int
    wall_s: float
    card_busy_s: float
    cpu_busy_s: float
    overlap_s: float
    cpu_waited_s: float
    card_waited_s: float
    hot_bytes: int
    cold_bytes: int
    active_hot: int
    active_cold: int


@dataclass(frozen=True, slots=True)
class NeuronSample:
    """One token's neurons as a picture: for each layer a row of buckets, the hottest neurons first where known.

    fired        (layers x buckets) share of a bucket's neurons that fired, 0 to 255, as bytes row by row
    hot_buckets  for each layer how many of its buckets, from the left, are on the card
    """

    n_layers: int
    n_buckets: int
    fired: bytes
    hot_buckets: tuple[float, ...]
    load: StepLoad
