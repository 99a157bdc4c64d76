"""What a test of an endpoint found: running with its cancel, an answer, or what is wrong with what can be done."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout

from desktop.core.endpoints import EndpointCheck, Finding
from desktop.core.settings import EndpointSettings
from desktop.ui.controls import announce, bring_into_view, has_focus, set_property
from desktop.ui.endpoints.findings_list import FindingsList
from desktop.ui.endpoints.parts import shown, words
from desktop.ui.error_words import words_of_exception
from desktop.ui.punctuation import sentences
from desktop.ui.settings.layouts import Wrapping
from desktop.ui.state.endpoint_advice import Advice, advice_for
from desktop.ui.theme.theme_manager import ThemeManager
from desktop.ui.transcript.blocks.spinner import SPINNING, StateIcon

BUTTONS_BELOW = 64
"""Room for the buttons below the result, which come into view together with it."""

MOST_ANSWER = 120
"""Characters of the model's answer that are shown."""


class CheckResult(QFrame):
    """Hidden until something is shown.

    Signals:
        cancel_requested: the running test is not wanted any more.
        advice_taken: an ``Advice``, by its button.
        anyway_requested: it shall be kept whatever the test says.
        left: the button that had the focus is gone.
    """

    cancel_requested = Signal()
    advice_taken = Signal(object)
    anyway_requested = Signal()
    left = Signal()

    def __init__(self, theme: ThemeManager) -> None:
        super().__init__()
        self.setObjectName("checkResult")
        self.setProperty("role", "checkResult")
        self._theme = theme
        self._show_again: Callable[[], None] = self.clear
        self._spinner = StateIcon(theme, 16, self)
        self._spinner.setFixedSize(QSize(18, 18))
        self._icon = QLabel()
        self._icon_of = ("info", "muted")
        theme.changed.connect(self._paint_icon)
        self._title = words("strong", "checkTitle")
        self._detail = words("muted", "checkDetail")
        self._detail.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._findings = FindingsList(theme)
        self._cancel = QPushButton()
        self._cancel.setObjectName("cancelTest")
        self._cancel.clicked.connect(self.cancel_requested)
        self._anyway = QPushButton()
        self._anyway.setObjectName("startAnyway")
        self._anyway.clicked.connect(self.anyway_requested)
        self._buttons = {advice: self._button(advice) for advice in Advice}
        self._arrange()
        self.clear()

    @property
    def text(self) -> str:
        """What is shown, as one text; empty when nothing is."""
        return "" if self.isHidden() else f"{self._title.text()} {self._detail.text()}".strip()

    def clear(self) -> None:
        self._show_again = self.clear
        if self._focused() is not None:
            self.left.emit()
        self.hide()
        self._spinner.show_icon("info")

    def show_running(self, what: str, *, anyway: bool = False) -> None:
        """Say that ``what`` is being tried; ``anyway`` offers to start without waiting for that."""
        self._show_again = lambda: self.show_running(what, anyway=anyway)
        self._show("running", self.tr("Asking %1…").replace("%1", shown(what)), "", anyway=anyway)

    def show_check(self, endpoint: EndpointSettings, check: EndpointCheck, *, anyway: bool = False) -> None:
        """Show what came of a test of ``endpoint``; ``anyway`` offers to start in spite of what is wrong."""
        self._show_again = lambda: self.show_check(endpoint, check, anyway=anyway)
        if check.error is None:
            answer = " ".join(check.answer.split())
            quoted = self.tr("Answer: “%1”").replace("%1", shown(answer[:MOST_ANSWER])) if answer else ""
            self._show("ok", self.success_words(endpoint, check), quoted, findings=check.findings)
            return
        text = words_of_exception(check.error)
        advice = advice_for(endpoint, check)
        findings = check.findings if any(finding.works for finding in check.findings) else ()  # else all is said
        self._show("error", text.title, shown(text.detail), advice, anyway=anyway, findings=findings)

    def success_words(self, endpoint: EndpointSettings, check: EndpointCheck) -> str:
        """Return, for example, ``qwen3:8b answered in 0.8 s``."""
        seconds = self.locale().toString(max(check.seconds, 0.1), "f", 1)
        return (
            self.tr("%1 answered in %2 s")
            .replace("%2", seconds)
            .replace("%1", shown(endpoint.model or self.tr("The model")))
        )

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._show_again()

    def _button(self, advice: Advice) -> QPushButton:
        button = QPushButton()
        button.setObjectName(f"advice-{advice}")
        button.clicked.connect(lambda: self.advice_taken.emit(advice))
        return button

    def _show(
        self,
        kind: str,
        title: str,
        detail: str,
        advice: Sequence[Advice] = (),
        *,
        anyway: bool = False,
        findings: Sequence[Finding] = (),
    ) -> None:
        said, focused = self.text, self._focused()
        is_error = kind == "error"
        set_property(self, "kind", kind)
        set_property(self._title, "role", "errorTitle" if is_error else "strong")
        set_property(self._detail, "role", "" if is_error else "muted")  # red behind muted letters is hard to read
        self._title.setText(title)
        self._detail.setText(detail)
        self._detail.setVisible(bool(detail))
        self._cancel.setText(self.tr("Cancel"))
        self._anyway.setText(self.tr("Start anyway"))
        texts = {Advice.CHOOSE_MODEL: self.tr("Choose one of its models"), Advice.ENTER_KEY: self.tr("Enter the key")}
        for name, button in self._buttons.items():
            button.setText(texts.get(name, ""))
        shown_ones = {self._cancel: kind == "running", self._anyway: anyway}
        shown_ones.update({button: name in advice for name, button in self._buttons.items()})
        if focused is not None and not shown_ones[focused]:
            self.left.emit()
        for button, is_shown in shown_ones.items():
            button.setVisible(is_shown)
        self._spinner.show_icon(SPINNING if kind == "running" else "info")
        self._spinner.setVisible(kind == "running")
        self._icon.setVisible(kind != "running")
        self._icon_of = ("circle-check", "ok") if kind == "ok" else ("circle-alert", "error")
        self._paint_icon()
        self._findings.show_findings(findings)
        self.setAccessibleName(sentences(sentences(title, detail), self._findings.spoken if findings else ""))
        self.show()
        if self.text != said:
            bring_into_view(self, self._theme.px(BUTTONS_BELOW))
            announce(self, self.accessibleName())

    def _focused(self) -> QPushButton | None:
        return next((b for b in (self._cancel, self._anyway, *self._buttons.values()) if has_focus(b)), None)

    def _paint_icon(self) -> None:
        name, colour = self._icon_of
        self._icon.setPixmap(self._theme.icon(name, colour, 18).pixmap(QSize(18, 18)))

    def _arrange(self) -> None:
        buttons = Wrapping(self._cancel, *self._buttons.values(), self._anyway)
        texts = QVBoxLayout()
        texts.setSpacing(4)
        texts.addWidget(self._title)
        texts.addWidget(self._detail)
        texts.addWidget(self._findings)
        texts.addLayout(buttons)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(12, 10, 12, 10)
        layout.setSpacing(10)
        layout.addWidget(self._spinner, 0, Qt.AlignmentFlag.AlignTop)
        layout.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignTop)
        layout.addLayout(texts, 1)
