"""A layer's predictor in the form that the decode step reads, and the memory it lies in.

Low-rank matrices are stored as rows of the first product's format, signs as they are. Owns how a predictor becomes the
columns of a layer's table; what the columns mean is in `kernels/cpu/tables.py`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.errors import InternalError
from engine.kernels.cpu import tables
from engine.kernels.formats import Bytes, Float32, Int64, RowFormat
from engine.model.config import ModelConfig
from engine.model.packed_model import aligned_empty
from engine.model.predictors import LayerPredictor
from engine.runtime.traffic import scoring_bytes

_KINDS = {"sign": tables.SIGN, "linear": tables.LINEAR, "relu": tables.RECTIFIED}
_READS = {"normed": tables.READS_NORMED, "stream": tables.READS_STREAM, "entering": tables.READS_ENTERING}


@dataclass(frozen=True, slots=True, eq=False)
class PredictorRows:
    """A predictor's kind, input and arrays; for signs `outer` are their words, `inner` is empty and the rank 0.

    neuron_bytes  that are read each time a neuron is scored
    """

    kind: str
    reads: str
    rank: int
    inner: NDArray[Any]
    outer: NDArray[Any]
    bias: Float32
    neuron_bytes: int

    @property
    def n_bytes(self) -> int:
        return self.inner.nbytes + self.outer.nbytes + self.bias.nbytes

    def step_bytes(self, n_neurons: int) -> int:
        """What is read each time so many neurons are scored."""
        return self.inner.nbytes + n_neurons * self.neuron_bytes

    def fill(self, row: Int64, config: ModelConfig, fmt: RowFormat) -> None:
        """Write a layer's columns; `fmt` is the first product's format."""
        reads = self.reads
        if config.residual == "post" and reads == "stream":  # there is no norm between the stream and the product
            reads = "normed"
        row[tables.PREDICTOR], row[tables.READS] = _KINDS[self.kind], _READS[reads]
        row[tables.PREDICTOR_OUT], row[tables.PREDICTOR_BIAS] = self.outer.ctypes.data, self.bias.ctypes.data
        if self.kind != "sign":
            row[tables.PREDICTOR_IN], row[tables.RANK] = self.inner.ctypes.data, self.rank
            row[tables.N_RANK], row[tables.PREDICTOR_OUT_STRIDE] = fmt.padded(self.rank), fmt.stride(self.rank)


def packed_predictor(predictor: LayerPredictor, config: ModelConfig, fmt: RowFormat) -> PredictorRows:
    """Raises InternalError where its shapes are not those of this model, or its weights exceed the format."""
    d, n, rank = config.width, config.n_neurons, predictor.rank
    is_sign = predictor.kind == "sign"
    found = (predictor.signs.shape, predictor.bias.shape) if is_sign else (
        predictor.inner.shape, predictor.outer.shape, predictor.bias.shape
    )  # fmt: skip
    wanted = ((n, -(-d // 64)), (n,)) if is_sign else ((rank, d), (n, rank), (n,))
    if found != wanted or (not is_sign and rank == 0):
        raise InternalError("PredictorShape", f"{predictor.kind} predictor {found} of a model of {wanted}")
    read = scoring_bytes(predictor.kind, rank, d, fmt)
    bias = _aligned(np.asarray(predictor.bias, np.float32))
    if is_sign:
        nothing = np.empty((0, 0), np.uint8)
        return PredictorRows("sign", predictor.reads, 0, nothing, _aligned(predictor.signs), bias, read)
    try:
        inner, outer = _aligned(fmt.pack(predictor.inner)), _aligned(fmt.pack(predictor.outer))
    except OverflowError as error:
        raise InternalError("PredictorOverflow", str(error)) from error
    return PredictorRows(predictor.kind, predictor.reads, rank, inner, outer, bias, read)


def predictor_of_tensors(
    tensors: Mapping[str, NDArray[Any]], layer: int, config: ModelConfig, fmt: RowFormat
) -> PredictorRows | None:
    """The linear predictor of a model that brings one in its tensors, in the first product's rows already."""
    name = f"layers.{layer}.predictor_"
    inner: Bytes | None = tensors.get(name + "in")
    if inner is None:
        return None
    read = scoring_bytes("linear", len(inner), config.width, fmt)
    return PredictorRows("linear", "normed", len(inner), inner, tensors[name + "out"], tensors[name + "bias"], read)


def _aligned(array: NDArray[Any]) -> NDArray[Any]:
    """A copy that begins where a cache line does."""
    out = aligned_empty(array.nbytes).view(array.dtype).reshape(array.shape)
    out[:] = array
    return out
