"""The pages of the help as they come with the app: Markdown files, each cut into the parts that begin with a heading."""

import re
from dataclasses import dataclass
from pathlib import Path

from desktop.core.paths import resources_folder

ENGLISH = "en"
_HEADING = re.compile(r"^## +(.+?)\s*$", re.MULTILINE)


@dataclass(frozen=True)
class HelpPart:
    """One part of a page: its title, and what stands below it, in Markdown."""

    title: str
    text: str


def help_folder() -> Path:
    return resources_folder() / "help"


def read_parts(page: str, language: str) -> list[HelpPart]:
    """Return the parts of ``guide`` or ``news`` in this language, else in English; none where the file is missing."""
    for code in dict.fromkeys((language, ENGLISH)):
        try:
            return parts_of((help_folder() / f"{page}_{code}.md").read_text("utf-8"))
        except OSError:
            continue
    return []


def parts_of(text: str) -> list[HelpPart]:
    """Return what stands below each heading of the second level, in order."""
    pieces = _HEADING.split(text)[1:]
    return [HelpPart(title, body.strip()) for title, body in zip(pieces[::2], pieces[1::2], strict=True)]


def picture_file(name: str, theme: str, language: str) -> Path | None:
    """Return the picture of this name as it looks in this theme and language, else in English or the light look."""
    if not name.isidentifier():
        return None
    folder = help_folder() / "pictures"
    for look in (theme, "light"):
        for code in dict.fromkeys((language, ENGLISH)):
            if (file := folder / f"{name}_{look}_{code}.png").is_file():
                return file
    return None
