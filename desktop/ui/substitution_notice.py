"""Says that somebody else answers in the open chat, because what was chosen for it is not set up any more."""

from collections.abc import Callable

from PySide6.QtCore import QObject

from desktop.ui.notices import NoticeAction, NoticeArea


class SubstitutionNotice(QObject):
    """One notice, for as long as it is true of the open chat."""

    def __init__(self, area: NoticeArea, choose: Callable[[], None], parent: QObject) -> None:
        """``choose`` opens the list of models."""
        super().__init__(parent)
        self._area = area
        self._choose = choose
        self._shown: tuple[str, str] | None = None
        self._withdraw: Callable[[], None] | None = None

    def show_state(self, missing_id: str | None, label: str) -> None:
        """``missing_id`` is the endpoint that the chat chose and that is gone, else None; ``label`` answers instead."""
        state = None if missing_id is None else (missing_id, label)
        if state == self._shown:
            return
        self._shown = state
        if self._withdraw is not None:
            self._withdraw()
            self._withdraw = None
        if state is not None:
            self._withdraw = self._area.show_notice(
                lambda: self.tr("The model of this chat is not set up any more"),
                lambda: self.tr("%1 answers instead: your next message sends this chat to it.").replace("%1", label),
                is_error=False,
                actions=[NoticeAction(lambda: self.tr("Choose a model…"), self._choose)],
            )
