"""How long a new budget takes: run by hand.

    python -m tests.measure_budget_move [--shape 7b] [--layers 4] [--format mixed]

Moves all neurons of a model of this shape, but fewer layers, to the emulated card and back, in the engine's own slices,
giving their main memory back and taking it again. The emulated card copies with one thread of the processor, so that
what is printed is what the engine and main memory take, with a copy of each byte in the bus's place: a real card's bus
may be faster or slower. The last column is that of all of the shape's layers, in proportion.
"""

import argparse
import statistics
import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np

from engine.bench.shapes import shape_config
from engine.bench.synthetic import synthetic_model
from engine.kernels.cuda.emulated_device import EmulatedDevice
from engine.kernels.formats import Bytes, Int64
from engine.model.packed_model import WEIGHT_FORMATS
from engine.placement.plan import LayerPlacement, PlacementPlan
from engine.runtime.host_rows import HostRows
from engine.runtime.loader import cache_kind_of
from engine.runtime.neuron_order import by_importance
from engine.runtime.transformer import Transformer


class NoFile:
    """In the place of a packed file, which a card that is not lost leaves alone."""

    def read(self, name: str, rows: Int64, out: Bytes) -> None:
        raise AssertionError(name)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shape", default="7b")
    parser.add_argument("--layers", type=int, default=4)
    parser.add_argument("--format", default="mixed")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    whole = shape_config(options.shape)
    config, parts = replace(whole, n_layers=options.layers), WEIGHT_FORMATS[options.format]
    tensors, order = synthetic_model(config, parts, 0), by_importance(np.ones((config.n_layers, config.n_neurons)))
    transformer = Transformer(
        config, parts, tensors, context_tokens=512, cache_kind=cache_kind_of(options.format), n_threads=1
    )  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        device = EmulatedDevice(Path(folder), total_bytes=8 << 30, sanitises=False, poisons=False)
        rows = HostRows(config, tensors, order, NoFile())  # type: ignore[arg-type]
        session = transformer.use_card(device, rows=rows)
        session.apply(split(config.n_layers, 0, config.n_neurons))
        seconds: dict[str, list[float]] = {"to the card": [], "back": []}
        for _ in range(options.rounds):
            for way, n_hot in (("to the card", config.n_neurons), ("back", 0)):
                seconds[way].append(session.apply(split(config.n_layers, n_hot, config.n_neurons)))
        n_bytes = session.model.layers[0].neurons.row_bytes * config.n_neurons * config.n_layers if session.model else 0
        print(
            f"{options.shape}, {options.format}, {config.n_layers} of {whole.n_layers} layers: {n_bytes / 1e9:.2f} GB"
        )
        print("| way | s, median (all) | GB/s | s of all layers |\n|---|---:|---:|---:|")
        for way, taken in seconds.items():
            median = statistics.median(taken)
            each = " ".join(f"{s:.3f}" for s in taken)
            scaled = median * whole.n_layers / config.n_layers
            print(f"| {way} | {median:.3f} ({each}) | {n_bytes / median / 1e9:.1f} | {scaled:.2f} |")
        transformer.close()
        device.close()


def split(n_layers: int, n_hot: int, n_neurons: int) -> PlacementPlan:
    return PlacementPlan("by hand", (LayerPlacement(True, n_hot, n_neurons),) * n_layers, True, 0.0)


if __name__ == "__main__":
    main()
