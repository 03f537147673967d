"""Requests and events about the form of a model's prompts: its chat template, and another one in its place.

Frozen dataclasses of plain values, a part of engine/messages.py. A template is a program that a stranger may have
written: it is rendered by the engine only, in its sandbox.
"""

from dataclasses import dataclass

Turns = tuple[tuple[str, str], ...]
"""(role, content) of a conversation."""


@dataclass(frozen=True, slots=True)
class ReadTemplate:
    """What forms the prompts of a model of the library, loaded or not."""

    request_id: str
    model_id: str


@dataclass(frozen=True, slots=True)
class TryTemplate:
    """Render a conversation by a template that is being written, for this model; nothing is kept."""

    request_id: str
    model_id: str
    source: str
    turns: Turns


@dataclass(frozen=True, slots=True)
class KeepTemplate:
    """Use this template for the model from now on, also while it is loaded; empty: its own again."""

    request_id: str
    model_id: str
    source: str


TemplateRequests = ReadTemplate | TryTemplate | KeepTemplate


@dataclass(frozen=True, slots=True)
class TemplateRead:
    """Answer to ReadTemplate and KeepTemplate.

    origin   where the model's own comes from: checkpoint, a built-in one's name, or question and answer
    own      jinja source of the model's own
    kept     jinja source in its place; empty where the model's own is used
    """

    request_id: str
    model_id: str
    origin: str
    own: str
    kept: str


@dataclass(frozen=True, slots=True)
class TemplateTried:
    """Answer to TryTemplate.

    text       what the model would read
    n_tokens   of it
    controls   (where in the text, length) of its control tokens
    problem    why the template cannot be used, empty where it can; `line` of the source, 0 where none is to blame
    """

    request_id: str
    model_id: str
    text: str = ""
    n_tokens: int = 0
    controls: tuple[tuple[int, int], ...] = ()
    problem: str = ""
    line: int = 0


TemplateEvents = TemplateRead | TemplateTried
