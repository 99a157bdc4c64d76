"""Prompts on the disk: what was deleted or written over is in no file of the folder any more."""

from pathlib import Path

from desktop.conversation.prompts.library import PromptDraft, PromptLibrary
from tests.support.stores import opened


def holds(folder: Path, word: str) -> list[str]:
    """The files in which a word stands."""
    data = word.encode()
    return [file.name for file in folder.rglob("*") if file.is_file() and data in file.read_bytes()]


async def test_nothing_is_left_of_deleted_and_former_texts(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        library = PromptLibrary(store.prompts)
        # So long that each fills pages of its own, and many, so that pages are split and joined.
        drafts = [PromptDraft(f"Name {n}", f"wombat{n} " * 700, f"about{n}") for n in range(40)]
        prompts = (await library.take_in(drafts)).added
        await library.change(prompts[0], PromptDraft("Name 0", "quokka"))
        await library.remove([prompt.id for prompt in prompts[1::2]])
        assert holds(tmp_path, "wombat1 ")
        assert await library.erase()
        assert holds(tmp_path, "quokka")
        assert holds(tmp_path, "wombat2 ")
        for number in (0, *range(1, 40, 2)):
            assert holds(tmp_path, f"wombat{number} ") == []


async def test_what_waits_is_erased_at_the_next_start(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        library = PromptLibrary(store.prompts)
        prompt = await library.add(PromptDraft("Name", "wombat " * 500))
        assert prompt is not None
        await library.remove([prompt.id])
    async with opened(tmp_path) as store:
        await store.threads.recover()
        assert holds(tmp_path, "wombat") == []
        assert await store.prompts.all() == ()
