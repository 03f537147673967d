"""The text side of a request: which form of prompt a model gets, what of it is kept, and prompts as tokens.

A template that somebody put in place of the model's own lies beside its packed file, goes where that goes, and is used
by every front-end. It is written down only after it has rendered a conversation.
"""

import logging
from collections.abc import Sequence

from engine.errors import InvalidRequest, LibraryNotWritable, TemplateFailed
from engine.hub.library import neurons_folder
from engine.messages import ChatMessage
from engine.model.array_file import write_whole
from engine.model.packed_model import PackedModel
from engine.template_reports import KeepTemplate, TemplateRead, TemplateTried, TryTemplate
from engine.text.chat_template import Prompt, control_places, facts_with, implied_stop, render_chat, template_source
from engine.text.facts import MAX_TEMPLATE_CHARS, TokenizerFacts
from engine.text.tokenizer import Tokenizer

log = logging.getLogger(__name__)

ROLES = ("system", "user", "assistant")
_FILE = "chat_template.jinja"
_PROBE = (ChatMessage("user", "Hello"), ChatMessage("assistant", "Hello."), ChatMessage("user", "How are you?"))


def text_facts(packed: PackedModel) -> TokenizerFacts:
    """What a model says of its text side, with the template that is used for it."""
    return facts_with(packed.tokenizer, kept_template(packed))


def kept_template(packed: PackedModel) -> str:
    """The template in place of the model's own, empty where there is none."""
    path = neurons_folder(packed.path) / _FILE
    try:
        with path.open(encoding="utf-8") as file:
            source = file.read(MAX_TEMPLATE_CHARS + 1)
    except FileNotFoundError:
        return ""
    except (OSError, UnicodeDecodeError) as error:  # the model's own still works
        log.warning("%s not read: %s", path.name, error)
        return ""
    return source if len(source) <= MAX_TEMPLATE_CHARS else ""


def read_template(request_id: str, model_id: str, packed: PackedModel) -> TemplateRead:
    own = packed.tokenizer
    return TemplateRead(request_id, model_id, own.template_origin, template_source(own), kept_template(packed))


def keep_template(request: KeepTemplate, packed: PackedModel) -> TemplateRead:
    """Raises TemplateFailed where it does not render, and nothing is kept then; LibraryNotWritable."""
    path = neurons_folder(packed.path) / _FILE
    if request.source.strip() and request.source != template_source(packed.tokenizer):
        render_chat(facts_with(packed.tokenizer, request.source), _PROBE)
        write_whole(path, request.source.encode("utf-8", "replace"))
    else:
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            raise LibraryNotWritable(str(path), error.strerror or str(error)) from error
    return read_template(request.request_id, request.model_id, packed)


def try_template(request: TryTemplate, packed: PackedModel, tokenizer: Tokenizer | None) -> TemplateTried:
    """What a conversation becomes by a template; tokens are counted where the model's tokenizer is at hand."""
    messages = tuple(ChatMessage(role, content) for role, content in request.turns)
    if not request.source.strip():
        return TemplateTried(request.request_id, request.model_id, problem="empty")
    facts = facts_with(packed.tokenizer, request.source)
    try:
        prompt = render_chat(facts, messages)
    except TemplateFailed as error:
        return TemplateTried(request.request_id, request.model_id, problem=error.reason, line=error.line)
    n_tokens = len(tokenizer.encode_prompt(prompt)) if tokenizer is not None else 0
    return TemplateTried(
        request.request_id,
        request.model_id,
        prompt.unguarded(prompt.text),
        n_tokens,
        tuple((start, len(text)) for start, text in control_places(prompt, facts)),
    )


def chat_ids(packed: PackedModel, tokenizer: Tokenizer, messages: Sequence[ChatMessage]) -> list[int]:
    """A conversation as tokens, by the template that is used for the model; an answer at its end goes on."""
    facts = text_facts(packed)
    if not goes_on(messages):
        return tokenizer.encode_prompt(render_chat(facts, messages))
    before, begun = messages[:-1], messages[-1].content
    if tokenizer.strips_leading_space and _ends_in_text(render_chat(facts, before), facts):
        begun = f" {begun}"  # of the first token, which was taken off when it was shown
    return tokenizer.encode_prompt(render_chat(facts, before, begun=begun))


def _ends_in_text(prompt: Prompt, facts: TokenizerFacts) -> bool:
    """Whether an answer goes on in the line that the template has begun, as behind "[/INST]"."""
    text = prompt.unguarded(prompt.text)
    ends = {start + len(control) for start, control in control_places(prompt, facts)}
    return bool(text) and not text[-1].isspace() and len(text) not in ends


def goes_on(messages: Sequence[ChatMessage]) -> bool:
    """Whether the last message is an answer that was cut off and is to be continued."""
    return bool(messages) and messages[-1].role == "assistant"


def chat_ends(packed: PackedModel) -> tuple[str, ...]:
    """The strings that end an answer by the form of its prompt."""
    own, kept = packed.tokenizer, kept_template(packed)
    ends = implied_stop(own)
    return tuple(end for end in ends if end.strip() in kept) if kept else ends  # only what another template writes too


def text_ids(tokenizer: Tokenizer, messages: Sequence[ChatMessage]) -> list[int]:
    """What was said so far as one text that the model goes on with, without a template. Raises InvalidRequest."""
    text = ""
    for message in messages:
        if message.role == "system":
            continue
        is_apart = not text or text[-1].isspace() or message.content[:1].isspace() or message.role == "assistant"
        text += message.content if is_apart else f"\n{message.content}"
    ids = tokenizer.encode_beginning(text)
    if not ids:
        raise InvalidRequest("messages", f"{len(messages)} messages", "some text")
    return ids


def check_messages(messages: Sequence[ChatMessage], *, is_text: bool = False) -> None:
    """A conversation ends with the user's message, or with an answer to one, which goes on; a text may end with
    anything. Raises InvalidRequest."""
    is_answer = goes_on(messages) and any(message.role == "user" for message in messages)
    if not messages or not (is_text or is_answer or messages[-1].role == "user"):
        raise InvalidRequest("messages", f"{len(messages)} messages", "ending with the user's, or an answer to it")
    for message in messages:
        if message.role not in ROLES:
            raise InvalidRequest("messages.role", message.role, ", ".join(ROLES))
