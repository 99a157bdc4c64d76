"""Brings prompts and what servers offer into a message: the list while ``/`` or ``@`` is typed, a form, then text or file."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent, QTextCursor

from desktop.conversation.prompts.entities import SavedPrompt
from desktop.core.errors import ThreadwellError
from desktop.tools.server_content import FilledPrompt, ServerPrompt, ServerResource
from desktop.tools.taint import TaintCause
from desktop.tools.visible_text import reveal
from desktop.ui.composer.composer import Composer
from desktop.ui.composer.composer_presenter import ComposerPresenter
from desktop.ui.plain_label import breakable
from desktop.ui.presenting import Worker
from desktop.ui.prompts.inserter import PromptInserter
from desktop.ui.services import UiServices
from desktop.ui.state.offer_rows import OfferKind, OfferRow, OfferSearch, rows_for, search_at
from desktop.ui.theme.theme_manager import ThemeManager

if TYPE_CHECKING:
    from desktop.ui.composer.offer_popup import OfferPopup
    from desktop.ui.dialogs.argument_form import ArgumentForm

PAGE = 5
_MOST_ADDRESS = 120
Item = ServerPrompt | ServerResource


class OfferPresenter(QObject):
    """Nothing is asked of a server before a sign was typed, read before it was chosen, or sent by itself."""

    def __init__(
        self, composer: Composer, drafts: ComposerPresenter, services: UiServices, theme: ThemeManager, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._composer = composer
        self._edit = composer.edit
        self._drafts = drafts
        self._services = services
        self._theme = theme
        self._worker = Worker(services)
        self._popup: OfferPopup | None = None
        self._search: OfferSearch | None = None
        self._given_up = False
        """The user wants no list for the present search."""
        self.library = PromptInserter(composer, drafts, services, self)
        self._own: Sequence[SavedPrompt] = ()
        self._known: dict[OfferKind, Sequence[Item]] = {}
        self._listing: asyncio.Task[None] | None = None
        self._read_in_new_chat: list[str] = []
        composer.text_edited.connect(self._look)
        self._edit.cursorPositionChanged.connect(self._cursor_moved)
        self._edit.installEventFilter(self)
        drafts.thread_started.connect(self._chat_begun)

    @property
    def popup(self) -> "OfferPopup | None":
        """The list, once it was needed."""
        return self._popup

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """While the list is there, the keys that choose are its; those of an input method never are."""
        if event.type() == QEvent.Type.FocusOut and self._is_shown:
            self._end()
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and self._is_shown:
            return not self._edit.is_composing() and self._take_key(event)
        return super().eventFilter(watched, event)

    @property
    def _is_shown(self) -> bool:
        return self._popup is not None and self._popup.isVisible()

    def _take_key(self, event: QKeyEvent) -> bool:
        assert self._popup is not None
        keys = Qt.Key
        if event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            return False
        match event.key():
            case keys.Key_Down:
                self._popup.move_by(1)
            case keys.Key_Up:
                self._popup.move_by(-1)
            case keys.Key_PageDown:
                self._popup.move_by(PAGE)
            case keys.Key_PageUp:
                self._popup.move_by(-PAGE)
            case keys.Key_Return | keys.Key_Enter | keys.Key_Tab:
                self._popup.choose()
            case keys.Key_Escape:
                self._given_up = True
                self._popup.hide()
            case _:
                return False
        return True

    # -- what is asked for

    def _look(self) -> None:
        """The user changed the text."""
        found = self._search_now()
        before, self._search = self._search, found
        if found is None:
            self._end()
            return
        if before is None or (before.kind, before.start) != (found.kind, found.start):
            self._given_up = False
            self._list(found.kind)
        self._show()

    def _cursor_moved(self) -> None:
        if self._is_shown and self._search_now() != self._search:
            self._look()

    def _search_now(self) -> OfferSearch | None:
        cursor = self._edit.textCursor()
        if cursor.hasSelection() or self._edit.is_composing():
            return None if cursor.hasSelection() else self._search
        block = cursor.block()
        line = block.text()
        before = line.encode("utf-16-le", "surrogatepass")[: 2 * cursor.positionInBlock()]
        place = len(before.decode("utf-16-le", "surrogatepass"))
        return search_at(line, place, is_first_line=block.blockNumber() == 0)

    def _list(self, kind: OfferKind) -> None:
        if self._listing is not None:
            self._listing.cancel()
        self._listing = self._worker.start(self._read_list(kind), "list what servers offer")

    async def _read_list(self, kind: OfferKind) -> None:
        if kind is OfferKind.PROMPT:  # these are there at once, while a server may take its time
            self._own = await self.library.prompts()
            self._show()
        content = self._services.content
        self._known[kind] = await (content.prompts() if kind is OfferKind.PROMPT else content.resources())
        self._show()

    def _show(self) -> None:
        search = self._search
        if search is None or self._given_up:
            return
        chat = self._drafts.thread_key
        entries = self._services.servers.listed(self._services.settings.settings)
        elsewhere = {entry.id for entry in entries if entry.chats and chat not in entry.chats}
        items = [item for item in self._known.get(search.kind, ()) if item.server_id not in elsewhere]
        own = self._own if search.kind is OfferKind.PROMPT else ()
        rows = rows_for([*own, *items], search.words)
        if rows or self._is_shown:
            self._made_popup().show_rows(search.kind, rows)

    def _made_popup(self) -> "OfferPopup":
        if self._popup is None:
            from desktop.ui.composer.offer_popup import OfferPopup

            self._popup = OfferPopup(self._theme, self._composer.parentWidget() or self._composer, self._composer.frame)
            self._popup.chosen.connect(self._chosen)
        return self._popup

    def _end(self) -> None:
        self._search = None
        if self._popup is not None:
            self._popup.hide()

    # -- what was chosen

    def _chosen(self, row: OfferRow) -> None:
        search, self._search = self._search, None
        if self._popup is not None:
            self._popup.hide()
        if search is not None:
            self._take_out(search)
        item = row.item
        if isinstance(item, SavedPrompt):
            self.library.insert(item)
            return
        if not item.arguments:
            self._use(item, {})
            return
        from desktop.ui.dialogs.argument_form import ArgumentForm

        attaches = isinstance(item, ServerResource)
        form = ArgumentForm(self._composer.window(), row.title, row.source, item.arguments, attaches=attaches)
        form.filled.connect(lambda values: self._use(item, values))
        form.proposals_wanted.connect(
            lambda name, typed: self._worker.start(self._propose(form, item, name, typed), "ask for proposals")
        )
        form.open()

    def _take_out(self, search: OfferSearch) -> None:
        """Remove the sign and what was typed behind it."""
        cursor = self._edit.textCursor()
        typed = len(search.words.encode("utf-16-le", "surrogatepass")) // 2 + 1
        cursor.movePosition(QTextCursor.MoveOperation.Left, QTextCursor.MoveMode.KeepAnchor, typed)
        cursor.removeSelectedText()
        self._edit.setTextCursor(cursor)

    async def _propose(self, form: "ArgumentForm", item: Item, name: str, typed: str) -> None:
        import shiboken6

        others = {key: value for key, value in form.values.items() if key != name}
        proposals = await self._services.content.complete(item, name, typed, others)
        if shiboken6.isValid(form):
            form.show_proposals(name, typed, proposals)

    def _use(self, item: Item, values: Mapping[str, str]) -> None:
        server = reveal(item.server_id, keep_newlines=False)
        if isinstance(item, ServerPrompt):
            self._composer.say(self.tr("Asking the server %1…").replace("%1", server))
            self._worker.start(
                self._insert(self._drafts.key, self._drafts.thread_key, item, values), "fill in a prompt"
            )
            return
        address = breakable(reveal(item.filled(values)[:_MOST_ADDRESS], keep_newlines=False))
        self._composer.say(self.tr("From %1: %2").replace("%1", server).replace("%2", address))

        async def read() -> list[tuple[str, bytes]]:
            return [(file.name, file.data) for file in await self._services.content.read(item, values)]

        self._drafts.files.add_read(item.name, read)

    async def _insert(self, key: str, chat: str, prompt: ServerPrompt, values: Mapping[str, str]) -> None:
        try:
            filled = await self._services.content.fill(prompt, values)
        except ThreadwellError:
            self._composer.say("")
            raise
        self._composer.say("")
        text = self._flattened(filled)
        if key == self._drafts.key:
            for file in filled.files:
                self._drafts.files.add_data(file.name, file.data)
            if text:
                self._composer.insert_text(text)
            self._composer.focus_text()
        elif text:  # another chat was opened meanwhile
            self._drafts.put_back(key, text)
        if not self._is_trusted(prompt.server_id):
            await self._note(chat, f"{prompt.server_id} {prompt.name}")

    def _flattened(self, filled: FilledPrompt) -> str:
        """One text; where more than one is speaking, each part says who."""
        if all(turn.role == "user" for turn in filled.turns):
            return "\n\n".join(turn.text for turn in filled.turns)
        names = {"user": self.tr("User"), "assistant": self.tr("Assistant")}
        return "\n\n".join(f"{names.get(turn.role, turn.role)}: {turn.text}" for turn in filled.turns)

    def _is_trusted(self, server_id: str) -> bool:
        entries = self._services.servers.listed(self._services.settings.settings)
        return any(entry.id == server_id and entry.trust.is_trusted for entry in entries)

    async def _note(self, key: str, detail: str) -> None:
        """The chat holds somebody else's text from now on; one that does not exist yet, from its beginning."""
        if key:
            await self._services.note_foreign_text(key, TaintCause.TOOL_OUTPUT, detail)
        else:
            self._read_in_new_chat.append(detail)

    def _chat_begun(self, thread_id: str) -> None:
        details, self._read_in_new_chat = self._read_in_new_chat, []
        for detail in details[:1]:
            self._worker.start(self._note(thread_id, detail), "note foreign text")
