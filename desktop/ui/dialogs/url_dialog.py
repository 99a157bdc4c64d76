"""A server wants a web page opened: the whole address, its host in bold, what is odd about it; opened on a click only."""

from collections.abc import Callable

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from desktop.tools.entities import ElicitationAction, ElicitationAnswer, ElicitationRequest
from desktop.tools.visible_text import reveal
from desktop.ui.dialogs.display_lines import line_with_strong
from desktop.ui.dialogs.elicitation_dialog import ServerQuestionDialog
from desktop.ui.dialogs.parts import FittingScrollArea, QuietButton, notice_row, plain_label
from desktop.ui.dialogs.plain_box import PlainBox
from desktop.ui.state.url_facts import URL_LIMIT, UrlFacts, UrlWarning, url_facts
from desktop.ui.theme.theme_manager import ThemeManager

_SEVERE = frozenset(UrlWarning) - {UrlWarning.OWN_MACHINE, UrlWarning.ODD_PORT, UrlWarning.FOREIGN_LETTERS}


class UrlDialog(ServerQuestionDialog):
    """Asks whether to open an address. ``open_url`` hands it to the system's browser and tells whether that went."""

    def __init__(
        self,
        parent: QWidget | None,
        theme: ThemeManager,
        request: ElicitationRequest,
        open_url: Callable[[str], bool],
        arming_delay_ms: int = 700,
        *,
        chat: str = "",
    ) -> None:
        super().__init__(parent, theme, request, arming_delay_ms, chat)
        self._open_url = open_url
        self._facts = url_facts(request.url)
        self.build()

    def build(self) -> None:
        self.add_question()
        self._add_address()
        self._add_warnings()
        self.add_answers(self.tr("Open in browser"))
        self.set_hint(self._hint())
        self.address.setFocus()
        self.update_buttons()

    def add_question(self) -> None:
        """Say what is asked and who asks."""
        self.setObjectName("urlDialog")
        self.setWindowTitle(self.tr("Open a web page?"))
        self.add_headline("external-link", self.tr("A server wants you to open a web page"), self.server_words())
        self.add_message()

    def more_facts(self) -> list[QWidget]:
        """Return what is to be said besides the address and what is odd about it."""
        return []

    def update_buttons(self) -> None:
        self.accept_button.setVisible(self._facts.may_open)
        self.accept_button.setEnabled(self.armed and self._facts.may_open and self.address.end_was_shown)

    def accept_clicked(self) -> None:
        if self._open_url(self.request.url):
            self.finish(ElicitationAnswer(action=ElicitationAction.ACCEPT))
        else:
            self.set_hint(self.tr("The browser could not be started. Copy the address and open it yourself."))

    def _add_address(self) -> None:
        caption = plain_label(self.tr("The address"), "section")
        self.copy_button = QuietButton(self.tr("Copy address"), "copy_url")
        self.copy_button.clicked.connect(self._copy)
        line = QHBoxLayout()
        line.addWidget(caption, 1)
        line.addWidget(self.copy_button)
        self.body.addLayout(line)
        lines = line_with_strong(self.request.url, self._facts.host_span)
        self.address = PlainBox(lines, self.theme, role="code", least_lines=2, most_lines=8, may_grow=True)
        self.address.setObjectName("elicit_url")
        self.address.setAccessibleName(self.tr("The whole address"))
        self.address.end_shown.connect(self.update_buttons)
        self.body.addWidget(self.address)

    def _add_warnings(self) -> None:
        content = QWidget()
        layout = QVBoxLayout(content)
        layout.setContentsMargins(0, 0, 6, 0)
        layout.setSpacing(6)
        if self._facts.host:
            host = plain_label(reveal(self._facts.host, keep_newlines=False), "title")
            host.setObjectName("elicit_host")
            layout.addWidget(plain_label(self.tr("The page belongs to"), "section"))
            layout.addWidget(host)
        for warning in self._facts.warnings:
            severity = "note" if warning is UrlWarning.OWN_MACHINE else "severe" if warning in _SEVERE else "finding"
            frame = notice_row(self.theme, self._words(warning, self._facts), severity)
            frame.setObjectName(f"warning_{warning.value}")
            layout.addWidget(frame)
        for more in (*self.more_facts(), *self.chat_fact()):
            layout.addWidget(more)
        layout.addStretch(1)
        self.body.addWidget(FittingScrollArea(content, least_height=60, most_height=300))

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.request.url)
        self.copy_button.setText(self.tr("Copied"))
        self.copy_button.setAccessibleName(self.tr("Copied"))

    def _hint(self) -> str:
        if not self._facts.may_open:
            return self.tr("Threadwell never opens such an address: what is marked in red says why.")
        return self.tr("Nothing is opened until you click. The page opens in your browser, not in Threadwell.")

    def _words(self, warning: UrlWarning, facts: UrlFacts) -> str:
        words = {
            UrlWarning.NO_WEB_ADDRESS: self.tr("This is not the address of a web page."),
            UrlWarning.NOT_ENCRYPTED: self.tr("The connection would not be encrypted (http instead of https)."),
            UrlWarning.USER_BEFORE_HOST: self.tr(
                "The address has a name and @ before the host, which makes it look like another page:"
                " it leads to the host after the @."
            ),
            UrlWarning.HIDDEN_CHARACTERS: self.tr("The address has spaces or characters that cannot be seen."),
            UrlWarning.TOO_LONG: self.tr("The address is longer than {limit} characters."),
            UrlWarning.PUNYCODE: self.tr(
                "The host is a spelling for other letters, which may only look like the ones you know: {name}"
            ),
            UrlWarning.FOREIGN_LETTERS: self.tr(
                "The host has letters that can look like others. Its plain form is {name}"
            ),
            UrlWarning.ODD_PORT: self.tr("The address names an unusual port."),
            UrlWarning.NUMBERS_FOR_HOST: self.tr("The host is a number instead of a name: nobody can see whose it is."),
            UrlWarning.OWN_MACHINE: self.tr("The page is on this computer."),
        }
        return words[warning].format(name=reveal(facts.other_name) or "?", limit=URL_LIMIT)
