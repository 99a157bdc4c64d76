"""The picture in the README: one chat with a command, a table and code, among chats of the last days."""

import dataclasses
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from shots_scenes import Scene, World, scene

from desktop.conversation.entities import MessageStatus, Part, ResultStatus, TextPart, ToolCallPart, ToolResultPart
from desktop.core.language_model import Usage
from desktop.core.paths import DataPaths
from desktop.core.settings import EndpointSettings, Settings
from desktop.storage.store import Store, open_store

if TYPE_CHECKING:
    from shots_stage import Stage

README_SCENES: list[Scene] = []
NAME = "60-readme"
MODEL = "qwen3:8b"
TITLE = "Which tests take the longest?"
QUESTION = "Which tests take the longest, and how do I leave them out while I work?"
EARLIER = (
    (0, 10, "Packing list for two weeks in the mountains", "Three layers are enough: wool, fleece, and a shell."),
    (0, 9, "周末去杭州的两日行程", "第一天上午去西湖，下午到灵隐寺，晚上在河坊街吃饭。"),
    (1, 18, "Reply to the landlord", "Here is a shorter version that stays friendly and firm."),
    (1, 14, "Compare SQLite and DuckDB", "For many small writes take SQLite, for one long scan DuckDB."),
    (3, 16, "把会议记录整理成待办事项", "一共七项，其中三项本周到期。"),
    (6, 11, "Regular expression for dates", "This one also refuses the 31st of June."),
)
"""How many days ago, at what hour, titles and answers."""

RESULT = """412 passed in 38.21s

slowest 5 durations
12.43s call  tests/test_archive.py::test_import_large_archive
 8.91s call  tests/test_search.py::test_ten_thousand_notes
 6.07s call  tests/test_sync.py::test_retry_after_timeout"""

ANSWER = """All 412 tests pass. Three of them take **27 of the 38 seconds**:

| Test | Time | What it waits for |
| --- | ---: | --- |
| `test_import_large_archive` | 12.4 s | 300 MB that it unpacks |
| `test_ten_thousand_notes` | 8.9 s | an index made anew each time |
| `test_retry_after_timeout` | 6.1 s | a real time-out |

Mark each of them once, then run `pytest -m "not slow"`:

```python
import pytest


@pytest.mark.slow
def test_import_large_archive(tmp_path):
    notes = import_archive("samples/large.zip", into=tmp_path)
    assert len(notes) == 10_000
```

The last one need not wait at all: give it a clock of its own, and it takes milliseconds.
"""


@scene(README_SCENES, NAME, world=World.README)
async def readme(stage: "Stage") -> None:
    await stage.open(TITLE)
    stage.window.composer.edit.clearFocus()  # no cursor, which blinks
    await stage.picture(NAME, of=lambda: stage.window)


def settings_of_readme(settings: Settings) -> Settings:
    """One model on this computer, which answers."""
    own = EndpointSettings(id="own", name="Ollama", base_url="http://127.0.0.1:11434/v1", model=MODEL, models=(MODEL,))
    return dataclasses.replace(settings, endpoints=(own,), endpoint_id="own")


async def write_chat(store: Store, title: str, question: str, parts: Sequence[Part]) -> None:
    """Write a chat of one question and its whole answer."""
    thread = await store.threads.create_thread(title=title)
    turn = await store.threads.begin_turn(thread.id, question, model=MODEL)
    await store.threads.finish_turn(
        turn.turn_id,
        parts=parts,
        status=MessageStatus.COMPLETE,
        reason="completed",
        usage=Usage(input_tokens=1_840, output_tokens=412),
        duration_seconds=47.0,
    )


async def fill_readme(paths: DataPaths) -> None:
    """Write the chats, at hours that are always the same."""
    now = datetime.now().astimezone().replace(hour=10, minute=42, second=0, microsecond=0)
    moment = now
    store = await open_store(paths, lambda: moment)

    for days, hour, title, answer in reversed(EARLIER):
        moment = (now - timedelta(days=days)).replace(hour=hour, minute=6 * days + hour)
        await write_chat(store, title, title, [TextPart(text=answer)])
    moment = now
    call = ToolCallPart(
        call_id="c", name="command__execute_command_local", arguments='{"command": "pytest -q --durations=3"}'
    )
    result = ToolResultPart(call_id="c", status=ResultStatus.OK, text=RESULT, duration_seconds=38.6)
    await write_chat(store, TITLE, QUESTION, [call, result, TextPart(text=ANSWER, step=1)])
    await store.close()
