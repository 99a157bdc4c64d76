"""Cards of the known providers, in as many columns as fit; one is chosen at a time, or none."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QPushButton, QSizePolicy, QWidget

from desktop.core.endpoints import ProviderPreset
from desktop.ui.controls import describe
from desktop.ui.endpoints.form_presenter import preset_name

MOST_COLUMNS = 4
GAP = 8


class PresetGrid(QWidget):
    """Emits ``chosen`` with the preset, or None when the chosen card was clicked again."""

    chosen = Signal(object)

    def __init__(self, presets: Sequence[ProviderPreset]) -> None:
        super().__init__()
        self.setObjectName("presetGrid")
        self._columns = 0
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(GAP)
        self._grid.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._cards = {preset.id: (self._card(preset), preset) for preset in presets}
        self.retranslate()

    def unchoose(self) -> None:
        """Let no card be the chosen one."""
        for card, _ in self._cards.values():
            card.setChecked(False)

    def retranslate(self) -> None:
        for card, preset in self._cards.values():
            name = preset_name(preset)
            card.setText(name.replace("&", "&&"))
            describe(card, name, tooltip=preset.base_url)
        self._columns = 0
        self._arrange()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        elif event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._columns = 0
            self._arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self._arrange()

    def _card(self, preset: ProviderPreset) -> QPushButton:
        card = QPushButton()
        card.setObjectName(f"preset-{preset.id}")
        card.setProperty("role", "presetCard")
        card.setCheckable(True)
        card.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        card.clicked.connect(lambda checked: self._clicked(preset, checked))
        return card

    def _clicked(self, preset: ProviderPreset, is_chosen: bool) -> None:
        for card, other in self._cards.values():
            card.setChecked(is_chosen and other is preset)
        self.chosen.emit(preset if is_chosen else None)

    def _arrange(self) -> None:
        """Give every card the size of the largest one: nothing is cut off, and Chinese is higher than Latin text."""
        cards = [card for card, _ in self._cards.values()]
        hints = [card.sizeHint() for card in cards]
        widest = max((hint.width() for hint in hints), default=1)
        columns = max(1, min(MOST_COLUMNS, (self.width() + GAP) // (widest + GAP)))
        highest = max((hint.height() for hint in hints), default=0)
        for row in range(len(cards)):
            self._grid.setRowMinimumHeight(row, highest if row * columns < len(cards) else 0)
        if columns == self._columns:
            return
        for column in range(MOST_COLUMNS):
            self._grid.setColumnStretch(column, 1 if column < columns else 0)
        self._columns = columns
        for index, card in enumerate(cards):
            self._grid.removeWidget(card)
            self._grid.addWidget(card, *divmod(index, columns))
        self.updateGeometry()
