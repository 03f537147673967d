"""Sizes of memory as people write them."""

import re

_UNITS = {"K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12, "KI": 1 << 10, "MI": 1 << 20, "GI": 1 << 30, "TI": 1 << 40}


def memory_size(text: str) -> int:
    """Bytes: a number with a unit, GiB where none is given. Raises ValueError with a sentence."""
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([KMGT]?i?B?)\s*", text, re.IGNORECASE)
    unit = (found.group(2).upper().removesuffix("B") or "GI") if found else ""
    if not found or unit not in _UNITS:
        raise ValueError(f"{text!r} is no size, such as 4GiB or 800MiB")
    return int(float(found.group(1)) * _UNITS[unit])
