"""Models and machines as plain numbers, for the planner's tests: drawn by hypothesis, or of a size and a seed."""

import numpy as np
from hypothesis import strategies as st

from engine.placement.budget import LayerBytes, ModelBytes
from engine.placement.cost import LayerWork, Speeds, StepWork, neuron_work

# A desktop of about 2023, rounded: for models whose sizes are those of real ones.
DESKTOP = Speeds(
    cpu_dense_rate=60e9, cpu_rows_rate=50e9, card_dense_rate=800e9, card_rows_rate=600e9, launch=12e-6, crossing=15e-6,
    join=10e-6, token=2e-4,
)  # fmt: skip


@st.composite
def speeds(draw) -> Speeds:
    """Rates within a factor of 64 and charges from nothing to far more than any work of `models`."""
    rate = st.integers(1, 64).map(float)
    charge = st.sampled_from([0.0, 0.125, 1.0, 7.5, 1000.0])
    return Speeds(*(draw(rate) for _ in range(4)), *(draw(charge) for _ in range(4)))


@st.composite
def models(draw, most_layers: int = 3, most_neurons: int = 7) -> tuple[ModelBytes, StepWork]:
    """Layers of different sizes, so small that all their plans can be tried, with neurons hottest first."""
    size = st.integers(0, 40)
    layers, works = [], []
    for _ in range(draw(st.integers(1, most_layers))):
        n = draw(st.integers(1, most_neurons))
        layers.append(LayerBytes(draw(size), draw(size), draw(size), draw(st.integers(1, 9)), n))
        read = sorted(draw(st.lists(st.floats(0, 50, width=32), min_size=n, max_size=n)), reverse=True)
        works.append(LayerWork(float(draw(size)), np.array(read)))
    model = ModelBytes(tuple(layers), draw(size), draw(size), draw(size))
    return model, StepWork(tuple(works), float(draw(size)))


def model_of_size(
    n_layers: int, n_neurons: int, width: int, *, seed: int = 0, with_predictor: bool = False
) -> tuple[ModelBytes, StepWork]:
    """A gated model in one byte a weight, whose layers differ in how few of their neurons fire how often."""
    rng = np.random.default_rng(seed)
    attention = 4 * width * width
    layers, works = [], []
    for _ in range(n_layers):
        fired = np.clip(rng.pareto(1 + rng.random(), n_neurons) * rng.uniform(0.02, 0.1), 0, 1)
        fired = np.sort(fired)[::-1]
        named = np.minimum(1, 1.3 * fired) if with_predictor else np.ones(n_neurons)
        layers.append(LayerBytes(attention, 0, 1024 * width, 3 * width + 4, n_neurons))
        works.append(LayerWork(float(attention), neuron_work(named, fired, width, 2 * width)))
    head = 32000 * width
    return ModelBytes(tuple(layers), head, 300 << 20, 100 << 20), StepWork(tuple(works), float(head))
