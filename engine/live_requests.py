"""Requests that are heeded between two tokens of a running answer: another budget of the card, a look at the neurons.

Such a request waits in the compute lane's queue like any other, and is noted beside it: a running answer heeds what is
noted, and when the request's own turn comes it may long be answered. Owns that bookkeeping, so that each request is
answered exactly once, by the newest budget that could be begun.
"""

import threading
from collections.abc import Callable

from engine.errors import EngineError
from engine.messages import BudgetApplied, Event, Failed, RequestCancelled, SetBudget, WatchNeurons
from engine.worker_card import ModelCard

LiveRequest = SetBudget | WatchNeurons


class LiveRequests:
    """`note` may be called from any thread, the rest belongs to the compute lane.

    card_in_use  of the loaded model; raises EngineError where there is none
    on_watch     called with a WatchNeurons that wants pictures, or None
    """

    def __init__(
        self,
        emit: Callable[[Event], None],
        card_in_use: Callable[[], ModelCard],
        on_watch: Callable[[WatchNeurons | None], None],
    ) -> None:
        self._emit, self._card_in_use, self._on_watch = emit, card_in_use, on_watch
        self._lock = threading.Lock()
        self._heard: set[str] = set()  # noted, their turn has not come
        self._answered: set[str] = set()  # of these
        self._budget: SetBudget | None = None
        self._watch: WatchNeurons | None = None
        self._moving: tuple[SetBudget, ModelCard] | None = None

    def note(self, request: LiveRequest) -> tuple[Event, ...]:
        """Heed this between two tokens where an answer is running; otherwise when its turn comes.

        Returns what is to be told: a budget that it takes the place of is cancelled.
        """
        with self._lock:
            self._heard.add(request.request_id)
            if isinstance(request, WatchNeurons):
                self._watch = request
                return ()
            superseded, self._budget = self._budget, request
            if superseded is None:
                return ()
            if superseded.request_id in self._heard:
                self._answered.add(superseded.request_id)
            return (RequestCancelled(superseded.request_id),)

    def turn(self, request: LiveRequest, *, is_cancelled: bool) -> None:
        """Its turn has come: answer it, unless that was done. A budget that has begun is not cancelled any more."""
        if request.request_id not in self._heard:
            for event in self.note(request):
                self._emit(event)
        with self._lock:
            self._heard.discard(request.request_id)
            was_answered = request.request_id in self._answered
            self._answered.discard(request.request_id)
            if not was_answered and is_cancelled and self._budget is request:
                self._budget, was_answered = None, True
                self._emit(RequestCancelled(request.request_id))
        if not was_answered:
            self.heed()
            self.finish()

    def heed(self) -> None:
        """Begin what was noted; tell of a move that has ended."""
        with self._lock:
            budget, self._budget = self._budget, None
            watch, self._watch = self._watch, None
        if watch is not None:
            self._on_watch(watch if watch.wanted else None)
        if budget is not None:
            try:
                card = self._card_in_use()
                card.begin(budget.vram_bytes)
            except EngineError as error:
                self._answer(budget, Failed(budget.request_id, error.report()))
            else:
                self.drop()
                self._moving = (budget, card)
        if self._moving is not None and not self._moving[1].is_moving:
            (request, card), self._moving = self._moving, None
            self._answer(request, BudgetApplied(request.request_id, card.state()))

    def finish(self) -> None:
        """Do what is left of a move, and tell of it."""
        if self._moving is not None:
            self._moving[1].finish()
            self.heed()

    def drop(self) -> None:
        """The move that runs is not wanted any more: another has begun, or the model goes."""
        if self._moving is not None:
            (request, _), self._moving = self._moving, None
            self._answer(request, RequestCancelled(request.request_id))

    def _answer(self, request: LiveRequest, event: Event) -> None:
        with self._lock:
            if request.request_id in self._heard:
                self._answered.add(request.request_id)
        self._emit(event)
