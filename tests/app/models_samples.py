"""Made-up downloads, repositories and verdicts for tests and pictures of the model page; never shipped.

The catalogue is the one that comes with Ember, so that its words are looked at as they are.
"""

from dataclasses import replace

from engine.catalog_reports import CatalogEntry, FitReason, FitReport, HubFile, HubModel, HubRepository
from engine.errors import FolderNotConnected, HubUnreachable, LicenceNotAccepted, NoRoomForDownload, UnsupportedModel
from engine.hub.catalog import CATALOG, read_catalog
from engine.messages import ModelInfo
from engine.transfer_reports import (
    AdoptableModel,
    ConnectionStep,
    DownloadedFile,
    DownloadReport,
    ModelCard,
    ModelUpdate,
    TrashedModel,
)
from tests.app.fake_hub import HubScript

COMMIT = "1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d"
SMALL, BIG, GATED = "openbmb/MiniCPM-S-1B-sft", "PowerInfer/SparseQwen2-7B", "example-lab/Guarded-3B-ReLU"
STRANGE = "example-lab/Mamba-Mixture-2B"
GB = 1_000_000_000

ENTRIES: tuple[CatalogEntry, ...] = read_catalog(CATALOG).entries

# A model of the library that came from the hub.
FETCHED = ModelInfo(
    "minicpm-s-1b-sft", "MiniCPM-S-1B-sft", "packed", "minicpm", "mixed", 902_000_000, 1_360_246_272, 4096,
    "apache-2.0", f"/models/sources/openbmb/{COMMIT[:12]}/MiniCPM-S-1B-sft", feed_forward="gated fatrelu 0.03",
    is_sparse=True,
)  # fmt: skip
LONG = replace(
    FETCHED, model_id="long", name="这是一个名字特别长的中文模型_with-an-English-part-without-an-end-v0.1-稀疏",
    source="/models/a folder/这是一个名字特别长的中文模型.gguf",
)  # fmt: skip


def shards(n: int, size: int, done: int = 0, state: str = "downloading") -> tuple[DownloadedFile, ...]:
    """Weights in `n` files, the first of them here as far as `done` bytes of all go; and two small files."""
    files = [
        DownloadedFile("config.json", "ready", 1_200, 1_200),
        DownloadedFile("tokenizer.json", "ready", 4 << 20, 4 << 20),
    ]
    for number in range(n):
        here = max(0, min(size, done - number * size))
        now = "ready" if here == size else state if here else "queued"
        files.append(DownloadedFile(f"model-{number + 1:05d}-of-{n:05d}.safetensors", now, here, size))
    return tuple(files)


def running(done: int = 6_400_000_000, **changes: object) -> DownloadReport:
    whole = DownloadReport(
        "d-qwen", BIG, "main", COMMIT, "downloading", done, 15_230_000_000, rate_bytes_s=24_300_000.0,
        left_s=(15_230_000_000 - done) / 24_300_000.0, files=shards(4, 3_806_000_000, done),
    )  # fmt: skip
    return replace(whole, **changes)  # type: ignore[arg-type]


PAUSED = DownloadReport(
    "d-bamboo", "PowerInfer/Bamboo-DPO-v0_1", "main", COMMIT, "paused", 2_100_000_000, 14_480_000_000,
    files=shards(3, 4_826_000_000, 2_100_000_000, "paused"),
)  # fmt: skip
STALLED = DownloadReport(
    "d-opt", "facebook/opt-6.7b", "main", COMMIT, "stalled-retrying", 900_000_000, 13_300_000_000, retry_in_s=14.0,
    error=HubUnreachable("huggingface.co", "connection reset by peer").report(),
)  # fmt: skip
FULL = DownloadReport(
    "d-falcon", "SparseLLM/ReluFalcon-40B", "main", COMMIT, "failed", 31 * GB, 83 * GB,
    error=NoRoomForDownload("/models", 52 * GB, 20 * GB).report(),
)  # fmt: skip
PACKING = DownloadReport(
    "d-mini", SMALL, "main", COMMIT, "packing", 37, 100, files=shards(1, 2_720_000_000, 2_720_000_000)
)
READY = DownloadReport(
    "d-mini", SMALL, "main", COMMIT, "ready", 2_720_000_000, 2_720_000_000, model_id=FETCHED.model_id,
    files=shards(1, 2_720_000_000, 2_720_000_000),
)  # fmt: skip
WAITING = DownloadReport("d-next", "SparseLLM/prosparse-llama-2-13b", "v1.0", "", "queued", 0, None)
ELSEWHERE = DownloadReport(
    "d-other", "SparseLLM/prosparse-llama-2-7b", "main", COMMIT, "downloading", 3 * GB, 13 * GB, holder="4242"
)
DRIVE = "/media/someone/Models"
WITHOUT_DRIVE = DownloadReport(
    "d-drive", "SparseLLM/ReluFalcon-40B", "main", COMMIT, "paused", 31 * GB, 83 * GB,
    error=FolderNotConnected(DRIVE).report(), folder=f"{DRIVE}/sources/SparseLLM",
)  # fmt: skip
GATED_DOWNLOAD = DownloadReport(
    "d-gated", GATED, "main", COMMIT, "failed", 0, None,
    error=LicenceNotAccepted(GATED, f"https://huggingface.co/{GATED}").report(),
)  # fmt: skip


def hub_model(repo: str, **changes: object) -> HubModel:
    whole = HubModel(
        repo, 21_400, 57, "2026-03-14", "", False, "apache-2.0", ("text-generation", "relu"), 1_360_246_272
    )
    return replace(whole, **changes)  # type: ignore[arg-type]


def repository(repo: str, n_bytes: int = 2_720_000_000, **changes: object) -> HubRepository:
    files = (
        HubFile("model.safetensors", n_bytes, "ab" * 32, ""),
        HubFile("tokenizer.json", 4_100_000, "", "cd" * 20),
        HubFile("config.json", 1_200, "", "cd" * 20),
        HubFile("README.md", 9_300, "", "cd" * 20),
        HubFile("pytorch_model.bin", n_bytes, "ef" * 32, "", "duplicate"),
        HubFile("flax_model.msgpack", n_bytes, "ef" * 32, "", "other framework"),
        HubFile("modeling_minicpm.py", 61_000, "", "cd" * 20, "code"),
    )
    entry = next((entry for entry in ENTRIES if repo in entry.names), None)
    model = hub_model(repo, n_parameters=entry.n_parameters if entry else 3_000_000_000)
    whole = HubRepository(repo, COMMIT, model, files, "safetensors", entry)
    return replace(whole, **changes)  # type: ignore[arg-type]


def fit(repo: str, verdict: str = "fits", **changes: object) -> FitReport:
    whole = FitReport(
        repo, COMMIT, verdict, "headers", (), None, "minicpm", "gated fatrelu 0.03", True, 1_360_246_272, "mixed", 4096,
        4096, 4096, 2_724_110_500, 902_000_000, 3_626_110_500, 1_240_000_000, 268_000_000, 0, 14.2, 31.6, "catalogue",
    )  # fmt: skip
    return replace(whole, **changes)  # type: ignore[arg-type]


FITS = fit(SMALL)
FROM_DISK = fit(
    BIG, "from_disk", reasons=(FitReason("memory", 5_900_000_000, 3_100_000_000),), memory_bytes=5_900_000_000,
    n_parameters=7_615_616_512, slowest=0.0, fastest=0.0, speed_basis="", longest_context=131_072, context_tokens=8192,
    fitting_context=0, packed_bytes=4_800_000_000, disk_bytes=20_030_000_000, feed_forward="gated drelu",
)  # fmt: skip
PARTLY = fit(
    BIG, "smaller_budget", reasons=(FitReason("card", 6_400_000_000, 4_900_000_000),), card_bytes=6_400_000_000,
    n_parameters=7_615_616_512, slowest=11.0, fastest=64.0, speed_basis="bounds", longest_context=131_072,
    context_tokens=8192, packed_bytes=4_800_000_000, disk_bytes=20_030_000_000, memory_bytes=5_900_000_000,
)  # fmt: skip
TOO_BIG = fit(
    BIG, "does_not_fit",
    reasons=(FitReason("disk", 20_100_000_000, 9_400_000_000), FitReason("cache", 4_100_000_000, 3_100_000_000)),
    context_tokens=131_072, longest_context=131_072, fitting_context=6144, slowest=0.0, fastest=0.0, speed_basis="",
)  # fmt: skip
UNSUPPORTED = fit(
    STRANGE, "unsupported", family="", feed_forward="", is_sparse=False, n_parameters=0, packed_bytes=0, memory_bytes=0,
    disk_bytes=4_000_000_000, slowest=0.0, fastest=0.0, speed_basis="", longest_context=0, fitting_context=0,
    error=UnsupportedModel(
        STRANGE, "the architecture", "MambaForCausalLM", "LLaMA, OPT, Falcon, MiniCPM, Qwen2, Mistral and others"
    ).report(),
)  # fmt: skip

FOUND = (
    hub_model(SMALL),
    hub_model(GATED, gated="manual", licence="other", n_parameters=3_000_000_000, tags=("text-generation",)),
    hub_model(
        "someone/一个很长很长的中文模型名字-for-testing-0.5B-稀疏激活-Instruct", n_parameters=494_000_000, downloads=12
    ),
)

STEPS = (
    ConnectionStep("name", "passed", "203.0.113.7, 2001:db8::7", 0.021),
    ConnectionStep("connect", "passed", "huggingface.co:443", 0.034),
    ConnectionStep("encryption", "passed", "huggingface.co", 0.061),
    ConnectionStep("hub", "passed", "status 200", 0.18),
    ConnectionStep("token", "skipped", "no token is kept for this hub"),
    ConnectionStep("file", "passed", "1024 bytes from cdn.example", 0.24),
)
BROKEN_STEPS = (
    *STEPS[:2],
    ConnectionStep(
        "encryption", "failed", "", 0.06, HubUnreachable("huggingface.co", "certificate verify failed").report()
    ),
)

TRASH = (
    TrashedModel("t-1", "bamboo-dpo-v0-1-mixed", 4_600_000_000, "2026-11-28", 28),
    TrashedModel("t-2", "opt-350m", 390_000_000, "2026-11-01", 1),
)
ADOPTABLE = (
    AdoptableModel(
        "/cache/models--openbmb--MiniCPM-S-1B-sft/snapshots/" + COMMIT, SMALL, COMMIT, 2_724_000_000, 9, True
    ),
    AdoptableModel(
        "/other/models--facebook--opt-125m/snapshots/" + COMMIT, "facebook/opt-125m", COMMIT, 251_000_000, 7, False
    ),
)
UPDATE = ModelUpdate(SMALL, "main", COMMIT, "feed" * 10)

CARD_TEXT = """---
license: apache-2.0
tags: [relu]
---
<div align="center">
    <img src="https://example.org/logo.png" width="60%"/>
    <h1>MiniCPM-S</h1>
</div>

# MiniCPM-S-1B-sft

A *sparse* model with **ReLU**. See [the paper](https://arxiv.org/abs/2402.13516).

![a chart](https://example.org/chart.png)

| layer | silent |
|-------|-------:|
| 0     | 81 %   |
| 1     | 92 %   |

```html
<b>kept as it is</b>
```

- English and 中文
- Apache-2.0
"""
CARD = ModelCard(
    FETCHED.model_id,
    SMALL,
    COMMIT,
    "2026-11-30T09:00:00+00:00",
    "apache-2.0",
    CARD_TEXT,
    "Apache License\n\n1. Definitions.",
)


def hub_script(**changes: object) -> HubScript:
    """A hub that knows a small model, a big one, a gated one and one that Ember does not run."""
    whole = HubScript(
        catalog=ENTRIES,
        found=FOUND,
        repositories={
            SMALL: repository(SMALL), BIG: repository(BIG, 15_230_000_000), STRANGE: repository(STRANGE),
            "facebook/opt-125m": repository("facebook/opt-125m"),
        },
        fits={SMALL: FITS, BIG: FROM_DISK, STRANGE: UNSUPPORTED},
        steps=STEPS,
        cards={FETCHED.model_id: CARD},
        adoptable=ADOPTABLE,
        updates=(UPDATE,),
    )  # fmt: skip
    return replace(whole, **changes)  # type: ignore[arg-type]
