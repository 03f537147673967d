"""States of conversations in the window for tests/app/screenshots.py: lists, search, trash, versions, notices."""

import threading
import time
from collections.abc import Callable, Iterable

from engine.messages import Generate
from tests.app.fake_engine import Script

States = dict[str, Callable[[], None]]
Answer = Callable[[Generate], Iterable[str]]

TOPICS = (
    "Ideas for a rainy weekend", "如何解释稀疏激活？", "Plan a small herb garden", "Which neurons fire on code",
    "A very long first line that goes on and on until nobody could read it in a sidebar any more", "قائمة المهام",
    "Compare int4 with int8", "Names for a cat", "神经元缓存与显存预算的关系",
)  # fmt: skip


def states(stage: Callable[..., object], answer: Answer) -> States:
    def filled(name: str, theme: str = "light", size: tuple[int, int] = (1180, 800), **script: object) -> object:
        """Folders, pins, unread ones and ages."""
        made = stage(name, theme=theme, size=size, script=Script(has_figures=False, answer=answer, **script)).ready()
        made.talk_before(*TOPICS)
        shelf = made.chat.shelf
        ids = [summary.id for summary in shelf.summaries()]
        work, home = shelf.add_folder("Work"), shelf.add_folder("家里")
        shelf.add_folder("Empty")
        shelf.move(ids[:2], work.id)
        shelf.move(ids[2:3], home.id)
        shelf.pin(ids[3], is_pinned=True)
        shelf.toggle_folder(home.id)
        chats, now = made.session.store, time.time()
        with chats.database.writing() as db:
            for days, conversation_id in ((1, ids[5]), (4, ids[6]), (20, ids[7]), (200, ids[8])):
                moment = now - days * 86_400
                db.execute("UPDATE conversations SET updated = ? WHERE id = ?", (moment, conversation_id))
        chats.mark_unread(ids[5])
        shelf.read_again()
        return made

    def lists(name: str, theme: str, size: tuple[int, int] = (1180, 800)) -> None:
        made = filled(name, theme, size)
        made.chat.new(is_temporary=True)
        made.ask("Something nobody should find here")
        if size[0] < 760:
            made.window.toggle_sidebar()
        made.shoot()

    def search(name: str, theme: str, query: str) -> None:
        made = filled(name, theme)
        made.window.search_chats()
        made.window.sidebar.chats.field.setText(query)
        made.until(lambda: made.chat.search.query == query and not made.chat.search.is_running)
        made.shoot()

    def find(name: str, theme: str) -> None:
        made = stage(name, theme=theme, script=Script(has_figures=False, answer=answer)).ready()
        made.ask("Explain how rain forms, in simple words", "And again, in other words")
        made.window.find_in_chat()
        made.window.chat_page.find_bar.field.setText("cloud")
        made.until(lambda: made.window.chat_page.find_bar.count.text())
        made.shoot()

    def trash(name: str, theme: str, n_gone: int) -> None:
        made = filled(name, theme)
        for summary in made.chat.shelf.summaries()[:n_gone]:
            made.chat.delete(summary.id)
        made.window.desk.show_trash()
        made.shoot_dialog(made.window.desk._trash)

    def export(name: str, theme: str, n_chosen: int) -> None:
        made = filled(name, theme)
        made.window.desk.export([summary.id for summary in made.chat.shelf.summaries()[:n_chosen]])
        made.shoot_dialog(made.window.findChild(_dialog()))

    def versions(name: str, theme: str) -> None:
        script = Script(has_figures=False, answer=answer)
        made = stage(name, theme=theme, script=script).ready()
        made.ask("Explain how rain forms, in simple words")
        made.chat.edit(made.chat.path[0].id, "Explain how rain forms, to a child")
        made.until(lambda: made.chat.answering is None)
        script.gates["answer"] = threading.Event()
        made.chat.regenerate()
        made.until(lambda: made.chat.answering is not None and made.chat.path[-1].content)
        made.chat.stop()
        made.until(lambda: made.chat.answering is None)
        made.shoot()

    def full(name: str, theme: str) -> None:
        made = stage(name, theme=theme, script=Script(has_figures=False, answer=answer)).ready()
        made.ask("Explain how rain forms, in simple words")
        made.session.store.database._db.execute("PRAGMA query_only = ON")
        made.window.chat_page._send("And now in two sentences")
        made.shoot()

    return {
        "chats-light": lambda: lists("chats-light", "light"),
        "chats-dark": lambda: lists("chats-dark", "dark"),
        "chats-narrow": lambda: lists("chats-narrow", "light", (520, 760)),
        "chats-search-light": lambda: search("chats-search-light", "light", "cloud"),
        "chats-search-dark": lambda: search("chats-search-dark", "dark", "神经元"),
        "chats-search-nothing": lambda: search("chats-search-nothing", "light", "nowhere at all"),
        "chats-find": lambda: find("chats-find", "dark"),
        "chats-trash-light": lambda: trash("chats-trash-light", "light", 4),
        "chats-trash-empty": lambda: trash("chats-trash-empty", "dark", 0),
        "chats-export-one": lambda: export("chats-export-one", "light", 1),
        "chats-export-several": lambda: export("chats-export-several", "dark", 5),
        "chats-versions": lambda: versions("chats-versions", "light"),
        "chats-refused": lambda: full("chats-refused", "light"),
    }


def _dialog() -> type:
    from app.window.chats.export_dialog import ExportDialog  # here, behind the choice of a platform without a display

    return ExportDialog
