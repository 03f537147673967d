"""How fast downloads are beside `hf download`.

    python -m tests.hub.transfer.measure_throughput [ROUNDS] [MEGABYTES] [FOLDER]

One server on the loopback device, in a process of its own, gives the same model of four files to both programs in
turns, without huggingface_hub's Xet path, which the server does not speak. Measured are the whole commands, each
started anew as a user would (`ember pull --no-pack`, `hf download`), and what of that is the transfer, without starting
Python and loading the programs: ours with its questions to the hub, `snapshot_download` with its own. Ember's time
includes the check of every file's SHA-256 and the flush to the drive, which the other does not do: its time is told
without and with a check of the same digests. A FOLDER in memory leaves the drive out. Prints rounds and median ratios.
"""

import json
import math
import multiprocessing
import os
import statistics
import struct
import subprocess
import sys
import tempfile
import time
from multiprocessing.connection import Connection
from pathlib import Path

from tests.golden.families import golden
from tests.hub.hub_with_api import HubWithApi
from tests.hub.transfer import fake_hub
from tests.hub.transfer.conftest import noise
from tests.hub.transfer.fake_hub import git_sha1, sha256

ROOT = Path(__file__).resolve().parents[3]
GOLDEN = golden("llama-3.2")
REPO = GOLDEN.repository
FILES = 4
OURS = """
import sys, time
from pathlib import Path
from engine.hub.hub_metadata import HubMetadata
from engine.hub.repository import Reference, request_of
from engine.hub.transfer.line import Network
from engine.hub.transfer.resolving import Hub
from engine.hub.transfer.transfer import Transfer
import huggingface_hub.hf_api
started = time.perf_counter()
hub, network = Hub(sys.argv[1]), Network()
request = request_of(HubMetadata(hub, network).repository(Reference(sys.argv[2])))
Transfer(request, Path(sys.argv[3]), hub, network).run()
print(time.perf_counter() - started)
"""
THEIRS = """
import hashlib, sys, time
from pathlib import Path
from huggingface_hub import snapshot_download
started = time.perf_counter()
snapshot_download(sys.argv[2], endpoint=sys.argv[1], local_dir=sys.argv[3])
print(time.perf_counter() - started)
for path in Path(sys.argv[3]).glob("*.safetensors"):
    with path.open("rb") as file:
        hashlib.file_digest(file, "sha256").hexdigest()
print(time.perf_counter() - started)
"""


def files(megabytes: int) -> dict[str, bytes]:
    """A checkpoint that Ember can run, of random weights: a layer a file, as wide as it takes."""
    small = {path.name: path.read_bytes() for path in GOLDEN.path.iterdir() if path.suffix == ".json"}
    config = json.loads(small["config.json"])
    width, n_neurons = 1024, (megabytes << 20) // (FILES * 3 * 1024 * 2)
    config |= {"hidden_size": width, "intermediate_size": n_neurons, "num_hidden_layers": FILES}
    heads, key_heads = (config[f"num_{kind}_heads"] * config["head_dim"] for kind in ("attention", "key_value"))
    layer = {
        "mlp.down_proj": (width, n_neurons), "mlp.gate_proj": (n_neurons, width), "mlp.up_proj": (n_neurons, width),
        "input_layernorm": (width,), "post_attention_layernorm": (width,), "self_attn.k_proj": (key_heads, width),
        "self_attn.v_proj": (key_heads, width), "self_attn.q_proj": (heads, width), "self_attn.o_proj": (width, heads),
    }  # fmt: skip
    held, found = {}, {**small, "config.json": json.dumps(config).encode()}
    for n in range(FILES):
        file = f"model-{n + 1:05}-of-{FILES:05}.safetensors"
        shapes = {f"model.layers.{n}.{name}.weight": shape for name, shape in layer.items()}
        if n == 0:
            shapes |= {"model.embed_tokens.weight": (config["vocab_size"], width), "model.norm.weight": (width,)}
        held |= dict.fromkeys(shapes, file)
        found[file] = safetensors(shapes, n)
    return {**found, "model.safetensors.index.json": json.dumps({"metadata": {}, "weight_map": held}).encode()}


def safetensors(shapes: dict[str, tuple[int, ...]], seed: int) -> bytes:
    """A file of random BF16 tensors."""
    head, end = {}, 0
    for name, shape in shapes.items():
        start, end = end, end + 2 * math.prod(shape)
        head[name] = {"dtype": "BF16", "shape": shape, "data_offsets": [start, end]}
    text = json.dumps(head).encode()
    return struct.pack("<Q", len(text)) + text + noise(end, seed)


def serve(pipe: "Connection[str, None]", megabytes: int) -> None:
    fake_hub.PIECE = 4 << 20  # written at once: the server is not what is measured
    with HubWithApi() as hub:
        repo = hub.add(REPO, files(megabytes))
        for data in repo.commits[repo.newest].values():
            sha256(data), git_sha1(data)  # known beforehand, as to a real hub
        pipe.send(hub.url)
        pipe.recv()


def timed(command: list[str], environ: dict[str, str], *, tells: bool) -> list[float]:
    """Seconds of a command, or those that it tells itself."""
    if hasattr(os, "sync"):
        os.sync()  # what the former one left to be written is none of this one's time
    started = time.perf_counter()
    done = subprocess.run(command, cwd=ROOT, env=environ, check=True, capture_output=True, text=True)
    return [float(word) for word in done.stdout.split()] if tells else [time.perf_counter() - started]


def main(rounds: int, megabytes: int, place: str | None) -> None:
    wanted = {name: sha256(data) for name, data in files(megabytes).items() if name.endswith(".safetensors")}
    ours, pipe = multiprocessing.get_context("spawn").Pipe()
    server = multiprocessing.get_context("spawn").Process(target=serve, args=(pipe, megabytes), daemon=True)
    server.start()
    url, python, hf = ours.recv(), sys.executable, str(Path(sys.executable).with_name("hf"))
    times: dict[str, list[float]] = {
        "ember": [], "hf": [], "ember transfer": [], "hf transfer": [], "hf transfer, checked": [],
    }  # fmt: skip
    for number in range(rounds):
        for name in sorted(("ember", "hf", "ember transfer", "hf transfer"), reverse=number % 2 == 1):
            with tempfile.TemporaryDirectory(dir=place) as folder:
                model = f"{folder}/model"
                environ = {**os.environ, "HF_ENDPOINT": url, "EMBER_HOME": folder, "HF_HOME": folder}
                environ |= {"HF_HUB_DISABLE_XET": "1", "HF_HUB_DISABLE_TELEMETRY": "1"}
                command = {
                    "ember": [python, "-m", "app", "pull", REPO, "--no-pack"],
                    "hf": [hf, "download", REPO, "--local-dir", model],
                    "ember transfer": [python, "-c", OURS, url, REPO, model],
                    "hf transfer": [python, "-c", THEIRS, url, REPO, model],
                }
                told = timed(command[name], environ, tells=name.endswith("transfer"))
                times[name].append(told[0])
                if len(told) > 1:
                    times[f"{name}, checked"].append(told[1])
                found = {path.name: sha256(path.read_bytes()) for path in Path(folder).rglob("*.safetensors")}
                if found != wanted:
                    raise SystemExit(f"{name} left other files than the server has")
        print(f"round {number + 1}: " + ", ".join(f"{name} {times[name][-1]:.2f} s" for name in times), flush=True)
    print(f"{megabytes} MiB in {FILES} files, {rounds} rounds in turns")
    for kind in ("", " transfer", " transfer, checked"):
        ours_s, theirs_s = times[f"ember{kind.removesuffix(', checked')}"], times[f"hf{kind}"]
        rates = [megabytes * 1.048576 / statistics.median(found) for found in (ours_s, theirs_s)]
        ratios = [their / our for our, their in zip(ours_s, theirs_s, strict=True)]
        print(
            f"{kind.strip() or 'whole command'}: ember {rates[0]:.0f} MB/s, hf {rates[1]:.0f} MB/s, "
            f"ratio {statistics.median(ratios):.2f} (min to max {min(ratios):.2f} to {max(ratios):.2f})"
        )
    ours.send(None)
    server.join()


if __name__ == "__main__":
    given = dict(enumerate(sys.argv[1:]))
    main(int(given.get(0, "5")), int(given.get(1, "1000")), given.get(2))
