"""The page Shared sessions: which chats share their turns, where these are kept, and whether that works."""

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QPushButton

from desktop.agent.session_sharing import Sharing, SharingState
from desktop.core.errors import ThreadwellError
from desktop.core.session_settings import (
    REDIS_PASSWORD,
    USUAL_SESSIONS,
    SessionSettings,
    SessionUse,
    split_redis_url,
)
from desktop.ui.controls import Words, announce, describe, set_enabled, text_of
from desktop.ui.error_words import error_words
from desktop.ui.presenting import Worker
from desktop.ui.punctuation import sentences
from desktop.ui.settings.context import SettingsContext
from desktop.ui.settings.controls import SegmentedChoice, Switch
from desktop.ui.settings.folder_field import FolderField
from desktop.ui.settings.section_page import SectionPage, SectionPresenter
from desktop.ui.settings.token_field import TokenField
from desktop.ui.settings.value_label import ValueLabel

FIELDS = ("use", "redis_url", "as_lists")


def make_sessions_page(context: SettingsContext) -> SectionPage:
    page = SessionsPage()
    SessionsPresenter(page, context)
    context.writer.flushing.connect(page.hand_over)
    return page


class SessionsPage(SectionPage):
    """Signals:
    shown: the page was opened.
    address_given: the address of a Redis server and the password that stood in it, if any.
    password_given: the password of the Redis server, empty to forget it.
    test_requested: as it says.
    """

    shown = Signal()
    address_given = Signal(str, str)
    password_given = Signal(str)
    test_requested = Signal()

    def __init__(self) -> None:
        super().__init__("sessions", "arrow-left-right")
        self._values = USUAL_SESSIONS
        self._sharing = Sharing()
        self._result: Words = ""
        self._is_testing = False
        self._use = SegmentedChoice("sessionUse", list(SessionUse))
        self._state = ValueLabel("sessionState")
        self._url = FolderField("redisUrl", "redisUrlReset")
        self._password = TokenField("redisPassword", is_password=True)
        self._as_lists = Switch("sessionLists")
        self._test = QPushButton()
        self._test.setObjectName("testRedis")
        self._outcome = ValueLabel("redisTestResult")
        self._main, self._server = self.add_section(), self.add_section()
        self._rows = {
            "use": self._main.add_row(self._use, wide=True),
            "state": self._main.add_row(self._state),
            "redis_url": self._server.add_row(self._url, wide=True),
            "password": self._server.add_row(self._password, wide=True),
            "test": self._server.add_row(self._test),
            "as_lists": self._server.add_row(self._as_lists),
        }
        self.add_widget(self._outcome)
        self.field_rows = {"redis_url": self._rows["redis_url"]}
        self._use.chosen.connect(lambda use: self.chosen.emit("use", use))
        self._as_lists.toggled.connect(lambda is_on: self.chosen.emit("as_lists", is_on))
        self._url.edit.editingFinished.connect(self.hand_over)
        self._url.buttons[0].clicked.connect(lambda: self.address_given.emit("", ""))
        self._password.given.connect(self.password_given)
        self._test.clicked.connect(self._ask_for_test)
        self.retranslate()

    def showEvent(self, event: object) -> None:  # noqa: N802
        super().showEvent(event)  # pyright: ignore[reportArgumentType]
        self.shown.emit()

    def hand_over(self) -> None:
        """Emit the address that was typed, if it is one."""
        typed = self._url.edit.text().strip()
        found = split_redis_url(typed) if typed else ("", "")
        problem = (
            "" if found is not None else self.tr("Write it as redis://host:port, with rediss:// where it is encrypted.")
        )
        self._url.show_problem(problem)
        if found is not None and (found[0] != self._values.redis_url or found[1]):
            self.address_given.emit(*found)

    def show_values(self, values: SessionSettings) -> None:
        if values.redis_url != self._values.redis_url:
            self.show_result("")
        self._values = values
        self._use.set_value(values.use)
        with QSignalBlocker(self._as_lists):
            self._as_lists.setChecked(values.as_lists)
        if not self._url.edit.hasFocus() or split_redis_url(self._url.edit.text()) is not None:
            self._url.show_path(values.redis_url)
        self._describe()

    def show_sharing(self, sharing: Sharing) -> None:
        before = self._sharing.state
        self._sharing = sharing
        self._describe()
        if self.isVisible() and sharing.state is SharingState.FAILED and before is not SharingState.FAILED:
            announce(self._use, self._state.text())

    def show_password(self, is_kept: bool) -> None:
        """Say whether a password is kept; it is never shown."""
        self._password.show_kept(is_kept)

    def show_testing(self, is_testing: bool) -> None:
        self._is_testing = is_testing
        self._describe()

    def show_result(self, result: Words) -> None:
        """Say how a test ended; nothing before one."""
        self._result = result
        self._describe()
        if result and self.isVisible():
            announce(self._test, self._outcome.text())

    def retranslate(self) -> None:
        self.set_texts(
            self.tr("Shared sessions"),
            self.tr(
                "A chat can share its newest questions and answers with other windows and programs, and its answers are"
                " told what these said. What comes from there counts as foreign text. Temporary chats never share."
            ),
        )
        self._server.set_heading(self.tr("For several computers"))
        self._use.set_words(
            {
                SessionUse.OFF: self.tr("Off"),
                SessionUse.CHOSEN: self.tr("Chosen chats"),
                SessionUse.ALL: self.tr("All chats"),
            }
        )
        self._url.set_words(self.tr("Use the data folder"))
        self._url.edit.setPlaceholderText("redis://192.168.1.20:6379/0")
        self._rows["redis_url"].set_texts(
            self.tr("Redis server"),
            self.tr(
                "Keeps the sessions in place of the data folder, so that computers can share them: the texts of your chats"
                " are sent there. Without rediss:// they travel unencrypted."
            ),
            keywords=self.tr("redis database host port"),
        )
        self._rows["password"].set_texts(
            self.tr("Password of the server"), self.tr("Lies with your keys, not in the settings."), keywords="token"
        )
        self._rows["as_lists"].set_texts(
            self.tr("Keep sessions for seven days"),
            self.tr(
                "As lists that other chat programs read and write, too: chat:session: and the name of the session. Else"
                " a session is kept for 24 hours after its last use."
            ),
        )
        self._describe()

    def _ask_for_test(self) -> None:
        self.hand_over()
        self.test_requested.emit()

    def _describe(self) -> None:
        values = self._values
        words = {
            SessionUse.OFF: self.tr("Nothing is shared."),
            SessionUse.CHOSEN: self.tr("A chat shares when you switch it on in its options."),
            SessionUse.ALL: self.tr("Each chat shares a session of its own, or the one that its options name."),
        }
        self._rows["use"].set_texts(
            self.tr("Chats that share"), words[values.use], keywords=self.tr("session share window program redis")
        )
        title, detail = self._state_words()
        self._state.setText(title)
        self._rows["state"].set_texts(self.tr("State"), detail)
        has_server = bool(values.redis_url)
        self._password.setEnabled(has_server)
        set_enabled(self._as_lists, has_server)
        set_enabled(self._url.buttons[0], has_server)
        self._test.setText(self.tr("Testing…") if self._is_testing else self.tr("Test connection"))
        describe(self._test, self._test.text(), tooltip="")
        set_enabled(self._test, has_server and not self._is_testing)
        self._rows["test"].set_texts(
            self.tr("Does it work?"), self.tr("Reads from the server once, as an answer would.")
        )
        self._outcome.setText(text_of(self._result))
        self._outcome.setVisible(bool(self._outcome.text()))

    def _state_words(self) -> tuple[str, str]:
        match self._sharing.state:
            case SharingState.OFF:
                return self.tr("Off"), ""
            case SharingState.UNKNOWN:
                return self.tr("Not used yet"), self.tr("The memory server starts with the first message.")
            case SharingState.READY:
                return self.tr("Works"), ""
            case SharingState.LATE:
                return self.tr("Slow"), self.tr("The last answer did not wait for the session any longer.")
            case SharingState.FAILED:
                error = self._sharing.error
                return self.tr("Does not work"), sentences(*error_words(error.code, error.params)) if error else ""


class SessionsPresenter(SectionPresenter):
    """Keeps the page true to the settings and to the sharing, and the password with the secrets."""

    def __init__(self, page: SessionsPage, context: SettingsContext) -> None:
        self._sessions_page = page
        super().__init__(page, context, "sessions", FIELDS)
        self._worker = Worker(context.services)
        self._sharing = context.services.sessions
        page.shown.connect(lambda: self._worker.start(self._read(), "look for a password"))
        page.address_given.connect(lambda url, word: self._worker.start(self._take(url, word), "keep an address"))
        page.password_given.connect(lambda word: self._worker.start(self._keep(word), "keep a password"))
        page.test_requested.connect(lambda: self._worker.start_once(self._test(), "test Redis"))
        if self._sharing is not None:
            self._sharing.changed.connect(self._sharing_changed)
        context.services.settings.changed.connect(lambda _: self._show_sharing())
        self._show_sharing()

    def _sharing_changed(self, _sharing: Sharing) -> None:
        self._show_sharing()

    def _show_sharing(self) -> None:
        self._sessions_page.show_sharing(Sharing() if self._sharing is None else self._sharing.sharing)

    async def _read(self) -> None:
        secrets = self._context.services.secrets
        self._sessions_page.show_password(await secrets.get(REDIS_PASSWORD) is not None)

    async def _take(self, url: str, password: str) -> None:
        if password:
            await self._keep(password)
        self._save("redis_url", url)

    async def _keep(self, password: str) -> None:
        secrets = self._context.services.secrets
        if password:
            await secrets.set(REDIS_PASSWORD, password)
        else:
            await secrets.delete(REDIS_PASSWORD, was_in_keychain=True)
        self._sessions_page.show_password(bool(password))
        self._sessions_page.show_result("")
        if self._sharing is not None:
            await self._sharing.use_other_password()

    async def _test(self) -> None:
        page, sharing = self._sessions_page, self._sharing
        place = self._context.services.settings.settings.sessions.place
        if sharing is None or not place.redis_url:
            return
        page.show_testing(True)
        page.show_result("")
        try:
            await sharing.test(place)
        except ThreadwellError as error:
            failure = error
            page.show_result(lambda: sentences(*error_words(failure.code, failure.params)))
        else:
            page.show_result(lambda: self.tr("It works: sessions can be kept there."))
        finally:
            page.show_testing(False)
