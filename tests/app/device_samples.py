"""Devices, offers, placements and neurons for tests; the figures are made up and never shown to anybody."""

import math
import random
from dataclasses import replace

from app.device_figures import GIB, MIB
from engine.placement_reports import (
    BudgetPoint,
    CardFacts,
    CardProcess,
    DeviceReport,
    MachineSpeeds,
    NeuronSample,
    PlacementOffer,
    PlacementState,
    StepLoad,
    ThreadRate,
)

N_LAYERS, N_NEURONS = 32, 11008
TOTAL, OTHERS, RESERVE = 12 * GIB, round(1.4 * GIB), 512 * MIB
MOST = 10 * GIB

CARD = CardFacts(
    "GPU-11111111-aaaa", "Sample Card 12", 0, (8, 6), TOTAL, TOTAL - OTHERS - 6 * GIB, 300 * MIB, 6 * GIB,
    (CardProcess("browser", 4100, 700 * MIB), CardProcess("compositor", 1200, 300 * MIB)), "PCIe 4.0 x16",
)  # fmt: skip
SECOND = CardFacts(
    "GPU-22222222-bbbb", "Sample Card 24 with quite a long name", 1, (8, 9), 24 * GIB, 22 * GIB, 400 * MIB, 0,
    (CardProcess("a_renderer_without_figures", 777, 0),), "PCIe 3.0 x4",
)  # fmt: skip

CPU_RATES = tuple(ThreadRate(n, 42e9 * (1 - math.exp(-n / 2.2))) for n in (1, 2, 3, 4, 6, 8))
SPEEDS = MachineSpeeds(CPU_RATES, CARD.uuid, 330e9, 24e9, 25e9, 4e-6, 18e-6, "2026-11-30T10:12:00+00:00", 4.8)
CPU_SPEEDS = replace(SPEEDS, card_uuid="", card_bytes_per_s=0.0, upload_bytes_per_s=0.0, download_bytes_per_s=0.0,
                     launch_s=0.0, round_trip_s=0.0)  # fmt: skip


def report(state: str = "usable", *cards: CardFacts, **changes: object) -> DeviceReport:
    whole = DeviceReport(
        "A 7 CPU, 8 cores", 8, 16, 8, 32 * GIB, 20 * GIB, state, "", "580.65" if cards else "",
        "14.0" if cards else "", cards, cards[0].uuid if cards else "", SPEEDS if cards else CPU_SPEEDS,
    )  # fmt: skip
    return replace(whole, **changes)  # type: ignore[arg-type]


USABLE = report("usable", CARD)
TWO_CARDS = report("usable", CARD, SECOND)
NO_CARD = report("no_device", driver="580.65")
UNMEASURED = report("not_installed", speeds=None)
DEMONSTRATION = report("emulated", chosen_uuid="emulated")


def offer(model_id: str = "starter-135m", **changes: object) -> PlacementOffer:
    """Rises steeply, then slowly, as coverage does."""
    points = []
    for step in range(21):
        budget = step * MOST // 20
        hot = 0.0 if step < 2 else 1 - math.exp(-(step - 1) / 5.5)
        points.append(BudgetPoint(budget, 1 / (0.095 - 0.08 * hot), hot, 0 if step < 3 else N_LAYERS, 32, "free"))
    whole = PlacementOffer(
        model_id, 4096, CARD.uuid, tuple(points), (("whole layers", 27.4), ("card only", 0.0), ("cpu only", 10.5)),
        MOST, 9 * GIB, "profile", 9 * GIB, 20 * GIB,
    )  # fmt: skip
    return replace(whole, **changes)  # type: ignore[arg-type]


def demonstration_offer(**changes: object) -> PlacementOffer:
    """As the engine offers it: planned for a card that is not here, by its published figures."""
    return offer(**{"card_uuid": "emulated", "assumed": "RTX 4060", **changes})  # type: ignore[arg-type]


def demonstration(budget: int = 6 * GIB, **changes: object) -> PlacementState:
    """As the engine tells it: no speed is predicted of a processor that plays a card."""
    told = {"is_emulated": True, "card_uuid": "emulated", "predicted_tokens_per_s": 0.0}
    return placement(budget, **{**told, **changes})  # type: ignore[arg-type]


def placement(budget: int = 6 * GIB, model_id: str = "starter-135m", **changes: object) -> PlacementState:
    """Of a budget; the account adds up to the card."""
    parts = [("context and modules", 310 * MIB), ("workspace", 90 * MIB), ("attention", 1100 * MIB),
             ("head", 140 * MIB), ("predictors", 0), ("KV cache", 512 * MIB)]  # fmt: skip
    fixed = sum(n for _, n in parts)
    if budget < fixed:
        parts = [(name, 0) for name, _ in parts]
    ours = (*parts, ("hot neurons", max(0, budget - fixed) if budget >= fixed else 0))
    taken = sum(n for _, n in ours)
    account = (*ours, ("other programs", OTHERS), ("reserve", RESERVE), ("unused", TOTAL - OTHERS - RESERVE - taken))
    hot = 0.0 if budget < fixed else 1 - math.exp(-(budget / MOST) * 3.4)
    whole = PlacementState(
        model_id, CARD.uuid, False, budget, account, ours, tuple([int(N_NEURONS * hot / 2)] * N_LAYERS), N_NEURONS,
        tuple([budget >= fixed] * N_LAYERS), budget >= fixed, hot, 1 / (0.095 - 0.08 * hot), 0.0, 0.4,
    )  # fmt: skip
    return replace(whole, **changes)  # type: ignore[arg-type]


def load(**changes: object) -> StepLoad:
    whole = StepLoad(
        n_tokens=20, wall_s=0.6, card_busy_s=0.31, cpu_busy_s=0.52, overlap_s=0.26, cpu_waited_s=0.03,
        card_waited_s=0.21, hot_bytes=30_000_000_000, cold_bytes=9_000_000_000, active_hot=310_000, active_cold=90_000,
    )  # fmt: skip
    return replace(whole, **changes)  # type: ignore[arg-type]


def neurons(*, n_layers: int = N_LAYERS, n_buckets: int = 64, hot: float = 0.4, seed: int = 1) -> NeuronSample:
    """Fewer fire the further to the right."""
    draw = random.Random(seed)
    fired = bytes(
        min(255, int(255 * max(0.0, draw.gauss(0.62 * math.exp(-bucket / (n_buckets / 4)), 0.05))))
        for _ in range(n_layers)
        for bucket in range(n_buckets)
    )
    edges = tuple(n_buckets * hot * (0.75 + 0.5 * draw.random()) for _ in range(n_layers))
    return NeuronSample(n_layers, n_buckets, fired, edges, load() if hot else processor_load())


def processor_load(**changes: object) -> StepLoad:
    """Of a machine without a card."""
    whole = load(card_busy_s=0.0, cpu_busy_s=0.59, overlap_s=0.0, cpu_waited_s=0.0, card_waited_s=0.0, hot_bytes=0,
                 active_hot=0)  # fmt: skip
    return replace(whole, **changes)  # type: ignore[arg-type]
