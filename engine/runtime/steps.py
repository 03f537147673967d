"""The logits after each token of one answer, some of them computed ahead of time, and by a tier some of them twice.

Owns which tokens of the cache are certain: what was proposed and checked beyond the last certain token stays only as
long as the answer goes that way. Owns also the turning from a tier to exact: a token that audit.py names is taken back
and computed exactly, so that the cache holds what exact would have written; where that shows drift the tier is left.
An audited token is the last of its step, and nothing after it is computed before the audit. That is why an answer at a
tier is the same whatever was proposed.
"""

import time

import numpy as np
from numpy.typing import NDArray

from engine.kernels.formats import Float32
from engine.neuron_reports import EXACT
from engine.runtime.audit import Audit, is_audited, tokens_to_audit
from engine.runtime.decoder import MAX_TOKENS
from engine.runtime.divergence import kl_divergence
from engine.runtime.lookup import Lookup
from engine.runtime.transformer import Transformer

Counts = NDArray[np.int64]


class Steps:
    """Steps of one answer; `lookup` wants to be told the prompt first. Without an audit they are exact.

    audit_kls  of the tokens audited so far
    left_at    how many tokens `after` was given when the tier was left, that one included; -1 while it was not
    """

    def __init__(self, transformer: Transformer, *, speculate: bool, audit: Audit | None = None) -> None:
        self.lookup = Lookup()
        self.n_proposed = self.n_accepted = 0
        self.audit_kls: list[float] = []
        self.left_at = -1
        self._audit, self._tier, self._n_given = audit, EXACT, 0
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
        self._n_given += 1
        logits, counts = self._logits(token, most)
        if self._audit is not None and self._tier != EXACT and is_audited(self.n_certain - 1):
            logits = self._audited(self._audit, token, logits)
        return logits, counts

    def begin_tier(self) -> None:
        """From here on the answer's tier computes; what is in the cache before that is as it was."""
        if self._audit is not None and self._audit.is_withdrawn:
            self.left_at = 0
        elif self._audit is not None:
            self._switch(self._audit.tier)

    def end(self) -> None:
        """Leave the model as others expect it: exact, and without what was only proposed."""
        self._switch(EXACT)
        self.forget_uncertain()

    def _switch(self, tier: str) -> None:
        if tier != self._tier:
            self._tier = self._transformer.tier = tier
            self._transformer.cache.note_tier(tier)

    def _audited(self, audit: Audit, token: int, logits: Float32) -> Float32:
        """The exact logits after the last token, whose keys and values become the exact ones too."""
        by_tier = logits.copy()
        self._transformer.cache.rewind(self.n_certain - 1)
        self._switch(EXACT)
        exact = self._transformer.decode_step(token)
        self.audit_kls.append(kl_divergence(exact, by_tier))
        if audit.observe(self.audit_kls[-1]):
            self.left_at = self._n_given
        else:
            self._switch(audit.tier)
        return exact

    def _logits(self, token: int, most: int) -> tuple[Float32, Counts]:
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
        if self._tier != EXACT:
            room = min(room, tokens_to_audit(len(cache.tokens)))
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
