"""An engine that follows a script: the Engine protocol on a thread, without models."""

import queue
import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from engine.errors import CardUnusable, ErrorReport, NoModelLoaded, UnknownModel
from engine.messages import (
    AddProfile,
    BudgetApplied,
    Cancel,
    CompareTiers,
    DevicesRead,
    Event,
    Failed,
    ForgetChats,
    Generate,
    GenerateVariants,
    GenerationFinished,
    GenerationStats,
    HostDied,
    ImportModel,
    ListModels,
    LoadModel,
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
    Request,
    RequestCancelled,
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
from engine.neuron_reports import EXACT, Comparison, StudyReport
from engine.placement_reports import DeviceReport, PlacementOffer, PlacementState
from engine.transfer_reports import (
    DownloadQueueReport,
    DownloadReport,
    DownloadsRead,
    EmptyTrash,
    FoldersUsed,
    ModelRestored,
    ModelTrashed,
    ReadDownloads,
    ReadTrash,
    RestoreModel,
    TrashedModel,
    TrashEmptied,
    TrashModel,
    TrashRead,
    UseLibraryFolders,
)

STARTER = ModelInfo(
    "starter-id",
    "Starter 135M",
    "source",
    "llama",
    "",
    98_000_000,
    135_000_000,
    8192,
    "Apache-2.0",
    "/s.gguf",
    "starter",
)
LARGE = ModelInfo(
    "large-7b", "大模型 7B", "packed", "llama", "int8", 7_000_000_000, 7_000_000_000, 4096, "MIT", "/l.gguf"
)

# A model called "endless" loads until it is cancelled.
WAIT = object()  # in an answer: wait until the generation is cancelled
DIE = object()  # in an answer: the process ends here
STATS = GenerationStats(41, 12, 0.1, 0.31, 5, 0.1, 8192)


@dataclass
class Script:
    """What the engines opened with it do; shared by all of them, so that a new one goes on where the old one died.

    answers   one per generation: pieces of text, WAIT, DIE, or an ErrorReport; an answer may end with a reason
    variants  what comes of several answers, in this order: (number, text), (number, reason, stats), and the same
    stats     of every answer; `tiers` are what a loaded model offers
    study     what a study does: (phase, done, total) of its progress, WAIT, DIE, or an ErrorReport; then its report
    report, offer   what is told of this machine, and of a budget (an ErrorReport fails it)
    placement   of a loaded model, card_refusal where there is none; an answer may hold a placement that comes unasked
    kept      reports of studies by name, `unfinished`, `stale` and `damaged` as ReadStudies tells them
    """

    answers: list[list[object]] = field(default_factory=list)
    variants: list[object] = field(default_factory=list)
    models: list[ModelInfo] = field(default_factory=lambda: [STARTER, LARGE])
    load_error: ErrorReport | None = None
    requests: list[Request] = field(default_factory=list)
    opened: int = 0
    waiting: threading.Event = field(default_factory=threading.Event)
    engines: list["FakeEngine"] = field(default_factory=list)
    stats: GenerationStats = STATS
    tiers: tuple[str, ...] = (EXACT,)
    study: list[object] = field(default_factory=list)
    kept: dict[str, StudyReport] = field(default_factory=dict)
    unfinished: dict[str, float] = field(default_factory=dict)
    stale: tuple[str, ...] = ()
    damaged: tuple[str, ...] = ()
    chat_tokens: int = 0
    kept_error: ErrorReport | None = None
    profile_error: ErrorReport | None = None
    comparison: Comparison | None = None
    report: DeviceReport | None = None
    offer: PlacementOffer | ErrorReport | None = None
    downloads: tuple[DownloadReport, ...] = ()
    trash: list[TrashedModel] = field(default_factory=list)
    placement: PlacementState | None = None
    card_refusal: ErrorReport | None = None

    def open(self, on_event: Callable[[Event], None]) -> "FakeEngine":
        self.opened += 1
        self.engines.append(FakeEngine(self, on_event))
        return self.engines[-1]

    @property
    def generations(self) -> list[list[tuple[str, str]]]:
        return [[(m.role, m.content) for m in r.messages] for r in self.requests if isinstance(r, Generate)]

    @property
    def loads(self) -> list[str]:
        return [r.model_id for r in self.requests if isinstance(r, LoadModel)]


class FakeEngine:
    def __init__(self, script: Script, on_event: Callable[[Event], None]) -> None:
        self._script = script
        self._on_event = on_event
        self._requests: queue.SimpleQueue[Request | None] = queue.SimpleQueue()
        self._cancelled: set[str] = set()
        self._cancel_came = threading.Event()
        self.alive = True
        self.loaded = ""
        self.closed = False
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def submit(self, request: Request) -> None:
        self._script.requests.append(request)
        if isinstance(request, Cancel):
            self._cancelled.add(request.target_id)
            self._cancel_came.set()
        else:
            self._requests.put(request)

    def close(self) -> None:
        self.alive, self.closed = False, True
        self._cancel_came.set()
        self._requests.put(None)
        self._thread.join()

    def die(self, *pending: str) -> None:
        self.alive = False
        self._on_event(HostDied(-9, "last words", pending))

    def _run(self) -> None:
        while (request := self._requests.get()) is not None and self.alive:
            for event in self._events(request):
                if not self.closed:
                    self._on_event(event)

    def _events(self, request: Request):
        request_id = request.request_id
        match request:
            case ListModels():
                yield ModelList(request_id, tuple(self._script.models))
            case ImportModel():
                yield Progress(request_id, "pack", 1, 4)
                model = replace(LARGE, model_id="imported", source=request.source, weight_format=request.weight_format)
                self._script.models.append(model)
                yield ModelImported(request_id, model)
            case RemoveModel():
                yield ModelRemoved(request_id, request.model_id, 1_500_000)
            case LoadModel():
                yield from self._load(request)
            case Generate():
                yield from self._generate(request)
            case GenerateVariants():
                yield from self._variants(request)
            case StudyNeurons():
                yield from self._study(request)
            case ReadStudies() if self._script.kept_error is not None:
                yield Failed(request_id, self._script.kept_error)
            case ReadStudies():
                script = self._script
                kept, unfinished = tuple(script.kept.items()), tuple(script.unfinished.items())
                yield StudiesRead(
                    request_id, request.model_id, kept, unfinished, script.stale, script.chat_tokens, script.damaged
                )
            case ForgetChats():
                self._script.chat_tokens = 0
                yield StudiesRead(request_id, request.model_id, (), ())
            case SaveProfile() | AddProfile() if self._script.profile_error is not None:
                yield Failed(request_id, self._script.profile_error)
            case SaveProfile() | AddProfile():
                yield StudiesRead(request_id, request.model_id, tuple(self._script.kept.items()), ())
            case ReadDevices():
                yield Progress(request_id, "rates", 1, 2)
                yield DevicesRead(request_id, self._script.report)
            case OfferPlacement() if isinstance(self._script.offer, ErrorReport):
                yield Failed(request_id, self._script.offer)
            case OfferPlacement():
                yield PlacementOffered(request_id, self._script.offer)
            case SetBudget() if self._script.placement is None:
                yield Failed(request_id, CardUnusable("no_driver", "").report())
            case SetBudget():
                budget = self._script.placement.budget_bytes if request.vram_bytes is None else request.vram_bytes
                yield BudgetApplied(request_id, replace(self._script.placement, budget_bytes=budget))
            case UseLibraryFolders(folders=folders):
                yield FoldersUsed(request_id, folders)
            case TrashModel(model_id=model_id):
                self._script.trash.append(TrashedModel("t1", model_id, 1_500_000, "2026-11-30T10:00:00+00:00", 30))
                yield ModelTrashed(request_id, model_id, "t1", 1_500_000)
            case ReadTrash():
                yield TrashRead(request_id, tuple(self._script.trash))
            case RestoreModel():
                yield ModelRestored(request_id, self._script.trash.pop().model_id)
            case EmptyTrash():
                freed = sum(model.size_bytes for model in self._script.trash)
                self._script.trash.clear()
                yield TrashEmptied(request_id, freed)
            case ReadDownloads():
                yield DownloadsRead(request_id, DownloadQueueReport(self._script.downloads))
            case CompareTiers():
                yield Progress(request_id, "compare", 1, 2)
                yield TiersCompared(request_id, self._script.comparison)

    def _load(self, request: LoadModel):
        known = {m.model_id: m for m in self._script.models}
        self.loaded = self.loaded if request.model_id not in known else ""
        if self._script.load_error is not None:
            yield Failed(request.request_id, self._script.load_error)
        elif request.model_id not in known:
            yield Failed(request.request_id, UnknownModel(request.model_id).report())
        elif request.model_id == "endless":
            self._script.waiting.set()
            self._cancel_came.wait(10)
            yield RequestCancelled(request.request_id)
        else:
            model = replace(known[request.model_id], state="packed")
            for phase in ("pack", "read", "compile"):
                yield Progress(request.request_id, phase, 1, 2)
                yield Progress(request.request_id, phase, 2, 2)
            self.loaded = request.model_id
            context = request.context_tokens or model.context_tokens
            yield ModelReady(request.request_id, model, 0.1, 2, 10, context, self._script.tiers,
                             self._script.placement, card_refusal=self._script.card_refusal)  # fmt: skip

    def _study(self, request: StudyNeurons):
        for item in self._script.study:
            if item is WAIT:
                self._script.waiting.set()
                self._cancel_came.wait(10)
                yield RequestCancelled(request.request_id)
                return
            if item is DIE:
                self.die(request.request_id)
                return
            if isinstance(item, ErrorReport):
                yield Failed(request.request_id, item)
                return
            yield Progress(request.request_id, *item)
        study = request.spec.study
        yield StudyDone(request.request_id, study, self._script.kept[study])

    def _variants(self, request: GenerateVariants):
        request_id, going = request.request_id, set(range(len(request.samplings)))
        yield Progress(request_id, "prompt", 1, 2)
        for item in self._script.variants:
            if item is WAIT:
                self._script.waiting.set()
                self._cancel_came.wait(10)
                for number in sorted(going):
                    yield VariantEnded(request_id, number, "cancelled", self._script.stats)
                break
            if item is DIE:
                self.die(request_id)
                return
            if isinstance(item, ErrorReport):
                yield Failed(request_id, item)
                return
            if len(item) == 2:
                yield VariantText(request_id, *item)
            else:
                going.remove(item[0])
                yield VariantEnded(request_id, *item)
        yield VariantsFinished(request_id)

    def _generate(self, request: Generate):
        request_id, reason = request.request_id, "stop"
        if not self.loaded:
            yield Failed(request_id, NoModelLoaded().report())
            return
        yield Progress(request_id, "prompt", 1, 2)
        began = False
        for item in self._script.answers.pop(0) if self._script.answers else ["ok"]:
            if item is WAIT:
                self._script.waiting.set()
                self._cancel_came.wait(10)
                reason = "cancelled"
                break
            if item is DIE:
                self.die(request_id)
                return
            if isinstance(item, ErrorReport):
                yield Failed(request_id, item)
                return
            if isinstance(item, PlacementState):
                yield BudgetApplied(request_id, item)
            elif isinstance(item, tuple):
                (reason,) = item
            else:
                began = True
                yield TextPiece(request_id, item)
        if reason == "cancelled" and not began:
            yield RequestCancelled(request_id)
        else:
            yield GenerationFinished(request_id, reason, self._script.stats)
