"""What the window's process writes down: a small rotating log, and the trace of an error nobody caught.

Owns the set-up only. Prompts and answers are never logged. Knows no Qt; the engine's process has a log of its own.
"""

import faulthandler
import logging
import sys
import threading
from logging.handlers import RotatingFileHandler
from pathlib import Path
from types import TracebackType

log = logging.getLogger(__name__)

MAX_BYTES = 500_000
BACKUPS = 2
FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"


def start_logging(folder: Path, name: str = "window") -> Path | None:
    """Log to `folder`/`name`.log; None where the folder cannot be written, which is no reason not to run."""
    path = folder / f"{name}.log"
    handler: logging.Handler
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handler = RotatingFileHandler(path, maxBytes=MAX_BYTES, backupCount=BACKUPS, encoding="utf-8", delay=False)
    except OSError as error:
        handler = logging.StreamHandler(sys.stderr)
        handler.setFormatter(logging.Formatter(FORMAT))
        logging.getLogger().addHandler(handler)
        log.warning("no log file: %s", error)
        path = None  # type: ignore[assignment]
    else:
        handler.setFormatter(logging.Formatter(FORMAT))
        logging.getLogger().addHandler(handler)
    logging.getLogger().setLevel(logging.INFO)
    sys.excepthook = _log_uncaught
    threading.excepthook = _log_uncaught_in_thread
    return path


def watch_crashes(folder: Path) -> None:
    """Leave the Python stack of a hard crash in `folder`/crash.log."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        # Kept open for as long as the process lives: the handler writes to it when nothing else works any more.
        faulthandler.enable((folder / "crash.log").open("w", encoding="utf-8"))
    except OSError as error:
        log.warning("no crash log: %s", error)


def _log_uncaught(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    log.critical("uncaught error", exc_info=(kind, error, trace))
    sys.__excepthook__(kind, error, trace)


def _log_uncaught_in_thread(args: threading.ExceptHookArgs) -> None:
    if args.exc_value is not None:
        log.critical("uncaught error in a thread", exc_info=(args.exc_type, args.exc_value, args.exc_traceback))
