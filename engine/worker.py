"""What the engine does with a request: `handle(request)` yields its events.

The only place that makes events (besides the host's HostDied) and one of two boundaries that catch all errors: whatever
goes wrong below becomes a Failed event with fields, and the engine goes on. Runs on the compute lane; `cancel` may be
called from any thread.
"""

import contextlib
import dataclasses
import logging
import threading
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from pathlib import Path

from engine.bench.run import run_benchmark
from engine.context_reports import PromptFitted, TokensCounted
from engine.errors import (
    Cancelled,
    CardUnusable,
    ContextFull,
    DamagedFile,
    EngineError,
    ErrorReport,
    FileMissing,
    InternalError,
    InvalidRequest,
    NoModelLoaded,
    OutOfMemory,
    ProfileRefused,
)
from engine.hub.library import Library, LibraryEntry
from engine.hub.model_infos import STARTER_ID, packed_info
from engine.importing import import_model
from engine.live_requests import LiveRequests
from engine.messages import (
    AddProfile,
    BenchmarkDone,
    BudgetApplied,
    ChatMessage,
    CompareTiers,
    CountTokens,
    DescribeModel,
    DevicesRead,
    EngineConfig,
    Event,
    Failed,
    ForgetChats,
    Generate,
    GenerateVariants,
    GenerationFinished,
    GenerationStats,
    ImportModel,
    ListModels,
    LoadModel,
    ModelDescription,
    ModelImported,
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
    SamplingParams,
    SaveProfile,
    SetBudget,
    StudiesRead,
    StudyDone,
    StudyNeurons,
    TextPiece,
    TiersCompared,
    UnloadModel,
    VariantsFinished,
    WatchNeurons,
)
from engine.model.checkpoint import Checkpoint
from engine.model.open_checkpoint import open_checkpoint
from engine.model.packed_model import PackedModel, default_weight_format, open_packed
from engine.neuron_reports import EXACT, TierReport
from engine.neurons.compare import compare
from engine.neurons.profile import add_chat_counts, counted_chat_tokens, forget_chat_counts
from engine.neurons.profile_exchange import add_profile, save_profile
from engine.neurons.store import NeuronStore
from engine.neurons.studies import study_neurons
from engine.placement.cores import compute_threads
from engine.placement.energy import EnergyReading, joules_between, read_energy
from engine.placement.hardware import probe_memory
from engine.runtime.audit import Audit, Promise
from engine.runtime.compiled_kernels import CompiledKernels
from engine.runtime.generate import generate
from engine.runtime.loader import MIN_CONTEXT_TOKENS, LoadedModel, load_model, memory_need
from engine.runtime.neuron_order import by_importance
from engine.runtime.residence import free_memory, give_back_unused, resident_memory
from engine.runtime.tuning import tuned
from engine.template_reports import KeepTemplate, ReadTemplate, TemplateRequests, TryTemplate
from engine.text.context_window import ContextWindow
from engine.worker_card import ModelCard, WantedCard, card_state, find_card, open_card
from engine.worker_placement import Subject, neuron_importance, offer_placement, read_devices
from engine.worker_text import (
    chat_ends,
    chat_ids,
    check_messages,
    goes_on,
    keep_template,
    read_template,
    text_ids,
    try_template,
)
from engine.worker_variants import variant_events

log = logging.getLogger(__name__)

# Progress that arrives faster than this is not worth a message.
_PROGRESS_INTERVAL_S = 0.05

Emit = Callable[[Event], None]


class Worker:
    """Holds the library and the loaded model; handles one request at a time."""

    def __init__(self, config: EngineConfig, emit: Emit) -> None:
        self._config = config
        self._emit = emit
        self._library = Library(Path(config.library_dir))
        self._library.remove_leftovers()
        self._loaded: LoadedModel | None = None
        self._windows: dict[bool, ContextWindow] = {}
        self._memory_at_start = resident_memory()
        self._kernels = CompiledKernels(Path(config.kernel_cache_dir))
        self._audits: dict[str, Audit] = {}
        self._card: ModelCard | None = None
        self._card_refusal: ErrorReport | None = None
        self._watch: WatchNeurons | None = None
        self.live = LiveRequests(emit, self._card_in_use, self._use_watch)
        self._lock = threading.Lock()
        self._running = ""
        self._cancelled: set[str] = set()
        self._last_progress = ("", "", 0.0)

    def cancel(self, request_id: str) -> None:
        """Stop this request now if it runs, or before it begins."""
        with self._lock:
            self._cancelled.add(request_id)
            if self._running == request_id and self._loaded is not None:
                self._loaded.transformer.request_stop()

    @property
    def has_card(self) -> bool:
        return self._card is not None

    def idle(self) -> None:
        """Now and then while nothing is asked: another program may want the card's memory."""
        if self._card is not None:
            self._card.watch_memory()

    def use_library(self, library: Library) -> None:
        """Other folders from the next request on."""
        self._library = library

    def is_loaded(self, packed: Path) -> bool:
        loaded = self._loaded
        return loaded is not None and loaded.packed.path == packed

    @property
    def held_bytes(self) -> int:
        """Of memory, by the loaded model."""
        loaded = self._loaded
        return 0 if loaded is None else loaded.transformer.n_bytes

    def run(self, request: Request) -> None:
        """Handle one request, emitting its events; never raises."""
        request_id = getattr(request, "request_id", "")
        with self._lock:
            self._running = request_id
            is_cancelled = request_id in self._cancelled
        try:
            if isinstance(request, SetBudget | WatchNeurons):
                self.live.turn(request, is_cancelled=is_cancelled)
                return
            if is_cancelled:
                raise Cancelled
            for event in self.handle(request):
                self._emit(event)
        except Cancelled:
            self._emit(RequestCancelled(request_id))
        except EngineError as error:
            if isinstance(error, DamagedFile):  # whoever reads the log may want a library's own words
                log.warning("request %s: %s (%s)", type(request).__name__, error, error.__cause__)
            self._emit(Failed(request_id, error.report()))
        except MemoryError:
            self._emit(Failed(request_id, OutOfMemory(type(request).__name__, 0, 0).report()))
        except Exception as error:
            log.exception("request %s failed", type(request).__name__)
            self._emit(Failed(request_id, InternalError(type(error).__name__, str(error)).report()))
        finally:
            with self._lock:
                self._running = ""
                self._cancelled.discard(request_id)
                if self._loaded is not None:
                    self._loaded.transformer.clear_stop()

    def handle(self, request: Request) -> Iterator[Event]:
        """The events of one request. Raises EngineError, or Cancelled."""
        match request:
            case ReadTemplate() | TryTemplate() | KeepTemplate():
                yield self._template(request)
            case ListModels():
                yield ModelList(request.request_id, tuple(entry.info for entry in self._library.entries()))
            case DescribeModel():
                yield self._describe(request)
            case ImportModel():
                packed = self._import(request.request_id, Path(request.source), request.weight_format)
                yield ModelImported(request.request_id, packed_info(packed))
            case RemoveModel():
                yield self._remove(request)
            case LoadModel():
                yield self._load(request)
            case UnloadModel():
                yield ModelUnloaded(request.request_id, self._unload())
            case Generate():
                yield from self._generate(request)
            case GenerateVariants():
                yield from self._variants(request)
            case CountTokens():
                yield self._count_tokens(request)
            case CompareTiers():
                yield self._compare(request)
            case RunBenchmark():
                yield self._benchmark(request)
            case StudyNeurons():
                yield self._study(request)
            case ReadStudies():
                yield self._read_studies(request)
            case ForgetChats():
                yield self._forget_chats(request)
            case SaveProfile() | AddProfile():
                yield self._exchange_profile(request)
            case ReadDevices():
                on_step = self._rates_progress(request.request_id)
                yield DevicesRead(
                    request.request_id, read_devices(self._config, on_step, wants_measure=request.measure)
                )
            case OfferPlacement():
                yield self._offer(request)
            case _:
                raise InvalidRequest("request", type(request).__name__, "a request the worker handles")

    def close(self) -> None:
        self._unload()

    # Models -------------------------------------------------------------------------------------------------------

    def _import(self, request_id: str, source: Path, weight_format: str) -> PackedModel:
        return import_model(
            source, self._library, weight_format, lambda *progress: self._progress(request_id, *progress)
        )

    def _describe(self, request: DescribeModel) -> Event:
        _check_context(request.context_tokens)
        entry = self._library.find(request.model_id)
        if entry.packed is not None:
            packed = open_packed(entry.packed)
            config, parts = packed.config, packed.part_bytes
            weight_format = packed.weight_format
        else:
            with contextlib.closing(self._opened_source(entry)) as checkpoint:
                config, parts = checkpoint.config, {}
                weight_format = default_weight_format(config)
        need = memory_need(config, weight_format, request.context_tokens)
        return ModelDescription(
            request_id=request.request_id,
            model=entry.info,
            width=config.width,
            n_layers=config.n_layers,
            n_heads=config.n_heads,
            n_key_heads=config.n_key_heads,
            n_neurons=config.n_neurons,
            n_vocab=config.n_vocab,
            context_tokens=need.context_tokens,
            parts=tuple(parts.items()),
            cache_bytes=need.cache_bytes,
            memory_bytes=need.total_bytes + self._kernels.compiler_bytes(weight_format),
            weight_bytes=need.weight_bytes,
            free_bytes=free_memory(probe_memory()) + max(self.held_bytes, self._taken_bytes),
        )

    @property
    def _taken_bytes(self) -> int:
        """By how much this process has grown since it began: a model, and kernels and libraries that come with it."""
        return max(0, resident_memory() - self._memory_at_start)

    def _load(self, request: LoadModel) -> Event:
        started = time.perf_counter()
        _check_context(request.context_tokens)
        entry = self._library.find(request.model_id)
        packed = self._packed(request.request_id, entry)
        self._unload()
        wanted_card, self._card_refusal = self._find_card()
        importance = None if wanted_card is None else neuron_importance(packed.config, NeuronStore(packed))
        n_threads = compute_threads(self._config.n_threads)
        tuning = tuned(
            Path(self._config.kernel_cache_dir).parent,
            self._config.n_threads,
            lambda done, total: self._progress(request.request_id, "tune", done, total),
        )
        need = memory_need(packed.config, packed.weight_format, request.context_tokens)
        estimated = need.total_bytes + self._kernels.compiler_bytes(packed.weight_format)
        loaded = load_model(
            packed,
            context_tokens=request.context_tokens,
            n_threads=n_threads,
            on_progress=lambda phase, done, total: self._progress(request.request_id, phase, done, total),
            tuning=tuning,
            order=None if importance is None else by_importance(importance),
        )
        self._kernels.note(packed.weight_format)
        give_back_unused()  # what packing needed is not this model's
        taken = self._taken_bytes + loaded.transformer.untouched_bytes
        with self._lock:
            self._loaded = loaded
        self._take_up_tiers(loaded)
        if wanted_card is not None:
            self._open_card(request.request_id, wanted_card, loaded, entry.info.model_id)
        self._use_watch(self._watch)
        return ModelReady(
            request_id=request.request_id,
            model=packed_info(packed),
            load_s=time.perf_counter() - started,
            n_threads=n_threads,
            memory_bytes=loaded.transformer.n_bytes,
            context_tokens=loaded.transformer.cache.context_tokens,
            tiers=(EXACT, *self._audits),
            placement=None if self._card is None else self._card.state(),
            from_disk=loaded.residence.runs_from_disk,
            needed_bytes=loaded.residence.needed_bytes,
            free_bytes=loaded.residence.free_bytes,
            card_refusal=self._card_refusal,
            estimated_bytes=estimated,
            resident_bytes=0 if loaded.residence.runs_from_disk else taken,
        )

    def _take_up_tiers(self, loaded: LoadedModel) -> None:
        """Those calibrated for these weights, each with an audit that lasts until the model is loaded again."""
        store = NeuronStore(loaded.packed)
        tiers = store.tiers()
        report = store.read("tiers") if tiers else None
        if isinstance(report, TierReport):
            loaded.transformer.set_tiers({name: loaded.order.choices(choices) for name, choices in tiers.items()})
            offered = [figures for figures in report.tiers if figures.name in tiers]
            self._audits = {f.name: Audit(Promise(f.name, f.limit, f.kl_p99)) for f in offered}

    def _packed(self, request_id: str, entry: LibraryEntry) -> PackedModel:
        if entry.packed is not None:
            return open_packed(entry.packed)
        if entry.source is None:
            raise FileMissing(entry.info.model_id, "neither packed nor a source")
        return self._import(request_id, entry.source, "")

    def _opened_source(self, entry: LibraryEntry) -> Checkpoint:
        if entry.source is None:
            raise FileMissing(entry.info.model_id, "neither packed nor a source")
        return open_checkpoint(entry.source)

    def _remove(self, request: RemoveModel) -> Event:
        entry = self._library.find(request.model_id)
        freed = self._library.remove(entry.info.model_id)
        if self._loaded is not None and self._loaded.packed.path == entry.packed:
            self._unload()
        return ModelRemoved(request.request_id, entry.info.model_id, freed)

    def _unload(self) -> int:
        with self._lock:
            loaded, self._loaded = self._loaded, None
        self._windows.clear()
        self.live.drop()
        card, self._card = self._card, None
        self._audits = {}
        if loaded is None:
            return 0
        freed = loaded.transformer.n_bytes
        loaded.close()
        if card is not None:
            card.close()
        del loaded, card
        give_back_unused()
        return freed

    def _benchmark(self, request: RunBenchmark) -> Event:
        spec, packed = request.spec, None
        if not spec.shape:
            packed = self._packed(request.request_id, self._library.find(spec.model_id or STARTER_ID))
        self._unload()
        report = run_benchmark(
            spec,
            packed,
            compute_threads(self._config.n_threads),
            self._library.folder,
            lambda phase, done, total: self._progress(request.request_id, phase, done, total),
        )
        return BenchmarkDone(request.request_id, report)

    # Neurons ------------------------------------------------------------------------------------------------------

    def _study(self, request: StudyNeurons) -> Event:
        spec = request.spec
        packed = self._packed(request.request_id, self._library.find(spec.model_id or STARTER_ID))
        self._unload()
        report = study_neurons(
            spec,
            packed,
            compute_threads(self._config.n_threads),
            lambda phase, done, total: self._progress(request.request_id, phase, done, total),
        )
        return StudyDone(request.request_id, spec.study, report)

    def _read_studies(self, request: ReadStudies | ForgetChats) -> Event:
        entry = self._library.find(request.model_id)
        if entry.packed is None:
            return StudiesRead(request.request_id, entry.info.model_id, (), ())
        store = NeuronStore(open_packed(entry.packed))
        kept = store.survey()
        return StudiesRead(
            request.request_id,
            entry.info.model_id,
            kept.reports,
            store.unfinished(),
            kept.stale,
            counted_chat_tokens(store),
            kept.damaged,
        )

    def _forget_chats(self, request: ForgetChats) -> Event:
        entry = self._library.find(request.model_id)
        if entry.packed is not None:
            forget_chat_counts(NeuronStore(open_packed(entry.packed)))
        return self._read_studies(request)

    def _exchange_profile(self, request: SaveProfile | AddProfile) -> Event:
        entry = self._library.find(request.model_id)
        if entry.packed is None:
            raise ProfileRefused(request.path, "nothing_measured")
        if isinstance(request, SaveProfile):
            save_profile(open_packed(entry.packed), Path(request.path))
        else:
            add_profile(open_packed(entry.packed), Path(request.path), request.ember_version)
        return self._read_studies(ReadStudies(request.request_id, request.model_id))

    # Cards ----------------------------------------------------------------------------------------------------------

    def _offer(self, request: OfferPlacement) -> Event:
        _check_context(request.context_tokens)
        entry = self._library.find(request.model_id)
        if entry.packed is not None:
            packed = open_packed(entry.packed)
            config, weight_format, store = packed.config, packed.weight_format, NeuronStore(packed)
        else:
            with contextlib.closing(self._opened_source(entry)) as checkpoint:
                config, store = checkpoint.config, None
                weight_format = default_weight_format(config)
        subject = Subject(entry.info.model_id, config, weight_format, request.context_tokens, store)
        offer = offer_placement(request, self._config, subject, self._rates_progress(request.request_id))
        return PlacementOffered(request.request_id, offer)

    def _find_card(self) -> tuple[WantedCard | None, ErrorReport | None]:
        """The card to load for, and where there is none although one was asked for, why."""
        try:
            return find_card(self._config), None
        except EngineError as error:
            log.warning("no card: %s", error)
            return None, error.report()

    def _open_card(self, request_id: str, wanted: WantedCard, loaded: LoadedModel, model_id: str) -> None:
        """A card that cannot be used is no failure of loading."""
        try:
            self._card = open_card(
                self._config,
                wanted,
                loaded,
                model_id,
                self._rates_progress(request_id),
                lambda state: self._emit(BudgetApplied(self._running, state)),
            )
        except EngineError as error:
            log.warning("the card takes no part: %s", error)
            self._card_refusal = error.report()
        except Cancelled:
            self._unload()
            raise

    def _card_in_use(self) -> ModelCard:
        """Raises NoModelLoaded, CardUnusable."""
        self._answering()
        if self._card is None:
            raise CardUnusable(*card_state(self._config))
        return self._card

    def _use_watch(self, watch: WatchNeurons | None) -> None:
        self._watch = watch
        if self._loaded is not None:
            self._loaded.transformer.watch_neurons(0 if watch is None else watch.n_buckets)

    def _seen(self, loaded: LoadedModel) -> Iterator[Event]:
        """What watchers are to see, a few times a second."""
        sample = loaded.transformer.take_sample()
        if sample is not None and self._watch is not None:
            yield NeuronsSeen(self._watch.request_id, sample)

    def _with_load(self, loaded: LoadedModel, stats: GenerationStats) -> GenerationStats:
        """With who did the work, where a card takes part; the card learns how fast its plan was."""
        if self._card is None:
            return stats
        if stats.decode_tokens_per_s > 0:
            self._card.note_speed(stats.decode_tokens_per_s)
        return dataclasses.replace(stats, load=loaded.transformer.take_load())

    def _rates_progress(self, request_id: str) -> Callable[[int, int], None]:
        """Of measuring this machine."""
        return lambda done, total: self._progress(request_id, "rates", done, total)

    # Answers ------------------------------------------------------------------------------------------------------

    def _generate(self, request: Generate) -> Generator[Event, None, None]:
        loaded, audit = self._answering(), self._audit(request.tier)
        check_messages(request.messages, is_text=request.completes_text)
        _check_biases(loaded, request.sampling)
        fitted = self._window(loaded, completes_text=request.completes_text).fit(
            request.messages,
            request.overflow,
            keeps_first=request.keeps_first,
            max_tokens=request.sampling.max_tokens,
        )
        prompt, left_out = fitted.prompt, fitted.left_out
        if left_out is not None:
            n_fit = loaded.transformer.cache.context_tokens
            yield PromptFitted(request.request_id, len(prompt), n_fit, left_out)
        stop = request.sampling.stop if request.completes_text else _ends(loaded, request.sampling)
        before = self._energy()
        loaded.transformer.counts_neurons = request.counts_neurons
        loaded.transformer.take_load()  # what others did before is not this answer's
        answer = generate(
            loaded.transformer,
            loaded.tokenizer,
            prompt,
            request.sampling,
            stop,
            self._on_prompt(request.request_id),
            audit=audit,
            goes_on=request.completes_text or goes_on(request.messages),
        )
        while True:
            try:
                piece = next(answer)
            except StopIteration as end:
                if request.counts_neurons:
                    self._count_neurons(loaded, end.value.stats.generated_tokens)
                self.live.finish()
                yield from self._seen(loaded)
                processor, card = joules_between(before, self._energy())
                stats = dataclasses.replace(
                    self._with_load(loaded, end.value.stats),
                    left_out=left_out,
                    processor_joules=processor,
                    card_joules=card,
                )
                yield GenerationFinished(request.request_id, end.value.reason, stats)
                return
            yield TextPiece(request.request_id, piece)
            yield from self._seen(loaded)
            self.live.heed()

    def _variants(self, request: GenerateVariants) -> Iterator[Event]:
        loaded = self._answering()
        _check_biases(loaded, *request.samplings)
        window = self._window(loaded, completes_text=request.completes_text)
        yield from variant_events(request, loaded, window, self._on_prompt(request.request_id))
        self.live.finish()
        yield from self._seen(loaded)
        yield VariantsFinished(request.request_id)

    def _on_prompt(self, request_id: str) -> Callable[[int, int], None]:
        """What is due while a prompt is read."""

        def on_prompt(done: int, total: int) -> None:
            self._progress(request_id, "prompt", done, total)
            self.live.heed()

        return on_prompt

    def _count_tokens(self, request: CountTokens) -> Event:
        loaded = self._answering()
        window = self._window(loaded, completes_text=request.completes_text)
        prompt_tokens, left_out, fits = 0, None, True
        if request.messages:
            check_messages(request.messages, is_text=True)  # also one that nothing is asked in
            try:
                fitted = window.fit(
                    request.messages,
                    request.overflow,
                    keeps_first=request.keeps_first,
                    max_tokens=request.max_tokens,
                )
            except ContextFull as error:
                prompt_tokens, fits = error.prompt_tokens, False
            else:
                prompt_tokens, left_out = len(fitted.prompt), fitted.left_out
                fits = prompt_tokens < window.context_tokens
        return TokensCounted(
            request.request_id,
            packed_info(loaded.packed).model_id,
            tuple(map(window.count, request.texts)),
            tuple(window.count(message.content) for message in request.messages),
            prompt_tokens,
            window.context_tokens,
            window.room(request.max_tokens),
            left_out,
            fits,
        )

    def _compare(self, request: CompareTiers) -> Event:
        loaded, audit = self._answering(), self._audit(request.tier)
        if audit is None:
            raise InvalidRequest("tier", request.tier, ", ".join(self._audits) or EXACT)
        check_messages(request.messages)
        _check_biases(loaded, request.sampling)
        comparison = compare(
            loaded,
            chat_ids(loaded.packed, loaded.tokenizer, request.messages),
            request.sampling,
            _ends(loaded, request.sampling),
            audit,
            lambda phase, done, total: self._progress(request.request_id, phase, done, total),
        )
        return TiersCompared(request.request_id, comparison)

    def _answering(self) -> LoadedModel:
        if self._loaded is None:
            raise NoModelLoaded
        return self._loaded

    def _window(self, loaded: LoadedModel, *, completes_text: bool) -> ContextWindow:
        """Of the loaded model: what it gets to read of a conversation, or of a text that goes on."""

        def encode(messages: Sequence[ChatMessage]) -> list[int]:
            if completes_text:
                return text_ids(loaded.tokenizer, messages)
            return chat_ids(loaded.packed, loaded.tokenizer, messages)

        if completes_text not in self._windows:
            n_fit = loaded.transformer.cache.context_tokens
            self._windows[completes_text] = ContextWindow(encode, loaded.tokenizer, n_fit)
        return self._windows[completes_text]

    def _energy(self) -> EnergyReading:
        return read_energy(self._card.energy_uuid if self._card is not None else "")

    def _audit(self, tier: str) -> Audit | None:
        """Of a tier of the loaded model; None for exact. Raises InvalidRequest."""
        if tier != EXACT and tier not in self._audits:
            raise InvalidRequest("tier", tier, ", ".join((EXACT, *self._audits)))
        return self._audits.get(tier)

    def _template(self, request: TemplateRequests) -> Event:
        entry = self._library.find(request.model_id)
        if entry.packed is None:
            raise InvalidRequest("model_id", request.model_id, "a model that is prepared for use")
        packed, loaded = open_packed(entry.packed), self._loaded
        if loaded is not None and loaded.packed.path != entry.packed:
            loaded = None
        match request:
            case ReadTemplate():
                return read_template(request.request_id, request.model_id, packed)
            case TryTemplate():
                return try_template(request, packed, None if loaded is None else loaded.tokenizer)
            case KeepTemplate():
                answer = keep_template(request, packed)
                if loaded is not None:
                    self._windows.clear()
                return answer

    def _count_neurons(self, loaded: LoadedModel, n_tokens: int) -> None:
        """Add what an answer activated to the profile of the user's own chats; nothing of the text is kept."""
        counts = loaded.order.original(loaded.transformer.take_neuron_counts())
        loaded.transformer.counts_neurons = False
        try:
            add_chat_counts(NeuronStore(loaded.packed), counts, n_tokens)
        except EngineError as error:  # the answer is whole all the same
            log.warning("what an answer activated was not kept: %s", error)

    # Progress and cancellation ------------------------------------------------------------------------------------

    def _check(self, request_id: str) -> None:
        if request_id in self._cancelled:
            raise Cancelled

    def _progress(self, request_id: str, phase: str, done: int, total: int) -> None:
        """Emit progress, the first and last of a phase always; raises Cancelled where asked to stop."""
        self._check(request_id)
        now = time.monotonic()
        last_id, last_phase, last_time = self._last_progress
        is_new = (last_id, last_phase) != (request_id, phase)
        if is_new or done == total or now - last_time >= _PROGRESS_INTERVAL_S:
            self._last_progress = (request_id, phase, now)
            self._emit(Progress(request_id, phase, done, total))


def _check_context(context_tokens: int | None) -> None:
    if context_tokens is not None and context_tokens < MIN_CONTEXT_TOKENS:
        raise InvalidRequest("context_tokens", str(context_tokens), f"{MIN_CONTEXT_TOKENS} or more")


def _check_biases(loaded: LoadedModel, *samplings: SamplingParams) -> None:
    """Every token of a bias is one of the model's. Raises InvalidRequest."""
    n_vocab = loaded.packed.config.n_vocab
    for token in (token for sampling in samplings for token, _ in sampling.logit_bias):
        if not 0 <= token < n_vocab:
            raise InvalidRequest("logit_bias", str(token), f"tokens 0 to {n_vocab - 1:,}")


def _ends(loaded: LoadedModel, sampling: SamplingParams) -> tuple[str, ...]:
    """The strings that end an answer."""
    return (*sampling.stop, *chat_ends(loaded.packed))
