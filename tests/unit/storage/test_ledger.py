"""The record of calls can be searched; foreign text and lasting permissions are on disk as they were given."""

import dataclasses
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from desktop.core.ids import new_id
from desktop.storage.store import Store
from desktop.tools.entities import CallState, Choice, Ending, Finding, Grant, GrantScope
from desktop.tools.grant_patterns import (
    NOTHING,
    ArgumentPattern,
    ArgumentRule,
    ArgumentTest,
    CommandPattern,
    GrantPattern,
)
from desktop.tools.taint import Taint, TaintCause
from tests.support.stores import opened

NOW = datetime(2026, 5, 1, tzinfo=UTC)
PATTERNS: tuple[GrantPattern, ...] = (
    CommandPattern(program="git", subcommand="add", flags=("-A", "-v"), folder="/home/me/工作"),
    ArgumentPattern(
        names=("content", "path"),
        rules=(ArgumentRule(name="path", test=ArgumentTest.UNDER_FOLDER, value="/home/me/project"),),
    ),
    ArgumentPattern(names=("url",), rules=(ArgumentRule(name="url", test=ArgumentTest.HOST, value="example.org"),)),
)


async def record(store: Store, thread_id: str, command: str, *, result: str = "done", reason: str = "no grant") -> str:
    """Put one whole call on disk and return its id."""
    turn = await store.threads.begin_turn(thread_id, command, model="m")
    call_id = new_id()
    await store.journal.propose(
        call_id, turn_id=turn.turn_id, thread_id=thread_id, name="command__run", arguments=f'{{"command":"{command}"}}'
    )
    await store.journal.decide(
        call_id,
        state=CallState.RUNNING,
        server_id="command",
        digest="d",
        choice=Choice.ALLOW_ONCE,
        ending=Ending.ANSWERED,
        decided_by="user",
        shown_seconds=2.5,
        reason=reason,
        noticed=(Finding(code="deletes", detail="rm -rf ‮x", severe=True), Finding(code="programs", detail="rm")),
        sandbox="workspace",
    )
    await store.journal.finish(call_id, status="ok", result=result, duration_seconds=1.5)
    return call_id


async def test_every_call_can_be_found_by_what_stands_in_it(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        here, there = await store.threads.create_thread(), await store.threads.create_thread()
        await store.threads.rename_thread(there.id, "Holiday 100%", by_user=True)
        first = await record(store, here.id, "rm -rf build", result="x" * 9_000)
        second = await record(store, there.id, "echo 你好", reason="grant")
        assert [entry.call_id for entry in await store.ledger.search()] == [second, first]
        assert [entry.call_id for entry in await store.ledger.search("RM build")] == [first]
        assert [entry.call_id for entry in await store.ledger.search("你好")] == [second]
        assert [entry.call_id for entry in await store.ledger.search("holiday 100%")] == [second]
        assert [entry.call_id for entry in await store.ledger.search("grant", thread_id=there.id)] == [second]
        assert list(await store.ledger.search("rm 你好")) == []
        assert list(await store.ledger.search("100_")) == []
        (entry,) = await store.ledger.search("rm")
        assert (entry.thread_id, entry.server_id, entry.name, entry.state) == (
            here.id,
            "command",
            "command__run",
            CallState.FINISHED,
        )
        assert (entry.reason, entry.decided_by, entry.choice, entry.ending, entry.shown_seconds) == (
            "no grant",
            "user",
            Choice.ALLOW_ONCE,
            Ending.ANSWERED,
            2.5,
        )
        assert [(f.code, f.severe) for f in entry.noticed] == [("deletes", True), ("programs", False)]
        assert (entry.sandbox, entry.status, entry.duration_seconds) == ("workspace", "ok", 1.5)
        assert len(entry.result) == 2_000


async def test_pages_follow_each_other_and_a_purged_chat_is_gone(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        thread = await store.threads.create_thread()
        calls = [await record(store, thread.id, f"ls {number}") for number in range(5)]
        first = await store.ledger.search(limit=2)
        second = await store.ledger.search(limit=9, before=first[-1].number)
        assert [entry.call_id for entry in (*first, *second)] == calls[::-1]
        await store.threads.purge_thread(thread.id)
        assert list(await store.ledger.search()) == []


async def test_foreign_text_is_remembered_with_its_first_cause_until_the_chat_is_purged(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        thread = await store.threads.create_thread()
        told: list[str] = []
        store.taints.changed.connect(lambda thread_id: told.append(thread_id))
        taint = Taint(cause=TaintCause.ATTACHMENT, detail="brief ‮.pdf", at=NOW)
        await store.taints.add(thread.id, taint)
        await store.taints.add(thread.id, Taint(cause=TaintCause.WEB_PAGE, detail="later", at=NOW))
        assert told == [thread.id]
    async with opened(tmp_path) as store:
        assert await store.taints.of(thread.id) == taint
        assert await store.taints.of("nobody") is None
        await store.threads.purge_thread(thread.id)
        assert await store.taints.of(thread.id) is None
        rows = await store.database.read(lambda c: c.execute("SELECT count(*) FROM foreign_text").fetchone())
        assert rows == (0,)


def lasting(pattern: GrantPattern) -> Grant:
    return Grant(
        id=new_id(),
        scope=GrantScope.ALWAYS,
        thread_id=None,
        server_id="command",
        tool_name="run",
        definition_hash="v1",
        digest=None,
        summary="git add -A",
        created_at=NOW,
        pattern=pattern,
    )


@pytest.mark.parametrize("pattern", PATTERNS, ids=["command", "folder", "host"])
async def test_a_permission_with_a_pattern_comes_back_as_it_was(tmp_path: Path, pattern: GrantPattern) -> None:
    given = dataclasses.replace(
        lasting(pattern), expires_at=NOW + timedelta(days=7), parser_version=7, knows_foreign_text=True
    )
    async with opened(tmp_path) as store:
        await store.grants.add(given)
    async with opened(tmp_path) as store:
        assert list(await store.grants.list()) == [given]
        found = await store.grants.candidates(
            digest="d", definition_hash="v1", server_id="command", tool_name="run", thread_id="t"
        )
        assert list(found) == [given]


@pytest.mark.parametrize("broken", ["", "{}", "[]", '{"kind":"command"}', '{"kind":"later","names":[]}', "nonsense"])
async def test_a_pattern_that_cannot_be_read_covers_nothing(tmp_path: Path, broken: str) -> None:
    given = lasting(PATTERNS[0])
    async with opened(tmp_path) as store:
        await store.grants.add(given)
        await store.database.write(lambda connection: connection.execute("UPDATE grants SET pattern = ?", (broken,)))
        assert list(await store.grants.list()) == [dataclasses.replace(given, pattern=NOTHING)]
    assert not NOTHING.covers("git add -A", "/home/me/工作")
