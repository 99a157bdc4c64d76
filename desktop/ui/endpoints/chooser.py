"""All ways to a model on one page: found on this computer, with a key, another address."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QFrame, QPushButton, QVBoxLayout, QWidget

from desktop.core.endpoints import ProviderPreset
from desktop.ui.endpoints.endpoint_form import EndpointForm, Purpose
from desktop.ui.endpoints.found_servers import FoundServers
from desktop.ui.endpoints.parts import words
from desktop.ui.endpoints.preset_grid import PresetGrid
from desktop.ui.theme.theme_manager import ThemeManager


class EndpointChooser(QWidget):
    """The three sections. Forms unfold below what was chosen; one is open at a time.

    Signals:
        preset_chosen: a ``ProviderPreset`` whose form was opened, or None when it was closed.
        custom_opened: the form for another address was opened.
        unfolded: the widget that should be in sight.
        retranslated: the language changed.
    """

    preset_chosen = Signal(object)
    custom_opened = Signal()
    unfolded = Signal(QWidget)
    retranslated = Signal()

    def __init__(self, theme: ThemeManager, presets: Sequence[ProviderPreset]) -> None:
        super().__init__()
        self.setObjectName("endpointChooser")
        self._headings = [words("sectionHeading") for _ in range(3)]
        self.found = FoundServers(theme)
        self.grid = PresetGrid(presets)
        self.preset_form = EndpointForm(theme, Purpose.PRESET)
        self._preset_card = _card(self.preset_form)
        self._custom_hint = words("muted")
        self._custom = QPushButton()  # before its form: Tab goes in the order in which things are made
        self.custom_form = EndpointForm(theme, Purpose.CUSTOM)
        self._custom_card = _card(self.custom_form)
        self._custom.setObjectName("customEndpoint")
        self._custom.setProperty("role", "presetCard")
        self._custom.setCheckable(True)
        self._custom.clicked.connect(self._custom_clicked)
        self.grid.chosen.connect(self._preset_clicked)
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(22)
        self._add_section(0, self.found)
        self._add_section(1, self.grid, self._preset_card)
        self._add_section(2, self._custom_hint, self._custom, self._custom_card)
        self.retranslate()

    def open_custom(self) -> None:
        """Open the form for another address."""
        self._custom.setChecked(True)
        self._custom_clicked(True)

    def add_section(self, *widgets: QWidget) -> None:
        """Add a section of the caller's own at the end."""
        column = QVBoxLayout()
        column.setSpacing(8)
        for widget in widgets:
            column.addWidget(widget)
        self._layout.addLayout(column)

    def retranslate(self) -> None:
        for label, text in zip(
            self._headings,
            (self.tr("Found on this computer"), self.tr("Providers (key needed)"), self.tr("Other address")),
            strict=True,
        ):
            label.setText(text)
        self._custom_hint.setText(self.tr("A company's gateway, another provider, or a server on your network."))
        self._custom.setText(self.tr("Enter an address…"))
        self._custom.setAccessibleName(self.tr("Enter an address…"))

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
            self.retranslated.emit()

    def _add_section(self, number: int, *widgets: QWidget) -> None:
        self.add_section(self._headings[number], *widgets)

    def _preset_clicked(self, preset: ProviderPreset | None) -> None:
        self._custom.setChecked(False)
        self._custom_card.hide()
        self._preset_card.setVisible(preset is not None)
        self.preset_chosen.emit(preset)
        if preset is not None:
            self.preset_form.focus_first()
            self.unfolded.emit(self._preset_card)

    def _custom_clicked(self, is_open: bool) -> None:
        self.grid.unchoose()
        self._preset_card.hide()
        self._custom_card.setVisible(is_open)
        if is_open:
            self.custom_opened.emit()
            self.custom_form.focus_first()
            self.unfolded.emit(self._custom_card)


def _card(form: QWidget) -> QFrame:
    card = QFrame()
    card.setProperty("role", "endpointCard")
    card.hide()
    layout = QVBoxLayout(card)
    layout.setContentsMargins(16, 14, 16, 16)
    layout.addWidget(form)
    card.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    return card
