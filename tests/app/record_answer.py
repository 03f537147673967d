"""Record how an answer of the real engine arrives: python -m tests.app.record_answer [FILE]

The pieces of one answer of the embedded model, and when each came, in seconds from the first. A test replays them
(tests/app/test_streaming.py), so that what it shows arrives as it does on a real machine: unevenly, and cut anywhere.
"""

import json
import queue
import sys
import tempfile
import time
from pathlib import Path

from engine.api import open_engine
from engine.messages import (
    ChatMessage,
    EngineConfig,
    Event,
    Failed,
    Generate,
    GenerationFinished,
    HostDied,
    LoadModel,
    ModelReady,
    SamplingParams,
    TextPiece,
)
from tests.model_fixtures import TEST_KERNELS

RECORDING = Path(__file__).parents[1] / "data" / "recorded-answer.json"
MODEL = "smollm2"
QUESTION = "Explain in three short paragraphs how rain forms. Then show how to print the months in Python."
SAMPLING = SamplingParams(temperature=0.0, seed=1, max_tokens=400)
PATIENCE_S = 600.0

Arrivals = list[tuple[float, str]]


def read_recording(path: Path = RECORDING) -> Arrivals:
    """When each piece came, in seconds from the first, and its text."""
    return [(at, text) for at, text in json.loads(path.read_text(encoding="utf-8"))["pieces"]]


def record() -> Arrivals:
    """Ask the embedded model, in a process of its own as the window has it."""
    arrived: queue.Queue[tuple[float, Event]] = queue.Queue()
    with tempfile.TemporaryDirectory() as library:
        config = EngineConfig(library, str(TEST_KERNELS), card="none")
        engine = open_engine(config, lambda event: arrived.put((time.perf_counter(), event)))
        try:
            engine.submit(LoadModel("load", MODEL))
            _until(arrived, ModelReady)
            engine.submit(Generate("answer", (ChatMessage("user", QUESTION),), SAMPLING))
            pieces = _until(arrived, GenerationFinished)
        finally:
            engine.close()
    start = pieces[0][0]
    return [(round(at - start, 4), text) for at, text in pieces]


def _until(arrived: "queue.Queue[tuple[float, Event]]", kind: type[Event]) -> Arrivals:
    """The pieces of text that come before the first event of a kind."""
    pieces: Arrivals = []
    while True:
        at, event = arrived.get(timeout=PATIENCE_S)
        if isinstance(event, Failed | HostDied):
            raise SystemExit(f"no answer: {event}")
        if isinstance(event, TextPiece):
            pieces.append((at, event.text))
        if isinstance(event, kind):
            return pieces


def main() -> None:
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else RECORDING
    pieces = record()
    rows = ",\n".join(json.dumps(piece, ensure_ascii=False) for piece in pieces)
    path.write_text(f'{{"model": {json.dumps(MODEL)}, "pieces": [\n{rows}\n]}}\n', encoding="utf-8")
    print(f"{len(pieces)} pieces in {pieces[-1][0]:.1f} s: {path}")


if __name__ == "__main__":
    main()
