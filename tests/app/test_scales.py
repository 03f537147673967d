"""Screens whose scale is no whole number: lines are even, and icons are drawn for the screen they are on."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QLineEdit

from app.window.icons import FieldIcon, IconButton
from app.window.theme import DARK, palette_of
from tests.app.conftest import Bench

LINES = """
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget
from app.paths import assets_dir
from app.window.line import Line
from app.window.theme import Theme

app = QApplication([])
theme = Theme(app, assets_dir(), "light")
window = QWidget()
box = QVBoxLayout(window)
box.setSpacing(6)
for _ in range(12):
    box.addWidget(Line(window))
window.resize(100, 200)
window.show()
picture = window.grab().toImage()
column = picture.width() // 2
ground = picture.pixel(2, 2)
rows = "".join("x" if picture.pixel(column, row) != ground else " " for row in range(picture.height()))
print(sorted({len(run) for run in rows.split()}), len(rows.split()))
"""


@pytest.mark.parametrize(("scale", "pixels"), [("1", 1), ("1.25", 1), ("1.5", 1), ("1.75", 1), ("2", 2)])
def test_lines_are_even(scale: str, pixels: int) -> None:
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "QT_SCALE_FACTOR": scale}
    done = subprocess.run(
        [sys.executable, "-c", LINES], cwd=Path(__file__).parents[2], env=environment, capture_output=True, text=True,
        timeout=60, check=False,
    )  # fmt: skip

    assert done.stdout.strip() == f"[{pixels}] 12", done.stderr


def test_on_another_screen_icons_are_drawn_anew(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    button = bench.window.top_bar.panel_button
    size = button.iconSize().width()
    assert button.icon().availableSizes()[0].width() == size
    monkeypatch.setattr(IconButton, "devicePixelRatioF", lambda _: 1.5)

    QCoreApplication.sendEvent(bench.window, QEvent(QEvent.Type.DevicePixelRatioChange))

    assert button.icon().availableSizes()[0].width() == round(1.5 * size)


def test_the_mark_of_a_field_has_the_colour_of_the_theme_and_the_scale_of_the_screen(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    field = QLineEdit()
    FieldIcon("search", field)
    (action,) = field.actions()
    before = action.icon().pixmap(16, 16).toImage()

    field.setPalette(palette_of(DARK))
    assert action.icon().pixmap(16, 16).toImage() != before

    monkeypatch.setattr(QLineEdit, "devicePixelRatioF", lambda _: 1.75)
    QCoreApplication.sendEvent(field, QEvent(QEvent.Type.DevicePixelRatioChange))
    assert action.icon().availableSizes()[0].width() == 28
    field.setPalette(QPalette())
