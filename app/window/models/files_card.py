"""Which files of a repository would be fetched, which not and why, and the way to its page."""

from PySide6.QtCore import Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

from app.catalog_words import fetched_words, left_out_words
from app.error_text import format_bytes
from app.window.labels import MutedLabel
from app.window.model_card import Card
from app.window.models.asking import words
from app.window.models.file_list import FileList
from app.window.models.flow import FlowLayout
from app.window.theme import scaled
from engine.catalog_reports import HubRepository

SHOWN_FILES = 10


class FilesCard(Card):
    page_clicked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._repository: HubRepository | None = None
        self.setAccessibleName(self.tr("What is fetched"))
        title = QLabel(self.tr("What is fetched"), self)
        title.setFont(scaled(self.font(), 1.05, weight=QFont.Weight.DemiBold))
        self.words = MutedLabel(parent=self)
        self.files_button = self._link(self.tr("Show the files"))
        self.files_button.clicked.connect(self.toggle_files)
        self.page_button = self._link(self.tr("Open its page on the hub…"))
        self.page_button.clicked.connect(self.page_clicked)
        self.files = FileList(self.tr("Files of the repository"), SHOWN_FILES, self)
        self.files.hide()
        links = QWidget(self)
        flow = FlowLayout(links, spacing=16)
        flow.addWidget(self.files_button)
        flow.addWidget(self.page_button)
        lines = QVBoxLayout(self)
        lines.setContentsMargins(16, 13, 16, 13)
        lines.setSpacing(7)
        lines.addWidget(title)
        lines.addWidget(self.words)
        lines.addWidget(links)
        lines.addWidget(self.files)

    def show_repository(self, repository: HubRepository | None) -> None:
        self.setVisible(repository is not None)
        if repository is None or repository == self._repository:
            return
        self._repository = repository
        self.words.setText(fetched_words(repository, words))
        files = sorted(repository.files, key=lambda file: (bool(file.left_out), -file.size_bytes))
        fetched = self.tr("is fetched")
        self.files.show_rows(
            [
                (
                    file.path,
                    left_out_words(file.left_out, words) if file.left_out else fetched,
                    format_bytes(file.size_bytes),
                )
                for file in files
            ]
        )

    def begin(self) -> None:
        """Another model."""
        self._repository = None
        if not self.files.isHidden():
            self.toggle_files()

    def toggle_files(self) -> None:
        shows = self.files.isHidden()
        self.files.setVisible(shows)
        text = self.tr("Hide the files") if shows else self.tr("Show the files")
        self.files_button.setText(text)
        self.files_button.setAccessibleName(text)

    def _link(self, text: str) -> QPushButton:
        button = QPushButton(text, self)
        button.setAccessibleName(text)
        button.setProperty("kind", "flush")
        return button
