"""An engine that plays a script: the same door, the same order of events, no model.

Requests are answered one after another on a thread of its own, as the real one does; `Cancel` acts at once. A `gate` of
the script holds a kind of request back until a test opens it, so that tests wait for states and not for time.
"""

import queue
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from engine.api import OnEvent
from engine.benchmark_report import BenchmarkReport
from engine.catalog_reports import CatalogRequests
from engine.context_reports import ASK, LeftOut, PromptFitted, TokensCounted
from engine.errors import ErrorReport, NoModelLoaded, UnknownModel
from engine.messages import (
    BenchmarkDone,
    BudgetApplied,
    Cancel,
    CompareTiers,
    CountTokens,
    DescribeModel,
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
    ModelDescription,
    ModelImported,
    ModelInfo,
    ModelList,
    ModelReady,
    ModelRemoved,
    ModelUnloaded,
    NeuronsSeen,
    OfferPlacement,
    PlacementOffered,
    Progress,
    ReadDevices,
    ReadStudies,
    RemoveModel,
    Request,
    RequestCancelled,
    RunBenchmark,
    SetBudget,
    StudiesRead,
    StudyDone,
    StudyNeurons,
    TextPiece,
    TiersCompared,
    UnloadModel,
    VariantEnded,
    VariantsFinished,
    VariantText,
    WatchNeurons,
)
from engine.neuron_reports import EXACT, Comparison, StudyReport
from engine.placement_reports import DeviceReport, NeuronSample, PlacementOffer, PlacementState, StepLoad
from engine.template_reports import KeepTemplate, ReadTemplate, TemplateRead, TemplateTried, TryTemplate
from engine.transfer_reports import TransferRequests
from tests.app.fake_hub import FakeHub, HubScript

NOTHING_KNOWN = DeviceReport("", 0, 0, 0, 0, 0, "not_installed", "", "", "", (), "", None)

STARTER = ModelInfo(
    "starter-135m", "Starter 135M", "packed", "llama", "int8", 145_000_000, 134_515_008, 2048, "Apache-2.0",
    "/models/starter.gguf", "starter",
)  # fmt: skip
OTHER = ModelInfo(
    "demo-1b", "Demo 1B", "packed", "llama", "int4", 812_000_000, 1_235_814_400, 4096, "MIT", "/models/demo.gguf"
)
BASE = ModelInfo(
    "base-350m", "Base 350M", "packed", "opt", "int8", 390_000_000, 351_000_000, 2048, "", "/models/base.gguf",
    chat=False,
)  # fmt: skip


@dataclass
class Script:
    """What the engine knows and does.

    load, imports   (phase, done, total) steps; packs: loading packs the model
    answer          the pieces of an answer
    variants        the pieces of each of several answers, which come in turn; one with fewer than another ends before
                    it, and "answer" holds back the end of the longest
    pause_s         between two pieces
    stopped_by      the stop string that ends answers
    has_figures     False leaves out every figure that a real engine would have measured
    load_errors     by model id; import_error, remove_error, answer_error: make that kind of request fail, an answer
                    after its pieces
    benchmark       (phase, done, total) steps; report or benchmark_error ends it
    tiers           that every model has
    audited         what answers of a tier say of it: (token it was left at, tokens audited, mean KL)
    known           by model id: reports that are kept; unfinished: the share done by study; stale: studies
    study           (phase, done, total) steps; reports or study_error ends it, a cancelled one is kept unfinished
    read_error      makes reading what is kept fail
    comparison      or compare_error ends a comparison, after its steps in `compare`
    devices         what this machine is, and `measured` once its speeds have been, after the steps in `measure`;
                    devices_error: makes both fail
    offer           what budgets buy, for whichever model is asked about, and `assumed` with a card that is not here;
                    offer_error: or why that cannot be said
    placement       where a model is after it was loaded; None without a card
    card_refusal    why no card takes part in a model, where one was asked for
    budget          answers SetBudget; budget_error: makes it fail
    step_down       told unasked after the first piece of an answer
    samples         sent in turn, one for each piece, while neurons are watched; watch_error: or why none is
    step_load       who did the work of answers
    left_out        what of a conversation is not read, where its words are more than the model's context and the policy
                    is not to ask; a word is a token
    hub             what is answered about the hub, downloads and the library's folders
    free_bytes      of memory, as estimates are told beside
    own_template    of every model; kept_template in its place; template_problem: why a source is refused, and its line
    gates           "load", "import", "benchmark", "study", "studies", "compare", "devices", "measure", "offer",
                    "budget", "count", "prompt", "answer": held back until set; "prompt" before the first piece,
                    "answer" before the end of one
    """

    models: tuple[ModelInfo, ...] = (STARTER, OTHER)
    load: tuple[tuple[str, int, int], ...] = ()
    packs: bool = False
    imports: tuple[tuple[str, int, int], ...] = ()
    answer: Callable[[Generate], Iterable[str]] = lambda request: ("Hello", ", ", "world.")
    variants: Callable[[GenerateVariants], Sequence[Sequence[str]]] = lambda request: [
        [f"Version {number}", " of", " it."] for number in range(len(request.samplings))
    ]
    reason: str = "stop"
    stopped_by: str = ""
    pause_s: float = 0.0
    load_errors: dict[str, ErrorReport] = field(default_factory=dict)
    import_error: ErrorReport | None = None
    remove_error: ErrorReport | None = None
    answer_error: ErrorReport | None = None
    benchmark: tuple[tuple[str, int, int], ...] = ()
    report: BenchmarkReport | None = None
    benchmark_error: ErrorReport | None = None
    has_figures: bool = True
    chat_tokens: int = 0
    tiers: tuple[str, ...] = (EXACT,)
    audited: tuple[int, int, float] = (-1, 0, 0.0)
    known: dict[str, tuple[tuple[str, StudyReport], ...]] = field(default_factory=dict)
    unfinished: dict[str, float] = field(default_factory=dict)
    stale: tuple[str, ...] = ()
    damaged: tuple[str, ...] = ()
    study: tuple[tuple[str, int, int], ...] = ()
    reports: dict[str, StudyReport] = field(default_factory=dict)
    study_error: ErrorReport | None = None
    read_error: ErrorReport | None = None
    compare: tuple[tuple[str, int, int], ...] = ()
    comparison: Comparison | None = None
    compare_error: ErrorReport | None = None
    devices: DeviceReport = NOTHING_KNOWN
    measured: DeviceReport | None = None
    measure: tuple[tuple[str, int, int], ...] = ()
    devices_error: ErrorReport | None = None
    offer: PlacementOffer | None = None
    assumed: PlacementOffer | None = None
    offer_error: ErrorReport | None = None
    placement: PlacementState | None = None
    card_refusal: ErrorReport | None = None
    budget: Callable[[SetBudget], PlacementState] | None = None
    budget_error: ErrorReport | None = None
    step_down: PlacementState | None = None
    samples: tuple[NeuronSample, ...] = ()
    watch_error: ErrorReport | None = None
    step_load: StepLoad | None = None
    left_out: LeftOut | None = None
    hub: HubScript = field(default_factory=HubScript)
    free_bytes: int = 8_000_000_000
    own_template: str = "{% for m in messages %}{{ m.content }}{% endfor %}"
    kept_template: str = ""
    template_problem: Callable[[str], tuple[str, int]] = lambda source: ("", 0)
    gates: dict[str, threading.Event] = field(default_factory=dict)


class FakeEngine:
    def __init__(self, on_event: OnEvent, script: Script) -> None:
        self.script = script
        self.requests: list[Request] = []
        self.loaded: ModelInfo | None = None
        self._on_event = on_event
        self._queue: queue.SimpleQueue[Request | None] = queue.SimpleQueue()
        self._cancelled: set[str] = set()
        self._budgets: queue.SimpleQueue[SetBudget] = queue.SimpleQueue()
        self._is_answering = False
        self._watcher = ""
        self._n_samples = 0
        self._closing = threading.Event()
        self._dead = threading.Event()
        # A daemon, so that an answer a failed test never ended does not keep the whole run from ending.
        self._thread = threading.Thread(target=self._run, name="fake-engine", daemon=True)
        self._thread.start()
        self._trashed: dict[str, ModelInfo] = {}
        self.hub = FakeHub(script.hub, self._tell, self._take_model, self._put_model)

    # The door -----------------------------------------------------------------------------------------------------

    @property
    def alive(self) -> bool:
        return not self._closing.is_set() and not self._dead.is_set()

    def submit(self, request: Request) -> None:
        self.requests.append(request)
        if isinstance(request, Cancel):
            self._cancelled.add(request.target_id)
            self.hub.cancel(request.target_id)
        elif isinstance(request, TransferRequests | CatalogRequests):
            self.hub.submit(request)
        elif isinstance(request, WatchNeurons) and self.script.watch_error is not None:
            self._on_event(Failed(request.request_id, self.script.watch_error))
        elif isinstance(request, WatchNeurons):
            self._watcher = request.request_id if request.wanted else ""
        elif isinstance(request, SetBudget) and self._is_answering:
            self._budgets.put(request)
        else:
            self._queue.put(request)

    def close(self) -> None:
        self._closing.set()
        self._queue.put(None)
        self.hub.close()
        if threading.current_thread() is not self._thread:
            self._join()

    # For tests ----------------------------------------------------------------------------------------------------

    def die(self, exit_code: int = -9, log_tail: str = "last words of the engine") -> None:
        """End as a process does: no more answers, one HostDied."""
        self._dead.set()
        self._queue.put(None)
        self.hub.close()
        self._join()
        self._on_event(HostDied(exit_code, log_tail, ()))

    def _join(self) -> None:
        self._thread.join(timeout=10)
        assert not self._thread.is_alive(), "an answer of the script waits for something that never comes"

    def asked(self, kind: type) -> list[Request]:
        return [request for request in self.requests if isinstance(request, kind)]

    # The lane -----------------------------------------------------------------------------------------------------

    def _run(self) -> None:
        while (request := self._queue.get()) is not None:
            try:
                self._handle(request)
            except _Ended:
                return

    def _handle(self, request: Request) -> None:
        script = self.script
        match request:
            case ListModels():
                self._emit(ModelList(request.request_id, script.models))
            case LoadModel():
                self._load(request)
            case UnloadModel():
                self.loaded = None
                self._emit(ModelUnloaded(request.request_id, 1))
            case ImportModel():
                self._import(request)
            case RemoveModel():
                self._remove(request)
            case RunBenchmark():
                self._benchmark(request)
            case StudyNeurons():
                self._study(request)
            case ReadStudies():
                self._read_studies(request)
            case ForgetChats():
                self.script.chat_tokens = 0
                self._read_studies(request)
            case CompareTiers():
                self._compare(request)
            case CountTokens():
                self._count_tokens(request)
            case ReadDevices():
                self._read_devices(request)
            case OfferPlacement():
                self._offer(request)
            case SetBudget():
                self._set_budget(request)
            case DescribeModel():
                self._describe(request)
            case ReadTemplate() | KeepTemplate() | TryTemplate():
                self._template(request)
            case Generate() | GenerateVariants():
                self._is_answering = True
                try:
                    self._generate(request) if isinstance(request, Generate) else self._generate_variants(request)
                finally:
                    self._is_answering = False
                self._set_waiting_budgets()

    def _describe(self, request: DescribeModel) -> None:
        """The weights as large as the file, a hundredth of a megabyte of cache a token, 50 MB to work in."""
        model = next((m for m in self.script.models if m.model_id == request.model_id), None)
        if model is None:
            self._emit(Failed(request.request_id, UnknownModel(request.model_id).report()))
            return
        cache = 10_000 * model.context_tokens
        total = model.size_bytes + cache + 50_000_000
        self._emit(
            ModelDescription(
                request.request_id, model, 576, 30, 9, 3, 1536, 49152, model.context_tokens, (), cache, total,
                model.size_bytes, self.script.free_bytes,
            )
        )  # fmt: skip

    def _template(self, request: ReadTemplate | KeepTemplate | TryTemplate) -> None:
        script = self.script
        if isinstance(request, TryTemplate):
            problem, line = script.template_problem(request.source)
            text = "" if problem else "".join(f"<|{role}|>{content}" for role, content in request.turns)
            controls = () if problem else ((0, len(f"<|{request.turns[0][0]}|>")),)
            self._emit(
                TemplateTried(request.request_id, request.model_id, text, len(text) // 4, controls, problem, line)
            )
            return
        if isinstance(request, KeepTemplate):
            script.kept_template = request.source
        self._emit(
            TemplateRead(request.request_id, request.model_id, "checkpoint", script.own_template, script.kept_template)
        )

    def _remove(self, request: RemoveModel) -> None:
        script = self.script
        gone = next(m for m in script.models if m.model_id == request.model_id)
        if self.loaded is not None and self.loaded.model_id == gone.model_id:
            self.loaded = None
        if script.remove_error is not None:
            self._emit(Failed(request.request_id, script.remove_error))
            return
        script.models = tuple(m for m in script.models if m is not gone)
        self._emit(ModelRemoved(request.request_id, gone.model_id, gone.size_bytes))

    def _load(self, request: LoadModel) -> None:
        model = next((m for m in self.script.models if m.model_id == request.model_id), None)
        if model is None:
            self._emit(Failed(request.request_id, UnknownModel(request.model_id).report()))
            return
        self.loaded = None
        if self._steps(request.request_id, self.script.load, "load"):
            return
        if request.model_id in self.script.load_errors:
            self._emit(Failed(request.request_id, self.script.load_errors[request.model_id]))
            return
        if self.script.packs:
            packed = replace(model, state="packed", weight_format="int8")
            self.script.models = tuple(packed if each is model else each for each in self.script.models)
            model = packed
        self.loaded = model
        memory_bytes, n_threads = (200_000_000, 2) if self.script.has_figures else (0, 0)
        tiers = self.script.tiers
        placement = self.script.placement
        placement = placement and replace(placement, model_id=model.model_id)
        self._emit(
            ModelReady(
                request.request_id,
                model,
                0.1,
                n_threads,
                memory_bytes,
                model.context_tokens,
                tiers,
                placement,
                card_refusal=self.script.card_refusal,
                estimated_bytes=memory_bytes and 216_000_000,
                resident_bytes=memory_bytes and 211_000_000,
            )
        )

    def _import(self, request: ImportModel) -> None:
        if self._steps(request.request_id, self.script.imports, "import"):
            return
        if self.script.import_error is not None:
            self._emit(Failed(request.request_id, self.script.import_error))
            return
        name = request.source.rsplit("/", 1)[-1].removesuffix(".gguf")
        model = replace(
            OTHER, model_id=name.lower(), name=name, source=request.source, weight_format=request.weight_format
        )
        self.script.models = (*self.script.models, model)
        self._emit(ModelImported(request.request_id, model))

    def _benchmark(self, request: RunBenchmark) -> None:
        self.loaded = None
        if self._steps(request.request_id, self.script.benchmark, "benchmark"):
            return
        if self.script.report is None or self.script.benchmark_error is not None:
            error = self.script.benchmark_error or UnknownModel(request.spec.model_id).report()
            self._emit(Failed(request.request_id, error))
            return
        self._emit(BenchmarkDone(request.request_id, self.script.report))

    def _study(self, request: StudyNeurons) -> None:
        script, spec = self.script, request.spec
        self.loaded = None
        if self._steps(request.request_id, script.study, "study"):
            _, done, total = script.study[-1] if script.study else ("", 0, 1)
            script.unfinished[spec.study] = done / total
            return
        report = script.reports.get(spec.study)
        if report is None or script.study_error is not None:
            self._emit(Failed(request.request_id, script.study_error or UnknownModel(spec.model_id).report()))
            return
        script.unfinished.pop(spec.study, None)
        script.stale = tuple(study for study in script.stale if study != spec.study)
        others = tuple(kept for kept in script.known.get(spec.model_id, ()) if kept[0] != spec.study)
        script.known[spec.model_id] = (*others, (spec.study, report))
        self._emit(StudyDone(request.request_id, spec.study, report))

    def _read_studies(self, request: ReadStudies | ForgetChats) -> None:
        script = self.script
        if self._waits("studies", request.request_id):
            self._emit(RequestCancelled(request.request_id))
        elif script.read_error is not None:
            self._emit(Failed(request.request_id, script.read_error))
        else:
            known = script.known.get(request.model_id, ())
            unfinished = tuple(script.unfinished.items())
            answer = StudiesRead(request.request_id, request.model_id, known, unfinished, script.stale)
            self._emit(replace(answer, chat_tokens=script.chat_tokens, damaged=script.damaged))

    def _compare(self, request: CompareTiers) -> None:
        if self._steps(request.request_id, self.script.compare, "compare"):
            return
        if self.script.comparison is None or self.script.compare_error is not None:
            error = self.script.compare_error or NoModelLoaded().report()
            self._emit(Failed(request.request_id, error))
            return
        self._emit(TiersCompared(request.request_id, replace(self.script.comparison, tier=request.tier)))

    def _read_devices(self, request: ReadDevices) -> None:
        script = self.script
        if request.measure and self._steps(request.request_id, script.measure, "measure"):
            return
        if self._waits("devices", request.request_id):
            self._emit(RequestCancelled(request.request_id))
        elif script.devices_error is not None:
            self._emit(Failed(request.request_id, script.devices_error))
        else:
            if request.measure and script.measured is not None:
                script.devices = script.measured
            self._emit(DevicesRead(request.request_id, script.devices))

    def _offer(self, request: OfferPlacement) -> None:
        script = self.script
        if self._waits("offer", request.request_id):
            self._emit(RequestCancelled(request.request_id))
            return
        offer = script.assumed if request.assumed_card else script.offer
        if offer is None or script.offer_error is not None:
            error = script.offer_error or UnknownModel(request.model_id).report()
            self._emit(Failed(request.request_id, error))
        else:
            offer = replace(offer, model_id=request.model_id, assumed=request.assumed_card or offer.assumed)
            self._emit(PlacementOffered(request.request_id, offer))

    def _set_budget(self, request: SetBudget) -> None:
        script = self.script
        if self._waits("budget", request.request_id):
            self._emit(RequestCancelled(request.request_id))
        elif self.loaded is None or script.budget is None or script.budget_error is not None:
            self._emit(Failed(request.request_id, script.budget_error or NoModelLoaded().report()))
        else:
            self._emit(BudgetApplied(request.request_id, script.budget(request)))

    def _set_waiting_budgets(self) -> None:
        """Between two pieces, as the real one does between two tokens."""
        while not self._budgets.empty():
            self._set_budget(self._budgets.get())

    def _send_sample(self) -> None:
        if self._watcher and self.script.samples:
            sample = self.script.samples[self._n_samples % len(self.script.samples)]
            self._n_samples += 1
            self._emit(NeuronsSeen(self._watcher, sample))

    def _count_tokens(self, request: CountTokens) -> None:
        if self.loaded is None:
            self._emit(Failed(request.request_id, NoModelLoaded().report()))
            return
        if self._waits("count", request.request_id):
            self._emit(RequestCancelled(request.request_id))
            return
        counts = tuple(len(message.content.split()) for message in request.messages)
        n_fit = self.loaded.context_tokens
        left_out = self.script.left_out if sum(counts) > n_fit and request.overflow != ASK else None
        gone = 0 if left_out is None else left_out.n_tokens + left_out.cut_tokens
        self._emit(
            TokensCounted(
                request.request_id,
                self.loaded.model_id,
                tuple(len(text.split()) for text in request.texts),
                counts,
                sum(counts) + 4 * len(counts) - gone,
                n_fit,
                n_fit // 4,
                left_out,
                left_out is not None or sum(counts) < n_fit,
            )
        )

    def _generate(self, request: Generate) -> None:
        if self.loaded is None:
            self._emit(Failed(request.request_id, NoModelLoaded().report()))
            return
        if self._waits("prompt", request.request_id):
            self._emit(RequestCancelled(request.request_id))
            return
        if self.script.left_out is not None and request.overflow != ASK:
            n_fit = self.loaded.context_tokens
            self._emit(PromptFitted(request.request_id, n_fit // 2, n_fit, self.script.left_out))
        count = 0
        reason = self.script.reason
        for piece in self.script.answer(request):
            if self._is_cancelled(request.request_id):
                reason = "cancelled"
                break
            self._emit(TextPiece(request.request_id, piece))
            self._send_sample()
            if not count and self.script.step_down is not None:
                self._emit(BudgetApplied(request.request_id, self.script.step_down))
            self._set_waiting_budgets()
            count += 1
            if self.script.pause_s:
                time.sleep(self.script.pause_s)
        if reason != "cancelled" and self._waits("answer", request.request_id):
            reason = "cancelled"
        if self.script.answer_error is not None:
            self._emit(Failed(request.request_id, self.script.answer_error))
            return
        load = self.script.step_load
        n_context, stopped_by = self.loaded.context_tokens, self.script.stopped_by
        stats = GenerationStats(20, 0, 0.5, 0.6, count, 0.25, n_context, load=load, stopped_by=stopped_by)
        if not self.script.has_figures:
            stats = GenerationStats(0, 0, 0.0, 0.0, 0, 0.0, self.loaded.context_tokens)
        if request.tier != EXACT:
            left_at, audited, kl = self.script.audited
            stats = replace(stats, tier=request.tier, tier_left_at=left_at, audited_tokens=audited, audit_kl=kl)
        self._emit(GenerationFinished(request.request_id, reason, stats))

    def _generate_variants(self, request: GenerateVariants) -> None:
        request_id = request.request_id
        if self.loaded is None:
            self._emit(Failed(request_id, NoModelLoaded().report()))
            return
        if self._waits("prompt", request_id):
            self._emit(RequestCancelled(request_id))
            return
        answers = self.script.variants(request)
        going = dict.fromkeys(range(len(answers)), 0)
        n_longest = max(map(len, answers))
        for at in range(n_longest):
            for number in tuple(going):
                if self._is_cancelled(request_id):
                    break
                if at == len(answers[number]):
                    self._end_variant(request, number, self.script.reason, going.pop(number))
                else:
                    self._emit(VariantText(request_id, number, answers[number][at]))
                    going[number] += 1
            if self.script.pause_s:
                time.sleep(self.script.pause_s)
        is_cancelled = self._waits("answer", request_id)
        if self.script.answer_error is not None and not is_cancelled:
            self._emit(Failed(request_id, self.script.answer_error))
            return
        for number, count in going.items():
            self._end_variant(request, number, "cancelled" if is_cancelled else self.script.reason, count)
        self._emit(VariantsFinished(request_id))

    def _end_variant(self, request: GenerateVariants, number: int, reason: str, count: int) -> None:
        """Its figures are its own: a seed, and so many tokens as it had pieces."""
        seed = request.samplings[number].seed
        n_context = self.loaded.context_tokens if self.loaded is not None else 0
        stats = GenerationStats(20, 0, 0.5, 0.6, count, 0.25, n_context, seed=1000 + number if seed is None else seed)
        if not self.script.has_figures:
            stats = GenerationStats(0, 0, 0.0, 0.0, 0, 0.0, n_context)
        self._emit(VariantEnded(request.request_id, number, reason, stats))

    def _steps(self, request_id: str, steps: tuple[tuple[str, int, int], ...], gate: str) -> bool:
        """Report the steps; True where the request was cancelled meanwhile, which is then answered."""
        for phase, done, total in steps:
            self._emit(Progress(request_id, phase, done, total))
        if self._waits(gate, request_id):
            self._emit(RequestCancelled(request_id))
            return True
        return False

    def _waits(self, gate: str, request_id: str) -> bool:
        """Wait for a gate; True where the request was cancelled."""
        event = self.script.gates.get(gate)
        while event is not None and not event.wait(0.005):
            self._check()
            if gate == "answer":
                self._set_waiting_budgets()
            if self._is_cancelled(request_id):
                return True
        return self._is_cancelled(request_id)

    def _is_cancelled(self, request_id: str) -> bool:
        self._check()
        return request_id in self._cancelled

    def _check(self) -> None:
        if self._closing.is_set() or self._dead.is_set():
            raise _Ended

    def _emit(self, event: Event) -> None:
        self._check()
        self._on_event(event)

    # The hub's thread ---------------------------------------------------------------------------------------------

    def _tell(self, event: Event) -> None:
        if self.alive:
            self._on_event(event)

    def _take_model(self, model_id: str) -> int:
        gone = next(model for model in self.script.models if model.model_id == model_id)
        self.script.models = tuple(model for model in self.script.models if model is not gone)
        self._trashed[model_id] = gone
        return gone.size_bytes

    def _put_model(self, model_id: str) -> None:
        if model_id in self._trashed:
            self.script.models = (*self.script.models, self._trashed.pop(model_id))


class _Ended(Exception):
    """Closed or dead in the middle of a request."""
