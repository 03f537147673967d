"""One conversation in the terminal: its turns, the choices that go with it, and what becomes of an answer.

Owns the rule that turns stay in pairs: a stopped or orphaned answer is kept as far as it came, and a question without
any answer is taken back, so that the next one finds a conversation every chat template accepts.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from app.device_figures import load_shares
from app.device_words import (
    from_disk_words,
    nothing_on_card_words,
    refusal_words,
    share_words,
    speed_words,
    step_down_words,
)
from app.error_text import ErrorText, describe, describe_host_death, memory_words
from app.neuron_text import drift_words, nats, tier_missing
from app.terminal.console import Console
from app.terminal.library_commands import STARTER_NOTE, explain, find_model
from app.terminal.session import EngineDied, RequestFailed, Session, Stopped
from engine.messages import ChatMessage, GenerationFinished, GenerationStats, ModelInfo, ModelReady, SamplingParams
from engine.neuron_reports import EXACT
from engine.placement_reports import PlacementState


@dataclass(slots=True)
class Dialogue:
    """The conversation and everything that decides the next answer.

    known_models  the library as last seen, for completion
    context_tokens, weight_format   what was asked for on the command line; None and empty leave it to the engine
    tier          how much of the model answers leave out; one that the loaded model offers
    card, vram_bytes   as in EngineConfig: the card and the budget of it that are wished for
    """

    session: Session
    console: Console
    system: str = ""
    sampling: SamplingParams = field(default_factory=SamplingParams)
    shows_stats: bool = False
    context_tokens: int | None = None
    weight_format: str = ""
    tier: str = EXACT
    card: str = "auto"
    vram_bytes: int | None = None
    turns: list[ChatMessage] = field(default_factory=list)
    known_models: tuple[ModelInfo, ...] = ()

    def __post_init__(self) -> None:
        self.session.on_step_down = lambda after, before: self.console.note(_one_line(step_down_words(after, before)))

    def refresh_models(self) -> tuple[ModelInfo, ...]:
        self.known_models = self.session.models()
        return self.known_models

    def use_model(self, wanted: ModelInfo) -> None:
        """Load a model, packed as the command line asks, and say what it is where that matters."""
        if wanted.note == "starter" and wanted.state == "source":
            self.console.note(STARTER_NOTE.format(name=wanted.name, licence=wanted.licence))
        ready = self.session.load(self._in_format(wanted).model_id, self.context_tokens)
        self.console.clear_progress()
        if not ready.model.chat:
            self.console.note(f"{ready.model.name} is a base model: it continues a text rather than answers.")
        if ready.from_disk:
            self.console.note(_one_line(from_disk_words(ready.needed_bytes, ready.free_bytes)))
        self._say_placement(ready)
        if self.tier not in ready.tiers:
            self.console.note(f"{ready.model.model_id} has no tier {self.tier}; its answers are computed exactly.")
            self.tier = EXACT

    def _say_placement(self, ready: ModelReady) -> None:
        """Where the model is; and of a card that was asked for and takes no part, why."""
        if ready.placement is not None:
            for line in placement_lines(ready.placement, self.vram_bytes):
                self.console.note(line)
        elif ready.card_refusal is not None and self._wants_card:
            self.console.note(_one_line(refusal_words(describe(ready.card_refusal))))

    @property
    def _wants_card(self) -> bool:
        """A card was named, or memory of any card asked for."""
        return self.card not in ("auto", "none") or (self.card == "auto" and bool(self.vram_bytes))

    def choose_tier(self, name: str) -> ErrorText | None:
        """Answer by this tier from now on; where the loaded model does not offer it, why not and what to do."""
        ready = self.session.ready
        if ready is None:
            return ErrorText("No model is loaded, and tiers are those of a model.", "Load one first: /model NAME")
        if name not in ready.tiers:
            return tier_missing(name, ready.tiers, ready.model)
        self.tier = name
        return None

    def _in_format(self, model: ModelInfo) -> ModelInfo:
        """The same model in the weight format the command line names, packed from its source if need be."""
        if self.weight_format in ("", model.weight_format) or not model.source:
            return model
        for other in self.known_models:
            if (other.source, other.weight_format) == (model.source, self.weight_format):
                return other
        return self.session.import_model(model.source, self.weight_format)

    def use_model_named(self, name: str) -> None:
        self.use_model(find_model(self.refresh_models(), name))

    def ask(self, text: str) -> int:
        """Answer a message; return an exit code."""
        return self._answer([*self.turns, ChatMessage("user", text)])

    def regenerate(self) -> int:
        """Answer the last message once more; the old answer goes only when there is a new one."""
        return self._answer(self.turns[:-1])

    def undo(self) -> str:
        """Take back the last message and its answer; return the message."""
        message = self.turns[-2].content
        del self.turns[-2:]
        return message

    def _answer(self, turns: Sequence[ChatMessage]) -> int:
        pieces: list[str] = []

        def show(text: str) -> None:
            pieces.append(text)
            self.console.answer(text)

        if self.session.is_lost:
            self.console.note("The engine had ended; it is started again.")
        self.console.waiting()
        opening = [ChatMessage("system", self.system)] if self.system else []
        try:
            finished = self.session.generate([*opening, *turns], self.sampling, show, self.tier)
        except (RequestFailed, EngineDied, Stopped) as error:
            return self._say_failure(error, bool(pieces))
        else:
            self.console.end_answer()
            return self._say_end(finished, bool(pieces))
        finally:
            if text := "".join(pieces):
                self.turns = [*turns, ChatMessage("assistant", text)]

    def _say_failure(self, error: RequestFailed | EngineDied | Stopped, has_text: bool) -> int:
        if isinstance(error, EngineDied):
            cause = describe_host_death(error.event).cause
            kept = "What was written so far is kept. " if has_text else ""
            self.console.error(ErrorText(cause, f"{kept}The next message starts the engine again."))
            return 1
        return explain(error, self.console)

    def _say_end(self, finished: GenerationFinished, has_text: bool) -> int:
        if finished.reason == "cancelled":
            self.console.note("Stopped." if has_text else "Stopped; the message was taken back.")
        elif finished.reason == "length":
            self.console.note("The answer reached max_tokens.")
        elif finished.reason == "context":
            self.console.note("The context is full. /new starts over, /undo takes the last exchange back.")
        elif not has_text:
            self.console.note("The model answered with nothing; the message was taken back.")
        if finished.stats.tier_left_at >= 0:
            self.console.note(drift_words(finished.stats.tier, finished.stats.tier_left_at))
        if self.shows_stats and has_text:
            self.console.note(stats_line(finished.stats))
        return 0


def stats_line(stats: GenerationStats) -> str:
    """The measured facts of one answer in one line."""
    parts = [f"prompt {stats.prompt_tokens:,} tokens"]
    if stats.reused_tokens:
        parts[0] += f" ({stats.reused_tokens:,} reused)"
    if stats.prompt_tokens_per_s > 0:
        parts[0] += f" at {stats.prompt_tokens_per_s:.0f}/s"
    parts.append(f"first token {stats.first_token_s:.2f} s")
    parts.append(f"answer {stats.generated_tokens:,} tokens")
    if stats.decode_tokens_per_s > 0:
        parts[-1] += f" at {stats.decode_tokens_per_s:.1f}/s"
    if stats.active_share is not None:
        parts.append(f"{100 * stats.active_share:.1f} % of neurons active")
    if (shares := load_shares(stats.load)) is not None:
        parts.append(f"card {share_words(shares.card_work)} of the neurons' work")
    if stats.tier != EXACT:
        parts.append(tier_words(stats))
    parts.append(f"context {stats.prompt_tokens + stats.generated_tokens:,} of {stats.context_tokens:,}")
    return " · ".join(parts)


def tier_words(stats: GenerationStats) -> str:
    """By which tier an answer was computed, and what was measured of it meanwhile."""
    if not stats.audited_tokens:
        return f"tier {stats.tier}, too short to be checked"
    tokens = "1 token" if stats.audited_tokens == 1 else f"{stats.audited_tokens:,} tokens"
    return f"tier {stats.tier}, {tokens} checked, mean KL {nats(stats.audit_kl)}"


def placement_lines(state: PlacementState, wanted_bytes: int | None = None) -> list[str]:
    """Where the model is, in a line or two; of a demonstration first that it is one.

    wanted_bytes   the budget that was asked for; None is what is recommended
    """
    line = nothing_on_card_words(state, wanted_bytes) or _on_card_words(state)
    if state.predicted_tokens_per_s > 0:
        line = f"{line.rstrip('.')}; {speed_words(state.predicted_tokens_per_s)} predicted"
    demonstration = ["A demonstration: the processor plays the card. Its speed is not a card's."]
    return [*(demonstration if state.is_emulated else []), line]


def _on_card_words(state: PlacementState) -> str:
    what = f"{share_words(state.hot_share)} of the neurons' work" if any(state.hot_neurons) else "no neurons"
    return (
        f"On the card: {memory_words(sum(n for _, n in state.allocated))}, {what}, attention of "
        f"{sum(state.attention_on_card)} of {len(state.hot_neurons)} layers"
    )


def _one_line(text: ErrorText) -> str:
    return f"{text.cause} {text.action}".strip()
