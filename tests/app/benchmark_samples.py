"""A report for tests, with a little of everything; its figures are made up and are never shown to anybody."""

from dataclasses import replace

from engine.benchmark_report import (
    SCHEMA_VERSION,
    BenchmarkReport,
    BenchmarkSpec,
    Comparison,
    DecodeResult,
    MachineFacts,
    PrefillResult,
    ReadRate,
    Spread,
    Subject,
)


def spread(median: float) -> Spread:
    return Spread(median, 0.9 * median, 1.1 * median, 5)


def decoding(median: float, **changes: object) -> DecodeResult:
    whole = DecodeResult(
        "int8", "exact", None, 1.0, 0.11, 0.1, 0, 2, 16, spread(median),
        (("attention", 60_000_000), ("first", 40_000_000)), 30e9,
        (("qkv", 0.2), ("attention", 0.3), ("first", 0.4), ("waiting", 0.1)),
    )  # fmt: skip
    return replace(whole, **changes)  # type: ignore[arg-type]


REPORT = BenchmarkReport(
    schema=SCHEMA_VERSION,
    created="2026-11-29T22:00:00+00:00",
    ember_version="0.1.0",
    elapsed_s=12.5,
    machine=MachineFacts("A 7 CPU", "x86_64", ("AVX2", "FMA"), 4, 2, 16_000_000_000, "Linux", "3.11.7", 0.1, 0.02),
    others_share=0.01,
    spec=BenchmarkSpec(model_id="demo-1b"),
    subject=Subject("Demo 1B", "", "llama", "gated relu", True, 1_235_814_400, 2048, 5632, 22, 32, 4, 32000),
    read_rates=(ReadRate(2, 1, spread(25e9)), ReadRate(2, 4, spread(27e9))),
    decode=(decoding(61.2), decoding(40.0, mode="dense", active_share=None, examined_share=None)),
    prefill=(PrefillResult("int8", 128, 2, spread(280.0)), PrefillResult("int8", 512, 2, spread(310.0))),
    comparisons=(
        Comparison(
            "xllamacpp", "1.2", "Q8_0", "int8", "exact", None, "decode", 0, 2, spread(61.2), spread(39.0), spread(1.57)
        ),
    ),
)


def measured_on(created: str, **changes: object) -> BenchmarkReport:
    return replace(REPORT, created=created, **changes)  # type: ignore[arg-type]
