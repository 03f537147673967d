"""What was measured is found again on the same machine and card only, and a damaged file costs no more than time."""

import json
from dataclasses import replace

import pytest

from engine.placement.hardware import CardDriver, Cupy, DeviceInfo, Memory, Processor
from engine.placement.speeds_file import (
    FILE_NAME,
    Measured,
    keep_context_bytes,
    keep_speeds,
    machine_key,
    stored,
)
from engine.placement_reports import MachineSpeeds, ThreadRate

ALONE = MachineSpeeds((ThreadRate(1, 2e10), ThreadRate(2, 4e10)), "", 0, 0, 0, 0, 0, "2026-11-30T10:00:00+00:00", 1.5)
CARD = MachineSpeeds((ThreadRate(1, 2e10),), "GPU-1", 9e11, 25e9, 24e9, 5e-6, 4e-5, "2026-11-30T10:00:00+00:00", 2.5)
MACHINE = DeviceInfo(
    Processor("Some CPU", "x86_64", ("AVX2",), 8, 16, 16, None), Memory(1, 1, None), CardDriver("ok", "580.65"),
    Cupy("usable", "cupy-cuda13x", "14.2.0"),
)  # fmt: skip


def test_what_is_kept_is_found_again(tmp_path):
    keep_speeds(tmp_path, "a", CARD)
    keep_speeds(tmp_path, "b", ALONE)

    assert stored(tmp_path, "a").speeds == CARD
    assert stored(tmp_path, "b").speeds == ALONE
    assert stored(tmp_path, "c") == Measured("c")
    assert [path.name for path in tmp_path.iterdir()] == [FILE_NAME]


def test_a_context_is_kept_beside_the_speeds(tmp_path):
    keep_context_bytes(tmp_path, "a", 300 << 20)
    keep_speeds(tmp_path, "a", CARD)

    assert stored(tmp_path, "a") == Measured("a", CARD, 300 << 20)


def test_only_the_latest_machines_are_kept(tmp_path):
    for number in range(12):
        keep_speeds(tmp_path, str(number), ALONE)

    assert stored(tmp_path, "0").speeds is None
    assert stored(tmp_path, "11").speeds == ALONE


@pytest.mark.parametrize(
    "other",
    [
        replace(MACHINE, driver=replace(MACHINE.driver, version="590.1")),
        replace(MACHINE, cupy=replace(MACHINE.cupy, version="14.3.0")),
        replace(MACHINE, processor=replace(MACHINE.processor, usable_cores=4)),
        replace(MACHINE, processor=replace(MACHINE.processor, quota_cores=2.0)),
        replace(MACHINE, processor=replace(MACHINE.processor, model="Another CPU")),
    ],
)
def test_another_machine_driver_or_version_is_another_key(other):
    assert machine_key(other, "GPU-1") != machine_key(MACHINE, "GPU-1")
    assert machine_key(MACHINE, "GPU-1") == machine_key(replace(MACHINE, memory=Memory(2, 1, None)), "GPU-1")


def test_another_card_is_another_key():
    assert len({machine_key(MACHINE, uuid) for uuid in ("", "GPU-1", "GPU-2")}) == 3


def damaged(text, change):
    values = json.loads(text)
    change(values)
    return json.dumps(values)


@pytest.mark.parametrize(
    "change",
    [
        lambda values: values.update(schema=99),
        lambda values: values["machines"][0]["speeds"].update(card_bytes_per_s=-1.0),
        lambda values: values["machines"][0]["speeds"].update(launch_s=0.0),
        lambda values: values["machines"][0]["speeds"].update(card_uuid=""),
        lambda values: values["machines"][0]["speeds"].update(cpu=[]),
        lambda values: values["machines"][0]["speeds"]["cpu"][0].update(bytes_per_s="fast"),
        lambda values: values["machines"][0].update(context_bytes=-5),
        lambda values: values["machines"][0]["speeds"].update(card_bytes_per_s=1e308),
        lambda values: values["machines"][0]["speeds"]["cpu"][0].update(bytes_per_s=1e-308),
        lambda values: values["machines"][0]["speeds"].update(round_trip_s=1e9),
        lambda values: values.update(machines={}),
    ],
)
def test_numbers_that_no_measurement_gives_count_as_not_measured(tmp_path, change):
    keep_speeds(tmp_path, "a", CARD)
    path = tmp_path / FILE_NAME
    path.write_text(damaged(path.read_text(), change))

    assert stored(tmp_path, "a") == Measured("a")


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe", b"[" * 100_000, b"null"])
def test_a_damaged_file_is_measured_and_written_anew(tmp_path, content):
    (tmp_path / FILE_NAME).write_bytes(content)

    assert stored(tmp_path, "a") == Measured("a")
    keep_speeds(tmp_path, "a", ALONE)
    assert stored(tmp_path, "a").speeds == ALONE


def test_a_folder_that_cannot_be_written_is_done_without(tmp_path):
    (tmp_path / "file").write_text("")

    keep_speeds(tmp_path / "file", "a", ALONE)

    assert stored(tmp_path / "file", "a").speeds is None
