"""One row of facts per family of checkpoints. Nothing else in the engine asks which architecture a model is.

A new family is a new row; one that needs another operation adds a field here and one function where the field is read.
"""

from dataclasses import dataclass

from engine.errors import UnsupportedModel


@dataclass(frozen=True, slots=True)
class Family:
    """What a checkpoint of this family looks like on disk.

    gguf_architecture    value of general.architecture, and the prefix of its metadata keys
    activation           of the feed-forward, where the checkpoint does not say
    has_paired_rope      GGUF stores the rows of Q and K so that rotated pairs are neighbours: undone on reading
    """

    name: str
    gguf_architecture: str
    activation: str
    has_paired_rope: bool


FAMILIES = (Family(name="llama", gguf_architecture="llama", activation="silu", has_paired_rope=True),)

# Our names of the tensors outside and inside a layer, and GGUF's.
GGUF_TENSORS = {"embedding": "token_embd.weight", "final_norm": "output_norm.weight", "head": "output.weight"}
GGUF_LAYER_TENSORS = {
    "attention_norm": "attn_norm.weight",
    "q": "attn_q.weight",
    "k": "attn_k.weight",
    "v": "attn_v.weight",
    "out": "attn_output.weight",
    "ffn_norm": "ffn_norm.weight",
    "gate": "ffn_gate.weight",
    "up": "ffn_up.weight",
    "down": "ffn_down.weight",
}


def family_of_gguf(architecture: str, path: str) -> Family:
    for family in FAMILIES:
        if family.gguf_architecture == architecture:
            return family
    supported = ", ".join(f.gguf_architecture for f in FAMILIES)
    raise UnsupportedModel(path, "architecture", architecture, supported)
