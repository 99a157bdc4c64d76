"""What is being written in each thread: in memory at once, on disk within a second, and never with a key in it."""

import asyncio
from collections.abc import Callable
from functools import lru_cache

from PySide6.QtCore import QObject, QTimer

from desktop.core.keys_in_text import without_keys
from desktop.ui.presenting import Worker
from desktop.ui.services import UiServices
from desktop.ui.state.pasted_text import MOST_BYTES, Composed, byte_count, joined, split

SAVE_DELAY_MS = 700
"""From the first change on: who writes without a pause must not lose more than that."""
MOST_DRAFT_BYTES = 2 * MOST_BYTES
"""A longer draft stays in memory: it is far too long to be sent."""
FEW_CHARACTERS = 20_000
"""Finding the keys in a longer text takes so long that the window would be felt to stand still."""


class Drafts(QObject):
    """Drafts by the thread's id. What looks like a key is cut out of what is stored, and stays in memory only."""

    def __init__(
        self,
        services: UiServices,
        parent: QObject,
        *,
        is_loading: Callable[[str], bool],
        is_sending: Callable[[str], bool],
    ) -> None:
        """A draft that ``is_loading`` is not written: what is stored is still to come to it. One that ``is_sending``
        neither, so that what was sent never comes back as a draft.
        """
        super().__init__(parent)
        self._conversations = services.conversations
        self._worker = Worker(services)
        self._is_loading, self._is_sending = is_loading, is_sending
        self._unsaved: dict[str, Composed] = {}
        self._with_keys: dict[str, Composed] = {}
        """Of these the disk has only a part."""
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(SAVE_DELAY_MS)
        self._timer.timeout.connect(self.save)

    def in_memory(self, key: str) -> Composed | None:
        """The draft, where the disk does not have all of it."""
        return self._unsaved.get(key, self._with_keys.get(key))

    async def stored(self, key: str) -> Composed:
        return split(await self._conversations.load_draft(key))

    def keep(self, key: str, content: Composed) -> None:
        self._unsaved[key] = content
        if not self._timer.isActive():
            self._timer.start()

    def forget(self, key: str) -> None:
        """The draft was sent, which has removed it from the disk."""
        self._unsaved.pop(key, None)
        self._with_keys.pop(key, None)

    def save(self) -> None:
        """Begin to write what is not on disk yet."""
        if self._unsaved:
            self._worker.start(self.flush(), "save drafts")

    async def flush(self, *, also_sending: bool = False) -> None:
        """Write what is not on disk yet; ``also_sending`` is for the end of the program, which may cut sending short."""
        self._timer.stop()
        for key in list(self._unsaved):
            await self._write(key, also_sending)

    def _is_held(self, key: str, also_sending: bool) -> bool:
        return self._is_loading(key) or (self._is_sending(key) and not also_sending)

    async def _write(self, key: str, also_sending: bool) -> None:
        content = self._unsaved.get(key)
        if content is None or self._is_held(key, also_sending) or byte_count(joined(content)) > MOST_DRAFT_BYTES:
            return
        stored = await _without_keys(content)
        if self._unsaved.get(key) is not content or self._is_held(key, also_sending):
            return  # there is a newer one, or it is just being sent
        if stored == content:
            self._with_keys.pop(key, None)
        else:
            self._with_keys[key] = content
        await self._conversations.save_draft(key, joined(stored))
        if self._unsaved.get(key) is content:
            del self._unsaved[key]


async def _without_keys(content: Composed) -> Composed:
    if len(content.text) <= FEW_CHARACTERS and not content.pasted:
        return _cut(content)
    return await asyncio.to_thread(_cut, content)


def _cut(content: Composed) -> Composed:
    return Composed(without_keys(content.text), tuple(map(_cut_pasted, content.pasted)))


@lru_cache(maxsize=8)
def _cut_pasted(text: str) -> str:
    """A pasted text stays the same while the user writes beside it."""
    return without_keys(text)
