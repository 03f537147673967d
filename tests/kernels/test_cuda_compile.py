"""Every CUDA source compiles for every card that Ember serves, within its registers, without a card.

NVRTC comes in a wheel (`dev` in pyproject.toml). Where set-up was asked for the development tools and it is missing,
that is a failure; in an environment that never asked for it the reason is said and the tests are skipped.
"""

import importlib.metadata
import json
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from engine.kernels.cuda.launch import MOST_SHARED_BYTES
from engine.kernels.cuda.sources import FOLDER, NVRTC_OPTIONS, read_source, signatures, source_names
from tests.kernels.nvrtc import PACKAGES, Nvrtc, Usage, usages

pytestmark = pytest.mark.cuda_compile

CARDS = ("75", "80", "86", "89", "90", "120")  # Turing to Blackwell
MOST_REGISTERS = 64  # a thread: so that 1,024 threads share the 65,536 that every one of these cards has
AS_ON_A_CARD = (*NVRTC_OPTIONS, "-ftz=true", "--device-as-default-execution-space")  # the last two are CuPy's own
SAMPLES = Path(__file__).parent / "cuda_samples"
SOURCES = [(FOLDER, name) for name in source_names()] + [(SAMPLES, name) for name in source_names(SAMPLES)]


def development_tools_were_asked_for(environment: Path) -> bool:
    """Whether set-up put the development tools into this environment (packaging/ember_setup/environment.py)."""
    try:
        record = json.loads((environment / "ember-setup" / "record.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return "dev" in record.get("done", {})


def fits(usage: Usage) -> bool:
    within = usage.registers <= MOST_REGISTERS and usage.shared_bytes <= MOST_SHARED_BYTES
    return within and usage.spilt_bytes == 0


@pytest.fixture(scope="module")
def nvrtc():
    if sys.platform == "darwin":
        pytest.skip("NVIDIA publishes no NVRTC for macOS")
    try:
        return Nvrtc()
    except (importlib.metadata.PackageNotFoundError, OSError) as error:
        reason = f"NVRTC is missing ({error}): pip install {' '.join(PACKAGES)}, or packaging/bootstrap.py test"
        if development_tools_were_asked_for(Path(sys.prefix)):
            pytest.fail(reason)
        pytest.skip(reason)


@pytest.fixture(scope="module")
def matrix(nvrtc):
    """(source, card) → a future of (machine code, usages); two at a time, all of them begun by the first test."""

    def compiled(folder, name, card):
        code, log = nvrtc.compile(read_source(name, folder), f"{name}.cu", card, AS_ON_A_CARD)
        return code, usages(log)

    with ThreadPoolExecutor(2) as pool:
        yield {(name, card): pool.submit(compiled, folder, name, card) for folder, name in SOURCES for card in CARDS}


@pytest.mark.parametrize(("folder", "name"), SOURCES, ids=[name for _, name in SOURCES])
def test_a_source_compiles_for_every_card_within_its_registers(matrix, folder, name):
    kernels = signatures(read_source(name, folder))

    found = {card: matrix[name, card].result() for card in CARDS}

    assert all(code.startswith(b"\x7fELF") for code, _ in found.values())
    assert all({usage.kernel for usage in usages} == set(kernels) for _, usages in found.values())
    beyond = [f"sm_{card}: {usage}" for card, (_, usages) in found.items() for usage in usages if not fits(usage)]
    assert not beyond, "\n".join([f"beyond the budget in {name}.cu:", *beyond])


def test_what_does_not_compile_is_told_by_file_and_line(nvrtc, tmp_path):
    (tmp_path / "wrong.cu").write_text('extern "C" __global__ void wrong(float* x)\n{\n    x[0] = undeclared;\n}\n')

    with pytest.raises(AssertionError, match=r"wrong\.cu\(3\)[\s\S]*undeclared"):
        nvrtc.compile(read_source("wrong", tmp_path), "wrong.cu", "90", AS_ON_A_CARD)


def test_spills_and_registers_are_read_from_the_assemblers_own_words(nvrtc):
    spilling = """
    extern "C" __global__ void __launch_bounds__(1024) spills(const float* x, float* out, int n)
    {
        float held[96];
        #pragma unroll
        for (int i = 0; i < 96; ++i) held[i] = x[i * n + threadIdx.x];
        __syncthreads();
        #pragma unroll
        for (int i = 0; i < 96; ++i) out[i * n + threadIdx.x] = held[95 - i] * held[i];
    }
    """

    (usage,) = usages(nvrtc.compile(spilling, "spills.cu", "80", AS_ON_A_CARD)[1])

    assert usage.kernel == "spills"
    assert 16 <= usage.registers <= 64
    assert usage.spilt_bytes > 96


def test_missing_wheels_fail_only_where_the_tools_were_asked_for(tmp_path):
    record = tmp_path / "ember-setup" / "record.json"

    assert not development_tools_were_asked_for(tmp_path)
    record.parent.mkdir()
    record.write_text(json.dumps({"done": {"run": "x"}}))
    assert not development_tools_were_asked_for(tmp_path)
    record.write_text(json.dumps({"done": {"run": "x", "dev": "y"}}))
    assert development_tools_were_asked_for(tmp_path)
