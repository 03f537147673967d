"""The middle column that pages lay their content in: as wide as the window allows, and no wider than is pleasant."""

from PySide6.QtWidgets import QHBoxLayout, QLayout, QScrollArea, QWidget


def lay_in_column(page: QScrollArea, content: QLayout, width: int) -> QWidget:
    """Make `content` what the page scrolls, at most `width` pixels wide; returns the column."""
    column = QWidget(page)
    column.setLayout(content)
    column.setMaximumWidth(width)
    outer = QWidget(page)
    row = QHBoxLayout(outer)
    row.setContentsMargins(20, 0, 20, 0)
    row.addWidget(column, 1)
    page.setWidget(outer)
    outer.setAutoFillBackground(False)
    page.viewport().setAutoFillBackground(False)
    return column
