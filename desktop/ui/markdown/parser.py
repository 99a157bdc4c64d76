"""The one Markdown parser: CommonMark with tables, strikethrough and task lists, without raw HTML."""

import functools
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

MAX_NESTING = 20
"""Deeper blocks are left out by the parser; ``segments`` shows their source instead."""


@functools.cache
def parser() -> "MarkdownIt":
    """Return the parser; the import takes some 40 ms, so it waits for the first message."""
    from markdown_it import MarkdownIt
    from mdit_py_plugins.tasklists import tasklists_plugin

    markdown = MarkdownIt("commonmark", {"html": False, "maxNesting": MAX_NESTING})
    return markdown.enable(["table", "strikethrough"]).use(tasklists_plugin)
