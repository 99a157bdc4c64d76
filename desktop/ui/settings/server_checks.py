"""Opens what can be looked at of one server: its changed tools, to be decided about, and its diagnosis."""

from collections.abc import Sequence

import shiboken6
from PySide6.QtCore import QObject

from desktop.tools.entities import Finding, ServerEntry, ServerStatus
from desktop.tools.name_clashes import NameIndex
from desktop.tools.pinned import HeldItem
from desktop.ui.presenting import Worker
from desktop.ui.settings.changes_dialog import ChangesDialog
from desktop.ui.settings.context import SettingsContext
from desktop.ui.settings.diagnosis_presenter import DiagnosisPresenter


class ServerChecks(QObject):
    """Belongs to the page Tool servers. One dialog of each kind at a time."""

    def __init__(self, context: SettingsContext, parent: QObject) -> None:
        super().__init__(parent)
        self._context = context
        self._services = context.services
        self._worker = Worker(context.services)
        self._changes: ChangesDialog | None = None
        self._server_id = ""
        self._services.pins.changed.connect(self._pins_changed)
        self._services.gateway.status_changed.connect(self._status_changed)

    def findings(self) -> dict[str, dict[str, tuple[Finding, ...]]]:
        """By server and tool, with which tools of others each could be confused."""
        gateway = self._services.gateway
        tools = [tool for status in gateway.statuses() for tool in gateway.tools_of(status.server_id)]
        index = NameIndex(tools)
        found: dict[str, dict[str, tuple[Finding, ...]]] = {}
        for tool in tools:
            if noticed := index.findings(tool):
                found.setdefault(tool.server_id, {})[tool.name] = noticed
        return found

    def show_changes(self, entry: ServerEntry) -> None:
        """Open the changes of a server, to be accepted or kept off."""
        self._close_changes()
        self._server_id = entry.id
        dialog = self._changes = ChangesDialog(self._context.window, self._context.theme, entry.key)
        dialog.accepted_items.connect(self._accept)
        dialog.kept_off_items.connect(self._keep_off)
        dialog.finished.connect(self._close_changes)
        self._fill()
        dialog.open()

    def show_diagnosis(self, entry: ServerEntry) -> None:
        """Open the diagnosis of a server."""
        DiagnosisPresenter(self._context, entry, self).open()

    def _accept(self, items: Sequence[HeldItem]) -> None:
        self._worker.start(self._services.pins.accept(items), "accept changed tools")

    def _keep_off(self, items: Sequence[HeldItem]) -> None:
        self._worker.start(self._services.pins.keep_off(items), "keep changed tools off")

    def _pins_changed(self, server_id: str) -> None:
        if server_id == self._server_id:
            self._fill()

    def _status_changed(self, status: ServerStatus) -> None:
        if status.server_id == self._server_id and not status.is_ready:
            self._fill()

    def _fill(self) -> None:
        if self._changes is not None and shiboken6.isValid(self._changes):
            items = self._services.pins.held(self._server_id)
            self._changes.show_items(items, self.findings().get(self._server_id, {}))

    def _close_changes(self, _result: int = 0) -> None:
        dialog, self._changes = self._changes, None
        if dialog is not None and shiboken6.isValid(dialog):
            dialog.deleteLater()
