"""What a study found: its plots with a sentence each, its tables, what to know before believing them, and saving.

Owns the arrangement; plots come from study_charts.py, tables and notes from app/neuron_text.py. Saving is done by
whoever listens.
"""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QFont, QResizeEvent
from PySide6.QtWidgets import QComboBox, QGridLayout, QHBoxLayout, QLabel, QMenu, QPushButton, QVBoxLayout, QWidget

from app.benchmark_text import Table
from app.neuron_tables import study_tables
from app.neuron_text import study_facts, study_notes
from app.neuron_words import study_name
from app.window.labels import MutedLabel
from app.window.neurons.axes import StudyChart
from app.window.neurons.chart import Chart
from app.window.neurons.matrix import Matrix
from app.window.neurons.plot import Plot
from app.window.neurons.plot_data import MatrixData, PlotData
from app.window.neurons.study_charts import shows_layers, study_charts
from app.window.report_card import ReportTable
from app.window.theme import scaled
from app.window.wording import breakable, created_words, number, tied
from engine.neuron_reports import StudyReport, TierReport

TWO_COLUMNS = 660  # from this width on, plots stand beside each other
JSON, HTML, PICTURE, PAGE_PICTURE = "json", "html", "picture", "page picture"


class StudyDetails(QWidget):
    save_asked = Signal(str)
    """JSON, HTML, PICTURE or PAGE_PICTURE."""

    def __init__(self, study: str, report: StudyReport, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.report = report
        self._name = study_name(study)
        self._columns = 0
        self._figures = [ChartFigure(chart, self) for chart in study_charts(report)]
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(26)
        self._grid.setVerticalSpacing(18)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 4, 0, 2)
        box.setSpacing(8)
        self._layer = self._build_chooser(box) if shows_layers(report) else None
        tables = study_tables(report)
        # What tiers cost and bring is a table first of all; elsewhere tables repeat the plots in numbers.
        n_before = 1 if isinstance(report, TierReport) else 0
        for table in tables[:n_before]:
            self._add_table(box, table)
        box.addLayout(self._grid)
        self._tables = tables[n_before:]
        self._table_box = QVBoxLayout()
        self._toggle = QPushButton(self.tr("Show the tables"), self)
        self._toggle.setAccessibleName(self.tr("Show the tables: %1").replace("%1", self._name))
        self._toggle.setProperty("kind", "flush")
        self._toggle.clicked.connect(self._show_tables)
        self._toggle.setVisible(bool(self._tables))
        box.addSpacing(4)
        box.addWidget(self._toggle, 0, Qt.AlignmentFlag.AlignLeft)
        box.addLayout(self._table_box)
        for note in study_notes(report):
            box.addWidget(MutedLabel(breakable(tied(note)), self, factor=0.93))
        box.addSpacing(4)
        box.addWidget(heading(self.tr("Where this is from"), self))
        box.addLayout(self._facts())
        box.addSpacing(4)
        box.addWidget(self._build_save(), 0, Qt.AlignmentFlag.AlignLeft)
        self._place_figures()

    @property
    def charts(self) -> list[Chart]:
        return [figure.chart for figure in self._figures]

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_figures()

    def _place_figures(self) -> None:
        columns = 2 if self.width() >= TWO_COLUMNS else 1
        if columns == self._columns:
            return
        self._columns = columns
        for figure in self._figures:
            self._grid.removeWidget(figure)
        for at, figure in enumerate(self._figures):
            self._grid.addWidget(figure, *divmod(at, columns), Qt.AlignmentFlag.AlignTop)
        for column in (0, 1):
            self._grid.setColumnStretch(column, 1 if column < columns else 0)

    # Parts --------------------------------------------------------------------------------------------------------

    def _add_table(self, box: QVBoxLayout, table: Table) -> None:
        box.addSpacing(6)
        box.addWidget(heading(table.title, self))
        box.addWidget(ReportTable(table, self))
        box.addSpacing(6)

    def _show_tables(self) -> None:
        """Tables are made when they are asked for, and stay."""
        for table in self._tables:
            self._add_table(self._table_box, table)
        self._toggle.hide()

    def _build_chooser(self, box: QVBoxLayout) -> QComboBox:
        n_layers = self.report.head.subject.n_layers
        chooser = QComboBox(self)
        chooser.setAccessibleName(self.tr("Layer shown in the plots"))
        chooser.addItem(self.tr("mean of all layers"))
        chooser.addItems([self.tr("layer %1").replace("%1", number(i)) for i in range(n_layers)])
        chooser.setMaxVisibleItems(16)
        chooser.currentIndexChanged.connect(self._show_layer)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(MutedLabel(self.tr("Plots show:"), self, factor=0.93, wraps=False))
        row.addWidget(chooser)
        row.addStretch(1)
        box.addLayout(row)
        return chooser

    def _show_layer(self, at: int) -> None:
        charts = study_charts(self.report, at - 1 if at > 0 else None)
        for figure, chart in zip(self._figures, charts, strict=True):
            figure.show_chart(chart)

    def _facts(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(14)
        grid.setVerticalSpacing(3)
        grid.setColumnStretch(1, 1)
        created = self.report.head.created
        for row, (name, value) in enumerate(study_facts(self.report)):
            label = MutedLabel(name, self, factor=0.93, wraps=False)
            text = QLabel(breakable(tied(value.replace(created, created_words(created)))), self)
            text.setFont(scaled(self.font(), 0.93))
            text.setTextFormat(Qt.TextFormat.PlainText)
            text.setWordWrap(True)
            text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            grid.addWidget(label, row, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(text, row, 1)
        return grid

    def _build_save(self) -> QPushButton:
        save = QPushButton(self.tr("Save…"), self)
        save.setAccessibleName(self.tr("Save the report: %1").replace("%1", self._name))
        menu = QMenu(save)
        for words, form in (
            (self.tr("Report as a web page (HTML)…"), HTML),
            (self.tr("Figures for programs (JSON)…"), JSON),
            (self.tr("Picture of this report (PNG)…"), PICTURE),
            (self.tr("Picture of the whole page (PNG)…"), PAGE_PICTURE),
        ):
            action = QAction(words, menu)
            action.triggered.connect(lambda _=False, f=form: self.save_asked.emit(f))
            menu.addAction(action)
        save.setMenu(menu)
        return save


class ChartFigure(QWidget):
    """A plot with its title above and its meaning below."""

    def __init__(self, chart: StudyChart, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.chart: Plot | Matrix = Matrix(self) if isinstance(chart.data, MatrixData) else Plot(self)
        self._title = heading("", self)
        self._words = MutedLabel(parent=self, factor=0.93)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(5)
        box.addWidget(self._title)
        box.addWidget(self.chart)
        box.addWidget(self._words)
        self.show_chart(chart)

    def show_chart(self, chart: StudyChart) -> None:
        self._title.setText(chart.data.title)
        self._words.setText(tied(chart.words))
        self._words.setVisible(bool(chart.words))
        match self.chart, chart.data:
            case Matrix() as matrix, MatrixData() as data:
                matrix.show_data(data, chart.words)
            case Plot() as plot, PlotData() as data:
                plot.show_data(data, chart.words)


def heading(text: str, parent: QWidget) -> QLabel:
    label = QLabel(text, parent)
    label.setFont(scaled(parent.font(), 0.96, weight=QFont.Weight.DemiBold))
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    return label
