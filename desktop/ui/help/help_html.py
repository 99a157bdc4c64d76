"""A part of the help as HTML: the app's own Markdown, and beside it pictures, which only the help has."""

import html
import re
from collections.abc import Callable, Sequence

from desktop.ui.help.pages import HelpPart
from desktop.ui.markdown.html_writer import HtmlWriter, Link
from desktop.ui.markdown.parser import parser

_PICTURE = re.compile(r"^!\[([^\]\n]*)\]\(([a-z_]+)\)\s*$", re.MULTILINE)
PICTURE_SCHEME = "picture"


def help_html(part: HelpPart, has_picture: Callable[[str], bool]) -> tuple[str, Sequence[Link]]:
    """Return the HTML of a part with its title, and the links that its ``href="#0"`` mean.

    A picture is ``<img src="picture:NAME">``; where there is none, its words stand there.
    """
    writer = HtmlWriter()
    pieces = _PICTURE.split(part.text)
    out = [f'<p class="h1">{html.escape(part.title)}</p>']
    for text, words, name in zip(pieces[::3], [*pieces[1::3], ""], [*pieces[2::3], ""], strict=True):
        before = len(writer.html)
        writer.write(parser().parse(text))
        out.append(writer.html[before:])
        if name and has_picture(name):
            out.append(
                f'<p style="line-height: 100%"><img src="{PICTURE_SCHEME}:{name}" alt="{html.escape(words)}"></p>'
            )
        elif name:
            out.append(f"<p><i>{html.escape(words)}</i></p>")
    return "".join(out), writer.links


def plain_words(part: HelpPart) -> str:
    """Return what a search looks through: the title and the text, case-folded."""
    return f"{part.title}\n{part.text}".casefold()
