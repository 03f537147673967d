"""States of the shell for tests/app/screenshots.py: settings, logs, the first questions, commands, shortcuts, sizes."""

from collections.abc import Callable
from functools import partial
from typing import Any

from app.window.shortcut_sheet import ShortcutSheet
from tests.app import device_samples
from tests.app.fake_engine import BASE, OTHER, STARTER, Script

LOG = """2026-11-30 12:00:00,100 INFO engine.host: the engine has started
2026-11-30 12:00:01,400 INFO engine.runtime.loading: 30 layers read in 0.4 s
2026-11-30 12:00:02,100 WARNING engine.runtime.governor: the machine is busy, one thread less
2026-11-30 12:00:04,100 ERROR engine.hub.transfer: the connection broke off, trying again in 2 s
"""
QUESTION = "Explain how rain forms, in simple words"

MakeStage = Callable[..., Any]


def states(stage: MakeStage, answer: Callable[..., Any]) -> dict[str, Callable[[], None]]:
    def ready(name: str, theme: str = "light", **options: Any) -> Any:
        script = Script(
            models=(STARTER, OTHER, BASE), has_figures=False, devices=device_samples.UNMEASURED, answer=answer
        )
        return stage(name, theme=theme, script=script, **options).ready()

    def settings(name: str, theme: str, section: int = 0, **options: Any) -> None:
        made = ready(name, theme, **options)
        made.window.show_settings_page()
        made.until(made.window.settings_page.isVisible)
        if section:
            made.window.settings_page.show_section(section)
        made.shoot()

    def logs(name: str, theme: str) -> None:
        made = ready(name, theme)
        paths = made.session.controls.paths
        paths.logs.mkdir(parents=True, exist_ok=True)
        paths.engine_log.write_text(LOG, encoding="utf-8")
        made.window.show_logs_page()
        made.shoot()

    def welcome(name: str, theme: str, step: int) -> None:
        made = ready(name, theme)
        made.session.ask_first_questions()
        for _ in range(step):
            made.session.welcome.next_button.click()
        made.until(lambda: made.session.device.report is not None or step < 3)
        made.shoot_dialog(made.session.welcome)

    def commands(name: str, theme: str, typed: str) -> None:
        made = ready(name, theme).ask(QUESTION)
        made.window.command_palette.toggle()
        made.window.command_palette.field.setText(typed)
        made.shoot()

    def sheet(name: str, theme: str) -> None:
        made = ready(name, theme)
        made.window.commands.command("shortcuts").action.trigger()
        made.shoot_dialog(made.window.findChildren(ShortcutSheet)[0])

    def zoomed(name: str, theme: str, percent: int, page: str = "chat") -> None:
        made = ready(name, theme)
        made.session.settings.update(zoom=percent)
        made.ask(QUESTION)
        made.window.pages.show_page(page)
        made.shoot()
        made.session.controls.theme.show(theme, "ember", 100)

    return {
        "settings-page": partial(settings, "settings-page", "light"),
        "settings-page-dark": partial(settings, "settings-page-dark", "dark", 6),
        "settings-page-narrow": partial(settings, "settings-page-narrow", "light", 2, size=(440, 800)),
        "logs": partial(logs, "logs", "dark"),
        "welcome-1": partial(welcome, "welcome-1", "light", 0),
        "welcome-2": partial(welcome, "welcome-2", "light", 1),
        "welcome-3": partial(welcome, "welcome-3", "light", 2),
        "welcome-4": partial(welcome, "welcome-4", "dark", 3),
        "welcome-5": partial(welcome, "welcome-5", "dark", 4),
        "commands": partial(commands, "commands", "light", "s"),
        "commands-dark": partial(commands, "commands-dark", "dark", "set"),
        "shortcuts": partial(sheet, "shortcuts", "light"),
        "zoom-150": partial(zoomed, "zoom-150", "light", 150),
        "zoom-80": partial(zoomed, "zoom-80", "light", 80),
        "zoom-150-settings": partial(zoomed, "zoom-150-settings", "dark", 150, "settings"),
    }
