"""The terminal chat from start to end.

Chooses and loads the model, then takes messages in one of three ways: one from the command line, line by line from a
pipe, or typed at a prompt. Answers alone go to the standard output.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TextIO

from app.error_text import describe
from app.terminal.commands import QUIT, as_message, completions, execute, is_command
from app.terminal.console import Console
from app.terminal.dialogue import Dialogue
from app.terminal.library_commands import INTERRUPTED, default_model, explain, find_model, similar_names
from app.terminal.quiet_keys import quiet_keys
from app.terminal.session import EngineDied, RequestFailed, Session, Stopped
from app.terminal.variants import ask_variants, problem_of
from engine.errors import UnknownModel
from engine.messages import ModelInfo, SamplingParams
from engine.neuron_reports import EXACT


@dataclass(frozen=True, slots=True)
class ChatOptions:
    """What the command line asks of a chat.

    words         model and message, in this order, each of which may be missing
    history_path  None keeps no history of what was typed
    last_model    preferred where no model is named
    tier          one that the model must offer
    card, vram_bytes   what the engine is started with, as in EngineConfig
    n_variants    answers to the message, computed together where they are several
    """

    words: tuple[str, ...] = ()
    system: str = ""
    sampling: SamplingParams = field(default_factory=SamplingParams)
    context_tokens: int | None = None
    weight_format: str = ""
    shows_stats: bool = False
    history_path: Path | None = None
    last_model: str = ""
    version: str = ""
    tier: str = EXACT
    card: str = "auto"
    vram_bytes: int | None = None
    n_variants: int = 1


def run_chat(session: Session, console: Console, stdin: TextIO, options: ChatOptions) -> int:
    """Chat until the person or the input ends it; return the exit code."""
    dialogue = Dialogue(
        session,
        console,
        system=options.system,
        sampling=options.sampling,
        shows_stats=options.shows_stats,
        context_tokens=options.context_tokens,
        weight_format=options.weight_format,
        card=options.card,
        vram_bytes=options.vram_bytes,
    )
    at_prompt = stdin.isatty() and console.is_terminal
    try:
        model, message = _model_and_message(dialogue, options)
        if model is None:
            console.error("The library has no model yet. Add one with: ember import FILE.gguf")
            return 1
        if options.n_variants > 1:
            problem = problem_of(options.n_variants, message, options.sampling, options.tier)
            if problem is not None:
                console.error(problem)
                return 2
        with quiet_keys(stdin):
            dialogue.use_model(model)
    except UnknownModel as error:
        _explain_unknown(dialogue, error, options)
        return 1
    except (RequestFailed, EngineDied, Stopped) as error:
        code = explain(error, console)
        if isinstance(error, Stopped) or not at_prompt or len(options.words) > 1:
            return code
        message = ""  # another model can be chosen at the prompt
    else:
        problem = dialogue.choose_tier(options.tier)
        if problem is not None:
            console.error(problem)
            return 1
    if message:
        text = message if stdin.isatty() else _with_input(message, stdin)
        return ask_variants(dialogue, text, options.n_variants) if options.n_variants > 1 else dialogue.ask(text)
    return _chat_at_prompt(dialogue, stdin, options) if at_prompt else _chat_by_lines(dialogue, stdin)


def _model_and_message(dialogue: Dialogue, options: ChatOptions) -> tuple[ModelInfo | None, str]:
    """The first word is a model if the library knows it, one misspelt if it looks like one; the rest is a message."""
    models = dialogue.refresh_models()
    if not options.words:
        return default_model(models, options.last_model), ""
    first, rest = options.words[0], options.words[1:]
    try:
        return find_model(models, first), " ".join(rest)
    except UnknownModel:
        if _looks_like_model(first, models):
            raise
        return default_model(models, options.last_model), " ".join(options.words)


def _looks_like_model(word: str, models: Sequence[ModelInfo]) -> bool:
    """Whether a word the library does not know was meant as a model: `llama-8b` or a near miss, but not `Hello`."""
    if any(c.isspace() for c in word):
        return False
    return bool(re.search(r"\d|\w[-:/]\w|\.gguf$", word)) or bool(similar_names(models, word))


def _explain_unknown(dialogue: Dialogue, error: UnknownModel, options: ChatOptions) -> None:
    console = dialogue.console
    console.error(describe(error.report()).cause)
    if error.model_id.lower().endswith(".gguf"):
        console.note(f"A GGUF file is imported first: ember import {error.model_id}")
        return
    names = similar_names(dialogue.known_models, error.model_id) or [m.model_id for m in dialogue.known_models]
    if names:
        console.note(f"Known: {', '.join(names)}")
        model = default_model(dialogue.known_models, options.last_model)
        if model is not None:
            message = " ".join(options.words)
            console.note(f"If “{message}” is a message: ember chat {model.model_id} {message}")


def _with_input(message: str, stdin: TextIO) -> str:
    """A message from the command line, followed by what comes through the pipe."""
    text = stdin.read().strip("\n")
    return f"{message}\n\n{text}" if text else message


def _chat_by_lines(dialogue: Dialogue, stdin: TextIO) -> int:
    worst = 0
    for line in _joined_lines(stdin):
        if not line.strip():
            continue
        code = execute(dialogue, line.strip()) if is_command(line) else dialogue.ask(as_message(line))
        if code == QUIT:
            break
        if code == INTERRUPTED:
            return code
        worst = max(worst, code)
    return worst


def _joined_lines(lines: Iterable[str]) -> Iterator[str]:
    """Lines without their ends; a backslash at the end of a line continues it on the next."""
    held: list[str] = []
    for line in lines:
        text = line.rstrip("\r\n")
        if text.endswith("\\"):
            held.append(text[:-1])
            continue
        yield "\n".join([*held, text])
        held = []
    if held:
        yield "\n".join(held)


def _chat_at_prompt(dialogue: Dialogue, stdin: TextIO, options: ChatOptions) -> int:
    from app.terminal.typed_input import TypedInput

    typed = TypedInput(options.history_path, lambda line: completions(dialogue, line))
    _greet(dialogue, options)
    return _read_and_answer(dialogue, typed.read, stdin)


def _greet(dialogue: Dialogue, options: ChatOptions) -> None:
    ready = dialogue.session.ready
    model = f"{ready.model.name}, {ready.context_tokens:,} tokens of context" if ready else "no model loaded"
    dialogue.console.note(f"Ember {options.version} · {model}")
    dialogue.console.note("/help lists commands, Alt+Enter begins a new line, Ctrl+C stops an answer, Ctrl+D quits.")


def _read_and_answer(dialogue: Dialogue, read: Callable[[], str], stdin: TextIO) -> int:
    while True:
        dialogue.console.blank_line()
        try:
            line = read()
        except KeyboardInterrupt:
            continue
        except EOFError:
            return 0
        if not line.strip():
            continue
        with quiet_keys(stdin):
            code = execute(dialogue, line.strip()) if is_command(line) else dialogue.ask(as_message(line))
        if code == QUIT:
            return 0
