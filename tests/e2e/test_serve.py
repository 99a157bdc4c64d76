"""``serve`` as a real process: another program chats there, tools are refused, and SIGTERM ends it in order."""

import asyncio
import json
import signal
from pathlib import Path

import httpx

from desktop.conversation.entities import Message
from tests.support.endpoint import Answer, LoopbackEndpoint, hold, text
from tests.support.endpoint_wire import RecordedRequest
from tests.support.shell_app import ShellApp
from tests.support.stores import opened

TOKEN = "a token of this test"


async def stored(folder: Path, thread_id: str) -> tuple[Message, ...]:
    async with opened(folder) as store:
        return await store.threads.path(thread_id)


def answer_to(request: RecordedRequest) -> Answer:
    """The name of a chat is asked for in between."""
    return [text("begun"), hold("for ever")] if "and then" in request.last_user_text else [text("你好")]


def test_programs_chat_without_a_window_until_it_is_stopped(tmp_path: Path) -> None:
    app = ShellApp(tmp_path / "数据 folder", tools=False, THREADWELL_TEST_TOKEN=TOKEN)
    with LoopbackEndpoint(answer_to) as endpoint:
        at = ["--base-url", endpoint.base_url, "--model", "test-model"]
        with app.start("serve", "--port", "0", "--token-env", "THREADWELL_TEST_TOKEN", *at) as process:
            assert process.stderr is not None
            said = process.stderr.readline()
            assert said.startswith("Listening on http://127.0.0.1:"), said
            address = said.removeprefix("Listening on ").strip()
            with httpx.Client(headers={"Authorization": f"Bearer {TOKEN}"}, trust_env=False, timeout=30) as client:
                thread = client.post(f"{address}/threads").json()["id"]
                path = f"{address}/threads/{thread}/messages"
                answer = client.post(path, json={"text": "问候"}).text
                assert json.loads(answer.split("data: ")[-1])["reason"] == "completed"
                with client.stream("POST", path, json={"text": "and then?"}) as running:
                    lines = running.iter_lines()
                    assert next(line for line in lines if "begun" in line)
                    process.send_signal(signal.SIGTERM)
                    assert process.wait(30) == 0
    told = asyncio.run(stored(app.data_dir, thread))
    assert [(message.role, message.text, message.status) for message in told] == [
        ("user", "问候", "complete"),
        ("assistant", "你好", "complete"),
        ("user", "and then?", "complete"),
        ("assistant", "begun", "stopped"),
    ]
