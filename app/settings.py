"""What the user chose: one typed, frozen value.

Owns names, defaults and ranges; the file it lives in is app/settings_file.py, which reads the types of the fields from
here, so that a new choice is one field. Knows no Qt; the window's geometry is not a choice and is kept elsewhere.
"""

from dataclasses import dataclass, field

from app.answer_settings import FIELDS as ANSWER_FIELDS
from app.answer_settings import AnswerSettings
from engine.context_reports import ASK, OVERFLOWS
from engine.errors import InvalidRequest
from engine.messages import SamplingParams
from engine.neuron_reports import EXACT, TIERS

THEMES = ("system", "light", "dark")
LANGUAGES = ("system", "en", "zh_CN")
ACCENTS = ("ember", "forest", "lagoon", "sky", "violet", "rose")
UNLOAD_MINUTES = (0, 5, 15, 60)
ENTER, CTRL_ENTER = SEND_KEYS = ("enter", "ctrl+enter")
ZOOMS = (80, 90, 100, 110, 125, 150, 175, 200)

Pairs = tuple[tuple[str, str], ...]
Names = tuple[str, ...]

_SAMPLING = SamplingParams()
_LONGEST_CARD = 200  # a card's UUID has 40 characters
_ZOOM_LIMITS = (min(ZOOMS), max(ZOOMS))


@dataclass(frozen=True, slots=True)
class AppSettings:
    """The user's choices.

    last_model   loaded again at the next start; empty means the starter model
    restores_model   whether it is loaded at the start; otherwise by the first message
    recent_models    ids of the models used last, the latest first
    unload_minutes   of UNLOAD_MINUTES: without an answer for so long, memory is given back; 0 means never
    completes_base   whether base models go on with a text; otherwise they are given questions to answer
    language     one of LANGUAGES
    theme        one of THEMES
    accent       one of ACCENTS
    zoom         percent of the usual size of everything in the window
    shortcuts    (action, keys) where they are not the usual ones; empty keys mean none; in the file a table
    is_welcomed  whether the first-run questions have been answered or skipped
    has_tray     whether the tray keeps an icon of Ember's
    tells_ends   whether the desktop says that a long answer has ended while the window is not looked at
    send_with    which key sends a message: one of SEND_KEYS; Shift+Enter always breaks the line
    overflow     what is done with a conversation that does not fit the context: one of OVERFLOWS
    keeps_first  whether the first message and its answer stay where the oldest turns are left out
    show_stats   whether answers carry a line of measured figures
    tiers        (model id, tier) where answers are not to be exact; in the file a table
    counts_neurons   whether what answers activate is added to the profile of the user's own chats
    card         which card the engine uses, as in EngineConfig; another one takes effect when the engine starts
    vram_bytes   what of the card's memory Ember may take; None means what is recommended
    endpoint     of the hub or a mirror of it; with proxy and ca_file as app/network.py reads them: empty means what the
                 environment says
    is_offline   whether every connection is forbidden
    library_folders   where models are kept, the first for new ones; empty means the folder in Ember's own
    download_limit    bytes/s of all downloads together; None means as fast as it goes
    keeps_source      whether what was fetched stays once it is prepared for use
    the others   of app.answer_settings.AnswerSettings, for every conversation that has none of its own
    """

    last_model: str = ""
    restores_model: bool = True
    recent_models: Names = ()
    unload_minutes: int = 0
    completes_base: bool = True
    language: str = "system"
    theme: str = "system"
    accent: str = "ember"
    zoom: int = 100
    shortcuts: Pairs = ()
    is_welcomed: bool = False
    has_tray: bool = False
    tells_ends: bool = True
    send_with: str = ENTER
    overflow: str = ASK
    keeps_first: bool = True
    show_stats: bool = True
    system_prompt: str = ""
    temperature: float = _SAMPLING.temperature
    top_p: float = _SAMPLING.top_p
    top_k: int = _SAMPLING.top_k
    min_p: float = _SAMPLING.min_p
    repetition_penalty: float = _SAMPLING.repetition_penalty
    seed: int | None = None
    max_tokens: int | None = None
    stop: Names = ()
    preset: str = "balanced"
    tiers: Pairs = ()
    counts_neurons: bool = False
    card: str = "auto"
    vram_bytes: int | None = None
    endpoint: str = ""
    is_offline: bool = False
    proxy: str = field(default="", repr=False)
    ca_file: str = ""
    library_folders: Names = ()
    download_limit: int | None = None
    keeps_source: bool = True

    def __post_init__(self) -> None:
        for name, choices in (
            ("theme", THEMES),
            ("language", LANGUAGES),
            ("accent", ACCENTS),
            ("send_with", SEND_KEYS),
            ("overflow", OVERFLOWS),
        ):
            if getattr(self, name) not in choices:
                raise InvalidRequest(name, getattr(self, name), ", ".join(choices))
        low, high = _ZOOM_LIMITS
        if not low <= self.zoom <= high:
            raise InvalidRequest("zoom", str(self.zoom), f"{low} to {high}")
        unknown = next((tier for _, tier in self.tiers if tier not in TIERS), None)
        if unknown is not None:
            raise InvalidRequest("tiers", unknown, ", ".join(TIERS))
        if not 0 < len(self.card) <= _LONGEST_CARD:
            raise InvalidRequest("card", self.card[:_LONGEST_CARD], f"1 to {_LONGEST_CARD} characters")
        if self.vram_bytes is not None and self.vram_bytes < 0:
            raise InvalidRequest("vram_bytes", str(self.vram_bytes), "0 or more")
        if self.download_limit is not None and self.download_limit < 1:
            raise InvalidRequest("download_limit", str(self.download_limit), "1 or more")
        if self.unload_minutes not in UNLOAD_MINUTES:
            raise InvalidRequest("unload_minutes", str(self.unload_minutes), ", ".join(map(str, UNLOAD_MINUTES)))
        self.answers()

    def tier_of(self, model_id: str) -> str:
        """The tier wished for with a model, which need not have it."""
        return dict(self.tiers).get(model_id, EXACT)

    def with_tier(self, model_id: str, tier: str) -> Pairs:
        """`tiers` with this one; exact needs no mention."""
        others = tuple(pair for pair in self.tiers if pair[0] != model_id)
        return others if tier == EXACT else tuple(sorted((*others, (model_id, tier))))

    def answers(self) -> AnswerSettings:
        """How answers are made where a conversation says nothing else."""
        return AnswerSettings(**{name: getattr(self, name) for name in ANSWER_FIELDS})

    def sampling(self) -> SamplingParams:
        return self.answers().sampling()
