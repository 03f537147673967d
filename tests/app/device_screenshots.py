"""States of the device page, for tests/app/screenshots.py.

All but the empty one have figures that are made up: they are rendered with `--samples` only, to be looked at.
"""

import threading
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QCoreApplication

from app.device_figures import GIB, OTHERS
from engine.errors import CardUnusable, OutOfMemory
from engine.messages import ModelInfo, SetBudget
from engine.placement_reports import PlacementState
from tests.app import device_samples as samples
from tests.app.fake_engine import Script

if TYPE_CHECKING:
    from tests.app.screenshots import Stage

WIDE, TALL, NARROW = (1180, 800), (1180, 2300), (440, 3000)
RAIN = "Explain how rain forms"

UNUSED = samples.report("usable", replace(samples.CARD, ours_bytes=0, free_bytes=samples.TOTAL - samples.OTHERS))

State = Callable[[], None]


def with_card(models: tuple[ModelInfo, ...], **changes: object) -> Script:
    """A card with 6 GiB of it Ember's."""
    whole = Script(
        models=tuple(replace(model, is_sparse=True) for model in models),
        answer=lambda _: ("Rain ", "begins ", "with evaporation."), devices=samples.USABLE,
        offer=samples.offer(), placement=samples.placement(), budget=placed, step_load=samples.load(),
        samples=(samples.neurons(seed=3), samples.neurons(seed=4)),
    )  # fmt: skip
    return replace(whole, **changes)  # type: ignore[arg-type]


def placed(request: SetBudget) -> PlacementState:
    return samples.placement(samples.offer().recommended_bytes if request.vram_bytes is None else request.vram_bytes)


def stepped_down() -> PlacementState:
    """Another program has taken 2.1 GiB."""
    grown = round(2.1 * GIB)
    state = samples.placement(6 * GIB - grown, stepped_down="other_program", wanted_bytes=grown)
    others = dict(state.account)[OTHERS]
    account = tuple(
        (name, n_bytes + grown if name == OTHERS else n_bytes - grown if name == "unused" else n_bytes)
        for name, n_bytes in state.account
    )
    assert dict(account)[OTHERS] == others + grown
    return replace(state, account=account)


def emulated(models: tuple[ModelInfo, ...]) -> Script:
    return with_card(
        models, devices=samples.DEMONSTRATION, placement=samples.demonstration(), offer=samples.demonstration_offer(),
        budget=lambda request: samples.demonstration(placed(request).budget_bytes),
    )  # fmt: skip


def dense(models: tuple[ModelInfo, ...]) -> Script:
    """A model of which no neuron can be silent, that leaves the card alone."""
    flat = tuple(replace(point, tokens_per_s=10.5, hot_share=0.0) for point in samples.offer().points)
    baselines = (("whole layers", 10.5), ("cpu only", 10.5))
    offer = samples.offer(basis="even", recommended_bytes=0, points=flat, baselines=baselines)
    script = with_card(models, offer=offer, placement=samples.placement(0, allocated=()), step_load=None, samples=())
    return replace(script, models=models)


def refused_card(models: tuple[ModelInfo, ...]) -> Script:
    """The card that was asked for is not there any more."""
    return replace(without_card(models), card_refusal=CardUnusable("no_driver", "").report())


def without_card(models: tuple[ModelInfo, ...]) -> Script:
    return with_card(
        models, devices=samples.NO_CARD, offer=None, assumed=samples.offer(), placement=None, step_load=None,
        samples=(samples.neurons(hot=0.0),),
    )  # fmt: skip


def states(stage_of: "Callable[..., Stage]", models: tuple[ModelInfo, ...], *, with_samples: bool) -> dict[str, State]:
    """By name, what renders a state."""

    def opened(
        name: str, script: Script, theme: str, size: tuple[int, int], *, asks: bool = True, card: str = "auto"
    ) -> "Stage":
        stage = stage_of(name, theme=theme, size=size, script=script)
        if script.devices.state == "emulated":
            card = "emulated"
        if card != "auto":
            stage.session.settings.update(card=card)
        stage.ready()
        stage.window.show_device_page()
        stage.until(lambda: stage.session.device.report)
        if script.offer is not None:
            stage.until(lambda: stage.session.device.offer)
        if asks:
            stage.ask(RAIN)
            stage.until(lambda: stage.session.device.pictures.sample)
            stage.window.show_device_page()
        return stage

    def page(name: str, script: Script, theme: str = "light", size: tuple[int, int] = TALL, **how: Any) -> None:
        opened(name, script, theme, size, **how).shoot()

    def reading() -> None:
        script = with_card(models, gates={"devices": threading.Event()})
        stage = stage_of("device-reading", size=WIDE, script=script).ready()
        stage.window.show_device_page()
        stage.shoot()

    def dragging() -> None:
        stage = opened("device-dragging", with_card(models), "light", (1180, 1100))
        slider = stage.window.device_page.budget.slider
        slider.setFocus()
        slider.setSliderDown(True)
        slider.setValue(8700)
        stage.shoot()

    def taking_less() -> None:
        gates = {"budget": threading.Event()}
        stage = opened("device-less", with_card(models, gates=gates), "dark", (900, 1100))
        stage.session.device.choose_budget(3 * GIB)
        stage.until(lambda: stage.session.device.is_applying)
        stage.shoot()

    def assuming(name: str, theme: str, size: tuple[int, int]) -> None:
        stage = opened(name, without_card(models), theme, size)
        stage.session.device.assume("RTX 4090")
        stage.until(lambda: stage.session.device.assumed.offer)
        stage.shoot()

    def measuring() -> None:
        script = without_card(models)
        script.measure, script.gates = (("rates", 3, 6),), {"measure": threading.Event()}
        script.devices = samples.UNMEASURED
        stage = opened("device-measuring", script, "light", TALL, asks=False)
        stage.session.device.measure()
        stage.until(lambda: (task := stage.session.device.measuring) and task.progress)
        stage.shoot()

    def refused() -> None:
        error = OutOfMemory("card", 9 * GIB, 4 * GIB).report()
        stage = opened("device-error", with_card(models, budget_error=error), "light", (1180, 1300))
        stage.session.device.choose_recommended()
        stage.until(lambda: stage.session.device.budget_error)
        stage.shoot()

    def second_card() -> None:
        script = with_card(models, devices=samples.TWO_CARDS)
        stage = opened("device-two-cards", script, "light", TALL)
        stage.window.device_page.cards.rows[1].choice.click()
        stage.shoot()

    def looking(name: str, theme: str) -> None:
        """A bucket under the pointer."""
        stage = opened(name, with_card(models), theme, TALL)
        QCoreApplication.processEvents()
        stage.window.device_page.heat.map.choose_stop(64 * 9 + 21)
        stage.window.device_page.budget.plot.choose_stop(12)
        stage.shoot()

    found: dict[str, State] = {}
    if with_samples:
        found |= {
            "device-reading": reading,
            "device-card-light": partial(looking, "device-card-light", "light"),
            "device-card-dark": partial(looking, "device-card-dark", "dark"),
            "device-card-narrow": partial(page, "device-card-narrow", with_card(models), "dark", NARROW),
            "device-unused": partial(
                page, "device-unused", with_card(models, devices=UNUSED, placement=None), asks=False
            ),
            "device-dragging": dragging,
            "device-less": taking_less,
            "device-error": refused,
            "device-two-cards": second_card,
            "device-two-cards-narrow": partial(
                page, "device-two-cards-narrow", with_card(models, devices=samples.TWO_CARDS), "light", NARROW
            ),
            "device-stepped-down": partial(
                page, "device-stepped-down", with_card(models, step_down=stepped_down()), "light"
            ),
            "device-emulated-light": partial(page, "device-emulated-light", emulated(models)),
            "device-emulated-narrow": partial(page, "device-emulated-narrow", emulated(models), "dark", NARROW),
            "device-dense": partial(page, "device-dense", dense(models), asks=False),
            "device-refused": partial(page, "device-refused", refused_card(models), "light", card="GPU-11111111-aaaa"),
            "device-none-light": partial(page, "device-none-light", without_card(models)),
            "device-none-dark": partial(page, "device-none-dark", without_card(models), "dark"),
            "device-none-narrow": partial(page, "device-none-narrow", without_card(models), "light", NARROW),
            "device-assumed-light": partial(assuming, "device-assumed-light", "light", (1180, 1100)),
            "device-assumed-narrow": partial(assuming, "device-assumed-narrow", "dark", (440, 1500)),
            "device-measuring": measuring,
        }  # fmt: skip
    return found
