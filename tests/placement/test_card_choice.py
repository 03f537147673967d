"""Which of a machine's cards is meant, and how the machine is told at the engine's door."""

from dataclasses import replace

import numpy as np
import pytest

from engine.errors import InvalidRequest
from engine.kernels.cuda.emulated_device import EmulatedDevice
from engine.placement.devices import RESERVE_BYTES, card_facts, card_memory, choose_card, device_memory, device_report
from engine.placement.hardware import Card, CardDriver, Cupy, DeviceInfo, Memory, Processor
from engine.placement_reports import CARD_STATES, CardProcess

SMALL = Card(0, "NVIDIA RTX 3060", 12 << 30, 11 << 30, (8, 6), "GPU-aaaa1111", ours_bytes=1 << 28)
LARGE = Card(
    1, "NVIDIA RTX 4090", 24 << 30, 20 << 30, (8, 9), "GPU-aaaa2222", reserved_bytes=1 << 29,
    processes=(CardProcess("blender", 7, 3 << 30),), link="PCIe 4.0 x16",
)  # fmt: skip
OLD = Card(2, "NVIDIA GTX 1080 Ti", 11 << 30, 11 << 30, (6, 1), "GPU-bbbb3333")
PROCESSOR = Processor("Some CPU", "x86_64", ("AVX2",), 8, 16, 16, None)
# CUDA puts the fastest first: NVML's order is another.
CUPY = Cupy("usable", "cupy-cuda13x", "14.2.0", indices=((LARGE.uuid, 0), (SMALL.uuid, 1), (OLD.uuid, 2)))


def machine(*cards: Card, cupy: Cupy = CUPY, state: str = "ok") -> DeviceInfo:
    return DeviceInfo(PROCESSOR, Memory(64 << 30, 40 << 30, None), CardDriver(state, "580.65", cards), cupy)


FACTS = card_facts(machine(SMALL, LARGE, OLD))


def test_cards_are_known_by_uuid_whatever_their_order():
    assert [(card.uuid, card.cuda_index, card.is_too_old) for card in FACTS] == [
        (SMALL.uuid, 1, False), (LARGE.uuid, 0, False), (OLD.uuid, 2, True),
    ]  # fmt: skip
    assert (FACTS[1].processes, FACTS[1].reserved_bytes, FACTS[0].ours_bytes) == (LARGE.processes, 1 << 29, 1 << 28)


@pytest.mark.parametrize(
    ("wanted", "chosen"),
    [
        ("auto", LARGE), ("GPU-aaaa1111", SMALL), ("gpu-AAAA1111", SMALL), ("aaaa2", LARGE), ("nvidia rtx 3060", SMALL),
        ("4090", LARGE), ("none", None), ("emulated", None),
    ],
)  # fmt: skip
def test_a_wish_names_one_card(wanted, chosen):
    found = choose_card(FACTS, wanted)

    assert (found.uuid if found else None) == (chosen.uuid if chosen else None)


@pytest.mark.parametrize("wanted", ["GPU-aaaa", "nvidia", "GPU-cccc", "", "1080", "GPU-bbbb3333"])
def test_a_wish_that_is_unclear_or_cannot_be_met_is_refused(wanted):
    with pytest.raises(InvalidRequest) as refusal:
        choose_card(FACTS, wanted)

    assert (refusal.value.field, refusal.value.value) == ("card", wanted)


def test_auto_leaves_alone_what_cannot_be_used():
    hidden = replace(CUPY, indices=((SMALL.uuid, 0),))

    assert choose_card(card_facts(machine(SMALL, LARGE, cupy=hidden)), "auto").uuid == SMALL.uuid
    assert choose_card(card_facts(machine(OLD)), "auto") is None
    assert choose_card((), "auto") is None


def test_what_ember_may_take_is_free_or_already_its_own():
    main = Memory(64 << 30, 40 << 30, None)
    memory = card_memory(FACTS[0], None, main)

    assert memory.others == SMALL.memory_bytes - SMALL.free_bytes - SMALL.ours_bytes
    assert memory.available == SMALL.free_bytes + SMALL.ours_bytes - RESERVE_BYTES
    assert card_memory(FACTS[0], 1 << 30, main).available == 1 << 30


def test_of_an_open_card_what_is_ours_may_be_taken_again(card_kernels):
    device = EmulatedDevice(card_kernels, total_bytes=64 << 20, others_bytes=9 << 20, context_bytes=1 << 20)
    before = device_memory(device)
    array = device.empty((4 << 20,), np.uint8, "hot neurons")

    after = device_memory(device, limit=20 << 20)

    assert (before.device, before.others, before.available) == (64 << 20, 9 << 20, 55 << 20)
    assert (after.others, after.available) == (9 << 20, 20 << 20)
    device.free(array)
    device.close()


def test_a_card_that_shares_the_main_memory_has_what_is_free_of_it():
    shared = replace(FACTS[0], total_bytes=0, free_bytes=0, ours_bytes=0)

    memory = card_memory(shared, None, Memory(64 << 30, 40 << 30, None))

    assert (memory.device, memory.others, memory.available) == (64 << 30, 24 << 30, (40 << 30) - RESERVE_BYTES)


@pytest.mark.parametrize(
    ("found", "state"),
    [
        (machine(SMALL), "usable"),
        (machine(state="no_driver"), "no_driver"),
        (machine(state="no_answer"), "no_answer"),
        (machine(state="no_device"), "no_device"),
        (machine(state="failed"), "failed"),
        *[
            (machine(SMALL, cupy=Cupy(state)), state)
            for state in ("not_installed", "old_driver", "no_compiler", "too_old")
        ],
    ],
)
def test_every_state_is_one_of_the_doors(found, state):
    report = device_report(found, "auto", None)

    assert report.state == state
    assert state in CARD_STATES
    assert report.chosen_uuid == (SMALL.uuid if state == "usable" else "")


def test_a_wish_for_a_card_that_is_gone_still_gives_a_report():
    report = device_report(machine(SMALL, LARGE), "GPU-gone", None)

    assert (report.chosen_uuid, len(report.cards)) == ("", 2)
    assert (report.processor, report.physical_cores, report.memory_bytes) == ("Some CPU", 8, 64 << 30)


def test_a_containers_limit_is_its_memory():
    limited = replace(machine(SMALL), memory=Memory(64 << 30, 40 << 30, 8 << 30))

    assert device_report(limited, "auto", None).memory_bytes == 8 << 30
    assert device_report(limited, "auto", None).memory_free_bytes == 8 << 30
