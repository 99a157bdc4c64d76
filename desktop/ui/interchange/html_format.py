"""A chat as one HTML page: light and dark, with its pictures in it, without a script or anything that is fetched."""

import asyncio
import base64
import html
import re
from collections.abc import AsyncGenerator, Mapping, Sequence
from typing import TYPE_CHECKING

from desktop.conversation.entities import (
    AttachmentKind,
    AttachmentPart,
    ErrorPart,
    Message,
    RemarkPart,
    Role,
    SourcesPart,
    TextPart,
    ThinkingPart,
    Thread,
    ToolResultPart,
)
from desktop.conversation.formulas import Formula, FormulaDrawer
from desktop.conversation.interchange.exporting import Source
from desktop.conversation.interchange.pieces import (
    Call,
    Piece,
    figures_of,
    pieces_of,
    result_line,
    speaker_of,
    times_of,
)
from desktop.conversation.interchange.words import ExportWords
from desktop.core.settings import Accent
from desktop.ui.interchange.formulas import MOST_NESTING, Drawn, drawn_formulas, with_drawings
from desktop.ui.markdown.footnote_rules import Footnotes, labels_in
from desktop.ui.markdown.highlighting import highlight, is_highlightable
from desktop.ui.markdown.html_writer import HtmlWriter, Link, WrittenFormula
from desktop.ui.markdown.parser import make_parser
from desktop.ui.state.link_target import judge
from desktop.ui.state.pretty_json import pretty_json
from desktop.ui.state.readable import readable
from desktop.ui.theme.tokens import Tokens, tokens_for

if TYPE_CHECKING:
    from markdown_it.token import Token

MOST_MARKDOWN = 400_000
"""Characters of one text; a longer one stands there as it is."""
_LINK = re.compile(r'href="#(\d+)"')
_NAME = re.compile(r'name="((?:note|ref)-\d+)"')
_PICTURES = ("image/png", "image/jpeg")
"""What our own reader made of images; nothing else is put into a page."""

Images = Mapping[str, str]
"""``data:`` addresses by the ids of attached files."""


class HtmlFormat:
    """See ``conversation.interchange.exporting.ChatFormat``."""

    suffix = ".html"
    has_files_beside = False

    def __init__(self, words: ExportWords, drawer: FormulaDrawer | None = None) -> None:
        """Without a ``drawer`` formulas stand there as they were typed."""
        self._words = words
        self._drawer = drawer

    async def pieces(self, source: Source) -> AsyncGenerator[bytes, None]:
        page = HtmlPage(self._words)
        yield page.head(source.thread).encode("utf-8", "replace")
        async for message in source.path():
            pictures = (await pictures_of(message, source)).items()
            images = {key: f"data:{kind};base64,{base64.b64encode(data).decode()}" for key, (kind, data) in pictures}
            drawn = await drawn_formulas(message, self._drawer, MOST_MARKDOWN)
            yield (await asyncio.to_thread(page.message, message, images, drawn)).encode("utf-8", "replace")
        yield page.end().encode()


async def pictures_of(message: Message, source: Source) -> dict[str, tuple[str, bytes]]:
    """Return media types and bytes of the pictures in a message, as our own reader made them, by their ids."""
    sent = [(key, media_type, await source.attachments.sent(key)) for key, media_type in _named_pictures(message)]
    return {key: (media_type, data) for key, media_type, data in sent if data is not None}


def _named_pictures(message: Message) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for part in message.parts:
        if isinstance(part, AttachmentPart) and part.kind is AttachmentKind.IMAGE:
            found.append((part.attachment_id, part.media_type))
        elif isinstance(part, ToolResultPart):
            found += [(item.attachment_id, item.sent_type) for item in part.items if item.is_sendable]
    return [(key, media_type) for key, media_type in found if key and media_type in _PICTURES]


def markdown_html(text: str, *, coloured: bool = True, drawn: Drawn | None = None, prefix: str = "") -> str:
    """Return Markdown as HTML in which all content is escaped; links lead only to where a browser may go.

    ``drawn`` are pictures of its formulas. ``prefix`` begins the names of its footnotes, which else are the same in each text.
    """
    found, formulas = markdown_parts(text, coloured=coloured, prefix=prefix)
    return with_drawings(found, formulas, drawn or {})


def markdown_parts(text: str, *, coloured: bool, prefix: str = "") -> tuple[str, Sequence[WrittenFormula]]:
    """The same with places for the formulas, ``<img src="formula:0">``, and these."""
    if len(text) > MOST_MARKDOWN:
        return f'<p class="plain">{escaped(text)}</p>', ()
    tokens = make_parser(MOST_NESTING).parse(text)
    writer = _PageWriter(coloured=coloured, footnotes=Footnotes(labels_in([tokens])))
    writer.write(tokens)
    named = _NAME.sub(lambda found: f'name="{prefix}{found[1]}"', writer.html) if writer.anchors else writer.html
    return with_links(named, writer.links, prefix), writer.formulas


def with_links(text: str, links: Sequence[Link], prefix: str = "") -> str:
    """Put the addresses of links in the place of their numbers; they were judged when they were written."""

    def address(found: re.Match[str]) -> str:
        target = html.escape(links[int(found[1])].target)
        if target.startswith("#"):
            return f'href="#{prefix}{target[1:]}"'
        return f'href="{target}" rel="noopener noreferrer nofollow" title="{target}"'

    return _LINK.sub(address, text)


def escaped(text: str) -> str:
    """Return untrusted text for a page: escaped, and with what could deceive made visible."""
    return html.escape(readable(text))


def small(text: str, role: str = "facts") -> str:
    """Return a line beside what is said; nothing for an empty one."""
    return f"<p class={role}>{escaped(text)}</p>" if text else ""


class _PageWriter(HtmlWriter):
    """Code in colours, and whole tables."""

    def __init__(self, *, coloured: bool, footnotes: Footnotes) -> None:
        super().__init__(most_rows=None, footnotes=footnotes)
        self._coloured = coloured

    def _write_block(self, token: "Token") -> None:
        if token.type in ("fence", "code_block"):
            language = token.info.split()[0].lower() if token.info.strip() else ""
            if language == "math" and token.content.strip():
                self.write_formula(Formula(token.content.strip(), is_display=True), token.content)
                return
            self._out.append(_code(token.content.rstrip("\n"), language if self._coloured else ""))
        else:
            super()._write_block(token)


def _code(text: str, language: str) -> str:
    if not is_highlightable(language, text) or readable(text) != text:
        return f"<pre><code>{escaped(text)}</code></pre>"
    lines = text.split("\n")
    spans = highlight(language, text)
    if len(spans) != len(lines):
        return f"<pre><code>{escaped(text)}</code></pre>"
    out: list[str] = []
    for line, marks in zip(lines, spans, strict=True):
        units, at, pieces = line.encode("utf-16-le", "surrogatepass"), 0, list[str]()
        for mark in marks:
            pieces.append(html.escape(_from_units(units, at, mark.start)))
            inside = html.escape(_from_units(units, mark.start, mark.start + mark.length))
            pieces.append(f'<i class="{mark.kind}">{inside}</i>')
            at = mark.start + mark.length
        pieces.append(html.escape(_from_units(units, at, len(units) // 2)))
        out.append("".join(pieces))
    return f"<pre><code>{chr(10).join(out)}</code></pre>"


def _from_units(units: bytes, start: int, end: int) -> str:
    return units[2 * start : 2 * end].decode("utf-16-le", "replace")


class HtmlPage:
    """Writes one chat piece by piece."""

    def __init__(self, words: ExportWords) -> None:
        self._words = words
        self._texts = 0

    def head(self, thread: Thread) -> str:
        """Return what stands above the first message."""
        words, title = self._words, escaped(thread.title or self._words.new_chat)
        facts = small(" · ".join(times_of(thread, words)))
        prompt = ""
        if thread.options.system_prompt:
            inside = f"<div class=plain>{escaped(thread.options.system_prompt)}</div>"
            prompt = f"<details><summary>{escaped(words.instructions)}</summary>{inside}</details>"
        return (
            '<!doctype html>\n<html><head><meta charset="utf-8">'
            '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; img-src data:;'
            " style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'\">"
            '<meta name="referrer" content="no-referrer"><meta name="viewport" content="width=device-width">'
            f'<meta name="generator" content="Threadwell"><title>{title}</title><style>{_style()}</style></head>\n'
            f"<body><main><header><h1 dir=auto>{title}</h1>{facts}{prompt}</header>\n"
        )

    def message(self, message: Message, images: Images, drawn: Drawn | None = None) -> str:
        """Return a message. ``drawn`` are the pictures of its formulas."""
        words = self._words
        body = "".join(
            self._piece(piece, message.role, images, drawn or {}) for piece in pieces_of(message.parts, self._words)
        )
        foot = small(figures_of(message, words))
        who = f"<b>{escaped(speaker_of(message, words))}</b> {escaped(words.time(message.created_at))}"
        return f"<article class={message.role.value}><p class=who>{who}</p>{body}{foot}</article>\n"

    def end(self) -> str:
        return f"<footer class=facts>{escaped(self._words.exported_from)}</footer></main></body></html>\n"

    def _markdown(self, text: str, drawn: Drawn) -> str:
        self._texts += 1
        return markdown_html(text, drawn=drawn, prefix=f"t{self._texts}-")

    def _piece(self, piece: Piece, role: Role, images: Images, drawn: Drawn) -> str:
        words = self._words
        match piece:
            case TextPart() if role is Role.USER:
                return f"<div class=plain dir=auto>{escaped(piece.text)}</div>"
            case TextPart():
                return f"<div class=text dir=auto>{self._markdown(piece.text, drawn)}</div>"
            case ThinkingPart():
                inside = self._markdown(piece.text, drawn)
                return f"<details><summary>{escaped(words.reasoning)}</summary>{inside}</details>"
            case Call():
                return self._call(piece, images)
            case AttachmentPart():
                return self._file(piece, images)
            case ErrorPart():
                return small(words.error(piece.code, piece.params), "error")
            case RemarkPart():
                return small(words.remark(piece.code, piece.params))
            case SourcesPart():
                return self._sources(piece)

    def _call(self, piece: Call, images: Images) -> str:
        words, result = self._words, piece.result
        inside = [small(words.arguments), _code(_readable_json(piece.call.arguments), "json")]
        pictures = ""
        if result is not None:
            if result.text.strip():
                inside += [small(words.result), _code(result.text, "")]
            shown = [(item.name, images[item.attachment_id]) for item in result.items if item.attachment_id in images]
            pictures = "".join(_picture(name, address) for name, address in shown)
        name = escaped(words.tool.format(name=piece.name))
        end = f" <span class=facts>{escaped(result_line(piece, words))}</span>"
        return f"<details class=tool><summary>{name}{end}</summary>{''.join(inside)}</details>{pictures}"

    def _file(self, part: AttachmentPart, images: Images) -> str:
        if part.attachment_id in images:
            return _picture(part.name, images[part.attachment_id])
        name = f"{escaped(self._words.file)}: {escaped(part.name)}"
        if not part.text:
            return f"<p class=file>{name}</p>"
        return f"<details><summary>{name}</summary>{_code(part.text, '')}</details>"

    def _sources(self, part: SourcesPart) -> str:
        lines: list[str] = []
        for source in part.sources:
            label = escaped(source.title or source.url)
            if judge(source.url) is None:
                lines.append(f"<li>{label} <span class=facts>{escaped(source.url)}</span></li>")
            else:
                anchor = with_links(f'<a href="#0">{label}</a>', [Link(source.url, label)])
                lines.append(f"<li>{anchor}</li>")
        return f"<details><summary>{escaped(self._words.sources)}</summary><ul>{''.join(lines)}</ul></details>"


def _picture(name: str, address: str) -> str:
    label = escaped(name)
    return f'<figure><img src="{address}" alt="{label}"><figcaption class=facts>{label}</figcaption></figure>'


def _readable_json(text: str) -> str:
    return pretty_json(text, most=len(text) + 1) if len(text) < 100_000 else text


def _style() -> str:
    light, dark = (tokens_for(Accent.INDIGO, dark=is_dark) for is_dark in (False, True))
    return (
        f"{_STYLE}\n:root {{{_colours(light)}}}\n@media (prefers-color-scheme: dark) {{ :root {{{_colours(dark)}}} }}"
    )


def _colours(tokens: Tokens) -> str:
    names = ("window", "panel", "line", "text", "muted", "accent", "user_bubble", "code", "code_header", "error")
    colours = {name: getattr(tokens, name) for name in names}
    colours |= {name: getattr(tokens.syntax, name) for name in _SYNTAX}
    scheme = "dark" if tokens.name == "dark" else "light"
    return f"color-scheme: {scheme};" + "".join(f"--{name}: {value};" for name, value in colours.items())


_SYNTAX = ("keyword", "string", "comment", "number", "function", "operator")
_STYLE = """
body { margin: 0; background: var(--window); color: var(--text);
  font: 16px/1.55 Inter, system-ui, "Segoe UI", "Noto Sans", "Noto Sans CJK SC", "Microsoft YaHei", sans-serif; }
main { max-width: 760px; margin: 0 auto; padding: 24px 16px 48px; overflow-wrap: anywhere; }
h1 { font-size: 1.6em; line-height: 1.25; margin: .2em 0; }
article { margin: 22px 0; }
article.user { background: var(--user_bubble); border-radius: 14px; padding: 10px 16px 12px; margin-left: 12%; }
.who { margin: 0 0 4px; color: var(--muted); font-size: .82em; }
.who b { color: var(--text); font-weight: 600; }
.facts { color: var(--muted); font-size: .82em; }
.plain { white-space: pre-wrap; }
.error { color: var(--error); }
a { color: var(--accent); }
p { margin: .6em 0; }
p.h1, p.h2, p.h3, p.h4, p.h5, p.h6 { font-weight: 600; line-height: 1.3; margin: 1.1em 0 .4em; }
p.h1 { font-size: 1.45em; } p.h2 { font-size: 1.25em; } p.h3 { font-size: 1.1em; }
p.plain { margin: 0; }
code, pre { font-family: "JetBrains Mono", ui-monospace, Consolas, monospace; font-size: .88em; }
code { background: var(--code_header); border-radius: 4px; padding: 0 .25em; }
pre { background: var(--code); border: 1px solid var(--line); border-radius: 10px; padding: 10px 12px;
  overflow-x: auto; white-space: pre; }
pre code { background: none; padding: 0; font-size: 1em; }
pre i { font-style: normal; }
details { border: 1px solid var(--line); border-radius: 10px; padding: 6px 12px; margin: 8px 0; background: var(--panel); }
summary { cursor: pointer; }
details pre { max-height: 30em; overflow: auto; }
table.grid { border-collapse: collapse; display: block; overflow-x: auto; overflow-wrap: break-word; margin: .6em 0; }
table.grid th, table.grid td { border: 1px solid var(--line); padding: 4px 10px; }
table.grid th { background: var(--code_header); }
table.quote td { border-left: 3px solid var(--line); padding-left: 12px; color: var(--muted); }
div.quote { border-left: 3px solid var(--line); padding-left: 12px; }
ul.tasks { list-style: none; padding-left: 1.2em; }
.target { color: var(--muted); }
figure { margin: 8px 0; }
figure img { max-width: 100%; max-height: 32em; border-radius: 10px; }
p.formula { text-align: center; overflow-x: auto; }
ol.notes { color: var(--muted); font-size: .9em; margin: 0; }
sup { line-height: 1; }
hr { border: 0; border-top: 1px solid var(--line); }
""" + "".join(f"i.{name} {{ color: var(--{name}); }}\n" for name in _SYNTAX)
