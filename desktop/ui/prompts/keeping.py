"""Writes prompts down: opens the form, keeps what comes of it, and says so."""

from collections.abc import Callable
from dataclasses import replace

import shiboken6
from PySide6.QtWidgets import QWidget

from desktop.conversation.prompts.entities import SavedPrompt
from desktop.conversation.prompts.library import PromptDraft, PromptLibrary
from desktop.core.errors import ThreadwellError
from desktop.ui.presenting import Worker
from desktop.ui.prompts.edit_dialog import PromptEditDialog

MOST_OF_NAME = 40


def open_editor(
    parent: QWidget,
    library: PromptLibrary,
    worker: Worker,
    draft: PromptDraft | None = None,
    *,
    changed: SavedPrompt | None = None,
    done: Callable[[SavedPrompt], object] = lambda _: None,
) -> PromptEditDialog:
    """Let the user write a prompt, at first with what ``draft`` says, or change one; ``done`` when it is on disk."""
    if changed is not None:
        draft = PromptDraft(changed.name, changed.text, changed.description)
    dialog = PromptEditDialog(parent, draft, is_new=changed is None)

    async def save(wanted: PromptDraft) -> None:
        try:
            kept = await _kept(library, wanted, changed)
        except ThreadwellError as error:
            if not shiboken6.isValid(dialog) or not dialog.isVisible():  # left meanwhile
                raise
            dialog.show_failure(error)
            return
        if shiboken6.isValid(dialog):
            if kept is None:
                dialog.show_full()
                return
            dialog.accept()
        if kept is not None:
            done(kept)
        if changed is not None:
            await library.erase()

    dialog.save_requested.connect(lambda wanted: worker.start(save(wanted), "save a prompt"))
    dialog.open()
    return dialog


async def _kept(library: PromptLibrary, wanted: PromptDraft, changed: SavedPrompt | None) -> SavedPrompt | None:
    """Store it; one that was deleted meanwhile is kept as a new one."""
    if changed is not None and await library.change(changed, wanted):
        return replace(changed, name=wanted.name, text=wanted.text, description=wanted.description)
    return await library.add(wanted)


def draft_of(text: str) -> PromptDraft:
    """Return the draft of a prompt with this text, which has the name of its first line."""
    first = next((line.strip() for line in text.splitlines() if line.strip()), "")
    name = first if len(first) <= MOST_OF_NAME else f"{first[: MOST_OF_NAME - 1].rstrip()}…"
    return PromptDraft(name, text)
