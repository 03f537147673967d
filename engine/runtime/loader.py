"""From a packed file to a model that is resident and warm."""

import dataclasses
from collections.abc import Callable

import psutil

from engine.errors import OutOfMemory
from engine.kernels.cpu.warmup import warm_up_steps
from engine.model.packed_model import PackedModel
from engine.runtime.kv_cache import cache_bytes
from engine.runtime.transformer import Transformer
from engine.text.tokenizer import Tokenizer

# phase, done, total; may raise Cancelled.
OnProgress = Callable[[str, int, int], None]

DEFAULT_CONTEXT_TOKENS = 8192
MIN_CONTEXT_TOKENS = 64
# Buffers, tables and the interpreter's own needs beside weights and cache; measured with the starter model.
_WORKING_BYTES = 64 << 20


@dataclasses.dataclass(slots=True)
class LoadedModel:
    """Everything resident and warm for one model."""

    packed: PackedModel
    transformer: Transformer
    tokenizer: Tokenizer

    def close(self) -> None:
        self.transformer.close()


def load_model(
    packed: PackedModel, *, context_tokens: int | None, n_threads: int, on_progress: OnProgress
) -> LoadedModel:
    """Read the weights into private memory, or map them where they exceed it, and compile what is missing.

    The cache is float16, and float32 for the float reference path. Raises OutOfMemory, DamagedFile, Cancelled.
    """
    config = packed.config
    context = min(context_tokens or DEFAULT_CONTEXT_TOKENS, config.context_tokens)
    cache_kind = "f32" if packed.weight_format == "f32" else "f16"
    needed = packed.data_bytes + cache_bytes(config, context, cache_kind) + _WORKING_BYTES
    available = psutil.virtual_memory().available
    if needed <= available:
        tensors = packed.read(lambda done, total: on_progress("read", done, total))
    elif needed - packed.data_bytes <= available:
        tensors = packed.map()
    else:
        raise OutOfMemory("cache", needed - packed.data_bytes, available)
    transformer = Transformer(
        config, packed.parts, tensors, context_tokens=context, cache_kind=cache_kind, n_threads=n_threads
    )
    try:
        formats = frozenset(dataclasses.astuple(packed.parts))
        steps = warm_up_steps(formats, cache_kind)
        for number, step in enumerate(steps):
            on_progress("compile", number, len(steps) + 1)
            step()
        on_progress("compile", len(steps), len(steps) + 1)
        transformer.decode_step(0)
        transformer.cache.rewind(0)
        on_progress("compile", len(steps) + 1, len(steps) + 1)
        return LoadedModel(packed, transformer, Tokenizer(packed.tokenizer))
    except BaseException:
        transformer.close()
        raise
