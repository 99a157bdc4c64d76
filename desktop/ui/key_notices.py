"""Says that a key did not get into the keychain although it should have, for as long as that is so."""

from collections.abc import Callable

from PySide6.QtCore import QObject

from desktop.core.secrets import KeychainState
from desktop.core.settings import EndpointSettings, KeyPlace, Settings
from desktop.ui.notices import NoticeAction, NoticeArea
from desktop.ui.punctuation import follow
from desktop.ui.services import UiServices
from desktop.ui.state.endpoint_names import endpoint_name
from desktop.ui.state.readable import readable


class KeyNotices(QObject):
    """One notice for each endpoint. ``area`` is where the user looks now."""

    def __init__(self, services: UiServices, area: Callable[[], NoticeArea], parent: QObject) -> None:
        super().__init__(parent)
        self._services = services
        self._area = area
        self._withdraw: dict[str, Callable[[], None]] = {}
        services.endpoint_book.held_back.connect(self._held_back)
        services.settings.changed.connect(self._settings_changed)

    def _held_back(self, endpoint: EndpointSettings) -> None:
        self._take_back(endpoint.id)
        state = self._services.secrets.status.state
        self._withdraw[endpoint.id] = self._area().show_notice(
            lambda: self._title(state),
            lambda: self._detail(state, endpoint),
            actions=[NoticeAction(lambda: self.tr("Try the keychain again"), lambda: self._try_again(endpoint.id))],
        )

    def _try_again(self, endpoint_id: str) -> None:
        self._take_back(endpoint_id)
        self._services.endpoint_book.keep_key_again(endpoint_id)

    def _settings_changed(self, _settings: Settings) -> None:
        for endpoint_id in list(self._withdraw):
            endpoint = self._services.endpoint_book.find(endpoint_id)
            if endpoint is None or endpoint.key_place is not KeyPlace.SESSION:
                self._take_back(endpoint_id)

    def _take_back(self, endpoint_id: str) -> None:
        if (withdraw := self._withdraw.pop(endpoint_id, None)) is not None:
            withdraw()

    def _title(self, state: KeychainState) -> str:
        if state is KeychainState.MISSING:
            return self.tr("No keychain was found on this computer")
        if state is KeychainState.LOCKED:
            return self.tr("The keychain is locked")
        if state is KeychainState.REFUSED:
            return self.tr("The keychain did not take the key")
        return self.tr("The keychain did not answer")

    def _detail(self, state: KeychainState, endpoint: EndpointSettings) -> str:
        name = readable(endpoint_name(endpoint))
        kept = self.tr("The key for %1 is kept only until Threadwell is closed.").replace("%1", name)
        if state in (KeychainState.LOCKED, KeychainState.FAILED):
            return follow(kept, self.tr("If a window asks for the keychain's password, answer it, then try again."))
        return kept
