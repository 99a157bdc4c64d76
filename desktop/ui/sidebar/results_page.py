"""The page of the sidebar with what a search found, or with a word that there is nothing."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from desktop.ui.sidebar.result_model import Note, SearchResultModel
from desktop.ui.sidebar.result_view import SearchResultView
from desktop.ui.sidebar.search_results import SearchResultDelegate
from desktop.ui.theme.theme_manager import ThemeManager

if TYPE_CHECKING:
    from desktop.conversation.entities import SearchHit


class ResultsPage(QWidget):
    """Hits by words come first, notes and those by meaning a moment later; each method returns what a screen reader should
    say."""

    def __init__(self, theme: ThemeManager, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._goes_on = False
        self._is_building = self._is_filtered = False
        self.model = SearchResultModel(self)
        self.view = SearchResultView("searchResults")
        self.view.setModel(self.model)
        self.view.setItemDelegate(SearchResultDelegate(theme, self.view))
        self._none = empty_label("noMatches")
        self._building = QLabel()
        self._building.setObjectName("searchIsBuilt")
        self._building.setProperty("role", "muted")
        self._building.setWordWrap(True)
        self._building.setContentsMargins(10, 0, 10, 4)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._building)
        layout.addWidget(self.view, 1)
        layout.addWidget(self._none, 1)
        self._retranslate()
        self.set_building(False)

    @property
    def is_decided(self) -> bool:
        """There is a first hit, or it is certain that there is none."""
        return not self._is_empty or not self._goes_on

    def set_building(self, is_building: bool) -> None:
        """Say that not everything can be found yet, or no more."""
        self._is_building = is_building
        self._building.setVisible(is_building)

    def set_filtered(self, is_filtered: bool) -> None:
        """Filters keep something out: where nothing is found, it may be because of them."""
        self._is_filtered = is_filtered

    def show_hits(
        self,
        hits: Sequence["SearchHit"],
        further: Mapping[str, int] | None = None,
        *,
        has_older: bool = False,
        goes_on: bool,
    ) -> str:
        """Show what was found by words; ``goes_on``: more comes soon, or the word that there is nothing more."""
        self._goes_on = goes_on
        self.model.show_hits(hits, further, has_older=has_older)
        self._show()
        if hits:
            return self.tr("Found in %n chats", "", self.model.thread_count())
        return "" if goes_on else self.tr("No matches")

    def add_older(
        self, hits: Sequence["SearchHit"], further: Mapping[str, int], *, has_older: bool, goes_on: bool
    ) -> str:
        """Show what was found further back."""
        was_empty, self._goes_on = self._is_empty, goes_on
        self.model.add_older(hits, further, has_older=has_older)
        self._show()
        if was_empty and not self._is_empty:
            return self.tr("Found in %n chats", "", self.model.thread_count())
        return self.tr("No matches") if was_empty and not goes_on else ""

    def add_notes(self, notes: Sequence[Note]) -> str:
        """Show notes of memory with the words."""
        self.model.add_notes(notes)
        self._show()
        return self.tr("More was found in memory") if notes else ""

    def add_like(self, hits: Sequence["SearchHit"]) -> str:
        """Show what means something like it below what stands there, which stays where it is."""
        self._goes_on = False
        before = self.model.rowCount()
        self.model.add_like(hits)
        self._show()
        if self.model.rowCount() > before:
            return self.tr("More was found by meaning")
        return "" if before else self.tr("No matches")

    def end(self) -> None:
        """Nothing is looked for any more."""
        self._goes_on = False

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()

    @property
    def _is_empty(self) -> bool:
        return self.model.rowCount() == 0

    def _show(self) -> None:
        self._none.setVisible(self._is_empty)
        self.view.setVisible(not self._is_empty)
        self._retranslate()

    def _retranslate(self) -> None:
        looks = self.tr("Nothing with these words.") + "\n" + self.tr("Looking for what means the same…")
        nothing = self.tr("No matches")
        if self._is_filtered:
            nothing += "\n" + self.tr("Take a filter away to find more.")
        self._none.setText(looks if self._goes_on else nothing)
        self._building.setText(self.tr("Older chats are still being made ready for the search."))
        self.view.setAccessibleName(self.tr("Search results"))


def empty_label(object_name: str) -> QLabel:
    """Return a quiet label for a list in which nothing stands."""
    label = QLabel()
    label.setObjectName(object_name)
    label.setProperty("role", "muted")
    label.setAlignment(Qt.AlignmentFlag.AlignCenter)
    label.setWordWrap(True)
    return label
