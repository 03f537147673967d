"""The model of the moment in the words of the bar and the sidebar: its name, its state, the colour of its dot."""

from PySide6.QtCore import QCoreApplication

from app.window.model_control import ASLEEP, LOADING, MEASURING, NEURONS, NO_MODEL, READY, STARTING, ModelControl
from app.window.wording import progress_words


def model_words(models: ModelControl) -> tuple[str, str, str]:
    """Name, state and the colour of the dot, which is a field of Colors."""
    model, state = models.current, models.state
    name = model.name if model else _tr("No model")
    if state == READY:
        return name, _tr("completes text") if models.completes_text else _tr("ready"), "good"
    if state == LOADING:
        task = models.loading
        has_progress = task is not None and task.progress is not None
        return name, progress_words(task.progress) if task and has_progress else _tr("loading…"), "accent"
    if state == MEASURING:
        if models.lent_for == NEURONS:
            return name, _tr("pauses while neurons are studied"), "accent"
        return name, _tr("pauses while speed is measured"), "accent"
    if state == STARTING:
        return _tr("Ember"), _tr("the engine is starting…"), "accent"
    if state == NO_MODEL:
        return name, _tr("none is loaded"), "muted"
    if state == ASLEEP:
        return name, _tr("asleep until the next message"), "muted"
    return name, _tr("the engine has stopped"), "danger"


def _tr(text: str) -> str:
    return QCoreApplication.translate("ModelWords", text)
