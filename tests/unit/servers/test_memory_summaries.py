"""Entries that are too long: summarised where a model was chosen and answers, else cut."""

import asyncio
import json
import logging
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from fastmcp import Client

from desktop.servers.main import main
from desktop.servers.memory.limits import Limits, WrongSettingError
from desktop.servers.memory.sqlite_store import SqliteStore
from desktop.servers.memory.summaries import SummaryModel
from desktop.servers.memory.tools import create_server
from tests.support.endpoint import Answer, LoopbackEndpoint, drop, hold, status

LONG = "The plan of the house, at length. " * 40
LIMITS = Limits(max_text=200)
CUT = f"{LONG[:200]}\n[Cut here: 200 of {len(LONG)} characters are kept.]"


def answer(content: Any) -> Answer:
    return [status(200, {"choices": [{"message": {"role": "assistant", "content": content}}]})]


async def kept(folder: Path, model: SummaryModel, texts: Iterable[str]) -> list[str]:
    store = SqliteStore(folder / "memory.db")
    await store.open()
    try:
        async with Client(create_server(store, LIMITS, summaries=model)) as client:
            for text in texts:
                await client.call_tool("mem_append", {"session_id": "s", "role": "user", "text": text})
            result = await client.call_tool_mcp("mem_recent", {"session_id": "s"})
    finally:
        await store.close()
    return [item["text"] for item in json.loads(result.content[0].text)]  # type: ignore[union-attr]


async def test_a_long_entry_is_summarised_and_says_so(tmp_path: Path) -> None:
    async with LoopbackEndpoint([answer("  房子的计划。 ")]) as endpoint:
        model = SummaryModel(endpoint.base_url, "small", key="sk-of-this-test")
        short, long = await kept(tmp_path, model, ["short", LONG])
    assert (short, long) == ("short", f"房子的计划。\n[Summary of {len(LONG)} characters.]")
    (request,) = endpoint.requests
    assert request.body["messages"][-1] == {"role": "user", "content": LONG}
    assert request.headers["authorization"] == "Bearer sk-of-this-test"


async def test_a_summary_that_is_too_long_itself_is_bounded(tmp_path: Path) -> None:
    async with LoopbackEndpoint([answer("word " * 5_000)]) as endpoint:
        (text,) = await kept(tmp_path, SummaryModel(endpoint.base_url, "small"), [LONG])
    assert len(text) == 200
    assert text.endswith(f"\n[Summary of {len(LONG)} characters.]")


CUT_AND_SAID = pytest.mark.expected_log(r"WARNING threadwell\.memory: an entry was cut")


@CUT_AND_SAID
@pytest.mark.parametrize(
    "said",
    [
        [status(500, {"error": "LONG"})],
        [status(200, "no JSON at all")],
        answer(""),
        answer(None),
        answer("\ud800"),
        [status(200, {"choices": []})],
        [status(200, "[" * 200_000)],
        [status(200, "x" * 1_100_000)],
        [drop()],
    ],
    ids=["error", "no-json", "empty", "null", "half-a-character", "no-choice", "nested", "huge", "broken-off"],
)
async def test_without_a_usable_summary_it_is_cut_as_ever(
    tmp_path: Path, said: Answer, caplog: pytest.LogCaptureFixture
) -> None:
    async with LoopbackEndpoint([said]) as endpoint:
        with caplog.at_level(logging.WARNING, "threadwell.memory"):
            assert await kept(tmp_path, SummaryModel(endpoint.base_url, "small"), [LONG]) == [CUT]
    assert "could not be summarised" in caplog.text
    assert "plan of the house" not in caplog.text


@CUT_AND_SAID
async def test_a_model_that_does_not_answer_costs_a_bounded_time(tmp_path: Path) -> None:
    async with LoopbackEndpoint([[hold("for ever")]]) as endpoint:
        model = SummaryModel(endpoint.base_url, "small", seconds=0.3)
        async with asyncio.timeout(10):
            assert await kept(tmp_path, model, [LONG]) == [CUT]
        endpoint.release("for ever")


@pytest.mark.parametrize(
    ("variables", "reason"),
    [
        ({"MEM_SUMMARY_URL": "http://localhost/v1"}, "both or not at all"),
        ({"MEM_SUMMARY_MODEL": "small"}, "both or not at all"),
        ({"MEM_SUMMARY_URL": "ftp://x/", "MEM_SUMMARY_MODEL": "small"}, "http or https"),
        ({"MEM_SUMMARY_URL": "http://user:secret@x/", "MEM_SUMMARY_MODEL": "small"}, "http or https"),
        ({"MEM_SUMMARY_URL": "http://[", "MEM_SUMMARY_MODEL": "small"}, "http or https"),
    ],
)
def test_half_a_choice_is_refused(
    variables: dict[str, str], reason: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(WrongSettingError, match=reason):
        SummaryModel.from_environment(variables)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert main(["memory"]) == 2
    said = capsys.readouterr().err
    assert reason in said
    assert "secret" not in said


def test_no_choice_is_none() -> None:
    assert SummaryModel.from_environment({}) is None
    chosen = SummaryModel.from_environment({"MEM_SUMMARY_URL": "http://h/v1/", "MEM_SUMMARY_MODEL": "m"}, "key")
    assert chosen == SummaryModel("http://h/v1", "m", "key")
