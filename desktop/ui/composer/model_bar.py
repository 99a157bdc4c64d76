"""Below the message: which model answers in this chat, how much it is to think, and how full its context is."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPoint, Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QHBoxLayout, QMenu, QSizePolicy, QWidget

from desktop.core.thinking_effort import ThinkingEffort
from desktop.ui.assistants.button import AssistantButton
from desktop.ui.composer.context_meter import ContextMeter
from desktop.ui.composer.icon_picker import ICON, MOST_WIDTH, IconPicker
from desktop.ui.controls import describe
from desktop.ui.model_button import ModelButton
from desktop.ui.popup import round_corners
from desktop.ui.theme.theme_manager import ThemeManager

Levels = Sequence[ThinkingEffort]


class ModelBar(QWidget):
    """Signals:
    model_requested: the list of models is wanted.
    thinking_chosen: a ``ThinkingEffort``, or None to leave it as it is usual.
    """

    model_requested = Signal()
    thinking_chosen = Signal(object)

    def __init__(self, theme: ThemeManager) -> None:
        super().__init__()
        self.setObjectName("modelBar")
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.model_button = ModelButton("composerModel", most_width=MOST_WIDTH)
        self.model_button.clicked.connect(self.model_requested)
        self.thinking = ThinkingButton(theme)
        self.thinking.chosen.connect(self.thinking_chosen)
        self.meter = ContextMeter(theme)
        self.assistants = AssistantButton(theme)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(2)
        row.addWidget(self.assistants)
        row.addWidget(self.model_button)
        row.addWidget(self.thinking)
        row.addWidget(self.meter)
        self.hide()

    def focus_stops(self) -> list[QWidget]:
        """Where Tab stops, in reading order."""
        return [self.assistants, self.model_button, self.thinking]

    def show_model(self, label: str, short: str, *, are_several: bool = False) -> None:
        """Show the model by its ``short`` name; ``label`` says who it is at length."""
        self.model_button.set_model(label, short, are_several=are_several)
        self.show()


class ThinkingButton(IconPicker):
    """How much the model thinks, with the levels that it has; not there where it has none.

    ``chosen`` carries a ``ThinkingEffort``, or None to leave it as it is usual.
    """

    chosen = Signal(object)

    def __init__(self, theme: ThemeManager) -> None:
        super().__init__("thinkingButton", theme)
        self._levels: tuple[ThinkingEffort, ...] = ()
        self._own: ThinkingEffort | None = None
        self._usual: ThinkingEffort | None = None
        self._menu = QMenu(self)
        self._menu.setObjectName("thinkingMenu")
        round_corners(self._menu)
        self._menu.aboutToHide.connect(lambda: self.set_open(False))
        self.clicked.connect(self._open)
        theme.set_icon(self, "lightbulb", "muted", ICON)
        self.hide()

    def show_levels(self, levels: Levels, own: ThinkingEffort | None, usual: ThinkingEffort | None) -> None:
        """Offer ``levels``. ``own`` is the chat's choice, ``usual`` what holds without one; None is the model's way."""
        self._levels, self._own, self._usual = tuple(levels), own, usual
        self.setVisible(bool(levels))
        self._retranslate()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()

    def _retranslate(self) -> None:
        effort = self._own or self._usual
        text = self.tr("Thinking") if effort is None else self.tr("Thinking: %1").replace("%1", self._word(effort))
        self.set_full_text(text)
        describe(self, text, tooltip=self.tr("How much the model thinks before it answers, in this chat"))

    def _word(self, effort: ThinkingEffort) -> str:
        """The word for a level; a model that knows only off and on has no degrees."""
        if effort is ThinkingEffort.OFF:
            return self.tr("off")
        if len([level for level in self._levels if level is not ThinkingEffort.OFF]) == 1:
            return self.tr("on")
        return {
            ThinkingEffort.LOW: self.tr("low"),
            ThinkingEffort.MEDIUM: self.tr("medium"),
            ThinkingEffort.HIGH: self.tr("high"),
        }[effort]

    def _open(self) -> None:
        self._menu.clear()
        group = QActionGroup(self._menu)
        usual = self.tr("As the model likes")
        if self._usual is not None:
            usual = self.tr("As in the settings (%1)").replace("%1", self._word(self._usual))
        for effort, text in ((None, usual), *((level, self._word(level).capitalize()) for level in self._levels)):
            action = QAction(text, self._menu)
            action.setObjectName(f"thinking-{effort or 'usual'}")
            action.setCheckable(True)
            action.setChecked(effort is self._own)
            action.triggered.connect(lambda _checked, effort=effort: self.chosen.emit(effort))
            group.addAction(action)
            self._menu.addAction(action)
        self.set_open(True)
        height = self._menu.sizeHint().height()
        self._menu.popup(self.mapToGlobal(QPoint(0, -height - 4)))
