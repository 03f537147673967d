"""How well a few typed letters fit a name: all of them in order, best where words begin and where they stand together.

One function, without state; used by the command palette. Knows no Qt.
"""

_WHOLE_AT_WORD, _WHOLE_INSIDE = 100, 40
_BEGINS_NAME, _BEGINS_WORD, _FOLLOWS, _FOUND = 62, 58, 5, 1


def fit(typed: str, name: str) -> int | None:
    """Higher is better; None where the letters are not in it in this order. Spaces typed do not count."""
    wanted = "".join(typed.casefold().split())
    text = name.casefold()
    if not wanted:
        return 0
    whole = text.find(typed.casefold().strip())
    if whole >= 0 and (whole == 0 or not text[whole - 1].isalnum()):
        return _WHOLE_AT_WORD * len(wanted) + 50 - min(whole, 40) - len(text) // 8
    best = _scattered(wanted, text)  # the first letters of words are better than a piece of a word
    if whole >= 0:
        best = max(best or 0, _WHOLE_INSIDE * len(wanted))
    return None if best is None else best - len(text) // 8


def _scattered(wanted: str, text: str) -> int | None:
    """The best sum over the ways to find the letters one after another."""
    before: list[int | None] = [0] + [None] * len(text)  # best sum with the letters so far, the last one at this place
    is_first = True
    for letter in wanted:
        now: list[int | None] = [None] * (len(text) + 1)
        best: int | None = 0 if is_first else None
        for at, found in enumerate(text):
            if not is_first and before[at] is not None:
                best = before[at] if best is None else max(best, before[at] or 0)
            if found != letter:
                continue
            value = _BEGINS_NAME if at == 0 else _BEGINS_WORD if not text[at - 1].isalnum() else _FOUND
            ways = [] if best is None else [best + value]
            follows = None if is_first else before[at]
            if follows is not None:
                ways.append(follows + max(value, _FOLLOWS))
            if ways:
                now[at + 1] = max(ways)
        before, is_first = now, False
    sums = [value for value in before if value is not None]
    return max(sums) if sums else None
