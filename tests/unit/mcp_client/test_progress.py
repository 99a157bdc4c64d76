"""Progress of calls: passed on, bounded, and a reason to wait longer, but not for ever."""

import pytest

from desktop.core.errors import ToolError
from desktop.mcp_client import calls
from tests.support.mcp_world import hostile, mcp_world


async def test_progress_reaches_whoever_made_the_call() -> None:
    async with mcp_world([hostile()]) as world:
        text, told = await world.told("slow_progress")
        assert text == "arrived"
        assert [progress.total for progress in told] == [8.0] * len(told)
        assert [progress.done for progress in told] == sorted({progress.done for progress in told})
        assert told[0].message == "step 1"
        assert all(0 < (progress.fraction or 0) <= 1 for progress in told)


async def test_a_call_that_goes_on_may_take_longer_than_its_deadline() -> None:
    async with mcp_world([hostile()]) as world:
        await world.act("nothing")
        text, _ = await world.told("slow_progress", deadline=0.5)  # it takes 0.8 seconds
        assert text == "arrived"


@pytest.mark.parametrize("what", ["false_progress", "endless_progress"])
async def test_progress_does_not_buy_time_without_end(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calls, "MOST_STRETCHED", 3)
    async with mcp_world([hostile()]) as world:
        with pytest.raises(ToolError) as caught:
            await world.told(what, deadline=0.3)
        assert caught.value.code == "tool.timeout"


async def test_odd_reports_do_no_harm() -> None:
    async with mcp_world([hostile()]) as world:
        text, told = await world.told("odd_progress")
        assert text == "arrived"
        for progress in told:
            assert progress.total is None
            assert len(progress.message) <= 200
        assert await world.act("nothing") == "did act"


async def test_a_flood_of_reports_is_thinned_out() -> None:
    async with mcp_world([hostile()]) as world:
        text, told = await world.told("progress_flood")
        assert text == "after the flood"
        assert len(told) < 100
