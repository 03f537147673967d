"""PowerInfer's published setting, planned by Ember: `python -m tests.placement.simulate_powerinfer`.

A simulation: two models on a machine that is not here, with coverage curves and rates as published. Prints Ember's plan
against the split by whole layers, on the same assumed machine; what was measured of PowerInfer stands beside it for
comparison only. Every number with its source is in this file; docs/placement.md says what follows from them.

Sources: Song et al., "PowerInfer", SOSP 2024 (machine, firing, locality, predictors, speeds); the public profiles of
ReluLLaMA-70B as counted in viennh/CAP6614-PowerInfer; the shapes of SparseLLM/ReluFalcon-40B and ReluLLaMA-70B.
"""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.placement.budget import CardMemory, LayerBytes, ModelBytes
from engine.placement.cost import LayerWork, StepWork, firing_from_coverage, neuron_work
from engine.placement.offer import CENSUS, ModelCosts, Placer
from engine.placement.planner import WHOLE_LAYERS
from engine.placement.published_cards import published_card, published_memory, with_published
from engine.placement_reports import MachineSpeeds, ThreadRate

# PowerInfer's larger PC: a Core i9-13900K whose memory reads 67.2 GB/s, and an RTX 4090 (SOSP 2024, section 8.1).
CPU_BYTES_PER_S = 67.2e9
CARD = "RTX 4090"
# Bytes a weight: half precision, and Q4_0 (18 bytes for 32 weights).
FORMATS = {"fp16": 2.0, "int4": 18 / 32}
# What of the context is reserved, and filled; keys and values in half precision.
CONTEXT_TOKENS, DEPTH_TOKENS = 2048, 128
CONTEXT_BYTES, WORKSPACE_BYTES = 512 << 20, 256 << 20


@dataclass(frozen=True, slots=True)
class Shape:
    """A model as published.

    active, named   share of the neurons that fire for a token, and that its predictor names
    n_matrices      rows of a neuron: 3 with a gate, 2 without
    predictor       weights of all layers' predictors together
    """

    name: str
    n_layers: int
    width: int
    n_neurons: int
    qkv_width: int
    key_width: int
    n_vocab: int
    n_matrices: int
    active: float
    named: float
    predictor: float


FALCON_40B = Shape("ReluFalcon-40B", 60, 8192, 32768, 9216, 512, 65024, 2, 0.05, 0.10, 3.63e9)
LLAMA_70B = Shape("ReluLLaMA-70B", 80, 8192, 28672, 10240, 1024, 32000, 3, 0.18, 0.22, 5.66e9)

# Share of the neurons, and of the activity of a layer that they carry.
Curve = tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Locality:
    """Where a coverage curve is from, and the points of it that are known."""

    source: str
    curve: Curve


# The paper gives one point for a layer: 26 % (OPT-30B, plain ReLU as Falcon's) and 43 % (LLaMA-70B) carry 80 %.
PAPER_FALCON = Locality("paper: 26 % carry 80 % (of OPT-30B)", ((0.26, 0.80),))
PAPER_LLAMA = Locality("paper: 43 % carry 80 %", ((0.43, 0.80),))
# Counted from the published profiles, a mean over layers; they count the largest 8 % of a token's activations.
PROFILE_LLAMA = Locality("published profile: 63 % carry 80 %", ((0.633, 0.80), (0.78, 0.90), (0.86, 0.95)))

CASES = (
    (FALCON_40B, "fp16", PAPER_FALCON, "PowerInfer measured 11.69 times llama.cpp"),
    (FALCON_40B, "int4", PAPER_FALCON, "PowerInfer measured up to 4.28 times llama.cpp (best of its INT4 models)"),
    (LLAMA_70B, "int4", PAPER_LLAMA, "PowerInfer measured 2.89 times llama.cpp (mean of its INT4 models)"),
    (LLAMA_70B, "int4", PROFILE_LLAMA, "the same"),
)


def coverage(locality: Locality, n_steps: int = 100) -> tuple[float, ...]:
    """The curve in equal steps. A single point is drawn out by 1 - exp(-k x), whose k meets it, several by lines."""
    x = np.linspace(0, 1, n_steps + 1)
    if len(locality.curve) == 1:
        (share, carried), low, high = locality.curve[0], 1e-3, 100.0
        for _ in range(60):
            k = (low + high) / 2
            low, high = (k, high) if np.expm1(-k * share) / np.expm1(-k) < carried else (low, k)
        values = np.expm1(-k * x) / np.expm1(-k)
    else:
        shares, carried_shares = zip((0.0, 0.0), *locality.curve, (1.0, 1.0), strict=True)
        values = np.interp(x, shares, carried_shares)
    values[0], values[-1] = 0.0, 1.0
    return tuple(values.tolist())


def costs(shape: Shape, bytes_per_weight: float, locality: Locality | None, *, predicted: bool) -> ModelCosts:
    """What the model takes and reads; without a locality every neuron is read, as a dense engine does.

    predicted   a published predictor names the neurons, is in the format of the weights and lies with attention;
                otherwise all first rows are read
    """
    n, d = shape.n_neurons, shape.width
    row = round(bytes_per_weight * d)
    attention = round(bytes_per_weight * d * (shape.qkv_width + d))
    predictor = round(bytes_per_weight * shape.predictor / shape.n_layers) if predicted else 0
    position = 2 * 2 * shape.key_width
    placed = LayerBytes(attention, predictor, position * CONTEXT_TOKENS, shape.n_matrices * row, n)
    if locality is None:
        fired = named = np.ones(n)
    else:
        fired = firing_from_coverage(coverage(locality), shape.active, n)
        named = np.minimum(1.0, fired * shape.named / shape.active) if predicted else np.ones(n)
    read = neuron_work(np.maximum(named, fired), fired, row, (shape.n_matrices - 1) * row)
    work = LayerWork(float(attention + predictor + position * DEPTH_TOKENS), read)
    head = round(bytes_per_weight * d * shape.n_vocab)
    layers = shape.n_layers
    share_whole = 1.0 if locality is None else 0.0 if predicted else row * n / float(read.sum())
    return ModelCosts(
        ModelBytes((placed,) * layers, head, CONTEXT_BYTES, WORKSPACE_BYTES),
        StepWork((work,) * layers, float(head)), share_whole, CENSUS,
    )  # fmt: skip


def machine() -> tuple[MachineSpeeds, CardMemory]:
    """The assumed one: the processor's published rate, and the card's published figures as `ember plan` takes them."""
    processor = MachineSpeeds((ThreadRate(8, CPU_BYTES_PER_S),), "", 0.0, 0.0, 0.0, 0.0, 0.0, "", 0.0)
    card = published_card(CARD)
    return with_published(processor, card), published_memory(card)


@dataclass(frozen=True, slots=True)
class Predicted:
    """Of one way to run a model: tokens/s, and the share of the neurons' work that the card does."""

    way: str
    tokens_per_s: float
    hot_share: float


def simulate(shape: Shape, bytes_per_weight: float, locality: Locality) -> list[Predicted]:
    """Whole layers read densely (llama.cpp's way), whole layers with silent neurons skipped, and Ember's plans."""
    speeds, memory = machine()
    ways = []
    for way, known, predicted, whole in (
        ("whole layers, every neuron read", None, False, True),
        ("whole layers, silent neurons skipped exactly", locality, False, True),
        ("whole layers, with the published predictors", locality, True, True),
        ("Ember's plan, exact", locality, False, False),
        ("Ember's plan, with the published predictors", locality, True, False),
    ):
        placer = Placer(costs(shape, bytes_per_weight, known, predicted=predicted), speeds, memory)
        plan = placer.plan_by(WHOLE_LAYERS, memory.available) if whole else placer.plan_for(memory.available)
        ways.append(Predicted(way, plan.tokens_per_s, placer.point(memory.available, plan).hot_share))
    return ways


def table() -> list[str]:
    """Lines of Markdown."""
    lines = ["| model | locality | way | tokens/s | ratio | work on card |", "|---|---|---|---:|---:|---:|"]
    for shape, name, locality, _ in CASES:
        ways = simulate(shape, FORMATS[name], locality)
        for at, way in enumerate(ways):
            head = (f"{shape.name}, {name}", locality.source) if at == 0 else ("", "")
            ratio = way.tokens_per_s / ways[0].tokens_per_s
            figures = f"{way.tokens_per_s:.1f} | {ratio:.2f} | {100 * way.hot_share:.0f} %"
            lines.append(f"| {head[0]} | {head[1]} | {way.way} | {figures} |")
    return lines


def main(arguments: Sequence[str] | None = None) -> None:
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args(arguments)
    print("Predictions on an assumed machine (i9-13900K, RTX 4090), none of them measured.\n")
    print("\n".join(table()))
    print()
    for shape, name, _, measured in CASES:
        print(f"{shape.name}, {name}: {measured}")


if __name__ == "__main__":
    main()
