"""Connects the palette with the window and the store: what is found while somebody types, and what a row does."""

from collections.abc import Callable, Sequence
from datetime import date

from PySide6.QtCore import QObject, QTimer

from desktop.conversation.title_search import FoundThread
from desktop.core.errors import ThreadwellError
from desktop.ui.main_window import MainWindow
from desktop.ui.palette.actions import PaletteAction, possible_actions
from desktop.ui.palette.panel import PalettePanel
from desktop.ui.palette.rows import ACTIONS_SIGN, CHATS_AMONG_ALL, Row, Scope, Typed, action_rows, chat_rows, search_row
from desktop.ui.presenting import Worker
from desktop.ui.services import UiServices
from desktop.ui.theme.theme_manager import ThemeManager

MOST_CHATS = 50
PATIENCE_MS = 120
"""After so long the actions are shown without the chats, which follow."""
MOST_RECENT = 12
_SCOPES = {"palette": Scope.ALL, "go_to_chat": Scope.CHATS, "run_action": Scope.ACTIONS}


class PalettePresenter(QObject):
    """The panel is made when it is first opened."""

    def __init__(
        self,
        window: MainWindow,
        services: UiServices,
        theme: ThemeManager,
        *,
        open_chat: Callable[[str, str], object],
        open_settings: Callable[[str], object],
        current_chat: Callable[[], str | None],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._window = window
        self._services = services
        self._theme = theme
        self._worker = Worker(services)
        self._open_chat = open_chat
        self._open_settings = open_settings
        self._current_chat = current_chat
        self._panel: PalettePanel | None = None
        self._scope = Scope.ALL
        self._typed = Typed(Scope.ALL, "")
        self._actions: Sequence[PaletteAction] = ()
        self._visited: list[str] = []
        self._is_asking = False
        self._is_stale = False
        self._enter_waits = False
        self._patience = QTimer(self)
        self._patience.setSingleShot(True)
        self._patience.setInterval(PATIENCE_MS)
        self._patience.timeout.connect(lambda: self._show(()))
        window.keys.used.connect(self._key_used)

    @property
    def panel(self) -> PalettePanel:
        if self._panel is None:
            self._panel = PalettePanel(self._theme, self._window)
            self._panel.typed.connect(self._text_changed)
            self._panel.enter_pressed.connect(self._enter_pressed)
            self._panel.chosen.connect(self._choose)
            self._panel.widened.connect(self._widen)
            self._panel.closed.connect(self._closed)
        return self._panel

    @property
    def is_open(self) -> bool:
        return self._panel is not None and self._panel.isVisible()

    @property
    def is_searching(self) -> bool:
        """Chats may still come for what is typed."""
        return self._is_asking

    def open(self, which: str = "palette") -> None:
        """Open the part that belongs to an action of the table; the same keys again close it, or go down the chats."""
        scope = _SCOPES[which]
        if self.is_open and self._typed.scope is scope:
            if scope is Scope.CHATS:
                self.panel.move_by(1)
            else:
                self.panel.close_palette()
            return
        if (chat := self._current_chat()) is not None:
            self._note_visit(chat)
        self._actions = possible_actions(
            self._window,
            chat=chat,
            open_settings=self._open_settings,
        )
        self._scope = Scope.ALL if scope is Scope.ACTIONS else scope
        self._enter_waits = False
        self.panel.open_with(self._scope, f"{ACTIONS_SIGN} " if scope is Scope.ACTIONS else "")

    # -- what is typed

    def _text_changed(self, text: str) -> None:
        self._typed = Typed.of(text, self._scope)
        self._enter_waits = False
        if self._typed.scope is Scope.ACTIONS:
            self._patience.stop()
            self._is_stale = self._is_asking
            self._show(())
        else:
            self._patience.start()
            self._ask()

    def _ask(self) -> None:
        """Ask the store, one question at a time: of those that come meanwhile only the last one counts."""
        self._is_stale = self._is_asking
        if not self._is_asking:
            self._is_asking = True
            self._worker.start(self._find(self._typed), "find chats by title")

    async def _find(self, typed: Typed) -> None:
        limit = MOST_CHATS if typed.scope is Scope.CHATS else CHATS_AMONG_ALL
        found: tuple[FoundThread, ...] = ()
        try:
            found = await self._services.titles.find(typed.text, limit=limit + len(self._visited))
        except ThreadwellError:
            if typed == self._typed and self.is_open:
                self._show(())
            raise
        finally:
            self._is_asking = False
        if not self.is_open or self._typed.scope is Scope.ACTIONS:
            return
        if self._is_stale and typed != self._typed:
            self._ask()
            return
        self._show(self._in_order(found)[:limit])

    def _in_order(self, found: Sequence[FoundThread]) -> Sequence[FoundThread]:
        """Without anything typed: first the chats that were open before, the last one at the top; never the open one."""
        if self._typed.text:
            return found
        current = self._current_chat()
        ranks = {thread_id: place for place, thread_id in enumerate(self._visited)}
        others = [each for each in found if each.thread_id != current]
        return sorted(others, key=lambda each: ranks.get(each.thread_id, len(ranks)))

    def _show(self, found: Sequence[FoundThread]) -> None:
        if not self.is_open:
            return
        self._patience.stop()
        typed = self._typed
        rows = [] if typed.scope is Scope.ACTIONS else chat_rows(found, typed, self._go_to_chat, date.today())
        if typed.scope is not Scope.CHATS:
            rows += action_rows(self._actions, typed, self._window.recent_actions, self._run)
        rows += search_row(typed, self._search)
        self.panel.show_rows(rows, self._words_of_nothing())
        if self._enter_waits and not self._is_asking:
            self._enter_waits = False
            self.panel.choose_current()

    def _words_of_nothing(self) -> str:
        if self._typed.scope is Scope.ACTIONS:
            return self.tr("No action is called like this.")
        return self.tr("There are no chats yet.")

    def _widen(self) -> None:
        if self._scope is Scope.CHATS:
            self._scope = Scope.ALL
            self.panel.set_scope(Scope.ALL)
            self._text_changed("")

    # -- what is chosen

    def _enter_pressed(self) -> None:
        """Act on what belongs to what is typed now, not on what stands there from before."""
        if self._is_asking and self._typed.scope is not Scope.ACTIONS:
            self._enter_waits = True
        else:
            self.panel.choose_current()

    def _choose(self, row: Row) -> None:
        self.panel.close_palette()
        if row.act is not None:
            row.act()

    def _go_to_chat(self, thread_id: str) -> None:
        self._window.sidebar.show_main_page()
        self._open_chat(thread_id, "")
        self._window.composer.focus_text()

    def _run(self, action: PaletteAction) -> None:
        recent = [action.id, *(each for each in self._window.recent_actions if each != action.id)]
        self._window.recent_actions = tuple(recent[:MOST_RECENT])
        action.act()

    def _search(self, text: str) -> None:
        self._window.focus_search()
        self._window.sidebar.search.setText(text)

    def _note_visit(self, thread_id: str) -> None:
        self._visited = [thread_id, *(each for each in self._visited if each != thread_id)][:MOST_RECENT]

    def _key_used(self, shortcut_id: str) -> None:
        if shortcut_id not in _SCOPES and self.is_open:
            self.panel.close_palette()

    def _closed(self) -> None:
        self._patience.stop()
        self._enter_waits = False
