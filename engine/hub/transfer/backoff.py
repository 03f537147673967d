"""How long to wait before the next attempt: what the server asks for, or a doubling time with jitter.

Nothing here counts attempts to give up: a transfer goes on for as long as its cause may pass.
"""

import email.utils
import re
from collections.abc import Callable

FIRST_S = 1.0
CEILING_S = 60.0
LONGEST_ASKED_S = 3600.0  # a server that asks for more is asked again after an hour

_SECONDS = re.compile(r"\d{1,12}")


def delay_s(failures: int, random: Callable[[], float]) -> float:
    """Before the attempt after `failures` of them in a row (from 1): at most doubled each time, up to a minute.

    `random` gives numbers in [0, 1). Half of the time is left to chance, so that clients that lost a server together do
    not return together.
    """
    longest = min(CEILING_S, FIRST_S * 2.0 ** min(failures - 1, 16))
    return longest * (0.5 + random() / 2)


def retry_after_s(value: str, date: str) -> float | None:
    """The header Retry-After (RFC 9110, 10.2.3) in seconds from now; None where it is absent or means nothing.

    A date is read against the answer's own Date header, so that this machine's clock does not matter.
    """
    if _SECONDS.fullmatch(value.strip()):
        return min(float(value), LONGEST_ASKED_S)
    try:
        until, now = email.utils.parsedate_to_datetime(value), email.utils.parsedate_to_datetime(date)
        seconds = (until - now).total_seconds()
    except (ValueError, TypeError):  # no date, or only one of the two with a time zone
        return None
    return min(max(seconds, 0.0), LONGEST_ASKED_S)
