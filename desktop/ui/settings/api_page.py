"""The page Local API: the switch, the port, how it is, and the token that other programs need."""

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLineEdit, QPushButton, QWidget

from desktop.core.api_settings import LEAST_PORT, MOST_PORT, ApiSettings
from desktop.core.local_api import ApiState, ApiStatus
from desktop.ui.controls import announce, describe, set_enabled
from desktop.ui.error_words import error_words
from desktop.ui.presenting import Worker
from desktop.ui.settings.context import SettingsContext
from desktop.ui.settings.controls import CalmSpinBox, Switch, show_number
from desktop.ui.settings.folder_field import FolderField
from desktop.ui.settings.layouts import Wrapping
from desktop.ui.settings.section_page import SectionPage, SectionPresenter
from desktop.ui.settings.value_label import ValueLabel

FIELDS = ("enabled", "port")


def make_api_page(context: SettingsContext) -> SectionPage:
    page = ApiPage()
    ApiPresenter(page, context)
    context.writer.flushing.connect(page.hand_over)
    return page


class ApiPage(SectionPage):
    """Signals: ``copy_requested`` with what is to be copied; ``renew_requested``; ``retry_requested``."""

    copy_requested = Signal(str)
    renew_requested = Signal()
    retry_requested = Signal()

    def __init__(self) -> None:
        super().__init__("api", "webhook")
        self._status = ApiStatus()
        self._token, self._is_token_kept = "", True
        self._switch = Switch("apiEnabled")
        self._port = CalmSpinBox("apiPort", LEAST_PORT, MOST_PORT)
        self._port.setKeyboardTracking(False)  # the server must not move to each number that is typed on the way
        self._state, self._again = ValueLabel("apiState"), QPushButton()
        self._again.setObjectName("apiTryAgain")
        state = QWidget()
        state.setLayout(Wrapping(self._state, self._again))
        self._address = FolderField("apiAddress", "copyApiAddress")
        self._secret = FolderField("apiToken", "showApiToken", "copyApiToken", "renewApiToken")
        for field in (self._address, self._secret):
            field.make_read_only()
        self._show, self._copy, self._renew = self._secret.buttons
        self._show.setCheckable(True)
        self._main, self._entry = self.add_section(), self.add_section()
        self._rows = {
            "enabled": self._main.add_row(self._switch),
            "port": self._main.add_row(self._port),
            "state": self._main.add_row(state),
            "address": self._entry.add_row(self._address, wide=True),
            "token": self._entry.add_row(self._secret, wide=True),
        }
        self._rows["state"].goes_to = self._again
        self.field_rows = {"port": self._rows["port"]}
        self._connect()
        self.retranslate()

    def _connect(self) -> None:
        self._switch.toggled.connect(lambda is_on: self.chosen.emit("enabled", is_on))
        self._port.valueChanged.connect(lambda port: self.typed.emit("port", port))
        self._again.clicked.connect(self.retry_requested)
        self._address.buttons[0].clicked.connect(lambda: self.copy_requested.emit(self._status.address))
        self._show.toggled.connect(self._show_token)
        self._copy.clicked.connect(lambda: self.copy_requested.emit(self._token))
        self._renew.clicked.connect(self.renew_requested)

    def hand_over(self) -> None:
        """Take the number that is still being typed."""
        self._port.interpretText()

    def show_values(self, values: ApiSettings) -> None:
        with QSignalBlocker(self._switch):
            self._switch.setChecked(values.enabled)
        show_number(self._port, values.port)

    def show_status(self, status: ApiStatus, token: str, *, is_token_kept: bool) -> None:
        """Show how the API is, and the token that holds."""
        before = self._status.state
        self._status, self._token, self._is_token_kept = status, token, is_token_kept
        self._retranslate_state()
        if self.isVisible() and status.state is not before and status.state is not ApiState.STARTING:
            announce(self._switch, self._state.text())

    def retranslate(self) -> None:
        self.set_texts(
            self.tr("Local API"),
            self.tr(
                "Other programs on this computer can chat here, with your models, your memory and your tools. Nobody"
                " outside this computer can reach it, and no web page."
            ),
        )
        self._rows["enabled"].set_texts(
            self.tr("Let other programs chat here"),
            self.tr("When a tool needs your permission, you are asked in this window as always."),
            keywords=self.tr("HTTP server OpenAI program script"),
        )
        self._rows["port"].set_texts(self.tr("Port"), self.tr("Change it when another program uses the same one."))
        self._entry.set_heading(self.tr("For other programs"))
        self._address.buttons[0].setText(self.tr("Copy"))
        self._copy.setText(self.tr("Copy"))
        self._renew.setText(self.tr("Renew"))
        self._retranslate_state()

    def _retranslate_state(self) -> None:
        title, detail = self._state_words()
        self._state.setText(title)
        self._rows["state"].set_texts(self.tr("State"), detail)
        self._again.setText(self.tr("Try again"))
        describe(self._again, self.tr("Try again"), tooltip="")
        self._again.setVisible(self._status.state is ApiState.FAILED)
        is_on = self._status.state is ApiState.ON
        self._rows["address"].set_texts(
            self.tr("Address"), self.tr("Programs that know OpenAI's API call it the base URL.")
        )
        self._address.show_path(self._status.address if is_on else "")
        self._address.set_words(self.tr("Copy"))
        set_enabled(self._address.buttons[0], is_on)
        self._rows["token"].set_texts(self.tr("Token"), self._token_words(), keywords=self.tr("key secret password"))
        self._show_token()

    def _state_words(self) -> tuple[str, str]:
        match self._status.state:
            case ApiState.OFF:
                return self.tr("Off"), self.tr("Nothing listens for other programs.")
            case ApiState.STARTING:
                return self.tr("Starting…"), ""
            case ApiState.ON:
                return self.tr("On"), self.tr("Programs with the token are answered.")
            case ApiState.FAILED:
                error = self._status.error
                title, detail = error_words(error.code, error.params) if error is not None else ("", "")
                return title, detail

    def _token_words(self) -> str:
        if not self._token:
            return self.tr("It is made when you switch the API on.")
        if not self._is_token_kept:
            return self.tr(
                "Programs must send it, as a bearer token or API key. The system's keychain does not keep it, so another"
                " one is made when Threadwell starts again."
            )
        return self.tr("Programs must send it, as a bearer token or API key. It lies in the system's keychain.")

    def _show_token(self) -> None:
        """In dots until somebody wants to see it: a token on the screen is one in every picture of the screen."""
        is_shown = self._show.isChecked() and bool(self._token)
        edit = self._secret.edit
        edit.setEchoMode(QLineEdit.EchoMode.Normal if is_shown else QLineEdit.EchoMode.Password)
        self._secret.show_path(self._token)
        edit.setToolTip("")
        words = self.tr("Hide") if self._show.isChecked() else self.tr("Show")
        self._secret.set_words(words, self.tr("Copy"), self.tr("Renew"))
        for button in self._secret.buttons:
            set_enabled(button, bool(self._token))


class ApiPresenter(SectionPresenter):
    """Keeps the page true to the API."""

    def __init__(self, page: ApiPage, context: SettingsContext) -> None:
        super().__init__(page, context, "api", FIELDS)
        self._api_page = page
        self._worker = Worker(context.services)
        self._api = context.services.api
        self._api.changed.connect(self._api_changed)
        page.copy_requested.connect(self._copy)
        page.renew_requested.connect(lambda: self._worker.start(self._renew(), "renew a token"))
        page.retry_requested.connect(self._api.try_again)
        self._api_changed(self._api.status)

    def _api_changed(self, status: ApiStatus) -> None:
        self._api_page.show_status(status, self._api.token, is_token_kept=self._api.is_token_kept)

    def _copy(self, text: str) -> None:
        QGuiApplication.clipboard().setText(text)
        self._context.tell(lambda: self.tr("Copied"))

    async def _renew(self) -> None:
        await self._api.renew_token()
        self._context.tell(lambda: self.tr("The new token holds. Programs with the old one are refused from now on."))
