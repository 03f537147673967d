"""One answer: prompt in, pieces of text out, with the rules for ending it and the facts measured on the way."""

import contextlib
import time
from collections.abc import Callable, Generator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from engine.errors import Cancelled, ContextFull
from engine.messages import GenerationStats, SamplingParams
from engine.neuron_reports import EXACT
from engine.runtime.audit import Audit
from engine.runtime.sampler import drawn_seed, make_sampler
from engine.runtime.steps import Steps
from engine.runtime.transformer import Transformer
from engine.text.detokenizer import Detokenizer
from engine.text.tokenizer import Tokenizer

OnPrompt = Callable[[int, int], None]
# Stands for the token of text that was held back until the answer had ended.
NO_TOKEN = -1


@dataclass(frozen=True, slots=True)
class AnswerToken:
    """A token, and what of the answer's text became certain with it."""

    token: int
    text: str


@dataclass(frozen=True, slots=True)
class Ending:
    """Why an answer ended (stop, length, context or cancelled) and what was measured."""

    reason: str
    stats: GenerationStats


def generate(
    transformer: Transformer, tokenizer: Tokenizer, prompt: list[int], sampling: SamplingParams,
    stop: tuple[str, ...], on_prompt: OnPrompt, *, speculate: bool = True, audit: Audit | None = None,
    goes_on: bool = False,
) -> Generator[str, None, Ending]:  # fmt: skip
    """Yields the answer's text as it becomes certain; returns its ending. As `generate_tokens`."""
    answer = generate_tokens(
        transformer, tokenizer, prompt, sampling, stop, on_prompt, speculate=speculate, audit=audit, goes_on=goes_on
    )  # fmt: skip
    with contextlib.closing(answer):
        while True:
            try:
                token = next(answer)
            except StopIteration as end:
                ending: Ending = end.value
                return ending
            if token.text:
                yield token.text


def generate_tokens(
    transformer: Transformer, tokenizer: Tokenizer, prompt: list[int], sampling: SamplingParams,
    stop: tuple[str, ...], on_prompt: OnPrompt, *, speculate: bool = True, audit: Audit | None = None,
    goes_on: bool = False,
) -> Generator[AnswerToken, None, Ending]:  # fmt: skip
    """Yields the answer's tokens; returns its ending.

    Only what the cache does not already hold of `prompt` is computed, and that exactly. The answer is exact too without
    an audit; with one it is computed by the audit's tier, unless drift has withdrawn it. Raises ContextFull, before
    computing anything, where the prompt leaves no room for an answer. With `speculate`, tokens that the text so far
    suggests are checked several at once where that is measured to be faster; the answer is the same. With `goes_on` the
    prompt ends in the middle of the text that the tokens continue.
    """
    started = time.perf_counter()
    cache, tier = transformer.cache, EXACT if audit is None else audit.tier
    if len(prompt) >= cache.context_tokens:
        raise ContextFull(len(prompt), cache.context_tokens)
    reused = min(cache.rewind_to_common_prefix(prompt, tier), len(prompt) - 1)
    cache.rewind(reused)
    seed = drawn_seed() if sampling.seed is None else sampling.seed
    sample = make_sampler(replace(sampling, seed=seed))
    detokenizer = Detokenizer(tokenizer, stop, goes_on=goes_on)
    limit = sampling.max_tokens if sampling.max_tokens is not None else cache.context_tokens
    prefill_s = first_token_s = decode_s = 0.0
    n_generated = n_counted = 0
    counts = np.zeros((transformer.config.n_layers, 3), np.int64)
    steps = Steps(transformer, speculate=speculate, audit=audit)
    try:
        transformer.prefill(prompt[reused:-1], on_prompt)
        logits = transformer.decode_step(prompt[-1])
        steps.lookup.extend(prompt)
        steps.begin_tier()
        prefill_s = time.perf_counter() - started
        while True:
            token = sample(logits, cache.tokens[: steps.n_certain])
            n_generated += 1
            if n_generated == 1:
                first_token_s = time.perf_counter() - started
            if token in tokenizer.eos_ids:
                reason = "stop"
                break
            yield AnswerToken(token, detokenizer.push(token))
            if detokenizer.stopped:
                reason = "stop"
                break
            if n_generated >= limit:
                reason = "length"
                break
            if steps.n_certain >= cache.context_tokens:
                reason = "context"
                break
            logits, of_token = steps.after(token, limit - n_generated)
            counts += of_token
            n_counted += 1
            decode_s = time.perf_counter() - started - first_token_s
    except Cancelled:
        reason = "cancelled"
    finally:
        steps.end()
    piece = detokenizer.flush()
    if piece:
        yield AnswerToken(NO_TOKEN, piece)
    if prefill_s == 0.0:
        prefill_s = time.perf_counter() - started
    n_read = min(len(cache.tokens), len(prompt))
    read = (0, 0)
    if n_counted:
        read = transformer.bytes_of_token(counts / n_counted, len(prompt) + (n_counted + 1) / 2, tier)
    stats = GenerationStats(
        prompt_tokens=len(prompt) if n_generated else n_read,
        reused_tokens=reused,
        prefill_s=prefill_s,
        first_token_s=first_token_s,
        generated_tokens=n_generated,
        decode_s=decode_s,
        context_tokens=cache.context_tokens,
        proposed_tokens=steps.n_proposed,
        accepted_tokens=steps.n_accepted,
        examined=neuron_shares(transformer, counts[:, 1], n_counted),
        active=neuron_shares(transformer, counts[:, 2], n_counted),
        tier=tier,
        tier_left_at=steps.left_at,
        audited_tokens=len(steps.audit_kls),
        audit_kl=sum(steps.audit_kls) / len(steps.audit_kls) if steps.audit_kls else 0.0,
        seed=seed,
        stopped_by=detokenizer.stopped_by,
        step_bytes=read[0],
        dense_bytes=read[1],
    )
    return Ending(reason, stats)


def neuron_shares(transformer: Transformer, counts: NDArray[np.int64], n_tokens: int) -> tuple[float, ...]:
    """Mean share of each layer's neurons; empty where nothing was decoded or nothing can be silent."""
    if not n_tokens or not transformer.config.is_sparse:
        return ()
    return tuple(float(c) / (n_tokens * transformer.config.n_neurons) for c in counts)
