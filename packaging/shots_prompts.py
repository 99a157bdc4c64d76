"""The states with the user's prompts among the screenshots: the library, the list after a slash, forms, instructions."""

from typing import TYPE_CHECKING

from PySide6.QtTest import QTest
from shots_scenes import Scene, scene

from desktop.conversation.entities import ThreadOptions
from desktop.conversation.prompts.library import PromptDraft, PromptLibrary
from desktop.ui.prompts.edit_dialog import PromptEditDialog
from desktop.ui.prompts.examples import examples
from desktop.ui.prompts.fill_form import FillForm

if TYPE_CHECKING:
    from shots_stage import Stage

PROMPT_SCENES: list[Scene] = []
_CHINESE = (
    PromptDraft("周报", "写一份{{语气:正式|轻松}}的周报，要点：\n\n{{要点}}", "每周五用"),
    PromptDraft(
        "会议纪要 – a long name that does not fit into one line of a narrow window, and goes on and on", "{{text}}"
    ),
)
_INSTRUCTIONS = "You are a patient teacher of Chinese. Ask before you explain, go step by step, 一次只讲一点。"


async def _fill(stage: "Stage") -> PromptLibrary:
    library = PromptLibrary(stage.session.container.store.prompts)
    taken = await library.take_in([*examples(), *_CHINESE])
    for prompt in taken.added[:2]:
        await library.note_use(prompt.id)
    return library


@scene(PROMPT_SCENES, "90-prompts")
async def prompts(stage: "Stage") -> None:
    await stage.settings("prompts")
    await stage.picture("90-prompts-1-none")
    await _fill(stage)
    settings = await stage.settings("data")
    await stage.settings("prompts")
    await stage.picture("90-prompts-2")
    await stage.press("newPrompt", settings)
    dialog = settings.findChild(PromptEditDialog)
    assert dialog is not None
    await stage.settle()
    await stage.picture("90-prompts-3-new")
    dialog.reject()
    settings.close()


@scene(PROMPT_SCENES, "91-slash")
async def slash(stage: "Stage") -> None:
    await _fill(stage)
    await stage.presenter.open_thread(None)
    edit = stage.window.composer.edit
    edit.setFocus()
    QTest.keyClicks(edit, "/")
    await stage.settle()
    await stage.picture("91-slash-1")
    edit.set_text("")
    library = PromptLibrary(stage.session.container.store.prompts)
    prompt = (await library.all())[2]
    stage.presenter.offers.library.insert(prompt)
    await stage.settle()
    form = stage.window.findChild(FillForm)
    assert form is not None
    await stage.picture("91-slash-2-form")
    form.reject()


@scene(PROMPT_SCENES, "91-teacher")
async def teacher(stage: "Stage") -> None:
    threads = stage.session.container.store.threads
    thread = await threads.create_thread(title="Chinese, one step at a time 一步一步学中文", options=ThreadOptions())
    stage.window.sidebar.put_thread(thread)
    await stage.presenter.open_thread(thread.id)
    stage.presenter.options.change(system_prompt=_INSTRUCTIONS)
    await stage.settle()
    await stage.picture("91-teacher-1")
