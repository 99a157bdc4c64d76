"""The one Markdown parser: CommonMark with tables, strikethrough and task lists, without raw HTML."""

import functools
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

MAX_NESTING = 20
"""Deeper blocks are left out by the parser; ``segments`` shows their source instead."""


def parser() -> "MarkdownIt":
    """Return the parser; the import takes some 40 ms, so it waits for the first message."""
    return make_parser(MAX_NESTING)


@functools.cache
def make_parser(nesting: int) -> "MarkdownIt":
    """Return a parser that leaves out blocks that stand deeper in each other than ``nesting``."""
    from markdown_it import MarkdownIt
    from mdit_py_plugins.tasklists import tasklists_plugin

    markdown = MarkdownIt("commonmark", {"html": False, "maxNesting": nesting})
    return markdown.enable(["table", "strikethrough"]).use(tasklists_plugin)
