"""This machine as the engine's door tells it, and which of its cards is meant.

Turns what `hardware.py` found into a `DeviceReport`, and a user's wish ("auto", "none", a card's UUID or name) into a
card. Decides nothing about placement.
"""

from collections.abc import Sequence

from engine.errors import InvalidRequest
from engine.kernels.cuda.device import Device
from engine.placement.budget import CardMemory
from engine.placement.hardware import Card, DeviceInfo, Memory
from engine.placement_reports import CardFacts, DeviceReport, MachineSpeeds

AUTO, NONE, EMULATED = "auto", "none", "emulated"
# Left free for the desktop and whatever starts next. Windows begins to move a card's memory to main memory before it is
# quite full, which costs far more than these bytes bring.
RESERVE_BYTES = 512 << 20


def device_report(machine: DeviceInfo, wanted: str, speeds: MachineSpeeds | None) -> DeviceReport:
    """`wanted` as in EngineConfig; a wish that no card fulfils chooses none. `speeds` as measured before, or None."""
    processor, memory = machine.processor, machine.memory
    cards = card_facts(machine)
    try:
        chosen = choose_card(cards, wanted)
    except InvalidRequest:
        chosen = None
    limit = memory.limit_bytes
    return DeviceReport(
        processor=processor.model,
        physical_cores=processor.physical_cores,
        logical_cores=processor.logical_cores,
        usable_cores=processor.usable_cores,
        memory_bytes=memory.total_bytes if limit is None else min(limit, memory.total_bytes),
        memory_free_bytes=memory.available_bytes if limit is None else min(limit, memory.available_bytes),
        state=machine.card_state,
        detail=machine.card_detail,
        driver=machine.driver.version,
        cupy=f"{machine.cupy.package} {machine.cupy.version}".strip(),
        cards=cards,
        chosen_uuid=chosen.uuid if chosen is not None and machine.card_state == "usable" else "",
        speeds=speeds,
    )


def card_facts(machine: DeviceInfo) -> tuple[CardFacts, ...]:
    """In NVML's order."""
    return tuple(
        CardFacts(
            uuid=card.uuid,
            name=card.name,
            cuda_index=_cuda_index(machine, card),
            capability=card.compute_capability,
            total_bytes=card.memory_bytes,
            free_bytes=card.free_bytes,
            reserved_bytes=card.reserved_bytes,
            ours_bytes=card.ours_bytes,
            processes=card.processes,
            link=card.link,
            is_too_old=not machine.cupy.serves(card),
        )
        for card in machine.driver.cards
    )


def _cuda_index(machine: DeviceInfo, card: Card) -> int:
    return machine.cupy.cuda_index(card.uuid) if card.uuid else -1


def choose_card(cards: Sequence[CardFacts], wanted: str) -> CardFacts | None:
    """The card that is meant; None for "none", and for "auto" where no card can be used.

    "auto" is the card with most free memory, the first among equals; a wish may be the beginning of a UUID, or a name
    that only one card has. Cards that are too old, or that CUDA does not see, are not there for "auto". Raises
    InvalidRequest for a wish that none or several fulfil, or one that is too old.
    """
    if wanted in (NONE, EMULATED):
        return None
    if wanted == AUTO:
        usable = [card for card in cards if not card.is_too_old and card.cuda_index >= 0]
        return max(usable, key=lambda card: card.free_bytes, default=None)
    known = ", ".join([AUTO, NONE, *(f"{card.uuid} ({card.name})" for card in cards)])
    key = wanted.casefold()
    for fits in (
        [card for card in cards if card.uuid.casefold() == key],
        [card for card in cards if key and card.name.casefold() == key],
        [
            card
            for card in cards
            if key and card.uuid.casefold().removeprefix("gpu-").startswith(key.removeprefix("gpu-"))
        ],
        [card for card in cards if key and key in card.name.casefold()],
    ):
        if len(fits) == 1:
            if fits[0].is_too_old:
                raise InvalidRequest("card", wanted, "one that the installed CUDA still serves")
            return fits[0]
        if fits:
            break
    raise InvalidRequest("card", wanted, known)


def device_memory(device: Device, limit: int | None = None) -> CardMemory:
    """As `card_memory`, of a card that is open: what is ours is known to the byte, whatever the driver tells of it."""
    free, total = device.memory()
    ours = sum(device.allocated.values())
    reserve = 0 if device.is_emulated else RESERVE_BYTES
    return CardMemory(total, max(0, total - free - ours), reserve, limit)


def card_memory(card: CardFacts, limit: int | None = None, main: Memory | None = None) -> CardMemory:
    """What Ember may take of a card, with what this process has on it already counted as free.

    limit   the user's own, in bytes
    main    main memory, which is the card's too where the driver tells of no other
    """
    total, free = card.total_bytes, card.free_bytes
    if not total and main is not None:
        total, free = main.total_bytes, main.available_bytes
    others = max(0, total - free - card.ours_bytes)
    return CardMemory(total, others, RESERVE_BYTES, limit)
