"""What our tokens are held against: texts that bring out differences, and llama.cpp to ask about them."""

import contextlib
import io
import json
import urllib.request
from pathlib import Path

import gguf
import numpy as np
import sentencepiece
import xllamacpp

CORPUS = [
    "It is a truth universally acknowledged, that a single man in possession of a good fortune, "
    "must be in want of a wife.",
    "However little known the feelings or views of such a man may be on his first entering a neighbourhood, "
    "this truth is so well fixed in the minds of the surrounding families.",
    "def fib(n):\n    if n < 2:\n        return n\n    return fib(n - 1) + fib(n - 2)\n\n\nprint(fib(30))\n",
    "床前明月光，疑是地上霜。举头望明月，低头思故乡。\n白日依山尽，黄河入海流。欲穷千里目，更上一层楼。\n",
    "In 1999 and 2024 the price was $1,234,567.89 (about 12.5% more); call 555-0123-4567 before 10:30.\n",
    "I'm sure they're here, I'LL say it's DONE! We've... <b>bold</b> && x == y || !z -> {'a': [1, 22, 333]}\r\n\r\n",
    "\t\tif (x)   {  \n\n\n  y;   }\n   \n",
    "café naïve Straße ŁÓDŹ Ελλάδα Привет мир नमस्ते ٣٤٥ Ⅷ ½ 👩‍👩‍👧‍👦 🏳️‍🌈 👍🏽\n",
]

SAMPLES = [
    "",
    " ",
    "Hello world",
    " leading and trailing ",
    "It's 12345 o'clock, they'LL say I'M 3rd.",
    "床前明月光，疑是地上霜。2024年10月1日",
    "def f(x):\n\treturn x**2  # comment\n\n\nclass A:\r\n    pass\r\n",
    "👩‍👩‍👧‍👦 family, 🏳️‍🌈 flag, 👍🏽 skin, 🇨🇳 pair",
    "1 12 123 1234 12345 123456 ٣٤٥ Ⅷ ½ ²³",
    "a  b   c    d\t\te\n\n\nf \n g\r\r\nh\n",
    "<|im_start|>user <|im_end|> </s> <s> <unk> [INST] <|endoftext|>",
    "e\u0301 n\u0303 \u200d\u200b\ufeff\u00a0\u3000\u2028\u0085 \x00\x01\x1f\x7f",
    "----====____~~~~````$$$$++++^^^^||||<<<<>>>>",
    "((((([[[[[{{{{{!!!!!?????.....,,,,,;;;;;:::::",
    "नमस्ते दुनिया Ελλάδα ΚΑΛΗΜΕΡΑ Привет МИР",
    "\u2581\u2581marks\u2581",
]


class LlamaCpp:
    """llama.cpp over one GGUF file, asked through the HTTP server that its Python package runs in this process."""

    def __init__(self, path: Path) -> None:
        params = xllamacpp.CommonParams()
        params.model.path = str(path)
        params.n_ctx = 256
        params.n_parallel = 1
        params.warmup = False
        params.verbosity = 0
        self._server = xllamacpp.Server(params)

    def tokenize(self, text: str, *, parse_special: bool = False, add_special: bool = False) -> list[int]:
        return self._post("/tokenize", content=text, parse_special=parse_special, add_special=add_special)["tokens"]

    def render(self, messages: list[dict[str, str]]) -> str:
        return self._post("/apply-template", messages=messages)["prompt"]

    def _post(self, path: str, **body: object) -> dict:
        url = self._server.listening_address + path
        request = urllib.request.Request(url, json.dumps(body).encode(), {"Content-Type": "application/json"})
        with urllib.request.urlopen(request) as response:
            return json.load(response)


def train_sentencepiece(path: Path, **options: object) -> Path:
    """A model of byte pairs with byte fallback, as LLaMA's is."""
    model = io.BytesIO()
    defaults: dict[str, object] = {
        "model_type": "bpe",
        "vocab_size": 900,
        "byte_fallback": True,
        "character_coverage": 0.98,
        "normalization_rule_name": "identity",
        "remove_extra_whitespaces": False,
        "allow_whitespace_only_pieces": True,
        "hard_vocab_limit": False,
        "minloglevel": 2,
    }
    with contextlib.redirect_stderr(io.StringIO()):
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(CORPUS * 3), model_writer=model, **(defaults | options)
        )
    path.write_bytes(model.getvalue())
    return path


def write_gguf(path: Path, vocabulary: dict[str, object], n_vocab: int) -> Path:
    """A one-layer random model with this `tokenizer.ggml.*` metadata: enough for llama.cpp to load its tokenizer."""
    d, n = 32, 64
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_block_count(1)
    writer.add_context_length(256)
    writer.add_embedding_length(d)
    writer.add_feed_forward_length(n)
    writer.add_head_count(2)
    writer.add_head_count_kv(2)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_dimension_count(16)
    writer.add_vocab_size(n_vocab)
    for key, value in vocabulary.items():
        if isinstance(value, bool):
            writer.add_bool(key, value)
        elif isinstance(value, int):
            writer.add_uint32(key, value)
        elif isinstance(value, str):
            writer.add_string(key, value)
        else:
            writer.add_array(key, value)
    numbers = np.random.default_rng(0)
    shapes = {
        "token_embd": (n_vocab, d),
        "output": (n_vocab, d),
        "output_norm": (d,),
        "blk.0.attn_norm": (d,),
        "blk.0.ffn_norm": (d,),
        "blk.0.attn_q": (d, d),
        "blk.0.attn_k": (d, d),
        "blk.0.attn_v": (d, d),
        "blk.0.attn_output": (d, d),
        "blk.0.ffn_gate": (n, d),
        "blk.0.ffn_up": (n, d),
        "blk.0.ffn_down": (d, n),
    }
    for name, shape in shapes.items():
        writer.add_tensor(f"{name}.weight", numbers.standard_normal(shape).astype(np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path
