"""The checks pass on the kernels as they are, and fail on any that computes something else."""

import dataclasses
import itertools

import numpy as np
import pytest

import engine.runtime.decoder
from engine.bench import checks
from engine.bench.checks import ACTIVATIONS, INT4_TOLERANCE, compare, kernel_checks, subject_checks
from engine.bench.subject import Case, open_bench
from engine.errors import Cancelled
from engine.runtime.decoder import Decoder
from engine.runtime.prefill import Prefill
from engine.runtime.transformer import Transformer
from tests.bench.conftest import SHORT


def nothing() -> None:
    """Nobody asks to stop."""


@pytest.fixture
def only(monkeypatch: pytest.MonkeyPatch):
    """A function: leave of the kernel checks those of one format and activation."""

    def restrict(weight_format: str, activation: str) -> None:
        formats = {weight_format: checks.WEIGHT_FORMATS[weight_format]}
        monkeypatch.setattr(checks, "WEIGHT_FORMATS", formats)
        monkeypatch.setattr(checks, "ACTIVATIONS", (activation,))

    return restrict


@pytest.mark.parametrize("weight_format", sorted(checks.WEIGHT_FORMATS))
@pytest.mark.parametrize("activation", ACTIVATIONS)
def test_the_kernels_pass(only, weight_format: str, activation: str):
    only(weight_format, activation)

    results = list(kernel_checks(nothing))

    predicted = [] if activation == "silu" else ["predicted"]
    assert [r.name for r in results] == ["reference", "threads", "threads", *predicted]
    assert [r for r in results if not r.passed] == []
    # Far from the limit, so that another processor's rounding does not pass it.
    assert all(r.deviation < r.tolerance / 2 for r in results)


@pytest.mark.parametrize("case", [Case("dense"), Case("exact")], ids=lambda case: case.mode)
@pytest.mark.parametrize("weight_format", ["int8", "int4"])
def test_a_model_passes(packed_tiny, case: Case, weight_format: str):
    packed = packed_tiny(weight_format, activation="relu")

    with open_bench(SHORT, packed, weight_format, 64, lambda *step: None) as bench:
        results = list(subject_checks(bench, case, 2, nothing))

    sparse = ["sparse"] if case.mode == "exact" else []
    assert [r.name for r in results] == ["prefill", *sparse, "threads"]
    assert [r for r in results if not r.passed] == []


def broken_activation(monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernel squares what it should leave."""
    whole = Decoder.__init__

    def init(self, config, *arguments) -> None:
        wrong = "relu2" if config.activation == "relu" else config.activation
        whole(self, dataclasses.replace(config, activation=wrong), *arguments)

    monkeypatch.setattr(Decoder, "__init__", init)


def broken_row(monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernel sees one row of one matrix as zeros."""
    whole = Transformer.__init__

    def init(self, config, parts, tensors, **options) -> None:
        holed = tensors["layers.0.out"].copy()
        holed[0] = 0
        whole(self, config, parts, {**tensors, "layers.0.out": holed}, **options)

    monkeypatch.setattr(Transformer, "__init__", init)


def broken_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernel rotates by the position behind the right one."""
    table = engine.runtime.decoder.position_table
    monkeypatch.setattr(
        engine.runtime.decoder, "position_table", lambda c, n: np.ascontiguousarray(table(c, n) * np.float32(0.9))
    )


def broken_epsilon(monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernel's norms divide by a little too much."""
    whole = Decoder.__init__

    def init(self, config, *arguments) -> None:
        whole(self, dataclasses.replace(config, norm_eps=0.1), *arguments)

    monkeypatch.setattr(Decoder, "__init__", init)


@pytest.mark.parametrize("breakage", [broken_activation, broken_row, broken_positions, broken_epsilon])
@pytest.mark.parametrize("weight_format", ["int8", "f32"])
def test_a_wrong_kernel_is_found(only, monkeypatch: pytest.MonkeyPatch, breakage, weight_format: str):
    only(weight_format, "relu")
    breakage(monkeypatch)

    results = list(kernel_checks(nothing))

    assert not results[0].passed


def test_a_wrong_activation_is_found_in_four_bits_too(only, monkeypatch: pytest.MonkeyPatch):
    only("int4", "relu")
    broken_activation(monkeypatch)

    assert not next(kernel_checks(nothing)).passed


def test_a_predictor_that_is_ignored_is_found(only, monkeypatch: pytest.MonkeyPatch):
    only("f32", "relu")
    whole = Decoder.__init__

    def init(self, config, parts, tensors, *rest) -> None:
        whole(self, config, parts, {n: t for n, t in tensors.items() if "predictor" not in n}, *rest)

    monkeypatch.setattr(Decoder, "__init__", init)
    results = list(kernel_checks(nothing))

    assert [r.name for r in results if not r.passed] == ["predicted"]


def test_a_prompt_that_is_read_wrongly_is_found(packed_tiny, monkeypatch: pytest.MonkeyPatch):
    run = Prefill.run

    def backwards(self, x, *rest, **named):
        return run(self, np.ascontiguousarray(x[::-1]), *rest, **named)

    monkeypatch.setattr(Prefill, "run", backwards)

    with open_bench(SHORT, packed_tiny(activation="relu"), "int8", 64, lambda *step: None) as bench:
        results = list(subject_checks(bench, Case("exact"), 1, nothing))

    assert (results[0].name, results[0].passed) == ("prefill", False)


def test_checks_end_when_asked_to():
    calls = itertools.count()

    def stop() -> None:
        if next(calls) == 1:
            raise Cancelled

    with pytest.raises(Cancelled):
        list(kernel_checks(stop))


# What counts as different -----------------------------------------------------------------------------------------


def logits(*rows: list[float]):
    return np.array(rows, np.float32)


def test_the_first_token_that_differs_is_named():
    plain = logits([0, 1, 10], [0, 10, 1], [10, 0, 1])
    fast = logits([0, 1, 10], [10, 0, 1], [0, 10, 1])

    result = compare("reference", "int8", "", fast, plain)

    assert (result.compared, result.differing, result.first) == (3, 2, 1)
    assert not result.passed


def test_a_token_the_reference_likes_as_much_is_not_different():
    plain = logits([10.0, 9.999, 0])
    fast = logits([9.999, 10.0, 0])

    result = compare("reference", "int8", "", fast, plain)

    assert (result.differing, result.first, result.passed) == (0, -1, True)
    assert result.deviation == pytest.approx(1e-4, rel=1e-2)


def test_logits_too_far_apart_fail_though_no_token_differs():
    plain = logits([10.0, 0.0])

    assert not compare("reference", "int8", "", plain * np.float32(0.9), plain).passed
    assert compare("reference", "int4", "", plain * np.float32(1 - 0.9 * INT4_TOLERANCE), plain).passed
