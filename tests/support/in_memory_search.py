"""The search over the threads that a test holds in memory: cruder than the real one, enough for tests."""

import dataclasses
from collections.abc import Iterator, Sequence

from desktop.conversation.entities import (
    Message,
    MessageStatus,
    Role,
    SearchHit,
    Thread,
    ToolCallPart,
    ToolResultPart,
)
from desktop.conversation.plans import PlanPart
from desktop.conversation.search_wish import Holding, SearchPage, SearchPlace, SearchWish, Stop, never
from desktop.conversation.shelf import Shelf
from desktop.storage.search_text import SearchQuery
from tests.support.in_memory_threads import InMemoryThreadRepository

_OF_THREAD = 3


class InMemoryChatSearch:
    """See ``conversation.search_service.ChatSearch``; everything is on one page."""

    def __init__(self, threads: InMemoryThreadRepository) -> None:
        self._threads = threads

    async def summaries(self, wish: SearchWish, *, limit: int) -> tuple[SearchHit, ...]:
        return ()

    async def index_some(self) -> bool:
        return False

    async def find(
        self, wish: SearchWish, *, older: int | None = None, thread_id: str = "", stop: Stop = never
    ) -> SearchPage:
        query = SearchQuery.of([(phrase.text, phrase.is_whole) for phrase in wish.phrases])
        if older is not None or stop() or (wish.phrases and not query.phrases):
            return SearchPage()
        found = sorted(self._found(wish, query, thread_id), key=lambda one: one[0], reverse=True)
        hits: list[SearchHit] = []
        shown: dict[str, int] = {}
        further: dict[str, int] = {}
        for _, hit in found:
            count = shown.get(hit.thread_id, 0)
            if hit.message_id is not None and count >= _OF_THREAD and not thread_id:
                further[hit.thread_id] = further.get(hit.thread_id, 0) + 1
                continue
            shown[hit.thread_id] = count + (hit.message_id is not None)
            hits.append(hit)
        return SearchPage(hits=tuple(hits), further=further)

    def _found(self, wish: SearchWish, query: SearchQuery, thread_id: str) -> Iterator[tuple[int, SearchHit]]:
        for thread, number, messages in self._threads.everything():
            is_asked = thread_id in ("", thread.id) and _is_on_shelf(wish, thread) and not thread.options.is_temporary
            if not is_asked:
                continue
            has_words = not query.phrases or query.matches(thread.title)
            if has_words and wish.looks_in(SearchPlace.TITLE) and not thread_id and _is_between(wish, thread):
                yield number, _hit(query, thread, None, thread.title)
            for place, message in messages:
                if message.status is MessageStatus.STREAMING or not _holds(wish, message):
                    continue
                for kind, call_id, text in _texts(message):
                    if wish.looks_in(kind) and (query.matches(text) if query.phrases else True):
                        yield place, _hit(query, thread, message, text, call_id)
                        if kind is SearchPlace.TOOLS:
                            break


def _texts(message: Message) -> Iterator[tuple[SearchPlace, str, str]]:
    plans = [part.text for part in message.parts if isinstance(part, PlanPart)]
    files = [f"{part.name}\n{part.text}" for part in message.attachments]
    yield SearchPlace.MESSAGES, "", "\n\n".join(filter(None, (message.text, *plans, *files)))
    results = {part.call_id: part.text for part in message.parts if isinstance(part, ToolResultPart)}
    for part in message.parts:
        if isinstance(part, ToolCallPart):
            text = f"{part.name} {part.arguments}\n{results.get(part.call_id, '')}"
            yield SearchPlace.TOOLS, part.call_id, text


def _is_on_shelf(wish: SearchWish, thread: Thread) -> bool:
    if (thread.deleted_at is not None) != (Shelf.TRASH in wish.shelves):
        return False
    if Shelf.ARCHIVE in wish.shelves and thread.archived_at is None:
        return False
    return not wish.folders or thread.folder_id in wish.folders


def _is_between(wish: SearchWish, thread: Thread) -> bool:
    moment = thread.updated_at
    return (wish.since is None or moment >= wish.since) and (wish.until is None or moment < wish.until)


def _holds(wish: SearchWish, message: Message) -> bool:
    moment = message.created_at
    checks: Sequence[bool] = (
        not wish.roles or message.role in wish.roles,
        wish.since is None or moment >= wish.since,
        wish.until is None or moment < wish.until,
        not wish.models or any(name.casefold() in message.model.casefold() for name in wish.models),
        Holding.TOOL not in wish.holding or any(isinstance(part, ToolCallPart) for part in message.parts),
        Holding.FILE not in wish.holding or bool(message.attachments),
        Holding.CODE not in wish.holding or "```" in message.text,
    )
    return all(checks) and message.role in (Role.USER, Role.ASSISTANT)


def _hit(query: SearchQuery, thread: Thread, message: Message | None, text: str, call_id: str = "") -> SearchHit:
    snippet = query.snippet(text)
    hit = SearchHit(
        thread_id=thread.id,
        thread_title=thread.title,
        message_id=None,
        role=None,
        snippet=snippet.text,
        highlights=snippet.highlights,
        created_at=thread.updated_at,
        call_id=call_id,
        is_archived=thread.archived_at is not None,
        is_deleted=thread.deleted_at is not None,
    )
    if message is None:
        return hit
    return dataclasses.replace(hit, message_id=message.id, role=message.role, created_at=message.created_at)
