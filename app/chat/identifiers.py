"""Names of conversations, messages and folders that are the same on every machine.

A new one is a UUID of version 7 (RFC 9562), so that names sort by time of origin; something that was imported has a
UUID of version 5 made of where it came from, so that importing it again finds it there.
"""

import secrets
import time
import uuid

_IMPORTED = uuid.UUID("6f2a1c58-3d0e-5b7a-9c41-e3b0a5d27f10")


def new_id() -> str:
    """48 bits of milliseconds, 12 bits of their fraction, 62 random bits."""
    milliseconds, nanoseconds = divmod(time.time_ns(), 1_000_000)
    stamp = (milliseconds & (1 << 48) - 1) << 80 | (nanoseconds * 4096 // 1_000_000) << 64
    return str(uuid.UUID(int=stamp | 7 << 76 | 2 << 62 | secrets.randbits(62)))


def imported_id(*origin: str) -> str:
    """The same for the same origin, whatever the parts contain."""
    # A lone surrogate, which JSON can hold, has no UTF-8.
    return str(uuid.uuid5(_IMPORTED, repr(origin).encode("utf-8", "backslashreplace").decode("utf-8")))


def is_id(text: str) -> bool:
    """Whether this is the canonical text of a UUID."""
    try:
        return str(uuid.UUID(text)) == text
    except ValueError:
        return False
