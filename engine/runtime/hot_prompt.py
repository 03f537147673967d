"""The hot part of a prompt: while the processor multiplies the cold rows of a layer, the card has the hot ones.

Tokens go up in tiles, all of a chunk at once on the stream, and their sums come down behind them; nothing is waited
for until the layer's sums are wanted. Exact, as prompts are, and from activations rounded as the processor's are.

What the down rows are multiplied by is rounded in blocks of neurons, which begin with a side's first one, so that what
is summed is that of one side alone where a split lies between two blocks, which is where plans put it. For int8 rows
the processor rounds the weights as well, and so does the card.
"""

import numpy as np

from engine.errors import InternalError
from engine.kernels.cuda.device import Event
from engine.kernels.cuda.ops import MAX_TOKENS as TILE_TOKENS
from engine.kernels.formats import Float32, round_up
from engine.runtime.card_model import CardModel
from engine.runtime.hot import HotChoice, HotFfn


class WrongResult(InternalError):
    """What the card made of numbers is none."""


class HotPrompt:
    """The hook of `Prefill`, for chunks of up to `most_tokens`."""

    def __init__(self, model: CardModel, most_tokens: int) -> None:
        c, shape = model.config, (most_tokens, round_up(model.config.width, 64))
        self._model, self._hot = model, HotFfn(model)
        self._least = c.threshold if c.activation == "fatrelu" else 0.0
        self._up: Float32 = model.device.pinned(shape, np.float32)
        self._down: Float32 = model.device.pinned(shape, np.float32)
        self._end: Event | None = None
        self._tokens = 0

    def begin(self, layer: int, normed: Float32) -> None:
        """normed (t, d). Raises OutOfMemory or DeviceLost."""
        model, device, d = self._model, self._model.device, self._model.config.width
        self._tokens = len(normed)
        self._up[: self._tokens, :d] = normed
        choice = HotChoice(self._least, model.work["counts"][layer], of_prompt=True)
        for first in range(0, self._tokens, TILE_TOKENS):
            last = min(first + TILE_TOKENS, self._tokens)
            tile, out = model.tokens("normed", last - first), model.tokens("hot", last - first)
            device.upload(self._up[first:last], tile)
            self._hot.forward(model.layers[layer].neurons, tile, out, choice)
            device.download(out, self._down[first:last])
        self._end = device.record()

    def finish(self, layer: int) -> Float32:
        """(t, d): the sums of what `begin` was given, valid until the next one. Raises DeviceLost or WrongResult."""
        if self._end is not None:
            self._end.wait()
        sums = self._down[: self._tokens, : self._model.config.width]
        if not np.isfinite(sums).all():
            raise WrongResult("NotFinite", f"hot neurons of layer {layer} of {self._tokens} tokens of a prompt")
        return sums
