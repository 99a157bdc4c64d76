"""Prompts as files: our own JSON, and Markdown for people; both can be read again. Pure functions.

The JSON is an object ``{"format": "threadwell-prompts", "version": 1, "prompts": […]}``; a prompt has ``name``, ``text`` and
``description``. Read are also lists of objects whose name and text stand under usual names, as other programs write
them. In Markdown each prompt is a heading of the second level, a quote for its description, and a fenced block for its
text; a file without such headings is one prompt. What is read believes nothing: it is bounded, and joins the library as new.
"""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, cast

from desktop.conversation.prompts.entities import MOST_TEXT, SavedPrompt
from desktop.conversation.prompts.library import PromptDraft, one_line, shown
from desktop.core.errors import FileError
from desktop.core.json_lists import JsonListError, entries_in
from desktop.core.text_encoding import text_in

FORMAT, VERSION = "threadwell-prompts", 1
MOST_BYTES = 16_000_000
MOST_ENTRIES = 20_000
_LIST_NAMES = ("prompts", "phrases", "items", "data")
_NAME_NAMES = ("name", "title", "act")
_COMMAND_NAMES = ("command", "cmd")
"""Names as they are typed, with a slash before."""
_TEXT_NAMES = ("text", "content", "prompt", "template")
_DESCRIPTION_NAMES = ("description", "desc")
_HEADING = re.compile(r"##[ \t]+(?P<name>\S.*?)[ \t#]*")
_FENCE = re.compile(r"(?P<fence>`{3,}|~{3,})[ \t]*[\w-]*[ \t]*")


class Problem(StrEnum):
    """Why nothing of a file can be read."""

    TOO_LARGE = "too_large"
    NOT_TEXT = "not_text"
    DAMAGED = "damaged"
    """It begins as JSON and is none."""
    NEWER = "newer"
    """A later version of this program wrote it."""
    NOTHING = "nothing"


@dataclass(frozen=True)
class Reading:
    """What a file holds; ``unreadable`` entries have no name or text, or too much of it."""

    drafts: tuple[PromptDraft, ...] = ()
    unreadable: int = 0
    problem: Problem | None = None


def to_json(prompts: Iterable[SavedPrompt]) -> str:
    """Return the file that holds these prompts."""
    entries = [{"name": one.name, "description": one.description, "text": one.text} for one in prompts]
    content = {"format": FORMAT, "version": VERSION, "prompts": entries}
    return json.dumps(content, ensure_ascii=False, indent=2) + "\n"


def to_markdown(prompts: Iterable[SavedPrompt], title: str) -> str:
    """Return a file for people, which ``read`` understands, too."""
    lines = [f"# {title}"]
    for prompt in prompts:
        longest = max((len(run) for run in re.findall("`+", prompt.text)), default=0)
        fence = "`" * max(3, longest + 1)
        description = ["", f"> {prompt.description}"] if prompt.description else []
        lines += ["", f"## {prompt.name}", *description, "", fence, prompt.text, fence]
    return "\n".join(lines) + "\n"


def read(data: bytes, file_name: str) -> Reading:
    """Return what a file holds. ``file_name``, without its ending, is the name of a text that has none."""
    if len(data) > MOST_BYTES:
        return Reading(problem=Problem.TOO_LARGE)
    try:
        text = text_in(data)
    except FileError:
        return Reading(problem=Problem.NOT_TEXT)
    reading = _read_json(text) if text.lstrip()[:1] in ("{", "[") and _is_json(file_name, text) else None
    reading = reading or _judged(_from_markdown(text, file_name))
    return (
        reading
        if reading.drafts or reading.problem
        else Reading(unreadable=reading.unreadable, problem=Problem.NOTHING)
    )


def _is_json(file_name: str, text: str) -> bool:
    """A text for people may begin with a gap or with a list in brackets."""
    return file_name.casefold().endswith(".json") or text.lstrip()[:2] != "{{"


def _read_json(text: str) -> Reading | None:
    try:
        found = entries_in(text, own_format=FORMAT, version=VERSION, list_names=_LIST_NAMES, text_names=_TEXT_NAMES)
    except JsonListError as error:
        return Reading(problem=Problem.NEWER if error.is_newer else Problem.DAMAGED)
    values = found or []
    if len(values) > MOST_ENTRIES:
        return Reading(problem=Problem.TOO_LARGE)
    return _judged(map(_entry_of, values))


def _entry_of(value: object) -> PromptDraft | None:
    fields = cast(dict[str, Any], value) if isinstance(value, dict) else {}

    def of(names: tuple[str, ...]) -> str:
        return next((fields[name] for name in names if isinstance(fields.get(name), str) and fields[name].strip()), "")

    return PromptDraft(of(_NAME_NAMES) or of(_COMMAND_NAMES).lstrip("/"), of(_TEXT_NAMES), of(_DESCRIPTION_NAMES))


def _judged(drafts: Iterable[PromptDraft | None]) -> Reading:
    good: list[PromptDraft] = []
    unreadable = 0
    for draft in drafts:
        if draft is None or not one_line(draft.name) or not shown(draft.text).strip() or len(draft.text) > MOST_TEXT:
            unreadable += 1
        else:
            good.append(draft)
    return Reading(tuple(good), unreadable)


def _from_markdown(text: str, file_name: str) -> Iterator[PromptDraft]:
    parts = list(_parts(text.split("\n")))
    if len(parts) == 1 and parts[0][0] == "":
        name = file_name.rpartition(".")[0] or file_name
        if text.strip():
            yield PromptDraft(name, text)
        return
    for name, lines in parts[:MOST_ENTRIES]:
        if name:
            yield _draft_of(name, lines)


def _parts(lines: list[str]) -> Iterator[tuple[str, list[str]]]:
    """Yield each heading outside fences with the lines below it; what stands before the first has the name ""."""
    name, below, fence = "", list[str](), ""
    for line in lines:
        mark = _FENCE.fullmatch(line)
        if fence:
            if mark and mark["fence"].startswith(fence):
                fence = ""
        elif mark:
            fence = mark["fence"]
        elif heading := _HEADING.fullmatch(line):
            yield name, below
            name, below = heading["name"], []
            continue
        below.append(line)
    yield name, below


def _draft_of(name: str, lines: list[str]) -> PromptDraft:
    while lines and not lines[0].strip():
        lines = lines[1:]
    quotes = 0
    while quotes < len(lines) and lines[quotes].startswith(">"):
        quotes += 1
    description = " ".join(line.lstrip("> ") for line in lines[:quotes])
    rest = "\n".join(lines[quotes:]).strip("\n").split("\n")
    mark = _FENCE.fullmatch(rest[0])
    if mark and len(rest) > 1 and rest[-1].strip() == mark["fence"]:
        rest = rest[1:-1]
    return PromptDraft(name, "\n".join(rest), description)
