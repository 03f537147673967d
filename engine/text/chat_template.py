"""Messages to a prompt, through the checkpoint's own chat template.

What a person typed must not become a control token. Before rendering, text in a message that looks like a control token
gets one noncharacter (U+FDD0 and on, whichever occurs in no message) put inside, so filters such as `trim` still see
ordinary text; `Tokenizer.encode_prompt` finds the template's own control tokens and then takes the noncharacter out.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from engine.errors import InvalidRequest, TemplateFailed
from engine.messages import ChatMessage
from engine.text.facts import TokenizerFacts
from engine.text.template_sandbox import ChatTemplate

ROLES = ("system", "user", "assistant")
CHATML = (
    "{% for message in messages %}"
    "{{ '<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>\\n' }}"
    "{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}"
)
_CHATML_END = "<|im_end|>"
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
    """Render a conversation with the checkpoint's template, or with ChatML where it has none.

    A system message that the template refuses or drops is put before the first user message instead.
    """
    for message in messages:
        if message.role not in ROLES:
            raise InvalidRequest("messages", message.role, ", ".join(ROLES))
    guarded, guard = _neutralise(messages, [text for text, _ in facts.special_tokens])
    template = ChatTemplate(facts.chat_template or CHATML)
    variables = {
        "add_generation_prompt": add_generation_prompt,
        "bos_token": facts.text_of(facts.bos_id),
        "eos_token": facts.text_of(facts.eos_ids[0]) if facts.eos_ids else "",
    }
    try:
        text = template.render(guarded, variables)
        if _keeps_system(text, guarded):
            return Prompt(text, guard)
    except TemplateFailed:
        if _folded(guarded) == guarded:
            raise
    return Prompt(template.render(_folded(guarded), variables), guard)


def implied_stop(facts: TokenizerFacts) -> tuple[str, ...]:
    """Stop strings that go with the prompt's form: those of ChatML in a checkpoint that has no token for its end."""
    known = any(text == _CHATML_END for text, _ in facts.special_tokens)
    return () if facts.chat_template or known else (_CHATML_END,)


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
    """The same conversation with its opening system message moved into the first user message."""
    if not messages or messages[0].role != "system":
        return messages
    system, rest = messages[0], list(messages[1:])
    for i, message in enumerate(rest):
        if message.role == "user":
            rest[i] = ChatMessage("user", f"{system.content}\n\n{message.content}")
            return rest
    return messages
