"""What answers used in each month, by model: a table as high as it is, and words where it is empty."""

from collections.abc import Iterable, Sequence
from itertools import groupby, islice

from PySide6.QtCore import QDate, QEvent, QLocale, QSize, Qt
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QHeaderView, QSizePolicy, QTreeWidget, QTreeWidgetItem, QVBoxLayout, QWidget

from desktop.conversation.entities import UsageTotal
from desktop.core.language_model import DEMO_MODEL_NAME
from desktop.ui.plain_label import PlainLabel
from desktop.ui.usage_words import costs_text

MOST_MONTHS = 24
LEAST_LETTERS = 14
"""Of a model's name, however narrow the window is."""
_MONTH, _MODEL, _ANSWERS, _READ, _WRITTEN, _COST = range(6)
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class UsageTable(QWidget):
    """Newest month first; a month is named in its first line."""

    def __init__(self) -> None:
        super().__init__()
        self._totals: tuple[UsageTotal, ...] = ()
        self._none = PlainLabel(role="muted", object_name="noUsage")
        self._words = PlainLabel(role="muted", object_name="usageWords")
        self._tree = _Tree()
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 12, 16, 12)
        column.setSpacing(8)
        for widget in (self._none, self._tree, self._words):
            column.addWidget(widget)
        self._retranslate()

    def show_totals(self, totals: Sequence[UsageTotal]) -> None:
        """Show the newest months of what was used, newest first as they are given."""
        self._totals = tuple(_newest(total for total in totals if total.model != DEMO_MODEL_NAME))
        self._retranslate()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()

    def _retranslate(self) -> None:
        self._none.setText(self.tr("Nothing yet. What your models read and write is counted here, month by month."))
        self._words.setText(self.tr("As the providers reported it. Chats that were deleted for good are not counted."))
        self._none.setVisible(not self._totals)
        for widget in (self._tree, self._words):
            widget.setVisible(bool(self._totals))
        self._tree.setAccessibleName(self.tr("Usage by month and model"))
        self._tree.setHeaderLabels(
            [
                self.tr("Month"),
                self.tr("Model"),
                self.tr("Answers"),
                self.tr("Tokens read"),
                self.tr("Tokens written"),
                self.tr("Cost"),
            ]
        )
        self._tree.clear()
        for month, of_month in groupby(self._totals, key=lambda total: total.month):
            for number, (model, totals) in enumerate(_by_model(of_month).items()):
                self._tree.addTopLevelItem(self._item(_month_name(month), model, totals, is_first=number == 0))
        self._tree.fit()

    def _item(self, month: str, model: str, totals: Sequence[UsageTotal], *, is_first: bool) -> QTreeWidgetItem:
        number = QLocale().toString
        read, written = (sum(each.input_tokens for each in totals), sum(each.output_tokens for each in totals))
        is_counted = bool(read or written)
        texts = [
            month if is_first else "",
            model,
            number(sum(each.answers for each in totals)),
            number(read) if is_counted else "–",
            number(written) if is_counted else "–",
            costs_text(each.cost for each in totals) or "–",
        ]
        item = QTreeWidgetItem(texts)
        item.setData(_MONTH, Qt.ItemDataRole.AccessibleTextRole, month)
        item.setToolTip(_MODEL, model)
        for column in (_ANSWERS, _READ, _WRITTEN, _COST):
            item.setTextAlignment(column, _RIGHT)
        return item


class _Tree(QTreeWidget):
    """Scrolls with the page, and by itself sideways only. A long name of a model is cut where there is no room."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("usageTable")
        self.setColumnCount(6)
        self.setRootIsDecorated(False)
        self.setItemsExpandable(False)
        self.setIndentation(0)
        self.setUniformRowHeights(True)
        self.setTabKeyNavigation(False)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        header = self.header()
        header.setStretchLastSection(False)
        header.setSectionsMovable(False)
        header.setSectionsClickable(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self._is_too_wide = False
        for column in (_ANSWERS, _READ, _WRITTEN, _COST):
            self.headerItem().setTextAlignment(column, _RIGHT)

    def fit(self) -> None:
        """Make the columns as wide as what they hold; the models get what is left, but some letters in any case."""
        header = self.header()
        others = (_MONTH, _ANSWERS, _READ, _WRITTEN, _COST)
        for column in others:
            header.resizeSection(column, max(self.sizeHintForColumn(column), header.sectionSizeHint(column)))
        left = self.viewport().width() - sum(map(header.sectionSize, others))
        least = LEAST_LETTERS * self.fontMetrics().averageCharWidth()
        header.resizeSection(_MODEL, max(left, least))
        self._is_too_wide = left < least
        self.updateGeometry()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self.fit()

    def sizeHint(self) -> QSize:  # noqa: N802
        line = max(self.sizeHintForRow(0), QFontMetrics(self.font()).height())
        height = self.header().sizeHint().height() + self.topLevelItemCount() * line + 2 * self.frameWidth()
        if self._is_too_wide:
            height += self.horizontalScrollBar().sizeHint().height()
        return QSize(300, height)

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        return QSize(200, self.sizeHint().height())


def _newest(totals: Iterable[UsageTotal]) -> Iterable[UsageTotal]:
    for _, of_month in islice(groupby(totals, key=lambda total: total.month), MOST_MONTHS):
        yield from of_month


def _by_model(of_month: Iterable[UsageTotal]) -> dict[str, list[UsageTotal]]:
    """One line for each model, also where some of its answers had no price, or failed."""
    found: dict[str, list[UsageTotal]] = {}
    for total in of_month:
        found.setdefault(total.model, []).append(total)
    return found


def _month_name(month: str) -> str:
    """``2026-11`` as people write it where there is little room: ``Nov 2026``, ``2026年11月``."""
    date = QDate.fromString(f"{month}-01", Qt.DateFormat.ISODate)
    if not date.isValid():
        return month
    locale = QLocale()
    pattern = "yyyy年M月" if locale.language() is QLocale.Language.Chinese else "MMM yyyy"
    return locale.toString(date, pattern)
