"""Messages to a prompt, through the checkpoint's own chat template or a built-in one.

What a person typed must not become a turn. Before rendering, text in a message that looks like a control token gets one
noncharacter (U+FDD0 and on, whichever occurs in no message) put inside, so filters such as `trim` still see ordinary
text; `Tokenizer.encode_prompt` finds the template's own control tokens and then takes the noncharacter out. A template
may still put a control token together from what it changes, cuts out or writes beside a message. So the conversation is
rendered once more with noncharacters around every character of every message: what is a control token there comes from
the template alone, and where the two disagree the second is the prompt.

Where a template writes turns in ordinary text, there are no control tokens to tell apart, and the look-alike itself has
to change: it gets a space before its last character ("[INST ]", "Question :"). This is the limit of such templates: no
message can write a turn the way the template does, but a model may still be taken in by text that is merely similar, or
that its tokenizer's normaliser makes equal (full-width letters under NFKC).
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from engine.errors import InvalidRequest, TemplateFailed
from engine.messages import ChatMessage
from engine.text.builtin_templates import (
    CHECKPOINT,
    QUESTION_AND_ANSWER,
    TURN_MARKERS,
    BuiltinTemplate,
    template_of_origin,
)
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
    """A rendered conversation.

    guard   stands inside text that only looks like a control token; empty if there is none
    fence   stands before a character of a message that is a control token by itself; empty if there is none
    """

    text: str
    guard: str = ""
    fence: str = ""

    def unguarded(self, text: str) -> str:
        """A part of the text as it was meant."""
        for mark in filter(None, (self.guard, self.fence)):
            text = text.replace(mark, "")
        return text


def render_chat(
    facts: TokenizerFacts, messages: Sequence[ChatMessage], *, add_generation_prompt: bool = True, begun: str = ""
) -> Prompt:
    """Render a conversation in the form that `facts.template_origin` names.

    A system message that the template refuses, drops or has no place for is put before the next user message instead.
    `begun` is the beginning of the answer, as it was written so far: it stands behind what the template writes.
    """
    for message in messages:
        if message.role not in ROLES:
            raise InvalidRequest("messages", message.role, ", ".join(ROLES))
    builtin = template_of_origin(facts.template_origin)
    whole = [ChatMessage(message.role, whole_characters(message.content)) for message in messages]
    typed = _spaced(whole, facts, builtin)
    control = frozenset(text for text, _ in facts.special_tokens if text)
    answer = [ChatMessage("assistant", whole_characters(begun))]
    guard, fence = _unused_noncharacters([*typed, *answer], facts.chat_template) if control else ("", "")
    template = ChatTemplate(facts.chat_template if builtin is None else builtin.source)
    variables = {
        "add_generation_prompt": add_generation_prompt,
        "bos_token": facts.text_of(facts.bos_id),
        "eos_token": facts.text_of(facts.eos_ids[0]) if facts.eos_ids else "",
    }
    guarded = _guarded(typed, control, guard, fence)
    (answer_guarded,) = _guarded(answer, control, guard, fence)
    is_folded = not builtin.takes_system if builtin else _needs_folding(template, guarded, variables)
    arrange = _folded if is_folded else list
    text = template.render(arrange(guarded), variables) + answer_guarded.content
    prompt = Prompt(text, *(mark if mark in text else "" for mark in (guard, fence)))
    if not control:
        return prompt
    (answer_marked,) = _marked([answer_guarded], guard, fence)
    marked_text = template.render(arrange(_marked(guarded, guard, fence)), variables) + answer_marked.content
    marked = Prompt(marked_text, guard, fence)
    return prompt if _agree(prompt, marked, control) else marked


def facts_with(facts: TokenizerFacts, source: str) -> TokenizerFacts:
    """The same checkpoint with another template in place of its own; an empty one changes nothing."""
    return replace(facts, chat_template=source, template_origin=CHECKPOINT) if source.strip() else facts


def template_source(facts: TokenizerFacts) -> str:
    """The jinja source that forms this checkpoint's prompts."""
    builtin = template_of_origin(facts.template_origin)
    return facts.chat_template if builtin is None else builtin.source


def control_tokens(prompt: Prompt, control: Collection[str]) -> Iterator[re.Match[str]]:
    """The template's own control tokens in a prompt; `control` are the texts of all there are."""
    pattern = _pattern(control, prompt.fence)
    return pattern.finditer(prompt.text) if pattern else iter(())


def control_places(prompt: Prompt, facts: TokenizerFacts) -> list[tuple[int, str]]:
    """The control tokens of a prompt, and where they stand in its text without guards and fences."""
    return _places(prompt, [text for text, _ in facts.special_tokens])


def whole_characters(text: str) -> str:
    """Text that can be written as UTF-8: a half of a surrogate pair, which Python allows, becomes U+FFFD."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


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


def _unused_noncharacters(messages: Sequence[ChatMessage], source: str) -> tuple[str, str]:
    texts = [source, *(message.content for message in messages)]
    unused = (c for c in _NONCHARACTERS if not any(c in text for text in texts))
    guard, fence = next(unused, ""), next(unused, "")
    if not fence:
        raise TemplateFailed("the messages use every noncharacter of Unicode")
    return guard, fence


def _pattern(control: Collection[str], fence: str = "") -> re.Pattern[str] | None:
    """Finds control tokens, the longest first, and those of a single character only where no fence stands before."""
    by_length = sorted((text for text in control if text), key=len, reverse=True)
    unfenced = f"(?<!{fence})" if fence else ""
    parts = [re.escape(text) if len(text) > 1 else unfenced + re.escape(text) for text in by_length]
    return re.compile("|".join(parts)) if parts else None


def _guarded(messages: Sequence[ChatMessage], control: Collection[str], guard: str, fence: str) -> list[ChatMessage]:
    """The messages with a guard inside every look-alike, those that overlap or lie within others included."""
    look_alike = _pattern(control)
    if look_alike is None:
        return list(messages)

    def broken(text: str) -> str:
        parts, position = [], 0
        while match := look_alike.search(text, position):
            start = match.start()
            parts += [text[position:start], fence if text[start] in control else "", text[start]]
            parts += [guard] if len(match.group()) > 1 else []
            position = start + 1
        return "".join([*parts, text[position:]])

    return [ChatMessage(m.role, broken(m.content)) for m in messages]


def _marked(messages: Sequence[ChatMessage], guard: str, fence: str) -> list[ChatMessage]:
    """The messages with a fence before every character and a guard behind, but for white space, for `trim`'s sake."""

    def marked(match: re.Match[str]) -> str:
        return fence + fence.join(match.group()) + guard

    return [ChatMessage(m.role, re.sub(r"\S+", marked, m.content)) for m in messages]


def _agree(prompt: Prompt, marked: Prompt, control: Collection[str]) -> bool:
    """Whether both have the same control tokens, at the same places where the template wrote the same text."""
    ours, theirs = _places(prompt, control), _places(marked, control)
    if prompt.unguarded(prompt.text) == marked.unguarded(marked.text):
        return ours == theirs
    return [text for _, text in ours] == [text for _, text in theirs]


def _places(prompt: Prompt, control: Collection[str]) -> list[tuple[int, str]]:
    """The control tokens of a prompt and where they stand in its text without guards."""
    places, end, position = [], 0, 0
    for match in control_tokens(prompt, control):
        position += len(prompt.unguarded(prompt.text[end : match.start()]))
        places.append((position, match.group()))
        position, end = position + len(match.group()), match.end()
    return places


def _needs_folding(template: ChatTemplate, messages: list[ChatMessage], variables: Mapping[str, object]) -> bool:
    """Whether the template refuses or drops a system message."""
    if _folded(messages) == messages:
        return False
    try:
        return not _keeps_system(template.render(messages, variables), messages)
    except TemplateFailed:
        return True


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
