"""What the local API costs: the first event, the whole answer, and memory, with 1, 10 and 50 runs at once.

Starts ``python -m desktop serve`` as a process of its own beside a model endpoint on the loopback, and posts to so many
chats at the same instant, each its first message. Beside it, in the same run, stands the floor: as many bare streams from
the endpoint itself. Prints a table and, last, one line of JSON. Nothing here is asserted.

    python packaging/dev.py bench api [--runs 1 10 50] [--rounds 3]
"""

import argparse
import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "packaging")]

import httpx  # noqa: E402
from bench_child import memory_mb  # noqa: E402

from tests.support.endpoint import LoopbackEndpoint, text  # noqa: E402
from tests.support.endpoint_wire import RecordedRequest, Step  # noqa: E402
from tests.support.shell_app import ShellApp  # noqa: E402

ANSWER = "What a model says in a few sentences, in pieces as it comes. " * 20
TOKEN = "the token of this bench"
Took = tuple[float, float]
"""Seconds from the request to the first event, and to the end of the answer."""


def answer_to(_: RecordedRequest) -> Sequence[Step]:
    return [text(ANSWER, piece_chars=12)]


async def timed(client: httpx.AsyncClient, path: str, body: dict[str, Any]) -> Took:
    begin = time.perf_counter()
    first = 0.0
    async with client.stream("POST", path, json=body) as response:
        response.raise_for_status()
        async for line in response.aiter_lines():
            if not first and line.startswith("data:"):
                first = time.perf_counter() - begin
    return first, time.perf_counter() - begin


async def bare(base_url: str, runs: int) -> list[Took]:
    """So many streams of the endpoint itself."""
    body = {"model": "loopback-model", "stream": True, "messages": [{"role": "user", "content": "hello"}]}
    async with httpx.AsyncClient(trust_env=False, timeout=120) as client:
        return await asyncio.gather(*(timed(client, f"{base_url}/chat/completions", body) for _ in range(runs)))


async def through_api(client: httpx.AsyncClient, runs: int) -> list[Took]:
    """So many runs in chats of their own, which are made before the clock starts."""
    threads = [(await client.post("/threads", json={})).json()["id"] for _ in range(runs)]
    return await asyncio.gather(
        *(timed(client, f"/threads/{thread}/messages", {"text": "hello"}) for thread in threads)
    )


def figures_of(took: list[Took]) -> dict[str, float]:
    firsts, wholes = (sorted(one[part] * 1_000 for one in took) for part in (0, 1))
    return {
        "first_p50_ms": round(statistics.median(firsts), 1),
        "first_max_ms": round(firsts[-1], 1),
        "whole_max_ms": round(wholes[-1], 1),
    }


async def measure(endpoint_url: str, process: "subprocess.Popen[str]", runs: list[int], rounds: int) -> dict[str, Any]:
    assert process.stderr is not None
    address = process.stderr.readline().removeprefix("Listening on ").strip()
    found = dict[str, Any]()
    limits = httpx.Limits(max_connections=None)
    headers = {"Authorization": f"Bearer {TOKEN}"}
    async with httpx.AsyncClient(
        base_url=address, headers=headers, trust_env=False, timeout=120, limits=limits
    ) as client:
        found["idle"] = {"memory_mb": memory_mb(process.pid).get("rss", 0.0)}
        # What is loaded with the first message of all is loaded here.
        found["very first"] = figures_of(await through_api(client, 1))
        for count in runs:
            floor, took = list[Took](), list[Took]()
            for _ in range(rounds):
                floor += await bare(endpoint_url, count)
                took += await through_api(client, count)
            one = figures_of(took)
            one["floor_first_p50_ms"] = figures_of(floor)["first_p50_ms"]
            found[f"{count} at once"] = {**one, "memory_mb": memory_mb(process.pid).get("rss", 0.0)}
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, nargs="+", default=[1, 10, 50], help="how many runs at once")
    parser.add_argument("--rounds", type=int, default=3, help="how often each number")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, LoopbackEndpoint(answer_to) as endpoint:
        app = ShellApp(Path(folder) / "data", THREADWELL_BENCH_TOKEN=TOKEN)
        model = ["--base-url", endpoint.base_url, "--model", "loopback-model"]
        with app.start("serve", "--port", "0", "--token-env", "THREADWELL_BENCH_TOKEN", *model) as process:
            figures = asyncio.run(measure(endpoint.base_url, process, options.runs, options.rounds))
    if hasattr(os, "getloadavg"):
        print(f"load of the machine: {os.getloadavg()[0]:.1f}; other work makes every figure here worse")
    for way, one in figures.items():
        print(f"{way:12} " + "  ".join(f"{name} {value:g}" for name, value in one.items()))
    print(json.dumps(figures))
    return 0


if __name__ == "__main__":
    sys.exit(main())
