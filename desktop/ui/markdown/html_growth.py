"""Text that streams mostly grows at its end: what was added to HTML by ``HtmlWriter``, where that is plain text."""

import html
import re

_CLOSING_TAGS = re.compile(r"(?:</\w+>)*\Z")
_WORDS = re.compile(r"[ \n]?[^\s<]+(?:[ \n][^\s<]+)*")
"""Any other white space HTML would draw otherwise than it stands there."""
_NOT_AT_THE_END = ("</table>", "</pre>")
"""A document goes on behind its last table; in preformatted text a line feed stays one."""


def added_text(old: str, new: str) -> str | None:
    """The words by which the last line of ``new`` is longer than that of ``old``; None where anything else differs."""
    match = _CLOSING_TAGS.search(old)
    assert match is not None
    end, closing = match.start(), match.group()
    if not new.startswith(old[:end]) or not new.endswith(closing) or any(tag in closing for tag in _NOT_AT_THE_END):
        return None
    added = new[end : len(new) - len(closing)]
    if end == 0 or old[end - 1] == ">" or old[end - 1].isspace() or not _WORDS.fullmatch(added):
        return None
    return html.unescape(added.replace("\n", " "))
