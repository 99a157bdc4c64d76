"""Keeps the page Memory true to the settings, to the state of the search by meaning, and to what is remembered."""

import dataclasses

from desktop.core.memory_settings import CHROMA_TOKEN
from desktop.core.settings import Settings
from desktop.memory.entities import MemoryStatus
from desktop.memory.indexing import IndexingState
from desktop.ui.presenting import Worker
from desktop.ui.settings.context import SettingsContext
from desktop.ui.settings.memory_page import MemoryPage
from desktop.ui.settings.page import SettingsPage
from desktop.ui.settings.section_page import SectionPresenter
from desktop.ui.settings.writer import Edit

FIELDS = (
    *("use", "remembers", "resumes_use", "resumes_remembering"),
    *("embedder", "embedding_endpoint_id", "embedding_model", "chroma_url"),
)
MOST_COUNTED = 999


def make_memory_page(context: SettingsContext) -> SettingsPage:
    page = MemoryPage(context.theme)
    MemorySettingsPresenter(page, context)
    context.writer.flushing.connect(page.hand_over)
    return page


class MemorySettingsPresenter(SectionPresenter):
    """Choosing anew what a pause has stopped ends the pause."""

    def __init__(self, page: MemoryPage, context: SettingsContext) -> None:
        self._memory_page = page
        self._worker = Worker(context.services)
        super().__init__(page, context, "memory", FIELDS)
        services = context.services
        page.open_requested.connect(context.open_memory)
        page.resume_requested.connect(self._resume)
        page.token_given.connect(lambda token: self._worker.start(self._keep_token(token), "keep a token"))
        page.shown.connect(self._shown)
        services.memory.indexing.changed.connect(self._state_changed)
        services.memory.changed.connect(self._memories_changed)
        page.show_state(services.memory.indexing.state)

    def _edit(self, **changes: object) -> Edit:
        edit = super()._edit(**changes)
        if not changes.keys() & {"use", "remembers"} or "resumes_use" in changes:
            return edit
        return lambda settings: edit(dataclasses.replace(settings, memory=settings.memory.resumed()))

    def _show(self) -> None:
        super()._show()
        self._memory_page.show_endpoints(self._writer.settings.endpoints)

    def _resume(self) -> None:
        def resume(settings: Settings) -> Settings:
            return dataclasses.replace(settings, memory=settings.memory.resumed())

        self._writer.save(resume)

    def _shown(self) -> None:
        self._worker.start(self._read(), "count memories")

    def _state_changed(self, state: IndexingState) -> None:
        self._memory_page.show_state(state)

    def _memories_changed(self) -> None:
        if self._memory_page.isVisible():
            self._shown()

    async def _read(self) -> None:
        services = self._context.services
        some = await services.memory.search(statuses=tuple(MemoryStatus), limit=MOST_COUNTED + 1)
        self._memory_page.show_count(min(len(some), MOST_COUNTED), is_more=len(some) > MOST_COUNTED)
        self._memory_page.show_token(await services.secrets.get(CHROMA_TOKEN, ask_keychain=False) is not None)

    async def _keep_token(self, token: str) -> None:
        secrets = self._context.services.secrets
        if token:
            await secrets.set(CHROMA_TOKEN, token)
        else:
            await secrets.delete(CHROMA_TOKEN, was_in_keychain=True)
        self._memory_page.show_token(bool(token))
