"""What is written behind options: numbers, sizes, speeds and lists, and the options that several commands have.

Owns how a value is read and what is said where it cannot be. Knows no command.
"""

import argparse
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.messages import SamplingParams


WEIGHT_FORMATS = ("mixed", "int8", "int4", "f32")
TEXT_KINDS = ("prose", "chinese", "code", "dialogue")
MOST_VARIANTS = 32
_SPEED = re.compile(r"\s*(\d+(?:\.\d+)?)\s*([kmg]?)(i?)b?(?:/s)?\s*", re.IGNORECASE)


def positive(text: str) -> int:
    """A whole number from one on."""
    try:
        value = int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number") from None
    if value < 1:
        raise argparse.ArgumentTypeError("must be 1 or more")
    return value


def variants(text: str) -> int:
    """How many answers to one message."""
    value = positive(text)
    if value > MOST_VARIANTS:
        raise argparse.ArgumentTypeError(f"must be 1 to {MOST_VARIANTS}")
    return value


def memory_size(text: str) -> int:
    """Bytes of memory as people write them: 4GiB."""
    from app.terminal.sizes import memory_size

    try:
        return memory_size(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def speed(text: str) -> int:
    """A speed as people write it, in bytes a second: 10MB/s, 1.5 MiB, 800k."""
    match = _SPEED.fullmatch(text)
    value = float(match[1]) * (1024 if match[3] else 1000) ** " kmg".index(match[2].lower() or " ") if match else 0.0
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no speed; write for example 10MB/s")
    return int(value)


def words(text: str) -> tuple[str, ...]:
    """Words between commas."""
    return tuple(word.strip() for word in text.split(",") if word.strip())


def counts(text: str) -> tuple[int, ...]:
    """Whole numbers between commas."""
    try:
        values = tuple(int(word) for word in words(text))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no list of whole numbers, such as 64,512") from None
    if not values or min(values) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no list of whole numbers from 1 on, such as 64,512")
    return values


def kinds(text: str) -> tuple[str, ...]:
    """Kinds of the bundled text between commas."""
    kinds = words(text)
    unknown = [kind for kind in kinds if kind not in TEXT_KINDS]
    if unknown or not kinds:
        raise argparse.ArgumentTypeError(f"{', '.join(unknown) or text!r} is none of {', '.join(TEXT_KINDS)}")
    return kinds


def shares(text: str) -> tuple[float, ...]:
    """Shares between commas."""
    try:
        return tuple(float(word) for word in words(text))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no list of shares, such as 1.0,0.1") from None


def add_threads(parser: argparse._ActionsContainer) -> None:
    """The option for compute threads."""
    parser.add_argument("--threads", type=positive, metavar="N", help="compute threads (default: one per core)")


def add_card(parser: argparse.ArgumentParser) -> None:
    """The options for the card and its memory."""
    parser.add_argument(
        "--card",
        default="auto",
        metavar="CARD",
        help="a card's name or UUID, auto, none, or emulated: the processor plays a card, slowly, to show how it works",
    )
    parser.add_argument(
        "--vram", type=memory_size, metavar="SIZE", help="how much of the card's memory to take, such as 4GiB"
    )


def add_sampling(parser: argparse.ArgumentParser) -> None:
    """The options for how the next token is chosen."""
    from app.terminal.sampling import PARAMETERS

    group = parser.add_argument_group("how the next token is chosen")
    for parameter in PARAMETERS:
        option = f"--{parameter.name.replace('_', '-')}"
        action = "append" if parameter.repeats else "store"
        group.add_argument(option, action=action, metavar=parameter.form, help=parameter.meaning.replace("%", "%%"))


def chosen_sampling(options: argparse.Namespace, chosen: "SamplingParams") -> "SamplingParams":
    """How the next token is chosen: as in the settings, but for what the options say."""
    from app.terminal.sampling import PARAMETERS, changed

    for parameter in PARAMETERS:
        value = getattr(options, parameter.name)
        if value is not None:
            chosen = changed(chosen, parameter.name, value if parameter.repeats else [value])
    return chosen
