"""Reads files for a message beside the window's thread, one after another, and stops when the window goes."""

import queue
import threading
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from app.attachments import Refused, read_attachment


class AttachmentReader(QObject):
    """Each file that was asked for is answered once, in order, unless the reader is stopped."""

    read = Signal(int, object)
    """The number of the file, and an AttachedFile or Refused."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._n_asked = 0
        self._wanted: queue.SimpleQueue[tuple[int, Path]] = queue.SimpleQueue()
        self._lock = lock = threading.Lock()
        self._is_running = False
        self._stopped = stopped = threading.Event()
        self._unwanted: set[int] = set()

        def stop() -> None:
            with lock:  # so that nothing is being told meanwhile
                stopped.set()

        self.destroyed.connect(stop)

    def ask(self, path: Path) -> int:
        """Read a file; returns its number."""
        with self._lock:
            self._n_asked += 1
            self._wanted.put((self._n_asked, path))
            if not self._is_running:
                self._is_running = True
                threading.Thread(target=self._run, name="ember-attachments", daemon=True).start()
            return self._n_asked

    def forget(self, number: int) -> None:
        """The file is not wanted any more."""
        self._unwanted.add(number)

    def _run(self) -> None:
        stopped = self._stopped
        while not stopped.is_set():
            with self._lock:
                if self._wanted.empty():
                    self._is_running = False
                    return
                number, path = self._wanted.get()
            if number in self._unwanted:
                continue
            result: object
            try:
                result = read_attachment(path, lambda n=number: stopped.is_set() or n in self._unwanted)  # type: ignore[misc]
            except Refused as refused:
                result = refused
            with self._lock:
                if not stopped.is_set() and number not in self._unwanted:
                    self.read.emit(number, result)
