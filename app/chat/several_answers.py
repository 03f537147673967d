"""Several answers to one message at once: how the tokens of each are chosen, so that no two of them are alike.

Owns their seeds. Knows no Qt.
"""

from collections.abc import Collection
from dataclasses import replace

from engine.messages import SamplingParams

MORE_VERSIONS = 3
"""What is written at once where a person wants more than one."""

_N_SEEDS = 2**63


def is_without_chance(sampling: SamplingParams) -> bool:
    """Whether the most likely token is taken each time, so that every seed gives the same answer."""
    return sampling.temperature == 0 or sampling.top_k == 1


def samplings_of(
    sampling: SamplingParams, n_answers: int, taken: Collection[int | None] = ()
) -> tuple[SamplingParams, ...]:
    """One for each answer: with a seed, that and those after it which are not `taken`; without, each draws its own."""
    if sampling.seed is None:
        return (sampling,) * n_answers
    seeds: list[int] = []
    seed = sampling.seed
    while len(seeds) < n_answers:
        if seed not in taken:
            seeds.append(seed)
        seed = (seed + 1) % _N_SEEDS
    return tuple(replace(sampling, seed=seed) for seed in seeds)
