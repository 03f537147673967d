"""Cards that are not here, by what their makers publish: for the question what one would bring.

Every figure is published or assumed, none is measured, and what is predicted from them is named so. Memory and its
rate are those of NVIDIA's data sheets; how much of it is reached, and what a launch and a crossing cost, are
assumptions, kept here in one place and listed in docs/placement.md.
"""

from dataclasses import dataclass, replace

from engine.errors import InvalidRequest
from engine.placement.budget import CardMemory
from engine.placement.devices import RESERVE_BYTES
from engine.placement_reports import MachineSpeeds

# Assumed: a plain read's share of the published rate, seconds of a launch from Python and of a short round trip.
READ_OF_PUBLISHED = 0.9
LAUNCH_S = 6e-6
ROUND_TRIP_S = 40e-6


@dataclass(frozen=True, slots=True)
class PublishedCard:
    """`link_bytes_per_s` is what large copies reach on the card's own link, assumed at 0.8 of its lanes' rate."""

    name: str
    memory_bytes: int
    bytes_per_s: float
    link_bytes_per_s: float


PUBLISHED_CARDS = (
    PublishedCard("RTX 2080 Ti", 11 << 30, 616e9, 12.6e9),
    PublishedCard("RTX 3060", 12 << 30, 360e9, 25.2e9),
    PublishedCard("RTX 3090", 24 << 30, 936e9, 25.2e9),
    PublishedCard("RTX 4060", 8 << 30, 272e9, 12.6e9),
    PublishedCard("RTX 4070", 12 << 30, 504e9, 25.2e9),
    PublishedCard("RTX 4090", 24 << 30, 1008e9, 25.2e9),
    PublishedCard("RTX 5090", 32 << 30, 1792e9, 50.4e9),
)


def published_card(name: str) -> PublishedCard:
    """By its name, in small or large letters, with or without blanks and "RTX". Raises InvalidRequest."""
    wanted = _key(name)
    for card in PUBLISHED_CARDS:
        if wanted == _key(card.name):
            return card
    raise InvalidRequest("assumed_card", name, ", ".join(card.name for card in PUBLISHED_CARDS))


def with_published(measured: MachineSpeeds, card: PublishedCard) -> MachineSpeeds:
    """This machine's own processor with the assumed card."""
    return replace(
        measured,
        card_uuid=f"assumed {card.name}",
        card_bytes_per_s=READ_OF_PUBLISHED * card.bytes_per_s,
        upload_bytes_per_s=card.link_bytes_per_s,
        download_bytes_per_s=card.link_bytes_per_s,
        launch_s=LAUNCH_S,
        round_trip_s=ROUND_TRIP_S,
    )


def published_memory(card: PublishedCard, limit: int | None = None) -> CardMemory:
    """All of the card but the reserve, as if no other program were on it."""
    return CardMemory(card.memory_bytes, 0, RESERVE_BYTES, limit)


def _key(name: str) -> str:
    return "".join(name.casefold().split()).removeprefix("nvidia").removeprefix("geforce").removeprefix("rtx")
