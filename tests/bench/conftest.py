"""A tiny packed model, and a report whose every part has something in it."""

import dataclasses
from dataclasses import replace

import pytest

from engine.benchmark_report import (
    SCHEMA_VERSION,
    AbsentCompetitor,
    BenchmarkReport,
    BenchmarkSpec,
    CheckResult,
    Comparison,
    DecodeResult,
    MachineFacts,
    PrefillResult,
    ReadRate,
    Spread,
    Subject,
)
from engine.model.pack import pack
from tests.tiny_model import TINY, TinyCheckpoint

SHORT = BenchmarkSpec(
    depths=(0, 20), prompt_tokens=(16,), decoded_tokens=3, repeats=2, n_threads=2, probe_bytes=1 << 20
)


@pytest.fixture
def packed_tiny(tmp_path):
    """A function: changes of the configuration → the tiny model packed as int8, with no source behind it."""

    def make(weight_format="int8", source="", **changes):
        checkpoint = TinyCheckpoint(dataclasses.replace(TINY, **changes))
        path = tmp_path / "tiny.ember"
        return pack(checkpoint, path, weight_format, source=source, note="", on_step=lambda done, total: None)

    return make


def spread(median: float) -> Spread:
    return Spread(median, 0.9 * median, 1.1 * median, 5)


@pytest.fixture
def report() -> BenchmarkReport:
    decode = DecodeResult(
        "int8", "exact", 0.1, 1.0, 0.11, 0.1, 512, 2, 16, spread(20.0),
        (("attention", 600_000_000), ("cache", 400_000_000)), 30e9, (("attention", 0.6), ("head", 0.4)),
    )  # fmt: skip
    return BenchmarkReport(
        schema=SCHEMA_VERSION,
        created="2026-11-29T22:00:00+00:00",
        ember_version="0.1.0",
        elapsed_s=12.5,
        machine=MachineFacts("A 7", "x86_64", ("AVX2", "FMA"), 4, 2, 16_000_000_000, "Linux", "3.11.7", 0.1, 0.02),
        others_share=0.01,
        spec=replace(SHORT, shape="7b-8", against=("xllamacpp",), ember_version="0.1.0"),
        subject=Subject("7b-8", "7b-8", "llama", "gated relu", True, 1_800_000_000, 4096, 11008, 8, 32, 32, 32000),
        read_rates=(ReadRate(2, 1, spread(25e9)), ReadRate(2, 4, spread(27e9))),
        decode=(
            decode,
            replace(
                decode, mode="dense", asked_share=None, candidate_share=None, examined_share=None, active_share=None
            ),
        ),
        prefill=(PrefillResult("int8", 512, 2, spread(120.0)),),
        comparisons=(
            Comparison(
                "xllamacpp",
                "1.2",
                "Q8_0",
                "int8",
                "exact",
                0.1,
                "decode",
                512,
                2,
                spread(20.0),
                spread(8.0),
                spread(2.5),
            ),
        ),
        absent=(AbsentCompetitor("llama-cpp-python", "not_installed"),),
        checks=(CheckResult("reference", "int8", "gated relu", 33, 0, -1, 0.001, 0.01),),
    )
