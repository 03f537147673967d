"""Dialogs of Qt's that come and go in a zoomed window. In a process of its own, since what may fail here ends one."""

import os
import subprocess
import sys

import pytest

OPEN_AND_CLOSE = """
import sys
from PySide6 import QtWidgets
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from app.window.zoom import Zoom

app = QtWidgets.QApplication([])
zoom = Zoom(app)
zoom.set(150)
zoom.fit_fonts()
window = QtWidgets.QWidget()
window.show()

def open_and_close():
    dialog = getattr(QtWidgets, sys.argv[1])(window)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.open()
    dialog.close()  # before anything that waits has had its turn

for _ in range(3):
    open_and_close()
    app.processEvents()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
print(sum(type(widget).__name__ == sys.argv[1] for widget in app.allWidgets()), "left")
"""


@pytest.mark.parametrize("kind", ["QFileDialog", "QMessageBox", "QColorDialog", "QFontDialog", "QInputDialog"])
def test_a_dialog_goes_without_taking_the_program_along(kind: str) -> None:
    """Freed memory is overwritten there, so that using it shows."""
    environment = os.environ | {"PYTHONMALLOC": "debug", "QT_QPA_PLATFORM": "offscreen"}
    ended = subprocess.run(
        [sys.executable, "-c", OPEN_AND_CLOSE, kind], env=environment, capture_output=True, text=True, timeout=120
    )

    assert (ended.returncode, ended.stdout) == (0, "0 left\n"), ended.stderr
