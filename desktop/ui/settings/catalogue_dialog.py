"""The catalogue of well-known tool servers: what each does and needs, and a button to add it."""

from collections.abc import Collection

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import QPushButton, QWidget

from desktop.tools.server_catalogue import CATALOGUE, CatalogueServer
from desktop.ui.punctuation import follow, labelled
from desktop.ui.settings.list_dialog import ListDialog
from desktop.ui.settings.page import SettingRow
from desktop.ui.theme.theme_manager import ThemeManager

_NODE = frozenset({"npx", "node"})


class CatalogueDialog(ListDialog):
    """Signals:
    picked: the ``CatalogueServer`` that the user wants to add.
    """

    picked = Signal(object)

    def __init__(self, parent: QWidget | None, theme: ThemeManager, present: Collection[str]) -> None:
        """``present`` are the names of the servers that there are."""
        super().__init__("serverCatalogue", parent, theme)
        self._present = {name.casefold() for name in present}
        self._missing: Collection[str] = ()
        self._rows: list[tuple[CatalogueServer, SettingRow, QPushButton]] = []
        for server in CATALOGUE:
            button = QPushButton()
            button.setObjectName(f"catalogue-{server.key}")
            button.setAutoDefault(False)
            button.clicked.connect(lambda _checked=False, server=server: self.picked.emit(server))
            self._rows.append((server, SettingRow(button), button))
        self._close = self.add_button("catalogueClose")
        self._close.clicked.connect(self.reject)
        self.set_rows([row for _, row, _ in self._rows])
        self.retranslate()

    def show_missing(self, programs: Collection[str]) -> None:
        """Say which programs this computer does not have."""
        self._missing = programs
        self.retranslate()

    def retranslate(self) -> None:
        self.set_texts(
            self.tr("Catalogue"),
            self.tr(
                "Well-known servers in a version that was looked at. You see the exact line before anything is fetched"
                " or started."
            ),
        )
        self._close.setText(self.tr("Close"))
        self._close.setAccessibleName(self._close.text())
        for server, row, button in self._rows:
            words = QCoreApplication.translate("catalogue", server.words)
            needs = self._needs(server)
            row.set_texts(server.key, follow(words, needs) if needs else words)
            is_there = server.key.casefold() in self._present
            button.setText(self.tr("Add another…") if is_there else self.tr("Add…"))
            button.setAccessibleName(labelled(button.text(), server.key))
            button.setAccessibleDescription(words)

    def _needs(self, server: CatalogueServer) -> str:
        if server.program in _NODE:
            needs = self.tr("Needs Node.")
            return (
                follow(needs, self.tr("It is not on this computer yet.")) if server.program in self._missing else needs
            )
        return self.tr("Runs on a server of its maker.") if server.url else ""
