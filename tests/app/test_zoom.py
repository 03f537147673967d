"""Everything becomes larger and smaller together, without drifting, and stays so over a restart."""

from collections.abc import Callable, Iterator

import pytest
import shiboken6
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QHBoxLayout,
    QLabel,
    QLayout,
    QLayoutItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.paths import assets_dir
from app.settings import ZOOMS
from app.window.theme import Theme
from app.window.zoom import zoomed, zoomed_sheet
from tests.app.conftest import Bench
from tests.app.fake_engine import Script

MakeBench = Callable[..., Bench]
CONTROL = Qt.KeyboardModifier.ControlModifier


class Sized:
    """An application whose theme has a zoom."""

    def __init__(self, app: QApplication) -> None:
        self.theme = Theme(app, assets_dir(), "light")

    def set(self, percent: int) -> None:
        self.theme.show("light", "ember", percent)


@pytest.fixture
def zoom(qapp: QApplication) -> Iterator[Sized]:
    made = Sized(qapp)
    yield made
    made.set(100)
    made.theme.deleteLater()


def sizes(window: QWidget) -> list[tuple[object, ...]]:
    """Whatever a zoom changes, of every widget in order."""
    found: list[tuple[object, ...]] = []
    for widget in window.findChildren(QWidget):
        if type(widget) is QWidget:  # among them parts of Qt's own widgets, whose sizes the style gives
            continue
        layout = widget.layout()
        edges = layout.contentsMargins() if layout is not None else None
        margins = (edges.left(), edges.top(), edges.right(), edges.bottom()) if edges is not None else ()
        limits = (widget.minimumSize().toTuple(), widget.maximumSize().toTuple())
        found.append((type(widget).__name__, round(widget.font().pointSizeF(), 3), limits, margins))
    return found


@pytest.mark.parametrize(
    ("text", "percent", "expected"),
    [
        ("padding: 6px 14px;", 150, "padding: 9px 21px;"),
        ("border: 1px solid", 80, "border: 1px solid"),
        ("width: 0px; margin: 0", 200, "width: 0px; margin: 0"),
        ("url(/a/b2px.svg) #12px", 200, "url(/a/b2px.svg) #12px"),
        ("padding: 6px", 100, "padding: 6px"),
    ],
)
def test_pixels_of_a_style_sheet_are_multiplied(text: str, percent: int, expected: str) -> None:
    assert zoomed_sheet(text, percent) == expected


def test_fonts_margins_sizes_and_spaces_follow(qapp: QApplication, zoom: Sized) -> None:
    window = QWidget()
    box = QVBoxLayout(window)
    box.setContentsMargins(10, 20, 30, 40)
    box.setSpacing(8)
    plain, own, button = QLabel("a", window), QLabel("b", window), QPushButton("c", window)
    font = own.font()
    font.setPointSizeF(20)
    own.setFont(font)
    button.setFixedSize(40, 30)
    box.addWidget(plain)
    box.addSpacing(12)
    box.addWidget(own)
    box.addWidget(button)
    window.show()
    before = plain.font().pointSizeF()

    zoom.set(150)

    assert plain.font().pointSizeF() == pytest.approx(1.5 * before)
    assert own.font().pointSizeF() == pytest.approx(30)
    assert button.size().toTuple() == (60, 45)
    edges = box.contentsMargins()
    assert (edges.left(), edges.top(), edges.right(), edges.bottom()) == (15, 30, 45, 60)
    assert box.spacing() == 12
    assert box.itemAt(1).spacerItem().sizeHint().height() == 18
    assert zoomed(10) == 15
    window.close()
    window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def test_nothing_is_kept_of_the_items_of_a_layout(qapp: QApplication, zoom: Sized) -> None:
    window = QWidget()
    box = QVBoxLayout(window)
    row = QHBoxLayout()
    row.addSpacing(5)
    row.addWidget(QPushButton("a", window))
    box.addLayout(row)
    box.addStretch(1)
    box.addWidget(QLabel("b", window))
    window.show()
    before = layout_items()

    zoom.set(150)
    zoom.set(100)

    assert layout_items() <= before
    assert row.itemAt(0).spacerItem().sizeHint().width() == 5  # Qt's own is there as it was
    window.close()
    window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def layout_items() -> int:
    """Of which Python has an object, but for layouts."""
    found = shiboken6.getAllValidWrappers()
    return sum(isinstance(each, QLayoutItem) and not isinstance(each, QLayout) for each in found)


def test_what_is_made_while_zoomed_is_zoomed_once(qapp: QApplication, zoom: Sized) -> None:
    zoom.set(200)
    window = QWidget()
    button = QPushButton("a", window)
    button.setFixedSize(40, 30)
    window.show()
    assert button.size().toTuple() == (80, 60)

    zoom.set(100)

    assert button.size().toTuple() == (40, 30)
    window.close()
    window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def test_what_is_given_anew_counts_from_then_on(qapp: QApplication, zoom: Sized) -> None:
    window = QWidget()
    button = QPushButton("a", window)
    button.setFixedSize(40, 30)
    zoom.set(150)
    button.setFixedSize(100, 100)

    zoom.set(200)

    assert button.size().toTuple() == (200, 200)
    window.close()
    window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def test_going_through_all_sizes_and_back_changes_nothing(bench: Bench) -> None:
    bench.ask("one")
    bench.settle()
    before = sizes(bench.window)

    for size in (*ZOOMS, 100):
        bench.session.settings.update(zoom=size)
        bench.settle()

    assert sizes(bench.window) == before


def test_the_keys_zoom_and_the_size_is_kept(make_bench: MakeBench, bench: Bench) -> None:
    points = bench.window.font().pointSizeF()
    for key, expected in (
        (Qt.Key.Key_Plus, 110),
        (Qt.Key.Key_Equal, 125),
        (Qt.Key.Key_Minus, 110),
        (Qt.Key.Key_0, 100),
        (Qt.Key.Key_Minus, 90),
    ):
        QTest.keyClick(bench.window, key, CONTROL)
        assert bench.session.settings.value.zoom == expected
        assert bench.window.font().pointSizeF() == pytest.approx(points * expected / 100)
    bench.close()

    again = make_bench(Script())

    assert again.session.settings.value.zoom == 90
    again.session.settings.update(zoom=100)


def test_it_stops_at_both_ends(bench: Bench) -> None:
    for _ in range(len(ZOOMS) + 2):
        bench.window.commands.command("zoom_in").action.trigger()
    assert bench.session.settings.value.zoom == ZOOMS[-1]

    for _ in range(len(ZOOMS) + 2):
        bench.window.commands.command("zoom_out").action.trigger()
    assert bench.session.settings.value.zoom == ZOOMS[0]
    bench.session.settings.update(zoom=100)


def test_another_theme_keeps_the_size_of_fonts(bench: Bench) -> None:
    title = bench.window.settings_page.cards[0].findChildren(QLabel)[0]
    points = title.font().pointSizeF()
    bench.session.settings.update(zoom=150)
    assert title.font().pointSizeF() == pytest.approx(1.5 * points)

    bench.session.settings.update(theme="dark", accent="sky")
    assert title.font().pointSizeF() == pytest.approx(1.5 * points)

    bench.session.settings.update(zoom=100)
    bench.session.settings.update(theme="light", accent="ember")
    assert title.font().pointSizeF() == pytest.approx(points)


@pytest.mark.parametrize("size", [80, 150, 200])
def test_messages_that_come_later_have_the_size_of_the_others(bench: Bench, size: int) -> None:
    bench.ask("one")
    bench.session.settings.update(zoom=size)
    bench.ask("two")
    bench.settle()

    first, second = (
        next(view for view in bench.transcript.views if view.message.content == text) for text in ("one", "two")
    )
    assert first.font().pointSizeF() == pytest.approx(second.font().pointSizeF())
    assert abs(first.height() - second.height()) <= 3
    bench.session.settings.update(zoom=100)
