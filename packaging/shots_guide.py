"""The pictures of the user guide, in each language: an answer, the models, a search, the memory, a question of a tool."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QLineEdit
from shots_memory import remember
from shots_readme import ANSWER, EARLIER, QUESTION, RESULT, TITLE, write_chat
from shots_scenes import Scene, World, scene

from desktop.conversation.entities import ResultStatus, TextPart, ToolCallPart, ToolResultPart
from desktop.core.paths import DataPaths
from desktop.core.settings import Settings
from desktop.storage.store import open_store

if TYPE_CHECKING:
    from shots_stage import Stage

GUIDE_SCENES: list[Scene] = []
NUMBER = "62-guide"
CHINESE_TITLE = "哪些测试最慢？"
CHINESE_QUESTION = "哪些测试最慢？写代码时怎样跳过它们？"
CHINESE_ANSWER = """412 个测试全部通过，其中三个就占了 **38 秒中的 27 秒**：

| 测试 | 时间 | 在等什么 |
| --- | ---: | --- |
| `test_import_large_archive` | 12.4 秒 | 解压 300 MB |
| `test_ten_thousand_notes` | 8.9 秒 | 每次重建索引 |
| `test_retry_after_timeout` | 6.1 秒 | 真实的超时 |

给它们各加一个标记，然后运行 `pytest -m "not slow"`：

```python
@pytest.mark.slow
def test_import_large_archive(tmp_path):
    notes = import_archive("samples/large.zip", into=tmp_path)
    assert len(notes) == 10_000
```

最后一个其实不用等：给它一个可以拨动的时钟，只要几毫秒。
"""
_CHATS = {"en": TITLE, "zh_CN": CHINESE_TITLE}
_FOUND = {"en": "tests", "zh_CN": "测试"}
_COMMANDS = {"en": "Clear the build folder", "zh_CN": "清空 build folder"}


@scene(GUIDE_SCENES, f"{NUMBER}-1-chat", world=World.GUIDE)
async def chat(stage: "Stage") -> None:
    async def show(language: str) -> None:
        await stage.open(_CHATS[language])
        stage.window.composer.edit.clearFocus()  # no cursor, which blinks

    await stage.picture_in_language(f"{NUMBER}-1-chat", show)


@scene(GUIDE_SCENES, f"{NUMBER}-2-models", world=World.GUIDE)
async def models(stage: "Stage") -> None:
    window = await stage.settings("models")
    await stage.picture(f"{NUMBER}-2-models", of=lambda: window)
    window.close()


@scene(GUIDE_SCENES, f"{NUMBER}-5-approval", world=World.GUIDE)
async def approval(stage: "Stage") -> None:
    async def show(language: str) -> None:
        stage.close_dialogs()
        await stage.open("")
        await stage.pilot.send(_COMMANDS[language])
        await stage.pilot.dialog_appears("approvalDialog")

    await stage.picture_in_language(f"{NUMBER}-5-approval", show)
    stage.close_dialogs()
    await stage.pilot.answer_ends()


@scene(GUIDE_SCENES, f"{NUMBER}-4-memory", world=World.GUIDE)
async def memory(stage: "Stage") -> None:
    await remember(stage)
    await stage.open("")
    await stage.press("memoryButton")
    await stage.picture(f"{NUMBER}-4-memory")
    await stage.open("")


@scene(GUIDE_SCENES, f"{NUMBER}-3-search", world=World.GUIDE)
async def search(stage: "Stage") -> None:
    edit = stage.find(QLineEdit, "searchEdit")

    async def show(language: str) -> None:
        await stage.open(_CHATS[language])
        edit.setText(_FOUND[language])
        await stage.pilot.until(lambda: edit.text() == _FOUND[language], "the words stand there")
        await stage.rest()  # it searches when the typing pauses

    await stage.picture_in_language(f"{NUMBER}-3-search", show)
    edit.clear()
    await stage.settle()


@scene(GUIDE_SCENES, "63-help-1-guide", world=World.GUIDE)
async def guide(stage: "Stage") -> None:
    stage.window.keys.act("guide")
    window = await stage.pilot.dialog_appears("help-guide")
    await stage.picture("63-help-1-guide", of=lambda: window)
    window.close()


@scene(GUIDE_SCENES, "63-help-2-report", world=World.GUIDE)
async def report(stage: "Stage") -> None:
    stage.window.keys.act("report_problem")
    dialog = await stage.pilot.dialog_appears("problemReport")
    await stage.picture("63-help-2-report", of=lambda: dialog)
    dialog.reject()


def settings_of_guide(settings: Settings) -> Settings:
    """Without servers of the user's own, and with a folder whose name is always the same."""
    return replace(settings, mcp_servers={}, agent=replace(settings.agent, workspace="/home/mira/site"))


async def fill_guide(paths: DataPaths) -> None:
    """Write the chats, at hours that are always the same."""
    now = datetime.now().astimezone().replace(hour=10, minute=42, second=0, microsecond=0)
    moment = now
    store = await open_store(paths, lambda: moment)
    call = ToolCallPart(
        call_id="c", name="command__execute_command_local", arguments='{"command": "pytest -q --durations=3"}'
    )
    result = ToolResultPart(call_id="c", status=ResultStatus.OK, text=RESULT, duration_seconds=38.6)

    for days, hour, title, answer in reversed(EARLIER):
        moment = (now - timedelta(days=days)).replace(hour=hour, minute=6 * days + hour)
        await write_chat(store, title, title, [TextPart(text=answer)])
    for minute, title, question, answer in (
        (12, CHINESE_TITLE, CHINESE_QUESTION, CHINESE_ANSWER),
        (42, TITLE, QUESTION, ANSWER),
    ):
        moment = now.replace(minute=minute)
        await write_chat(store, title, question, [call, result, TextPart(text=answer, step=1)])
    await store.close()
