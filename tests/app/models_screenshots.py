"""States of the model page, for tests/app/screenshots.py.

Repositories, verdicts and downloads in them are made up: they are rendered with `--samples` only, to be looked at.
"""

import threading
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QDialog

from app.window.models_page import DISCOVER, ModelsPage
from engine.errors import HubUnreachable, LicenceNotAccepted
from tests.app import models_samples as samples
from tests.app.fake_engine import BASE, OTHER, STARTER, Script
from tests.app.fake_hub import HubScript

if TYPE_CHECKING:
    from tests.app.screenshots import Stage

WIDE, TALL, NARROW = (1180, 860), (1180, 1500), (440, 1300)
LIBRARY = (STARTER, samples.FETCHED, OTHER, BASE)
EVERYTHING = (
    samples.running(), samples.WAITING, samples.PAUSED, samples.STALLED, samples.FULL, samples.ELSEWHERE,
)  # fmt: skip

State = Callable[[], None]


def states(stage_of: "Callable[..., Stage]", *, with_samples: bool) -> dict[str, State]:
    """By name, what renders a state."""

    def opened(
        name: str, theme: str, size: tuple[int, int], hub: HubScript, **script: object
    ) -> "tuple[Stage, ModelsPage]":
        whole = Script(**({"models": LIBRARY, "has_figures": False, "hub": hub} | script))  # type: ignore[arg-type]
        stage = stage_of(name, theme=theme, size=size, script=whole)
        stage.until(lambda: stage.models.state in ("ready", "no model"))
        stage.until(lambda: stage.session.hub.downloads.is_known)
        stage.window.show_models_page()
        return stage, stage.window.models_page

    def here(name: str, theme: str = "light", size: tuple[int, int] = WIDE, **hub: object) -> None:
        stage, page = opened(name, theme, size, samples.hub_script(trash=samples.TRASH, **hub))
        stage.session.hub.library.check_updates()
        stage.until(lambda: stage.session.hub.library.updates)
        page.refresh()
        stage.shoot()

    def downloads(name: str, theme: str = "light", size: tuple[int, int] = TALL) -> None:
        stage, page = opened(name, theme, size, samples.hub_script(downloads=EVERYTHING))
        QCoreApplication.processEvents()
        page.downloads.rows[0].toggle_files()
        stage.shoot()

    def ready() -> None:
        stage, _ = opened("models-ready", "light", WIDE, samples.hub_script(downloads=(samples.PACKING,)))
        assert stage.engine is not None
        stage.engine.hub.tell(samples.READY)
        stage.until(lambda: any(d.state == "ready" for d in stage.session.hub.downloads.shown))
        stage.shoot()

    def discover(name: str, theme: str = "light", size: tuple[int, int] = TALL, **hub: object) -> None:
        stage, page = opened(name, theme, size, samples.hub_script(downloads=(samples.running(),), **hub))
        page.show_part(DISCOVER)
        stage.until(lambda: stage.session.hub.hub.catalog)
        stage.shoot()

    def found(name: str, theme: str, size: tuple[int, int], **hub: object) -> None:
        stage, page = opened(name, theme, size, samples.hub_script(**hub))
        page.show_part(DISCOVER)
        stage.until(lambda: stage.session.hub.hub.catalog)
        page.discover.field.setText("sparse")
        page.discover.search()
        stage.until(lambda: not stage.session.hub.hub.is_searching)
        stage.shoot()

    def details(
        name: str, repo: str, theme: str = "light", size: tuple[int, int] = WIDE, *, waits: bool = False, **hub: object
    ) -> None:
        stage, page = opened(name, theme, size, samples.hub_script(**hub))
        page.show_part(DISCOVER)
        stage.until(lambda: stage.session.hub.hub.catalog)
        page.look_at(repo)
        control = stage.session.hub.hub

        def is_answered() -> bool:
            looked = control.looked
            return looked is not None and not looked.is_asking and not looked.is_judging

        if waits:
            stage.until(lambda: control.looked and control.looked.progress)
        else:
            stage.until(is_answered)
        if name.endswith("files"):
            page.details.files.toggle_files()
        stage.shoot()

    def gated(name: str, theme: str, size: tuple[int, int], place: str = "nowhere") -> None:
        error = LicenceNotAccepted(samples.GATED, f"https://huggingface.co/{samples.GATED}").report()
        details(name, samples.GATED, theme, size, errors={"ReadRepository": error}, token_place=place)

    def offline(name: str, theme: str, *, looks: bool) -> None:
        stage, page = opened(name, theme, WIDE, samples.hub_script())
        stage.session.hub.network.switch(offline=True)
        page.show_part(DISCOVER)
        stage.until(lambda: stage.session.hub.hub.catalog)
        if looks:
            page.look_at(samples.SMALL)
            stage.until(lambda: (looked := stage.session.hub.hub.looked) and looked.problem)
        stage.shoot()

    def empty() -> None:
        stage, page = opened("models-empty", "light", WIDE, samples.hub_script(), models=())
        page.show_part(0)
        stage.shoot()

    def dialog(name: str, theme: str, open_it: Callable[["Stage", ModelsPage], QDialog | None], **hub: object) -> None:
        stage, page = opened(name, theme, WIDE, samples.hub_script(trash=samples.TRASH, **hub))
        open_it(stage, page)
        stage.until(lambda: any(d.isVisible() for d in stage.window.findChildren(QDialog)))
        shown = next(d for d in stage.window.findChildren(QDialog) if d.isVisible())
        stage.shoot_dialog(shown)

    def card(stage: "Stage", page: ModelsPage) -> None:
        stage.session.hub.library.read_card(samples.FETCHED.model_id)

    def adoption(stage: "Stage", page: ModelsPage) -> None:
        page._caches = ()
        page._open_adoption()
        stage.session.hub.library.find_adoptable(("/cache",))
        dialog_of = next(d for d in stage.window.findChildren(QDialog) if d.isVisible())
        dialog_of._folders = ("/cache",)  # type: ignore[attr-defined]
        stage.until(lambda: stage.session.hub.library.adoptable)
        dialog_of.refresh()  # type: ignore[attr-defined]

    def tested(stage: "Stage", page: ModelsPage) -> QDialog:
        shown = page.open_test()
        stage.until(lambda: stage.session.hub.network.steps and not stage.session.hub.network.is_testing)
        return shown

    def long_names(name: str, size: tuple[int, int]) -> None:
        long_download = replace(samples.PAUSED, repo="someone/" + samples.LONG.name)
        stage, _ = opened(
            name, "light", size, samples.hub_script(downloads=(long_download,)), models=(STARTER, samples.LONG)
        )
        stage.shoot()

    def away(name: str, theme: str, size: tuple[int, int]) -> None:
        gone = replace(samples.FETCHED, away_from=samples.DRIVE)
        hub = samples.hub_script(downloads=(samples.WITHOUT_DRIVE,), away=(samples.DRIVE,), updates=())
        stage, _ = opened(name, theme, size, hub, models=(STARTER, gone, OTHER))
        stage.shoot()

    def away_folders(stage: "Stage", page: ModelsPage) -> QDialog:
        stage.session.settings.update(library_folders=("/home/someone/models", samples.DRIVE))
        return page.open_settings()

    def superseded() -> None:
        newest = samples.UPDATE.newest
        source = samples.FETCHED.source.replace(samples.COMMIT[:12], newest[:12])
        newer = replace(samples.FETCHED, model_id="newer", source=source)
        stage, page = opened("models-superseded", "light", WIDE, samples.hub_script(), models=(samples.FETCHED, newer))
        stage.session.hub.library.check_updates()
        stage.until(lambda: stage.session.hub.library.updates)
        page.refresh()
        stage.shoot()

    lost = HubUnreachable("huggingface.co", "no route to host").report()
    closed = threading.Event()
    found_states: dict[str, State] = {}
    if with_samples:
        found_states |= {
            "models-here-light": partial(here, "models-here-light", size=TALL),
            "models-here-dark": partial(here, "models-here-dark", "dark"),
            "models-here-narrow": partial(here, "models-here-narrow", "light", NARROW),
            "models-downloads-light": partial(downloads, "models-downloads-light"),
            "models-downloads-dark": partial(downloads, "models-downloads-dark", "dark"),
            "models-downloads-narrow": partial(downloads, "models-downloads-narrow", "light", (440, 1700)),
            "models-away-light": partial(away, "models-away-light", "light", WIDE),
            "models-away-narrow": partial(away, "models-away-narrow", "dark", NARROW),
            "models-dialog-away": partial(dialog, "models-dialog-away", "light", away_folders, away=(samples.DRIVE,)),
            "models-superseded": superseded,
            "models-ready": ready,
            "models-discover-light": partial(discover, "models-discover-light"),
            "models-discover-dark": partial(discover, "models-discover-dark", "dark"),
            "models-discover-narrow": partial(discover, "models-discover-narrow", "light", NARROW),
            "models-found-light": partial(found, "models-found-light", "light", TALL),
            "models-found-lost": partial(found, "models-found-lost", "dark", WIDE, errors={"SearchHub": lost}),
            "models-details-light": partial(details, "models-details-light", samples.SMALL),
            "models-details-dark": partial(details, "models-details-dark", samples.SMALL, "dark"),
            "models-details-narrow-files": partial(
                details, "models-details-narrow-files", samples.SMALL, "light", NARROW
            ),
            "models-details-disk": partial(details, "models-details-disk", samples.BIG),
            "models-details-card": partial(
                details, "models-details-card", samples.BIG, "dark", fits={samples.BIG: samples.PARTLY}
            ),
            "models-details-big": partial(
                details, "models-details-big", samples.BIG, fits={samples.BIG: samples.TOO_BIG}
            ),
            "models-details-unsupported": partial(details, "models-details-unsupported", samples.STRANGE),
            "models-details-asking": partial(
                details, "models-details-asking", samples.SMALL, waits=True, headers=((2, 5),), fits={},
                fit=lambda _: (closed.wait(1), samples.FITS)[1],
            ),
            "models-details-lost": partial(
                details, "models-details-lost", samples.SMALL, errors={"ReadRepository": lost}
            ),
            "models-details-unknown": partial(details, "models-details-unknown", "someone/no-such-model"),
            "models-gated-light": partial(gated, "models-gated-light", "light", WIDE),
            "models-gated-narrow": partial(gated, "models-gated-narrow", "dark", NARROW, "keyring"),
            "models-offline-light": partial(offline, "models-offline-light", "light", looks=False),
            "models-offline-details": partial(offline, "models-offline-details", "dark", looks=True),
            "models-empty": empty,
            "models-long": partial(long_names, "models-long", WIDE),
            "models-long-narrow": partial(long_names, "models-long-narrow", (440, 900)),
            "models-dialog-settings": partial(
                dialog, "models-dialog-settings", "light", lambda _, page: page.open_settings(), token_place="keyring"
            ),
            "models-dialog-settings-dark": partial(
                dialog, "models-dialog-settings-dark", "dark", lambda _, page: page.open_settings()
            ),
            "models-dialog-test": partial(dialog, "models-dialog-test", "light", tested),
            "models-dialog-test-broken": partial(
                dialog, "models-dialog-test-broken", "dark", tested, steps=samples.BROKEN_STEPS
            ),
            "models-dialog-card": partial(dialog, "models-dialog-card", "light", card),
            "models-dialog-trash": partial(dialog, "models-dialog-trash", "light", lambda _, page: page._open_trash()),
            "models-dialog-adopt": partial(dialog, "models-dialog-adopt", "dark", adoption),
        }  # fmt: skip
    return found_states
