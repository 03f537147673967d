"""Quotation marks and apostrophes leave no gaps, whichever font the system has."""

import pytest
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QLabel

from app.window.theme import scaled
from tests.app.conftest import Bench


@pytest.mark.parametrize("mark", "‘’“”")
def test_a_quotation_mark_is_narrower_than_a_letter_in_every_text(bench: Bench, mark: str) -> None:
    label = QLabel(bench.window)
    fonts = (bench.window.font(), label.font(), scaled(label.font(), 1.12))

    for font in fonts:
        metrics = QFontMetricsF(font)
        assert metrics.horizontalAdvance(mark) < metrics.horizontalAdvance("n")
