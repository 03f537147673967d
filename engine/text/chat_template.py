"""Messages to a prompt, through the checkpoint's own chat template or a built-in one.

What a person typed must not become a turn. Before rendering, text in a message that looks like a control token gets one
noncharacter (U+FDD0 and on, whichever occurs in no message) put inside, so filters such as `trim` still see ordinary
text; `Tokenizer.encode_prompt` finds the template's own control tokens and then takes the noncharacter out.

Where a template writes turns in ordinary text, there are no control tokens to tell apart, and the look-alike itself has
to change: it gets a space before its last character ("[INST ]", "Question :"). This is the limit of such templates: no
message can write a turn the way the template does, but a model may still be taken in by text that is merely similar, or
that its tokenizer's normaliser makes equal (full-width letters under NFKC).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from engine.errors import InvalidRequest, TemplateFailed
from engine.messages import ChatMessage
from engine.text.builtin_templates import QUESTION_AND_ANSWER, TURN_MARKERS, BuiltinTemplate, template_of_origin
from engine.text.facts import TokenizerFacts
from engine.text.template_sandbox import ChatTemplate

ROLES = ("system", "user", "assistant")
_LINE_START = r"(?:^|[\n\r\v\f\x85\u2028\u2029])[ \t]*"
_NONCHARACTERS = (
    *(chr(c) for c in range(0xFDD0, 0xFDF0)),
    *(chr(plane << 16 | low) for plane in range(1, 17) for low in (0xFFFE, 0xFFFF)),
)


@dataclass(frozen=True, slots=True)
class Prompt:
    """A rendered conversation; `guard` stands inside text that only looks like a control token, empty if none does."""

    text: str
    guard: str = ""


def render_chat(
    facts: TokenizerFacts, messages: Sequence[ChatMessage], *, add_generation_prompt: bool = True
) -> Prompt:
    """Render a conversation in the form that `facts.template_origin` names.

    A system message that the template refuses, drops or has no place for is put before the next user message instead.
    """
    for message in messages:
        if message.role not in ROLES:
            raise InvalidRequest("messages", message.role, ", ".join(ROLES))
    builtin = template_of_origin(facts.template_origin)
    guarded, guard = _neutralise(_spaced(messages, facts, builtin), [text for text, _ in facts.special_tokens])
    template = ChatTemplate(facts.chat_template if builtin is None else builtin.source)
    variables = {
        "add_generation_prompt": add_generation_prompt,
        "bos_token": facts.text_of(facts.bos_id),
        "eos_token": facts.text_of(facts.eos_ids[0]) if facts.eos_ids else "",
    }
    folded = _folded(guarded)
    if builtin is not None:
        return Prompt(template.render(guarded if builtin.takes_system else folded, variables), guard)
    try:
        text = template.render(guarded, variables)
        if _keeps_system(text, guarded):
            return Prompt(text, guard)
    except TemplateFailed:
        if folded == guarded:
            raise
    return Prompt(template.render(folded, variables), guard)


def is_chat(facts: TokenizerFacts) -> bool:
    """False for a base model: it continues text, and conversations are put to it as questions and answers."""
    return facts.template_origin != QUESTION_AND_ANSWER


def implied_stop(facts: TokenizerFacts) -> tuple[str, ...]:
    """Stop strings that go with a built-in form of prompt, where the vocabulary has no token for that end."""
    builtin = template_of_origin(facts.template_origin)
    if builtin is None:
        return ()
    control = {text for text, _ in facts.special_tokens}
    return tuple(end for end in builtin.ends if end not in control)


def _spaced(
    messages: Sequence[ChatMessage], facts: TokenizerFacts, builtin: BuiltinTemplate | None
) -> Sequence[ChatMessage]:
    """The messages with a space inside whatever looks like one of the template's turns and is no control token."""
    used = builtin.markers if builtin else [text for text in TURN_MARKERS if text in facts.chat_template]
    control = {text for text, _ in facts.special_tokens}
    patterns = [re.escape(marker) for marker in used if marker not in control]
    patterns += [_LINE_START + re.escape(marker) for marker in (builtin.line_markers if builtin else ())]
    if not patterns:
        return messages
    look_alike = re.compile("|".join(patterns))

    def spaced(match: re.Match[str]) -> str:
        return f"{match.group()[:-1]} {match.group()[-1]}"

    return [ChatMessage(m.role, look_alike.sub(spaced, m.content)) for m in messages]


def _neutralise(messages: Sequence[ChatMessage], control: Sequence[str]) -> tuple[list[ChatMessage], str]:
    contents = [message.content for message in messages]
    by_length = sorted((text for text in control if text), key=len, reverse=True)
    look_alike = re.compile("|".join(map(re.escape, by_length))) if by_length else None
    if look_alike is None or not any(map(look_alike.search, contents)):
        return list(messages), ""
    guard = next((c for c in _NONCHARACTERS if not any(c in text for text in contents)), "")
    if not guard:
        raise TemplateFailed("the messages use every noncharacter of Unicode")

    def broken(match: re.Match[str]) -> str:
        text = match.group()
        # A match of one character has no inside; then the guard stands behind it.
        return text[:1] + guard + _broken_rest(text[1:], look_alike, guard)

    return [ChatMessage(m.role, look_alike.sub(broken, m.content)) for m in messages], guard


def _broken_rest(text: str, look_alike: re.Pattern[str], guard: str) -> str:
    """Breaks a control token that hides inside a longer one."""
    while match := look_alike.search(text):
        cut = match.start() + 1
        text = text[:cut] + guard + text[cut:]
    return text


def _keeps_system(text: str, messages: Sequence[ChatMessage]) -> bool:
    return all(m.content.strip() in text for m in messages if m.role == "system")


def _folded(messages: list[ChatMessage]) -> list[ChatMessage]:
    """The same conversation with each system message moved into the next user message, if there is one."""
    folded: list[ChatMessage] = []
    waiting: list[ChatMessage] = []
    for message in messages:
        if message.role == "system":
            waiting.append(message)
        elif message.role == "user":
            parts = [*(system.content for system in waiting), message.content]
            folded.append(ChatMessage("user", "\n\n".join(parts)))
            waiting = []
        else:
            folded.append(message)
    return folded + waiting
