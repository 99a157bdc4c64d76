"""What holds of every library, whatever was done to it: it is whole, its indexes agree, and its chats can be sent."""

import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

from desktop.conversation.context import assemble_context
from desktop.core.language_model import ModelRequest, UserMessage
from desktop.core.paths import DataPaths
from desktop.providers.chat_requests import build_request
from desktop.providers.endpoint_traits import traits_of
from desktop.storage import indexes
from desktop.storage.store import Store
from tests.support.strict_messages import problem_of

_STRICT_MODELS = ("gpt-5.5", "claude-opus-5", "mistral-large-latest")
_MOST_CHATS = 25
"""So many of the newest chats are put before strict endpoints; a round that made more has not broken the others."""


def check_indexes(connection: sqlite3.Connection) -> None:
    """Let SQLite hold each full-text index against its table; raises ``sqlite3.DatabaseError``."""
    for index in indexes.ALL:
        connection.execute(f"INSERT INTO {index.table} ({index.table}, rank) VALUES ('integrity-check', 0)")


def require_whole(folder: Path) -> None:
    """SQLite finds no fault in the file, and every reference leads somewhere."""
    with closing(sqlite3.connect(DataPaths(folder).database)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []


async def require_sound(store: Store) -> None:
    """Nothing was set aside at the start, the indexes agree with their tables, and strict endpoints take each chat."""
    assert store.notices == ()
    await store.database.write(check_indexes)
    threads = await store.threads.list_threads(limit=_MOST_CHATS)
    await require_sendable(store, [thread.id for thread in threads])


async def require_sendable(store: Store, thread_ids: Iterable[str]) -> None:
    """A further question in each of these chats is a request that strict endpoints accept."""
    for thread_id in thread_ids:
        history = assemble_context(await store.threads.path(thread_id))
        for model in _STRICT_MODELS:
            asked = ModelRequest(messages=(*history, UserMessage(text="And then?")))
            body = build_request(asked, model, traits_of("https://strict.example/v1", model), frozenset()).body
            assert (problem := problem_of(body)) is None, f"{model} refuses the chat: {problem}"
