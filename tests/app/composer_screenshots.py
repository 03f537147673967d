"""States of writing a message, for tests/app/screenshots.py: files, prompts, what waits, how full the context is."""

import threading
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from app.attachments import BINARY, TOO_LARGE, Refused
from app.chat.attached_files import AttachedFile, with_files
from app.window.composer.prompt_dialog import PromptDialog
from app.window.context_gauge import ContextDetails
from engine.context_reports import OLDEST, LeftOut
from engine.messages import Generate
from tests.app.fake_engine import OTHER, STARTER, Script

if TYPE_CHECKING:
    from tests.app.screenshots import Stage

State = Callable[[], None]
WIDE, NARROW = (1180, 800), (460, 760)
CODE = AttachedFile("sparse_ffn.py", "def sparse_ffn(x, gate, up, down):\n    return x\n" * 30)
REPORT = AttachedFile("年度报告（最终版，不再改了，真的）.pdf", "报告" * 4000)


def states(stage: "Callable[..., Stage]", pieces: Callable[[Generate], Iterable[str]]) -> dict[str, State]:
    def scripted(**changes: object) -> Script:
        whole = Script(models=(STARTER, OTHER), has_figures=False, answer=pieces)
        return replace(whole, **changes)  # type: ignore[arg-type]

    def counted(at: "Stage") -> None:
        context = at.session.controls.context
        at.until(lambda: context.use is not None and not context._timer.isActive() and context._asked is None)

    def files(name: str, theme: str, size: tuple[int, int] = WIDE) -> None:
        at = stage(name, theme=theme, size=size, script=scripted()).ready()
        at.ask("Explain how rain forms, in simple words")
        composer = at.window.chat_page.composer
        composer.set_text(with_files("What does this do, and what is odd about it?", [CODE, REPORT]))
        for refused in (
            Refused("holiday.png", BINARY),
            Refused("server.log", TOO_LARGE, found=48_000_000, limit=4_000_000),
        ):
            composer.files_bar.add_refused(refused)
        counted(at)
        at.shoot()

    def sent(name: str, theme: str) -> None:
        at = stage(name, theme=theme, script=scripted()).ready()
        at.ask(with_files("What does this do?", [CODE, REPORT]), with_files("", [CODE])).shoot()

    def prompts(name: str, theme: str, size: tuple[int, int] = WIDE) -> None:
        at = stage(name, theme=theme, size=size, script=scripted()).ready()
        at.ask("Explain how rain forms, in simple words")
        at.window.activateWindow()
        composer = at.window.chat_page.composer
        composer.take_focus()
        at.until(composer._field.hasFocus)
        composer.set_text("/")
        at.shoot()

    def prompt_dialog(name: str, theme: str) -> None:
        at = stage(name, theme=theme, script=scripted()).ready()
        at.window.chat_page.composer.edit_prompts()
        (dialog,) = at.window.findChildren(PromptDialog)
        dialog._copy.click()
        at.shoot_dialog(dialog)

    def queue(name: str, theme: str, size: tuple[int, int] = WIDE, *, is_stopped: bool = False) -> None:
        at = stage(name, theme=theme, size=size, script=scripted(gates={"answer": threading.Event()})).ready()
        page = at.window.chat_page
        page._send("Explain how rain forms, in simple words")
        at.until(lambda: at.chat.path[-1].content)
        page._send("And snow? Please say at which temperature it turns into rain on its way down, and why that depends")
        page._send(with_files("Compare it with this", [CODE]))
        page.composer.set_text("Then")
        if is_stopped:
            at.chat.stop()
            at.until(lambda: at.chat.answering is None)
        at.shoot()

    def gap(name: str, theme: str) -> None:
        script = scripted(models=(replace(STARTER, context_tokens=100),), left_out=LeftOut(0, 2, 132))
        at = stage(name, theme=theme, script=script).ready()
        at.session.settings.update(overflow=OLDEST)
        at.ask("Explain how rain forms, in simple words", "And snow?")
        counted(at)
        at.until(lambda: at.window.chat_page.transcript._column.gap.isVisible())
        at.shoot()

    def details(name: str, theme: str, *, fits: bool = True) -> None:
        at = stage(name, theme=theme, script=scripted()).ready()
        at.session.settings.update(system_prompt="Answer in short sentences, and say what you do not know.")
        at.ask("Explain how rain forms, in simple words")
        at.window.chat_page.composer.set_text("word " * (800 if fits else 3000))
        counted(at)
        ring = at.window.top_bar.context
        ring.show_details()
        at.shoot_dialog(next(shown for shown in ring.findChildren(ContextDetails) if shown.isVisible()))

    return {
        "composer-files-light": lambda: files("composer-files-light", "light"),
        "composer-files-dark": lambda: files("composer-files-dark", "dark"),
        "composer-files-narrow": lambda: files("composer-files-narrow", "light", NARROW),
        "composer-sent-light": lambda: sent("composer-sent-light", "light"),
        "composer-sent-dark": lambda: sent("composer-sent-dark", "dark"),
        "composer-prompts-light": lambda: prompts("composer-prompts-light", "light"),
        "composer-prompts-narrow": lambda: prompts("composer-prompts-narrow", "dark", NARROW),
        "composer-prompt-dialog-light": lambda: prompt_dialog("composer-prompt-dialog-light", "light"),
        "composer-queue-light": lambda: queue("composer-queue-light", "light"),
        "composer-queue-narrow": lambda: queue("composer-queue-narrow", "dark", NARROW, is_stopped=True),
        "composer-gap-light": lambda: gap("composer-gap-light", "light"),
        "composer-context-light": lambda: details("composer-context-light", "light"),
        "composer-context-dark": lambda: details("composer-context-dark", "dark", fits=False),
    }
