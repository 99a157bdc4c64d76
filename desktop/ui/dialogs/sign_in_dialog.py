"""Before the browser is opened to sign in at a server: where it leads, and what the server wants to be allowed."""

from collections.abc import Callable

from PySide6.QtWidgets import QPushButton, QWidget

from desktop.tools.entities import ElicitationMode, ElicitationRequest
from desktop.tools.sign_in import SignInPage
from desktop.tools.visible_text import reveal
from desktop.ui.dialogs.parts import QuietButton, notice_row, plain_label, yes_comes_first
from desktop.ui.dialogs.url_dialog import UrlDialog
from desktop.ui.theme.theme_manager import ThemeManager

_MOST_OF_HOST = 200
_MOST_OF_RIGHTS = 600


class SignInDialog(UrlDialog):
    """The person has asked to sign in; the server has chosen the page. Nothing is opened before a click here."""

    def __init__(
        self,
        parent: QWidget | None,
        theme: ThemeManager,
        page: SignInPage,
        open_url: Callable[[str], bool],
        arming_delay_ms: int = 700,
    ) -> None:
        self._page = page
        request = ElicitationRequest(server_id=page.server_id, message="", mode=ElicitationMode.URL, url=page.url)
        super().__init__(parent, theme, request, open_url, arming_delay_ms)

    def add_question(self) -> None:
        self.setObjectName("signInDialog")
        self.setWindowTitle(self.tr("Sign in"))
        self.add_headline("log-in", self.tr("Sign in on this page?"), self.server_words())

    def add_answers(self, accept_label: str) -> None:
        self.cancel_button = QuietButton(self.tr("Cancel"), "sign_in_cancel")
        self.accept_button = QuietButton(accept_label, "sign_in_open", "primary")
        self.cancel_button.clicked.connect(self.reject)
        self.accept_button.clicked.connect(self.accept_clicked)
        right: list[QPushButton] = [self.accept_button, self.cancel_button]
        self.add_foot([], right if yes_comes_first(self) else right[::-1])

    def more_facts(self) -> list[QWidget]:
        page, facts = self._page, list[QWidget]()
        if page.former_host:
            facts.append(
                self._notice(
                    "former_host",
                    self.tr("Until now you signed in somewhere else: %1").replace("%1", _shown(page.former_host)),
                    "severe",
                )
            )
        if page.given_to:
            facts.append(
                self._notice(
                    "given_to",
                    self.tr("What you confirm on the page is handed on to %1.").replace("%1", _shown(page.given_to)),
                    "finding",
                )
            )
        facts.append(plain_label(self.tr("What the server asks to be allowed"), "section"))
        rights = reveal(", ".join(page.rights), keep_newlines=False)
        rights = rights if len(rights) <= _MOST_OF_RIGHTS else rights[:_MOST_OF_RIGHTS] + "…"
        words = plain_label(rights or self.tr("It does not say. The page should tell you."))
        words.setObjectName("sign_in_rights")
        facts.append(words)
        return facts

    def _notice(self, name: str, words: str, severity: str) -> QWidget:
        notice = notice_row(self.theme, words, severity)
        notice.setObjectName(name)
        return notice


def _shown(host: str) -> str:
    return reveal(host[:_MOST_OF_HOST], keep_newlines=False)
