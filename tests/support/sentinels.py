"""Words that occur nowhere else, threads that are full of them, and a search for what is left of them in files."""

import random
import re
from datetime import UTC, datetime
from pathlib import Path

from desktop.conversation.entities import (
    MessageStatus,
    ResultStatus,
    TextPart,
    ThinkingPart,
    ThreadOptions,
    ToolCallPart,
    ToolResultPart,
)
from desktop.core.ids import new_id
from desktop.core.language_model import Usage
from desktop.storage.store import Store
from desktop.tools.entities import CallState, Choice, Ending, Grant, GrantScope

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_END = 9
_RUN = re.compile(f"[a-z]{{{_END},}}")


class Sentinels:
    """Words that occur nowhere else, so that a search of the files for them means something."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self.words: list[str] = []

    def __call__(self) -> str:
        word = "".join(self._random.choices(_LETTERS, k=14))
        self.words.append(word)
        return word

    def again(self, number: int) -> str:
        """The word of a number: the same in every process."""
        word = "".join(random.Random(number).choices(_LETTERS, k=14))
        self.words.append(word)
        return word

    def text(self, words: int) -> str:
        return " ".join(self() for _ in range(words))

    @property
    def ends(self) -> set[str]:
        return {word[-_END:] for word in self.words}

    def left_in(self, folder: Path) -> set[tuple[str, str]]:
        """Return which file holds the end of which word. (The index writes only how a word differs from the last.)"""
        ends = self.ends
        found: set[tuple[str, str]] = set()
        for file in folder.rglob("*"):
            if file.is_file():
                for run in _RUN.findall(file.read_bytes().lower().decode("latin-1")):
                    windows = (run[i : i + _END] for i in range(len(run) - _END + 1))
                    found.update((file.name, end) for end in windows if end in ends)
        return found


async def fill(store: Store, thread_id: str, words: Sentinels, rng: random.Random, *, turns: int) -> None:
    """Leave traces of a thread everywhere that a thread leaves traces."""
    await store.threads.rename_thread(thread_id, words(), by_user=True)
    for _ in range(turns):
        turn = await store.threads.begin_turn(thread_id, words.text(rng.randint(1, 40)), model="m")
        call = ToolCallPart(
            call_id=new_id(), name="command__run", arguments=f'{{"command": "{words()}"}}', extra={"note": words()}
        )
        text = ""
        for _ in range(rng.randint(1, 4)):  # as streamed text grows
            text += words.text(rng.randint(1, 200)) + "\n"
            await store.threads.save_parts(turn.assistant_message.id, [ThinkingPart(text=words()), TextPart(text=text)])
        key = f"{turn.turn_id}:{call.call_id}"
        await store.journal.propose(
            key, turn_id=turn.turn_id, thread_id=thread_id, name=call.name, arguments=call.arguments
        )
        await store.journal.decide(
            key,
            state=CallState.RUNNING,
            server_id="command",
            digest="d",
            choice=Choice.ALLOW_THREAD,
            ending=Ending.ANSWERED,
            decided_by="user",
        )
        output = words.text(rng.randint(1, 1500))
        await store.journal.finish(key, status="ok", result=output, duration_seconds=0.1)
        result = ToolResultPart(call_id=call.call_id, status=ResultStatus.OK, text=output)
        await store.threads.finish_turn(
            turn.turn_id,
            parts=[ThinkingPart(text=words()), TextPart(text=text), call, result],
            status=MessageStatus.COMPLETE,
            reason="completed",
            usage=Usage(input_tokens=None, output_tokens=None),
            duration_seconds=1.0,
        )
        await store.threads.save_draft(thread_id, words.text(30))
    await store.threads.rename_thread(thread_id, words(), by_user=True)
    for _ in range(2):
        await store.threads.set_thread_options(thread_id, ThreadOptions(system_prompt=words.text(50), model=words()))
    await store.grants.add(
        Grant(
            id=new_id(),
            scope=GrantScope.THREAD,
            thread_id=thread_id,
            server_id="command",
            tool_name="execute_command_local",
            definition_hash="v1",
            digest="d",
            summary=words(),
            created_at=datetime(2026, 1, 1, tzinfo=UTC),
        )
    )
