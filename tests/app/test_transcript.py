"""The transcript: it follows only who wants to be led, shows hostile text harmlessly, and stays quick."""

import threading
import time
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication, QTextDocument, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMessageBox, QWidget

from app.chat.markdown import Block, parse, parse_shown
from app.window.icons import IconButton
from app.window.transcript.answer_view import AnswerView
from app.window.transcript.code_view import CodeView
from app.window.transcript.message_view import UserMessageView
from app.window.transcript.plain_view import PlainView
from app.window.transcript.prose_view import FlatText, ProseView
from app.window.transcript.segments import SegmentsView
from app.window.transcript.table_view import TableView
from tests.app.conftest import Bench

LONG = "\n\n".join(f"Paragraph {n} of a long answer that takes some room." for n in range(60))


def bar(bench: Bench) -> int:
    return bench.transcript.verticalScrollBar().value()


def end(bench: Bench) -> int:
    return bench.transcript.verticalScrollBar().maximum()


def wheel(bench: Bench, delta: int) -> None:
    viewport = bench.transcript.viewport()
    at = QPointF(viewport.rect().center())
    event = QWheelEvent(
        at,
        viewport.mapToGlobal(at),
        QPoint(),
        QPoint(0, delta),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(viewport, event)


def answer_of(bench: Bench, text: str) -> AnswerView:
    bench.script.answer = lambda request: (text,)
    bench.ask("Show me")
    view = bench.transcript.views[-1]
    assert isinstance(view, AnswerView)
    return view


def shown_text(view: QWidget) -> str:
    return segments_text(view.findChildren(SegmentsView)[0])


def segments_text(segments: SegmentsView) -> str:
    return "\n".join(
        part._text.toPlainText() if isinstance(part, CodeView) else part.toPlainText() for part in segments._views
    )


class Growing:
    """An answer that grows when told to."""

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        self._steps = threading.Semaphore(0)
        self._end = threading.Event()
        bench.script.answer = self._pieces
        bench.send("Go on")
        bench.until(lambda: bench.chat.is_answering_here)

    def _pieces(self, request: object) -> Iterator[str]:
        yield LONG
        while not self._end.is_set() and self.bench.engine.alive:
            if self._steps.acquire(timeout=0.01):
                yield "\n\nOne more paragraph."

    def grow(self) -> None:
        before = len(self.bench.chat.path[-1].content)
        self._steps.release()
        self.bench.until(lambda: len(self.bench.chat.path[-1].content) > before)
        self.bench.settle()

    def finish(self) -> None:
        self._end.set()
        self.bench.until(lambda: self.bench.chat.answering is None)


# Scrolling


def test_it_follows_a_growing_answer(bench: Bench) -> None:
    answer = Growing(bench)
    bench.until(lambda: end(bench) > 0)
    for _ in range(3):
        answer.grow()
        assert bar(bench) == end(bench)
    answer.finish()
    assert bar(bench) == end(bench)


@pytest.mark.parametrize("how", ["wheel", "page up", "selection"])
def test_any_look_back_stops_it(bench: Bench, how: str) -> None:
    answer = Growing(bench)
    bench.until(lambda: end(bench) > 0)
    if how == "wheel":
        wheel(bench, 240)
    elif how == "page up":
        QTest.keyClick(bench.composer._field, Qt.Key.Key_PageUp)
    else:
        bench.transcript.views[-1].findChildren(ProseView)[0].selectAll()
    at = bar(bench)

    answer.grow()
    assert bar(bench) == at
    answer.finish()
    assert bar(bench) == at
    assert not bench.transcript.is_following


def test_scrolling_back_to_the_end_follows_again(bench: Bench) -> None:
    answer = Growing(bench)
    bench.until(lambda: end(bench) > 0)
    wheel(bench, 240)
    for _ in range(10):
        wheel(bench, -240)

    answer.grow()

    assert bar(bench) == end(bench)
    answer.finish()


def test_the_jump_button_appears_and_leads_to_the_end(bench: Bench) -> None:
    answer = Growing(bench)
    bench.until(lambda: end(bench) > 0)
    assert bench.transcript._jump.isHidden()
    wheel(bench, 600)
    wheel(bench, 600)
    assert not bench.transcript._jump.isHidden()

    bench.transcript._jump.click()

    assert bench.transcript._jump.isHidden()
    answer.grow()
    assert bar(bench) == end(bench)
    answer.finish()


def test_sending_goes_to_the_end(bench: Bench) -> None:
    answer_of(bench, LONG)
    wheel(bench, 600)

    bench.ask("next")

    assert bar(bench) == end(bench)


def test_what_is_in_sight_stays_when_the_width_changes(bench: Bench) -> None:
    answer_of(bench, LONG)
    answer_of(bench, LONG)
    bench.transcript.verticalScrollBar().setValue(300)
    bench.transcript._note_user_scroll()
    view = bench.transcript.views[1]
    offset = view.y() - bar(bench)

    bench.window.resize(700, bench.window.height())
    bench.settle()

    assert view.y() - bar(bench) == offset


def test_only_the_latest_messages_are_built_and_earlier_ones_come_when_needed(bench: Bench) -> None:
    store = bench.session.store
    conversation = store.create("0", title="long")
    parent = conversation.path()[-1].id
    for number in range(1, 100):
        if number % 2:
            parent = store.start_answer(parent, "tiny").id
            store.finish_answer(parent, f"{number} " * 60)
        else:
            parent = store.send(conversation.id, parent, f"{number} " * 60).id

    bench.chat.open(conversation.id)
    bench.until(lambda: 30 <= len(bench.transcript.views) <= 60)
    first, n_built = bench.transcript.views[0], len(bench.transcript.views)
    bench.transcript.verticalScrollBar().setValue(0)
    bench.transcript._note_user_scroll()
    bench.until(lambda: len(bench.transcript.views) == n_built + 30)

    assert abs(first.y() - bar(bench)) <= 30
    bench.transcript.verticalScrollBar().setValue(0)
    bench.until(lambda: len(bench.transcript.views) > n_built + 30)


def test_views_of_messages_that_stay_are_kept(bench: Bench) -> None:
    bench.ask("one")
    before = bench.transcript.views
    bench.ask("two")

    assert bench.transcript.views[:2] == before


# Content


def test_prose_code_and_tables_are_segments(bench: Bench) -> None:
    view = answer_of(bench, "Text\n\n```python\nx = 1\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nEnd")

    kinds = [type(part) for part in view.findChildren(SegmentsView)[0]._views]
    assert kinds == [ProseView, CodeView, TableView, ProseView]


def test_a_growing_answer_looks_like_a_finished_one(bench: Bench) -> None:
    text = "# T\n\n1. a\n   ```sh\n   ls\n   ```\n2. b\n\n- x\n  - y\n\n> q\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nEnd."
    bench.script.answer = lambda request: tuple(text)
    bench.script.pause_s = 0.003
    bench.ask("Show me")
    grown = shown_text(bench.transcript.views[-1])

    whole = SegmentsView()
    whole.show_items(parse(text))

    assert grown == segments_text(whole)
    whole.deleteLater()


def test_finished_prose_is_not_written_again(bench: Bench) -> None:
    answer = Growing(bench)
    bench.until(lambda: bench.transcript.views[-1].findChildren(ProseView))
    prose = bench.transcript.views[-1].findChildren(ProseView)[0]
    changed: list[int] = []
    prose.document().contentsChange.connect(lambda position, removed, added: changed.append(position))
    length = prose.document().characterCount()
    answer.grow()
    answer.grow()
    answer.finish()

    assert min(changed) >= length - 1 - len("Paragraph 59 of a long answer that takes some room.")


def test_copying_code_gives_the_code_alone(bench: Bench) -> None:
    view = answer_of(bench, "Run:\n\n```sh\nls -l\n\necho 'done'\n```\n")

    view.findChildren(CodeView)[0]._copy.click()

    assert QGuiApplication.clipboard().text() == "ls -l\n\necho 'done'"


def test_code_is_coloured_once_it_has_ended(bench: Bench) -> None:
    view = answer_of(bench, "```python\ndef f(x):\n    return 'ä😀' + x  # why\n```\n")
    (code,) = view.findChildren(CodeView)
    bench.until(lambda: code._text.document().begin().layout().formats())

    second = code._text.document().begin().next().layout().formats()

    assert {(f.start, f.length) for f in second} >= {(4, 6), (11, 5), (22, 5)}


def test_an_unfinished_fence_is_shown_as_code(bench: Bench) -> None:
    view = answer_of(bench, "```python\nprint(1)")

    assert view.findChildren(CodeView)[0]._text.toPlainText() == "print(1)"


HOSTILE = {
    "html": "<script>alert(1)</script><img src='http://evil.example/x.png'><iframe src=x></iframe><h1>big</h1>",
    "remote image": "![tracker](http://evil.example/t.png?secret=1)",
    "javascript link": "[click](javascript:alert(1)) [file](file:///etc/passwd)",
    "long line": "a" * 100_000,
    "long words": "word " * 20_000,
    "deep quotes": "> " * 200 + "x",
    "deep lists": "\n".join("  " * n + "- item" for n in range(60)),
    "rtl": "مرحبا بالعالم **שלום** \u202egnp.exe",
    "control tokens": "<|im_start|>system\nignore<|im_end|></s>[INST]\x00\x1b[2J",
    "wide table": "|" + "|".join("column" * 3 for _ in range(30)) + "|\n|" + "---|" * 30 + "\n|" + "x|" * 30,
    "long code": "```\n" + "x" * 100_000 + "\n```",
    "many fences": "```\n" * 400,
}


@pytest.mark.parametrize("name", sorted(HOSTILE))
@pytest.mark.timeout(60)
def test_hostile_text_is_harmless(bench: Bench, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url.toString()))

    view = answer_of(bench, HOSTILE[name])

    bench.window.grab()
    column = bench.transcript._column
    assert column.width() <= bench.transcript.viewport().width()
    assert view.width() <= 760
    assert opened == []
    for part in view.findChildren(FlatText):
        assert "<img" not in part.toHtml()
        assert "<script" not in part.toHtml()


def test_html_of_an_answer_is_text(bench: Bench) -> None:
    view = answer_of(bench, HOSTILE["html"])

    assert shown_text(view) == HOSTILE["html"]


def test_nothing_a_text_names_is_loaded(bench: Bench) -> None:
    view = answer_of(bench, "text")
    (prose,) = view.findChildren(ProseView)

    for kind in (QTextDocument.ResourceType.ImageResource, QTextDocument.ResourceType.StyleSheetResource):
        for url in (QUrl("http://evil.example/x.png"), QUrl.fromLocalFile("/etc/hosts")):
            assert bytes(prose.document().resource(kind, url)) == b""


def test_what_a_person_typed_is_shown_as_typed(bench: Bench) -> None:
    bench.ask("**not bold**\n\n  <b>x</b>\n# no heading")

    view = bench.transcript.views[0]
    assert isinstance(view, UserMessageView)
    assert view._text.toPlainText() == "**not bold**\n\n  <b>x</b>\n# no heading"


def test_a_link_shows_where_it_leads_and_asks(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url.toString()))
    view = answer_of(bench, "[bank](https://evil.example/login)")

    view.findChildren(ProseView)[0].anchorClicked.emit(QUrl("https://evil.example/login"))

    (box,) = bench.window.findChildren(QMessageBox)
    assert "https://evil.example/login" in box.informativeText()
    assert opened == []
    box.button(QMessageBox.StandardButton.Cancel).click()
    assert opened == []
    view.findChildren(ProseView)[0].anchorClicked.emit(QUrl("https://evil.example/login"))
    bench.settle()
    (box,) = bench.window.findChildren(QMessageBox)
    next(b for b in box.buttons() if b.text() == "Open").click()
    assert opened == ["https://evil.example/login"]


def test_a_link_that_is_no_web_address_is_not_even_asked_about(bench: Bench) -> None:
    bench.page.link_activated.emit("file:///etc/passwd")

    assert bench.window.findChildren(QMessageBox) == []


# Themes and pace


def test_a_change_of_theme_reaches_what_is_on_the_screen(bench: Bench) -> None:
    view = answer_of(bench, "Text `code`\n\n```python\nx = 1  # c\n```\n\n- a\n")
    (code,) = view.findChildren(CodeView)
    bench.until(lambda: code._text.document().begin().layout().formats())

    def colors() -> tuple[str, ...]:
        bench.settle()
        prose = view.findChildren(ProseView)[0].document().begin().begin().fragment()
        ground = bench.window.grab().toImage().pixelColor(bench.window.width() // 2, 60)
        ranges = code._text.document().begin().layout().formats()
        first = ranges[0].format.foreground().color().name()
        return prose.charFormat().foreground().color().name(), first, ground.name()

    light = colors()
    bench.theme.choose("dark")
    dark = colors()
    bench.theme.choose("light")

    assert all(a != b for a, b in zip(light, dark, strict=True))
    assert colors() == light
    assert shown_text(view).startswith("Text code")


def test_icons_change_with_the_theme(bench: Bench) -> None:
    def ink(button: IconButton) -> str:
        image = button.icon().pixmap(18, 18).toImage()
        pixels = (image.pixelColor(x, y) for x in range(image.width()) for y in range(image.height()))
        return max(pixels, key=lambda color: color.alpha()).name()

    light = ink(bench.window.top_bar.panel_button)
    bench.theme.choose("dark")
    bench.settle()

    assert ink(bench.window.top_bar.panel_button) != light
    bench.theme.choose("light")


def test_a_long_answer_costs_little_for_each_update(bench: Bench) -> None:
    answer = Growing(bench)
    view = bench.transcript.views[-1]
    assert isinstance(view, AnswerView)
    costs = []
    for _ in range(8):
        answer.grow()
        bench.until(lambda: view._cost_s > 0)
        costs.append(view._cost_s)
    answer.finish()

    assert min(costs) < 0.15  # a few milliseconds on an idle machine; a busy one may hold up some of the eight


def test_a_slow_redraw_is_followed_by_a_rest(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    gate = bench.script.gates["answer"] = threading.Event()
    bench.script.answer = lambda request: ("x ",) * 60
    bench.script.pause_s = 0.005
    draws: list[float] = []
    show = SegmentsView.show_items

    def slow(self: SegmentsView, items: list, *, is_growing: bool = False) -> None:
        draws.append(time.monotonic())
        time.sleep(0.03)
        show(self, items, is_growing=is_growing)

    monkeypatch.setattr(SegmentsView, "show_items", slow)
    bench.send("Hi")
    bench.until(lambda: bench.chat.is_answering_here and len(bench.chat.path[-1].content) == 120)
    gate.set()
    bench.until(lambda: bench.chat.answering is None)

    assert len(draws) <= 7
    assert shown_text(bench.transcript.views[-1]).strip() == ("x " * 60).strip()


def geometries(bench: Bench) -> list[tuple[object, ...]]:
    texts = [text for view in bench.transcript.views for text in view.findChildren(FlatText)]
    return [
        *((view.x(), view.y(), view.width(), view.height()) for view in bench.transcript.views),
        *((text.x(), text.y(), text.width(), text.height(), text.document().size().height()) for text in texts),
    ]


def test_a_conversation_opened_from_the_empty_page_is_laid_out_as_after_a_resize(bench: Bench) -> None:
    bench.window.resize(1100, 700)
    table = "\n\n| Name | Value |\n|---|---|\n| one | a longer cell |\n"
    answer_of(bench, "A sentence that is longer than a hundred and twenty pixels. " * 12 + table + "\n```\ncode\n```\n")
    conversation_id = bench.chat.conversation_id
    bench.window.new_chat()
    bench.settle()
    assert not bench.transcript.isVisible()

    bench.chat.open(conversation_id)
    bench.settle()
    opened = geometries(bench)
    bench.window.resize(700, 700)
    bench.settle()
    assert geometries(bench) != opened
    bench.window.resize(1100, 700)
    bench.settle()

    assert geometries(bench) == opened


def test_text_is_laid_out_for_the_width_it_is_given_whatever_its_size(bench: Bench) -> None:
    blocks = [item for item in parse("Some words that fill more than one line. " * 6) if isinstance(item, Block)]
    view = ProseView(bench.window)
    view.show_blocks(blocks)
    small, wide = view.fit(120), view.fit(760)
    view.show()
    view.resize(90, 30)

    assert view.fit(760) == wide < small
    view.resize(1200, 30)
    assert view.fit(120) == small
    assert view.ideal_width(760) > 500


# Texts that are small and ask for much ----------------------------------------------------------------------------


def wide_table(n_columns: int, n_rows: int) -> str:
    head = "|" + "name|" * n_columns + "\n|" + "-|" * n_columns + "\n"
    return head + "\n".join(f"|row{row}" + "|x" * (n_columns - 1) + "|" for row in range(n_rows - 1))


DEMANDING = {
    "table of 3000 columns": wide_table(3000, 12),
    "table of 1000 columns": wide_table(1000, 12),
    "many tables": "\n\n".join(wide_table(4, 4) for _ in range(1000)),
    "code": "\n\n".join(f"```\nline{n}\n```" for n in range(3000)),
    "bullets": "\n".join(f"- item{n}" for n in range(40_000)),
    "paragraphs": "\n\n".join(f"word{n}" for n in range(20_000)),
}


def built_within(text: str) -> tuple[float, SegmentsView]:
    start = time.thread_time()
    whole = SegmentsView()
    whole.show_items(parse_shown(text))
    whole.fit(700)
    return time.thread_time() - start, whole


@pytest.mark.parametrize("name", DEMANDING)
def test_a_text_that_asks_for_much_is_shown_soon_and_whole(bench: Bench, name: str) -> None:
    took_s, whole = built_within(DEMANDING[name])

    assert took_s < 2
    assert sum(isinstance(view, PlainView) for view in whole._views) >= 1
    shown = segments_text(whole)
    words = {word for word in DEMANDING[name].replace("|", " ").split() if word.isalnum()}
    assert words <= set(shown.replace("|", " ").split())


def test_a_table_with_very_many_cells_is_plain_and_what_follows_is_not(bench: Bench) -> None:
    whole = built_within(wide_table(100, 30) + "\n\nAfter *it*")[1]

    assert [type(view) for view in whole._views] == [PlainView, ProseView]
    assert whole._views[0].toPlainText().startswith("name | name")


def test_plain_text_grows_at_its_end(bench: Bench) -> None:
    items = [Block(parse("word")[0].spans) for _ in range(900)]  # type: ignore[union-attr]
    whole = SegmentsView()
    whole.show_items(items[:700])
    rest = whole._views[-1]
    assert isinstance(rest, PlainView)
    before = rest.toPlainText()
    whole.show_items(items)

    assert whole._views[-1] is rest
    assert rest.toPlainText().startswith(before)
    assert segments_text(whole).split() == ["word"] * 900


def test_an_ordinary_long_answer_is_formatted_to_its_end(bench: Bench) -> None:
    text = "\n\n".join(f"## Part {n}\n\nSome **bold** words.\n\n- one\n- two" for n in range(90))
    code = "```python\n" + "x = 1\n" * 1000 + "```"

    assert not any(isinstance(view, PlainView) for view in built_within(text)[1]._views)
    assert not any(isinstance(view, PlainView) for view in built_within(code)[1]._views)
