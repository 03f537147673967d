import dataclasses

import pytest

from engine.model.pack import pack
from engine.runtime.transformer import Transformer
from tests.tiny_model import TINY, TinyCheckpoint


@pytest.fixture
def tiny_transformer(tmp_path):
    """A function: config changes, format, cache, threads → a Transformer of random weights, closed after the test."""
    made = []

    def make(weight_format="f32", cache_kind="f32", n_threads=2, context_tokens=64, seed=0, **changes):
        checkpoint = TinyCheckpoint(dataclasses.replace(TINY, **changes), seed)
        path = tmp_path / f"{len(made)}.ember"
        packed = pack(checkpoint, path, weight_format, source="", note="", on_step=lambda done, total: None)
        sizes = {"context_tokens": context_tokens, "cache_kind": cache_kind, "n_threads": n_threads}
        made.append(Transformer(packed.config, packed.parts, packed.read(lambda done, total: None), **sizes))
        return made[-1]

    yield make
    for transformer in made:
        transformer.close()
