"""Says once that tools of a server changed and wait for the user, for as long as that is so."""

from collections.abc import Callable

from PySide6.QtCore import QObject

from desktop.tools.pinned import HeldItem, definition_text
from desktop.ui.notices import NoticeAction, NoticeArea
from desktop.ui.services import UiServices
from desktop.ui.state.readable import readable

_MOST_OF_NAME = 60


class PinNotices(QObject):
    """One notice for each server. ``look`` shows what changed of the server with this id."""

    def __init__(
        self, services: UiServices, area: NoticeArea, look: Callable[[str], object], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._services = services
        self._area = area
        self._look = look
        self._withdraw: dict[str, Callable[[], None]] = {}
        self._told: set[tuple[str, str, str]] = set()
        """Server, tool and definition of what was told: closed is closed."""
        services.pins.changed.connect(self._changed)
        for status in services.gateway.statuses():
            self._changed(status.server_id)

    def _changed(self, server_id: str) -> None:
        items = [item for item in self._services.pins.held(server_id) if not item.is_kept_off]
        keys = {(server_id, item.name, definition_text(item.now)) for item in items}
        if keys and keys <= self._told:
            return  # what stands there is still true, or was closed
        if (withdraw := self._withdraw.pop(server_id, None)) is not None:
            withdraw()
        if keys:
            self._told |= keys
            self._show(server_id, items)

    def _show(self, server_id: str, items: list[HeldItem]) -> None:
        name = readable(server_id)[:_MOST_OF_NAME]
        tools = sum(not item.is_instructions for item in items)

        def title() -> str:
            if not tools:
                return self.tr("The instructions of “%1” changed and wait for you").replace("%1", name)
            return self.tr("%n tools of “%1” changed and wait for you", "", tools).replace("%1", name)

        self._withdraw[server_id] = self._area.show_notice(
            title,
            lambda: self.tr("They are not used until you have looked at what changed."),
            is_error=False,
            actions=[NoticeAction(lambda: self.tr("Look at the changes…"), lambda: self._look(server_id))],
        )
