"""The probe tells machines apart: every way in which a card can be out of reach, and the limits of containers."""

from types import SimpleNamespace

import pynvml
import pytest

from engine.placement.hardware import (
    Card,
    CardDriver,
    Cupy,
    cgroup_cores,
    cgroup_memory_bytes,
    feature_names,
    probe_cupy,
    probe_driver,
    probe_machine,
    probe_memory,
    probe_processor,
)

H200 = Card(0, "NVIDIA H200", 150_000, 149_000, (9, 0))
NEW_DRIVER = CardDriver("ok", "580.65.06", (H200,))


class FakeNvml:
    """The few functions of pynvml that the probe calls, with its own error classes."""

    NVMLError = pynvml.NVMLError
    NVMLError_LibraryNotFound = pynvml.NVMLError_LibraryNotFound
    NVMLError_DriverNotLoaded = pynvml.NVMLError_DriverNotLoaded

    def __init__(self, cards=1, init_error=None, count_error=None, version="580.65.06"):
        self.cards, self.init_error, self.count_error, self.version = cards, init_error, count_error, version
        self.shut_down = 0

    def nvmlInit(self):
        if self.init_error:
            raise self.init_error

    def nvmlShutdown(self):
        self.shut_down += 1

    def nvmlSystemGetDriverVersion(self):
        return self.version

    def nvmlDeviceGetCount(self):
        if self.count_error:
            raise self.count_error
        return self.cards

    def nvmlDeviceGetHandleByIndex(self, index):
        return index

    def nvmlDeviceGetName(self, handle):
        return b"NVIDIA H200"

    def nvmlDeviceGetMemoryInfo(self, handle):
        return SimpleNamespace(total=150_000, free=149_000)

    def nvmlDeviceGetCudaComputeCapability(self, handle):
        return 9, 0


def modules(*, nvrtc=True, headers=True, count_error=None, available=True):
    """What importing cupy and cuda.pathfinder gives."""

    def count():
        if count_error:
            raise count_error
        return 1

    def load_library(name):
        if not nvrtc:
            raise RuntimeError("not found")  # DynamicLibNotFoundError is one

    cupy = SimpleNamespace(
        cuda=SimpleNamespace(runtime=SimpleNamespace(getDeviceCount=count), is_available=lambda: available)
    )
    pathfinder = SimpleNamespace(
        load_nvidia_dynamic_lib=load_library,
        find_nvidia_header_directory=lambda name: "/include" if headers else None,
    )
    return {"cupy": cupy, "cuda.pathfinder": pathfinder}.__getitem__


def cupy_state(driver, load=None, package=("cupy-cuda13x", "14.2.0")):
    return probe_cupy(driver, package=package, load=load or modules())


def test_cards_are_told_with_their_memory():
    nvml = FakeNvml()

    assert probe_driver(nvml) == NEW_DRIVER
    assert nvml.shut_down == 1


@pytest.mark.parametrize("error", [pynvml.NVMLError_LibraryNotFound(), pynvml.NVMLError_DriverNotLoaded()])
def test_no_driver(error):
    assert probe_driver(FakeNvml(init_error=error)) == CardDriver("no_driver")


def test_a_driver_without_any_card():
    assert probe_driver(FakeNvml(cards=0)) == CardDriver("no_device", "580.65.06")


def test_a_failing_driver_is_not_a_missing_one_and_is_let_go():
    unknown = pynvml.NVMLError(pynvml.NVML_ERROR_UNKNOWN)
    assert probe_driver(FakeNvml(init_error=unknown)).state == "failed"

    nvml = FakeNvml(count_error=unknown)
    assert probe_driver(nvml).state == "failed"
    assert nvml.shut_down == 1


def test_cupy_usable():
    assert cupy_state(NEW_DRIVER) == Cupy("usable", "cupy-cuda13x", "14.2.0")


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
    assert machine.driver.state in ("ok", "no_driver", "no_device", "failed")
