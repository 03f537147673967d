"""Drawings of formulas, made by a process beside the window and kept.

Owns that process: it is started with the first formula, given one at a time, ended when it takes too long or has had
nothing to do for a while. Until a drawing is there, and where none can be made, whoever asks shows the source.
"""

import json
import sys
from collections import deque
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QByteArray, QCoreApplication, QObject, QProcess, QTimer, Signal
from PySide6.QtGui import QColor
from PySide6.QtSvg import QSvgRenderer

import app.formula_process

LIMIT_MS = 4000  # for one formula; the process itself gives up sooner
START_LIMIT_MS = 20_000  # for the first, since libraries and a font are read before it
IDLE_MS = 30_000
GATHER_MS = 60  # drawings that come within this are told of together
MAX_KEPT = 1000
MAX_WAITING = 2000
MAX_FAILED_STARTS = 2
MAX_EM = 1000.0

Key = tuple[str, bool]
"""LaTeX, and whether it is set large."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """A formula as SVG in black; sizes in em, `descent` below the line that text stands on."""

    svg: str
    width: float
    ascent: float
    descent: float

    def renderer(self, color: QColor) -> QSvgRenderer:
        """What draws it in a colour."""
        return QSvgRenderer(QByteArray(self.svg.replace('="black"', f'="{color.name()}"').encode()))


class FormulaRenderer(QObject):
    changed = Signal()
    """Formulas that were asked for have been drawn, or cannot be."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._known: dict[Key, Drawing | None] = {}
        self._waiting: deque[Key] = deque()
        self._asked: Key | None = None
        self._process: QProcess | None = None
        self._n_failed_starts = 0
        self._has_answered = False
        self._is_closed = False
        self._limit = self._timer(self._on_late)
        self._idle = self._timer(self._end_process)
        self._gather = self._timer(self.changed.emit)
        application = QCoreApplication.instance()
        if application is not None:
            application.aboutToQuit.connect(self.shut_down)

    @property
    def is_busy(self) -> bool:
        return self._asked is not None or self._gather.isActive()

    def drawing(self, latex: str, is_display: bool) -> Drawing | None:
        """The drawing of a formula; None where there is none, or none yet: then `changed` tells."""
        key = (latex, is_display)
        if key not in self._known:
            self._want(key)
        return self._known.get(key)

    def is_known(self, latex: str, is_display: bool) -> bool:
        """Whether it is known how a formula is drawn, or that it cannot be."""
        return (latex, is_display) in self._known

    def shut_down(self) -> None:
        """Draw nothing any more."""
        self._is_closed = True
        self._waiting.clear()
        self._gather.stop()
        self._end_process()

    def _end_process(self) -> None:
        """The next formula starts another."""
        process, self._process, self._asked = self._process, None, None
        self._limit.stop()
        self._idle.stop()
        if process is not None:
            process.blockSignals(True)
            process.kill()
            process.waitForFinished(1000)
            process.deleteLater()

    def _want(self, key: Key) -> None:
        if self._is_closed or self._n_failed_starts >= MAX_FAILED_STARTS:
            return
        if key == self._asked or key in self._waiting or len(self._waiting) >= MAX_WAITING:
            return
        self._waiting.append(key)
        self._ask()

    def _ask(self) -> None:
        if self._asked is not None or not self._waiting:
            return
        self._idle.stop()
        process = self._process or self._start()
        self._asked = self._waiting.popleft()
        latex, is_display = self._asked
        process.write((json.dumps({"latex": latex, "display": is_display}) + "\n").encode())
        self._limit.start(LIMIT_MS if self._has_answered else START_LIMIT_MS)

    def _start(self) -> QProcess:
        process = self._process = QProcess(self)
        self._has_answered = False
        process.setProcessChannelMode(QProcess.ProcessChannelMode.SeparateChannels)
        process.setStandardErrorFile(QProcess.nullDevice())
        process.readyReadStandardOutput.connect(self._on_answer)
        process.finished.connect(self._on_end)
        process.errorOccurred.connect(self._on_error)
        # -P: the folder of the file holds modules of Ember, whose names a library may use for its own
        process.start(sys.executable, ["-P", str(Path(app.formula_process.__file__))])
        return process

    def _on_answer(self) -> None:
        process = self._process
        while process is not None and process.canReadLine():
            line = bytes(process.readLine().data())
            if self._has_answered:
                self._settle(_read(line))
            else:  # it says that it is ready
                self._has_answered = True
                self._n_failed_starts = 0
                if self._asked is not None:
                    self._limit.start(LIMIT_MS)

    def _settle(self, drawing: Drawing | None) -> None:
        """Note what became of the formula that was asked for, and go on."""
        self._limit.stop()
        key, self._asked = self._asked, None
        if key is not None:
            if len(self._known) >= MAX_KEPT:
                self._known.pop(next(iter(self._known)))
            self._known[key] = drawing
            if not self._gather.isActive():
                self._gather.start(GATHER_MS)
        if self._waiting:
            self._ask()
        else:
            self._idle.start(IDLE_MS)

    def _on_late(self) -> None:
        self._give_up()

    def _on_end(self) -> None:
        self._give_up()

    def _on_error(self, error: QProcess.ProcessError) -> None:
        if error == QProcess.ProcessError.FailedToStart:
            self._give_up()

    def _give_up(self) -> None:
        """The process is gone or has to go: the formula it had cannot be drawn."""
        key, has_answered = self._asked, self._has_answered
        self._end_process()
        self._asked = key
        if not has_answered:
            self._n_failed_starts += 1
            if self._n_failed_starts >= MAX_FAILED_STARTS:
                self._waiting.clear()
        if key is not None:
            self._settle(None)

    def _timer(self, run: object) -> QTimer:
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.timeout.connect(run)
        return timer


def _read(line: bytes) -> Drawing | None:
    try:
        read = json.loads(line)
        drawing = Drawing(str(read["svg"]), float(read["width"]), float(read["ascent"]), float(read["descent"]))
    except (ValueError, KeyError, TypeError):
        return None
    is_sane = 0 < drawing.width < MAX_EM and 0 < drawing.ascent + drawing.descent < MAX_EM
    return drawing if is_sane else None
