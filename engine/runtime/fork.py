"""Several sequences that go on from one beginning and are decoded together: what `Transformer.fork` gives.

The beginning stays where it is, in the model's cache, and all sequences read it there; it is neither copied nor read
once for each. What a sequence has of its own, its tokens with their keys and values, is owned here, in a second cache
of which each sequence has a stretch that grows with the longest.
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from engine.errors import Cancelled, ContextFull, InternalError, InvalidRequest, OutOfMemory
from engine.kernels.formats import Float32, Int64
from engine.model.config import ModelConfig
from engine.runtime.decoder import MAX_TOKENS, Decoder
from engine.runtime.kv_cache import KVCache, cache_bytes

# Sequences of a fork, and tokens of its step.
MOST_SEQUENCES = 32
# Positions each sequence has room for at first; doubled as the longest needs more.
FIRST_ROOM = 64

# Tokens and the positions (t,) of each → their embeddings (t, d).
Embed = Callable[[Sequence[int], Int64], Float32]


class Fork:
    """One thread uses it, the model's. While it is open the cache keeps the beginning: no prompts, no other steps."""

    def __init__(
        self, config: ModelConfig, decoder: Decoder, cache: KVCache, n_sequences: int, embed: Embed,
        on_close: Callable[[], None] = lambda: None,
    ) -> None:  # fmt: skip
        """Raises InvalidRequest where there are too many sequences."""
        if not 1 <= n_sequences <= MOST_SEQUENCES:
            raise InvalidRequest("sequences", str(n_sequences), f"1 to {MOST_SEQUENCES}")
        self._config, self._cache, self._embed, self._on_close = config, cache, embed, on_close
        self._beginning = tuple(cache.tokens)
        self._own: list[list[int]] = [[] for _ in range(n_sequences)]
        self._single = decoder
        self._room = max(1, min(FIRST_ROOM, cache.context_tokens - len(self._beginning)))
        self._rows = self._make_rows(self._room)
        self._decoder = decoder.for_sequences(self._rows, max(n_sequences, MAX_TOKENS))

    @property
    def n_sequences(self) -> int:
        return len(self._own)

    @property
    def max_tokens(self) -> int:
        """How many tokens a step can take."""
        return self._decoder.max_tokens

    @property
    def n_bytes(self) -> int:
        """Bytes of what the sequences have of their own, and of the step's buffers."""
        return self._rows.n_bytes + self._decoder.n_bytes

    def tokens(self, sequence: int) -> list[int]:
        """All tokens of a sequence, the common beginning included."""
        return [*self._beginning, *self._own[sequence]]

    def step(self, sequences: Sequence[int], tokens: Sequence[int]) -> Float32:
        """Append each token to its sequence; returns the logits (t, v) after each, valid until the next call.

        Any of the sequences, in any order; of one there may be several tokens, in theirs. Each gets the bits it would
        get alone. Always exact. Raises Cancelled, after which nothing is appended, and ContextFull, OutOfMemory.
        """
        if not 1 <= len(tokens) <= self.max_tokens or len(sequences) != len(tokens):
            raise InternalError("Fork", f"{len(tokens)} tokens of {len(sequences)} sequences")
        if self._cache.tokens != [*self._beginning]:
            raise InternalError("Fork", "the cache has lost the beginning")
        places = self._places(sequences)
        self._decoder.n_active_threads = self._single.n_active_threads
        notes_fired = self._decoder.notes_fired
        self._decoder.begin_at(self._embed(tokens, places[:, 0]), places, notes_fired=notes_fired)
        if not self._decoder.whole_step(wants_logits=True):
            raise Cancelled
        logits = self._decoder.logits[: len(tokens)]
        if not np.isfinite(logits).all():
            raise InternalError("NotFinite", f"logits of {len(tokens)} tokens of a fork")
        for sequence, token in zip(sequences, tokens, strict=True):
            self._own[sequence].append(token)
        return logits

    # What the last step did ---------------------------------------------------------------------------------------

    @property
    def step_counts(self) -> Int64:
        """(tokens, layers, 3): as `Transformer.step_counts`."""
        return self._decoder.neuron_counts

    @property
    def notes_fired(self) -> bool:
        """Whether steps leave in `fired` which neurons were active. Off at first."""
        return self._decoder.notes_fired

    @notes_fired.setter
    def notes_fired(self, wanted: bool) -> None:
        self._decoder.notes_fired = wanted

    @property
    def fired(self) -> NDArray[np.uint8]:
        """(tokens, layers, n): 1 where a neuron was active."""
        return self._decoder.fired[: len(self.step_counts)]

    def close(self) -> None:
        """Whatever had to make way for the fork comes back; it is not used any more."""
        self._on_close()

    # Where tokens stand -------------------------------------------------------------------------------------------

    def _places(self, sequences: Sequence[int]) -> Int64:
        """As Decoder.begin_at wants them, of a new token of each of these; makes room where there is none."""
        n_before, lengths = len(self._beginning), [len(own) for own in self._own]
        positions = []
        for sequence in sequences:
            positions.append(n_before + lengths[sequence])
            lengths[sequence] += 1
        if max(lengths) + n_before > self._cache.context_tokens:
            raise ContextFull(max(lengths) + n_before, self._cache.context_tokens)
        if max(lengths) > self._room:
            self._make_room(max(lengths))
        offsets = np.asarray(sequences, np.int64) * self._room - n_before
        return np.column_stack([positions, np.full(len(offsets), n_before), offsets])

    def _make_room(self, n_positions: int) -> None:
        room = self._room
        while room < n_positions:
            room = min(2 * room, self._cache.context_tokens - len(self._beginning))
        rows, n = self._make_rows(room), self.n_sequences
        for name in ("keys", "values", "key_scales", "value_scales"):
            before, after = getattr(self._rows, name), getattr(rows, name)
            outer, width = before.shape[:2], before.shape[3]
            after.reshape(*outer, n, room, width)[:, :, :, : self._room] = before.reshape(*outer, n, self._room, width)
        self._rows, self._room = rows, room
        self._decoder.write_to(rows)

    def _make_rows(self, room: int) -> KVCache:
        n_positions = self.n_sequences * room
        try:
            return KVCache(self._config, n_positions, self._cache.kind)
        except MemoryError as error:
            raise OutOfMemory("cache", cache_bytes(self._config, n_positions, self._cache.kind), 0) from error
