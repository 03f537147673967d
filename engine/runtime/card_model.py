"""What of a loaded model lies in a card's memory, and the buffers that a step works in there.

Owns every allocation above the operations' own, each under the name it has in `placement/budget.py`, so that what is
allocated equals the account to the byte. Knows how parts come and go, neither when nor why: that is `card_session.py`.

A layer's hot neurons are the first rows of its matrices, and each matrix is one array of exactly as many rows
(`NeuronBundle`). Kernels then read a layer in one launch a matrix, as they do when everything is on the card, and the
account has no rounding. What that costs is paid when the number changes: the rows that stay are copied to a new array
by the card itself, at the speed of its own memory, one matrix of one layer after the other. Chunks of an arena would
save those copies, but cost a launch for each chunk in every token.
"""

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from engine.errors import DeviceLost, EngineError, InternalError, OutOfMemory
from engine.kernels.cuda.device import CardArray, Device
from engine.kernels.cuda.ops import MAX_TOKENS as TILE_TOKENS
from engine.kernels.cuda.ops import CardCache, CardOps, HeadLayout, rounds, workspace_bytes
from engine.kernels.formats import RowFormat, round_up
from engine.model.config import ModelConfig
from engine.model.packed_model import PartFormats
from engine.model.predictors import MAX_RANK
from engine.placement.budget import ModelBytes, model_bytes
from engine.runtime.decoder import MAX_TOKENS, Decoder
from engine.runtime.kv_cache import KVCache, cache_bytes
from engine.runtime.predictor_rows import PredictorRows

# What a layer's counts on the card hold, as `Decoder.neuron_counts`.
COUNTED = 3

WORKSPACE, ATTENTION, HEAD, PREDICTORS, CACHE, NEURONS = (
    "workspace", "attention", "head", "predictors", "KV cache", "hot neurons",
)  # fmt: skip

Tensors = Mapping[str, NDArray[Any]]
Shapes = Mapping[str, tuple[tuple[int, ...], DTypeLike]]


def neuron_tensors(config: ModelConfig) -> tuple[str, ...]:
    """Names, within a layer, of what has a row or a value for each neuron."""
    matrices = ("gate", "up", "down") if config.is_gated else ("up", "down")
    biases = ("first_bias", "up_bias") if config.is_gated else ("first_bias",)
    return matrices + (biases if config.has_ffn_bias else ())


def attention_tensors(config: ModelConfig) -> tuple[str, ...]:
    """Names, within a layer, of everything else: what goes where the layer's attention does."""
    bias = ("_bias",) if config.norm == "layer" else ()
    names = ["attention_norm", "qkv", "out", "ffn_norm"]
    names += [norm + end for norm in ("attention_norm", "ffn_norm") for end in bias]
    with_bias = (("qkv", config.has_qkv_bias), ("out", config.has_out_bias), ("down", config.has_ffn_bias))
    return (*names, *(f"{name}_bias" for name, has_bias in with_bias if has_bias))


def head_tensors(config: ModelConfig) -> tuple[str, ...]:
    """The output projection first, then the norm before it, which with post-norm is the last layer's."""
    norm = () if config.residual == "post" else ("final_norm",)
    bias = ("final_norm_bias",) if norm and config.norm == "layer" else ()
    return ("embedding" if config.is_tied else "head", *norm, *bias)


def workspace_shapes(config: ModelConfig) -> Shapes:
    """The buffers of a step, by name: sized for the worst case, so that nothing is allocated while a token is made."""
    c, padded, steps = config, round_up(config.width, 64), MAX_TOKENS
    slots = TILE_TOKENS * round_up(c.n_neurons, 64)
    of_tokens: tuple[tuple[int, ...], DTypeLike] = ((TILE_TOKENS, padded), np.float32)
    shapes = dict.fromkeys(("x", "normed", "projected", "hot", "cold"), of_tokens)
    shapes |= {
        "qkv": ((c.n_layers * steps * c.qkv_width,), np.float32),
        "attended": ((steps, round_up(c.attention_width, 64)), np.float32),
        "rounded": of_tokens,
        "acts": ((slots,), np.float32),
        "ups": ((slots,), np.float32),
        "scores": ((slots,), np.float32),
        "lists": ((slots,), np.int32),
        "counts": ((c.n_layers, COUNTED, TILE_TOKENS), np.int32),
        "fired": ((c.n_layers * steps * c.n_neurons,), np.uint8),
        "logits": ((steps, round_up(c.n_vocab, 64)), np.float32),
        "projection": ((steps, MAX_RANK), np.float32),
        "positions": ((steps,), np.int32),
    }
    if c.rotary_width:
        shapes["rope"] = ((steps, 2, c.rotary_width // 2), np.float32)
    return shapes


def bytes_of(shapes: Shapes) -> int:
    return sum(int(np.prod(shape)) * np.dtype(dtype).itemsize for shape, dtype in shapes.values())


def bytes_on_card(
    config: ModelConfig, parts: PartFormats, *, context_tokens: int, cache_kind: str, predictors: Sequence[int],
    context_bytes: int,
) -> ModelBytes:  # fmt: skip
    """The account's terms for what `CardModel` will allocate.

    predictors     bytes of each layer, of all tiers together (`predictor_bytes_of`)
    context_bytes  of the driver's context and modules, as measured
    """
    cache = cache_bytes(config, context_tokens, cache_kind) // config.n_layers
    workspace = bytes_of(workspace_shapes(config)) + workspace_bytes(config.width, config.n_heads, config.head_width)
    return model_bytes(
        config, parts, predictors=predictors, kv_caches=[cache] * config.n_layers, context=context_bytes,
        workspace=workspace,
    )  # fmt: skip


def predictor_bytes_of(decoder: Decoder) -> list[int]:
    """Of each layer, of all tiers together, as they would lie on a card."""
    by_tier = [decoder.choices(tier)[1] for tier in decoder.tiers]
    return [sum(p.n_bytes for p in of_layer if p is not None) for of_layer in zip(*by_tier, strict=True)]


def allocate(device: Device, shapes: Shapes, purpose: str) -> dict[str, CardArray]:
    """All of them or none. Raises OutOfMemory or DeviceLost."""
    made: dict[str, CardArray] = {}
    try:
        for name, (shape, dtype) in shapes.items():
            made[name] = device.empty(shape, dtype, purpose)
    except EngineError:
        with contextlib.suppress(DeviceLost):
            release(device, made)
        raise
    return made


def release(device: Device, arrays: dict[str, CardArray]) -> None:
    while arrays:
        device.free(arrays.popitem()[1])


def copies(device: Device, sources: Tensors, purpose: str) -> dict[str, CardArray]:
    """Card copies of host arrays, which must stay as they are until the stream has come so far."""
    made = allocate(device, {name: (source.shape, source.dtype) for name, source in sources.items()}, purpose)
    for name, array in made.items():
        device.upload(sources[name], array)
    return made


class NeuronBundle:
    """Rows and biases of one layer's neurons [0, n_hot) on the card."""

    def __init__(self, device: Device, ops: CardOps, tensors: Tensors) -> None:
        """`tensors` are those of `neuron_tensors` in main memory, by their names within the layer."""
        self._device, self._ops, self._tensors = device, ops, tensors
        self._arrays: dict[str, CardArray] = {}
        self.n_hot = 0

    @property
    def most_rows(self) -> int:
        """Rows of the longest array: all have `n_hot` but while rows come, or after a resize that failed."""
        return max((len(array) for array in self._arrays.values()), default=0)

    @property
    def row_bytes(self) -> int:
        """Of one neuron."""
        return sum(tensor[:1].nbytes for tensor in self._tensors.values())

    def rows(self, name: str) -> CardArray | None:
        """(n_hot, stride) rows or (n_hot,) values; None where the model has no such tensor."""
        array = self._arrays.get(name)
        return None if array is None else array[: self.n_hot]

    def resize(self, n_rows: int) -> None:
        """Have room for exactly so many rows, keeping those there are.

        Raises OutOfMemory; what is held is then still right, and where rows were lost `n_hot` is 0.
        """
        self.n_hot = min(self.n_hot, n_rows)
        for name, tensor in self._tensors.items():
            old = self._arrays.get(name)
            if old is not None and len(old) == n_rows:
                continue
            if not n_rows:
                if old is not None:
                    self._device.free(self._arrays.pop(name))
                continue
            try:
                new = self._device.empty((n_rows, *tensor.shape[1:]), tensor.dtype, NEURONS)
            except OutOfMemory:
                if old is None or len(old) < n_rows:
                    raise
                self._shorten_in_place(name, n_rows)
                continue
            if old is not None:
                if self.n_hot:
                    self._ops.copy(old[: self.n_hot], new[: self.n_hot])
                self._device.free(old)
            self._arrays[name] = new

    def _shorten_in_place(self, name: str, n_rows: int) -> None:
        """Where there is no room for both at once, by way of main memory."""
        tensor, old, n_kept = self._tensors[name], self._arrays[name], self.n_hot
        kept = np.empty_like(tensor[:n_kept])
        if n_kept:
            self._device.download(old[:n_kept], kept, wait=True)
        self.n_hot = 0
        self._device.free(self._arrays.pop(name))
        self._arrays[name] = new = self._device.empty((n_rows, *tensor.shape[1:]), tensor.dtype, NEURONS)
        if n_kept:
            self._device.upload(kept, new[:n_kept])
            self._device.synchronise()
        self.n_hot = n_kept

    def append(self, last: int) -> None:
        """Bring the rows [n_hot, last) up from main memory, where they must stay until the stream has come so far."""
        for name, tensor in self._tensors.items():
            self._device.upload(tensor[self.n_hot : last], self._arrays[name][self.n_hot : last])
        self.n_hot = last

    def download(self, first: int, last: int) -> dict[str, NDArray[Any]]:
        """A copy in main memory of the rows [first, last)."""
        rows = {name: np.empty_like(tensor[first:last]) for name, tensor in self._tensors.items()}
        for name, copy in rows.items():
            self._device.download(self._arrays[name][first:last], copy)
        self._device.synchronise()
        return rows


class CacheMirror:
    """One layer's keys and values on the card, laid out as in main memory, whose first `n_same` positions are equal."""

    def __init__(self, device: Device, cache: KVCache, layer: int) -> None:
        self._device = device
        self._host = {
            name: array[layer]
            for name, array in (
                ("keys", cache.keys), ("values", cache.values), ("key_scales", cache.key_scales),
                ("value_scales", cache.value_scales),
            )
            if array.size
        }  # fmt: skip
        self._arrays = allocate(device, {name: (a.shape, a.dtype) for name, a in self._host.items()}, CACHE)
        self.cache = CardCache(**self._arrays)
        self.n_same = 0

    def bring(self, n_positions: int) -> None:
        """Make the first `n_positions` equal to main memory's; what lies behind them is about to change."""
        first, self.n_same = self.n_same, min(self.n_same, n_positions)
        if first >= n_positions:
            return
        for name, host in self._host.items():
            card = self._arrays[name]
            if 2 * (n_positions - first) >= host.shape[1]:
                self._device.upload(host, card)
                continue
            for head in range(len(host)):
                self._device.upload(host[head, first:n_positions], card[head, first:n_positions])
        self.n_same = n_positions

    def free(self) -> None:
        release(self._device, self._arrays)


@dataclass(frozen=True, slots=True, eq=False)
class CardPredictor:
    """A tier's predictor of one layer on the card: `rows` says its kind and what it reads."""

    rows: PredictorRows
    arrays: dict[str, CardArray]


class CardLayer:
    """What of one layer is on the card. `attention` is empty where the processor does it, and so are predictors."""

    def __init__(self, neurons: NeuronBundle) -> None:
        self.neurons = neurons
        self.attention: dict[str, CardArray] = {}
        self.predictors: dict[str, CardPredictor] = {}
        self.mirror: CacheMirror | None = None


class CardModel:
    """One model's parts on one card."""

    def __init__(
        self, device: Device, ops: CardOps, config: ModelConfig, parts: PartFormats, tensors: Tensors, cache: KVCache
    ) -> None:
        self.device, self.ops, self.config, self.parts = device, ops, config, parts
        self._tensors, self._cache = tensors, cache
        self.layout = HeadLayout(config.n_heads, config.n_key_heads, config.head_width, config.rotary_width)
        neurons = neuron_tensors(config)
        self.layers = [
            CardLayer(
                NeuronBundle(device, ops, {name: self._neurons_of(layer, name) for name in neurons})
            )
            for layer in range(config.n_layers)
        ]  # fmt: skip
        self.head: dict[str, CardArray] = {}
        self.work: dict[str, CardArray] = {}

    def _neurons_of(self, layer: int, name: str) -> NDArray[Any]:
        return self._tensors[f"layers.{layer}.{name}"][: self.config.n_neurons]

    # Parts come and go: each call allocates all of a part or raises and has allocated nothing. -----------------------

    def take_workspace(self) -> None:
        if self.work:
            return
        c = self.config
        self.work = allocate(self.device, workspace_shapes(c), WORKSPACE)
        try:
            self.ops.reserve(c.width, c.n_heads, c.head_width)
        except EngineError:
            with contextlib.suppress(DeviceLost):
                release(self.device, self.work)
            raise
        for array in self.work.values():
            self.device.fill(array, 0)

    def free_workspace(self) -> None:
        if self.work:
            release(self.device, self.work)
            self.ops.close()

    def take_attention(self, layer: int, predictors: Mapping[str, PredictorRows]) -> None:
        """The attention of a layer, with predictors of the layer by tier."""
        held, prefix = self.layers[layer], f"layers.{layer}."
        names = attention_tensors(self.config)
        try:
            held.attention = copies(self.device, {name: self._tensors[prefix + name] for name in names}, ATTENTION)
            held.mirror = CacheMirror(self.device, self._cache, layer)
            for tier, rows in predictors.items():
                held.predictors[tier] = self._predictor(rows)
        except EngineError:
            with contextlib.suppress(DeviceLost):
                self.free_attention(layer)
            raise

    def _predictor(self, rows: PredictorRows) -> CardPredictor:
        sources = {"inner": rows.inner, "outer": rows.outer, "bias": rows.bias}
        return CardPredictor(
            rows, copies(self.device, {name: array for name, array in sources.items() if array.size}, PREDICTORS)
        )

    def free_attention(self, layer: int) -> None:
        held = self.layers[layer]
        release(self.device, held.attention)
        if held.mirror is not None:
            held.mirror.free()
            held.mirror = None
        self.free_predictors(layer)

    def free_predictors(self, layer: int) -> None:
        predictors = self.layers[layer].predictors
        while predictors:
            release(self.device, predictors.popitem()[1].arrays)

    def take_predictors(self, layer: int, predictors: Mapping[str, PredictorRows]) -> None:
        for tier, rows in predictors.items():
            self.layers[layer].predictors[tier] = self._predictor(rows)

    def take_head(self) -> None:
        names = head_tensors(self.config)
        self.head = copies(self.device, {name: self._tensors[name] for name in names}, HEAD)

    def free_head(self) -> None:
        release(self.device, self.head)

    def mirror(self, layer: int) -> CacheMirror:
        """Of a layer whose attention is here. Raises InternalError elsewhere."""
        mirror = self.layers[layer].mirror
        if mirror is None:
            raise InternalError("CacheMirror", f"layer {layer} has its attention on the processor")
        return mirror

    # Views of the workspace ------------------------------------------------------------------------------------------

    def tokens(self, name: str, t: int) -> CardArray:
        """(t, padded) of a buffer of tokens."""
        return self.work[name][:t]

    def rounded(self, x: CardArray, fmt: RowFormat, *, of_prompt: bool = False) -> CardArray:
        """x (t, width) as rows of this format multiply it, valid until the next call; x itself for float rows.

        A prompt's activations are rounded otherwise than those of a step.
        """
        if not rounds(fmt):
            return x
        out = self.tokens("rounded", len(x))
        if of_prompt:
            self.ops.round_prompt(x, self.config.width, out)
        else:
            self.ops.round_activations(x, fmt, self.config.width, out)
        return out

    def neuron_rows(self, name: str, t: int, n: int) -> CardArray:
        """(t, n) of acts, ups, scores or lists."""
        return self.work[name][: t * n].reshape(t, n)

    def qkv(self, n_layers: int, t: int) -> CardArray:
        """(layers, t, qkv width): of as many layers as have their attention here."""
        width = self.config.qkv_width
        return self.work["qkv"][: n_layers * t * width].reshape(n_layers, t, width)
