"""Compile the main kernels for processors that are not this one, and count their instructions: a program for a process
of its own, since the form of a kernel is chosen once, when it is imported.

    python tests/kernels/compile_for_targets.py FORM

FORM is one of FORMS; numba is told which processor to compile for by its environment (`environment`), and LLVM then
emits its code for each of the form's targets. Prints JSON: target → kernel → {"instructions": {mnemonic: count},
"calls": [library functions], "wide": uses of 512-bit registers}. Nothing that is compiled here is run.
"""

import collections
import json
import re
import sys
from dataclasses import dataclass

X86, LINUX_ARM64, APPLE_ARM64 = "x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu", "arm64-apple-macosx"
_SSE = ("ssse3", "sse4.1")
_AVX2 = (*_SSE, "f16c", "avx2")


@dataclass(frozen=True)
class Form:
    """Which forms of the kernels: those for an x86 processor with these features, or for a 64-bit ARM."""

    features: tuple[str, ...]
    numba_processor: str
    targets: tuple[tuple[str, str], ...]
    is_arm64: bool = False

    @property
    def environment(self) -> dict[str, str]:
        ours = {"EMBER_KERNEL_TARGET": "host", "EMBER_GENERIC_KERNELS": "0"}
        return {**ours, "NUMBA_CPU_NAME": self.numba_processor, "NUMBA_CPU_FEATURES": ""}


FORMS = {
    "plain": Form((), "generic", ((X86, "x86-64"),)),
    "sse": Form(_SSE, "nehalem", ((X86, "nehalem"),)),
    "avx2": Form(_AVX2, "haswell", ((X86, "haswell"),)),
    "avx512": Form((*_AVX2, "avx512bw"), "sapphirerapids", ((X86, "znver4"), (X86, "sapphirerapids"))),
    "arm64": Form((), "haswell", ((LINUX_ARM64, "generic"), (APPLE_ARM64, "apple-m1")), is_arm64=True),
}


def main(form: Form) -> None:
    import llvmlite.binding as llvm

    llvm.get_host_cpu_features = lambda: dict.fromkeys(form.features, True)
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    found: dict[str, dict[str, object]] = {cpu: {} for _, cpu in form.targets}
    for name, code in kernels(form).items():
        for triple, cpu in form.targets:
            found[cpu][name] = facts(assembly(llvm, code, triple, cpu))
    json.dump(found, sys.stdout)


def kernels(form: Form) -> dict[str, str]:
    """The LLVM code of each kernel as numba optimises it."""
    from numba import njit, types

    from engine.kernels.cpu import kinds, vector_ir

    for options in (kinds.KERNEL, kinds.PART):
        options["cache"] = False  # numba does not know that there are several forms
    if form.is_arm64:
        vector_ir.IS_X86, vector_ir.HAS_HALF, vector_ir.HAS_ROUND = False, True, True
    from engine.kernels.cpu import activations, attention, gemm, predict, rows

    chosen = {
        "dot4_int4": rows.dot4_int4,
        "dot4_int8": rows.dot4_int8,
        "accumulate_int4": rows.accumulate_int4,
        "accumulate_int8": rows.accumulate_int8,
        "score4_f16": attention.score4_f16,
        "score4_int8": attention.score4_int8,
        "tile": gemm.tile,
        "quantise_int16": activations.quantise_int16,
        "quantise_grouped_int8": activations.quantise_grouped_int8,
        "pack_signs": predict.pack_signs,
        "differing_bits": predict.differing_bits,
    }
    code = {}
    for name, kernel in chosen.items():
        python = kernel.py_func
        compiled = njit(
            nogil=True, error_model="numpy", boundscheck=False, no_cpython_wrapper=True, no_cfunc_wrapper=True
        )(python)
        compiled.compile((types.intp,) * python.__code__.co_argcount)
        code[name] = compiled.inspect_llvm(compiled.signatures[0])
    return code


def assembly(llvm, code: str, triple: str, cpu: str) -> str:
    code = re.sub(r'target datalayout = "[^"]*"\n', "", code)
    module = llvm.parse_assembly(re.sub(r'target triple = "[^"]*"', f'target triple = "{triple}"', code))
    machine = llvm.Target.from_triple(triple).create_target_machine(cpu=cpu, opt=3)
    module.data_layout = str(machine.target_data)
    passes = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=3))
    passes.getModulePassManager().run(module, passes)
    return machine.emit_assembly(module)


def facts(text: str) -> dict[str, object]:
    """An ARM vector's shape is written behind the mnemonic, `smull.4s`, as Apple's assembler has it."""
    counted: collections.Counter[str] = collections.Counter()
    for line in text.splitlines():
        found = re.match(r"\t([a-z][\w.]*)\t?(.*)", line)
        if found is None:
            continue
        mnemonic, operands = found.groups()
        shape = re.match(r"v\d+\.(\w+)", operands)
        counted[f"{mnemonic}.{shape.group(1)}" if shape else mnemonic] += 1
    return {"instructions": counted, "calls": called(text), "wide": text.count("%zmm")}


def called(text: str) -> list[str]:
    """Functions outside the module: called by name, or by an address that is loaded by name."""
    defined = set(re.findall(r"^([\w.$]+):", text, re.MULTILINE))
    by_name = re.findall(r"\t(?:callq?|bl|jmp|b)\t\"?([A-Za-z_][\w.$]*)", text)
    by_address = re.findall(r"\tmovabsq\t\$([A-Za-z_][\w.$]*),|([A-Za-z_][\w.$]*)@GOTPAGE\b", text)
    by_address = [name.removeprefix("_") for names in by_address for name in names if name]
    return sorted({name for name in (*by_name, *by_address) if name not in defined and not name.startswith("LBB")})


if __name__ == "__main__":
    main(FORMS[sys.argv[1]])
