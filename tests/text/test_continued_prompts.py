"""The prompt of an answer that goes on holds the tokens that the model had given, behind those it had read."""

from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from engine.messages import ChatMessage
from engine.model.packed_model import PackedModel
from engine.text.facts import TokenizerFacts
from engine.text.tokenizer import Tokenizer
from engine.worker_text import chat_ids

LLAMA = "{% for m in messages %}{% if m.role == 'user' %}[INST] {{ m.content }} [/INST]{% endif %}{% endfor %}"
TURNS = (
    "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
BARE = "{% for m in messages %}<|im_start|>{{ m.content }}<|im_end|>{% endfor %}"
QUESTION = ChatMessage("user", "Why is the sky blue?")


@pytest.mark.parametrize("template", [LLAMA, TURNS, BARE], ids=["in a line", "below a line", "behind a control token"])
@pytest.mark.parametrize("answer", ["the light", "the light of the sun is ", "a\nb", "天空", " two spaces"])
def test_what_was_read_and_what_was_given_are_the_prompt_of_what_goes_on(
    sentencepiece_model: Path, tmp_path: Path, template: str, answer: str
) -> None:
    special = (("<|im_start|>", 3), ("<|im_end|>", 4))
    facts = TokenizerFacts(
        "sentencepiece", sentencepiece_model.read_bytes(), special, 1, (2,), True, 900, template, "checkpoint"
    )
    tokenizer = Tokenizer(facts)
    packed = cast(PackedModel, SimpleNamespace(tokenizer=facts, path=tmp_path / "tiny.safetensors"))
    read = chat_ids(packed, tokenizer, (QUESTION,))

    again = chat_ids(packed, tokenizer, (QUESTION, ChatMessage("assistant", answer)))

    assert again[: len(read)] == read
    given = b"".join(map(tokenizer.token_bytes, again[len(read) :])).decode()
    assert given == (answer if template == TURNS else f" {answer}")  # a first token begins with a space within a line
    if template == LLAMA and not answer.startswith(" "):
        assert again[len(read) :] == tokenizer.encode(answer)
