"""What every source of weights offers to the packer: its config, its text side, and its tensors one at a time."""

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from engine.kernels.formats import Float32
from engine.model.config import ModelConfig
from engine.text.facts import TokenizerFacts


class Checkpoint(Protocol):
    """A source of weights, opened and checked; tensors are read when asked for.

    Names are ours: embedding, positions, final_norm, head, and in a layer attention_norm, q, k, v, out, ffn_norm, gate,
    up, down; with biases q_bias, k_bias, v_bias, out_bias, first_bias, down_bias, with a gate
    up_bias; with layer norms also *_norm_bias.
    Matrices are (outputs, inputs), Q and K in the hub's half-split rotary order. What only scales a result (MiniCPM's
    factors, layernorm1p's one) is folded into the tensors, so that the runtime has no such cases.
    """

    @property
    def config(self) -> ModelConfig: ...

    @property
    def tokenizer(self) -> TokenizerFacts: ...

    @property
    def remarks(self) -> tuple[str, ...]:
        """Codes of what the source says wrongly of itself; see messages.ModelInfo."""
        ...

    def tensor(self, name: str, layer: int | None = None) -> Float32:
        """The tensor as float32; raises DamagedFile where it holds a value that is not finite."""
        ...

    def int8_rows(self, name: str, layer: int | None = None) -> tuple[NDArray[np.float16], NDArray[np.int8]] | None:
        """Scales and values where the source already holds groups of 32 int8 with float16 scales, else None."""
        ...

    def close(self) -> None: ...
