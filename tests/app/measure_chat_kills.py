"""What kills cost: python -m tests.app.measure_chat_kills [N]

Starts a process that chats (chat_kill_writer), kills it N times at random moments while an answer is being written, and
looks each time at what the file still has: every message that was taken, every conversation of all runs before, and of
running answers all but the last second. The same file is used throughout, so that damage would add up.
"""

import argparse
import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from app.chat.chats import open_chats
from app.chat.conversation import INTERRUPTED, STREAMING
from app.paths import app_paths
from tests.app.chat_kill_writer import text_of

ROOT = Path(__file__).resolve().parents[2]
ALLOWED_S = 1.0


@dataclass
class Losses:
    """n_cut: answers that were running when killed; lost_s: for each kill, how old the oldest lost text was."""

    n_kills: int = 0
    n_cut: int = 0
    n_conversations: int = 0
    n_messages: int = 0
    lost_s: list[float] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


def measure(home: Path, n_kills: int, seed: int = 0) -> Losses:
    losses = Losses()
    moments = random.Random(seed)
    expected = text_of(120_000)
    sent: dict[str, str] = {}
    for number in range(n_kills):
        told, killed_at = _run_and_kill(home, number, moments.uniform(0.2, 1.8))
        sent |= {line["text"]: line["conversation"] for line in told if line["kind"] == "sent"}
        _look(home, told, killed_at, sent, expected, losses)
        losses.n_kills += 1
    return losses


def _run_and_kill(home: Path, number: int, after_s: float) -> tuple[list[dict], float]:
    """What the process said, and when it was killed: so long after its first piece of text."""
    command = [sys.executable, "-m", "tests.app.chat_kill_writer", str(home), str(number)]
    told: list[dict] = []
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        first = 0.0
        for line in process.stdout:
            told.append(json.loads(line))
            if not first and told[-1]["kind"] == "grew":
                first = time.monotonic()
            if first and time.monotonic() - first >= after_s:
                break
        killed_at = time.time()
        process.kill()
        # What it had said before it died was on the screen as well; a line may be cut.
        for line in process.stdout:
            if line.endswith("\n"):
                told.append(json.loads(line))
    if not first:
        raise RuntimeError(f"the process ended with {process.returncode} before it wrote anything")
    return told, killed_at


def _look(home: Path, told: list[dict], killed_at: float, sent: dict[str, str], expected: str, losses: Losses) -> None:
    chats = open_chats(app_paths(str(home)).conversations)
    try:
        if chats.database.salvaged is not None:
            losses.problems.append(f"damaged: {chats.database.salvaged.reason}")
        stored = {summary.id: chats.load(summary.id) for summary in chats.conversations()}
    finally:
        chats.database.close()
    messages = {message.id: message for conversation in stored.values() for message in conversation.messages}
    losses.n_conversations, losses.n_messages = len(stored), len(messages)
    for text, conversation_id in sent.items():
        found = stored.get(conversation_id)
        if found is None or not any(m.content == text for m in found.messages):
            losses.problems.append(f"message lost: {text}")
    for message in messages.values():
        if message.role == "assistant" and not expected.startswith(message.content):
            losses.problems.append(f"another text: {message.id}")
        if message.status == STREAMING:
            losses.problems.append(f"still running: {message.id}")
    oldest = 0.0
    for line in told:
        if line["kind"] == "sent":
            continue
        kept = messages.get(line["message"])
        if kept is None:
            losses.problems.append(f"answer lost: {line['message']}")
        elif len(kept.content) < line["length"]:
            oldest = max(oldest, killed_at - line["at"])
            if kept.status != INTERRUPTED:
                losses.problems.append(f"shorter than it was, and not marked: {kept.id}")
    losses.n_cut += any(m.status == INTERRUPTED for m in messages.values() if m.id in {t.get("message") for t in told})
    losses.lost_s.append(oldest)
    if oldest > ALLOWED_S:
        losses.problems.append(f"{oldest:.2f} s of text lost")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kills", nargs="?", type=int, default=10)
    kills = parser.parse_args().kills
    with tempfile.TemporaryDirectory() as folder:
        losses = measure(Path(folder), kills)
    lost = sorted(losses.lost_s)
    print(f"{losses.n_kills} kills, {losses.n_cut} of them while an answer was written")
    print(f"{losses.n_conversations} conversations with {losses.n_messages} messages at the end")
    print(f"text lost: median {statistics.median(lost):.2f} s, at most {lost[-1]:.2f} s")
    for problem in losses.problems:
        print(problem)
    return 1 if losses.problems else 0


if __name__ == "__main__":
    sys.exit(main())
