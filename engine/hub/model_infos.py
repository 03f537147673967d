"""What a listing says of a model of the library, from names and headers alone.

Owns how a model's id comes of its name. Counts that only the weights tell are those of the packed file, and empty
before there is one.
"""

import json
import re
from pathlib import Path

from engine.hub.manifest import Manifest, is_weights
from engine.hub.starter import (
    STARTER_BYTES,
    STARTER_CONTEXT_TOKENS,
    STARTER_LICENCE,
    STARTER_NAME,
    STARTER_PARAMETERS,
)
from engine.messages import ModelInfo
from engine.model.packed_model import SUFFIX, PackedModel
from engine.text.chat_template import is_chat

STARTER_NOTE = "starter"
STARTER_ID = "smollm2-135m-instruct"


def readable(source: Path, manifest: Manifest) -> Path:
    """What a reader of checkpoints is given: the folder, or the one GGUF file in it."""
    names = [file.path for file in manifest.files]
    gguf = [name for name in names if name.lower().endswith(".gguf")]
    return source / gguf[0] if len(gguf) == 1 and "config.json" not in names else source


def model_id_of(name: str) -> str:
    """A name as lower-case letters, digits, dots and dashes; never empty, never a path."""
    slug = re.sub(r"[^a-z0-9.]+", "-", name.lower()).strip("-.")
    return slug[:80] or "model"


def packed_info(packed: PackedModel) -> ModelInfo:
    config = packed.config
    return ModelInfo(
        model_id=packed.path.name.removesuffix(SUFFIX),
        name=config.name,
        state="packed",
        family=config.family,
        weight_format=packed.weight_format,
        size_bytes=packed.data_start + packed.data_bytes,
        n_parameters=config.n_parameters,
        context_tokens=config.context_tokens,
        licence=config.licence,
        source=packed.source,
        note=packed.note,
        chat=is_chat(packed.tokenizer),
        feed_forward=config.feed_forward,
        is_sparse=config.is_sparse,
        template=packed.tokenizer.template_origin,
        remarks=packed.remarks,
    )


def source_info(model_id: str, source: Path, manifest: Manifest) -> ModelInfo:
    """What a listing can say of a source without opening its weights: counts come from the packed file later."""
    try:
        values = json.loads((source / "config.json").read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        values = {}
    values = values if isinstance(values, dict) else {}
    family, context = values.get("model_type"), values.get("max_position_embeddings")
    return ModelInfo(
        model_id=model_id,
        name=manifest.repo,
        state="source",
        family=family if isinstance(family, str) else "",
        weight_format="",
        size_bytes=sum(file.size_bytes for file in manifest.files if is_weights(file.path)),
        n_parameters=0,
        context_tokens=context if type(context) is int and context > 0 else 0,
        licence=manifest.licence,
        source=str(readable(source, manifest)),
    )


def starter_info(path: Path) -> ModelInfo:
    return ModelInfo(
        model_id=STARTER_ID,
        name=STARTER_NAME,
        state="source",
        family="llama",
        weight_format="",
        size_bytes=STARTER_BYTES,
        n_parameters=STARTER_PARAMETERS,
        context_tokens=STARTER_CONTEXT_TOKENS,
        licence=STARTER_LICENCE,
        source=str(path),
        note=STARTER_NOTE,
        feed_forward="gated silu",
        template="checkpoint",
    )
