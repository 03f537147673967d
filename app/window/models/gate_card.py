"""How access to a gated model is got: what is to be accepted, where, and the token that proves it."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QPushButton, QVBoxLayout, QWidget

from app.catalog_words import CATALOGUE_SAYS, gate_words
from app.window.icons import IconLabel
from app.window.labels import MutedLabel
from app.window.model_card import Card
from app.window.models.asking import words
from app.window.models.hub_control import Looked
from app.window.models.network_control import NetworkControl
from app.window.models.problem_card import ErrorPlace

_REFUSALS = ("LicenceNotAccepted", "HubAccessDenied")
_KEPT = ("keyring", "file")


class GateCard(Card):
    terms_clicked = Signal()

    def __init__(self, network: NetworkControl, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._network = network
        self.setAccessibleName(self.tr("Access"))
        self.words = QLabel(self)
        self.words.setWordWrap(True)
        self.words.setTextFormat(Qt.TextFormat.PlainText)
        self.terms_button = QPushButton(self.tr("Open the page with the terms…"), self)
        self.terms_button.setAccessibleName(self.terms_button.text())
        self.terms_button.clicked.connect(self.terms_clicked)
        self.token = QLineEdit(self)
        self.token.setEchoMode(QLineEdit.EchoMode.Password)
        self.token.setPlaceholderText(self.tr("Access token"))
        self.token.setAccessibleName(self.tr("Access token of the hub"))
        self.token.returnPressed.connect(self._store)
        self.token_button = QPushButton(self.tr("Keep the token"), self)
        self.token_button.setAccessibleName(self.token_button.text())
        self.token_button.clicked.connect(self._store)
        self._token_words = MutedLabel(parent=self, factor=0.92)
        self._error = ErrorPlace(self)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.token, 1)
        row.addWidget(self.token_button)
        lines = QVBoxLayout()
        lines.setSpacing(9)
        lines.addWidget(self.words)
        lines.addWidget(self.terms_button, 0, Qt.AlignmentFlag.AlignLeft)
        lines.addLayout(row)
        lines.addWidget(self._token_words)
        lines.addWidget(self._error)
        whole = QHBoxLayout(self)
        whole.setContentsMargins(16, 14, 16, 14)
        whole.setSpacing(11)
        whole.addWidget(IconLabel("lock", "accent", 20, self), 0, Qt.AlignmentFlag.AlignTop)
        whole.addLayout(lines, 1)

    def show_model(self, looked: Looked) -> None:
        """Nothing where access is free, or has been given."""
        is_refused = any(
            problem is not None and problem.report.code in _REFUSALS for problem in (looked.problem, looked.fit_problem)
        )
        is_let_in = looked.fit is not None and not is_refused
        self.setVisible(is_refused or (bool(looked.gated) and not is_let_in))
        if self.isHidden():
            return
        has_token = self._network.token_place in _KEPT
        text = gate_words(looked.gated or "manual", words)
        if is_refused and has_token:
            text = self.tr("The token that is kept does not open this model yet.") + " " + text
        elif looked.repository is None and looked.listed is None and not is_refused:
            text += f" ({words(CATALOGUE_SAYS)})"
        self.words.setText(text)
        endpoint = self._network.token_endpoint or self._network.chosen.endpoint
        kept = self.tr("A token for %1 is kept; another one takes its place.")
        none = self.tr("It is kept in the system's keyring and sent to %1 only.")
        self._token_words.setText((kept if has_token else none).replace("%1", endpoint))
        self.token_button.setEnabled(not self._network.is_storing)
        self._error.show_error(self._network.token_error)

    @property
    def needs_token(self) -> bool:
        """Whether access is to be got first and no token is kept."""
        return not self.isHidden() and self._network.token_place not in _KEPT

    def _store(self) -> None:
        if self.token.text().strip():
            self._network.store_token(self.token.text())
            self.token.clear()
