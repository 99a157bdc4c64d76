"""The ways in which servers come in besides the form: several pasted ones, other programs' settings, the catalogue."""

from collections.abc import Callable, Mapping
from typing import Any

from PySide6.QtCore import QObject, Signal

from desktop.tools.elsewhere import Elsewhere
from desktop.tools.entities import ServerEntry
from desktop.tools.server_catalogue import CatalogueServer
from desktop.ui.presenting import Worker
from desktop.ui.settings.catalogue_dialog import CatalogueDialog
from desktop.ui.settings.context import SettingsContext
from desktop.ui.settings.folder_field import FolderDialog
from desktop.ui.settings.import_dialog import ImportDialog
from desktop.ui.settings.server_edits import free_name, with_more, without
from desktop.ui.state.server_draft import draft_of, switched
from desktop.ui.state.server_secrets import sealed


class ServerAdditions(QObject):
    """Nothing that comes in here is started: it is added switched off, or shown in the form.

    Signals:
        added: the first of the servers that were added.
        proposed: the ``ServerDraft`` of one that is to be looked at in the form.
        wanted: the name and the entry of one that is to be added and started, once its line was agreed to.
    """

    added = Signal(str)
    proposed = Signal(object)
    wanted = Signal(str, object)

    def __init__(self, context: SettingsContext, parent: QObject) -> None:
        super().__init__(parent)
        self._context = context
        self._services = context.services
        self._worker = Worker(context.services)
        self._catalogue: CatalogueDialog | None = None

    def add_switched_off(self, servers: Mapping[str, Any]) -> bool:
        """Add these so that each is looked at before it starts; their secrets go into the keychain."""
        present = self._services.settings.settings.mcp_servers
        new: dict[str, Any] = {}
        secrets: dict[str, str] = {}
        for name, raw in servers.items():
            key = free_name(name, {*present, *new})
            if isinstance(raw, Mapping):
                safe = sealed(key, switched(raw, False))
                new[key], secrets = safe.entry, {**secrets, **safe.secrets}
            else:
                new[key] = raw
        if not self._keep(secrets) or not self._context.writer.save(with_more(new)):
            return False
        self.added.emit(next(iter(new)))
        self._context.offer_undo(
            lambda: self.tr("%n servers added, switched off", "", len(new)),
            lambda: self._take_back(new),
        )
        return True

    def look_elsewhere(self) -> None:
        """Show what other programs have set up."""
        self._worker.start_once(self._look_elsewhere(), "look for servers of other programs")

    def show_catalogue(self, missing: Callable[[], list[str]]) -> None:
        """Show the catalogue; ``missing`` tells which programs this computer does not have."""
        names = [entry.key for entry in self._services.servers.listed(self._services.settings.settings)]
        dialog = self._catalogue = CatalogueDialog(self._context.window, self._context.theme, names)
        dialog.show_missing(missing())
        dialog.picked.connect(self._pick)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    # -- other programs

    async def _look_elsewhere(self) -> None:
        places = await self._services.servers.elsewhere()
        known = {(e.argv, e.url) for e in self._services.servers.listed(self._services.settings.settings)}
        offers = [
            (place, entry, (entry.argv, entry.url) in known) for place in places for entry in self._entries(place)
        ]
        dialog = ImportDialog(self._context.window, self._context.theme, offers, [p for p in places if p.problem])
        dialog.chosen.connect(lambda picked: self._add_chosen([offers[n] for n in picked]))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _entries(self, place: Elsewhere) -> list[ServerEntry]:
        """Read the entries without their secrets: what is shown must not show them."""
        safe = {
            name: sealed(name, raw).entry if isinstance(raw, Mapping) else raw for name, raw in place.servers.items()
        }
        return [self._services.servers.read(name, raw) for name, raw in safe.items()]

    def _add_chosen(self, chosen: list[tuple[Elsewhere, ServerEntry, bool]]) -> None:
        servers: dict[str, Any] = {}
        for place, entry, _is_known in chosen:
            servers[free_name(entry.key, servers)] = place.servers[entry.key]
        if servers:
            self.add_switched_off(servers)

    # -- the catalogue

    def _pick(self, server: CatalogueServer) -> None:
        if server.needs_folder and self._catalogue is not None:
            title = self.tr("The folder for “%1”").replace("%1", server.key)
            chooser = FolderDialog("catalogueFolder", self._catalogue, title, "")
            chooser.fileSelected.connect(lambda folder: self._propose(server, folder))
            chooser.open()
        else:
            self._propose(server, "")

    def _propose(self, server: CatalogueServer, folder: str) -> None:
        if self._catalogue is not None:
            self._catalogue.accept()
            self._catalogue = None
        name = free_name(server.key, self._services.settings.settings.mcp_servers)
        data = self._services.data.root / "servers" / server.key
        entry = server.entry(folder=folder, data=str(data))
        if any("{data}" in value for _, value in server.env):
            data.mkdir(parents=True, exist_ok=True)
        draft = draft_of(name, entry)
        if server.secret and draft is not None:
            self.proposed.emit(draft)
        else:
            self.wanted.emit(name, entry)

    # -- what all have in common

    def _keep(self, secrets: Mapping[str, str]) -> bool:
        try:
            self._services.server_secrets.keep(secrets)
        except OSError as error:
            self._services.report_error(error)
            return False
        return True

    def _take_back(self, new: Mapping[str, Any]) -> None:
        if self._context.writer.save(without(*new)):
            self._services.server_secrets.forget_unused()
