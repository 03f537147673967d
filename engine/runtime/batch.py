"""Several answers to one prompt at once: each with a sampler of its own, each ended by the rules of a single answer.

The prompt is read once. From there on one step computes a token of every answer that goes on, and reads the weights
once for all of them. An answer's tokens are those it would have alone, without guessing and by the exact tier.
"""

import contextlib
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import replace

import numpy as np

from engine.errors import Cancelled, ContextFull
from engine.kernels.formats import Float32, Int64
from engine.messages import GenerationStats, SamplingParams
from engine.runtime.generate import NO_TOKEN, AnswerToken, Ending, OnPrompt, neuron_shares
from engine.runtime.sampler import drawn_seed, make_sampler
from engine.runtime.transformer import Transformer
from engine.text.detokenizer import Detokenizer
from engine.text.tokenizer import Tokenizer


class _Variant:
    """One of the answers: what it consists of so far, and why it ended once it has."""

    def __init__(
        self, tokenizer: Tokenizer, sampling: SamplingParams, stop: tuple[str, ...], most: int, *, goes_on: bool
    ) -> None:
        self.reason = ""
        self.seed = drawn_seed() if sampling.seed is None else sampling.seed
        self.is_told = False
        self.n_generated = self.n_counted = 0
        self.first_token_s = self.decode_s = 0.0
        self.counts: Int64 = np.zeros(0, np.int64)
        self._sample = make_sampler(replace(sampling, seed=self.seed))
        self._detokenizer = Detokenizer(tokenizer, (*sampling.stop, *stop), goes_on=goes_on)
        self._eos_ids, self._most, self._limit = tokenizer.eos_ids, most, sampling.max_tokens

    def choose(self, logits: Float32, tokens: Sequence[int], since_start_s: float) -> AnswerToken | None:
        """The next token after these, which it may be the last; None where it ends the answer and is none of its."""
        token = self._sample(logits, tokens)
        self.n_generated += 1
        if self.n_generated == 1:
            self.first_token_s = since_start_s
        if token in self._eos_ids:
            self.reason = "stop"
            return None
        text = self._detokenizer.push(token)
        if self._detokenizer.stopped:
            self.reason = "stop"
        elif self._limit is not None and self.n_generated >= self._limit:
            self.reason = "length"
        elif self.n_generated >= self._most:
            self.reason = "context"
        return AnswerToken(token, text)

    @property
    def stopped_by(self) -> str:
        """The stop string that ended it."""
        return self._detokenizer.stopped_by

    def rest(self) -> AnswerToken | None:
        """Text that was held back until the end."""
        piece = self._detokenizer.flush()
        return AnswerToken(NO_TOKEN, piece) if piece else None


def generate_variants(
    transformer: Transformer, tokenizer: Tokenizer, prompt: list[int], samplings: Sequence[SamplingParams],
    stop: tuple[str, ...], on_prompt: OnPrompt, *, is_wanted: Callable[[int], bool] = lambda variant: True,
    goes_on: bool = False,
) -> Generator[tuple[int, AnswerToken | Ending], None, None]:  # fmt: skip
    """Yields the tokens of an answer for each of `samplings`, with its number, as they come, and its ending after them.

    Each answer is what `generate_tokens` would give for its sampling; `stop` ends any of them, its sampling's own
    strings that one. One that is not wanted any more, which is asked before each token, ends as cancelled, as do all
    where the transformer is told to stop. The cache is left with the prompt. Raises ContextFull where the prompt leaves
    no room, InvalidRequest for more answers than a fork has sequences, OutOfMemory.
    """
    started = time.perf_counter()
    cache = transformer.cache
    most = cache.context_tokens - len(prompt) + 1  # the last one of a full context is not appended
    if most <= 1:
        raise ContextFull(len(prompt), cache.context_tokens)
    variants = [_Variant(tokenizer, sampling, stop, most, goes_on=goes_on) for sampling in samplings]
    reused = min(cache.rewind_to_common_prefix(prompt), len(prompt) - 1)
    cache.rewind(reused)
    prefill_s = 0.0

    def told(number: int) -> Iterator[tuple[int, AnswerToken | Ending]]:
        """What is left to say of an answer that has ended."""
        variant, is_read = variants[number], prefill_s > 0
        variant.is_told = True
        rest = variant.rest()
        if rest is not None:
            yield number, rest
        stats = GenerationStats(
            prompt_tokens=len(prompt) if is_read else min(len(cache.tokens), len(prompt)),
            reused_tokens=reused,
            prefill_s=prefill_s if is_read else time.perf_counter() - started,
            first_token_s=variant.first_token_s,
            generated_tokens=variant.n_generated,
            decode_s=variant.decode_s,
            context_tokens=cache.context_tokens,
            examined=_shares(transformer, variant, 1),
            active=_shares(transformer, variant, 2),
            seed=variant.seed,
            stopped_by=variant.stopped_by,
        )
        yield number, Ending(variant.reason or "cancelled", stats)

    with contextlib.ExitStack() as opened, contextlib.suppress(Cancelled):
        transformer.prefill(prompt[reused:-1], on_prompt)
        logits = transformer.decode_step(prompt[-1]).copy()
        prefill_s = time.perf_counter() - started
        fork = opened.enter_context(contextlib.closing(transformer.fork(len(variants))))
        going = list(range(len(variants)))
        after = dict.fromkeys(going, logits)
        while going:
            chosen: dict[int, int] = {}
            for number in going:
                variant = variants[number]
                if not is_wanted(number):
                    variant.reason = "cancelled"
                else:
                    token = variant.choose(after[number], fork.tokens(number), time.perf_counter() - started)
                    if token is not None:
                        yield number, token
                        chosen[number] = token.token
                if variant.reason:
                    yield from told(number)
            going = [number for number in chosen if not variants[number].reason]
            if not going:
                break
            stepped = fork.step(going, [chosen[number] for number in going])
            after = dict(zip(going, stepped, strict=True))
            now = time.perf_counter() - started
            for number, counts in zip(going, fork.step_counts, strict=True):
                variant = variants[number]
                variant.counts = counts + variant.counts if variant.n_counted else counts
                variant.n_counted += 1
                variant.decode_s = now - variant.first_token_s
    for number, variant in enumerate(variants):
        if not variant.is_told:
            yield from told(number)


def _shares(transformer: Transformer, variant: _Variant, column: int) -> tuple[float, ...]:
    return neuron_shares(transformer, variant.counts[:, column], variant.n_counted) if variant.n_counted else ()
