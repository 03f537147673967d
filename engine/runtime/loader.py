"""From a packed file to a model that is resident and warm."""

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any

from numpy.typing import NDArray

from engine.kernels.cpu.cache import remember_kernels, run_compiling
from engine.kernels.cpu.warmup import warm_up_steps
from engine.model.config import ModelConfig
from engine.model.packed_model import WEIGHT_FORMATS, PackedModel, PackedRows, tensor_specs
from engine.runtime.host_rows import HostRows
from engine.runtime.kv_cache import cache_bytes
from engine.runtime.neuron_order import NeuronOrder, as_packed, read_in_order
from engine.runtime.prefill import prompt_bytes
from engine.runtime.residence import Residence, advise_mapped, residence
from engine.runtime.transformer import CHUNK_TOKENS, Transformer
from engine.runtime.tuning_file import Tuning
from engine.text.tokenizer import Tokenizer

# phase, done, total; may raise Cancelled.
OnProgress = Callable[[str, int, int], None]

DEFAULT_CONTEXT_TOKENS = 8192
MIN_CONTEXT_TOKENS = 64
# Kernels, libraries, tables and the interpreter's own needs beside weights and cache; measured with the starter model
# (tests/engine/test_memory_of_a_model.py). What a compiler needs is in compiled_kernels.py.
_WORKING_BYTES = 118 << 20
# How long the last kernel, the decode step, takes to compile, in hundredths of all the others together.
_LAST_STEP_SHARE = 105


@dataclasses.dataclass(slots=True)
class LoadedModel:
    """Everything resident and warm for one model.

    order      in which its neurons lie: what is told of them outside goes by the packed file's numbers
    residence  whether its weights are in memory
    """

    packed: PackedModel
    transformer: Transformer
    tokenizer: Tokenizer
    order: NeuronOrder
    residence: Residence
    _tensors: Mapping[str, NDArray[Any]] = dataclasses.field(repr=False)
    _file: PackedRows | None = None

    def host_rows(self) -> HostRows:
        """Its neurons' rows in memory, for a card to take over. Raises FileMissing or DamagedFile."""
        if self._file is None:
            self._file = self.packed.open_rows()
        return HostRows(self.packed.config, self._tensors, self.order, self._file)

    def close(self) -> None:
        self.transformer.close()
        if self._file is not None:
            self._file.close()


@dataclasses.dataclass(frozen=True, slots=True)
class MemoryNeed:
    """Bytes a model takes when loaded."""

    context_tokens: int
    weight_bytes: int
    cache_bytes: int
    prompt_bytes: int = 0

    @property
    def total_bytes(self) -> int:
        return self.weight_bytes + self.cache_bytes + self.prompt_bytes + _WORKING_BYTES


def memory_need(config: ModelConfig, weight_format: str, context_tokens: int | None) -> MemoryNeed:
    """What loading with this context will take, from the configuration alone."""
    context = min(context_tokens or DEFAULT_CONTEXT_TOKENS, config.context_tokens)
    weights = sum(spec.n_bytes for spec in tensor_specs(config, WEIGHT_FORMATS[weight_format], 0))
    cache = cache_bytes(config, context, cache_kind_of(weight_format))
    return MemoryNeed(context, weights, cache, prompt_bytes(config, min(CHUNK_TOKENS, context)))


def cache_kind_of(weight_format: str) -> str:
    """int8, whose loss is measured in docs/benchmarks.md; float32 for the float reference path."""
    return "f32" if weight_format == "f32" else "int8"


def load_model(
    packed: PackedModel, *, context_tokens: int | None, n_threads: int, on_progress: OnProgress,
    tuning: Tuning | None = None, order: NeuronOrder | None = None,
) -> LoadedModel:  # fmt: skip
    """Read the weights into private memory, or map them where they exceed it, and compile what is missing.

    Without a tuning all n_threads take part in every step. Neurons are put in `order` as they are read; without one,
    or where the file is mapped, they lie as packed. Raises OutOfMemory, DamagedFile, Cancelled.
    """
    config = packed.config
    need = memory_need(config, packed.weight_format, context_tokens)
    cache_kind = cache_kind_of(packed.weight_format)
    where = residence(need.weight_bytes, need.total_bytes - need.weight_bytes)
    if where.runs_from_disk:
        order, tensors = as_packed(config), packed.map()
        advise_mapped(config, tensors)
    else:
        order = order or as_packed(config)
        tensors = read_in_order(packed, order, lambda done, total: on_progress("read", done, total))
    transformer = Transformer(
        config, packed.parts, tensors, context_tokens=need.context_tokens, cache_kind=cache_kind, n_threads=n_threads,
        tuning=tuning,
    )  # fmt: skip
    try:
        steps = [*warm_up_steps(packed.parts.of_step, cache_kind), *transformer.compile_steps()]
        total = len(steps) + len(steps) * _LAST_STEP_SHARE // 100
        for number, step in enumerate(steps):
            on_progress("compile", number, total)
            run_compiling(step)
        transformer.decode_step(0)
        transformer.cache.rewind(0)
        remember_kernels()
        on_progress("compile", total, total)
        tokenizer = Tokenizer(packed.tokenizer)
        return LoadedModel(packed, transformer, tokenizer, order, where, tensors)
    except BaseException:
        transformer.close()
        raise
