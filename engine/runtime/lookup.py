"""Guessing the next tokens from the text so far, and whether guessing pays.

Answers often repeat what stands before them: code that is edited, a passage that is quoted, a name. `Lookup` finds
where the last two or three tokens stood before and proposes what followed there (prompt lookup decoding, Saxena, 2023);
the decode step checks several proposed tokens for less than the price of as many steps, and each gets the bits it would
get alone, so that an answer is the same with and without. `Payoff` keeps the measured price of steps and how often
proposals hold, and proposes only where that is faster.
"""

from collections.abc import Sequence

# Lengths of what is looked up, longest first.
ORDERS = (3, 2)
# A step of k tokens is taken to cost so much of a single one for each further token, until it was measured: low enough
# to be tried.
_HOPED_PRICE = 0.1
_GAIN_WANTED = 1.05
_FORGETTING = 0.1
_HELD_AT_FIRST = 0.5


class Lookup:
    """Where each pair and triple of tokens was last followed by something; told of every token once, in order."""

    def __init__(self) -> None:
        self._tokens: list[int] = []
        self._after: dict[tuple[int, ...], int] = {}

    def extend(self, tokens: Sequence[int]) -> None:
        for token in tokens:
            for order in ORDERS:
                if len(self._tokens) >= order:
                    self._after[tuple(self._tokens[-order:])] = len(self._tokens)
            self._tokens.append(token)

    def propose(self, most: int) -> tuple[int, list[int]]:
        """Up to `most` tokens that may come next, and how many tokens were found again; (0, []) where none were."""
        for order in ORDERS:
            at = self._after.get(tuple(self._tokens[-order:])) if len(self._tokens) >= order else None
            if at is not None and most > 0:
                return order, self._tokens[at : at + most]
        return 0, []


class Payoff:
    """Seconds a step of k tokens takes, and the share of proposals that held, both forgetting slowly."""

    def __init__(self) -> None:
        self._seconds: dict[int, float] = {}
        self._held: dict[int, float] = dict.fromkeys(ORDERS, _HELD_AT_FIRST)

    def took(self, n_tokens: int, seconds: float) -> None:
        known = self._seconds.get(n_tokens, seconds)
        self._seconds[n_tokens] = known + _FORGETTING * (seconds - known)

    def proved(self, order: int, *, held: bool) -> None:
        """The first proposed token of a find of this length was, or was not, what came."""
        self._held[order] += _FORGETTING * (float(held) - self._held[order])

    def worth(self, order: int, most: int) -> int:
        """How many tokens of a find to check in one step: as many as promise the most tokens a second, or none."""
        single = self._seconds.get(1)
        if order == 0 or single is None:
            return 0
        best, best_rate, expected = 0, _GAIN_WANTED / single, 1.0
        for n in range(1, most + 1):
            expected += self._held[order] ** n
            seconds = self._seconds.get(n + 1, single * (1 + _HOPED_PRICE * n))
            if expected / seconds > best_rate:
                best, best_rate = n, expected / seconds
        return best
