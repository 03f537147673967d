"""One answer: prompt in, pieces of text out, with the rules for ending it and the facts measured on the way."""

import time
from collections.abc import Callable, Generator
from dataclasses import dataclass

from engine.errors import Cancelled, ContextFull
from engine.messages import GenerationStats, SamplingParams
from engine.runtime.sampler import make_sampler
from engine.runtime.transformer import Transformer
from engine.text.detokenizer import Detokenizer
from engine.text.tokenizer import Tokenizer

OnPrompt = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Ending:
    """Why an answer ended (stop, length, context or cancelled) and what was measured."""

    reason: str
    stats: GenerationStats


def generate(
    transformer: Transformer, tokenizer: Tokenizer, prompt: list[int], sampling: SamplingParams,
    stop: tuple[str, ...], on_prompt: OnPrompt,
) -> Generator[str, None, Ending]:  # fmt: skip
    """Yields the answer's text as it becomes certain; returns its ending.

    Only what the cache does not already hold of `prompt` is computed. Raises ContextFull, before computing anything,
    where the prompt leaves no room for an answer.
    """
    started = time.perf_counter()
    cache = transformer.cache
    if len(prompt) >= cache.context_tokens:
        raise ContextFull(len(prompt), cache.context_tokens)
    reused = min(cache.rewind_to_common_prefix(prompt), len(prompt) - 1)
    cache.rewind(reused)
    sample = make_sampler(sampling)
    detokenizer = Detokenizer(tokenizer, stop)
    limit = sampling.max_tokens if sampling.max_tokens is not None else cache.context_tokens
    prefill_s = first_token_s = decode_s = 0.0
    n_generated = 0
    try:
        transformer.prefill(prompt[reused:-1], on_prompt)
        logits = transformer.decode_step(prompt[-1])
        prefill_s = time.perf_counter() - started
        while True:
            token = sample(logits, cache.tokens)
            n_generated += 1
            if n_generated == 1:
                first_token_s = time.perf_counter() - started
            if token in tokenizer.eos_ids:
                reason = "stop"
                break
            piece = detokenizer.push(token)
            if piece:
                yield piece
            if detokenizer.stopped:
                reason = "stop"
                break
            if n_generated >= limit:
                reason = "length"
                break
            if len(cache.tokens) >= cache.context_tokens:
                reason = "context"
                break
            logits = transformer.decode_step(token)
            decode_s = time.perf_counter() - started - first_token_s
    except Cancelled:
        reason = "cancelled"
    piece = detokenizer.flush()
    if piece:
        yield piece
    if prefill_s == 0.0:
        prefill_s = time.perf_counter() - started
    n_read = min(len(cache.tokens), len(prompt))
    stats = GenerationStats(
        prompt_tokens=len(prompt) if n_generated else n_read,
        reused_tokens=reused,
        prefill_s=prefill_s,
        first_token_s=first_token_s,
        generated_tokens=n_generated,
        decode_s=decode_s,
        context_tokens=cache.context_tokens,
    )
    return Ending(reason, stats)
