"""Which model answers: shown in header and footer, chosen in the picker, and asked for at the first start."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QLocale, QObject, Signal
from PySide6.QtWidgets import QWidget

from desktop.agent.events import ErrorEvent
from desktop.agent.run import Run
from desktop.conversation.entities import AskedModel
from desktop.core.endpoint_keys import key_name
from desktop.core.endpoint_list import Answering
from desktop.core.errors import ThreadwellError
from desktop.core.settings import EndpointSettings, KeyPlace, Settings
from desktop.ui.composer.model_bar import ModelBar
from desktop.ui.endpoints.parts import shown
from desktop.ui.main_window import MainWindow
from desktop.ui.model_button import ModelButton
from desktop.ui.presenting import Worker
from desktop.ui.services import UiServices
from desktop.ui.state.endpoint_names import model_label
from desktop.ui.state.model_choices import ModelChoice, model_choices
from desktop.ui.state.outcomes import Outcome, Outcomes
from desktop.ui.substitution_notice import SubstitutionNotice
from desktop.ui.theme.theme_manager import ThemeManager
from desktop.ui.thread_options_presenter import ThreadOptionsPresenter

if TYPE_CHECKING:
    from desktop.ui.first_start.page import FirstStartPage
    from desktop.ui.first_start.presenter import FirstStartPresenter
    from desktop.ui.model_picker import ModelPicker


class ModelPresenter(QObject):
    """Header, composer and footer show who answers in the open chat: its own choice, else the one of the book.

    Signals:
        language_chosen: on the page of the first start.
        model_changed: another endpoint or model answers the next message.
    """

    language_chosen = Signal(str)
    model_changed = Signal()

    def __init__(
        self,
        window: MainWindow,
        services: UiServices,
        theme: ThemeManager,
        open_link: Callable[[str], None],
        open_settings: Callable[[str], None],
        options: ThreadOptionsPresenter,
        parent: QObject,
    ) -> None:
        """``options`` are those of the open chat, and where its choice is kept."""
        super().__init__(parent)
        self._window = window
        self._services = services
        self._theme = theme
        self._open_link = open_link
        self._open_settings = open_settings
        self._options = options
        self._worker = Worker(services)
        self._has_failed = False
        self._outcomes = Outcomes()
        self._shown: EndpointSettings | None = None
        self._picker: ModelPicker | None = None
        self._page: FirstStartPage | None = None
        self._first_start: FirstStartPresenter | None = None
        self._book = services.endpoint_book
        self._book.chosen.connect(self._chosen)
        self._book.failed.connect(services.report_error)
        self._substitution = SubstitutionNotice(window.notices, self.open_picker, self)
        window.header.model_requested.connect(self.open_picker)
        self._bar.model_requested.connect(lambda: self.open_picker(self._bar.model_button))
        self._bar.thinking_chosen.connect(lambda effort: options.change(thinking=effort))
        options.changed.connect(self.show_model)
        services.chat.run_ended.connect(self._run_ended)
        services.settings.changed.connect(self._settings_changed)
        self.show_model()

    @property
    def is_first_start(self) -> bool:
        """The page of the first start is shown."""
        return self._page is not None

    @property
    def asks_several(self) -> bool:
        """The next message of the open chat goes to several models."""
        return bool(self._options.options.asked_beside)

    def show_model(self) -> None:
        """Show what answers in the open chat; also after the language changed."""
        answering = self._answering
        endpoint = answering.endpoint
        label = self.label_of(endpoint)
        own = self._options.options
        self._show_names(label, self.tr("Demo model") if endpoint.is_demo else shown(endpoint.model) or label, endpoint)
        levels = self._services.endpoints.thinking_levels(endpoint)
        self._bar.thinking.show_levels(levels, own.thinking, endpoint.options.thinking)
        self._show_sight()
        self._substitution.show_state(own.endpoint_id if answering.is_substitute else None, label)
        self._window.sidebar.footer.set_model(label, failed=self._has_failed)
        if endpoint != self._shown:
            self._shown = endpoint
            self._window.transcript.set_scripted(endpoint.is_demo)
            self.model_changed.emit()

    def _show_names(self, label: str, short: str, endpoint: EndpointSettings) -> None:
        """Say in header and composer who answers; where several do, how many, and their names at length."""
        others = [self._label_of_asked(asked) for asked in self._options.options.asked_beside]
        if others:
            names = QLocale().createSeparatedList([label, *others])
            count = self.tr("%n models", "", 1 + len(others))
            self._bar.show_model(names, count, are_several=True)
            self._window.header.set_model(names, count, scripted=endpoint.is_demo, are_several=True)
        else:
            self._bar.show_model(label, short)
            self._window.header.set_model(label, scripted=endpoint.is_demo)

    def _label_of_asked(self, asked: AskedModel) -> str:
        answering = self._book.answering(endpoint_id=asked.endpoint_id, model=asked.model or None)
        if answering.is_substitute:
            return self.tr("%1 (not set up any more)").replace("%1", shown(asked.model))
        return self.label_of(answering.endpoint)

    def _show_sight(self) -> None:
        sees = self._services.endpoints.sees_images(self._answering.endpoint)
        self._window.composer.files.set_blind(sees is False)

    def label_of(self, endpoint: EndpointSettings) -> str:
        """Return what people read for an endpoint with its model."""
        return self.tr("Demo model") if endpoint.is_demo else shown(model_label(endpoint))

    @property
    def _answering(self) -> Answering:
        options = self._options.options
        return self._book.answering(endpoint_id=options.endpoint_id, model=options.model)

    @property
    def _bar(self) -> ModelBar:
        return self._window.composer.model_bar

    def open_picker(self, anchor: ModelButton | None = None) -> None:
        """Show the list of models at a button that says who answers, without one at the header's, if that has room for it."""
        usual = self._window.header.model_button
        anchor = anchor or (self._bar.model_button if usual.isHidden() else usual)
        if self._picker is None:
            from desktop.ui.model_picker import ModelPicker

            self._picker = ModelPicker(self._theme, self._window.header)
            self._picker.chosen.connect(self._choose)
            self._picker.several_chosen.connect(self._choose_several)
            self._picker.settings_requested.connect(lambda: self._open_settings("models"))
            self._picker.closed.connect(self._picker_closed)
        anchor.set_open(True)
        self._picker.show_at(anchor, self._choices(), for_new_chats=self._options.is_new)

    def pick_for_answer(self, anchor: QWidget, then: Callable[[AskedModel | None], object]) -> None:
        """Show the list of models at ``anchor``; ``then`` gets the one chosen, None for the one of the command line."""
        from desktop.ui.model_picker import ModelPicker

        picker = ModelPicker(self._theme, self._window, for_one_answer=True)
        picker.chosen.connect(
            lambda choice: then(
                None if choice.is_given else AskedModel(endpoint_id=choice.endpoint_id, model=choice.model)
            )
        )
        picker.settings_requested.connect(lambda: self._open_settings("models"))
        picker.closed.connect(picker.deleteLater)
        picker.show_at(anchor, self._choices())

    def _choices(self) -> tuple[ModelChoice, ...]:
        asked = self._options.options.asked_beside
        return model_choices(self._book.settings, self._answering.endpoint, self._book.given_endpoint, asked)

    def enter_key(self, endpoint_id: str = "") -> None:
        """Ask for the key of this endpoint, without an id of the one that answers."""
        endpoint = self._book.find(endpoint_id or self._answering.endpoint.id)
        if endpoint is None or endpoint.key_env:
            self._open_settings("models")
        else:
            self._worker.start_once(self._ask_for_key(endpoint), f"ask for the key of {endpoint.id}")

    def use_key(self, key: str) -> None:
        """Set up a model with a key that was pasted into the message; it leaves the message when that is done."""
        from desktop.ui.endpoints.endpoint_dialog import AddEndpointDialog

        dialog = AddEndpointDialog(self._services, self._theme, self._window, key=key)
        dialog.kept.connect(lambda endpoint: self._key_used(key, endpoint))
        dialog.open()

    # -- the first start

    def show_first_start(self, languages: Sequence[str], language: str) -> None:
        """Ask who shall answer, in place of transcript and composer; ``language`` of ``languages`` is shown."""
        from desktop.ui.first_start.page import FirstStartPage
        from desktop.ui.first_start.presenter import FirstStartPresenter

        page = FirstStartPage(self._theme, self._services.endpoints.presets(), languages, language)
        self._page = page
        page.language_chosen.connect(self.language_chosen)
        self._first_start = FirstStartPresenter(page, self._services, self._open_link)
        self._first_start.chosen.connect(self._confirm)
        self._window.show_page(page)

    def show_language(self, language: str) -> None:
        """Use the words of the language shown now, and mark it on the page of the first start."""
        self.show_model()
        if self._page is not None:
            self._page.show_language(language)

    def end_first_start(self) -> None:
        """Show the chat instead of the page of the first start, if that is there."""
        if self._first_start is None or self._page is None:
            return
        self._first_start.close()
        self._first_start = self._page = None
        self._window.close_page()
        self._window.composer.focus_text()

    def close(self) -> None:
        """End what still runs; for the end of the program."""
        if self._first_start is not None:
            self._first_start.close()

    # -- what happens

    def _key_used(self, key: str, endpoint: EndpointSettings) -> None:
        if endpoint.key_place is not KeyPlace.NONE:  # else something was chosen that needs none
            self._window.composer.remove_key(key)

    async def _ask_for_key(self, endpoint: EndpointSettings) -> None:
        from desktop.ui.endpoints.endpoint_dialog import EditEndpointDialog

        is_known = bool(await self._services.secrets.get(key_name(endpoint.id), ask_keychain=False))
        is_missing = endpoint.key_place is KeyPlace.SESSION and not is_known
        EditEndpointDialog(
            self._services, self._theme, self._window, endpoint, key_missing=is_missing, at_key=True
        ).open()

    def _choose(self, choice: ModelChoice) -> None:
        """Have it answer in the open chat, and where the user said so in new ones; a new chat needs no choice then."""
        for_new_chats = self._picker is not None and self._picker.is_for_new_chats
        try:
            if choice.is_given:
                self._book.choose_given()
            elif for_new_chats:
                self._book.choose(choice.endpoint_id, choice.model)
        except ThreadwellError as error:
            self._services.report_error(error)
        if choice.is_given or (for_new_chats and self._options.is_new):
            self._options.change(endpoint_id=None, model=None, asked_beside=())
        else:
            self._options.change(endpoint_id=choice.endpoint_id, model=choice.model or None, asked_beside=())
        self._window.composer.focus_text()

    def _choose_several(self, choices: Sequence[ModelChoice]) -> None:
        """Ask these in the open chat; the first of them answers in it."""
        first, *others = choices
        beside = tuple(AskedModel(endpoint_id=each.endpoint_id, model=each.model) for each in others)
        if first.is_current:
            self._options.change(asked_beside=beside)
        elif first.is_given:
            self._book.choose_given()
            self._options.change(endpoint_id=None, model=None, asked_beside=beside)
        else:
            self._options.change(endpoint_id=first.endpoint_id, model=first.model or None, asked_beside=beside)

    def _picker_closed(self) -> None:
        for button in (self._window.header.model_button, self._bar.model_button):
            button.set_open(False)

    def _chosen(self, _endpoint: EndpointSettings) -> None:
        self._has_failed = False
        self.show_model()

    def _confirm(self, endpoint: EndpointSettings) -> None:
        """Say what was chosen at the first start, with the way to change it."""
        self.end_first_start()
        self._window.toast.present(
            lambda: self._words_about(endpoint),
            lambda: self.tr("Choose a model…") if endpoint.is_demo else self.tr("Change…"),
            lambda: self._open_settings("models"),
        )

    def _words_about(self, endpoint: EndpointSettings) -> str:
        if endpoint.is_demo:
            return self.tr("The demo model answers from a script")
        return self.tr("%1 will answer from now on").replace("%1", shown(model_label(endpoint)))

    def _settings_changed(self, settings: Settings) -> None:
        if settings.welcomed and self._page is not None:
            self.end_first_start()  # somebody was chosen in the settings
        self.show_model()

    def _run_ended(self, run: Run) -> None:
        self._show_sight()  # the endpoint may have refused an image just now
        is_failure = self._outcomes.note(run) is Outcome.FAILED  # not where another model has answered
        failed = is_failure and isinstance(run.terminal, ErrorEvent) and run.terminal.code.startswith("model.")
        if failed != self._has_failed:
            self._has_failed = failed
            self.show_model()
