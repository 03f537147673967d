"""A question to a driver that may never answer: asked on a thread of its own, and waited for only so long.

A driver that hangs does so inside a call that nothing can break off. Its thread is left behind, a daemon, so that the
process can still end; as long as it hangs nobody else asks, and nobody waits again.
"""

import threading
from collections.abc import Callable
from typing import TypeVar

_T = TypeVar("_T")


class Patience:
    """Asks one question at a time; `limit_s` is how long an answer is waited for."""

    def __init__(self, limit_s: float) -> None:
        self._limit_s = limit_s
        self._turn = threading.Lock()
        self._asking: threading.Thread | None = None

    def ask(self, question: Callable[[], _T], otherwise: _T) -> _T:
        """The answer, or `otherwise` where none came in time or an earlier question still hangs.

        Raises what the question raises.
        """
        answers: list[_T] = []
        failures: list[BaseException] = []

        def run() -> None:
            try:
                answers.append(question())
            except BaseException as error:  # noqa: BLE001 - handed to the caller of ask
                failures.append(error)

        with self._turn:
            if self._asking is not None and self._asking.is_alive():
                return otherwise
            self._asking = threading.Thread(target=run, name="ember-driver", daemon=True)
            self._asking.start()
            self._asking.join(self._limit_s)
        if failures:
            raise failures[0]
        return answers[0] if answers else otherwise
