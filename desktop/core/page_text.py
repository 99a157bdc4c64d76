"""The readable text of a web page: title, headings, lists, links, tables and code, without its scripts and menus.

Reads HTML in one pass of its own: the parser of the standard library needs minutes for some pages of a few hundred kB.
"""

import codecs
import html
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from urllib.parse import urljoin

MOST_TITLE_CHARS = 300
_MOST_LINK_CHARS = 500


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


_TAG = re.compile(r"</?([A-Za-z][^\s/>]*)")
_ATTRIBUTE = re.compile(r"""[\s/]*([^\s/>][^\s/>=]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]*)))?""")
_TAG_END = re.compile(r"[\s/]*>")
_HIDDEN_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.I)
_META = re.compile(rb"""<meta[^>]{0,500}?charset\s*=\s*["']?\s*([\w.:-]{1,40})""", re.I)
_SPACES = re.compile(r"[ \t\r\n\f\v]+")
_RAW = frozenset({"script", "style", "textarea", "title", "iframe", "noembed", "noframes", "xmp", "plaintext"})
"""Elements in which nothing is markup until they end."""
_VOID = _names("area base br col embed hr img input link meta param source track wbr")
_DROPPED = _names("nav template svg math canvas object audio video select dialog button noscript")
_HEADINGS = {f"h{level}": "#" * level + " " for level in range(1, 7)}
_BLOCKS = _names(
    "p div section article main header footer aside address blockquote figure figcaption details summary "
    "dl dt dd form fieldset body html center hgroup tr table thead tbody tfoot caption ul ol li pre hr"
)
_IN_CELL = _names("p div section article header footer address figure figcaption center dl dt dd form")
_OTHER_CHARSETS = ("gb18030", "cp1252")
"""Tried in turn where a page does not say its own and is not UTF-8."""
_CHARSET_NAMES: Mapping[str, str] = {
    **dict.fromkeys(("gb2312", "gbk", "gb_2312-80", "x-gbk", "gb18030"), "gb18030"),
    **dict.fromkeys(("iso-8859-1", "latin1", "latin-1", "us-ascii", "ascii", "windows-1252", "cp1252"), "cp1252"),
    **dict.fromkeys(("shift_jis", "shift-jis", "sjis", "x-sjis", "windows-31j"), "cp932"),
    **dict.fromkeys(("euc-kr", "ks_c_5601-1987"), "cp949"),
    **{name: name for name in ("utf-8", "utf-16", "utf-16le", "utf-16be", "big5", "big5-hkscs", "euc-jp", "koi8-r")},
    **{name: name for name in ("koi8-u", "iso-2022-jp", "macintosh", *(f"iso-8859-{n}" for n in range(2, 17)))},
    **{name: name for name in ("tis-620", *(f"windows-125{n}" for n in (0, 1, 3, 4, 5, 6, 7, 8)))},
    "utf8": "utf-8",
}


@dataclass(frozen=True)
class PageText:
    title: str
    text: str


def decoded(body: bytes, declared: str = "", *, may_be_html: bool = False) -> str:
    """Return the text of a page: by its mark, by what the server or the page says, else by what fits."""
    for mark, name in (
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16le"),
        (codecs.BOM_UTF16_BE, "utf-16be"),
    ):
        if body.startswith(mark):
            return body[len(mark) :].decode(name, "replace")
    if not declared and may_be_html and (found := _META.search(body[:4096])):
        declared = found[1].decode("ascii", "replace")
    for name in filter(None, (_known(declared), "utf-8", *_OTHER_CHARSETS)):
        try:
            # A character that was cut off at the end is no error.
            return codecs.getincrementaldecoder(name)().decode(body)
        except (UnicodeError, LookupError):
            continue
    return body.decode(_known(declared) or "utf-8", "replace")


def readable(source: str, address: str) -> PageText:
    """Return what somebody would read. Its menus, too, where it is made of nothing else."""
    page = _Reader(address, _DROPPED).read(source)
    return page if page.text else _Reader(address, _DROPPED - {"nav"}).read(source)


def _known(name: str) -> str:
    return _CHARSET_NAMES.get(name.strip().strip("\"'").lower(), "")


def _tokens(source: str) -> Iterator[tuple[str, str, dict[str, str]]]:
    """Yield text as ``("", text, {})``, a start as ``("<", name, attributes)`` and an end as ``("/", name, {})``."""
    at = 0
    while (start := source.find("<", at)) >= 0:
        if start > at:
            yield "", source[at:start], {}
        if (found := _TAG.match(source, start)) is None:
            if source.startswith("<!--", start):
                end = source.find("-->", start + 2)
                at = end + 3 if end >= 0 else len(source)
            elif source[start + 1 : start + 2] in ("!", "?", "/"):
                end = source.find(">", start)
                at = end + 1 if end >= 0 else len(source)
            else:
                yield "", "<", {}
                at = start + 1
            continue
        name, at = found[1].lower(), found.end()
        attributes: dict[str, str] = {}
        while (end := _TAG_END.match(source, at)) is None:
            if (one := _ATTRIBUTE.match(source, at)) is None:
                return  # the page ends inside a tag
            attributes.setdefault(one[1].lower(), _unescaped(one[2] or one[3] or one[4] or ""))
            at = one.end()
        at = end.end()
        if source[start + 1] == "/":
            yield "/", name, {}
            continue
        yield "<", name, attributes
        if name in _RAW:
            close = re.compile(f"</{name}(?=[\\s/>])", re.I).search(source, at)
            until = close.start() if close else len(source)
            if name == "title":
                yield "", source[at:until], {}
            at = until
    if at < len(source):
        yield "", source[at:], {}


def _unescaped(text: str) -> str:
    try:
        return html.unescape(text)
    except ValueError:  # a number of thousands of digits
        return text


@dataclass
class _Reader:
    """Turns tokens into lines. ``dropped`` are the elements that are left out with all that is in them."""

    address: str
    dropped: frozenset[str]
    _title: str = ""
    _lines: list[str] = field(default_factory=list[str])
    _words: list[str] = field(default_factory=list[str])
    """Of the line that is being written."""
    _prefix: str = ""
    _skipped: list[str] = field(default_factory=list[str])
    """The element that is left out, once for each of its kind inside it."""
    _lists: list[int] = field(default_factory=list[int])
    """The next number of each list around, 0 where it has none."""
    _link: tuple[str, int] | None = None
    """Where the open link leads, and the place among the words at which it began."""
    _cells: int = 0
    _pre: int = 0
    _in_title: bool = False

    def read(self, source: str) -> PageText:
        for kind, what, attributes in _tokens(source):
            if kind == "<":
                self._start(what, attributes)
            elif kind == "/":
                self._end(what)
            elif self._in_title:
                self._title = self._title or _SPACES.sub(" ", _unescaped(what)).strip()[:MOST_TITLE_CHARS]
            elif not self._skipped:
                self._add(_unescaped(what))
        self._flush()
        text = re.sub(r"\n{3,}", "\n\n", "\n".join(self._lines)).strip("\n")
        return PageText(self._title, text)

    def _add(self, text: str) -> None:
        """Spaces that follow spaces are left out, so that a row of a million empty cells stays short."""
        word = text if self._pre else _SPACES.sub(" ", text)
        if word != " " or self._pre or (self._words and not self._words[-1].isspace()):
            self._words.append(word)

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if self._skipped:
            if name == self._skipped[0] and name not in _VOID:
                self._skipped.append(name)
            return
        if name == "title":
            self._in_title = True
        elif name in _VOID:
            self._void(name, attributes)
        elif name in self.dropped or name in _RAW or _is_hidden(attributes):
            self._skipped.append(name)
        elif name == "a":
            self._end_link()
            self._link = (self._target(attributes.get("href", "")), len(self._words))
        elif name in ("code", "kbd", "samp") and not self._pre:
            self._words.append("`")
        elif name in ("td", "th"):
            self._cells += 1
            if any(word.strip() for word in self._words[:2]):
                self._words.append(" | ")
        elif name in _BLOCKS or name in _HEADINGS:
            self._start_block(name, attributes)

    def _void(self, name: str, attributes: dict[str, str]) -> None:
        if name == "br":
            if self._pre or self._cells:
                self._add("\n" if self._pre else " ")
            else:
                self._flush()
        elif name == "hr":
            self._flush()
            self._lines += ["", "---", ""]
        elif name == "img" and (alt := attributes.get("alt", "").strip()):
            self._words.append(f"[image: {_SPACES.sub(' ', alt)[:200]}]")
        elif name == "base" and attributes.get("href"):
            self.address = _joined(self.address, attributes["href"])

    def _start_block(self, name: str, attributes: dict[str, str]) -> None:
        if self._cells and name in _IN_CELL:
            self._add(" ")
            return
        self._flush()
        if name in _HEADINGS:
            self._lines.append("")
            self._prefix = _HEADINGS[name]
        elif name in ("ul", "ol"):
            start = attributes.get("start", "1")
            first = int(start) if start.isascii() and start.isdigit() and len(start) < 7 else 1
            self._lists.append(first if name == "ol" else 0)
        elif name == "li":
            self._prefix = self._bullet()
        elif name == "pre":
            self._pre += 1
            self._lines += ["", "```"]
        elif name in ("p", "table", "blockquote"):
            self._lines.append("")
        if name == "table":
            self._cells = 0
        if name == "blockquote":
            self._prefix = "> "

    def _bullet(self) -> str:
        indent = "  " * (min(len(self._lists), 9) - 1)
        if not self._lists or not self._lists[-1]:
            return f"{indent}- "
        self._lists[-1] += 1
        return f"{indent}{self._lists[-1] - 1}. "

    def _end(self, name: str) -> None:
        if self._skipped:
            if name == self._skipped[0]:
                self._skipped.pop()
            return
        if name == "title":
            self._in_title = False
        elif name == "a":
            self._end_link()
        elif name in ("code", "kbd", "samp") and not self._pre:
            self._words.append("`")
        elif name in ("td", "th"):
            self._cells = max(0, self._cells - 1)
        elif (name in _BLOCKS or name in _HEADINGS) and not (self._cells and name in _IN_CELL):
            self._end_block(name)

    def _end_link(self) -> None:
        if self._link is None:
            return
        target, begin = self._link
        self._link = None
        inside = "".join(self._words[begin:])
        text = inside.strip()
        if target and text and target != text:
            self._words[begin:] = [f"{' ' if inside[0].isspace() else ''}[{text}]({target})"]
            if inside[-1].isspace():
                self._words.append(" ")

    def _end_block(self, name: str) -> None:
        self._flush()
        if name == "pre" and self._pre:
            self._pre -= 1
            self._lines += ["```", ""]
        elif name in ("ul", "ol") and self._lists:
            self._lists.pop()
        if name in _HEADINGS or name in ("li", "blockquote"):
            self._prefix = ""
        if name in _HEADINGS or name in ("p", "table", "blockquote") or (name in ("ul", "ol") and not self._lists):
            self._lines.append("")

    def _flush(self) -> None:
        text = "".join(self._words)
        self._words.clear()
        if self._link is not None:
            self._link = (self._link[0], 0)
        if self._pre:
            self._lines += text.strip("\n").splitlines()
            return
        text = _SPACES.sub(" ", text).strip()
        if text:
            self._lines.append(self._prefix + text)
            self._prefix = ""

    def _target(self, href: str) -> str:
        if not href.strip() or href.lstrip().startswith("#"):
            return ""
        target = _joined(self.address, href.strip())
        is_link = target.startswith(("http://", "https://")) and len(target) <= _MOST_LINK_CHARS
        return target if is_link and target.isprintable() and " " not in target else ""


def _is_hidden(attributes: dict[str, str]) -> bool:
    """Nobody who looks at the page would see it; a trap for readers like this one."""
    is_hidden = "hidden" in attributes or attributes.get("aria-hidden", "").lower() == "true"
    return is_hidden or _HIDDEN_STYLE.search(attributes.get("style", "")) is not None


def _joined(base: str, target: str) -> str:
    try:
        return urljoin(base, target)
    except ValueError:
        return ""
