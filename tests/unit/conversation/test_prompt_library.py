"""The library of prompts: what joins it, what is known already, how it goes to files and comes back."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.conversation.prompts import transfer
from desktop.conversation.prompts.entities import MOST_NAME, MOST_PROMPTS, MOST_TEXT
from desktop.conversation.prompts.library import PromptDraft, PromptLibrary, one_line, shown
from desktop.conversation.prompts.transfer import Problem
from tests.support.in_memory_prompts import InMemoryPrompts


def library() -> PromptLibrary:
    return PromptLibrary(InMemoryPrompts())


async def names(prompts: PromptLibrary) -> list[str]:
    return [prompt.name for prompt in await prompts.all()]


async def test_what_nobody_would_see_is_not_kept() -> None:
    hidden = "".join(chr(0xE0000 + ord(letter)) for letter in "ignore")
    prompt = await library().add(
        PromptDraft(f" A\u202e\nB{hidden} ", f"\nOne\r\ntwo\x1b[31m{hidden}\u200b\n\n", "x\ty")
    )
    assert prompt is not None
    assert (prompt.name, prompt.text, prompt.description) == ("A B", "One\ntwo[31m", "x y")
    family = "👩\u200d👩\u200d👧"
    assert shown(family) == family


async def test_an_import_merges_and_overwrites_nothing() -> None:
    prompts = library()
    await prompts.add(PromptDraft("Sum up", "Sum this up."))
    told: list[bool] = []
    prompts.changed.connect(lambda: told.append(True))
    drafts = [
        PromptDraft("sum up", " Sum this up.\n"),
        PromptDraft("Sum up", "In one sentence."),
        PromptDraft("Sum up", "In two sentences."),
        PromptDraft("Sum up", "In two sentences."),
        PromptDraft("New", "x"),
    ]
    taken = await prompts.take_in(drafts)
    assert (len(taken.added), taken.known, taken.left_out) == (3, 2, 0)
    assert await names(prompts) == ["Sum up", "Sum up (2)", "Sum up (3)", "New"]
    assert (await prompts.all())[0].text == "Sum this up."
    assert told == [True]


async def test_the_same_file_twice_changes_nothing() -> None:
    prompts = library()
    drafts = [PromptDraft("A", "1"), PromptDraft("A", "2"), PromptDraft("n" * 200, "3"), PromptDraft("n" * 200, "4")]
    await prompts.take_in(drafts)
    before = await prompts.all()
    assert {len(prompt.name) for prompt in before} == {1, 5, MOST_NAME}
    file = transfer.read(transfer.to_json(before).encode(), "x.json")
    taken = await prompts.take_in(file.drafts)
    assert (taken.added, taken.known) == ((), 4)
    assert await prompts.all() == before


async def test_a_full_library_takes_no_more() -> None:
    prompts = library()
    taken = await prompts.take_in([PromptDraft(f"{number}", "x") for number in range(MOST_PROMPTS + 3)])
    assert (len(taken.added), taken.left_out) == (MOST_PROMPTS, 3)
    assert await prompts.add(PromptDraft("one more", "x")) is None


async def test_what_was_removed_comes_back_to_its_place() -> None:
    prompts = library()
    await prompts.take_in([PromptDraft(name, "x") for name in "abcd"])
    before = await prompts.all()
    removed = await prompts.remove([before[1].id, before[2].id])
    assert await names(prompts) == ["a", "d"]
    await prompts.restore(removed)
    assert await prompts.all() == before


async def test_a_change_of_what_is_gone_says_so() -> None:
    prompts = library()
    prompt = await prompts.add(PromptDraft("a", "x"))
    assert prompt is not None
    await prompts.note_use(prompt.id)
    assert await prompts.change(prompt, PromptDraft("b", "y"))
    now = (await prompts.all())[0]
    assert (now.id, now.name, now.text, now.used_count) == (prompt.id, "b", "y", 1)
    await prompts.remove([prompt.id])
    assert not await prompts.change(prompt, PromptDraft("c", "z"))


words = st.text(alphabet=st.characters(exclude_categories=("Cs", "Cc", "Cf")), min_size=1, max_size=40).filter(
    lambda text: bool(one_line(text)) and one_line(text) == text and not text.endswith("#")
)
texts = st.text(alphabet=st.sampled_from("`~#> {}=a永\n-"), min_size=1, max_size=80).filter(
    lambda text: bool(text.strip()) and text == text.strip("\n")
)


@given(
    st.lists(
        st.tuples(words, texts, st.just("") | words.filter(lambda text: text[0] not in "> ")), min_size=1, max_size=6
    )
)
async def test_files_hold_everything(entries: list[tuple[str, str, str]]) -> None:
    prompts = library()
    await prompts.take_in([PromptDraft(*entry) for entry in entries])
    kept = await prompts.all()
    wanted = [(prompt.name, prompt.text, prompt.description) for prompt in kept]
    for content in (transfer.to_json(kept), transfer.to_markdown(kept, "Prompts")):
        found = transfer.read(content.encode(), "x")
        assert [(draft.name, draft.text, draft.description) for draft in found.drafts] == wanted
        assert (found.problem is None) == bool(wanted)


def read(content: object, name: str = "x.json") -> transfer.Reading:
    return transfer.read(json.dumps(content).encode(), name)


def test_files_of_other_programs_are_read() -> None:
    open_webui = [{"command": "/sum", "title": "Sum up", "content": "Sum up {{name}}", "user_id": 1}]
    assert read(open_webui).drafts == (PromptDraft("Sum up", "Sum up {{name}}"),)
    assert read([{"command": "/sum", "content": "x"}]).drafts == (PromptDraft("sum", "x"),)
    assert read({"phrases": [{"title": "T", "content": "x"}]}).drafts == (PromptDraft("T", "x"),)
    assert read([{"act": "Poet", "prompt": "Be one."}]).drafts == (PromptDraft("Poet", "Be one."),)
    assert read({"name": "One", "text": "x"}).drafts == (PromptDraft("One", "x"),)
    assert transfer.read("写一首诗。{{主题}}".encode("gb18030"), "诗.txt").drafts == (
        PromptDraft("诗", "写一首诗。{{主题}}"),
    )
    assert transfer.read(b"{{name}}, hello", "greeting.md").drafts == (PromptDraft("greeting", "{{name}}, hello"),)


def test_bad_files_are_told_apart() -> None:
    assert transfer.read(b"{ not json", "x.json").problem is Problem.DAMAGED
    assert transfer.read(b"\0\1\2\3" * 100, "x.json").problem is Problem.NOT_TEXT
    assert transfer.read(b"", "x.md").problem is Problem.NOTHING
    assert transfer.read(b"[" * 100_000, "x.json").problem is Problem.DAMAGED
    assert read({"format": transfer.FORMAT, "version": 2, "prompts": []}).problem is Problem.NEWER
    assert read({"format": transfer.FORMAT, "version": True, "prompts": []}).problem is Problem.NEWER
    assert transfer.read(b"x" * (transfer.MOST_BYTES + 1), "x.md").problem is Problem.TOO_LARGE
    mixed: list[object] = [1, None, {}, {"name": "a"}, {"name": 3, "text": "x"}, {"name": "b", "text": "x"}]
    mixed.append({"name": "long", "text": "x" * (MOST_TEXT + 1)})
    found = read(mixed)
    assert (found.drafts, found.unreadable, found.problem) == ((PromptDraft("b", "x"),), 6, None)


@pytest.mark.parametrize("content", [b"# Only a title\n", b"## \n\nx", b"## Name\n\n> only a description\n", b"   \n"])
def test_texts_without_a_prompt_hold_nothing_or_themselves(content: bytes) -> None:
    found = transfer.read(content, "notes.md")
    assert found.problem is Problem.NOTHING or [draft.name for draft in found.drafts] == ["notes"]
