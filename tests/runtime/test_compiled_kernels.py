"""Whether a compiler will be needed for a model is known before, and what it has taken stays counted."""

from engine.kernels.cpu.cache import cache_name
from engine.runtime.compiled_kernels import FIRST_BYTES, FURTHER_BYTES, CompiledKernels


def keep_a_kernel(folder):
    (folder / cache_name()).mkdir(parents=True)
    (folder / cache_name() / "step.nbc").write_bytes(b"code")


def test_the_compiler_is_counted_before_and_after_and_no_more_at_the_next_start(tmp_path):
    keep_a_kernel(tmp_path)
    kernels = CompiledKernels(tmp_path)
    assert kernels.compiler_bytes("int8") == FIRST_BYTES

    kernels.note("int8")

    assert kernels.compiler_bytes("int8") == FIRST_BYTES  # kept in memory
    assert kernels.compiler_bytes("mixed") == FIRST_BYTES + FURTHER_BYTES
    assert CompiledKernels(tmp_path).compiler_bytes("int8") == 0
    assert CompiledKernels(tmp_path).compiler_bytes("mixed") == FIRST_BYTES


def test_a_process_that_reads_kernels_and_compiles_others_counts_those(tmp_path):
    keep_a_kernel(tmp_path)
    CompiledKernels(tmp_path).note("int8")
    kernels = CompiledKernels(tmp_path)

    kernels.note("int8")
    assert kernels.compiler_bytes("int8") == 0
    kernels.note("int4")

    assert kernels.compiler_bytes("int8") == kernels.compiler_bytes("int4") == FIRST_BYTES


def test_kernels_that_could_not_be_kept_are_compiled_at_every_start(tmp_path):
    CompiledKernels(tmp_path).note("int8")

    assert CompiledKernels(tmp_path).compiler_bytes("int8") == FIRST_BYTES


def test_a_damaged_record_costs_an_estimate_and_no_more(tmp_path):
    keep_a_kernel(tmp_path)
    record = tmp_path / cache_name() / "formats.json"
    for damage in ("{", "3", "[3]"):
        record.write_text(damage)
        kernels = CompiledKernels(tmp_path)

        assert kernels.compiler_bytes("int8") == FIRST_BYTES
        kernels.note("int8")
        assert CompiledKernels(tmp_path).compiler_bytes("int8") == 0
