"""What all messages of a transcript share: the drawings of formulas, and the selection that runs through them."""

from dataclasses import dataclass

from app.window.transcript.formula_renderer import FormulaRenderer
from app.window.transcript.selection import TranscriptSelection


@dataclass(frozen=True, slots=True)
class Shared:
    formulas: FormulaRenderer
    selection: TranscriptSelection
