"""Handing a document to the tokenizers library, which panics at some spoiled ones instead of raising an error."""

from typing import Any


def library_tokenizer(text: str) -> Any:
    """The library's tokenizer of a tokenizer.json. Raises ValueError with what the library says of it."""
    from tokenizers import Tokenizer

    try:
        return Tokenizer.from_str(text)
    except (KeyboardInterrupt, SystemExit, MemoryError):
        raise
    except BaseException as error:
        raise ValueError(str(error)[:500]) from error
