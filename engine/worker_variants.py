"""Several answers to one conversation at once: from the request to what is told of each.

Owns what is common to them (the prompt, what of the conversation is left out, the strings that end an answer by the
form of its prompt); how they are computed is `runtime/batch.py`.
"""

import contextlib
import dataclasses
from collections.abc import Iterator

from engine.context_reports import PromptFitted
from engine.messages import Event, GenerateVariants, VariantEnded, VariantText
from engine.runtime.batch import generate_variants
from engine.runtime.generate import Ending, OnPrompt
from engine.runtime.loader import LoadedModel
from engine.text.context_window import ContextWindow
from engine.worker_text import chat_ends, check_messages, goes_on


def variant_events(
    request: GenerateVariants, loaded: LoadedModel, window: ContextWindow, on_prompt: OnPrompt
) -> Iterator[Event]:
    """All but the last: VariantText and VariantEnded of each answer, before them PromptFitted where that is due.

    Cancelled, the answers end so. Raises EngineError.
    """
    request_id, is_text = request.request_id, request.completes_text
    check_messages(request.messages, is_text=is_text)
    limits = [sampling.max_tokens for sampling in request.samplings if sampling.max_tokens is not None]
    fitted = window.fit(
        request.messages,
        request.overflow,
        keeps_first=request.keeps_first,
        max_tokens=max(limits) if len(limits) == len(request.samplings) else None,
    )
    if fitted.left_out is not None:
        yield PromptFitted(request_id, len(fitted.prompt), window.context_tokens, fitted.left_out)
    loaded.transformer.counts_neurons = False
    answers = generate_variants(
        loaded.transformer,
        loaded.tokenizer,
        fitted.prompt,
        request.samplings,
        () if is_text else chat_ends(loaded.packed),
        on_prompt,
        goes_on=is_text or goes_on(request.messages),
    )
    with contextlib.closing(answers):
        for number, told in answers:
            if isinstance(told, Ending):
                stats = dataclasses.replace(told.stats, left_out=fitted.left_out)
                yield VariantEnded(request_id, number, told.reason, stats)
            elif told.text:
                yield VariantText(request_id, number, told.text)
