"""One step of a few tokens over both sides: what is where follows from the placement, layer after layer.

Owns the order of the work and who waits for whom. The stream of activations lies on one side at a time and crosses
where the next part needs it; a layer with neurons on both sides has its hot part launched before the cold one is
computed, and the two sums are added where the layer's attention is, always in the same order: the residual, cold, hot,
down bias, and with a parallel residual attention's output. Norms belong to attention; where that is on the processor,
what goes up is normed already.

A step whose every part is on the card is one graph: recorded the second time it is asked for, and replayed from then
on. Positions and the activation lie in the card's memory, so that nothing in it changes from token to token.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from engine.kernels.cpu import ops as cpu_ops
from engine.kernels.cuda.device import Graph
from engine.kernels.formats import Float32, Int64
from engine.model.config import ModelConfig
from engine.model.rope import position_table
from engine.placement.plan import LayerPlacement, PlacementPlan
from engine.runtime.card_model import COUNTED, CardModel, Tensors
from engine.runtime.card_stream import Asked, CardStream, before_attention, before_ffn, before_head
from engine.runtime.cold import ColdFfn
from engine.runtime.decoder import Decoder
from engine.runtime.host_buffers import host_buffers
from engine.runtime.kv_cache import KVCache
from engine.runtime.predictor_rows import PredictorRows
from engine.runtime.step_load import LoadMeter

_PROCESSOR, _CARD = 0, 1


class CardStep:
    """Bound to one model on one card and to the processor's half of it."""

    def __init__(
        self, model: CardModel, decoder: Decoder, tensors: Tensors, cache: KVCache, meter: LoadMeter
    ) -> None:  # fmt: skip
        self._model, self._decoder, self._tensors, self._cache, self._meter = model, decoder, tensors, cache, meter
        self._config: ModelConfig = model.config
        self._card, self._cold = CardStream(model), ColdFfn(decoder)
        self._host = host_buffers(model.config, model.device)
        self.records_graphs = True
        self._first_format = model.parts.of("gate") if model.config.is_gated else model.parts.of_up(model.config)
        self._rope = position_table(model.config, cache.context_tokens)
        self._graphs: dict[Asked, Graph | None] = {}
        self._graphs_of: PlacementPlan | None = None
        self._asked = Asked(0, "", False, False)
        self._plan = PlacementPlan("", (), False, 0.0)
        self._position = 0
        self._side, self._last_in = _PROCESSOR, "x"
        self._predictors: tuple[PredictorRows | None, ...] = ()

    @property
    def logits(self) -> Float32:
        """(tokens, v) of the last step whose head was on the card."""
        return self._host.logits[:, : self._config.n_vocab]

    @property
    def last_stream(self) -> Float32:
        """(tokens, d) as it left the last layer of a step without logits: no number that came up on the way is lost."""
        return self._wide(self._host.stream) if self._side == _CARD else self._stream

    @property
    def has_logits(self) -> bool:
        """Whether the last step's logits are here, rather than the decoder's."""
        return self._asked.wants_logits and self._plan.head_on_card

    def run(
        self, plan: PlacementPlan, embedded: Float32, position: int, *, wants_logits: bool, tier: str,
        notes_fired: bool, is_stopped: Callable[[], bool],
    ) -> bool:  # fmt: skip
        """Tokens from `position` on, given their embeddings (t, d). False if it was stopped.

        Raises OutOfMemory or DeviceLost; the cache before `position` is then as it was.
        """
        t = len(embedded)
        self._begin(plan, Asked(t, tier, wants_logits, notes_fired), position)
        self._decoder.begin(embedded, position, tier=tier, notes_fired=notes_fired)
        if is_all_on_card(plan):
            if is_stopped():
                return False
            self._wide(self._host.stream)[:] = embedded
            self._run_on_card_alone()
        else:
            layer = 0
            while layer < self._config.n_layers:
                done = 0 if is_stopped() else self._advance(layer)
                if not done:
                    self._model.device.synchronise()
                    return False
                layer += done
            if wants_logits:
                self._head()
        self._bring_back()
        return True

    # One step --------------------------------------------------------------------------------------------------------

    def _begin(self, plan: PlacementPlan, asked: Asked, position: int) -> None:
        self._plan, self._asked, self._position, self._side = plan, asked, position, _PROCESSOR
        if self._graphs_of is not plan:
            self._graphs, self._graphs_of = {}, plan
        least, self._predictors = self._decoder.choices(asked.tier)
        self._card.begin(plan, asked, least, self._predictors)
        if self._card.slots:
            for layer in self._card.slots:
                self._model.mirror(layer).bring(position)
            t, device, work = asked.tokens, self._model.device, self._model.work
            self._host.positions[:t] = position + np.arange(t)
            device.upload(self._host.positions, work["positions"])
            if "rope" in work:
                self._host.rope[:t] = self._rope[position : position + t]
                device.upload(self._host.rope, work["rope"])

    def _advance(self, layer: int) -> int:
        """Do this layer, or a run of layers that are the processor's alone; returns how many, 0 if it was stopped."""
        place = self._plan.layers[layer]
        if _is_on_processor(place):
            last = layer + 1
            while last < len(self._plan.layers) and _is_on_processor(self._plan.layers[last]):
                last += 1
            self._to_processor()
            with self._meter.processor():
                is_done = self._decoder.whole_layers(layer, last)
            return last - layer if is_done else 0
        if place.attention_on_card:
            return int(self._layer_with_card_attention(layer, place))
        return int(self._layer_with_processor_attention(layer, place))

    def _layer_with_card_attention(self, layer: int, place: LayerPlacement) -> bool:
        device, host, t = self._model.device, self._host, self._asked.tokens
        self._to_card(layer)
        if place.n_hot == place.n_neurons:
            with self._meter.card():
                self._card.launch_layer(layer)
            return True
        is_parallel, shares_entering = self._config.residual == "parallel", self._card.reads(layer, "entering")
        with self._meter.card():
            self._card.attend(layer, host.entering[:t] if shares_entering else None)
            device.download(self._card.x, host.stream[:t])
            if is_parallel and not place.n_hot:
                device.download(self._model.tokens("projected", t), host.projected[:t])
            after_attention = device.record()
            if place.n_hot:
                self._card.launch_hot(layer)
        with self._meter.waiting():
            after_attention.wait()
        self._stream[:] = self._wide(host.stream)
        if is_parallel and not place.n_hot:
            self._projected[:] = self._wide(host.projected)
        with self._meter.processor():
            cold = self._cold.forward(layer, host.entering[:t] if shares_entering else None, adds=not place.n_hot)
        if cold is None:
            return False
        if place.n_hot:
            self._wide(host.cold)[:] = cold[:, : self._config.width]
            device.upload(host.cold[:t], self._model.tokens("cold", t))
            with self._meter.card():
                self._card.add_to_stream(layer, self._model.tokens("cold", t), self._model.tokens("hot", t))
                self._side = _CARD
            return True
        self._side = _PROCESSOR
        return True

    def _layer_with_processor_attention(self, layer: int, place: LayerPlacement) -> bool:
        """Of a layer with hot neurons."""
        model, device, host, t = self._model, self._model.device, self._host, self._asked.tokens
        self._to_processor()
        entering = self._entering_on_processor(layer)
        with self._meter.processor():
            if not self._decoder.attention_part(layer):
                return False
            normed = self._normed_on_processor(before_ffn(self._config, layer))
            self._score_on_processor(layer, place.n_hot, normed, entering)
        self._wide(host.normed)[:] = normed
        self._card.normed = model.tokens("normed", t)
        device.upload(host.normed[:t], self._card.normed)
        if place.n_hot == place.n_neurons:
            self._wide(host.stream)[:] = self._summed_on_processor(layer, normed, [])
            self._card.hold("x")
            device.upload(host.stream[:t], self._card.x)
            with self._meter.card():
                self._card.launch_hot(layer)
                model.ops.add(self._card.x, model.tokens("hot", t))
            self._side, self._card.is_normed = _CARD, False
            return True
        with self._meter.card():
            self._card.launch_hot(layer)
            device.download(model.tokens("hot", t), host.hot[:t])
            after_hot = device.record()
        with self._meter.processor():
            cold = self._cold.forward(layer, None, adds=False)
        if cold is None:
            return False
        with self._meter.waiting():
            after_hot.wait()
        self._stream[:] = self._summed_on_processor(
            layer, normed, [cold[:, : self._config.width], self._wide(host.hot)]
        )
        return True

    def _head(self) -> None:
        if not self._plan.head_on_card:
            self._to_processor()
            with self._meter.processor():
                self._decoder.head_part()
            return
        if self._config.residual == "post" and not self._plan.layers[-1].attention_on_card:
            self._to_processor()
            self._send(self._normed_on_processor(before_head(self._config)))
            self._card.is_normed = True
        elif self._side == _PROCESSOR:
            self._send(self._stream)
        with self._meter.card():
            self._card.launch_head()

    def _run_on_card_alone(self) -> None:
        device = self._model.device
        self._card.hold("x")
        device.upload(self._host.stream[: self._asked.tokens], self._card.x)
        graph = self._graphs.get(self._asked)
        with self._meter.card():
            if graph is not None:
                graph.launch()
            elif not self.records_graphs:
                self._launch_all()
            elif self._asked not in self._graphs:
                self._launch_all()  # and with it whatever is made on first use
                self._graphs[self._asked] = None
            else:
                with device.capture():
                    self._launch_all()
                self._graphs[self._asked] = recorded = device.captured()
                recorded.launch()
        self._side = _CARD
        self._card.hold(self._last_in)

    def _launch_all(self) -> None:
        """Every part of a step that is on the card alone, from x to the logits."""
        self._card.hold("x")
        self._side, self._card.is_normed = _CARD, False
        for layer in range(self._config.n_layers):
            self._card.launch_layer(layer)
        self._last_in = self._card.x_in
        if self._asked.wants_logits:
            self._card.launch_head()

    def _bring_back(self) -> None:
        """What the step computed on the card and is wanted in main memory; waits for the end of the stream."""
        model, host, asked, c = self._model, self._host, self._asked, self._config
        device, t = model.device, asked.tokens
        has_hot = any(place.n_hot for place in self._plan.layers)
        qkv = host.qkv[: len(self._card.slots) * t * c.qkv_width].reshape(len(self._card.slots), t, c.qkv_width)
        if self._card.slots:
            device.download(model.qkv(len(self._card.slots), t), qkv)
        if has_hot:
            device.download(model.work["counts"], host.counts)
        if asked.notes_fired and has_hot:
            n_flags = c.n_layers * t * c.n_neurons
            device.download(model.work["fired"][:n_flags], host.fired[:n_flags])
        if asked.wants_logits and self._plan.head_on_card:
            device.download(model.work["logits"], host.logits)
        if not asked.wants_logits and self._side == _CARD:
            device.download(self._card.x, host.stream[:t])
        with self._meter.waiting():
            device.synchronise()
        if self._card.slots:
            layers = np.array(list(self._card.slots), np.int64)
            keys, values = np.split(qkv[:, :, c.attention_width :], 2, axis=2)
            shape = (len(layers), t, c.n_key_heads, c.head_width)
            self._cache.append_layers(layers, self._position, keys.reshape(shape), values.reshape(shape))
            for layer in self._card.slots:
                model.mirror(layer).n_same = self._position + t

    # What a step says of neurons -------------------------------------------------------------------------------------

    def hot_counts(self) -> Int64:
        """(tokens, layers, COUNTED) of the last step's hot neurons, as `Decoder.neuron_counts`."""
        t, c = self._asked.tokens, self._config
        counts = np.zeros((t, c.n_layers, COUNTED), np.int64)
        for layer, place in enumerate(self._plan.layers):
            if place.n_hot:
                candidates, alive, active = self._host.counts[layer, :, :t].astype(np.int64)
                counts[:, layer, 0] = candidates if self._predictors[layer] is not None else place.n_hot
                counts[:, layer, 1] = alive
                # what is alive is active, but with drelu, whose second product decides
                counts[:, layer, 2] = active if c.activation == "drelu" else alive
        return counts

    def add_fired(self, fired: NDArray[np.uint8]) -> None:
        """Note the last step's hot neurons in (tokens, layers, n)."""
        t, n = self._asked.tokens, self._config.n_neurons
        for layer, place in enumerate(self._plan.layers):
            if place.n_hot:
                flags = self._host.fired[layer * t * n : layer * t * n + t * place.n_hot]
                fired[:t, layer, : place.n_hot] = flags.reshape(t, place.n_hot)

    # Parts on the processor ------------------------------------------------------------------------------------------

    @property
    def _stream(self) -> Float32:
        """(t, d): the stream in main memory."""
        return self._decoder.x[:, : self._config.width]

    @property
    def _projected(self) -> Float32:
        """(t, d): what attention on the processor adds."""
        return self._decoder.projected[:, : self._config.width]

    def _wide(self, buffer: Float32) -> Float32:
        """(t, d) of a buffer of tokens."""
        return buffer[: self._asked.tokens, : self._config.width]

    def _normed_on_processor(self, name: str) -> Float32:
        """(t, d): the decoder's x normed; as it is where no norm stands there."""
        x, d, eps = self._stream, self._config.width, self._config.norm_eps
        if not name:
            return x.copy()
        weight, bias = self._tensors[name][:d], self._tensors.get(name + "_bias")
        if bias is None:
            return np.stack([cpu_ops.rms_norm(of_token, weight, eps) for of_token in x])
        return np.stack([cpu_ops.layer_norm(of_token, weight, bias[:d], eps) for of_token in x])

    def _summed_on_processor(self, layer: int, normed: Float32, sums: list[Float32]) -> Float32:
        """(t, d): the stream after the layer."""
        total = (normed if self._config.residual == "post" else self._stream).copy()
        for part in sums:
            total += part
        if (down_bias := self._tensors.get(f"layers.{layer}.down_bias")) is not None:
            total += down_bias[: self._config.width]
        if self._config.residual == "parallel":
            total += self._projected
        return total

    def _entering_on_processor(self, layer: int) -> Float32 | None:
        """What enters the layer, where its predictor reads that."""
        if not self._card.reads(layer, "entering"):
            return None
        is_post = self._config.residual == "post"
        return self._normed_on_processor(before_attention(self._config, layer) if is_post else "")

    def _score_on_processor(self, layer: int, n: int, normed: Float32, entering: Float32 | None) -> None:
        """Scores of the hot neurons go up: where attention is on the processor, so is the predictor."""
        predictor, t, d = self._predictors[layer], self._asked.tokens, self._config.width
        if predictor is None:
            return
        seen = normed if self._card.reads(layer, "normed") else self._stream
        seen = entering if entering is not None else seen
        scores = self._host.scores[: t * n].reshape(t, n)
        outer, bias = predictor.outer[:n], predictor.bias[:n]
        for row, x in zip(scores, seen, strict=True):
            if predictor.kind == "sign":
                row[:] = cpu_ops.sign_scores(x, outer, bias)
                continue
            projected = cpu_ops.matvec(predictor.inner, d, self._first_format, x)
            if predictor.kind == "relu":
                projected = np.maximum(projected, np.float32(0))
            row[:] = cpu_ops.matvec(outer, predictor.rank, self._first_format, projected) + bias
        self._model.device.upload(scores, self._model.neuron_rows("scores", t, n))

    # Crossings -------------------------------------------------------------------------------------------------------

    def _to_processor(self) -> None:
        if self._side == _PROCESSOR:
            return
        t = self._asked.tokens
        self._model.device.download(self._card.x, self._host.stream[:t])
        with self._meter.waiting():
            self._model.device.record().wait()
        self._stream[:] = self._wide(self._host.stream)
        self._side = _PROCESSOR

    def _to_card(self, layer: int) -> None:
        """For attention there. With post-norm its norm is the previous layer's, where that one's attention is."""
        if self._config.residual == "post" and layer and not self._plan.layers[layer - 1].attention_on_card:
            self._to_processor()
            self._send(self._normed_on_processor(before_attention(self._config, layer)))
            self._card.is_normed = True
        elif self._side == _PROCESSOR:
            self._send(self._stream)

    def _send(self, x: Float32) -> None:
        t = self._asked.tokens
        self._wide(self._host.stream)[:] = x
        self._card.hold("x")
        self._model.device.upload(self._host.stream[:t], self._card.x)
        self._side, self._card.is_normed = _CARD, False


def is_all_on_card(plan: PlacementPlan) -> bool:
    """Whether the processor has no part in a step but the embedding and what follows the logits."""
    return plan.head_on_card and all(
        place.attention_on_card and place.n_hot == place.n_neurons for place in plan.layers
    )  # fmt: skip


def _is_on_processor(place: LayerPlacement) -> bool:
    return not place.attention_on_card and not place.n_hot
