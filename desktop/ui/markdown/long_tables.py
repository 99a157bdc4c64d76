"""Tables with many rows: the parser makes tokens of the first ones and counts the others, which nobody draws."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_block import StateBlock

UNREAD_ROWS = "unread rows"
"""In the ``meta`` of ``table_open``: how many rows follow those of which there are tokens."""


MOST_CELLS = 240
MOST_COLUMNS = 200
"""A table with more is no table."""


def long_tables_plugin(markdown: "MarkdownIt", most_rows: int) -> None:
    """Let tables have tokens for ``most_rows`` rows below their head at most, and for about ``MOST_CELLS`` cells."""
    from markdown_it.rules_block.table import table

    def rule(state: "StateBlock", start_line: int, end_line: int, silent: bool) -> bool:
        if start_line + 2 > end_line:
            return False
        columns = state.src.count("|", state.bMarks[start_line + 1], state.eMarks[start_line + 1])
        if columns > MOST_COLUMNS:
            return False
        rows = min(most_rows, max(1, MOST_CELLS // max(1, columns - 1)))
        begin, limit = len(state.tokens), min(end_line, start_line + 2 + rows)
        if not table(state, start_line, limit, silent):
            return False
        if not silent and limit < end_line and state.line == limit:
            while state.line < end_line and _is_row(state, state.line, end_line):
                state.line += 1
            opening = state.tokens[begin]
            opening.map = [start_line, state.line]
            opening.meta = {UNREAD_ROWS: state.line - limit}
        return True

    markdown.block.ruler.at("table", rule, {"alt": ["paragraph", "reference"]})


def _is_row(state: "StateBlock", line: int, end_line: int) -> bool:
    """Whether the table goes on with this line, by the parser's own rules."""
    start = state.bMarks[line] + state.tShift[line]
    if state.sCount[line] < state.blkIndent or start >= state.eMarks[line] or state.is_code_block(line):
        return False
    if state.src[start] == "|":  # no other block begins so
        return True
    return not any(rule(state, line, end_line, True) for rule in state.md.block.ruler.getRules("blockquote"))
