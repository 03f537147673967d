"""The probe tells machines apart: every way in which a card can be out of reach, and the limits of containers."""

import dataclasses
import os
import threading
import time
from types import SimpleNamespace

import psutil
import pynvml
import pytest

from engine.placement import hardware
from engine.placement.hardware import (
    Card,
    CardDriver,
    Cupy,
    DeviceInfo,
    cgroup_cores,
    cgroup_memory_bytes,
    feature_names,
    probe_cupy,
    probe_driver,
    probe_machine,
    probe_memory,
    probe_processor,
)
from engine.placement.patience import Patience
from engine.placement_reports import CardProcess

UUID = "GPU-01112233-4455-6677-8899-aabbccddeeff"
H200 = Card(
    0, "NVIDIA H200", 150_000, 149_000, (9, 0), UUID, 600, (CardProcess("python", 17, 300), CardProcess("", 18, 0)),
    link="PCIe 5.0 x16",
)  # fmt: skip
NEW_DRIVER = CardDriver("ok", "580.65.06", (H200,))


class FakeNvml:
    """The functions of pynvml that the probe calls, with its own error classes.

    refusals   by a function's name, the error that it raises; by (name, handle) for one card
    """

    NVMLError = pynvml.NVMLError
    NVMLError_LibraryNotFound = pynvml.NVMLError_LibraryNotFound
    NVMLError_DriverNotLoaded = pynvml.NVMLError_DriverNotLoaded
    nvmlMemory_v2 = pynvml.nvmlMemory_v2

    def __init__(self, uuids=(UUID,), version="580.65.06", refusals=None, parts=None):
        self.uuids, self.version, self.refusals, self.parts = uuids, version, refusals or {}, parts or {}
        self.shut_down = 0

    def _answer(self, name, handle, value):
        for key in (name, (name, handle)):
            if key in self.refusals:
                raise pynvml.NVMLError(self.refusals[key])
        return value

    def nvmlInit(self):
        self._answer("nvmlInit", None, None)

    def nvmlShutdown(self):
        self.shut_down += 1

    def nvmlSystemGetDriverVersion(self):
        return self.version

    def nvmlDeviceGetCount(self):
        return self._answer("nvmlDeviceGetCount", None, len(self.uuids))

    def nvmlDeviceGetHandleByIndex(self, index):
        return self._answer("nvmlDeviceGetHandleByIndex", index, index)

    def nvmlDeviceGetName(self, handle):
        return self._answer("nvmlDeviceGetName", handle, b"NVIDIA H200")

    def nvmlDeviceGetUUID(self, handle):
        uuid = handle if isinstance(handle, str) else self.uuids[handle]
        return self._answer("nvmlDeviceGetUUID", handle, uuid)

    def nvmlDeviceGetMemoryInfo(self, handle, version=None):
        if version is None:
            return self._answer("nvmlDeviceGetMemoryInfo", handle, SimpleNamespace(total=150_000, free=149_000))
        told = SimpleNamespace(total=150_000, free=149_000, reserved=600)
        return self._answer("nvmlDeviceGetMemoryInfo_v2", handle, told)

    def nvmlDeviceGetCudaComputeCapability(self, handle):
        return self._answer("nvmlDeviceGetCudaComputeCapability", handle, [9, 0])

    def nvmlDeviceGetMigMode(self, handle):
        if handle not in self.parts:
            raise pynvml.NVMLError(pynvml.NVML_ERROR_NOT_SUPPORTED)
        return [1, 1]

    def nvmlDeviceGetMaxMigDeviceCount(self, handle):
        return 7

    def nvmlDeviceGetMigDeviceHandleByIndex(self, handle, number):
        if number >= len(self.parts[handle]):
            raise pynvml.NVMLError(pynvml.NVML_ERROR_NOT_FOUND)
        return self.parts[handle][number]

    def nvmlDeviceGetComputeRunningProcesses(self, handle):
        processes = [SimpleNamespace(pid=17, usedGpuMemory=300), SimpleNamespace(pid=os.getpid(), usedGpuMemory=40)]
        return self._answer("nvmlDeviceGetComputeRunningProcesses", handle, processes if self.parts == {} else [])

    def nvmlDeviceGetGraphicsRunningProcesses(self, handle):
        processes = [SimpleNamespace(pid=17, usedGpuMemory=300), SimpleNamespace(pid=18, usedGpuMemory=None)]
        return self._answer("nvmlDeviceGetGraphicsRunningProcesses", handle, processes if self.parts == {} else [])

    def nvmlSystemGetProcessName(self, pid):
        if pid == 18:
            raise pynvml.NVMLError(pynvml.NVML_ERROR_NOT_FOUND)
        return b"/usr/bin/python"

    def nvmlDeviceGetMaxPcieLinkGeneration(self, handle):
        return self._answer("nvmlDeviceGetMaxPcieLinkGeneration", handle, 5)

    def nvmlDeviceGetCurrPcieLinkWidth(self, handle):
        return self._answer("nvmlDeviceGetCurrPcieLinkWidth", handle, 16)


@pytest.fixture(autouse=True)
def no_other_processes(monkeypatch):
    """Process 18 of the fake is none of this machine's."""

    def unknown(process_id):
        raise psutil.NoSuchProcess(process_id)

    monkeypatch.setattr(hardware.psutil, "Process", unknown)


def raw(uuid):
    """A UUID as CuPy hands it over: a C string, which ends before the first zero byte."""
    return bytes.fromhex(uuid.removeprefix("GPU-").replace("-", "")).split(b"\0")[0]


def modules(*, nvrtc=True, headers=True, count_error=None, available=True, uuids=(UUID,)):
    """What importing cupy and cuda.pathfinder gives."""

    def count():
        if count_error:
            raise count_error
        return len(uuids)

    def load_library(name):
        if not nvrtc:
            raise RuntimeError("not found")  # DynamicLibNotFoundError is one

    runtime = SimpleNamespace(
        getDeviceCount=count, getDeviceProperties=lambda number: {"name": b"a card", "uuid": raw(uuids[number])}
    )
    cupy = SimpleNamespace(cuda=SimpleNamespace(runtime=runtime, is_available=lambda: available))
    pathfinder = SimpleNamespace(
        load_nvidia_dynamic_lib=load_library,
        find_nvidia_header_directory=lambda name: "/include" if headers else None,
    )
    return {"cupy": cupy, "cuda.pathfinder": pathfinder}.__getitem__


def cupy_state(driver, load=None, package=("cupy-cuda13x", "14.2.0")):
    return probe_cupy(driver, package=package, load=load or modules())


def test_cards_are_told_with_their_memory_and_users():
    nvml = FakeNvml()

    found = probe_driver(nvml)

    assert found == CardDriver("ok", "580.65.06", (dataclasses.replace(H200, ours_bytes=40),))
    assert found.cards[0].used_by_others == 150_000 - 149_000 - 40
    assert nvml.shut_down == 1


@pytest.mark.parametrize("error", [pynvml.NVML_ERROR_LIBRARY_NOT_FOUND, pynvml.NVML_ERROR_DRIVER_NOT_LOADED])
def test_no_driver(error):
    assert probe_driver(FakeNvml(refusals={"nvmlInit": error})) == CardDriver("no_driver")


def test_a_driver_without_any_card():
    assert probe_driver(FakeNvml(uuids=())) == CardDriver("no_device", "580.65.06")


def test_a_failing_driver_is_not_a_missing_one_and_is_let_go():
    unknown = pynvml.NVML_ERROR_UNKNOWN
    assert probe_driver(FakeNvml(refusals={"nvmlInit": unknown})).state == "failed"

    nvml = FakeNvml(refusals={"nvmlDeviceGetCount": unknown})
    assert probe_driver(nvml).state == "failed"
    assert nvml.shut_down == 1


@pytest.mark.parametrize(
    ("refused", "lost"),
    [
        (
            "nvmlDeviceGetComputeRunningProcesses",
            {"processes": (CardProcess("python", 17, 300), CardProcess("", 18, 0))},
        ),
        ("nvmlDeviceGetMaxPcieLinkGeneration", {"link": ""}),
        ("nvmlDeviceGetCurrPcieLinkWidth", {"link": ""}),
        ("nvmlDeviceGetUUID", {"uuid": ""}),
        ("nvmlDeviceGetCudaComputeCapability", {"compute_capability": (0, 0)}),
        ("nvmlDeviceGetMemoryInfo_v2", {"reserved_bytes": 0}),
    ],
)
def test_what_a_driver_does_not_tell_of_a_card_is_left_empty(refused, lost):
    refusal = pynvml.NVML_ERROR_NO_PERMISSION

    (card,) = probe_driver(FakeNvml(refusals={refused: refusal})).cards

    ours = 0 if "Compute" in refused and "Processes" in refused else 40
    assert card == dataclasses.replace(H200, ours_bytes=ours, **lost)


def test_nobody_is_told_where_process_lists_are_not_permitted():
    lists = ("nvmlDeviceGetComputeRunningProcesses", "nvmlDeviceGetGraphicsRunningProcesses")

    (card,) = probe_driver(FakeNvml(refusals=dict.fromkeys(lists, pynvml.NVML_ERROR_NO_PERMISSION))).cards

    assert (card.processes, card.ours_bytes) == ((), 0)
    assert card.used_by_others == 1_000


def test_a_card_that_shares_the_main_memory_does_not_tell_how_much():
    untold = dict.fromkeys(("nvmlDeviceGetMemoryInfo", "nvmlDeviceGetMemoryInfo_v2"), pynvml.NVML_ERROR_NOT_SUPPORTED)

    (card,) = probe_driver(FakeNvml(refusals=untold)).cards

    assert (card.memory_bytes, card.free_bytes, card.reserved_bytes, card.used_by_others) == (0, 0, 0, 0)
    assert card.name == "NVIDIA H200"


def test_parts_of_a_card_are_cards_of_their_own():
    parts = {0: ["MIG-00000000-0000-0000-0000-000000000001", "MIG-00000000-0000-0000-0000-000000000002"]}

    cards = probe_driver(FakeNvml(parts=parts)).cards

    assert [card.uuid for card in cards] == parts[0]
    assert {card.compute_capability for card in cards} == {(9, 0)}


def test_a_card_that_fell_off_the_bus_does_not_take_the_other_along():
    other = "GPU-ffffffff-0000-0000-0000-000000000000"
    lost = {("nvmlDeviceGetHandleByIndex", 1): pynvml.NVML_ERROR_GPU_IS_LOST}

    found = probe_driver(FakeNvml(uuids=(UUID, other), refusals=lost))

    assert (found.state, [card.uuid for card in found.cards]) == ("ok", [UUID])
    assert "lost" in found.reason.lower()
    alone = {("nvmlDeviceGetHandleByIndex", 0): pynvml.NVML_ERROR_GPU_IS_LOST}
    assert probe_driver(FakeNvml(refusals=alone)).state == "failed"


class BadlyEncoded(FakeNvml):
    """A driver whose strings are no UTF-8, as pynvml hands them over: it decodes them itself, and fails."""

    def nvmlSystemGetDriverVersion(self):
        return b"580.65\xff".decode()

    def nvmlDeviceGetName(self, handle):
        return b"NVIDIA H\xff200".decode()

    def nvmlDeviceGetUUID(self, handle):
        return b"GPU-\xff".decode()

    def nvmlSystemGetProcessName(self, pid):
        return b"/usr/bin/py\xffthon".decode()


def test_strings_that_are_no_utf8_are_told_as_far_as_they_can_be_read():
    found = probe_driver(BadlyEncoded())

    (card,) = found.cards
    assert (found.state, found.version, found.branch) == ("ok", "580.65\ufffd", 580)
    assert (card.name, card.uuid) == ("NVIDIA H\ufffd200", "GPU-\ufffd")
    assert card.processes[0].name == "py\ufffdthon"


def test_an_error_whose_words_are_no_utf8_is_told_all_the_same(monkeypatch):
    monkeypatch.setattr(pynvml.NVMLError, "__str__", lambda error: b"lost\xff".decode())

    found = probe_driver(FakeNvml(refusals={"nvmlInit": pynvml.NVML_ERROR_UNKNOWN}))

    assert found == CardDriver("failed", reason="lost\ufffd")


def test_a_driver_that_counts_more_cards_than_there_can_be_is_asked_about_a_few_only():
    class Boundless(FakeNvml):
        def nvmlDeviceGetCount(self):
            return 4_000_000_000

        def nvmlDeviceGetHandleByIndex(self, index):
            if index:
                raise pynvml.NVMLError(pynvml.NVML_ERROR_INVALID_ARGUMENT)
            return index

    found = probe_driver(Boundless())

    assert (found.state, len(found.cards)) == ("ok", 1)
    assert found.reason == str(pynvml.NVMLError(pynvml.NVML_ERROR_INVALID_ARGUMENT))


def test_a_card_that_counts_more_parts_than_there_can_be_is_asked_about_a_few_only(monkeypatch):
    monkeypatch.setattr(FakeNvml, "nvmlDeviceGetMaxMigDeviceCount", lambda nvml, handle: 4_000_000_000)

    assert [card.uuid for card in probe_driver(FakeNvml(parts={0: ["MIG-1"]})).cards] == ["MIG-1"]


class Hanging(FakeNvml):
    """A driver that answers once `answers` is set."""

    def __init__(self):
        super().__init__()
        self.answers, self.asked = threading.Event(), 0

    def nvmlInit(self):
        self.asked += 1
        self.answers.wait(60)


def test_a_driver_that_hangs_is_waited_for_once_and_asked_again_when_it_has_answered():
    nvml, patience = Hanging(), Patience(5)
    try:
        machine = probe_machine(nvml, patience)
        started = time.monotonic()
        again = probe_machine(nvml, patience)
        took = time.monotonic() - started
        hanging = [thread for thread in threading.enumerate() if thread.name == "ember-driver"]
        assert (machine.card_state, again.card_state, nvml.asked) == ("no_answer", "no_answer", 1)
        assert took < 5
        assert len(hanging) == 1
        assert hanging[0].daemon
    finally:
        nvml.answers.set()
    hanging[0].join(10)

    assert probe_machine(nvml, Patience(30)).driver.version == "580.65.06"
    assert patience.ask(lambda: "answered", "silent") == "answered"


def test_what_a_question_raises_reaches_the_one_who_asked():
    with pytest.raises(ZeroDivisionError):
        Patience(30).ask(lambda: 1 // 0, 0)


def test_cupy_usable():
    assert cupy_state(NEW_DRIVER) == Cupy("usable", "cupy-cuda13x", "14.2.0", indices=((UUID, 0),))


def test_two_cards_that_nvml_and_cuda_number_differently_are_matched_by_uuid():
    other = "GPU-ffffffff-1111-1111-1111-111111111111"
    cards = (H200, dataclasses.replace(H200, index=1, uuid=other))

    found = cupy_state(CardDriver("ok", "580.65.06", cards), modules(uuids=(other, UUID)))

    assert (found.cuda_index(other), found.cuda_index(UUID)) == (0, 1)
    assert found.cuda_index("GPU-unknown") == -1


def test_a_card_that_cuda_does_not_see_has_no_number():
    other = "GPU-ffffffff-1111-1111-1111-111111111111"
    cards = (H200, dataclasses.replace(H200, index=1, uuid=other))

    found = cupy_state(CardDriver("ok", "580.65.06", cards), modules(uuids=(other,)))

    assert (found.cuda_index(other), found.cuda_index(UUID)) == (0, -1)


def test_uuids_that_begin_with_a_zero_byte_are_not_mixed_up():
    cards = tuple(
        dataclasses.replace(H200, index=i, uuid=f"GPU-0011223{i}-0000-0000-0000-000000000000") for i in range(2)
    )
    uuids = [card.uuid for card in cards]

    assert cupy_state(CardDriver("ok", "580.1", cards), modules(uuids=uuids)).indices == ()
    alone = CardDriver("ok", "580.1", cards[:1])
    assert cupy_state(alone, modules(uuids=uuids[:1])).cuda_index(uuids[0]) == 0


@pytest.mark.parametrize(
    ("package", "capability", "state"),
    [
        ("cupy-cuda13x", (7, 0), "too_old"), ("cupy-cuda13x", (7, 5), "usable"), ("cupy-cuda12x", (5, 0), "usable"),
        ("cupy-cuda12x", (3, 7), "too_old"), ("cupy-cuda13x", (0, 0), "usable"),
    ],
)  # fmt: skip
def test_cards_that_the_installed_cuda_no_longer_serves(package, capability, state):
    driver = CardDriver("ok", "580.1", (dataclasses.replace(H200, compute_capability=capability),))

    found = cupy_state(driver, package=(package, "14.2.0"))

    assert found.state == state
    assert found.reason == (f"{capability[0]}.{capability[1]}" if state == "too_old" else "")


def test_one_card_that_is_new_enough_will_do():
    old = dataclasses.replace(H200, index=1, uuid="GPU-ffffffff-1111-1111-1111-111111111111", compute_capability=(6, 1))

    found = cupy_state(CardDriver("ok", "580.1", (H200, old)))

    assert found.state == "usable"
    assert [found.serves(card) for card in (H200, old)] == [True, False]


@pytest.mark.parametrize(
    ("driver", "cupy", "state", "detail"),
    [
        (CardDriver("no_driver"), Cupy("not_installed"), "no_driver", ""),
        (CardDriver("no_answer"), Cupy("not_installed"), "no_answer", ""),
        (CardDriver("failed", reason="unknown"), Cupy("not_installed"), "failed", "unknown"),
        (CardDriver("no_device", "580.1"), Cupy("not_installed"), "no_device", ""),
        (NEW_DRIVER, Cupy("not_installed"), "not_installed", ""),
        (NEW_DRIVER, Cupy("no_compiler", reason="NVRTC"), "no_compiler", "NVRTC"),
        (NEW_DRIVER, Cupy("usable"), "usable", ""),
    ],
)
def test_one_state_says_what_stands_first_in_the_way(driver, cupy, state, detail):
    machine = DeviceInfo(probe_processor(), probe_memory(), driver, cupy)

    assert (machine.card_state, machine.card_detail) == (state, detail)


def test_cupy_not_installed():
    assert cupy_state(NEW_DRIVER, package=("", "")) == Cupy("not_installed")


def test_cupy_without_driver_or_card_is_not_even_imported():
    def load(name):
        raise AssertionError(name)

    assert cupy_state(CardDriver("no_driver"), load).state == "no_driver"
    assert cupy_state(CardDriver("no_device", "580.1"), load).state == "no_device"
    assert cupy_state(CardDriver("ok", "575.57", (H200,)), load).state == "old_driver"


@pytest.mark.parametrize(
    ("package", "version", "state"),
    [
        ("cupy-cuda13x", "579.99", "old_driver"),
        ("cupy-cuda13x", "580.10", "usable"),
        ("cupy-cuda12x", "524.99", "old_driver"),
        ("cupy-cuda12x", "525.60", "usable"),
    ],
)
def test_each_cuda_version_has_its_oldest_driver(package, version, state):
    assert cupy_state(CardDriver("ok", version, (H200,)), package=(package, "14.2.0")).state == state


def test_cupys_own_word_about_an_old_driver_counts():
    error = RuntimeError("cudaErrorInsufficientDriver: CUDA driver version is insufficient")

    assert cupy_state(NEW_DRIVER, modules(count_error=error)).state == "old_driver"


def test_missing_parts_of_the_compiler_are_named():
    assert cupy_state(NEW_DRIVER, modules(nvrtc=False)).reason == "NVRTC"
    found = cupy_state(NEW_DRIVER, modules(nvrtc=False, headers=False))
    assert (found.state, found.reason) == ("no_compiler", "NVRTC, headers")


def test_a_card_cupy_does_not_see():
    assert cupy_state(NEW_DRIVER, modules(available=False)).state == "no_device"


def test_a_broken_cupy_is_reported_not_raised():
    def load(name):
        raise ImportError("libcudart.so.13 is damaged")

    found = cupy_state(NEW_DRIVER, load)
    assert (found.state, found.reason) == ("failed", "libcudart.so.13 is damaged")


def test_features_get_their_names_once():
    assert feature_names(["fpu", "avx2", "fma", "f16c", "avx512f"]) == ("AVX-512", "AVX2", "F16C", "FMA")
    assert feature_names(["asimd", "neon"]) == ("NEON",)


def write(root, files):
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def test_limits_of_a_container(tmp_path):
    write(
        tmp_path,
        {
            "proc/self/cgroup": "0::/a/b\n",
            "sys/fs/cgroup/a/cpu.max": "150000 100000\n",
            "sys/fs/cgroup/a/b/cpu.max": "max 100000\n",
            "sys/fs/cgroup/a/b/memory.max": "max\n",
            "sys/fs/cgroup/a/memory.max": "1000000\n",
        },
    )

    assert cgroup_cores(tmp_path) == 1.5
    assert cgroup_memory_bytes(tmp_path) == 1_000_000
    assert probe_memory(tmp_path).limit_bytes == 1_000_000


def test_limits_of_an_older_container(tmp_path):
    write(
        tmp_path,
        {
            "proc/self/cgroup": "4:memory:/x\n1:cpu,cpuacct:/x\n0::/\n",
            "sys/fs/cgroup/cpu/x/cpu.cfs_quota_us": "50000\n",
            "sys/fs/cgroup/cpu/x/cpu.cfs_period_us": "100000\n",
            "sys/fs/cgroup/cpu/cpu.cfs_quota_us": "-1\n",
            "sys/fs/cgroup/memory/x/memory.limit_in_bytes": "2000000\n",
            "sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n",
        },
    )

    assert cgroup_cores(tmp_path) == 0.5
    assert cgroup_memory_bytes(tmp_path) == 2_000_000


def test_no_container_no_limits(tmp_path):
    assert cgroup_cores(tmp_path) is None
    assert cgroup_memory_bytes(tmp_path) is None
    assert probe_memory(tmp_path).limit_bytes is None


def test_the_processor_of_a_raspberry_pi(tmp_path, monkeypatch):
    monkeypatch.setattr("sys.platform", "linux")
    write(tmp_path, {"proc/cpuinfo": "Features\t: fp asimd evtstrm\nModel\t\t: Raspberry Pi 5 Model B\n"})

    processor = probe_processor(tmp_path)

    assert (processor.model, processor.features) == ("Raspberry Pi 5 Model B", ("NEON",))


def test_this_machine_can_be_probed():
    machine = probe_machine()

    assert machine.processor.model
    assert 1 <= machine.processor.usable_cores <= machine.processor.logical_cores
    assert 0 < machine.memory.available_bytes <= machine.memory.total_bytes
    assert machine.driver.state in ("ok", "no_driver", "no_answer", "no_device", "failed")
