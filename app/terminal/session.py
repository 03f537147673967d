"""One engine, used by one person who waits for the answer.

Turns the engine's requests and events into calls that return or raise, passes text and progress on while they come,
makes Ctrl+C a `Cancel`, and starts the engine again after its process died. Shows nothing itself.
"""

import queue
import signal
import threading
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from types import FrameType

from app.interrupts import interrupt_ignored
from engine.api import Engine, OnEvent
from engine.benchmark_report import BenchmarkReport, BenchmarkSpec
from engine.errors import ErrorReport
from engine.messages import (
    AddProfile,
    BenchmarkDone,
    BudgetApplied,
    Cancel,
    ChatMessage,
    CompareTiers,
    DescribeModel,
    DevicesRead,
    Event,
    Failed,
    ForgetChats,
    Generate,
    GenerateVariants,
    GenerationFinished,
    HostDied,
    ImportModel,
    ListModels,
    LoadModel,
    ModelDescription,
    ModelImported,
    ModelInfo,
    ModelList,
    ModelReady,
    ModelRemoved,
    OfferPlacement,
    PlacementOffered,
    Progress,
    ReadDevices,
    ReadStudies,
    RemoveModel,
    RequestCancelled,
    RunBenchmark,
    SamplingParams,
    SaveProfile,
    SetBudget,
    StudiesRead,
    StudyDone,
    StudyNeurons,
    TextPiece,
    TiersCompared,
    VariantEnded,
    VariantsFinished,
    VariantText,
)
from engine.neuron_reports import EXACT, Comparison, StudyReport, StudySpec
from engine.placement_reports import DeviceReport, PlacementOffer, PlacementState
from engine.transfer_reports import TransferRequests, UseLibraryFolders

OpenEngine = Callable[[OnEvent], Engine]
_Asked = (
    ListModels
    | DescribeModel
    | ImportModel
    | RemoveModel
    | LoadModel
    | Generate
    | GenerateVariants
    | RunBenchmark
    | StudyNeurons
    | ReadStudies
    | ForgetChats
    | SaveProfile
    | AddProfile
    | CompareTiers
    | ReadDevices
    | OfferPlacement
    | SetBudget
    | TransferRequests
)

_POLL_S = 0.05  # how long a Ctrl+C may go unnoticed
_FORCE_AFTER_S = 1.0  # a second Ctrl+C this long after the first ends an engine that does not react
_SILENCE_S = 5.0  # an engine that is not alive and says nothing for this long has died without a word


class RequestFailed(Exception):
    """The engine refused or failed a request."""

    def __init__(self, report: ErrorReport) -> None:
        super().__init__(report.code)
        self.report = report


class EngineDied(Exception):
    """The engine's process ended while it was needed."""

    def __init__(self, event: HostDied) -> None:
        super().__init__(f"exit code {event.exit_code}")
        self.event = event


class Stopped(Exception):
    """Ctrl+C ended a request before it had an answer."""


class Session:
    """An engine that is opened when it is first needed and again whenever it has died."""

    def __init__(
        self, open_engine: OpenEngine, on_progress: Callable[[Progress], None], folders: Sequence[str] = ()
    ) -> None:
        """`folders` are the library's, where they are others than the engine begins with."""
        self._folders = tuple(folders)
        self._open_engine = open_engine
        self._on_progress = on_progress
        self._engine: Engine | None = None
        self._events: queue.SimpleQueue[Event] = queue.SimpleQueue()
        self._n_requests = 0
        self._holds_model = False
        self._is_interrupted = False
        self._context_tokens: int | None = None
        self.ready: ModelReady | None = None
        self.placement: PlacementState | None = None
        self.on_step_down: Callable[[PlacementState, PlacementState | None], None] = lambda after, before: None

    @property
    def model(self) -> ModelInfo | None:
        """The model in use; after the engine has died, the one that will be loaded again."""
        return self.ready.model if self.ready else None

    @property
    def is_lost(self) -> bool:
        """Whether the engine ended while nobody asked anything of it."""
        return self._engine is not None and not self._engine.alive

    def models(self) -> tuple[ModelInfo, ...]:
        answer = self._exchange(ListModels(self._next_id()))
        return answer.models if isinstance(answer, ModelList) else ()

    def load(self, model_id: str, context_tokens: int | None) -> ModelReady:
        """Load a model; it stays the one in use until another has been loaded.

        A load that comes to nothing may have cost the engine the model it held; the next message then loads that again.
        So does one that was done before the engine heard of Ctrl+C: whoever pressed it wants nothing that follows.
        """
        self._living_engine()
        held, self._holds_model = self._holds_model, False
        try:
            answer = self._exchange(LoadModel(self._next_id(), model_id, context_tokens))
        except RequestFailed as failed:
            self._holds_model = held and failed.report.code == "UnknownModel"
            raise
        if self._is_interrupted:
            raise Stopped
        assert isinstance(answer, ModelReady)  # noqa: S101 - the contract of LoadModel
        self._holds_model, self._context_tokens, self.ready = True, context_tokens, answer
        self.placement = answer.placement
        return answer

    def set_budget(self, vram_bytes: int | None) -> PlacementState:
        """Give the model in use so much of the card; as SetBudget."""
        answer = self._exchange(SetBudget(self._next_id(), vram_bytes))
        assert isinstance(answer, BudgetApplied)  # noqa: S101 - the contract of SetBudget
        self.placement = answer.state
        return answer.state

    def describe(self, model_id: str, context_tokens: int | None) -> ModelDescription:
        answer = self._exchange(DescribeModel(self._next_id(), model_id, context_tokens))
        assert isinstance(answer, ModelDescription)  # noqa: S101 - the contract of DescribeModel
        return answer

    def import_model(self, source: str, weight_format: str) -> ModelInfo:
        answer = self._exchange(ImportModel(self._next_id(), source, weight_format))
        assert isinstance(answer, ModelImported)  # noqa: S101 - the contract of ImportModel
        return answer.model

    def remove(self, model_id: str) -> ModelRemoved:
        answer = self._exchange(RemoveModel(self._next_id(), model_id))
        assert isinstance(answer, ModelRemoved)  # noqa: S101 - the contract of RemoveModel
        return answer

    def benchmark(self, spec: BenchmarkSpec) -> BenchmarkReport:
        """Measure; the model in use is unloaded for it."""
        self._holds_model = False
        answer = self._exchange(RunBenchmark(self._next_id(), spec))
        assert isinstance(answer, BenchmarkDone)  # noqa: S101 - the contract of RunBenchmark
        return answer.report

    def study(self, spec: StudySpec) -> StudyReport:
        """Find out about a model's neurons; the model in use is unloaded for it."""
        self._holds_model = False
        answer = self._exchange(StudyNeurons(self._next_id(), spec))
        assert isinstance(answer, StudyDone)  # noqa: S101 - the contract of StudyNeurons
        return answer.report

    def studies(self, model_id: str) -> StudiesRead:
        """What is kept of a model's neurons."""
        answer = self._exchange(ReadStudies(self._next_id(), model_id))
        assert isinstance(answer, StudiesRead)  # noqa: S101 - the contract of ReadStudies
        return answer

    def forget_chats(self, model_id: str) -> StudiesRead:
        """Delete what was counted of the user's chats for a model."""
        answer = self._exchange(ForgetChats(self._next_id(), model_id))
        assert isinstance(answer, StudiesRead)  # noqa: S101 - the contract of ForgetChats
        return answer

    def save_profile(self, model_id: str, path: str) -> StudiesRead:
        """Write what was measured of a model's neurons to a file."""
        answer = self._exchange(SaveProfile(self._next_id(), model_id, path))
        assert isinstance(answer, StudiesRead)  # noqa: S101 - the contract of SaveProfile
        return answer

    def add_profile(self, model_id: str, path: str, ember_version: str) -> StudiesRead:
        """Count such a file together with what is kept of a model's neurons."""
        answer = self._exchange(AddProfile(self._next_id(), model_id, path, ember_version))
        assert isinstance(answer, StudiesRead)  # noqa: S101 - the contract of AddProfile
        return answer

    def compare(self, messages: Sequence[ChatMessage], sampling: SamplingParams, tier: str) -> Comparison:
        """Answer a conversation with the loaded model twice, exactly and by a tier."""
        answer = self._exchange(CompareTiers(self._next_id(), tuple(messages), sampling, tier))
        assert isinstance(answer, TiersCompared)  # noqa: S101 - the contract of CompareTiers
        return answer.comparison

    def devices(self, *, measure: bool) -> DeviceReport:
        """This machine and its cards; with `measure`, how fast they are is found out now."""
        answer = self._exchange(ReadDevices(self._next_id(), measure))
        assert isinstance(answer, DevicesRead)  # noqa: S101 - the contract of ReadDevices
        return answer.report

    def offer_placement(
        self, model_id: str, context_tokens: int | None, card: str, vram_bytes: int | None, assumed_card: str
    ) -> PlacementOffer:
        """What each budget of a card would buy for a model; loads nothing."""
        request = OfferPlacement(self._next_id(), model_id, context_tokens, card, vram_bytes, assumed_card)
        answer = self._exchange(request)
        assert isinstance(answer, PlacementOffered)  # noqa: S101 - the contract of OfferPlacement
        return answer.offer

    def generate(
        self,
        messages: Sequence[ChatMessage],
        sampling: SamplingParams,
        on_text: Callable[[str], None],
        tier: str = EXACT,
    ) -> GenerationFinished:
        """Answer a conversation; `on_text` gets the answer's characters as they come."""
        answer = self._answered(Generate(self._next_id(), tuple(messages), sampling, tier), on_text)
        assert isinstance(answer, GenerationFinished)  # noqa: S101 - the contract of Generate
        return answer

    def generate_variants(
        self,
        messages: Sequence[ChatMessage],
        samplings: Sequence[SamplingParams],
        on_variant: Callable[[VariantText | VariantEnded], None],
    ) -> None:
        """Answer a conversation several times at once; `on_variant` gets what comes of each answer, as it comes."""
        request = GenerateVariants(self._next_id(), tuple(messages), tuple(samplings))
        answer = self._answered(request, on_variant=on_variant)
        assert isinstance(answer, VariantsFinished)  # noqa: S101 - the contract of GenerateVariants

    def _answered(
        self,
        request: Generate | GenerateVariants,
        on_text: Callable[[str], None] | None = None,
        on_variant: Callable[[VariantText | VariantEnded], None] | None = None,
    ) -> Event:
        """What ends a request to the model in use, which is loaded again where the engine has lost it."""
        self._living_engine()
        if self.ready is not None and not self._holds_model:
            self.load(self.ready.model.model_id, self._context_tokens)
        try:
            return self._exchange(request, on_text, on_variant)
        except RequestFailed as failed:
            self._holds_model = self._holds_model and failed.report.code != "NoModelLoaded"
            raise

    def ask(self, request: TransferRequests) -> Event:
        """What answers a request about downloads, the hub or the library's folders; `next_id` names it."""
        return self._exchange(request)

    def tell(self, request: TransferRequests) -> None:
        """Submit a request whose answer nobody waits for."""
        self._living_engine().submit(request)

    def follow(
        self, request: TransferRequests, on_event: Callable[[Event], bool], on_interrupt: Callable[[], None]
    ) -> None:
        """Submit a request that is answered again and again, until `on_event` returns True.

        `on_interrupt` is called for Ctrl+C. Raises RequestFailed, EngineDied, and Stopped where Ctrl+C is pressed again
        a while later.
        """
        with closing(self._answers(self._living_engine(), request, on_interrupt, lambda: None, [])) as answers:
            for event in answers:
                if isinstance(event, Failed):
                    raise RequestFailed(event.error)
                if on_event(event):
                    return

    def next_id(self) -> str:
        """A name for a request that is made elsewhere."""
        return self._next_id()

    def close(self) -> None:
        if self._engine is not None:
            self._engine.close()
            self._engine = None

    def _exchange(
        self,
        request: _Asked,
        on_text: Callable[[str], None] | None = None,
        on_variant: Callable[[VariantText | VariantEnded], None] | None = None,
    ) -> Event:
        """Submit a request, pass progress and text on, and return the event that answers it.

        `_is_interrupted` then says whether Ctrl+C was pressed meanwhile, even too late for the engine.
        """
        engine = self._living_engine()
        stop = Cancel(request.request_id)
        presses: list[float] = []
        answer: Event | None = None
        with closing(self._answers(engine, request, lambda: engine.submit(stop), self.close, presses)) as answers:
            for event in answers:
                match event:
                    case Progress():
                        self._on_progress(event)
                    case TextPiece():
                        if on_text is not None:
                            on_text(event.text)
                    case VariantText() | VariantEnded():
                        if on_variant is not None:
                            on_variant(event)
                    case Failed():
                        raise RequestFailed(event.error)
                    case RequestCancelled():
                        raise Stopped
                    case BudgetApplied(state=state) if not isinstance(request, SetBudget):
                        before, self.placement = self.placement, state
                        self.on_step_down(state, before)
                    case _:
                        answer = event
                        break
        self._is_interrupted = bool(presses)
        if answer is None:
            raise Stopped
        return answer

    def _answers(
        self,
        engine: Engine,
        request: _Asked,
        on_interrupt: Callable[[], None],
        on_force: Callable[[], None],
        presses: list[float],
    ) -> Generator[Event, None, None]:
        """Submit a request; yields its events, for ever. Raises EngineDied.

        `on_interrupt` is called for Ctrl+C; where it is pressed again a while later, `on_force`, and Stopped is raised.
        The times of all presses are added to `presses`.
        """
        with _watched_interrupt(presses):
            engine.submit(request)
            n_noticed, last_sign = 0, time.monotonic()
            while True:
                if len(presses) > n_noticed:
                    n_noticed = len(presses)
                    if presses[-1] - presses[0] > _FORCE_AFTER_S:
                        on_force()
                        raise Stopped
                    on_interrupt()
                try:
                    event = self._events.get(timeout=_POLL_S)
                except queue.Empty:
                    if engine.alive:
                        last_sign = time.monotonic()
                    elif time.monotonic() - last_sign > _SILENCE_S:
                        raise EngineDied(HostDied(-1, "", (request.request_id,))) from None
                    continue
                if isinstance(event, HostDied):
                    self.close()
                    raise EngineDied(event)
                if event.request_id == request.request_id:
                    yield event

    def _living_engine(self) -> Engine:
        if self._engine is None or not self._engine.alive:
            self.close()
            self._events = queue.SimpleQueue()
            self._holds_model = False
            with interrupt_ignored():
                self._engine = self._open_engine(self._events.put)
            if self._folders:
                self._exchange(UseLibraryFolders(self._next_id(), self._folders))
        return self._engine

    def _next_id(self) -> str:
        self._n_requests += 1
        return f"terminal-{self._n_requests}"


@contextmanager
def _watched_interrupt(presses: list[float]) -> Iterator[None]:
    """Ctrl+C adds its time to `presses`, instead of an exception at any place."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def pressed(_number: int, _frame: FrameType | None) -> None:
        presses.append(time.monotonic())

    before = signal.signal(signal.SIGINT, pressed)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
