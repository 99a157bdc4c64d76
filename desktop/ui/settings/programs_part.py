"""The part Programs of the page Tool servers: what servers are started with, where it was found, and Node to be fetched."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QProgressBar, QPushButton, QVBoxLayout, QWidget

from desktop.tools.programs import FetchState, FetchStatus, FoundProgram, NodeOffer, ProgramOrigin
from desktop.tools.visible_text import reveal
from desktop.ui.controls import hand_focus
from desktop.ui.plain_label import PlainLabel
from desktop.ui.punctuation import labelled
from desktop.ui.settings.layouts import Wrapping
from desktop.ui.settings.page import SettingRow, SettingsSection

_MOST_OF_DETAIL = 300


class ProgramsPart(QWidget):
    """Two rows of a section: the list with a button to look again, and Node.

    Signals:
        look_requested, fetch_requested, cancel_requested, remove_requested: the user clicked that.
    """

    look_requested = Signal()
    fetch_requested = Signal()
    cancel_requested = Signal()
    remove_requested = Signal()

    def __init__(self, section: SettingsSection) -> None:
        super().__init__()
        self._found: Sequence[FoundProgram] | None = None
        self._offer: NodeOffer | None = None
        self._status = FetchStatus()
        self._section = section
        self.look = _button("lookForPrograms")
        self.look.clicked.connect(self.look_requested)
        self._list = PlainLabel(role="muted", object_name="programList")
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._list)
        place = QWidget()
        place.setLayout(Wrapping(self.look))
        column.addWidget(place)
        self._list_row = section.add_row(inside, wide=True)
        self._list_row.goes_to = self.look
        self.fetch, self.cancel, self.remove = _button("fetchNode"), _button("cancelNode"), _button("removeNode")
        self.fetch.clicked.connect(self.fetch_requested)
        self.cancel.clicked.connect(self.cancel_requested)
        self.remove.clicked.connect(self.remove_requested)
        self._bar = QProgressBar()
        self._bar.setObjectName("nodeProgress")
        self._bar.setTextVisible(True)
        self._bar.setMinimumWidth(140)
        controls = QWidget()
        controls.setLayout(Wrapping(self._bar, self.cancel, self.remove, self.fetch, spacing=10))
        self._node_row: SettingRow = section.add_row(controls)
        self._node_row.goes_to = self.fetch
        self.retranslate()

    def show_programs(self, found: Sequence[FoundProgram] | None, offer: NodeOffer | None) -> None:
        """Show what was found; None while it is looked for."""
        self._found, self._offer = found, offer
        self.retranslate()

    def show_fetch(self, status: FetchStatus) -> None:
        self._status = status
        self.retranslate()

    @property
    def missing(self) -> list[str]:
        """The programs that were not found."""
        return [program.name for program in self._found or () if not program.path]

    def retranslate(self) -> None:
        self._list_row.set_texts(
            self.tr("Found on this computer"),
            self.tr("Servers are started with these. They are looked for where your login shell would find them."),
            keywords="npx node uvx uv python docker path",
        )
        self._list.setText(self._list_words())
        self.look.setText(self.tr("Look again"))
        self.look.setAccessibleName(self.look.text())
        self._show_node()

    def _list_words(self) -> str:
        if self._found is None:
            return self.tr("Looking…")
        return "\n".join(labelled(program.name, self._place_words(program)) for program in self._found)

    def _place_words(self, program: FoundProgram) -> str:
        path = reveal(program.path, keep_newlines=False)
        if not program.path:
            return self.tr("not found")
        match program.origin:
            case ProgramOrigin.OWN if program.name in ("uv", "uvx"):
                return self.tr("comes with Threadwell")
            case ProgramOrigin.OWN:
                return self.tr("fetched by Threadwell")
            case ProgramOrigin.USUAL_FOLDER:
                return self.tr("%1 (in its usual folder, not on the search path)").replace("%1", path)
            case _:
                return path

    def _show_node(self) -> None:
        status, is_running = self._status, self._status.state is FetchState.RUNNING
        node = next((program for program in self._found or () if program.name == "npx"), None)
        is_own = node is not None and node.origin is ProgramOrigin.OWN and bool(node.path)
        can_fetch = not is_running and self._offer is not None and node is not None and not node.path
        hand_focus(self.fetch, self.cancel if is_running else self.look)
        hand_focus(self.cancel, self.fetch if can_fetch else self.look)
        self.fetch.setVisible(can_fetch)
        self.cancel.setVisible(is_running)
        self.remove.setVisible(is_own and not is_running)
        self._bar.setVisible(is_running)
        self._bar.setRange(0, 100)
        self._bar.setValue(round(100 * status.done_bytes / status.total_bytes) if status.total_bytes else 0)
        self._node_row.setVisible(can_fetch or is_running or is_own)
        self._node_row.set_texts(self.tr("Node"), self._node_words(is_own), keywords="npx javascript")
        self.fetch.setText(self.tr("Try again") if self._has_failed else self.tr("Fetch Node"))
        self.cancel.setText(self.tr("Cancel"))
        self.remove.setText(self.tr("Remove"))
        names = (self.tr("Fetch Node"), self.tr("Cancel fetching Node"), self.tr("Remove the fetched Node"))
        for button, name in zip((self.fetch, self.cancel, self.remove), names, strict=True):
            button.setAccessibleName(name)
        self._bar.setAccessibleName(self.tr("Fetching Node"))

    @property
    def _has_failed(self) -> bool:
        return self._status.state in (FetchState.FAILED, FetchState.NO_NETWORK, FetchState.NO_SPACE)

    def _node_words(self, is_own: bool) -> str:
        offer, status = self._offer, self._status
        if is_own or offer is None:
            return self.tr("Servers that are started with npx use it.")
        what = (
            self.tr("Many servers need it. %1 (%2) is fetched from %3: %4 MB, %5 MB on the disk, into %6.")
            .replace("%1", f"Node {offer.version}")
            .replace("%2", offer.package)
            .replace("%3", offer.source)
            .replace("%4", str(round(offer.download_bytes / 1e6)))
            .replace("%5", str(round(offer.installed_bytes / 1e6)))
            .replace("%6", reveal(offer.folder))
        )
        match status.state:
            case FetchState.NO_NETWORK:
                problem = self.tr("It could not be fetched: %1 cannot be reached. Is this computer online?").replace(
                    "%1", offer.source
                )
            case FetchState.NO_SPACE:
                problem = self.tr("It could not be fetched: there is no room on the disk.")
            case FetchState.FAILED:
                last = reveal(status.detail.strip().splitlines()[-1][:_MOST_OF_DETAIL]) if status.detail else ""
                problem = self.tr("It could not be fetched. %1").replace("%1", last)
            case _:
                return what
        return f"{problem}\n{what}"


def _button(name: str) -> QPushButton:
    button = QPushButton()
    button.setObjectName(name)
    return button
