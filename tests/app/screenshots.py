"""Render the main states of the window to docs/screenshots.

    python -m tests.app.screenshots [--real] [--reports FOLDER] [--studies FOLDER] [--samples] [--only NAME]
        [--language LANGUAGE] [--out FOLDER]

By hand and in CI. The conversations are demonstrations with a scripted engine, whose figures are never shown; with
`--real` the starter model of this machine answers instead, in the states where it can, and the figures are measured.
The speed page shows figures only where `--reports` names a folder that `ember bench` has kept reports in, and the page
on neurons where `--studies` names the folder of a model's studies. `--samples` adds states with figures that are made
up, to be looked at while the page is worked on; those pictures are not kept.
"""

import argparse
import os
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication, QWidget

from app.chat.chats import open_chats
from app.language import LANGUAGE_NAMES
from app.paths import app_paths, assets_dir
from app.settings import AppSettings
from app.settings_file import SettingsFile
from app.window.language import Language
from app.window.start import Session
from app.window.theme import Theme
from engine.api import open_engine
from engine.errors import ContextFull
from engine.messages import EngineConfig, Generate
from tests.app import (
    answer_screenshots,
    chats_screenshots,
    composer_screenshots,
    device_screenshots,
    models_screenshots,
    neuron_screenshots,
    shell_screenshots,
    transcript_screenshots,
)
from tests.app.fake_engine import BASE, OTHER, STARTER, FakeEngine, Script

OUT = Path(__file__).resolve().parents[2] / "docs" / "screenshots"
WIDE = (1180, 800)

PROSE = """Rain begins with **evaporation**: the sun warms seas and wet ground, and water rises as an invisible gas.

1. **Rising.** Warm air carries the vapour up, where it is colder.
2. **Condensing.** Around specks of dust and salt it turns into droplets; billions of them are a cloud.
3. **Falling.** Droplets meet and merge until the air can no longer hold them up.

> A raindrop is about a million cloud droplets.

So a cloud is not a bag that bursts: most of what falls has been *growing* for half an hour.
"""

MIXED = """当然可以。下面是一个**稀疏**前馈层的最小例子：先算门控，再只取被激活的神经元。 🔥

```python
def sparse_ffn(x, gate, up, down):
    \"\"\"只计算被激活的神经元。\"\"\"
    acts = np.maximum(gate @ x, 0.0)       # ReLU
    rows = np.flatnonzero(acts)            # 只剩少数几行
    return (acts[rows] * (up[rows] @ x)) @ down[rows]
```

三种放置方式的区别：

| 方式 | 热神经元 | 冷神经元 | 适合 |
|:-----|:--------|:--------|:-----|
| 全部在内存 | CPU | CPU | 没有显卡的电脑 |
| 混合 | GPU | CPU | 显存不够大的显卡 |
| 全部在显存 | GPU | GPU | 小模型 |

- 精确模式不丢失任何结果 ✅
- 表情也能正常显示：😀 👩‍💻 🇨🇳 👍🏽
- 更多内容见 https://github.com/SJTU-IPADS/PowerInfer
"""


def scripted(question: str) -> str:
    return MIXED if "稀疏" in question else PROSE


class Stage:
    """A session with scripted or real answers, driven to a state and photographed."""

    out = OUT

    def __init__(
        self,
        app: QApplication,
        name: str,
        *,
        size: tuple[int, int] = WIDE,
        theme: str = "light",
        script: Script | None,
        reports: Path | None = None,
    ) -> None:
        self.name = name
        self._home = tempfile.TemporaryDirectory()
        paths = app_paths(self._home.name)
        if reports is not None:
            shutil.copytree(reports, paths.benchmarks)
        file = SettingsFile(paths.settings)
        file.settings = AppSettings(theme=theme)
        self._theme = Theme(app, assets_dir(), theme)
        self.engine: FakeEngine | None = None
        self.session = Session(paths, file, self._theme, open_chats(paths.conversations), self._opener(script))
        self.chat, self.models, self.window = self.session.chat, self.session.models, self.session.window
        self.window.resize(*size)
        self.session.open()

    def _opener(self, script: Script | None) -> Callable:
        if script is None:
            library = str(Path(tempfile.gettempdir()) / "ember-screenshot-models")
            config = EngineConfig(library, str(Path(tempfile.gettempdir()) / "ember-screenshot-kernels"))
            return lambda on_event: open_engine(config, on_event)

        def opener(on_event: Callable) -> FakeEngine:
            self.engine = FakeEngine(on_event, script)
            return self.engine

        return opener

    def until(self, condition: Callable[[], object], timeout_s: float = 600.0) -> None:
        end = time.monotonic() + timeout_s
        while not condition():
            QCoreApplication.processEvents()
            time.sleep(0.005)
            if time.monotonic() > end:
                raise TimeoutError(self.name)

    def ready(self) -> "Stage":
        self.until(lambda: self.models.state == "ready")
        return self

    def ask(self, *questions: str) -> "Stage":
        for question in questions:
            self.window.chat_page.composer.set_text("")
            self.window.chat_page._send(question)
            self.until(lambda: self.chat.answering is None and self.chat.path[-1].role == "assistant")
        return self

    def talk_before(self, *questions: str) -> "Stage":
        """Conversations that fill the list."""
        for question in questions:
            self.ask(question)
            self.window.new_chat()
        return self

    def shoot(self) -> None:
        end = time.monotonic() + 0.5
        while time.monotonic() < end:
            QCoreApplication.processEvents()
            time.sleep(0.005)
        self._shoot(self.window)

    def shoot_dialog(self, dialog: QWidget) -> None:
        """A window of the window's, by itself."""
        end = time.monotonic() + 0.3
        while time.monotonic() < end:
            QCoreApplication.processEvents()
            time.sleep(0.005)
        self._shoot(dialog)

    def _shoot(self, widget: QWidget) -> None:
        self.out.mkdir(parents=True, exist_ok=True)
        widget.grab().save(str(self.out / f"{self.name}.png"))
        if widget is not self.window:
            widget.close()
        self.window.close()
        self.session.close()
        self.window.deleteLater()
        self._theme.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        self._home.cleanup()


def pieces(request: Generate) -> Iterable[str]:
    yield scripted(request.messages[-1].content)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--real", action="store_true", help="let the starter model answer")
    parser.add_argument("--reports", type=Path, help="a folder of reports for the speed page")
    parser.add_argument("--studies", type=Path, help="a folder of reports on neurons, as kept beside a model")
    parser.add_argument("--samples", action="store_true", help="also states whose figures are made up, to be judged")
    parser.add_argument("--only", default="", help="how the names of the states to render begin")
    parser.add_argument("--language", default="en", choices=tuple(LANGUAGE_NAMES), help="of the window")
    parser.add_argument("--out", type=Path, default=OUT, help="where the pictures go")
    options = parser.parse_args()
    Stage.out = options.out
    app = QApplication(sys.argv[:1])
    Language(app, assets_dir() / "translations", options.language)
    topics = ("Ideas for a rainy weekend", "如何解释稀疏激活？", "Plan a small herb garden")
    three = (STARTER, OTHER, BASE)

    def demo(**changes: object) -> Script | None:
        return (
            None if options.real and not changes else Script(models=three, has_figures=False, answer=pieces, **changes)
        )  # type: ignore[arg-type]

    def empty() -> None:
        Stage(app, "empty-light", script=demo()).ready().shoot()

    def conversation(name: str, theme: str, size: tuple[int, int] = WIDE) -> None:
        stage = Stage(app, name, theme=theme, size=size, script=demo()).ready()
        if not options.real:
            stage.talk_before(*topics)
        stage.ask("Explain how rain forms, in simple words").shoot()

    def mixed(name: str, theme: str) -> None:
        stage = Stage(app, name, theme=theme, script=Script(models=three, has_figures=False, answer=pieces)).ready()
        stage.talk_before("Ideas for a rainy weekend", "Plan a small herb garden")
        stage.ask("请用一个小例子解释稀疏激活 🙂").shoot()

    def models(name: str, theme: str) -> None:
        steps = (("verify", 1, 2), ("pack", 42, 100))
        gate = threading.Event()
        stage = Stage(
            app,
            name,
            theme=theme,
            script=Script(models=three, has_figures=False, imports=steps, gates={"import": gate}),
        ).ready()
        stage.window.import_files([Path("/models/another-model-q4.gguf")])
        stage.until(lambda: any(t.progress and t.progress.phase == "pack" for t in stage.models.imports))
        stage.shoot()

    def loading() -> None:
        script = Script(models=three, has_figures=False, load=(("pack", 42, 100),), gates={"load": threading.Event()})
        stage = Stage(app, "loading", script=script)
        stage.until(lambda: stage.models.loading and stage.models.loading.progress)
        stage.window.chat_page._send("Explain how rain forms, in simple words")
        stage.shoot()

    def error_cards() -> None:
        script = Script(models=three, has_figures=False, answer=pieces)
        stage = Stage(app, "error-card", script=script).ready().ask("Explain how rain forms, in simple words")
        script.answer_error = ContextFull(9120, 8192).report()
        script.answer = lambda request: ()
        stage.ask("And now summarise this whole book for me").shoot()

    def engine_stopped() -> None:
        script = Script(models=three, has_figures=False, answer=pieces, gates={"answer": threading.Event()})
        stage = Stage(app, "engine-stopped", theme="dark", script=script).ready()
        stage.window.chat_page._send("Explain how rain forms, in simple words")
        stage.until(lambda: stage.chat.path[-1].content)
        if stage.engine is not None:
            stage.engine.die()
        stage.until(lambda: stage.models.state == "stopped")
        stage.shoot()

    def panel() -> None:
        stage = Stage(app, "settings-of-answers", script=demo()).ready()
        stage.ask("Explain how rain forms, in simple words")
        stage.window.toggle_panel()
        stage.shoot()

    def speed(name: str, theme: str, size: tuple[int, int] = WIDE, *, opens: int | None = 0) -> None:
        stage = Stage(app, name, theme=theme, size=size, script=Script(models=three), reports=options.reports).ready()
        stage.window.show_speed_page()
        page = stage.window.speed_page
        stage.until(lambda: page._cards or (stage.session.speed.is_read and not options.reports))
        if opens is not None and page._cards:
            list(page._cards.values())[opens].header.setChecked(True)
        stage.shoot()

    def measuring() -> None:
        script = Script(models=three, benchmark=(("decode", 0, 2),), gates={"benchmark": threading.Event()})
        stage = Stage(app, "speed-measuring", script=script, reports=options.reports).ready()
        stage.window.show_speed_page()
        stage.window.speed_page._measure.click()
        stage.until(lambda: (m := stage.session.speed.measurement) and m.task.progress)
        stage.shoot()

    states: dict[str, Callable[[], None]] = {
        "empty-light": empty,
        "conversation-light": lambda: conversation("conversation-light", "light"),
        "conversation-dark": lambda: conversation("conversation-dark", "dark"),
        "narrow": lambda: conversation("narrow", "light", (520, 760)),
        "mixed-light": lambda: mixed("mixed-light", "light"),
        "mixed-dark": lambda: mixed("mixed-dark", "dark"),
        "models-light": lambda: models("models-light", "light"),
        "models-dark": lambda: models("models-dark", "dark"),
        "loading": loading,
        "error-card": error_cards,
        "engine-stopped": engine_stopped,
        "settings-of-answers": panel,
        "speed-measuring": measuring,
    }
    if options.reports is None:
        states["speed-empty"] = lambda: speed("speed-empty", "light")
    else:
        states |= {
            "speed-list": lambda: speed("speed-list", "light", opens=None),
            "speed-light": lambda: speed("speed-light", "light", (1180, 1560)),
            "speed-dark": lambda: speed("speed-dark", "dark", (1180, 1560), opens=-1),
            "speed-narrow": lambda: speed("speed-narrow", "light", (440, 1560), opens=-1),
        }
    states |= neuron_screenshots.states(partial(Stage, app), three, options.studies, with_samples=options.samples)
    states |= device_screenshots.states(partial(Stage, app), three, with_samples=options.samples)
    states |= models_screenshots.states(partial(Stage, app), with_samples=options.samples)
    states |= shell_screenshots.states(partial(Stage, app), pieces)
    states |= answer_screenshots.states(partial(Stage, app), pieces, with_samples=options.samples)
    states |= composer_screenshots.states(partial(Stage, app), pieces)
    states |= chats_screenshots.states(partial(Stage, app), pieces)
    states |= transcript_screenshots.states(partial(Stage, app))
    chosen = {name: state for name, state in states.items() if name.startswith(options.only)}
    for name, state in chosen.items():
        print(name)
        state()
    return 0


if __name__ == "__main__":
    sys.exit(main())
