"""A chat as PDF: the app's own rendering of Markdown, laid out by Qt page by page, beside the window."""

import re
from collections.abc import AsyncGenerator, Mapping, Sequence
from functools import partial

from PySide6.QtCore import QBuffer, QEventLoop, QIODevice, QMarginsF, QRectF, QSizeF, Qt, QUrl
from PySide6.QtGui import (
    QColor,
    QFont,
    QImage,
    QPageLayout,
    QPageSize,
    QPainter,
    QPdfWriter,
    QTextDocument,
)

from desktop.conversation.entities import (
    AttachmentPart,
    ErrorPart,
    Message,
    RemarkPart,
    Role,
    SourcesPart,
    TextPart,
    ThinkingPart,
    Thread,
)
from desktop.conversation.formulas import DrawnFormula, Formula, FormulaDrawer
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
from desktop.core.serial_thread import SerialThread
from desktop.core.settings import Accent, AppearanceSettings
from desktop.ui.interchange.formulas import Drawn, drawn_formulas, with_drawings
from desktop.ui.interchange.html_format import escaped, markdown_parts, pictures_of, small
from desktop.ui.markdown.html_writer import WrittenFormula
from desktop.ui.state.readable import readable
from desktop.ui.theme.sizes import Sizes
from desktop.ui.theme.theme_manager import ThemeManager
from desktop.ui.theme.tokens import tokens_for
from desktop.ui.transcript.blocks.formula_places import FormulaPlaces
from desktop.ui.transcript.formulas import FormulaReceiver, PictureKey, painted
from desktop.ui.transcript.style import document_css

_RESOLUTION = 300
_SCREEN_RESOLUTION = 96
_MARGIN_MM = 18.0
_FOOT_MM = 9.0
_MESSAGES_AT_ONCE = 40
"""Laid out together; the next ones begin on a new page, so that a long chat needs no more memory than a short one."""
_MOST_RESULT = 20_000
"""Characters of a tool's result, and of an attached text, that are printed."""
_MOST_MARKDOWN = 100_000
_LONGEST_LINE = 4_000
_PICTURE_WIDTH = 380
_TEXT_POINTS = 10.0
_FEW_COLUMNS = 7
_TABLE_HEAD = re.compile(r'<table class="grid".*?</thead>', re.DOTALL)


class PdfFormat:
    """See ``conversation.interchange.exporting.ChatFormat``."""

    suffix = ".pdf"
    has_files_beside = False

    def __init__(self, words: ExportWords, theme: ThemeManager, drawer: FormulaDrawer | None = None) -> None:
        """Without a ``drawer`` formulas stand there as they were typed."""
        self._words = words
        self._drawer = drawer
        self._text_font, self._code_font = theme.ui_font(), theme.code_font()

    async def pieces(self, source: Source) -> AsyncGenerator[bytes, None]:
        pages = _PdfPages(self._words, source.thread, self._text_font, self._code_font)
        thread = SerialThread("export as PDF")
        try:
            held, images, drawn = list[Message](), dict[str, bytes](), dict[Formula, DrawnFormula]()
            async for message in source.path():
                held.append(message)
                images |= {key: data for key, (_, data) in (await pictures_of(message, source)).items()}
                drawn |= await drawn_formulas(message, self._drawer, _MOST_MARKDOWN)
                if len(held) == _MESSAGES_AT_ONCE:
                    await thread.run(partial(pages.add, held, images, drawn))
                    held, images, drawn = [], {}, {}
            await thread.run(partial(pages.add, held, images, drawn))
            data = await thread.run(pages.end)
        finally:
            await thread.close()
        yield data


class _Document(QTextDocument):
    """Loads nothing but the pictures that it was given."""

    def __init__(self, images: Mapping[str, QImage], places: FormulaPlaces) -> None:
        super().__init__()
        self._images = images
        self._places = places

    def loadResource(self, kind: int, name: QUrl | str) -> object:  # noqa: N802
        key = name.toString() if isinstance(name, QUrl) else name
        return self._images.get(key) or self._places.image(key)


class _Pictures:
    """The formulas of some messages as pictures, painted when they are asked for."""

    def __init__(self, drawn: Drawn) -> None:
        self._drawn = drawn

    def measures(self, formula: Formula) -> DrawnFormula | None:
        return self._drawn.get(formula)

    def image(self, key: PictureKey, receiver: FormulaReceiver | None) -> QImage:
        formula, size, colour, ratio = key
        return painted(self._drawn[formula], size, colour, ratio)


class _PdfPages:
    """Lays messages out and paints them; everything happens in one thread."""

    def __init__(self, words: ExportWords, thread: Thread, text_font: QFont, code_font: QFont) -> None:
        self._words = words
        self._thread = thread
        self._text_font, self._code_font = QFont(text_font), QFont(code_font)
        self._text_font.setPointSizeF(_TEXT_POINTS)
        self._tokens = tokens_for(Accent.INDIGO, dark=False)
        sizes = Sizes.of(AppearanceSettings(font_size=_TEXT_POINTS, code_font_size=_TEXT_POINTS - 1))
        self._css = document_css(self._tokens, sizes, self._code_font) + self._own_css()
        self._buffer = QBuffer()
        self._painter: QPainter | None = None
        self._events: QEventLoop | None = None
        self._page = 0
        self._drawn: Drawn = {}
        self._formulas: list[WrittenFormula] = []
        """Those of the messages that are being laid out, as they are numbered."""

    def add(self, messages: Sequence[Message], images: Mapping[str, bytes], drawn: Drawn) -> None:
        """Lay out these messages on pages of their own."""
        if self._events is None:
            self._events = QEventLoop()  # a document sets timers, for which its thread needs one
        pictures = {f"picture:{key}": QImage.fromData(data) for key, data in images.items()}
        self._drawn, self._formulas = drawn, []
        places = FormulaPlaces(_Pictures(drawn), None)
        document = _Document({name: image for name, image in pictures.items() if not image.isNull()}, places)
        writer, painter = self._begin()
        document.documentLayout().setPaintDevice(writer)
        document.setDefaultFont(self._text_font)
        document.setDefaultStyleSheet(self._css)
        document.setDocumentMargin(0)
        foot = round(_FOOT_MM / 25.4 * _RESOLUTION)
        width, height = writer.width(), writer.height() - foot
        document.setPageSize(QSizeF(width, height))
        head = self._head() if self._page == 0 else ""
        document.setHtml(f"<body>{head}{''.join(self._message(each, pictures) for each in messages)}</body>")
        widest = width * _SCREEN_RESOLUTION / _RESOLUTION
        places.lay_out(document, self._formulas, QColor(self._tokens.text), _RESOLUTION / _SCREEN_RESOLUTION, widest)
        document.setPageSize(QSizeF(width, height))  # setting the text forgets it
        for page in range(document.pageCount()):
            if self._page:
                writer.newPage()
            self._page += 1
            painter.save()
            painter.translate(0, -page * height)
            document.drawContents(painter, QRectF(0, page * height, width, height))
            painter.restore()
            self._paint_foot(painter, QRectF(0, height, width, foot))

    def end(self) -> bytes:
        """Return the whole file."""
        if self._painter is not None:
            self._painter.end()
        self._buffer.close()
        return bytes(self._buffer.data().data())

    def _begin(self) -> tuple[QPdfWriter, QPainter]:
        if self._painter is None:
            self._buffer.open(QIODevice.OpenModeFlag.WriteOnly)
            writer = QPdfWriter(self._buffer)
            writer.setResolution(_RESOLUTION)
            writer.setTitle(readable(self._thread.title or self._words.new_chat))
            writer.setCreator("Threadwell")
            margins = QMarginsF(_MARGIN_MM, _MARGIN_MM, _MARGIN_MM, _MARGIN_MM - _FOOT_MM / 2)
            writer.setPageLayout(
                QPageLayout(
                    QPageSize(QPageSize.PageSizeId.A4),
                    QPageLayout.Orientation.Portrait,
                    margins,
                    QPageLayout.Unit.Millimeter,
                )
            )
            self._writer = writer
            self._painter = QPainter(writer)
        return self._writer, self._painter

    def _paint_foot(self, painter: QPainter, room: QRectF) -> None:
        font = QFont(self._text_font)
        font.setPointSizeF(8.0)
        painter.save()
        painter.setFont(font)
        painter.setPen(QColor(self._tokens.muted))
        title = painter.fontMetrics().elidedText(
            readable(" ".join((self._thread.title or self._words.new_chat).split())),
            Qt.TextElideMode.ElideRight,
            round(room.width() * 0.8),
        )
        painter.drawText(room, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom, title)
        painter.drawText(room, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignBottom, str(self._page))
        painter.restore()

    def _head(self) -> str:
        words, thread = self._words, self._thread
        facts = small(" · ".join((*times_of(thread, words), words.exported_from)))
        prompt = ""
        if thread.options.system_prompt:
            prompt = f"{small(words.instructions)}{_plain(thread.options.system_prompt)}"
        title = escaped(thread.title or words.new_chat)
        return f"<p class=title>{title}</p>{facts}{prompt}"

    def _message(self, message: Message, pictures: Mapping[str, QImage]) -> str:
        words = self._words
        body = "".join(self._piece(piece, message.role, pictures) for piece in pieces_of(message.parts, self._words))
        foot = small(figures_of(message, words))
        name, at = escaped(speaker_of(message, words)), escaped(words.time(message.created_at))
        who = f"<p class=who><b>{name}</b> <span class=facts>{at}</span></p>"
        return f"{who}{body}{foot}"

    def _piece(self, piece: Piece, role: Role, pictures: Mapping[str, QImage]) -> str:
        words = self._words
        match piece:
            case TextPart() if role is Role.USER:
                return _boxed(_plain(piece.text), self._tokens.user_bubble)
            case TextPart() if len(piece.text) > _MOST_MARKDOWN:
                return _plain(piece.text)
            case TextPart():
                return self._markdown(_broken(piece.text))
            case ThinkingPart():
                return f"{small(words.reasoning)}<div class=quiet>{_plain(piece.text)}</div>"
            case Call():
                return self._call(piece, pictures)
            case AttachmentPart():
                return self._file(piece, pictures)
            case ErrorPart():
                return small(words.error(piece.code, piece.params), "error")
            case RemarkPart():
                return small(words.remark(piece.code, piece.params))
            case SourcesPart():
                lines = "".join(
                    f"<li>{escaped(one.title or one.url)} <i>{escaped(one.url)}</i></li>" for one in piece.sources
                )
                return f"{small(words.sources)}<ul>{lines}</ul>"

    def _markdown(self, text: str) -> str:
        found, formulas = markdown_parts(text, coloured=False)
        before = len(self._formulas)
        self._formulas += formulas
        return with_narrow_columns(with_drawings(found, formulas, self._drawn, before))

    def _call(self, piece: Call, pictures: Mapping[str, QImage]) -> str:
        words, result = self._words, piece.result
        name, end = escaped(words.tool.format(name=piece.name)), escaped(result_line(piece, words))
        inside = f"<p><b>{name}</b> <span class=facts>{end}</span></p>{_code(piece.call.arguments)}"
        shown = ""
        if result is not None:
            inside += _code(result.text) if result.text.strip() else ""
            shown = "".join(_picture(item.attachment_id, pictures) for item in result.items)
        return _boxed(inside, self._tokens.panel) + shown

    def _file(self, part: AttachmentPart, pictures: Mapping[str, QImage]) -> str:
        if picture := _picture(part.attachment_id, pictures):
            return picture
        name = small(f"{self._words.file}: {part.name}")
        return name + (_code(part.text) if part.text else "")

    def _own_css(self) -> str:
        t = self._tokens
        return f"""
p.title {{ font-size: 17pt; font-weight: 600; margin: 0 0 4px 0; line-height: 120%; }}
p.facts, span.facts {{ color: {t.muted}; font-size: 8.5pt; }}
p.who {{ margin: 16px 0 4px 0; }}
p.error {{ color: {t.error}; }}
div.quiet p {{ color: {t.muted}; font-size: 9pt; }}
p.plain {{ margin: 0 0 6px 0; }}
pre {{ white-space: pre-wrap; }}
p.picture {{ line-height: 100%; margin: 0 0 6px 0; }}
td.box {{ padding: 6px 10px; }}
table.many th, table.many td {{ font-size: 6.5pt; padding: 3px 3px; }}
"""


def with_narrow_columns(text: str) -> str:
    """Mark the tables that would have no room for whole words: a page cannot be scrolled."""

    def marked(found: re.Match[str]) -> str:
        columns = found[0].count("<th ")
        return found[0].replace('"grid"', '"grid many"', 1) if columns > _FEW_COLUMNS else found[0]

    return _TABLE_HEAD.sub(marked, text)


def _plain(text: str) -> str:
    return f"<p class=plain>{escaped(_broken(text))}</p>"


def _broken(text: str) -> str:
    """Break lines that are so long that Qt would take minutes to find out where they break."""
    if len(text) <= _LONGEST_LINE:
        return text
    lines = text.split("\n")
    pieces = (line[at : at + _LONGEST_LINE] for line in lines for at in range(0, max(1, len(line)), _LONGEST_LINE))
    return "\n".join(pieces)


def _boxed(inside: str, colour: str) -> str:
    return f'<table width="100%" cellspacing="0" bgcolor="{colour}"><tr><td class="box">{inside}</td></tr></table>'


def _code(text: str) -> str:
    """Return a text as code; of a very long one the beginning."""
    shown = text.rstrip() if len(text) <= _MOST_RESULT else f"{text[:_MOST_RESULT]}\n…"
    return f"<pre>{escaped(_broken(shown))}</pre>"


def _picture(key: str, pictures: Mapping[str, QImage]) -> str:
    image = pictures.get(f"picture:{key}") if key else None
    if image is None or image.isNull():
        return ""
    return f'<p class=picture><img src="picture:{key}" width="{min(_PICTURE_WIDTH, image.width())}"></p>'
