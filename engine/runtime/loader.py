"""From a packed file to a model that is resident and warm."""

import dataclasses
from collections.abc import Callable

import psutil

from engine.errors import OutOfMemory
from engine.kernels.cpu.cache import remember_kernels, run_compiling
from engine.kernels.cpu.warmup import warm_up_steps
from engine.model.config import ModelConfig
from engine.model.packed_model import WEIGHT_FORMATS, PackedModel, tensor_specs
from engine.runtime.kv_cache import cache_bytes
from engine.runtime.prefill import prompt_bytes
from engine.runtime.transformer import CHUNK_TOKENS, Transformer
from engine.runtime.tuning_file import Tuning
from engine.text.tokenizer import Tokenizer

# phase, done, total; may raise Cancelled.
OnProgress = Callable[[str, int, int], None]

DEFAULT_CONTEXT_TOKENS = 8192
MIN_CONTEXT_TOKENS = 64
# Buffers, tables and the interpreter's own needs beside weights and cache; measured with the starter model.
_WORKING_BYTES = 64 << 20
# How long the last kernel, the decode step, takes to compile, in hundredths of all the others together.
_LAST_STEP_SHARE = 105


@dataclasses.dataclass(slots=True)
class LoadedModel:
    """Everything resident and warm for one model."""

    packed: PackedModel
    transformer: Transformer
    tokenizer: Tokenizer

    def close(self) -> None:
        self.transformer.close()


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
    tuning: Tuning | None = None,
) -> LoadedModel:  # fmt: skip
    """Read the weights into private memory, or map them where they exceed it, and compile what is missing.

    Without a tuning all n_threads take part in every step. Raises OutOfMemory, DamagedFile, Cancelled.
    """
    config = packed.config
    need = memory_need(config, packed.weight_format, context_tokens)
    cache_kind = cache_kind_of(packed.weight_format)
    available = psutil.virtual_memory().available
    if need.total_bytes <= available:
        tensors = packed.read(lambda done, total: on_progress("read", done, total))
    elif need.total_bytes - need.weight_bytes <= available:
        tensors = packed.map()
    else:
        raise OutOfMemory("cache", need.total_bytes - need.weight_bytes, available)
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
        return LoadedModel(packed, transformer, Tokenizer(packed.tokenizer))
    except BaseException:
        transformer.close()
        raise
