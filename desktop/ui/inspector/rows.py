"""The rows of the inspector: a recorded request in the words of the language, in the order of its sections."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from PySide6.QtCore import QCoreApplication, QLocale

from desktop.conversation.entities import RecalledRef
from desktop.conversation.request_records import (
    KEPT_DAYS,
    MOST_BYTES,
    LeftOut,
    LeftOutKind,
    Piece,
    PieceKind,
    PieceSum,
    RequestRecord,
    SentMessage,
)
from desktop.memory.injection import MOST_DOCUMENT_TOKENS, MOST_STANDING_TOKENS, MOST_TOKENS
from desktop.ui.inspector.words import (
    ALL_PARTS,
    KINDS,
    LEFT_OUT,
    NOT_KEPT,
    ONLY_SUMS,
    SECTION_OF,
    SILENCES,
    SUMS,
    Section,
)
from desktop.ui.state.readable import readable
from desktop.ui.transcript.blocks.status_line import remark_words

_MOST_OF_LINE = 240
_MOST_OF_NAME = 80
_MOST_NAMES = 40

translate = QCoreApplication.translate


@dataclass(frozen=True, kw_only=True)
class Row:
    """One line of the list, and what is shown of it when it is chosen."""

    section: Section
    title: str
    snippet: str = ""
    text: str | None = ""
    """In full; None where it is not kept."""
    tokens: int | None = None
    is_heading: bool = False
    message_id: str = ""
    """The message of this chat that it comes from."""
    recalled: RecalledRef | None = None
    """Where it can be found."""
    is_body: bool = False
    """Its text is made when it is wanted: the whole request as JSON."""


def number(value: float) -> str:
    return QLocale().toString(value) if isinstance(value, int) else QLocale().toString(value, "f", 2)


def tokens_by_section(record: RequestRecord) -> dict[Section, int]:
    """Return what each part takes; together all of it."""
    found: dict[Section, int] = {}
    for message in record.messages:
        around = message.tokens - sum(piece.tokens for piece in message.pieces)
        for place, piece in enumerate(message.pieces):
            section = SECTION_OF.get(piece.kind, Section.MESSAGES)
            found[section] = found.get(section, 0) + piece.tokens + (0 if place else around)
    if record.tools:
        found[Section.TOOLS] = sum(tool.tokens for tool in record.tools)
    for each in record.sums:
        section = SECTION_OF.get(each.kind, Section.MESSAGES)
        found[section] = found.get(section, 0) + each.tokens
    return {section: found[section] for section in Section if section in found}


def rows_of(record: RequestRecord, texts: Mapping[str, str] = MappingProxyType({})) -> list[Row]:
    """Return all rows, each section with its heading; a section without anything is left out.

    ``texts`` are those of memories that were left out, by their keys, as far as they are still there.
    """
    rows = {section: list[Row]() for section in Section}
    for message in record.messages:
        for piece in message.pieces:
            section = SECTION_OF.get(piece.kind, Section.MESSAGES)
            rows[section] += (
                _memories(record, piece) if section is Section.MEMORIES else [_piece(section, message, piece)]
            )
    if not rows[Section.MEMORIES] and record.recall is not None:
        rows[Section.MEMORIES] = [_unkept(ref) for ref in record.recall.found]
    rows[Section.TOOLS] = [_tool(tool) for tool in record.tools]
    for each in record.sums:
        section = SECTION_OF.get(each.kind, Section.MESSAGES)
        rows[section].append(_sum(section, each))
    for each in (*record.left_out, *record.outcome.remarks):
        rows[Section.LEFT_OUT] += (
            _no_room(each, record, texts) if each.kind is LeftOutKind.NO_ROOM else [_left_out(each)]
        )
    rows[Section.OPTIONS] = list(_options(record))
    rows[Section.TOKENS] = list(_tokens(record))
    rows[Section.EXACT] = [_exact(record), _kept()]
    tokens = tokens_by_section(record)
    out: list[Row] = []
    for section, own in rows.items():
        if own:
            title = translate("inspector", section.value)
            out.append(Row(section=section, title=title, tokens=tokens.get(section), is_heading=True))
            out += own
    return out


def _line(text: str) -> str:
    return " ".join(readable(text[: 4 * _MOST_OF_LINE]).split())[:_MOST_OF_LINE]


def _name(text: str) -> str:
    name = readable(text)
    return name if len(name) <= _MOST_OF_NAME else name[:_MOST_OF_NAME] + "…"


def _piece(section: Section, message: SentMessage, piece: Piece) -> Row:
    if section is not Section.MESSAGES:
        text = translate("inspector", NOT_KEPT) if piece.text is None else piece.text
        return Row(section=section, title=_line(text), text=piece.text, tokens=piece.tokens)
    if piece.kind is PieceKind.TEXT:
        title = translate("inspector", "You") if message.role == "user" else translate("inspector", "The answer")
    else:
        title = translate("inspector", KINDS.get(piece.kind, piece.kind.value)).replace("%1", _name(piece.name))
    text = piece.text
    if piece.kind is PieceKind.IMAGE:
        size = QLocale().formattedDataSize(piece.size)
        text = translate("inspector", "Of an image, its size and a checksum are recorded, not the picture itself.")
        text = f"{text}\n\n{piece.name}\n{size}\n{piece.detail}"
    return Row(
        section=section,
        title=title,
        snippet=_line(translate("inspector", NOT_KEPT) if text is None else text),
        text=text,
        tokens=piece.tokens,
        message_id=message.origins[-1] if message.origins else "",
    )


def _sum(section: Section, each: PieceSum) -> Row:
    title = translate("inspector", SUMS.get(each.kind, ALL_PARTS))
    count = each.count
    parts = translate("inspector", "%Ln parts", "", count)
    figures = " · ".join((parts, QLocale().formattedDataSize(each.size)))
    kept = translate("inspector", "only the sum is kept")
    return Row(
        section=section,
        title=title,
        snippet=f"{figures} · {kept}",
        text="\n\n".join((figures, translate("inspector", ONLY_SUMS))),
        tokens=each.tokens,
    )


def _memories(record: RequestRecord, piece: Piece) -> list[Row]:
    """A row for each memory, with its score, and one for the block as the model read it."""
    refs = {ref.id: ref for ref in (record.recall.found if record.recall else ())}
    rows: list[Row] = []
    for line in (piece.text or "").splitlines():
        fields = _json_object(line)
        if (ref := refs.pop(str(fields.get("id", "")), None)) is not None:
            said = str(fields.get("text", ""))
            detail = "\n\n".join((said, reasons(ref), translate("inspector", "As the model read it:") + "\n" + line))
            rows.append(
                Row(section=Section.MEMORIES, title=_line(said), snippet=short_reason(ref), text=detail, recalled=ref)
            )
    if piece.text is None:
        rows += [_unkept(ref) for ref in refs.values()]
    whole = Row(
        section=Section.MEMORIES,
        title=translate("inspector", "All of it, as the model read it"),
        snippet=_line(translate("inspector", NOT_KEPT) if piece.text is None else piece.text),
        text=piece.text,
        tokens=piece.tokens,
    )
    return [*rows, whole]


def _unkept(ref: RecalledRef) -> Row:
    return Row(
        section=Section.MEMORIES,
        title=translate("inspector", "A memory"),
        snippet=short_reason(ref),
        text=reasons(ref),
        recalled=ref,
    )


def short_reason(ref: RecalledRef) -> str:
    """Return why something was recalled, in one line."""
    ways = [translate("inspector", "shared words")] if ref.words > 0 else []
    ways += [translate("inspector", "likeness of meaning")] if (ref.meaning or 0) > 0 else []
    if not ref.words and ref.meaning is None:
        return translate("inspector", "pinned")
    return " · ".join((translate("inspector", "Score %1").replace("%1", number(float(ref.score))), *ways))


def reasons(ref: RecalledRef) -> str:
    """Return why something was recalled, with the figures."""
    kinds = {
        "fact": translate("inspector", "a memory"),
        "message": translate("inspector", "a message of another chat"),
        "document": translate("inspector", "a piece of a document"),
    }
    lines = [
        translate("inspector", "This is %1.").replace("%1", kinds.get(ref.kind, ref.kind)),
        translate("inspector", "Score: %1 of 1").replace("%1", number(float(ref.score))),
        translate("inspector", "Shared words: %1 (0 where there are none)").replace("%1", number(float(ref.words))),
        translate("inspector", "Likeness of meaning: %1 (about 0 for unrelated texts)").replace(
            "%1", translate("inspector", "not looked at") if ref.meaning is None else number(ref.meaning)
        ),
        f"ID: {ref.kind}:{ref.id}",
    ]
    return "\n".join(lines)


def _tool(tool: Piece) -> Row:
    fields = _json_object(tool.text or "")
    text = None if tool.text is None else json.dumps(fields, ensure_ascii=False, indent=2)
    snippet = translate("inspector", NOT_KEPT) if tool.text is None else str(fields.get("description", ""))
    return Row(section=Section.TOOLS, title=_name(tool.name), snippet=_line(snippet), text=text, tokens=tool.tokens)


def _no_room(each: LeftOut, record: RequestRecord, texts: Mapping[str, str]) -> list[Row]:
    """A row that says how many memories did not fit, and one for each."""
    told = translate("inspector", "Memories that were found but had no room: %1").replace("%1", number(each.count))
    most = translate(
        "inspector",
        "At most about %1 tokens of memories, %2 of documents and %3 of wishes go along with a message. These had a lower"
        " score than those that went along, or were longer than what was left of the room.",
    )
    for place, count in enumerate((MOST_TOKENS, MOST_DOCUMENT_TOKENS, MOST_STANDING_TOKENS), start=1):
        most = most.replace(f"%{place}", number(count))
    rows = [Row(section=Section.LEFT_OUT, title=told, snippet=_line(most), text=f"{told}\n\n{most}")]
    refs = {f"{ref.kind}:{ref.id}": ref for ref in (record.recall.no_room if record.recall else ())}
    for key in each.names:
        kind, _, ref_id = key.partition(":")
        ref = refs.get(key) or RecalledRef(kind=kind, id=ref_id, score=0.0, words=0.0, meaning=None)
        why = short_reason(ref) if key in refs else translate("inspector", "a standing wish")
        said = texts.get(key, "")
        title = said or translate("inspector", "A memory that is not there any more")
        rows.append(
            Row(
                section=Section.LEFT_OUT,
                title=_line(title),
                snippet=" · ".join((translate("inspector", "no room"), why)),
                text="\n\n".join((title, reasons(ref) if key in refs else why)),
                recalled=ref,
            )
        )
    return rows


def _left_out(each: LeftOut) -> Row:
    names = [_name(name) for name in each.names[:_MOST_NAMES]]
    if each.kind is LeftOutKind.REMARK:
        code = each.names[0] if each.names else ""
        text = remark_words(code, each.params or {})
    elif each.kind is LeftOutKind.WINDOW:
        count = each.count
        text = translate(
            "inspector",
            "Older messages of this chat that did not go along: %Ln. The request holds the newest ones.",
            "",
            count,
        )
    elif each.kind is LeftOutKind.RECALL:
        code = each.names[0] if each.names else ""
        text = translate("inspector", SILENCES.get(code, code))
    else:
        more = [f"… (+{len(each.names) - _MOST_NAMES})"] if len(each.names) > _MOST_NAMES else []
        text = translate("inspector", LEFT_OUT[each.kind]).replace("%1", ", ".join((*names, *more)))
    full = (
        "\n".join((text, "", *map(readable, each.names)))
        if each.kind in (LeftOutKind.TOOL, LeftOutKind.IMAGE)
        else text
    )
    return Row(section=Section.LEFT_OUT, title=_line(text), text=full)


def _options(record: RequestRecord) -> Iterator[Row]:
    sampling = record.sampling
    unset = translate("inspector", "left to the provider")
    values: Sequence[tuple[str, object]] = (
        (translate("inspector", "Model"), _name(record.model)),
        (translate("inspector", "Temperature"), sampling.temperature),
        (translate("inspector", "Top P"), sampling.top_p),
        (translate("inspector", "Longest answer, in tokens"), sampling.max_output_tokens),
        (translate("inspector", "Reasoning"), None if record.thinking is None else record.thinking.value),
    )
    for name, value in values:
        shown = unset if value is None else str(value)
        yield Row(section=Section.OPTIONS, title=name, snippet=shown, text=f"{name}: {shown}")
    if record.goes_on:
        text = translate("inspector", "The model was asked to go on with an answer that had broken off.")
        yield Row(section=Section.OPTIONS, title=_line(text), text=text)


def _tokens(record: RequestRecord) -> Iterator[Row]:
    usage = record.outcome.usage
    unknown = translate("inspector", "not reported")
    ours = (
        translate("inspector", "about %1, a rough guess")
        if record.are_tokens_guessed
        else translate("inspector", "about %1")
    )
    values = (
        (translate("inspector", "Sent, by our own count"), ours.replace("%1", number(record.tokens))),
        (
            translate("inspector", "Sent, as the provider counted"),
            unknown if usage.input_tokens is None else number(usage.input_tokens),
        ),
        (
            translate("inspector", "Of these read before, from its cache"),
            unknown if usage.cached_input_tokens is None else number(usage.cached_input_tokens),
        ),
        (
            translate("inspector", "Answered, as the provider counted"),
            unknown if usage.output_tokens is None else number(usage.output_tokens),
        ),
        (
            translate("inspector", "Of these for reasoning"),
            unknown if usage.thinking_tokens is None else number(usage.thinking_tokens),
        ),
    )
    for name, value in values:
        yield Row(section=Section.TOKENS, title=name, snippet=value, text=f"{name}: {value}")


def _exact(record: RequestRecord) -> Row:
    title = translate("inspector", "The whole request as JSON")
    if record.sums:
        text = translate("inspector", ONLY_SUMS)
        return Row(section=Section.EXACT, title=title, snippet=_line(text), text=text)
    if not record.http:
        text = translate("inspector", "The demo model is part of the program: nothing was sent over the network.")
        return Row(section=Section.EXACT, title=title, snippet=_line(text), text=text)
    if not record.is_whole:
        return Row(section=Section.EXACT, title=title, snippet=_line(translate("inspector", NOT_KEPT)), text=None)
    note = translate(
        "inspector",
        "Exactly the body that was sent; keys and addresses are not part of it, images stand there as checksums.",
    )
    return Row(section=Section.EXACT, title=title, snippet=_line(note), is_body=True)


def _kept() -> Row:
    days = translate(
        "inspector",
        "What was sent is kept part by part for %Ln days, and up to %1 of it in all chats.",
        "",
        KEPT_DAYS,
    )
    rest = translate(
        "inspector",
        "Of what is older only sums are kept. What is forgotten or deleted for good goes from here, too.",
    )
    text = f"{days.replace('%1', QLocale().formattedDataSize(MOST_BYTES, 0))} {rest}"
    return Row(
        section=Section.EXACT, title=translate("inspector", "How long this is kept"), snippet=_line(text), text=text
    )


def _json_object(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
