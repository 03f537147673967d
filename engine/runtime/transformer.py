"""A model in memory and its cache: `prefill` reads many tokens, `decode_step` one."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.errors import Cancelled, DeviceLost, InternalError, InvalidRequest, OutOfMemory
from engine.kernels.cuda.device import Device
from engine.kernels.cuda.ops import CardOps
from engine.kernels.formats import FORMATS, Float32, Int64
from engine.model.config import ModelConfig
from engine.model.packed_model import PartFormats
from engine.model.predictors import LayerChoice
from engine.model.weight_memory import untouched_bytes
from engine.neuron_reports import EXACT
from engine.placement_reports import NeuronSample, StepLoad
from engine.runtime.card_model import CardModel
from engine.runtime.card_session import CardSession, RowKeeper, Smaller, StepDown, on_processor
from engine.runtime.decoder import FETCH_AHEAD, MAX_TOKENS, Decoder
from engine.runtime.fork import Fork
from engine.runtime.governor import Governor
from engine.runtime.hot_prompt import WrongResult
from engine.runtime.hybrid import HybridDecoder
from engine.runtime.kv_cache import KVCache
from engine.runtime.lookup import Payoff
from engine.runtime.neuron_watch import NeuronWatch
from engine.runtime.prefill import OnLayer, Prefill, Tap
from engine.runtime.step_load import NO_LOAD
from engine.runtime.traffic import step_bytes
from engine.runtime.tuning_file import Tuning
from engine.runtime.workers import WorkerPool

# Up to so many tokens the decode step is faster than unpacking all weights; measured in docs/optimisation-log.md.
DECODE_INSTEAD = 8
CHUNK_TOKENS = 512

OnTokens = Callable[[int, int], None]


class Transformer:
    """Everything resident for one model. One thread uses it; `request_stop` may be called from any."""

    def __init__(
        self, config: ModelConfig, parts: PartFormats, tensors: Mapping[str, NDArray[Any]], *, context_tokens: int,
        cache_kind: str, n_threads: int, tuning: Tuning | None = None,
    ) -> None:  # fmt: skip
        """With a tuning a decode step takes as many of the n_threads as suit it, and fewer on a busy machine."""
        self.config = config
        self.cache = KVCache(config, context_tokens, cache_kind)
        self.pool = WorkerPool(n_threads)
        self._embedding, self._embedding_format = tensors["embedding"], FORMATS[parts.embedding]
        self._positions, self._positions_format = tensors.get("positions"), parts.of("positions")
        fetch_ahead = FETCH_AHEAD if tuning is None else tuning.fetch_ahead
        self._parts, self._tensors = parts, tensors
        self._decoder: Decoder | HybridDecoder = Decoder(config, parts, tensors, self.cache, self.pool, fetch_ahead)
        self._tier = self._last_tier = EXACT
        self._fired_from = self._n_fired = 0
        self._counts_neurons = False
        self._watch: NeuronWatch | None = None
        self._neuron_counts = np.zeros((config.n_layers, 0), np.int64)
        self._governor: Governor | None = None
        if tuning is not None:
            self._governor = Governor(min(tuning.n_threads, n_threads))
            self._decoder.n_active_threads = self._governor.n_threads
        self._most_prompt_tokens = min(CHUNK_TOKENS, context_tokens)
        self._prefill = Prefill(config, parts, tensors, self.cache, self.pool, self._most_prompt_tokens)
        self.payoff = Payoff()
        self._is_stopped = False
        self._weight_bytes = sum(t.nbytes for t in tensors.values())

    @property
    def n_bytes(self) -> int:
        """Bytes of weights, cache, buffers and tiers."""
        held = self._weight_bytes + self.cache.n_bytes + self._neuron_counts.nbytes
        return held + self._decoder.n_bytes + self._prefill.n_bytes

    @property
    def untouched_bytes(self) -> int:
        """Of these, those of the cache and of a prompt's buffers that memory is taken for once they are used."""
        cache = self.cache
        of_cache = (cache.keys, cache.values, cache.key_scales, cache.value_scales)
        return untouched_bytes((*of_cache, *self._prefill.buffers))

    # A card --------------------------------------------------------------------------------------------------------

    def use_card(
        self, device: Device, *, rows: RowKeeper | None = None, smaller: Smaller | None = None,
        on_step_down: Callable[[StepDown], None] = lambda step_down: None, reserve_bytes: int = 0,
        ops: CardOps | None = None,
    ) -> CardSession:  # fmt: skip
        """Let a card take part from here on, with nothing on it at first; as `CardSession`, which is returned.

        A card that was lost is replaced by this one. `ops` are the device's operations, its kernels by default.
        Whoever opened the device closes it, after `close`. Raises InternalError where a card takes part already.
        """
        decoder = self._decoder
        if isinstance(decoder, HybridDecoder):
            if decoder.session.model is not None:
                raise InternalError("CardSession", "the model has a card already")
            decoder = decoder.on_processor
        c, parts, tensors = self.config, self._parts, self._tensors
        model = CardModel(device, CardOps(device) if ops is None else ops, c, parts, tensors, self.cache)
        session = CardSession(
            model, decoder, rows=rows, smaller=smaller, on_step_down=on_step_down, reserve_bytes=reserve_bytes
        )  # fmt: skip
        self._decoder = HybridDecoder(c, parts, tensors, self.cache, decoder, session, self._most_prompt_tokens)
        return session

    @property
    def card(self) -> CardSession | None:
        return self._decoder.session if isinstance(self._decoder, HybridDecoder) else None

    def take_load(self, reader: str = "answer") -> StepLoad:
        """Who did the work of the steps that were measured since this reader's last call; nothing without a card."""
        return self._decoder.take_load(reader) if isinstance(self._decoder, HybridDecoder) else NO_LOAD

    # Tiers --------------------------------------------------------------------------------------------------------

    def set_tiers(self, tiers: Mapping[str, Sequence[LayerChoice]]) -> None:
        """Make these tiers available beside exact, in place of those there were; the tier becomes exact.

        Raises InternalError where choices are not of this model's shape.
        """
        self._decoder.set_tiers(tiers)
        self._tier = self._last_tier = EXACT

    @property
    def tiers(self) -> tuple[str, ...]:
        """Names that `tier` can be set to."""
        return self._decoder.tiers

    @property
    def tier(self) -> str:
        """By which tier `decode_step` computes; prompts are always read exactly. Changing it costs nothing."""
        return self._tier

    @tier.setter
    def tier(self, name: str) -> None:
        """Raises InvalidRequest."""
        if name not in self._decoder.tiers:
            raise InvalidRequest("tier", name, ", ".join(self._decoder.tiers))
        self._tier = name

    @property
    def step_bytes_read(self) -> int:
        """Bytes the last step read, as `step_bytes`, 0 before the first.

        Several tokens read together what is read whole. Rows of neurons count as if no two tokens wanted the same, up
        to all there are.
        """
        counts = self._decoder.neuron_counts
        if not len(counts):
            return 0
        rows, after = np.minimum(counts.sum(axis=0), self.config.n_neurons), len(self.cache.tokens)
        parts = dict(step_bytes(
            self.config, self._parts, self.cache.kind, positions=after - (len(counts) - 1) / 2, counts=rows,
            predictors=self._decoder.predictor_bytes(self._last_tier),
        ))  # fmt: skip
        parts["cache"] *= len(counts)
        return sum(parts.values())

    def bytes_of_token(self, counts: NDArray[Any], positions: float, tier: str) -> tuple[int, int]:
        """What a token reads by itself at a depth of the cache, and what it would read were every neuron active.

        counts   (layers, 3) as `neuron_counts`; a mean over tokens will do
        """
        everything = np.full((self.config.n_layers, 3), self.config.n_neurons)
        predictors = self._decoder.predictor_bytes(tier)
        read, dense = (
            step_bytes(self.config, self._parts, self.cache.kind, positions=positions, counts=rows, predictors=extra)
            for rows, extra in ((counts, predictors), (everything, 0))
        )
        return sum(n for _, n in read), sum(n for _, n in dense)

    # Counting which neurons fire ----------------------------------------------------------------------------------

    @property
    def counts_neurons(self) -> bool:
        """Whether each decoded token is added to the counts of the neurons active in it. Off at first."""
        return self._counts_neurons

    @counts_neurons.setter
    def counts_neurons(self, wanted: bool) -> None:
        """Switching either way begins anew; what was counted is gone."""
        self._counts_neurons = wanted
        self._decoder.notes_fired = wanted or self._watch is not None
        self._n_fired = 0
        self._neuron_counts = np.zeros((self.config.n_layers, self.config.n_neurons if wanted else 0), np.int64)

    def take_neuron_counts(self) -> NDArray[np.int64]:
        """(layers, n): in how many decoded tokens each neuron was active since the last call; zeros while off.

        A token counts once it is followed by another, or once the counts are taken, if it is still in the cache then:
        what was proposed and rejected does not count, nor what was computed a second time. Tokens of a prompt do not.
        """
        self._settle_counts()
        taken, shape = self._neuron_counts, (self.config.n_layers, self.config.n_neurons)
        if not self.counts_neurons:
            return np.zeros(shape, np.int64)
        self._neuron_counts = np.zeros(shape, np.int64)
        return taken

    def _settle_counts(self) -> None:
        """Add the tokens of the last step that have stayed in the cache."""
        n_kept = min(self._n_fired, max(0, len(self.cache.tokens) - self._fired_from))
        for fired in self._decoder.fired[:n_kept]:
            self._neuron_counts += fired
        self._n_fired = 0

    # Watching them -----------------------------------------------------------------------------------------------

    def watch_neurons(self, n_buckets: int) -> None:
        """From now on make a picture of a decoded token a few times a second; with 0 buckets no more."""
        self._settle_counts()
        self._watch = NeuronWatch(self.config.n_layers, self.config.n_neurons, n_buckets) if n_buckets else None
        self._decoder.notes_fired = self._counts_neurons or self._watch is not None
        if self._watch is not None:
            self.take_load("watch")

    def take_sample(self) -> NeuronSample | None:
        """The picture made since the last call, None where there is none."""
        if self._watch is None:
            return None
        sample, self._watch.sample = self._watch.sample, None
        return sample

    # What the last step did ---------------------------------------------------------------------------------------

    @property
    def neuron_counts(self) -> NDArray[np.int64]:
        """(layers, 3), for the last decoded token: neurons whose first product was computed, that the activation left
        alive, and that were active."""
        return np.asarray(self._decoder.neuron_counts[-1])

    @property
    def phase_cycles(self) -> NDArray[np.int64]:
        """(threads, phases): as Decoder.phase_cycles."""
        return self._decoder.phase_cycles

    @property
    def step_counts(self) -> NDArray[np.int64]:
        """(tokens, layers, 3): as `neuron_counts`, for each token of the last step."""
        return self._decoder.neuron_counts

    def compile_steps(self) -> list[Callable[[], object]]:
        """Calls that compile what this model needs, one visible step at a time."""
        return [*self._prefill.compile_steps(), self._decoder.compile]

    def compile(self) -> None:
        for step in self.compile_steps():
            step()

    def request_stop(self) -> None:
        """Make the running prefill or step raise Cancelled within one panel or layer."""
        self._is_stopped = True
        self._decoder.request_stop()
        self._prefill.request_stop()

    def clear_stop(self) -> None:
        self._is_stopped = False
        self._decoder.clear_stop()
        self._prefill.clear_stop()

    def prefill(self, tokens: Sequence[int], on_tokens: OnTokens) -> None:
        """Append `tokens` to the cache. Raises Cancelled.

        on_tokens(done, total) is called as layers of a chunk are done, which counts as that share of its tokens.
        """
        self._settle_counts()
        total, done = len(tokens), 0
        if total:
            on_tokens(0, total)
        while done < total:
            chunk = tokens[done : done + CHUNK_TOKENS]

            def on_layer(n: int, before: int = done, size: int = len(chunk)) -> None:
                on_tokens(before + size * n // (self.config.n_layers + 1), total)

            if len(chunk) <= DECODE_INSTEAD:
                for start in range(0, len(chunk), MAX_TOKENS):
                    self._step(chunk[start : start + MAX_TOKENS], EXACT, wants_logits=False)
            else:
                self._read_prompt(chunk, on_layer)
            done += len(chunk)
            on_tokens(done, total)

    def _read_prompt(self, chunk: Sequence[int], on_layer: OnLayer) -> None:
        """A chunk through the dense pass; from its beginning again where a card fails in the middle. Between two layers
        what is due of moves is done: a new budget does not wait for the chunk."""
        first, decoder = len(self.cache.tokens), self._decoder
        embedded = self._embed(chunk, first)

        def between_layers(done: int) -> None:
            on_layer(done)
            if self.card is not None:
                before = self.card.plan
                self.card.between_tokens()
                if self.card.plan is not before:
                    self._place_prefill(first)

        while True:
            try:
                if self.card is not None:
                    self.card.between_tokens()
                self._place_prefill(first)
                self._prefill.run(embedded, first, between_layers)
                break
            except (OutOfMemory, DeviceLost) as error:
                if not isinstance(decoder, HybridDecoder):
                    raise
                decoder.session.step_down(error)
            except WrongResult:
                if not isinstance(decoder, HybridDecoder):
                    raise
                decoder.session.leave_card("wrong_result")
        self.cache.tokens.extend(chunk)

    def _place_prefill(self, first: int) -> None:
        """Tell the dense pass which rows are on the card, and the card that the cache from `first` on changes."""
        if isinstance(self._decoder, HybridDecoder):
            hook = self._decoder.prompt_hook()
            self._prefill.place([place.n_hot for place in self._decoder.plan.layers], hook)
            self._decoder.cache_changes(first)

    def decode_step(self, token: int) -> Float32:
        """Append `token`; returns the logits (v,) of the next one, valid until the next call. Raises Cancelled."""
        return np.asarray(self.decode_steps([token])[0])

    def decode_steps(self, tokens: Sequence[int]) -> Float32:
        """Append up to MAX_TOKENS tokens at once; returns the logits (t, v) after each, valid until the next call.

        Each token gets the bits it would get alone. Raises Cancelled.
        """
        self._step(tokens, self._tier, wants_logits=True)
        logits = self._decoder.logits[: len(tokens)]
        if not np.isfinite(logits).all():
            raise InternalError("NotFinite", f"logits after {len(self.cache.tokens)} tokens")
        return logits

    def all_logits(self, tokens: Sequence[int], tap: Tap | None = None) -> Float32:
        """Logits (t, v) after each of `tokens`, computed densely on an empty cache: for checks and measurements."""
        return np.concatenate([self._prefill.logits(x) for x in self._dense_outputs(tokens, tap)])

    def observe(self, tokens: Sequence[int], tap: Tap) -> None:
        """Show a tap what a dense pass over `tokens` on an empty cache computes, chunk by chunk. Raises Cancelled."""
        for _ in self._dense_outputs(tokens, tap):
            pass

    def fork(self, n_sequences: int) -> Fork:
        """Sequences that go on from what the cache holds, to be decoded together; close it before anything else.

        The processor decodes them alone, exactly: what is on a card comes back first, and goes there again after. Their
        tokens are not added to the counts of neurons. Raises InvalidRequest for too many, OutOfMemory.
        """
        session, decoder = self.card, self._decoder
        single = decoder.on_processor if isinstance(decoder, HybridDecoder) else decoder
        if session is None or not (session.plan.uses_card or session.is_moving):
            return Fork(self.config, single, self.cache, n_sequences, self._embed_at)
        before, alone = session.target, on_processor(self.config.n_layers, self.config.n_neurons)

        def move_back() -> None:
            if session.target is alone:  # nobody has asked for another placement since
                session.begin(before)

        session.apply(alone)
        return Fork(self.config, single, self.cache, n_sequences, self._embed_at, move_back)

    def close(self) -> None:
        if self.card is not None:
            self.card.close()
        self.pool.close()

    def _dense_outputs(self, tokens: Sequence[int], tap: Tap | None) -> Iterator[Float32]:
        """The last layer's output of each chunk of tokens; the cache holds what was computed so far."""
        self._settle_counts()
        self.cache.rewind(0)
        for first in range(0, len(tokens), CHUNK_TOKENS):
            chunk = tokens[first : first + CHUNK_TOKENS]
            self._place_prefill(first)
            x = self._prefill.run(self._embed(chunk, first), first, tap=tap)
            self.cache.tokens.extend(chunk)
            yield x

    def _step(self, tokens: Sequence[int], tier: str, *, wants_logits: bool) -> None:
        self._settle_counts()
        position = len(self.cache.tokens)
        self._check()
        embedded, started = self._embed(tokens, position), time.perf_counter()
        watched = self._watch if wants_logits and self._watch is not None and self._watch.is_due else None
        notes = wants_logits and (self._counts_neurons or watched is not None)
        if not self._decoder.step(embedded, position, wants_logits=wants_logits, tier=tier, notes_fired=notes):
            raise Cancelled
        self._last_tier = tier
        if self._governor is not None and wants_logits and len(tokens) == 1:
            self._decoder.n_active_threads = self._governor.observe(time.perf_counter() - started)
        self.cache.tokens.extend(tokens)
        if wants_logits and self.counts_neurons:
            self._fired_from, self._n_fired = position, len(tokens)
        if watched is not None:
            n_hot = (0,) * self.config.n_layers if self.card is None else [p.n_hot for p in self.card.plan.layers]
            watched.look(self._decoder.fired[len(tokens) - 1], n_hot, self.take_load("watch"))

    def _embed(self, tokens: Sequence[int], first: int) -> Float32:
        """(t, d): the embeddings of tokens at the positions from `first` on."""
        return self._embed_at(tokens, first + np.arange(len(tokens)))

    def _embed_at(self, tokens: Sequence[int], positions: Int64) -> Float32:
        """(t, d): the embeddings of tokens at these positions."""
        d = self.config.width
        embedded = self._embedding_format.unpack(self._embedding[np.asarray(tokens, np.int64)], d)
        if self._positions is not None:
            embedded += self._positions_format.unpack(self._positions[positions], d)
        return embedded

    def _check(self) -> None:
        if self._is_stopped:
            raise Cancelled
