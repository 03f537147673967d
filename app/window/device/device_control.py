"""The card in the window: what this machine is, what budgets buy, where the loaded model is, who did the work.

Decides when the engine is asked (only while somebody looks, and not into a benchmark); when a budget that was chosen is
applied is budget_change.py's. Shows nothing that the engine did not tell: where a model is comes from
ModelReady and BudgetApplied, who did the work from the figures of answers. Knows no widget; panes read its attributes
and listen to the signals.
"""

from dataclasses import dataclass, replace

from PySide6.QtCore import QCoreApplication, QObject, QTimer, Signal

from app.device_figures import most_budget
from app.device_words import Circumstances, Slowness, refusal_words, slowness, step_down_words
from app.error_text import ErrorText, describe_host_death
from app.window.bridge import EngineBridge
from app.window.chat_control import ChatControl
from app.window.device.assumed_card import AssumedCard
from app.window.device.budget_change import BudgetChange
from app.window.device.neuron_pictures import NeuronPictures
from app.window.model_control import ASLEEP, MEASURING, NO_MODEL, READY, STARTING, STOPPED, ModelControl, Task
from app.window.settings_control import SettingsControl
from app.window.wording import error_words, translate
from engine.errors import ErrorReport
from engine.messages import (
    BudgetApplied,
    Cancel,
    DevicesRead,
    Event,
    Failed,
    GenerationFinished,
    HostDied,
    ModelInfo,
    ModelReady,
    ModelUnloaded,
    NeuronsSeen,
    OfferPlacement,
    PlacementOffered,
    Progress,
    ReadDevices,
    RequestCancelled,
)
from engine.placement_reports import DeviceReport, NeuronSample, PlacementOffer, PlacementState, StepLoad

READ_EVERY_MS = 5000  # what other programs have of the card, while it is looked at
WORTH_ASKING_AGAIN = 128 << 20  # bytes more or less of other programs' on the cards, since budgets were offered
AUTO, EMULATED = "auto", "emulated"


@dataclass(frozen=True, slots=True)
class Notice:
    """The engine took less of the card by itself, or none of it from the beginning.

    before_bytes   what it had; 0 where that is not known, or it had nothing
    """

    text: ErrorText
    before_bytes: int = 0


class DeviceControl(QObject):
    changed = Signal()
    stepped_down = Signal(object)
    """A Notice, when it is new; not of a card that nobody asked for."""

    def __init__(
        self,
        bridge: EngineBridge,
        models: ModelControl,
        chat: ChatControl,
        settings: SettingsControl,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._models = models
        self._chat = chat
        self._settings = settings
        self._n_requests = 0
        self._is_watched = False
        self._read_id = self._offer_id = ""
        self._asked_for: tuple[str, int | None, str] | None = None
        self._others_bytes = 0
        self._mixed_answer = ""
        self._answer_load: tuple[str, StepLoad] | None = None
        self._is_starting = False
        self._opened_with = settings.value.card
        self.report: DeviceReport | None = None
        self.read_error: ErrorText | None = None
        self.measuring: Task | None = None
        """A measurement of this machine's speeds that was asked for."""
        self.offer: PlacementOffer | None = None
        """For the model shown; None until it is known."""
        self.offer_error: ErrorText | None = None
        self.assumed = AssumedCard(bridge)
        """A card that is not here, for which budgets are to be offered all the same."""
        self.pictures = NeuronPictures(bridge, models, self)
        self.placement: PlacementState | None = None
        """Where the loaded model is; None where no card takes part."""
        self._budget = BudgetChange(bridge, settings, lambda: self.is_loaded, self)
        self._budget.changed.connect(self.changed)
        self.notice: Notice | None = None
        self._refusal: Notice | None = None
        self._said_refusal: ErrorText | None = None  # since the engine was started
        self.last_load: StepLoad | None = None
        """Of the last answer of the loaded model."""
        self._read_timer = QTimer(self)
        self._read_timer.setSingleShot(True)
        self._read_timer.setInterval(READ_EVERY_MS)
        self._read_timer.timeout.connect(self._read_again)
        bridge.received.connect(self._on_event)
        models.changed.connect(self._on_models_changed)
        chat.state_changed.connect(self.changed)

    # What is known ------------------------------------------------------------------------------------------------

    @property
    def model(self) -> ModelInfo | None:
        """The model that budgets are offered for: the loaded one, or the one being loaded."""
        return self._models.current

    @property
    def is_loaded(self) -> bool:
        return self._models.state == READY

    @property
    def is_answering(self) -> bool:
        return self._chat.answering is not None

    @property
    def is_emulated(self) -> bool:
        """Whether the processor plays the card, in anything that is shown."""
        if self.placement is not None and self.placement.is_emulated:
            return True
        return self.report is not None and self.report.state == EMULATED

    @property
    def has_card(self) -> bool:
        """Whether something can be placed on, be it only a demonstration."""
        report = self.report
        return report is not None and report.state in ("usable", EMULATED) and bool(report.chosen_uuid)

    @property
    def card(self) -> str:
        """As in EngineConfig: the card wished for."""
        return self._settings.value.card

    @property
    def needs_restart(self) -> bool:
        """Whether another card is wished for than the engine was started with."""
        return self.card != self._opened_with

    @property
    def can_restart(self) -> bool:
        is_free = self._chat.answering is None and not self._models.is_importing
        return is_free and self._models.state in (READY, NO_MODEL, ASLEEP, STOPPED)

    @property
    def budget_bytes(self) -> int:
        """What Ember has of the card now, by what the engine said last."""
        return self.placement.budget_bytes if self.placement is not None else 0

    @property
    def can_measure(self) -> bool:
        return self._is_open

    @property
    def is_reading(self) -> bool:
        """Whether nothing is known of this machine yet, and will be."""
        return self.report is None and self.read_error is None

    @property
    def budget_setting(self) -> int | None:
        """What of the card was wished for last; None is what is recommended."""
        return self._settings.value.vram_bytes

    @property
    def is_applying(self) -> bool:
        return self._budget.is_applying

    @property
    def wanted(self) -> int | None:
        """Bytes that were chosen and are not applied yet; None where nothing is on its way."""
        return self._budget.wanted

    @property
    def budget_error(self) -> ErrorText | None:
        return self._budget.error

    @property
    def live_load(self) -> StepLoad | None:
        """Of the answer that is being written; None between answers."""
        answering, load = self._chat.answering, self._answer_load
        return load[1] if answering is not None and load is not None and load[0] == answering.request_id else None

    @property
    def load(self) -> StepLoad | None:
        return self.live_load or self.last_load

    @property
    def slowness(self) -> Slowness | None:
        ready = self._models.ready
        known = Circumstances(
            self.report,
            self.placement,
            ready.n_threads if ready is not None else 0,
            ready.memory_bytes if ready is not None else 0,
            most_budget(self.offer, self.placement) if self.offer is not None else 0,
        )
        return slowness(self.load, known, words)

    # What the user asks -------------------------------------------------------------------------------------------

    def watch(self, is_watched: bool) -> None:
        """Whether somebody looks: only then is anything asked of the engine, and are neurons sent."""
        if is_watched == self._is_watched:
            return
        self._is_watched = is_watched
        if is_watched:
            if self._is_open:
                self.pictures.watch()
            self.refresh()
        else:
            self._read_timer.stop()
            self.pictures.unwatch()

    def refresh(self) -> None:
        """Read what this machine is; what a budget buys is asked for once that is known."""
        if self._is_open and not self._read_id:
            self._read_id = self._new_id("devices")
            self._bridge.submit(ReadDevices(self._read_id))

    def measure(self) -> None:
        """Measure the speeds of this machine anew."""
        if self._is_open and self.measuring is None:
            self._read_id = self._new_id("devices")
            self.measuring = Task(self._read_id, "")
            self._bridge.submit(ReadDevices(self._read_id, measure=True))
            self.changed.emit()

    def cancel_measuring(self) -> None:
        if self.measuring is not None:
            self._bridge.submit(Cancel(self.measuring.request_id))

    def choose_budget(self, n_bytes: int) -> None:
        """Apply a budget once no other is chosen for a moment; also while an answer is written."""
        if self.is_loaded and self.has_card:
            self._budget.choose(n_bytes)
            self.changed.emit()

    def choose_recommended(self) -> None:
        """What is recommended, now and whenever a model is loaded."""
        if self.is_loaded and self.offer is not None:
            most = most_budget(self.offer, self.placement)
            self._budget.choose_recommended(min(self.offer.recommended_bytes, most))

    def choose_card(self, card: str) -> None:
        """Wish for a card; it is used once the engine is started again. A budget was meant for the card before."""
        if card != self._settings.value.card:
            self._settings.update(card=card, vram_bytes=None)
            self.offer = None
            self._asked_for = None
            self._ask_for_offer()
            self.changed.emit()

    def assume(self, name: str) -> None:
        """Ask what a card that is not here would bring, by its maker's figures; empty: stop asking."""
        self.assumed.assume(name)
        self._ask_for_assumed()
        self.changed.emit()

    def restart(self) -> None:
        """Start the engine with the card wished for; nothing is lost, the model is loaded again."""
        if self.can_restart:
            self._models.start()

    def forget_notice(self) -> None:
        self.notice = None
        self.changed.emit()

    def forget_error(self) -> None:
        self._budget.error = None
        self.changed.emit()

    def shut_down(self) -> None:
        """Called before the engine is closed."""
        self._budget.shut_down()
        self._is_watched = False
        self.pictures.forget_request()
        self._read_timer.stop()

    # The engine ---------------------------------------------------------------------------------------------------

    def _on_event(self, event: Event) -> None:
        match event:
            case ModelReady():
                self._place(event.placement)
                self._on_refusal(event.card_refusal)
                self.pictures.sample = self.last_load = None
            case ModelUnloaded():
                self._forget_model()
            case BudgetApplied():
                self._on_budget(event)
            case NeuronsSeen() if event.request_id == self.pictures.request_id:
                self._on_sample(event.sample)
                return
            case GenerationFinished():
                self._on_answer(event)
            case DevicesRead() if event.request_id == self._read_id:
                self._on_read(event.report)
            case PlacementOffered() if event.request_id == self._offer_id:
                self._offer_id = ""
                self.offer, self.offer_error = event.offer, None
            case PlacementOffered() if self.assumed.is_of(event.request_id):
                self.assumed.take(event.offer)
            case Progress() if self.measuring is not None and event.request_id == self.measuring.request_id:
                self.measuring = replace(self.measuring, progress=event)
            case Failed() | RequestCancelled():
                self._on_refused(event)
                return
            case HostDied():
                self._on_death(event)
            case _:
                return
        self.changed.emit()

    def _on_budget(self, event: BudgetApplied) -> None:
        is_asked = self._budget.is_of(event.request_id)
        if self._chat.answering is not None:
            self._mixed_answer = self._chat.answering.request_id
        if is_asked:
            self._budget.taken()
            if not event.state.stepped_down:
                self.notice = None
        self._place(event.state)
        self._budget.go_on(is_done=is_asked)

    def _place(self, state: PlacementState | None) -> None:
        before, self.placement = self.placement, state
        if state is not None and state.stepped_down:
            if before is not None and (before.model_id, before.card_uuid) != (state.model_id, state.card_uuid):
                before = None
            text = step_down_words(state, before, words)
            self.notice = Notice(text, before.budget_bytes if before is not None else 0)
            self.stepped_down.emit(self.notice)
            self._asked_for = None
            self._ask_for_offer()

    def _on_refusal(self, refusal: ErrorReport | None) -> None:
        """A card that was asked for, be it by a budget, and is not used is said aloud, once a start of the engine; one
        that would only have been taken, on the page."""
        if self._refusal is not None and self.notice is self._refusal:
            self.notice = None
        self._refusal = Notice(refusal_words(error_words(refusal), words)) if refusal is not None else None
        if self._refusal is not None:
            self.notice = self._refusal
            is_asked_for = self._opened_with != AUTO or bool(self.budget_setting)
            if is_asked_for and self._refusal.text != self._said_refusal:
                self._said_refusal = self._refusal.text
                self.stepped_down.emit(self.notice)

    def _on_answer(self, event: GenerationFinished) -> None:
        """Its speed counts for the placement only where that was the same for the whole answer."""
        seen = self._answer_load
        self.last_load = event.stats.load or (seen[1] if seen and seen[0] == event.request_id else None)
        speed = event.stats.decode_tokens_per_s
        if self.placement is not None and event.request_id != self._mixed_answer and speed > 0:
            self.placement = replace(self.placement, measured_tokens_per_s=speed)

    def _on_sample(self, sample: NeuronSample) -> None:
        if self._chat.answering is not None:
            self._answer_load = (self._chat.answering.request_id, sample.load)
        self.pictures.take(sample)

    def _on_read(self, report: DeviceReport) -> None:
        self._read_id = ""
        others = sum(card.total_bytes - card.free_bytes - card.ours_bytes for card in report.cards)
        if self.measuring is not None or abs(others - self._others_bytes) > WORTH_ASKING_AGAIN:
            self._asked_for = None
        self._others_bytes = others
        self.measuring = None
        self.report, self.read_error = report, None
        self._ask_for_offer()
        if self._is_watched:
            self._read_timer.start()

    def _on_refused(self, event: Failed | RequestCancelled) -> None:
        error = error_words(event.error) if isinstance(event, Failed) else None
        if not event.request_id:
            return
        if event.request_id == self._read_id:
            self._read_id = ""
            self.measuring = None
            self.read_error = error
            if error is None and self._is_watched:
                self._read_timer.start()
        elif event.request_id == self._offer_id:
            self._offer_id = ""
            self.offer_error = error
        elif self.assumed.is_of(event.request_id):
            self.assumed.refuse(error)
        elif self._budget.is_of(event.request_id):
            self._budget.refuse(error)
        elif event.request_id == self.pictures.request_id:
            self.pictures.refuse(error)
        else:
            return
        self.changed.emit()

    def _on_death(self, event: HostDied) -> None:
        was_measuring = self.measuring is not None
        self._forget_engine()
        self.read_error = describe_host_death(event, translate) if was_measuring else None

    def _on_models_changed(self) -> None:
        is_starting = self._models.state == STARTING
        if is_starting and not self._is_starting:
            self._opened_with = self.card
            self._said_refusal = None
            self._forget_engine()
        self._is_starting = is_starting
        if not self.is_loaded and self.placement is not None:
            self._forget_model()
        if self._is_watched:
            if not self.pictures.request_id and self._is_open:
                self.pictures.watch()
            if self.report is None and self.read_error is None:
                self.refresh()
            self._ask_for_offer()
        self.changed.emit()

    # Asking -------------------------------------------------------------------------------------------------------

    @property
    def _is_open(self) -> bool:
        """Whether the engine can be asked; not while it is lent for a benchmark, which would be disturbed."""
        return self._models.state not in (STARTING, STOPPED, MEASURING)

    def _read_again(self) -> None:
        if self._is_watched and self._chat.answering is None:
            self.refresh()
        if self._is_watched:
            self._read_timer.start()

    def _ask_for_offer(self) -> None:
        """For the model shown and the card wished for, where that has not been asked before."""
        model = self.model
        self._ask_for_assumed()
        if not (self._is_watched and self._is_open and self.has_card) or model is None:
            return
        wanted = (model.model_id, self._context_of(model), self.card)
        if wanted == self._asked_for:
            return
        if self.offer is not None and self.offer.model_id != model.model_id:
            self.offer = None
        self._asked_for = wanted
        self.offer_error = None
        self._offer_id = self._new_id("offer")
        self._bridge.submit(OfferPlacement(self._offer_id, *wanted))

    def _ask_for_assumed(self) -> None:
        model = self.model
        if self._is_open:
            self.assumed.ask(model.model_id if model else "", self._context_of(model) if model else None)

    def _context_of(self, model: ModelInfo) -> int | None:
        ready = self._models.ready
        return ready.context_tokens if ready is not None and ready.model.model_id == model.model_id else None

    # Forgetting ---------------------------------------------------------------------------------------------------

    def _forget_model(self) -> None:
        self._budget.forget()
        self._answer_load = None
        self.placement = self.pictures.sample = self.last_load = None

    def _forget_engine(self) -> None:
        """What was asked of an engine that is gone is not answered."""
        self._forget_model()
        self._read_timer.stop()
        self._read_id = self._offer_id = ""
        self._asked_for = None
        self.assumed.assume("")
        self.pictures.forget_request()
        self.report = self.offer = self.measuring = None
        self.read_error = self.offer_error = self._budget.error = None

    def _new_id(self, kind: str) -> str:
        self._n_requests += 1
        return f"{kind}-{self._n_requests}"


def words(template: str) -> str:
    """The translation of a template of app/device_words.py."""
    return QCoreApplication.translate("Words", template)
