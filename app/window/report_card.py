"""One kept benchmark report: a line with its figures that opens to its tables.

Owns how a report is laid out; its words and figures are those of app/benchmarks.py, and what its buttons mean is
decided by whoever listens. What is inside is made when a report is opened first.
"""

from PySide6.QtCore import QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFont,
    QFontMetrics,
    QFontMetricsF,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QTextCursor,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QComboBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from app.benchmark_text import PHASE_TITLE, Table
from app.benchmarks import Figure, Line, ShownReport, lines_of, points_of
from app.chat.markdown import Span
from app.chat.markdown import Table as MarkdownTable
from app.language import tr
from app.window.icons import IconLabel, icon_pixmap
from app.window.labels import MutedLabel
from app.window.model_card import Card
from app.window.speed_charts import LineChart, PhaseBars
from app.window.theme import colors_of, scaled
from app.window.transcript.table_view import TableView
from app.window.wording import breakable, moment_words

NARROW = 580  # below this width the figures stand under the name
FIGURE_WIDTHS = (112, 112, 78)
_ELIDE = Qt.TextElideMode.ElideRight
_LEFT = Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight


class ReportCard(Card):
    copy_clicked = Signal(object)
    delete_clicked = Signal(object)

    def __init__(self, shown: ShownReport, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown = shown
        self._reports: tuple[ShownReport, ...] = ()
        self.header = ReportHeader(shown, self)
        self.header.toggled.connect(self._open)
        self.details: ReportDetails | None = None
        self._box = QVBoxLayout(self)
        self._box.setContentsMargins(1, 1, 1, 1)
        self._box.setSpacing(0)
        self._box.addWidget(self.header)

    @property
    def is_open(self) -> bool:
        return self.header.isChecked()

    def show_history(self, reports: tuple[ShownReport, ...]) -> None:
        """The reports that the lines over time are made of."""
        self._reports = reports
        if self.details is not None:
            self.details.show_history(reports)

    def _open(self, is_open: bool) -> None:
        if is_open and self.details is None:
            self.details = ReportDetails(self._shown, self)
            self.details.copy_clicked.connect(lambda: self.copy_clicked.emit(self._shown))
            self.details.delete_clicked.connect(lambda: self.delete_clicked.emit(self._shown))
            self.details.show_history(self._reports)
            self._box.addWidget(self.details)
        if self.details is not None:
            self.details.setVisible(is_open)


class ReportHeader(QAbstractButton):
    """The report in a line; pressing it opens and closes the report."""

    def __init__(self, shown: ShownReport, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown = shown
        self.setCheckable(True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setToolTip("\n".join([shown.subject, self._facts(), *shown.notes]))
        self.toggled.connect(self._name_it)
        self._name_it()

    @property
    def is_narrow(self) -> bool:
        return self.width() < NARROW

    def sizeHint(self) -> QSize:
        line = QFontMetrics(self.font()).height() + 4
        return QSize(200, (3 if self.is_narrow else 2) * line + 20)

    def minimumSizeHint(self) -> QSize:
        return QSize(100, self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.height() != self.sizeHint().height():
            self.updateGeometry()

    def paintEvent(self, event: QPaintEvent) -> None:
        colors = colors_of(self.palette())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = QRectF(self.rect()).adjusted(1.5, 1.5, -1.5, -1.5)
        painter.setBrush(QColor(colors.hover) if self.underMouse() else Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor(colors.accent), 1.2) if self.hasFocus() else Qt.PenStyle.NoPen)
        painter.drawRoundedRect(area, 9, 9)
        line = QFontMetrics(self.font()).height() + 4
        chevron = icon_pixmap(
            "chevron-down" if self.isChecked() else "chevron-right", colors.muted, 16, self.devicePixelRatioF()
        )
        painter.drawPixmap(13, 10 + (line - 16) // 2, chevron)
        left, right = 39, self.width() - 16
        if not self.is_narrow:
            right = self._paint_figures(painter, right, line) - 14
        painter.setFont(scaled(self.font(), 1.0, weight=QFont.Weight.DemiBold))
        painter.setPen(QColor(colors.text))
        name = painter.fontMetrics().elidedText(self._shown.subject, _ELIDE, right - left)
        painter.drawText(QRect(left, 10, right - left, line), _LEFT, name)
        painter.setFont(scaled(self.font(), 0.9))
        self._paint_facts(painter, QRect(left, 10 + line, right - left, line))
        if self.is_narrow:
            painter.setPen(QColor(colors.text))
            words = painter.fontMetrics().elidedText(self._short_figures(), _ELIDE, right - left)
            painter.drawText(QRect(left, 10 + 2 * line, right - left, line), _LEFT, words)
        painter.end()

    def _paint_facts(self, painter: QPainter, place: QRect) -> None:
        colors = colors_of(self.palette())
        report = self._shown.report
        warning = (
            self.tr("wrong tokens") if report.failed_checks else self.tr("busy machine") if report.was_busy else ""
        )
        if warning:
            color = colors.danger if report.failed_checks else colors.muted
            icon = icon_pixmap("alert", color, 14, self.devicePixelRatioF())
            painter.drawPixmap(place.left(), place.center().y() - 6, icon)
            painter.setPen(QColor(color))
            place = place.adjusted(19, 0, 0, 0)
            if report.failed_checks:
                painter.drawText(place, _LEFT, warning)
                place = place.adjusted(painter.fontMetrics().horizontalAdvance(warning + " "), 0, 0, 0)
        painter.setPen(QColor(colors.muted))
        painter.drawText(place, _LEFT, painter.fontMetrics().elidedText(self._facts(), _ELIDE, place.width()))

    def _paint_figures(self, painter: QPainter, right: int, line: int) -> int:
        """The figures as columns that end at `right`; returns where they begin."""
        colors = colors_of(self.palette())
        number, small = scaled(self.font(), 1.0, weight=QFont.Weight.DemiBold), scaled(self.font(), 0.86)
        for figure, width in reversed(list(zip(self._figures(), FIGURE_WIDTHS, strict=True))):
            place = QRect(right - width, 10, width, line)
            right -= width
            if figure is None:
                continue
            painter.setFont(small)
            painter.setPen(QColor(colors.muted))
            below = painter.fontMetrics().elidedText(figure.of, _ELIDE, width - 8)
            painter.drawText(place.translated(0, line), _RIGHT, below)
            painter.drawText(place, _RIGHT, figure.unit)
            used = painter.fontMetrics().horizontalAdvance(" " + figure.unit)
            painter.setFont(number)
            painter.setPen(QColor(colors.text))
            painter.drawText(place.adjusted(0, 0, -used, 0), _RIGHT, figure.value)
        return right

    def _figures(self) -> tuple[Figure | None, ...]:
        return self._shown.decode, self._shown.prefill, self._shown.ratio

    def _short_figures(self) -> str:
        decode, prefill, ratio = self._figures()
        speeds = [self.tr("decoding %1").replace("%1", decode.value)] if decode else []
        speeds += [self.tr("prompt %1").replace("%1", prefill.value)] if prefill else []
        parts = [self.tr("%1 tokens/s").replace("%1", ", ".join(speeds))] if speeds else []
        return " · ".join([*parts, ratio.words] if ratio else parts)

    def _facts(self) -> str:
        shown = self._shown
        parts = [f"{shown.formats} {shown.case}".strip(), moment_words(shown.created)]
        if shown.threads:
            counts = ", ".join(str(n) for n in shown.threads)
            one = self.tr("1 thread")
            parts.append(one if shown.threads == (1,) else self.tr("%1 threads").replace("%1", counts))
        parts.append(shown.machine)
        return " · ".join(part for part in parts if part)

    def _name_it(self) -> None:
        state = self.tr("opened") if self.isChecked() else self.tr("closed")
        figures = [figure.words for figure in self._figures() if figure]
        self.setAccessibleName(", ".join([self._shown.subject, self._facts(), *figures, state]))
        self.setAccessibleDescription(" ".join(self._shown.notes))


class ReportDetails(QWidget):
    copy_clicked = Signal()
    delete_clicked = Signal()

    def __init__(self, shown: ShownReport, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown = shown
        self._reports: tuple[ShownReport, ...] = ()
        self._lines = lines_of(shown.report)
        box = QVBoxLayout(self)
        box.setContentsMargins(16, 4, 16, 14)
        box.setSpacing(8)
        when = self.tr("Measured on %1 on %2").replace("%1", shown.machine).replace("%2", moment_words(shown.created))
        for note in shown.notes:
            box.addLayout(self._note(note))
        if shown.notes:
            box.addSpacing(6)
        box.addWidget(_heading(when, self))
        box.addLayout(self._facts())
        self._add_chart(box)
        for table in shown.tables:
            box.addSpacing(6)
            box.addWidget(_heading(table.title, self))
            if table.title == tr(PHASE_TITLE):
                box.addWidget(PhaseBars(shown.report.decode, self))
            box.addWidget(ReportTable(table, self))
        box.addSpacing(4)
        box.addLayout(self._buttons())

    def show_history(self, reports: tuple[ShownReport, ...]) -> None:
        self._reports = reports
        self._show_line()

    def _add_chart(self, box: QVBoxLayout) -> None:
        self._chart_title = _heading(self.tr("Decoding over time, tokens/s"), self)
        self._case = QComboBox(self)
        self._case.setAccessibleName(self.tr("What is shown over time"))
        self._case.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self._case.setMinimumContentsLength(16)
        for line in self._lines:
            self._case.addItem(line.words)
        self._case.currentIndexChanged.connect(self._show_line)
        self._case.setVisible(len(self._lines) > 1)
        self._chart = LineChart(self)
        self._chart_note = MutedLabel(parent=self, factor=0.9)
        head = QHBoxLayout()
        head.setSpacing(10)
        head.addWidget(self._chart_title, 1)
        head.addWidget(self._case)
        box.addSpacing(6)
        box.addLayout(head)
        box.addWidget(self._chart)
        box.addWidget(self._chart_note)
        self._show_line()

    def _show_line(self) -> None:
        line: Line | None = self._lines[self._case.currentIndex()] if self._lines else None
        points = points_of(line, self._reports, self._shown) if line else ()
        self._chart_title.setVisible(line is not None)
        self._chart_note.setVisible(line is not None)
        self._chart.setVisible(len(points) > 1)
        self._chart.show_points(points)
        if line is None:
            return
        if len(points) > 1:
            words = self.tr("%1, on %2; one point for each measurement, whiskers from the slowest run to the fastest.")
        else:
            words = self.tr("%1, on %2: measured once so far. A second measurement begins the line.")
        self._chart_note.setText(breakable(words.replace("%1", line.words).replace("%2", self._shown.machine)))

    def _facts(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(14)
        grid.setVerticalSpacing(3)
        grid.setColumnStretch(1, 1)
        for row, (name, value) in enumerate(self._shown.facts):
            label = MutedLabel(name, self, factor=0.93, wraps=False)
            value = value.replace(self._shown.report.created, moment_words(self._shown.created))
            text = QLabel(breakable(value), self)
            text.setFont(scaled(self.font(), 0.93))
            text.setTextFormat(Qt.TextFormat.PlainText)
            text.setWordWrap(True)
            text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            grid.addWidget(label, row, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(text, row, 1)
        return grid

    def _note(self, text: str) -> QHBoxLayout:
        is_wrong = bool(self._shown.report.failed_checks)
        label = QLabel(breakable(text), self) if is_wrong else MutedLabel(breakable(text), self)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setWordWrap(True)
        row = QHBoxLayout()
        row.setSpacing(8)
        icon = IconLabel("alert", "danger" if is_wrong else "muted", 17, self)
        row.addWidget(icon, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(label, 1)
        return row

    def _buttons(self) -> QHBoxLayout:
        copy = QPushButton(self.tr("Copy as Markdown"), self)
        copy.setAccessibleName(self.tr("Copy the report on %1 as Markdown").replace("%1", self._shown.subject))
        copy.clicked.connect(self.copy_clicked)
        delete = QPushButton(self.tr("Delete"), self)
        delete.setAccessibleName(self.tr("Delete the report on %1").replace("%1", self._shown.subject))
        delete.setProperty("kind", "quiet")
        delete.clicked.connect(self.delete_clicked)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(copy)
        row.addWidget(delete)
        row.addStretch(1)
        return row


class ReportTable(TableView):
    """A table of a report, as high as it needs to be; it takes the focus where it can be scrolled."""

    def __init__(self, table: Table, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = table
        self.setFont(scaled(self.font(), 0.86))
        self.setAccessibleName(table.title)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.show_table(
            MarkdownTable(
                (
                    tuple((Span(cell, bold=True),) for cell in table.heading),
                    *(tuple((Span(cell),) for cell in row) for row in table.rows),
                ),
                tuple("right" if i in table.numeric else "left" for i in range(len(table.heading))),
            )
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        height = self.fit(self.width())
        if height != self.height():
            self.setFixedHeight(height)
        scrolls = self.document().size().width() > self.width()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus if scrolls else Qt.FocusPolicy.ClickFocus)

    def _write_table(self) -> None:
        super()._write_table()
        self.moveCursor(QTextCursor.MoveOperation.Start)  # a view scrolls to where its cursor is

    def _fitted_columns(self, width: int) -> list[float]:
        """Figures are never wrapped: a table that is too wide is scrolled."""
        plain, bold = QFontMetricsF(self.font()), QFontMetricsF(scaled(self.font(), 1.0, weight=QFont.Weight.Bold))
        heading = [bold.horizontalAdvance(cell) for cell in self._words.heading]
        rows = [[plain.horizontalAdvance(cell) for cell in row] for row in self._words.rows]
        return [max(column) + 4 for column in zip(heading, *rows, strict=True)]

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.viewport().update()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.hasFocus():
            painter = QPainter(self.viewport())
            painter.setPen(QColor(colors_of(self.palette()).accent))
            painter.drawRect(self.viewport().rect().adjusted(0, 0, -1, -1))
            painter.end()


def _heading(text: str, parent: QWidget) -> QLabel:
    label = QLabel(text, parent)
    label.setFont(scaled(parent.font(), 0.96, weight=QFont.Weight.DemiBold))
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    return label
