"""What was sent to the model for an answer: its requests to choose from, every part of one, and what was left out."""

import asyncio
import json
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from PySide6.QtCore import QDateTime, QEvent, QLocale, QModelIndex, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QComboBox,
    QDialogButtonBox,
    QHBoxLayout,
    QListView,
    QPushButton,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from desktop.conversation.request_records import Purpose, RequestRecord
from desktop.ui.controls import Words, announce, describe, text_of
from desktop.ui.dialogs.parts import plain_label, set_plain
from desktop.ui.dialogs.returning_dialog import ReturningDialog
from desktop.ui.endpoints.parts import words
from desktop.ui.inspector.detail_view import DetailView
from desktop.ui.inspector.row_list import ROW, RowDelegate, RowModel
from desktop.ui.inspector.rows import Row, number, rows_of, tokens_by_section, translate
from desktop.ui.inspector.share_bar import ShareBar
from desktop.ui.inspector.words import NOT_KEPT, PURPOSES
from desktop.ui.search_field import SearchField
from desktop.ui.theme.theme_manager import ThemeManager

_WIDTH, _HEIGHT = 960, 720
_SEARCH_MS = 200
_MOST_OF_HEADING = 1_000
_SIDE_BY_SIDE = 640
"""Pixels at the usual text size from which on the list and the text have room beside each other."""


class InspectorDialog(ReturningDialog):
    """Opened with ``open()``; ``show_requests`` fills it.

    Signals:
        save_requested: what is shown is to be saved as JSON; True for the whole chat.
        copy_requested: the request is to be copied as JSON.
        body_wanted: the exact request is to be made into a text (``show_body``); carries the record.
        place_requested: where a row comes from is to be shown.
    """

    save_requested = Signal(bool)
    copy_requested = Signal()
    body_wanted = Signal(object)
    place_requested = Signal(object)

    def __init__(self, parent: QWidget | None, theme: ThemeManager) -> None:
        super().__init__(parent)
        self._theme = theme
        self._records: tuple[RequestRecord, ...] | None = None
        self._texts: Mapping[str, str] = {}
        self._rows: list[Row] = []
        self._is_running = False
        self._bodies: dict[str, str] = {}
        self.setObjectName("inspector")
        self.setProperty("prompt", True)
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self._title, self._description = words("title"), words("muted", "inspectorFigures")
        self._requests = QComboBox()
        self._requests.setObjectName("inspectorRequests")
        self._requests.setMinimumContentsLength(12)
        self._requests.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self._requests.currentIndexChanged.connect(self._show_record)
        self._shares = ShareBar(theme)
        self._search = SearchField("inspectorSearch", theme)
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(_SEARCH_MS)
        self._pause.timeout.connect(self._filter)
        self._search.textChanged.connect(lambda: self._pause.start())
        self._model = RowModel(self)
        self._list = QListView()
        self._list.setObjectName("inspectorList")
        self._list.setMouseTracking(True)
        self._list.setModel(self._model)
        self._list.setItemDelegate(RowDelegate(theme, self))
        self._list.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._list.selectionModel().currentChanged.connect(self._show_row)
        self._details = DetailView(theme)
        self._details.place_requested.connect(self._go_to_place)
        self._nothing = plain_label("", "muted")
        self._nothing.setObjectName("inspectorNothing")
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._news_words: Words = ""
        self._news = plain_label("", "muted")
        self._news.setObjectName("inspectorNews")
        self._news.hide()
        self._arrange()
        theme.changed.connect(self._restyle)
        self.retranslate()

    @property
    def record(self) -> RequestRecord | None:
        """The request that is shown."""
        place = self._requests.currentIndex()
        return self._records[place] if self._records and 0 <= place < len(self._records) else None

    @property
    def records(self) -> tuple[RequestRecord, ...]:
        """All requests of the answer."""
        return self._records or ()

    @property
    def row(self) -> Row | None:
        """The row that is chosen."""
        return self._list.currentIndex().data(ROW)

    def show_requests(
        self, records: Sequence[RequestRecord], *, is_running: bool, texts: Mapping[str, str] = MappingProxyType({})
    ) -> None:
        """Show the requests of an answer, the last one first; ``is_running`` while it is still written.

        ``texts`` are as in ``rows_of``.
        """
        self._records, self._texts, self._is_running = tuple(records), texts, is_running
        self._fill_requests()
        self._show_record()
        # Until now nothing of the list was there to have the focus.
        (self._list if self.record is not None else self._close).setFocus()

    def show_body(self, record: RequestRecord, text: str) -> None:
        """Show the exact request as a text, if it is still wanted."""
        self._bodies[record.id] = text
        if (row := self.row) is not None and row.is_body and self.record is record:
            self._show_row(self._list.currentIndex())

    def say(self, news: Words) -> None:
        """Say what became of a request above the buttons, and to a screen reader."""
        self._news_words = news
        self._show_news()
        announce(self._news, text_of(news))

    def retranslate(self) -> None:
        self.setWindowTitle(self.tr("What was sent"))
        self._title.setText(self.windowTitle())
        self._requests.setAccessibleName(self.tr("Request"))
        self._search.setPlaceholderText(self.tr("Search in what was sent"))
        self._search.setAccessibleName(self._search.placeholderText())
        self._list.setAccessibleName(self.tr("Parts of the request"))
        self._save.setText(self.tr("Save as JSON…"))
        self._save_all.setText(self.tr("Save chat…"))
        describe(self._save_all, self.tr("Save what was sent in all of this chat, as JSON"))
        self._copy.setText(self.tr("Copy JSON"))
        self._close.setText(self.tr("Close"))
        self._show_news()
        self._fill_requests()
        self._show_record()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        is_wide = self.width() >= self._theme.px(_SIDE_BY_SIDE)
        way = Qt.Orientation.Horizontal if is_wide else Qt.Orientation.Vertical
        if self._splitter.orientation() is not way:
            self._splitter.setOrientation(way)

    def _arrange(self) -> None:
        self._splitter = QSplitter(Qt.Orientation.Horizontal)
        self._splitter.setObjectName("inspectorSplitter")
        self._splitter.setChildrenCollapsible(False)
        self._splitter.setHandleWidth(12)
        self._splitter.addWidget(self._list)
        self._splitter.addWidget(self._details)
        self._splitter.setStretchFactor(0, 4)
        self._splitter.setStretchFactor(1, 5)
        buttons = QDialogButtonBox()
        roles = QDialogButtonBox.ButtonRole
        self._save, self._save_all, self._copy, self._close = (QPushButton() for _ in range(4))
        for button, name, role in (
            (self._save, "inspectorSave", roles.ActionRole),
            (self._save_all, "inspectorSaveChat", roles.ActionRole),
            (self._copy, "inspectorCopy", roles.ActionRole),
            (self._close, "inspectorClose", roles.RejectRole),
        ):
            button.setObjectName(name)
            button.setAutoDefault(False)
            buttons.addButton(button, role)
        self._save.clicked.connect(lambda: self.save_requested.emit(False))
        self._save_all.clicked.connect(lambda: self.save_requested.emit(True))
        self._copy.clicked.connect(self.copy_requested)
        self._close.clicked.connect(self.reject)
        finding = QHBoxLayout()
        finding.setSpacing(8)
        finding.addWidget(self._requests, 1)
        finding.addWidget(self._search, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(22, 20, 22, 18)
        layout.setSpacing(10)
        layout.addWidget(self._title)
        layout.addWidget(self._description)
        layout.addWidget(self._shares)
        layout.addLayout(finding)
        layout.addWidget(self._splitter, 1)
        layout.addWidget(self._nothing, 1)
        layout.addWidget(self._news)
        layout.addWidget(buttons)
        self.setMinimumSize(420, 400)
        self.resize(self._theme.px(_WIDTH), self._theme.px(_HEIGHT))

    def _show_news(self) -> None:
        news = text_of(self._news_words)
        set_plain(self._news, news)
        self._news.setVisible(bool(news))

    def _fill_requests(self) -> None:
        records = self._records or ()
        chosen = self._requests.currentIndex()
        self._requests.blockSignals(True)
        self._requests.clear()
        own = [place for place, record in enumerate(records) if record.purpose is Purpose.ANSWER]
        for place, record in enumerate(records):
            self._requests.addItem(_request_words(record, own.index(place) + 1 if place in own else 0, len(own)))
        last = own[-1] if own else len(records) - 1
        self._requests.setCurrentIndex(chosen if 0 <= chosen < len(records) else last)
        self._requests.blockSignals(False)
        self._requests.setVisible(len(records) > 1)

    def _show_record(self) -> None:
        record = self.record
        has_record = record is not None
        for widget in (self._splitter, self._search, self._description):
            widget.setVisible(has_record)
        for button in (self._save, self._copy):
            button.setVisible(has_record)
        self._nothing.setVisible(not has_record)
        if record is None:
            set_plain(self._nothing, self._why_nothing())
            self._shares.show_shares({})
            return
        self._description.setText(_figures(record))
        self._shares.show_shares(tokens_by_section(record))
        self._rows = rows_of(record, self._texts)
        self._filter()

    def _why_nothing(self) -> str:
        if self._records is None:
            return self.tr("One moment…")
        if self._is_running:
            return self.tr("Nothing was sent yet.")
        return self.tr(
            "Of this answer there is no record: it is older than the record, was brought in from elsewhere, or failed"
            " before anything was sent."
        )

    def _filter(self) -> None:
        """Show the rows that hold what is searched for, and the first of them."""
        searched = self._search.text().strip().casefold()
        rows = self._rows
        if searched:
            rows = [row for row in rows if not row.is_heading and _holds(row, searched)]
        before, count = self._list.currentIndex(), len(self._model.rows)
        was, number_before = before.data(ROW), before.row()
        self._model.show_rows(rows)
        places = [place for place, row in enumerate(rows) if not row.is_heading]
        kept = next((place for place in places if rows[place] is was), places[0] if places else -1)
        if count == len(rows) and number_before in places:  # the same in another language, or of another request
            kept = number_before
        if kept >= 0:
            self._list.setCurrentIndex(self._model.index(kept))
        else:
            self._details.show_text(self.tr("Nothing matches."), "", can_go=False)
        if searched and self._search.hasFocus():
            announce(self._search, self.tr("%Ln matches", "", len(places)))

    def _show_row(self, index: QModelIndex) -> None:
        row: Row | None = index.data(ROW)
        record = self.record
        if row is None or record is None or row.is_heading:
            return
        text = translate("inspector", NOT_KEPT) if row.text is None else row.text
        if row.is_body:
            text = self._bodies.get(record.id, "")
            if not text:
                text = self.tr("One moment…")
                self.body_wanted.emit(record)
        can_go = bool(row.message_id) or row.recalled is not None
        self._details.show_text(_heading(row, text), text, can_go=can_go, searched=self._search.text().strip())

    def _go_to_place(self) -> None:
        if (row := self.row) is not None:
            self.place_requested.emit(row)

    def _restyle(self) -> None:
        self._list.scheduleDelayedItemsLayout()


async def body_text(record: RequestRecord) -> str:
    """Return the exact request as indented JSON; takes its time for a large one, in a thread."""
    return await asyncio.to_thread(lambda: json.dumps(record.body, ensure_ascii=False, indent=2))


def _heading(row: Row, text: str) -> str:
    """Return the section of a row, and its title where that is not how its text begins."""
    section = translate("inspector", row.section.value)
    begins = " ".join(text[:_MOST_OF_HEADING].split()).startswith(row.title)
    return section if begins else f"{section} · {row.title}"


def _holds(row: Row, searched: str) -> bool:
    return any(searched in text.casefold() for text in (row.title, row.snippet, row.text or ""))


def _request_words(record: RequestRecord, place: int, count: int) -> str:
    time = QDateTime.fromSecsSinceEpoch(int(record.sent_at.timestamp())).time()
    said = translate("inspector", "Request %1 of %2").replace("%1", number(place)).replace("%2", number(count))
    if record.purpose is not Purpose.ANSWER:
        said = translate("inspector", PURPOSES[record.purpose])
    return " · ".join((said, QLocale().toString(time, QLocale.FormatType.ShortFormat), _end_words(record)))


def _end_words(record: RequestRecord) -> str:
    outcome = record.outcome
    if outcome.error_code:
        return translate("inspector", "failed")
    ends = {
        "stop": translate("inspector", "answered"),
        "tool_calls": translate("inspector", "asked for tools"),
        "length": translate("inspector", "cut at the longest length"),
        "content_filter": translate("inspector", "stopped by the provider's filter"),
        "refusal": translate("inspector", "refused"),
        "stopped": translate("inspector", "stopped"),
        "asked_again": translate("inspector", "refused, and sent again in another form"),
    }
    return ends.get(outcome.finish, translate("inspector", "without an end"))


def _figures(record: RequestRecord) -> str:
    count = record.tokens
    guessed = translate("inspector", "about %Ln tokens, a rough guess", "", count)
    counted = translate("inspector", "about %Ln tokens by our count", "", count)
    figures = [translate("inspector", PURPOSES[record.purpose])] if record.purpose is not Purpose.ANSWER else []
    figures.append(guessed if record.are_tokens_guessed else counted)
    if (reported := record.outcome.usage.input_tokens) is not None:
        figures.append(translate("inspector", "%Ln counted by the provider", "", reported))
    if record.outcome.seconds is not None:
        figures.append(translate("inspector", "%1 s").replace("%1", QLocale().toString(record.outcome.seconds, "f", 1)))
    figures.append(_end_words(record))
    if record.sums:
        figures.append(translate("inspector", "only sums are kept"))
    return " · ".join(figures)
