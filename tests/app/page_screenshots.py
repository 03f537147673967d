"""Render every page of the window in light, dark and Chinese to docs/screenshots.

    python -m tests.app.page_screenshots [--only NAME] [--out FOLDER]

The conversation is a demonstration with a scripted engine, and no page shows a figure that was not measured: where a
page is about measurements, it is shown as it is before the first one.
"""

import argparse
import sys
import threading
from collections.abc import Callable
from pathlib import Path

from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from app.paths import assets_dir
from app.window.language import Language
from app.window.models_page import DISCOVER
from tests.app import models_samples
from tests.app.fake_engine import STARTER, Script
from tests.app.screenshots import OUT, Stage

SIZE = (1060, 720)
ENGLISH_ANSWER = """Rain begins with **evaporation**: the sun warms seas and wet ground, and water rises as a gas.

1. **Rising.** Warm air carries the vapour up, where it is colder.
2. **Condensing.** Around specks of dust it turns into droplets; billions of them are a cloud.
3. **Falling.** Droplets meet and merge until the air can no longer hold them up.

```python
droplet_mm, raindrop_mm = 0.01, 1.0
print((raindrop_mm / droplet_mm) ** 3)  # droplets in a raindrop: 1000000
```

| | cloud droplet | raindrop |
|:--|--:|--:|
| across | 0.01 mm | 1 mm |
| falls | 3 mm/s | 4 m/s |
"""
CHINESE_ANSWER = """雨从**蒸发**开始：太阳晒暖海面和湿润的地面，水变成看不见的水汽上升。

1. **上升。** 暖空气把水汽带到更冷的高处。
2. **凝结。** 水汽在尘埃周围变成小水滴，无数小水滴就是云。
3. **下落。** 水滴相遇、合并，直到空气再也托不住它们。

```python
droplet_mm, raindrop_mm = 0.01, 1.0
print((raindrop_mm / droplet_mm) ** 3)  # 一滴雨里的云滴数：1000000
```

| | 云滴 | 雨滴 |
|:--|--:|--:|
| 直径 | 0.01 mm | 1 mm |
| 下落速度 | 3 mm/s | 4 m/s |
"""
# By look: language, theme, questions asked before, and the one whose answer is shown.
LOOKS = {
    "light": ("en", "light", ("Ideas for a rainy weekend", "Plan a small herb garden"), "Explain how rain forms"),
    "dark": ("en", "dark", ("Ideas for a rainy weekend", "Plan a small herb garden"), "Explain how rain forms"),
    "chinese": ("zh_CN", "light", ("雨天周末的主意", "规划一个小香草园"), "用简单的话解释雨是怎样形成的"),
}

Page = Callable[[Stage], None]


def chat(stage: Stage) -> None:
    stage.window.show_chat_page()


def models(stage: Stage) -> None:
    stage.window.show_models_page()
    stage.until(lambda: stage.session.hub.downloads.is_known)


def discover(stage: Stage) -> None:
    models(stage)
    stage.window.models_page.show_part(DISCOVER)
    stage.until(lambda: stage.session.hub.hub.catalog)


def neurons(stage: Stage) -> None:
    stage.window.show_neurons_page()
    stage.until(lambda: stage.session.studies.known)


def device(stage: Stage) -> None:
    stage.window.show_device_page()
    stage.until(lambda: stage.session.device.report)


def speed(stage: Stage) -> None:
    stage.window.show_speed_page()
    stage.until(lambda: stage.session.speed.is_read)


def settings(stage: Stage) -> None:
    stage.window.show_settings_page()


PAGES: dict[str, Page] = {
    "chat": chat, "models": models, "discover": discover, "neurons": neurons, "device": device, "speed": speed,
    "settings": settings,
}  # fmt: skip


def script_for(look: str) -> Script:
    answer = CHINESE_ANSWER if look == "chinese" else ENGLISH_ANSWER
    return Script(
        models=(STARTER,), has_figures=False, answer=lambda _: (answer,),
        hub=models_samples.hub_script(downloads=(), updates=()), gates={"count": threading.Event()},
    )  # fmt: skip


def made_small(file: Path) -> None:
    """The same picture in as few bytes as PNG allows: without a channel for transparency, and packed slowly."""
    QImage(str(file)).convertToFormat(QImage.Format.Format_RGB888).save(str(file), quality=0)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="how the names of the pictures to render begin")
    parser.add_argument("--out", type=Path, default=OUT, help="where the pictures go")
    options = parser.parse_args()
    Stage.out = options.out
    app = QApplication(sys.argv[:1])
    language = Language(app, assets_dir() / "translations", "en")
    for look, (name, theme, before, question) in LOOKS.items():
        language.choose(name)
        for page, show in PAGES.items():
            picture = f"{page}-{look}"
            if picture.startswith(options.only):
                print(picture)
                stage = Stage(app, picture, size=SIZE, theme=theme, script=script_for(look)).ready()
                stage.talk_before(*before).ask(question)
                show(stage)
                stage.shoot()
                made_small(options.out / f"{picture}.png")
    return 0


if __name__ == "__main__":
    sys.exit(main())
