"""How fast downloads are beside `hf download`.

    python -m tests.hub.transfer.measure_throughput [ROUNDS] [MEGABYTES] [FOLDER]

One server on the loopback device, in a process of its own, gives the same model of four files to both programs in
turns, each started anew as a user would: `ember pull --no-pack` and huggingface_hub's own command, without its Xet
path, which the server does not speak. Ember's time includes the check of every file's SHA-256 and the flush to the
drive, which the other does not do; a FOLDER in memory leaves the drive out. Prints each round and the median ratio.
"""

import multiprocessing
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from multiprocessing.connection import Connection
from pathlib import Path

from tests.hub.hub_with_api import HubWithApi
from tests.hub.transfer import fake_hub
from tests.hub.transfer.conftest import noise
from tests.hub.transfer.fake_hub import sha256

ROOT = Path(__file__).resolve().parents[3]
REPO = "org/large"
FILES = 4


def files(megabytes: int) -> dict[str, bytes]:
    shards = {f"model-{n + 1:05}-of-{FILES:05}.safetensors": noise((megabytes << 20) // FILES, n) for n in range(FILES)}
    return {"config.json": b'{"model_type": "llama"}', "model.safetensors.index.json": b"{}", **shards}


def serve(pipe: "Connection[str, None]", megabytes: int) -> None:
    fake_hub.PIECE = 4 << 20  # written at once: the server is not what is measured
    with HubWithApi() as hub:
        hub.add(REPO, files(megabytes))
        pipe.send(hub.url)
        pipe.recv()


def timed(command: list[str], environ: dict[str, str]) -> tuple[float, float]:
    """Seconds that passed, and seconds of processor time of the command with all its processes."""
    started, before = time.perf_counter(), os.times()
    subprocess.run(command, cwd=ROOT, env=environ, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = os.times()
    busy_s = after.children_user + after.children_system - before.children_user - before.children_system
    return time.perf_counter() - started, busy_s


def right(folder: Path, wanted: dict[str, str]) -> bool:
    found = {path.name: sha256(path.read_bytes()) for path in folder.rglob("*.safetensors")}
    return found == wanted


def main(rounds: int, megabytes: int, place: str | None) -> None:
    wanted = {name: sha256(data) for name, data in files(megabytes).items() if name.endswith(".safetensors")}
    ours, pipe = multiprocessing.get_context("spawn").Pipe()
    server = multiprocessing.get_context("spawn").Process(target=serve, args=(pipe, megabytes), daemon=True)
    server.start()
    url = ours.recv()
    hf = Path(sys.executable).with_name("hf")
    times: dict[str, list[float]] = {"ember": [], "hf": []}
    busy: dict[str, list[float]] = {"ember": [], "hf": []}
    for number in range(rounds):
        for name in ("ember", "hf") if number % 2 == 0 else ("hf", "ember"):
            if hasattr(os, "sync"):
                os.sync()  # what the former one left to be written is none of this one's time
            with tempfile.TemporaryDirectory(dir=place) as folder:
                environ = {**os.environ, "HF_ENDPOINT": url, "EMBER_HOME": folder, "HF_HOME": folder}
                environ |= {"HF_HUB_DISABLE_XET": "1", "HF_HUB_DISABLE_TELEMETRY": "1"}
                command = {
                    "ember": [sys.executable, "-m", "app", "pull", REPO, "--no-pack"],
                    "hf": [str(hf), "download", REPO, "--local-dir", str(Path(folder) / "model")],
                }
                took_s, busy_s = timed(command[name], environ)
                times[name].append(took_s)
                busy[name].append(busy_s)
                if not right(Path(folder), wanted):
                    raise SystemExit(f"{name} left other files than the server has")
                shutil.rmtree(folder, ignore_errors=True)
                Path(folder).mkdir(exist_ok=True)
        told = (f"{name} {times[name][-1]:.2f} s (busy {busy[name][-1]:.2f} s)" for name in times)
        print(f"round {number + 1}: {', '.join(told)}", flush=True)
    medians = {name: statistics.median(found) for name, found in times.items()}
    rates = {name: megabytes * 1.048576 / median for name, median in medians.items()}
    ratios = [hf_s / ember_s for ember_s, hf_s in zip(times["ember"], times["hf"], strict=True)]
    print(f"{megabytes} MiB in {FILES} files, {rounds} rounds in turns, whole commands, medians")
    print(
        f"ember {medians['ember']:.2f} s ({rates['ember']:.0f} MB/s), hf {medians['hf']:.2f} s ({rates['hf']:.0f} MB/s)"
    )
    print(", ".join(f"{name} busy {statistics.median(found):.2f} s" for name, found in busy.items()))
    print(f"ratio {statistics.median(ratios):.2f} (min to max {min(ratios):.2f} to {max(ratios):.2f})")
    ours.send(None)
    server.join()


if __name__ == "__main__":
    given = dict(enumerate(sys.argv[1:]))
    main(int(given.get(0, "5")), int(given.get(1, "400")), given.get(2))
