"""The one Markdown parser: CommonMark with tables, strikethrough, task lists, footnotes and formulas, without raw HTML."""

import functools
from typing import TYPE_CHECKING

from desktop.ui.markdown.footnote_rules import footnote_plugin
from desktop.ui.markdown.formula_rules import formula_plugin
from desktop.ui.markdown.long_tables import long_tables_plugin

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

MAX_TABLE_ROWS = 100
"""Rows of a table that are drawn; a longer one says how many more there are."""
MAX_NESTING = 20
"""Deeper blocks are left out by the parser; ``segments`` shows their source instead."""


def parser() -> "MarkdownIt":
    """Return the parser; the import takes some 40 ms, so it waits for the first message."""
    return make_parser(MAX_NESTING, MAX_TABLE_ROWS)


@functools.cache
def make_parser(nesting: int, most_rows: int | None = None) -> "MarkdownIt":
    """Return a parser that leaves out blocks that stand deeper in each other than ``nesting``, and of tables what follows
    ``most_rows`` below the head."""
    from markdown_it import MarkdownIt
    from mdit_py_plugins.tasklists import tasklists_plugin

    markdown = MarkdownIt("commonmark", {"html": False, "maxNesting": nesting})
    markdown.enable(["table", "strikethrough"]).use(tasklists_plugin)
    if most_rows is not None:
        markdown.use(long_tables_plugin, most_rows)
    return markdown.use(formula_plugin).use(footnote_plugin)
