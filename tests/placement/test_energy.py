"""Energy is what counters say, across their overflow, and nothing where there is none."""

from pathlib import Path

import pytest

from engine.placement.energy import EnergyReading, joules_between, read_energy


def zone(powercap: Path, folder: str, name: str, microjoules: int, most: int = 1_000_000) -> None:
    path = powercap / folder
    path.mkdir(parents=True, exist_ok=True)
    (path / "name").write_text(name + "\n")
    (path / "energy_uj").write_text(f"{microjoules}\n")
    (path / "max_energy_range_uj").write_text(f"{most}\n")


def test_packages_and_memory_are_added_and_their_parts_are_not(tmp_path):
    for folder, name, value in (
        ("intel-rapl:0", "package-0", 100), ("intel-rapl:0:0", "core", 7_000), ("intel-rapl:0:1", "dram", 10),
        ("intel-rapl:1", "psys", 9_000),
    ):  # fmt: skip
        zone(tmp_path, folder, name, value)
    before = read_energy(powercap=tmp_path)
    zone(tmp_path, "intel-rapl:0", "package-0", 2_000_100)
    zone(tmp_path, "intel-rapl:0:1", "dram", 500_010)
    zone(tmp_path, "intel-rapl:0:0", "core", 9_999_999)

    assert joules_between(before, read_energy(powercap=tmp_path)) == (pytest.approx(2.5), None)


def test_a_counter_that_begins_anew_is_followed(tmp_path):
    zone(tmp_path, "intel-rapl:0", "package-0", 900_000)
    before = read_energy(powercap=tmp_path)
    zone(tmp_path, "intel-rapl:0", "package-0", 100_000)

    assert joules_between(before, read_energy(powercap=tmp_path)) == (pytest.approx(0.2), None)


def test_without_a_counter_nothing_is_said(tmp_path):
    none = read_energy(powercap=tmp_path / "absent")

    assert none == EnergyReading()
    assert joules_between(none, none) == (None, None)


def test_a_counter_that_may_not_be_read_is_none(tmp_path, monkeypatch):
    zone(tmp_path, "intel-rapl:0", "package-0", 1)
    read = Path.read_text

    def refuse(path: Path, *args, **options):
        if path.name == "energy_uj":
            raise PermissionError(13, "Permission denied")
        return read(path, *args, **options)

    monkeypatch.setattr(Path, "read_text", refuse)
    assert read_energy(powercap=tmp_path) == EnergyReading()


def test_a_card_that_was_exchanged_meanwhile_tells_nothing():
    assert joules_between(EnergyReading(card_mj=None), EnergyReading(card_mj=5)) == (None, None)
    assert joules_between(EnergyReading(card_mj=9), EnergyReading(card_mj=5)) == (None, None)
    assert joules_between(EnergyReading(card_mj=1_000), EnergyReading(card_mj=3_500)) == (None, 2.5)
