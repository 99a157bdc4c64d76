"""A chat as Markdown for people: the path that is shown, with reasoning, tool calls and files where they happened."""

import re
from collections.abc import Mapping
from urllib.parse import quote

from desktop.conversation.entities import (
    AttachmentKind,
    AttachmentPart,
    ErrorPart,
    Message,
    RemarkPart,
    SourcesPart,
    TextPart,
    ThinkingPart,
    Thread,
)
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

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})(.*)")
_SPECIAL = re.compile(r"([\\`*_\[\]<>#|])")


class MarkdownWriter:
    """Writes one chat piece by piece. ``files`` says where the bytes of attached files stand, by their ids."""

    def __init__(self, words: ExportWords, files: Mapping[str, str]) -> None:
        self._words = words
        self._files = files

    def head(self, thread: Thread) -> str:
        """Return what stands above the first message."""
        words = self._words
        lines = [f"# {_escaped(thread.title or words.new_chat)}", ""]
        lines += [f"- {line}" for line in times_of(thread, words)]
        if thread.options.system_prompt:
            lines += ["", f"**{words.instructions}**", "", _quoted(thread.options.system_prompt)]
        return "\n".join(lines) + "\n"

    def message(self, message: Message) -> str:
        """Return a message with what stands around it."""
        words = self._words
        blocks = [f"## {_escaped(speaker_of(message, words))} · {words.time(message.created_at)}"]
        blocks += [block for piece in pieces_of(message.parts, self._words) if (block := self._piece(piece))]
        if figures := figures_of(message, words):
            blocks.append(f"*{figures}*")
        return "\n---\n\n" + "\n\n".join(blocks) + "\n"

    def _piece(self, piece: Piece) -> str:
        words = self._words
        match piece:
            case TextPart():
                return closed(piece.text.strip("\n"))
            case ThinkingPart():
                return _quoted(f"**{words.reasoning}**\n\n{closed(piece.text.strip())}")
            case Call():
                return self._call(piece)
            case AttachmentPart():
                return self._file(piece)
            case ErrorPart():
                return f"**⚠ {_escaped(words.error(piece.code, piece.params))}**"
            case RemarkPart():
                return f"*{_escaped(words.remark(piece.code, piece.params))}*"
            case SourcesPart():
                lines = [f"- {_link(source.title or source.url, source.url)}" for source in piece.sources]
                return "\n".join((f"**{words.sources}**", "", *lines))

    def _call(self, piece: Call) -> str:
        words, result = self._words, piece.result
        blocks = [f"**🔧 {_escaped(words.tool.format(name=piece.name))}**", fenced(piece.call.arguments, "json")]
        if result is not None:
            blocks.append(f"{words.result}: {result_line(piece, words)}")
            if result.text.strip():
                blocks.append(fenced(result.text, "text"))
            places = [(item.file_name or item.name, self._files.get(item.attachment_id, "")) for item in result.items]
            blocks += [f"📎 {_link(name or words.file, place)}" for name, place in places if place]
        return "\n\n".join(blocks)

    def _file(self, part: AttachmentPart) -> str:
        place = self._files.get(part.attachment_id, "")
        if part.kind is AttachmentKind.IMAGE and place:
            return f"!{_link(part.name, place)}"
        name = _link(part.name, place) if place else _escaped(part.name)
        if place or not part.text:
            return f"📎 {self._words.file}: {name}"
        return f"📎 {self._words.file}: {name}\n\n{fenced(part.text, 'text')}"


def closed(text: str) -> str:
    """Return Markdown in which no code block is left open: it would swallow what follows."""
    mark = ""
    for line in text.split("\n"):
        if (found := _FENCE.match(line)) is None:
            continue
        fence, rest = found.groups()
        if not mark:
            mark = fence if fence[0] == "~" or "`" not in rest else ""
        elif fence[0] == mark[0] and len(fence) >= len(mark) and not rest.strip():
            mark = ""
    return f"{text}\n{mark}" if mark else text


def fenced(text: str, language: str = "") -> str:
    """Return a text as a code block that it cannot end itself."""
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    mark = "`" * max(3, longest + 1)
    return f"{mark}{language}\n{text.rstrip()}\n{mark}"


def _quoted(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in text.strip().split("\n"))


def _escaped(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))


def _link(label: str, place: str) -> str:
    return f"[{_escaped(label)}]({quote(place, safe='/:?#@!$&=+,;%~')})"
