"""The first start on one page: what was found, providers with a key, another address, and the demo model."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from desktop.core.endpoints import ProviderPreset
from desktop.ui.controls import describe
from desktop.ui.endpoints.chooser import EndpointChooser
from desktop.ui.endpoints.parts import scroll_to, words
from desktop.ui.first_start.demo_card import DemoCard
from desktop.ui.settings.layouts import Wrapping
from desktop.ui.theme.theme_manager import ThemeManager
from desktop.ui.translations import own_name

CONTENT_WIDTH = 680


class FirstStartPage(QScrollArea):
    """Stands in place of the transcript and the composer until somebody is chosen who answers.

    Signals:
        demo_requested: the demo model shall answer, also by "Set up later".
        language_chosen: for example ``zh_CN``.
    """

    demo_requested = Signal()
    language_chosen = Signal(str)

    def __init__(
        self, theme: ThemeManager, presets: Sequence[ProviderPreset], languages: Sequence[str], language: str
    ) -> None:
        """``languages`` are those that the window has, ``language`` is the one shown."""
        super().__init__()
        self.setObjectName("firstStartPage")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._title = words("heading", "firstStartTitle")
        self._hint = words("muted")
        self._languages = {code: self._language_button(code) for code in languages}
        self._later = QPushButton()
        self._later.setObjectName("setUpLater")
        self._later.setProperty("role", "link")
        self._later.clicked.connect(self.demo_requested)
        self.chooser = EndpointChooser(theme, presets)
        self.chooser.unfolded.connect(self._bring_into_sight)
        self._demo_heading = words("sectionHeading")
        self._demo = DemoCard(theme)
        self._demo.clicked.connect(self.demo_requested)
        self.chooser.add_section(self._demo_heading, self._demo)
        self._arrange()
        self.show_language(language)
        self._retranslate()

    def show_language(self, language: str) -> None:
        """Mark the language that is shown."""
        for code, button in self._languages.items():
            button.setChecked(code == language)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()

    def _language_button(self, code: str) -> QPushButton:
        name = own_name(code)
        button = QPushButton(name)
        button.setObjectName(f"language-{code}")
        button.setProperty("role", "segment")
        button.setCheckable(True)
        button.setAccessibleName(name)
        button.clicked.connect(lambda: self._choose_language(code))
        return button

    def _choose_language(self, code: str) -> None:
        self.show_language(code)
        self.language_chosen.emit(code)

    def _arrange(self) -> None:
        segments = QWidget()
        segments.setProperty("role", "segments")
        segments.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        buttons = QHBoxLayout(segments)
        buttons.setContentsMargins(3, 3, 3, 3)
        buttons.setSpacing(2)
        for button in self._languages.values():
            buttons.addWidget(button)
        top = QWidget()
        between = QWidget()
        between.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        top.setLayout(Wrapping(segments, between, self._later))
        content = QWidget()
        content.setMaximumWidth(CONTENT_WIDTH)
        column = QVBoxLayout(content)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(top)
        column.addSpacing(10)
        column.addWidget(self._title)
        column.addWidget(self._hint)
        column.addSpacing(16)
        column.addWidget(self.chooser)
        column.addStretch(1)
        canvas = QWidget()
        canvas.setObjectName("firstStartCanvas")
        row = QHBoxLayout(canvas)
        row.setContentsMargins(24, 18, 24, 28)
        row.addStretch(1)
        row.addWidget(content, 1000)
        row.addStretch(1)
        self.setWidget(canvas)

    def _retranslate(self) -> None:
        self.setAccessibleName(self.tr("First start"))
        self._title.setText(self.tr("Welcome. Which model should answer?"))
        self._hint.setText(
            self.tr("Choose a model. Your chats are kept on this computer; a model sees only what you send it.")
        )
        self._later.setText(self.tr("Set up later"))
        describe(self._later, self.tr("Set up later"), tooltip=self.tr("Until then the demo model answers"))
        self._demo_heading.setText(self.tr("Try it without a model"))

    def _bring_into_sight(self, widget: QWidget) -> None:
        QTimer.singleShot(0, widget, lambda: scroll_to(self, widget))  # after it has got its place
