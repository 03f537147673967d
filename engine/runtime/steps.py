"""The logits after each token of one answer, some of them computed ahead of time.

Owns which tokens of the cache are certain: what was proposed and checked beyond the last certain token stays only as
long as the answer goes that way.
"""

import time

import numpy as np
from numpy.typing import NDArray

from engine.kernels.formats import Float32
from engine.runtime.decoder import MAX_TOKENS
from engine.runtime.lookup import Lookup
from engine.runtime.transformer import Transformer

Counts = NDArray[np.int64]


class Steps:
    """Steps of one answer; `lookup` wants to be told the prompt first."""

    def __init__(self, transformer: Transformer, *, speculate: bool) -> None:
        self.lookup = Lookup()
        self.n_proposed = self.n_accepted = 0
        self._transformer, self._speculate = transformer, speculate
        self._ahead: list[tuple[int, Float32, Counts]] = []
        self._guess: tuple[int, int] | None = None

    @property
    def n_certain(self) -> int:
        """Tokens of the cache that belong to the conversation."""
        return len(self._transformer.cache.tokens) - len(self._ahead)

    def after(self, token: int, most: int) -> tuple[Float32, Counts]:
        """Logits (v,) after `token` has been appended, and its counts of neurons (layers, 3).

        `most` is how many tokens may still follow. The logits are valid until the next call. Raises Cancelled.
        """
        self._judge(token)
        self.lookup.extend([token])
        if self._ahead and self._ahead[0][0] == token:
            _, logits, counts = self._ahead.pop(0)
            self.n_accepted += 1
            self._guess = None
            return logits, counts
        self.forget_uncertain()
        tokens = [token, *self._proposal(most)]
        started = time.perf_counter()
        logits = self._transformer.decode_steps(tokens)
        self._transformer.payoff.took(len(tokens), time.perf_counter() - started)
        counts = self._transformer.step_counts
        self.n_proposed += len(tokens) - 1
        self._ahead = [(tokens[i], logits[i], counts[i]) for i in range(1, len(tokens))]
        return logits[0], counts[0]

    def forget_uncertain(self) -> None:
        """Take what was only proposed out of the cache."""
        self._transformer.cache.rewind(self.n_certain)
        self._ahead = []

    def _proposal(self, most: int) -> list[int]:
        cache = self._transformer.cache
        room = min(most, MAX_TOKENS - 1, cache.context_tokens - len(cache.tokens) - 1)
        if not self._speculate or room <= 0:
            return []
        order, found = self.lookup.propose(room)
        self._guess = (order, found[0]) if found else None
        return found[: self._transformer.payoff.worth(order, len(found))]

    def _judge(self, token: int) -> None:
        """Learn whether the last find held, even where it was not checked in one step."""
        if self._guess is not None:
            order, guessed = self._guess
            self._transformer.payoff.proved(order, held=guessed == token)
