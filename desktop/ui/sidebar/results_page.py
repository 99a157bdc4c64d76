"""The page of the sidebar with what a search found, or with a word that there is nothing."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from desktop.ui.sidebar.list_views import SearchResultView
from desktop.ui.sidebar.search_results import SearchResultDelegate, SearchResultModel
from desktop.ui.theme.theme_manager import ThemeManager

if TYPE_CHECKING:
    from desktop.conversation.entities import SearchHit


class ResultsPage(QWidget):
    """Hits by words come first, those by meaning a moment later; both methods return what a screen reader should say."""

    def __init__(self, theme: ThemeManager, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._goes_on = False
        self.model = SearchResultModel(self)
        self.view = SearchResultView("searchResults")
        self.view.setModel(self.model)
        self.view.setItemDelegate(SearchResultDelegate(theme, self.view))
        self._none = empty_label("noMatches")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.view, 1)
        layout.addWidget(self._none, 1)
        self._retranslate()

    @property
    def is_decided(self) -> bool:
        """There is a first hit, or it is certain that there is none."""
        return not self._is_empty or not self._goes_on

    def show_hits(self, hits: Sequence["SearchHit"], *, goes_on: bool) -> str:
        """Show what was found by words; ``goes_on``: ``add_like`` comes soon, also where it has nothing to add."""
        self._goes_on = goes_on
        self.model.show_hits(hits)
        self._show()
        if hits:
            return self.tr("Found in %n chats", "", len({hit.thread_id for hit in hits}))
        return "" if goes_on else self.tr("No matches")

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
        self._none.setText(looks if self._goes_on else self.tr("No matches"))
        self.view.setAccessibleName(self.tr("Search results"))


def empty_label(object_name: str) -> QLabel:
    """Return a quiet label for a list in which nothing stands."""
    label = QLabel()
    label.setObjectName(object_name)
    label.setProperty("role", "muted")
    label.setAlignment(Qt.AlignmentFlag.AlignCenter)
    label.setWordWrap(True)
    return label
