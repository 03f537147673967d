"""States of the page on neurons, of tiers and of comparisons, for tests/app/screenshots.py.

Those without figures are always rendered, the others with the reports of a model's own studies, or with samples.
"""

import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from engine.errors import OutOfDisk
from engine.messages import ModelInfo
from engine.neuron_reports import STUDIES, TIERS, Comparison, StudyReport, study_from_json
from tests.app import neuron_samples
from tests.app.fake_engine import STARTER, Script

if TYPE_CHECKING:
    from tests.app.screenshots import Stage

WIDE = (1180, 800)
RAIN = "Explain how rain forms"
CHINESE = "请用一个小例子解释稀疏激活"
ANSWER = "Rain begins with **evaporation**: the sun warms seas and wet ground, and water rises as an invisible gas."

Reports = tuple[tuple[str, StudyReport], ...]
State = Callable[[], None]


def states(
    stage_of: "Callable[..., Stage]", models: tuple[ModelInfo, ...], folder: Path | None, *, with_samples: bool
) -> dict[str, State]:
    """By name, what renders a state; `folder` has the reports of one model."""

    def neurons(
        name: str,
        theme: str = "light",
        size: tuple[int, int] = WIDE,
        *,
        reports: Reports,
        opens: str = "",
        layer: int = 0,
        stop: int = -1,
    ) -> None:
        """The page with reports, one of them opened."""
        known = {STARTER.model_id: reports}
        script = Script(models=models, tiers=TIERS, known=known)
        stage = stage_of(name, theme=theme, size=size, script=script).ready()
        stage.window.show_neurons_page()
        stage.until(lambda: stage.session.studies.known)
        page = stage.window.neurons_page
        if opens:
            page.cards[opens].open(True)
            details = page.cards[opens].details
            if details is not None:
                if details._layer is not None:
                    details._layer.setCurrentIndex(layer)
                if stop >= 0:
                    QCoreApplication.processEvents()
                    details.charts[0].choose_stop(stop)
            for study, card in page.cards.items():
                card.setVisible(study == opens)
        stage.shoot()

    def neurons_states(name: str, theme: str, size: tuple[int, int] = WIDE) -> None:
        """A study that runs, one that was paused, a stale one, a damaged one, and ones that were never made."""
        script = Script(
            models=models, unfinished={"predictors": 0.42}, stale=("oracle",), damaged=("profile",),
            study=(("observe", 6400, 16384),), gates={"study": threading.Event()},
        )  # fmt: skip
        stage = stage_of(name, theme=theme, size=size, script=script).ready()
        stage.window.show_neurons_page()
        stage.until(lambda: stage.session.studies.known)
        stage.session.studies.start("census")
        stage.until(lambda: (r := stage.session.studies.running) and r.task.progress)
        stage.session.studies.seconds_left = 260.0
        stage.window.neurons_page.refresh()
        stage.shoot()

    def neurons_empty(name: str, theme: str, size: tuple[int, int] = WIDE) -> None:
        stage = stage_of(name, theme=theme, size=size, script=Script(models=models)).ready()
        stage.window.show_neurons_page()
        stage.until(lambda: stage.session.studies.known)
        stage.shoot()

    def neurons_error() -> None:
        error = OutOfDisk("/models/starter-135m.neurons", 2_400_000_000, 310_000_000).report()
        script = Script(models=models, study_error=error)
        stage = stage_of("neurons-error", script=script).ready()
        stage.window.show_neurons_page()
        stage.until(lambda: stage.session.studies.known)
        stage.session.studies.start("predictors")
        stage.until(lambda: stage.session.studies.error("predictors") and stage.session.studies.known)
        stage.shoot()

    def compared(
        name: str, theme: str, prompt: str, comparison: Comparison | None, size: tuple[int, int] = WIDE
    ) -> None:
        """Two answers beside each other, or the page while they are being written."""
        gates = {} if comparison else {"compare": threading.Event()}
        script = Script(models=models, tiers=TIERS, comparison=comparison, compare=(("compare", 70, 512),), gates=gates)
        stage = stage_of(name, theme=theme, size=size, script=script).ready()
        stage.session.settings.update(seed=7)
        stage.window._compare_prompt(prompt, comparison.tier if comparison else "fast")
        stage.until(
            lambda: stage.session.comparison.comparison or ((t := stage.session.comparison.task) and t.progress)
        )
        stage.shoot()

    def drifted(name: str, theme: str, size: tuple[int, int] = WIDE) -> None:
        """An answer of a tier that was left in the middle."""
        script = Script(models=models, tiers=TIERS, answer=lambda _: (ANSWER,), audited=(127, 4, 0.0413))
        stage = stage_of(name, theme=theme, size=size, script=script).ready()
        stage.models.choose_tier("fast")
        stage.ask("Explain how rain forms, in simple words").shoot()

    found: dict[str, State] = {
        "neurons-empty": partial(neurons_empty, "neurons-empty", "light"),
        "neurons-states-light": partial(neurons_states, "neurons-states-light", "light", (1180, 1000)),
        "neurons-states-dark": partial(neurons_states, "neurons-states-dark", "dark", (560, 1400)),
        "comparing": partial(compared, "comparing", "light", RAIN, None),
    }

    def add(subject: str, reports: Reports) -> None:
        """Every report opened, wide and light as well as narrow and dark."""
        found[f"neurons-{subject}known"] = partial(neurons, f"neurons-{subject}known", reports=reports)
        for study, _ in reports:
            for theme, width, height in (("light", 1180, 1900), ("dark", 560, 3000)):
                name = f"neurons-{subject}{study}-{theme}"
                found[name] = partial(neurons, name, theme, (width, height), reports=reports, opens=study, stop=3)

    if folder is not None:
        kept = [(study, folder / f"{study}.json") for study in STUDIES]
        add("", tuple((s, study_from_json(s, p.read_text(encoding="utf-8"), str(p))) for s, p in kept if p.exists()))
    if with_samples:
        add("sample-", neuron_samples.every_report())
        add("large-", neuron_samples.every_report(neuron_samples.LARGE))
        add("silu-", (("census", neuron_samples.census(neuron_samples.SILU)),))
        found |= {
            "neurons-error": neurons_error,
            "neurons-narrow": partial(
                neurons, "neurons-narrow", size=(440, 1500), reports=neuron_samples.every_report()
            ),
            "neurons-layer": partial(
                neurons, "neurons-layer", size=(1180, 1900), reports=neuron_samples.every_report(), opens="census",
                layer=6, stop=12,
            ),
            "compared-light": partial(compared, "compared-light", "light", RAIN, neuron_samples.DIVERGING),
            "compared-same": partial(compared, "compared-same", "dark", RAIN, neuron_samples.IDENTICAL),
            "compared-chinese": partial(compared, "compared-chinese", "light", CHINESE, neuron_samples.CHINESE),
            "compared-narrow": partial(
                compared, "compared-narrow", "dark", CHINESE, neuron_samples.CHINESE, (440, 900)
            ),
            "tier-light": partial(drifted, "tier-light", "light"),
            "tier-narrow": partial(drifted, "tier-narrow", "dark", (440, 760)),
        }  # fmt: skip
    return found
