"""Signing in from the window: the buttons of the servers' list, and a notice when a chat lacks a server for want of it."""

from collections.abc import Callable

from PySide6.QtCore import QObject

from desktop.agent.run import Run
from desktop.tools.entities import ServerState, ServerStatus
from desktop.tools.visible_text import reveal
from desktop.ui.header import Header
from desktop.ui.notices import NoticeAction, NoticeArea
from desktop.ui.server_words import reason_of
from desktop.ui.services import UiServices

_MOST_OF_NAME = 80


class SignInPresenter(QObject):
    """One notice for each server, as long as it is true; who closed it is not told again of the same."""

    def __init__(self, header: Header, services: UiServices, area: Callable[[], NoticeArea], parent: QObject) -> None:
        """``area`` is where the user looks now."""
        super().__init__(parent)
        self._services = services
        self._area = area
        self._running: set[str] = set()
        """The chats that are being answered in."""
        self._states: dict[str, ServerState] = {}
        self._told: set[str] = set()
        self._withdraw: dict[str, Callable[[], None]] = {}
        header.server_sign_in_requested.connect(services.sign_ins.sign_in)
        header.server_sign_in_cancelled.connect(services.sign_ins.cancel_sign_in)
        services.chat.run_started.connect(self._run_started)
        services.chat.run_ended.connect(self._run_ended)
        services.gateway.status_changed.connect(self._changed)
        services.gateway.servers_changed.connect(self._servers_changed)

    def _run_started(self, run: Run) -> None:
        self._running.add(run.thread_id)
        for status in self._services.gateway.statuses():
            self._look_at(status)

    def _run_ended(self, run: Run) -> None:
        if not self._services.chat.runs_of(run.thread_id):
            self._running.discard(run.thread_id)

    def _changed(self, status: ServerStatus) -> None:
        before = self._states.get(status.server_id)
        self._states[status.server_id] = status.state
        if status.state is not ServerState.NEEDS_SIGN_IN:
            self._take_back(status.server_id)
        elif before is ServerState.SIGNING_IN and not _was_cancelled(status):
            self._tell_failure(status)
        else:
            self._look_at(status)

    def _servers_changed(self) -> None:
        there = {status.server_id for status in self._services.gateway.statuses()}
        for server_id in self._withdraw.keys() - there:
            self._take_back(server_id)

    def _look_at(self, status: ServerStatus) -> None:
        if status.state is not ServerState.NEEDS_SIGN_IN or status.server_id in self._told:
            return
        if any(self._is_offered_in(status.server_id, thread_id) for thread_id in self._running):
            self._show(
                status,
                lambda name: self.tr("“%1” needs you to sign in").replace("%1", name),
                lambda _reason: self.tr("Until then this chat goes on without its tools."),
            )

    def _tell_failure(self, status: ServerStatus) -> None:
        self._show(
            status,
            lambda name: self.tr("You are not signed in at “%1”").replace("%1", name),
            lambda reason: reason,
        )

    def _show(self, status: ServerStatus, title: Callable[[str], str], detail: Callable[[str], str]) -> None:
        self._take_back(status.server_id)
        self._told.add(status.server_id)
        name = reveal(status.server_id[:_MOST_OF_NAME], keep_newlines=False)
        self._withdraw[status.server_id] = self._area().show_notice(
            lambda: title(name),
            lambda: detail(reason_of(status)),
            is_error=False,
            actions=[
                NoticeAction(lambda: self.tr("Sign in…"), lambda: self._services.sign_ins.sign_in(status.server_id))
            ],
        )

    def _is_offered_in(self, server_id: str, thread_id: str) -> bool:
        entries = self._services.servers.listed(self._services.settings.settings)
        chats = next((entry.chats for entry in entries if entry.id == server_id), ())
        return not chats or thread_id in chats

    def _take_back(self, server_id: str) -> None:
        self._told.discard(server_id)
        if (withdraw := self._withdraw.pop(server_id, None)) is not None:
            withdraw()


def _was_cancelled(status: ServerStatus) -> bool:
    return any(remark.code == "sign_in_cancelled" for remark in status.remarks)
