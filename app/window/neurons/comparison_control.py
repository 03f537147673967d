"""Answers compared: one prompt answered exactly and by a tier, with the same seed.

Decides when a comparison may begin (an answer that is being written is finished first) and what is asked. Knows no
widget; panes read its attributes and listen to `changed`.
"""

import random
from dataclasses import dataclass, replace

from PySide6.QtCore import QObject, Signal

from app.error_text import ErrorText, describe_host_death
from app.window.bridge import EngineBridge
from app.window.chat_control import ChatControl
from app.window.model_control import READY, ModelControl, Task
from app.window.wording import error_words, translate
from engine.messages import (
    Cancel,
    ChatMessage,
    CompareTiers,
    Event,
    Failed,
    HostDied,
    Progress,
    RequestCancelled,
    TiersCompared,
)
from engine.neuron_reports import EXACT, Comparison

# Enough to see where answers part, unless the settings of answers say how long one may be.
LONGEST_TOKENS = 256
MAX_SEED = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Asked:
    """What is compared: the conversation up to the message that is answered, at which tier, with which seed of both.

    longest   tokens after which an answer is ended
    """

    messages: tuple[ChatMessage, ...]
    tier: str
    seed: int
    longest: int
    model: str

    @property
    def prompt(self) -> str:
        return self.messages[-1].content


class ComparisonControl(QObject):
    changed = Signal()
    compared = Signal()
    """A comparison has just ended with its answers."""

    def __init__(
        self,
        bridge: EngineBridge,
        models: ModelControl,
        chat: ChatControl,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._models = models
        self._chat = chat
        self._n_requests = 0
        self.asked: Asked | None = None
        """What is being compared, or was compared last."""
        self.task: Task | None = None
        """The request under way; without an id while it waits for its turn."""
        self.is_stopping = False
        self.comparison: Comparison | None = None
        self.error: ErrorText | None = None
        bridge.received.connect(self._on_event)
        models.changed.connect(self._on_models_changed)
        chat.state_changed.connect(self._next)

    @property
    def tiers(self) -> tuple[str, ...]:
        """What the loaded model can be compared with: its tiers but exact."""
        ready = self._models.ready
        return tuple(tier for tier in ready.tiers if tier != EXACT) if ready is not None else ()

    # What the user asks -------------------------------------------------------------------------------------------

    def compare_prompt(self, prompt: str, tier: str) -> None:
        """Compare the answers to a message that stands alone, after the system prompt of the settings."""
        system = self._chat.answers_in_force.system_prompt.strip()
        before = (ChatMessage("system", system),) if system else ()
        self.compare((*before, ChatMessage("user", prompt.strip())), tier)

    def compare(self, messages: tuple[ChatMessage, ...], tier: str) -> None:
        """As soon as the engine is free; one comparison at a time."""
        ready = self._models.ready
        if self.task is not None or tier not in self.tiers or ready is None or not messages[-1].content.strip():
            return
        answers = self._chat.answers_in_force
        seed, longest = answers.seed, answers.max_tokens or LONGEST_TOKENS
        if seed is None:
            seed = random.randint(0, MAX_SEED)  # noqa: S311 - a seed both answers share, and no secret
        self.asked = Asked(messages, tier, seed, longest, ready.model.name)
        self.comparison = self.error = None
        self.is_stopping = False
        self.task = Task("", ready.model.model_id)
        self._next()
        self.changed.emit()

    def cancel(self) -> None:
        if self.task is None:
            return
        if self.task.request_id:
            self.is_stopping = True
            self._bridge.submit(Cancel(self.task.request_id))
        else:
            self.task = None
        self.changed.emit()

    def forget_error(self) -> None:
        self.error = None
        self.changed.emit()

    def shut_down(self) -> None:
        """Called before the engine is closed."""
        self.task = None

    # The engine ---------------------------------------------------------------------------------------------------

    def _on_models_changed(self) -> None:
        """Another model answers another way: a comparison that waits for the former one is called off."""
        ready = self._models.ready
        task = self.task
        if task is not None and not task.request_id:
            if self._models.death is not None:
                self._end(self._models.death.text)
            elif ready is not None and ready.model.model_id != task.subject:
                self.task = None
        self._next()
        self.changed.emit()

    def _next(self) -> None:
        task, asked = self.task, self.asked
        if task is None or task.request_id or asked is None:
            return
        if self._chat.answering is None and self._models.state == READY and asked.tier in self.tiers:
            self._n_requests += 1
            self.task = replace(task, request_id=f"compare-{self._n_requests}")
            sampling = replace(self._chat.answers_in_force.sampling(), seed=asked.seed, max_tokens=asked.longest)
            self._bridge.submit(CompareTiers(self.task.request_id, asked.messages, sampling, asked.tier))
            self.changed.emit()

    def _on_event(self, event: Event) -> None:
        if self.task is None or not self.task.request_id:
            return
        if isinstance(event, HostDied):
            self._end(describe_host_death(event, translate))
        elif event.request_id == self.task.request_id:
            match event:
                case Progress():
                    self.task = replace(self.task, progress=event)
                    self.changed.emit()
                case TiersCompared():
                    self.comparison = event.comparison
                    self._end(None)
                    self.compared.emit()
                case Failed():
                    self._end(error_words(event.error))
                case RequestCancelled():
                    self._end(None)

    def _end(self, error: ErrorText | None) -> None:
        self.task = None
        self.error = error
        self.changed.emit()
