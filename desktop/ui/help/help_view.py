"""Shows one part of the help: text and pictures of the app's own, no wider than the view. It fetches and opens nothing."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QPoint, QSize, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import QColor, QImage, QResizeEvent, QTextCharFormat, QTextCursor, QTextDocument
from PySide6.QtWidgets import QFrame, QTextBrowser, QTextEdit, QWidget

from desktop.ui.help.help_html import PICTURE_SCHEME, help_html
from desktop.ui.help.pages import HelpPart, picture_file
from desktop.ui.markdown.html_writer import Link
from desktop.ui.theme.theme_manager import ThemeManager
from desktop.ui.transcript.style import document_css

_MARGIN = 18
_SCALE = 1.5
"""Pictures are taken on a screen with 150 % scaling."""
_SETTLE_MS = 60


class HelpView(QTextBrowser):
    """``link_followed`` carries the address and the words of a link that was clicked or entered."""

    link_followed = Signal(str, str)

    def __init__(self, theme: ThemeManager, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._part = HelpPart("", "")
        self._language = ""
        self._links: Sequence[Link] = ()
        self._words: Sequence[str] = ()
        self.setObjectName("helpView")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setOpenLinks(False)
        self.setUndoRedoEnabled(False)
        self.document().setDocumentMargin(_MARGIN)
        self.anchorClicked.connect(self._follow)
        self._resized = QTimer(self, singleShot=True, interval=_SETTLE_MS)
        self._resized.timeout.connect(self._render)
        theme.changed.connect(self._render)

    def show_part(self, part: HelpPart, language: str, words: Sequence[str] = ()) -> None:
        """Show a part from its beginning, with these words marked."""
        self._part, self._language, self._words = part, language, words
        self._render()
        self._go_to(0)

    def loadResource(self, kind: int, name: QUrl | str) -> Any:  # noqa: N802
        """Return a picture of the help as wide as there is room; nothing else is ever loaded."""
        url = QUrl(name)
        if kind != QTextDocument.ResourceType.ImageResource.value or url.scheme() != PICTURE_SCHEME:
            return None
        file = picture_file(url.path(), self._theme.tokens.name, self._language)
        image = QImage(str(file)) if file is not None else QImage()
        return None if image.isNull() else self._fitted(image)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._resized.start()

    def _fitted(self, image: QImage) -> QImage:
        """A document would draw it with rough edges, so it is scaled before."""
        ratio = self.devicePixelRatioF()
        bar = self.verticalScrollBar().sizeHint().width()
        room = max(120, self.width() - 2 * _MARGIN - bar)
        width = round(min(room, image.width() / _SCALE) * ratio)
        size = QSize(width, round(image.height() * width / image.width()))
        way = Qt.TransformationMode.SmoothTransformation
        fitted = image.scaled(size, Qt.AspectRatioMode.IgnoreAspectRatio, way)
        fitted.setDevicePixelRatio(ratio)
        return fitted

    def _render(self) -> None:
        theme, document = self._theme, self.document()
        place = self.verticalScrollBar().value()
        look = theme.tokens.name
        text, self._links = help_html(self._part, lambda name: picture_file(name, look, self._language) is not None)
        document.clear()
        document.setDefaultFont(theme.ui_font())
        document.setDefaultStyleSheet(document_css(theme.tokens, theme.sizes, theme.code_font()))
        document.setHtml(text)
        self.setAccessibleName(self._part.title)
        self._mark()
        self._go_to(place)

    def _go_to(self, place: int) -> None:
        """Show what stands so far down; the cursor goes along, since the view follows it when its size changes."""
        self.moveCursor(QTextCursor.MoveOperation.Start)
        self.verticalScrollBar().setValue(place)
        if place:
            self.setTextCursor(self.cursorForPosition(QPoint(_MARGIN, 0)))
            self.verticalScrollBar().setValue(place)

    def _mark(self) -> None:
        form = QTextCharFormat()
        form.setBackground(QColor(self._theme.tokens.warning_background))
        marks: list[QTextEdit.ExtraSelection] = []
        for word in self._words:
            found = self.document().find(word, 0)
            while not found.isNull() and len(marks) < 200:
                mark = QTextEdit.ExtraSelection()
                mark.cursor, mark.format = QTextCursor(found), form  # pyright: ignore[reportAttributeAccessIssue]
                marks.append(mark)
                found = self.document().find(word, found)
        self.setExtraSelections(marks)

    def _follow(self, url: QUrl) -> None:
        number = url.fragment()
        if number.isdecimal() and int(number) < len(self._links):
            link = self._links[int(number)]
            self.link_followed.emit(link.target, link.label)
