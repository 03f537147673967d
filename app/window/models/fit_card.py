"""Whether a model fits this computer, with its numbers and reasons, and what can be chosen about it before a download.

Owns the verdict, the figures and the choices. Numbers of the catalogue say so and give way to the hub's.
"""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont, QResizeEvent
from PySide6.QtWidgets import (
    QComboBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.catalog_words import (
    CATALOGUE_SAYS,
    HUB_SAYS,
    VERDICT_INKS,
    FitFigure,
    figures,
    sparsity_words,
    speed_basis_words,
    verdict_words,
    why_words,
)
from app.download_words import next_step, next_step_label
from app.error_text import ErrorText, format_bytes
from app.window.labels import MutedLabel
from app.window.model_card import Card
from app.window.models.asking import words
from app.window.models.flow import FlowLayout
from app.window.models.hub_control import Looked, Problem
from app.window.models.problem_card import ErrorPlace
from app.window.theme import colors_of, scaled
from app.window.wording import breakable, number, percent

CONTEXTS = (2048, 4096, 8192, 16384, 32768, 65536, 131072)
TILE_WIDTH = 158  # below which a row of figures has fewer columns


class FitCard(Card):
    judge_asked = Signal(str, object)
    """Weight format, and context in tokens or None."""

    download_clicked = Signal()
    chat_clicked = Signal()
    step_asked = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._contexts: tuple[int, ...] = ()
        self.setAccessibleName(self.tr("Whether it fits"))
        self.verdict = self._label(1.18, bold=True)
        self.why = self._label(1.0)
        self._progress = QProgressBar(self)
        self._progress.setTextVisible(False)
        self._progress.setAccessibleName(self.tr("Reading what the model is"))
        self.problem = ErrorPlace(self)
        self.tiles = FigureTiles(self)
        self._sparsity = MutedLabel(parent=self, factor=0.95)
        self.basis = MutedLabel(parent=self, factor=0.95)
        self.state = MutedLabel(parent=self)
        self.add_error = ErrorPlace(self)
        choices = self._build_choices()
        self.download_button = self._primary(self.tr("Download"))
        self.download_button.clicked.connect(self.download_clicked)
        self.chat_button = self._primary(self.tr("Chat with it"))
        self.chat_button.clicked.connect(self.chat_clicked)
        row = QHBoxLayout()
        row.setSpacing(12)
        row.addWidget(self.download_button)
        row.addWidget(self.chat_button)
        row.addWidget(self.state, 1)
        lines = QVBoxLayout(self)
        lines.setContentsMargins(16, 14, 16, 15)
        lines.setSpacing(10)
        for widget in (
            self.verdict, self.why, self._progress, self.problem, self.tiles, self._sparsity, self.basis, choices,
        ):  # fmt: skip
            lines.addWidget(widget)
        lines.addLayout(row)
        lines.addWidget(self.add_error)

    def _build_choices(self) -> QWidget:
        self.format = QComboBox(self)
        self.format.setAccessibleName(self.tr("Precision once prepared"))
        for label, value in (
            (self.tr("Precision by model size"), ""),
            (self.tr("8 bits per weight"), "int8"),
            (self.tr("4 and 8 bits per weight"), "mixed"),
            (self.tr("4 bits per weight"), "int4"),
        ):
            self.format.addItem(label, value)
        self.context = QComboBox(self)
        self.context.setAccessibleName(self.tr("Context"))
        self.format.activated.connect(self._judge)
        self.context.activated.connect(self._judge)
        self.folder = QComboBox(self)
        self.folder.setAccessibleName(self.tr("Folder for the model"))
        choices = QWidget(self)
        flow = FlowLayout(choices, spacing=8)
        for choice in (self.format, self.context, self.folder):
            flow.addWidget(choice)
        self._offer_contexts(0, None)
        return choices

    def _label(self, factor: float, *, bold: bool = False) -> QLabel:
        label = QLabel(self)
        label.setFont(scaled(self.font(), factor, weight=QFont.Weight.DemiBold if bold else None))
        label.setWordWrap(True)
        label.setTextFormat(Qt.TextFormat.PlainText)
        return label

    def _primary(self, text: str) -> QPushButton:
        button = QPushButton(text, self)
        button.setAccessibleName(text)
        button.setProperty("kind", "primary")
        return button

    # What is shown ------------------------------------------------------------------------------------------------

    def begin(self) -> None:
        """Another model."""
        self._offer_contexts(0, None)

    def show_model(self, looked: Looked, folders: tuple[str, ...]) -> None:
        self._show_verdict(looked)
        fit = looked.fit
        if fit is not None and fit.verdict == "unsupported" and fit.error is not None:
            self._show_problem(Problem.of(fit.error))
        else:
            code = looked.fit_problem.report.code if looked.fit_problem is not None else ""
            self._show_problem(None if code == "LicenceNotAccepted" else looked.fit_problem)
        self.tiles.show_figures(figures(looked.known, looked.repository, fit, words))
        _say(self._sparsity, sparsity_words(looked.known, fit, words))
        _say(self.basis, speed_basis_words(fit, words) if fit is not None else "")
        self._show_choices(looked, folders)

    def _show_verdict(self, looked: Looked) -> None:
        fit, entry = looked.fit, looked.known
        why, ink = "", "muted"
        if fit is not None:
            text, why, ink = verdict_words(fit, words), why_words(fit, words), VERDICT_INKS.get(fit.verdict, "text")
        elif entry is not None and entry.unsupported:
            text, why, ink = self.tr("Ember cannot run this model"), entry.unsupported, "danger"
        elif looked.is_asking:
            text = self.tr("Asking the hub…")
        elif looked.is_judging:
            text = self.tr("Looking whether it fits…")
        else:
            text = self.tr("Whether it fits is not known yet")
        self.verdict.setText(text)
        self.verdict.setStyleSheet(f"color: {getattr(colors_of(self.palette()), ink)};")
        _say(self.why, breakable(why))
        self._progress.setVisible(looked.is_asking or looked.is_judging)
        share = percent(looked.progress) if looked.progress is not None else None
        self._progress.setRange(0, 0 if share is None else 100)
        self._progress.setValue(share or 0)

    def _show_problem(self, problem: Problem | None) -> None:
        if problem is None:
            self.problem.show_error(None)
        else:
            step = next_step(problem.report)
            self.problem.show_error(problem.text, next_step_label(step, words), lambda: self.step_asked.emit(step))

    def _show_choices(self, looked: Looked, folders: tuple[str, ...]) -> None:
        fit = looked.fit
        is_unsupported = fit is not None and fit.verdict == "unsupported"
        is_unsupported = is_unsupported or (fit is None and looked.known is not None and bool(looked.known.unsupported))
        can_choose = looked.repository is not None and not is_unsupported
        if fit is not None and fit.longest_context:
            self._offer_contexts(fit.longest_context, looked.context_tokens)
        self.format.setCurrentIndex(max(0, self.format.findData(looked.weight_format)))
        self.format.setVisible(can_choose)
        self.context.setVisible(can_choose and bool(self._contexts))
        if [self.folder.itemData(at) for at in range(self.folder.count())] != list(folders):
            self.folder.clear()
            for folder in folders:
                self.folder.addItem(folder, folder)
        self.folder.setVisible(can_choose and len(folders) > 1)

    def _offer_contexts(self, longest: int, chosen: int | None) -> None:
        contexts = (*(count for count in CONTEXTS if count < longest), longest) if longest else ()
        if contexts != self._contexts or not self.context.count():
            self._contexts = contexts
            self.context.clear()
            self.context.addItem(self.tr("Usual context"), None)
            for count in contexts:
                self.context.addItem(self.tr("Context of %1 tokens").replace("%1", number(count)), count)
        self.context.setCurrentIndex(max(0, self.context.findData(chosen)) if chosen is not None else 0)

    def show_action(
        self,
        looked: Looked,
        *,
        state: str,
        is_here: bool,
        is_running: bool,
        can_ask: bool,
        needs_token: bool,
        error: ErrorText | None,
    ) -> None:
        """What can be done now; `can_ask`: an engine is there, and online; `needs_token`: access comes first."""
        fit, repository = looked.fit, looked.repository
        is_unsupported = fit is not None and fit.verdict == "unsupported"
        is_unsupported = is_unsupported or (fit is None and looked.known is not None and bool(looked.known.unsupported))
        is_doubtful = fit is not None and fit.verdict == "does_not_fit"
        self.chat_button.setVisible(is_here)
        self.download_button.setVisible(not (is_running or is_here or is_unsupported))
        self.download_button.setEnabled(can_ask and repository is not None)
        size = format_bytes(repository.download_bytes) if repository is not None else ""
        label = self.tr("Download %1 anyway") if is_doubtful else self.tr("Download %1")
        text = label.replace("%1", size) if size else self.tr("Download")
        self.download_button.setText(text)
        self.download_button.setAccessibleName(text)
        kind = "plain" if is_doubtful or needs_token else "primary"
        if self.download_button.property("kind") != kind:
            self.download_button.setProperty("kind", kind)
            self.download_button.style().unpolish(self.download_button)
            self.download_button.style().polish(self.download_button)
        if self.state.text() != state:
            self.state.setText(state)
        self.add_error.show_error(error, self.tr("Try again"), self.download_clicked.emit)

    def _judge(self) -> None:
        self.judge_asked.emit(str(self.format.currentData() or ""), self.context.currentData())


class FigureTile(QWidget):
    """A figure, below it what it is, and a small line on where it is from."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._value = QLabel(self)
        self._value.setFont(scaled(self.font(), 1.18, weight=QFont.Weight.DemiBold))
        self._value.setTextFormat(Qt.TextFormat.PlainText)
        self._value.setWordWrap(True)
        self._name = MutedLabel(parent=self, factor=0.92)
        self._note = MutedLabel(parent=self, factor=0.86)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(1)
        box.addWidget(self._value)
        box.addWidget(self._name)
        box.addWidget(self._note)
        box.addStretch(1)

    @property
    def texts(self) -> tuple[str, str, str]:
        return self._name.text(), self._value.text(), self._note.text()

    def show_figure(self, name: str, value: str, note: str) -> None:
        if self.texts == (name, value, note):
            return
        self._name.setText(name)
        self._value.setText(value)
        self._note.setText(note)
        self._note.setVisible(bool(note))
        self.setAccessibleName(f"{name}: {value}. {note}" if note else f"{name}: {value}")


class FigureTiles(QWidget):
    """Figures beside each other, in as many columns as there is room for."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._tiles: list[FigureTile] = []
        self._n_shown = 0
        self._arranged = (0, 0)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 2, 0, 2)
        self._grid.setHorizontalSpacing(16)
        self._grid.setVerticalSpacing(12)

    @property
    def shown(self) -> tuple[FigureTile, ...]:
        return tuple(self._tiles[: self._n_shown])

    def show_figures(self, shown: tuple[FitFigure, ...]) -> None:
        while len(self._tiles) < len(shown):
            self._tiles.append(FigureTile(self))
        for tile, figure in zip(self._tiles, shown, strict=False):
            tile.show_figure(figure.name, figure.value, words(CATALOGUE_SAYS) if figure.is_catalogued else figure.note)
            tile.setToolTip(words(CATALOGUE_SAYS if figure.is_catalogued else HUB_SAYS))
        for at, tile in enumerate(self._tiles):
            tile.setVisible(at < len(shown))
        self._n_shown = len(shown)
        self.setVisible(bool(shown))
        self._arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        n_columns = max(1, min(self._n_shown or 1, (self.width() + 16) // TILE_WIDTH))
        if (n_columns, self._n_shown) == self._arranged:
            return
        for column in range(self._grid.columnCount()):
            self._grid.setColumnStretch(column, 0)
        self._arranged = (n_columns, self._n_shown)
        for at, tile in enumerate(self.shown):
            self._grid.addWidget(tile, at // n_columns, at % n_columns)
        for column in range(n_columns):
            self._grid.setColumnStretch(column, 1)


def _say(label: QLabel, text: str) -> None:
    """A line that is not there while it has nothing to say."""
    label.setText(text)
    label.setVisible(bool(text))
