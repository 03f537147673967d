"""The way to the hub and the library's folders, to be set: offline switch, address, proxy, certificates, token, speed.

Owns the fields. A choice is kept once the engine has taken it, and what it refuses is said beside the fields; the
offline switch, the speed and the folders act at once.
"""

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QCloseEvent, QFont
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.download_words import token_words
from app.window.icons import IconButton
from app.window.labels import MutedLabel
from app.window.models.asking import words
from app.window.models.download_control import DownloadControl
from app.window.models.library_control import LibraryControl
from app.window.models.network_control import NetworkControl
from app.window.models.problem_card import ErrorPlace
from app.window.number_field import NumberField
from app.window.settings_control import SettingsControl
from app.window.theme import scaled
from app.window.wording import breakable
from engine.transfer_reports import HUB

BY_ENVIRONMENT, NO_PROXY, OWN_PROXY = "environment", "none", "own"
MB = 1_000_000


class NetworkDialog(QDialog):
    test_asked = Signal()

    def __init__(
        self,
        network: NetworkControl,
        library: LibraryControl,
        downloads: DownloadControl,
        settings: SettingsControl,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._network, self._library, self._downloads, self._settings = network, library, downloads, settings
        self._shown_folders: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
        self._was_using = False
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Hub and library"))
        self.resize(600, 720)
        self.setMinimumWidth(380)
        body = QWidget(self)
        self._box = QVBoxLayout(body)
        self._box.setContentsMargins(18, 14, 18, 8)
        self._box.setSpacing(8)
        self._build_network()
        self._build_token()
        self._build_downloads()
        self._build_folders()
        self._box.addStretch(1)
        area = QScrollArea(self)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setAccessibleName(self.windowTitle())
        area.setWidget(body)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        buttons.rejected.connect(self.close)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.addWidget(area, 1)
        foot = QHBoxLayout()
        foot.setContentsMargins(18, 0, 18, 12)
        foot.addWidget(buttons)
        box.addLayout(foot)
        for control in (network, library, downloads):
            control.changed.connect(self.refresh)
        self._fill()
        self.refresh()

    # Parts --------------------------------------------------------------------------------------------------------

    def _build_network(self) -> None:
        self._title(self.tr("The hub"))
        self.offline = QCheckBox(self.tr("Work offline: no connection is made"), self)
        self.offline.setAccessibleName(self.offline.text())
        self.offline.clicked.connect(lambda is_on: self._network.switch(offline=is_on))
        self._forced = MutedLabel(
            self.tr("The environment of this process says so (HF_HUB_OFFLINE, EMBER_OFFLINE)."), self
        )
        self.endpoint = self._field(self.tr("Address of the hub or a mirror of it"), HUB)
        self.proxy_kind = QComboBox(self)
        self.proxy_kind.setAccessibleName(self.tr("Proxy"))
        self.proxy_kind.addItem(self.tr("As the environment says"), BY_ENVIRONMENT)
        self.proxy_kind.addItem(self.tr("None"), NO_PROXY)
        self.proxy_kind.addItem(self.tr("This one:"), OWN_PROXY)
        self.proxy_kind.currentIndexChanged.connect(self._show_proxy)
        self.proxy = self._field(self.tr("Address of the proxy"), "http://proxy:8080, socks5h://localhost:1080")
        self.proxy.setToolTip(self.tr("With a user and a password if need be; they are kept in Ember's settings file."))
        self.ca_file = self._field(self.tr("File with a company's certificates"), self.tr("None, or a .pem file"))
        self.browse_button = self._button(self.tr("Choose…"), self.tr("Choose a file with certificates"))
        self.browse_button.clicked.connect(self._choose_ca)
        self.apply_button = self._button(self.tr("Apply"), self.tr("Apply the way to the hub"))
        self.apply_button.setProperty("kind", "primary")
        self.apply_button.clicked.connect(self._apply)
        self.test_button = self._button(self.tr("Test the connection…"), self.tr("Test the connection"))
        self.test_button.clicked.connect(self.test_asked)
        self._applied = MutedLabel(parent=self)
        self.error = ErrorPlace(self)
        self._box.addWidget(self.offline)
        self._box.addWidget(self._forced)
        self._row(self.tr("Address"), self.endpoint)
        self._row(self.tr("Proxy"), self.proxy_kind)
        self._proxy_row = self._row("", self.proxy)
        self._row(self.tr("Certificates"), self.ca_file, self.browse_button)
        self._row("", self.apply_button, self.test_button, self._applied)
        self._box.addWidget(self.error)

    def _build_token(self) -> None:
        self._title(self.tr("Access token"))
        self._token_words = MutedLabel(parent=self)
        self.token = self._field(self.tr("Access token of the hub"), self.tr("For models whose terms must be accepted"))
        self.token.setEchoMode(QLineEdit.EchoMode.Password)
        self.token.returnPressed.connect(self._store)
        self.store_button = self._button(self.tr("Keep"), self.tr("Keep the token"))
        self.store_button.clicked.connect(self._store)
        self.forget_button = self._button(self.tr("Forget"), self.tr("Forget the token"))
        self.forget_button.clicked.connect(lambda: self._network.store_token(""))
        self.token_error = ErrorPlace(self)
        self._box.addWidget(self._token_words)
        self._row("", self.token, self.store_button, self.forget_button)
        self._box.addWidget(self.token_error)

    def _build_downloads(self) -> None:
        self._title(self.tr("Downloads"))
        self.limit = NumberField(0.1, 100_000, step=1, decimals=1, empty=self.tr("no limit"), parent=self)
        self.limit.setAccessibleName(self.tr("Speed limit in MB/s"))
        self.limit.setFixedWidth(110)
        self.limit.changed.connect(lambda value: self._downloads.limit(None if value is None else round(value * MB)))
        self.keeps = QCheckBox(self.tr("Keep what was fetched once a model is prepared"), self)
        self.keeps.setAccessibleName(self.keeps.text())
        self.keeps.setToolTip(self.tr("It can then be prepared again in another precision without fetching it."))
        self.keeps.clicked.connect(lambda is_on: self._settings.update(keeps_source=is_on))
        self._row(self.tr("Speed limit"), self.limit, QLabel("MB/s", self), stretches=False)
        self._box.addWidget(self.keeps)

    def _build_folders(self) -> None:
        self._title(self.tr("Folders of models"))
        self._box.addWidget(MutedLabel(self.tr("New models go to the first. They may be on other drives."), self))
        self._folder_rows = QVBoxLayout()
        self._folder_rows.setSpacing(4)
        self._box.addLayout(self._folder_rows)
        self.add_button = self._button(self.tr("Add a folder…"), self.tr("Add a folder of models"))
        self.add_button.clicked.connect(self._choose_folder)
        self.folder_error = ErrorPlace(self)
        self._box.addWidget(self.folder_error)
        self._box.addWidget(self.add_button, 0, Qt.AlignmentFlag.AlignLeft)

    def _title(self, text: str) -> None:
        label = QLabel(text, self)
        label.setFont(scaled(self.font(), 1.08, weight=QFont.Weight.DemiBold))
        if self._box.count():
            self._box.addSpacing(10)
        self._box.addWidget(label)

    def _field(self, name: str, placeholder: str) -> QLineEdit:
        field = QLineEdit(self)
        field.setAccessibleName(name)
        field.setPlaceholderText(placeholder)
        return field

    def _button(self, text: str, spoken: str) -> QPushButton:
        button = QPushButton(text, self)
        button.setAccessibleName(spoken)
        button.setAutoDefault(False)
        return button

    def _row(self, label: str, *widgets: QWidget, stretches: bool = True) -> QWidget:
        whole = QWidget(self)
        row = QHBoxLayout(whole)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        name = MutedLabel(label, self, wraps=True)
        name.setFixedWidth(96)
        row.addWidget(name)
        for number, widget in enumerate(widgets):
            is_wide = isinstance(widget, QLineEdit | QComboBox | MutedLabel) and stretches
            row.addWidget(widget, 1 if is_wide and (number == 0 or isinstance(widget, MutedLabel)) else 0)
        if not stretches:
            row.addStretch(1)
        self._box.addWidget(whole)
        return whole

    # What is shown ------------------------------------------------------------------------------------------------

    def _fill(self) -> None:
        value = self._settings.value
        self.endpoint.setText(value.endpoint)
        is_own = value.proxy not in ("", NO_PROXY)
        kind = OWN_PROXY if is_own else NO_PROXY if value.proxy == NO_PROXY else BY_ENVIRONMENT
        self.proxy_kind.setCurrentIndex(self.proxy_kind.findData(kind))
        self.proxy.setText(value.proxy if is_own else "")
        self.ca_file.setText(value.ca_file)
        self.limit.show_value(value.download_limit / MB if value.download_limit is not None else None)
        self.keeps.setChecked(value.keeps_source)
        self._show_proxy()

    def _show_proxy(self) -> None:
        self._proxy_row.setVisible(self.proxy_kind.currentData() == OWN_PROXY)

    def refresh(self) -> None:
        network = self._network
        self.offline.setChecked(network.is_offline)
        self.offline.setEnabled(not network.is_forced_offline)
        self._forced.setVisible(network.is_forced_offline)
        is_open = network.is_open
        self.apply_button.setEnabled(is_open and not network.is_using)
        self.test_button.setEnabled(is_open and not network.is_using)
        self.error.show_error(network.error)
        if network.is_using:
            self._applied.setText(self.tr("Trying…"))
        elif self._was_using:
            self._applied.setText("" if network.error is not None else self.tr("Applied"))
        self._was_using = network.is_using
        endpoint = network.token_endpoint or network.chosen.endpoint
        self._token_words.setText(token_words(network.token_place, endpoint, words))
        self.token_error.show_error(network.token_error)
        for button in (self.store_button, self.forget_button):
            button.setEnabled(is_open and not network.is_storing)
        self.forget_button.setVisible(network.token_place in ("keyring", "file"))
        self.folder_error.show_error(self._library.folder_error)
        self.add_button.setEnabled(is_open and not self._library.is_using)
        self._show_folders()

    def _show_folders(self) -> None:
        folders, away = self._library.folders, self._library.away
        if (folders, away) == self._shown_folders:
            return
        self._shown_folders = folders, away
        while self._folder_rows.count():
            item = self._folder_rows.takeAt(0)
            widget = item.widget() if item is not None else None
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        for number, folder in enumerate(folders):
            self._folder_rows.addWidget(self._folder_row(number, folder))

    def _folder_row(self, number: int, folder: str) -> QWidget:
        whole = QWidget(self)
        row = QHBoxLayout(whole)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        label = QLabel(breakable(folder), whole)
        label.setWordWrap(True)
        label.setTextFormat(Qt.TextFormat.PlainText)
        row.addWidget(label, 1)
        if folder in self._library.away:
            row.addWidget(MutedLabel(self.tr("not connected"), whole, factor=0.92, wraps=False))
        if number:
            first = IconButton("arrow-up", self.tr("New models go to %1").replace("%1", folder), whole)
            first.clicked.connect(lambda: self._use((folder, *(f for f in self._library.folders if f != folder))))
            row.addWidget(first)
        else:
            row.addWidget(MutedLabel(self.tr("new models"), whole, factor=0.92, wraps=False))
        if len(self._library.folders) > 1:
            spoken = self.tr("Do without %1; nothing in it is deleted").replace("%1", folder)
            without = IconButton("close", spoken, whole)
            without.clicked.connect(lambda: self._use(tuple(f for f in self._library.folders if f != folder)))
            row.addWidget(without)
        return whole

    # What is chosen -----------------------------------------------------------------------------------------------

    def _apply(self) -> None:
        kind = self.proxy_kind.currentData()
        proxy = self.proxy.text() if kind == OWN_PROXY else NO_PROXY if kind == NO_PROXY else ""
        self._network.use(endpoint=self.endpoint.text(), proxy=proxy, ca_file=self.ca_file.text())

    def _store(self) -> None:
        if self.token.text().strip():
            self._network.store_token(self.token.text())
            self.token.clear()

    def focus_token(self) -> None:
        self.token.setFocus()

    def _use(self, folders: tuple[str, ...]) -> None:
        self._library.use_folders(folders)

    def _choose_folder(self) -> None:
        dialog = QFileDialog(self, self.tr("A folder for models"), str(Path.home()))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        dialog.fileSelected.connect(lambda name: self.add_folder(name))
        dialog.open()

    def add_folder(self, folder: str) -> None:
        if folder and folder not in self._library.folders:
            self._use((*self._library.folders, folder))

    def _choose_ca(self) -> None:
        dialog = QFileDialog(self, self.tr("Certificates"), str(Path.home()))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilters([self.tr("Certificates (*.pem *.crt *.cer)"), self.tr("All files (*)")])
        dialog.fileSelected.connect(self.ca_file.setText)
        dialog.open()

    def closeEvent(self, event: QCloseEvent) -> None:
        for control in (self._network, self._library, self._downloads):
            control.changed.disconnect(self.refresh)
        super().closeEvent(event)

    def reject(self) -> None:
        self.close()
