"""The commands of the terminal chat: a line that begins with one slash.

One table serves execution, `/help` and completion. A message that must begin with a slash is written with two.
"""

import difflib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from app.error_text import describe
from app.paths import UnclearPath, full_path
from app.terminal.dialogue import Dialogue, placement_lines
from app.terminal.library_commands import explain, model_table, similar_names
from app.terminal.sampling import NAMES, changed, shown, split_words
from app.terminal.session import EngineDied, RequestFailed, Stopped
from app.terminal.sizes import memory_size
from engine.errors import InvalidRequest, UnknownModel

QUIT = -1
TIER = "tier"  # what /set calls how much of the model answers leave out


@dataclass(frozen=True, slots=True)
class Command:
    """One command. `run` gets what follows its name and returns an exit code, or QUIT."""

    name: str
    form: str
    meaning: str
    run: Callable[[Dialogue, str], int]
    arguments: Callable[[Dialogue], Sequence[str]] = lambda _: ()


def is_command(line: str) -> bool:
    return line.startswith("/") and not line.startswith("//")


def as_message(line: str) -> str:
    """The message a line stands for: a doubled slash at its beginning is one slash."""
    return line[1:] if line.startswith("//") else line


def execute(dialogue: Dialogue, line: str) -> int:
    """Run a command line; return an exit code, or QUIT."""
    word, _, rest = line.partition(" ")
    command = next((c for c in COMMANDS if word.lower() in (f"/{c.name}", *_ALIASES.get(c.name, ()))), None)
    if command is None:
        near = difflib.get_close_matches(word.lower(), [f"/{c.name}" for c in COMMANDS], n=1)
        meant = f"Did you mean {near[0]}?" if near else "/help lists the commands."
        dialogue.console.error(
            f"There is no command {word}. {meant} A message may begin with a slash when it is doubled."
        )
        return 1
    try:
        return command.run(dialogue, rest.strip())
    except InvalidRequest as error:
        dialogue.console.error(describe(error.report()))
    except UnknownModel as error:
        names = similar_names(dialogue.known_models, error.model_id) or [m.model_id for m in dialogue.known_models]
        dialogue.console.error(describe(error.report()).cause)
        dialogue.console.note(f"Known: {', '.join(names)}" if names else "The library is empty.")
    except (RequestFailed, EngineDied, Stopped) as error:
        return explain(error, dialogue.console)
    return 1


def completions(dialogue: Dialogue, line: str) -> tuple[Sequence[str], int]:
    """What may stand at the end of a command line, and how many characters of it are there already."""
    word, blank, rest = line.partition(" ")
    if not blank:
        return [f"/{c.name}" for c in COMMANDS if f"/{c.name}".startswith(word.lower())], len(word)
    command = next((c for c in COMMANDS if f"/{c.name}" == word.lower()), None)
    offered = command.arguments(dialogue) if command else ()
    return [text for text in offered if text.casefold().startswith(rest.casefold())], len(rest)


def _help(dialogue: Dialogue, _rest: str) -> int:
    forms = [f"/{c.name} {c.form}".rstrip() for c in COMMANDS]
    width = max(map(len, forms))
    for form, command in zip(forms, COMMANDS, strict=True):
        dialogue.console.result(f"{form:{width}}  {command.meaning}")
    dialogue.console.result("")
    dialogue.console.result("Alt+Enter, Ctrl+J or a backslash at the end of a line: a new line in the message.")
    dialogue.console.result("Ctrl+C: stop the answer.  Ctrl+D: quit.")
    return 0


def _model(dialogue: Dialogue, rest: str) -> int:
    if rest:
        dialogue.use_model_named(rest)
    ready = dialogue.session.ready
    if ready is None:
        dialogue.console.result("No model is loaded. /models lists the library.")
        return 0
    dialogue.console.result(
        f"{ready.model.name}, {ready.model.weight_format}, {ready.context_tokens:,} tokens of context"
    )
    return 0


def _models(dialogue: Dialogue, _rest: str) -> int:
    for line in model_table(dialogue.refresh_models()) or ["The library is empty."]:
        dialogue.console.result(line)
    return 0


def _system(dialogue: Dialogue, rest: str) -> int:
    if rest:
        dialogue.system = "" if rest.lower() == "none" else rest
    dialogue.console.result_lines(
        f"System prompt: {dialogue.system}" if dialogue.system else "No system prompt is set."
    )
    return 0


def _set(dialogue: Dialogue, rest: str) -> int:
    words = split_words(rest)
    if len(words) < 2:
        dialogue.console.error(f"Write: /set NAME VALUE. Names: {', '.join((*NAMES, TIER))}")
        return 1
    if words[0].lower() == TIER:
        return _set_tier(dialogue, words[1].lower())
    dialogue.sampling = changed(dialogue.sampling, words[0], words[1:])
    name = words[0].lower().replace("-", "_")
    dialogue.console.result(next(f"{name} = {value}" for n, value, _ in shown(dialogue.sampling) if n == name))
    return 0


def _set_tier(dialogue: Dialogue, name: str) -> int:
    problem = dialogue.choose_tier(name)
    if problem is not None:
        dialogue.console.error(problem)
        return 1
    dialogue.console.result(f"{TIER} = {dialogue.tier}")
    return 0


def _vram(dialogue: Dialogue, rest: str) -> int:
    """Between two answers; what is written while one runs is read when it has ended."""
    try:
        wanted = None if rest.casefold() in ("", "auto") else 0 if rest.casefold() == "none" else memory_size(rest)
    except ValueError as error:
        dialogue.console.error(f"{error}. Write: /vram SIZE, /vram none, or /vram auto")
        return 1
    if rest:
        dialogue.session.set_budget(wanted)
        dialogue.vram_bytes = wanted
    placement = dialogue.session.placement
    if placement is None:
        dialogue.console.result("No graphics card takes part. ember doctor says which cards are seen, and why.")
        return 0
    for line in placement_lines(placement, dialogue.vram_bytes):
        dialogue.console.result(line)
    return 0


def _params(dialogue: Dialogue, _rest: str) -> int:
    tiers = dialogue.session.ready.tiers if dialogue.session.ready else (dialogue.tier,)
    rows = [
        *shown(dialogue.sampling),
        (TIER, dialogue.tier, f"how much is left out; this model has {', '.join(tiers)}"),
    ]
    widths = max(len(name) for name, _, _ in rows), max(len(value) for _, value, _ in rows)
    for name, value, meaning in rows:
        dialogue.console.result(f"{name:{widths[0]}}  {value:{widths[1]}}  {meaning}")
    return 0


def _stats(dialogue: Dialogue, rest: str) -> int:
    if rest.lower() not in ("", "on", "off"):
        dialogue.console.error("Write: /stats on or /stats off")
        return 1
    dialogue.shows_stats = not dialogue.shows_stats if not rest else rest.lower() == "on"
    dialogue.console.result(f"Statistics after each answer: {'on' if dialogue.shows_stats else 'off'}")
    return 0


def _regenerate(dialogue: Dialogue, _rest: str) -> int:
    if not dialogue.turns:
        dialogue.console.error("There is no answer yet.")
        return 1
    return dialogue.regenerate()


def _undo(dialogue: Dialogue, _rest: str) -> int:
    if not dialogue.turns:
        dialogue.console.error("There is nothing to take back.")
        return 1
    dialogue.console.result(f"Taken back: {_first_line(dialogue.undo())}")
    return 0


def _new(dialogue: Dialogue, _rest: str) -> int:
    dialogue.turns = []
    dialogue.console.result("A new conversation begins; system prompt and parameters stay.")
    return 0


def _history(dialogue: Dialogue, _rest: str) -> int:
    if not dialogue.turns:
        dialogue.console.result("The conversation is empty.")
    for turn in dialogue.turns:
        dialogue.console.note("You" if turn.role == "user" else "Answer")
        dialogue.console.answer(turn.content)
        dialogue.console.end_answer()
    return 0


def _save(dialogue: Dialogue, rest: str) -> int:
    if not rest or not dialogue.turns:
        dialogue.console.error("Write: /save FILE.md" if not rest else "The conversation is empty.")
        return 1
    try:
        path = full_path(rest.strip("\"'"))
    except UnclearPath as error:
        dialogue.console.error(str(error))
        return 1
    try:
        with path.open("x", encoding="utf-8", errors="replace", newline="\n") as file:
            file.write(_as_markdown(dialogue))
    except FileExistsError:
        dialogue.console.error(f"{path} exists already and was left alone. Choose another name.")
        return 1
    except OSError as error:
        dialogue.console.error(f"{path} cannot be written: {error.strerror or error}.")
        return 1
    dialogue.console.result(f"Saved {len(dialogue.turns)} messages to {path}")
    return 0


def _as_markdown(dialogue: Dialogue) -> str:
    name = dialogue.session.model.name if dialogue.session.model else "Answer"
    parts = [f"# Chat with {name}"]
    if dialogue.system:
        parts.append("\n".join(f"> {line}" for line in dialogue.system.splitlines()))
    for turn in dialogue.turns:
        parts += [f"## {'You' if turn.role == 'user' else name}", turn.content.strip("\n")]
    return "\n\n".join(parts) + "\n"


def _quit(_dialogue: Dialogue, _rest: str) -> int:
    return QUIT


def _first_line(text: str) -> str:
    first, _, more = text.strip().partition("\n")
    return f"{first[:70]}..." if more or len(first) > 70 else first


def _model_ids(dialogue: Dialogue) -> list[str]:
    return [model.model_id for model in dialogue.known_models]


COMMANDS = (
    Command("help", "", "show this list", _help),
    Command("model", "[NAME]", "say which model answers, or load another", _model, _model_ids),
    Command("models", "", "list the library", _models),
    Command("system", "[TEXT]", "show or set the system prompt; none removes it", _system, lambda _: ("none",)),
    Command("set", "NAME VALUE", "change a sampling parameter or the tier", _set, lambda _: (*NAMES, TIER)),
    Command("params", "", "show the sampling parameters", _params),
    Command(
        "vram", "[SIZE]", "show, or change, what of the card's memory Ember takes", _vram, lambda _: ("auto", "none")
    ),
    Command("stats", "[on|off]", "show measured figures after each answer", _stats, lambda _: ("on", "off")),
    Command("regenerate", "", "answer the last message once more", _regenerate),
    Command("undo", "", "take the last message and its answer back", _undo),
    Command("new", "", "begin a new conversation", _new),
    Command("history", "", "show the conversation", _history),
    Command("save", "FILE.md", "write the conversation to a new file", _save),
    Command("quit", "", "leave", _quit),
)
_ALIASES = {"quit": ("/exit", "/bye", "/q"), "help": ("/?",)}
