"""The page Memory: whether chats are remembered, what answers are told, and how what belongs to a question is found."""

from collections.abc import Sequence
from urllib.parse import urlsplit

from PySide6.QtCore import QSignalBlocker, QStringListModel, Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QCompleter,
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QProgressBar,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from desktop.core.endpoint_settings import EndpointSettings
from desktop.core.memory_settings import EmbedderKind, MemorySettings, MemoryUse
from desktop.memory.indexing import IndexingState
from desktop.ui.controls import IconLabel, describe, pass_undo_on, set_enabled, set_property
from desktop.ui.endpoints.choice_box import ChoiceBox
from desktop.ui.error_words import error_words
from desktop.ui.memory.words import memory_use_sentence, memory_use_word
from desktop.ui.plain_label import PlainLabel
from desktop.ui.punctuation import follow, sentences
from desktop.ui.settings.controls import SegmentedChoice, Switch
from desktop.ui.settings.folder_field import FolderField
from desktop.ui.settings.layouts import WordsAndControl
from desktop.ui.settings.section_page import SectionPage
from desktop.ui.settings.token_field import TokenField
from desktop.ui.settings.value_label import ValueLabel
from desktop.ui.state.endpoint_entry import host_of
from desktop.ui.state.endpoint_names import endpoint_name
from desktop.ui.state.readable import one_line
from desktop.ui.theme.theme_manager import ThemeManager

MOST_NAME = 200
_NOBODY = ""


class MemoryPage(SectionPage):
    """Signals:
    shown: the page was opened.
    open_requested: the memory page of the main window is to be shown.
    resume_requested: memory shall go on after a pause.
    token_given: the token of the Chroma server, empty to forget it.
    """

    shown = Signal()
    open_requested = Signal()
    resume_requested = Signal()
    token_given = Signal(str)

    def __init__(self, theme: ThemeManager) -> None:
        super().__init__("memory", "brain")
        self._values = MemorySettings()
        self._state = IndexingState()
        self._endpoints: Sequence[EndpointSettings] = ()
        self._count, self._is_more = 0, False
        self._offered: list[str] = []
        self._make_notes(theme)
        self._make_controls()
        self._chats, self._finding, self._by_provider, self._progress_part, self._server = (
            self.add_section() for _ in range(5)
        )
        rows = {
            "remembers": self._chats.add_row(self._remembers),
            "use": self._chats.add_row(self._use, wide=True),
            "open": self._chats.add_row(self._open),
            "embedder": self._finding.add_row(self._embedder, wide=True),
            "embedding_endpoint_id": self._by_provider.add_row(self._provider),
            "embedding_model": self._by_provider.add_row(self._model),
            "state": self._progress_part.add_row(_column(self._progress, self._bar), wide=True),
            "chroma_url": self._server.add_row(self._url, wide=True),
            "token": self._server.add_row(self._token, wide=True),
        }
        self.add_widget(self._left)
        self._rows = rows
        self.field_rows = {name: rows[name] for name in ("embedding_model", "chroma_url")}
        self._connect()
        self.retranslate()

    # -- what the presenter calls

    def show_values(self, values: MemorySettings) -> None:
        self._values = values
        with QSignalBlocker(self._remembers):
            self._remembers.setChecked(values.remembers)
        self._use.set_value(values.use)
        self._embedder.set_value(values.embedder)
        self._paused.setVisible(values.is_paused)
        self._left.setVisible(bool(values.chroma_left))
        self._name_left()
        if not self._model.hasFocus():
            self._model.setText(values.embedding_model)
        if not self._url.edit.hasFocus():
            self._url.show_path(values.chroma_url)
        set_enabled(self._url.buttons[0], bool(values.chroma_url))
        self._show_providers()
        self._describe()

    def show_endpoints(self, endpoints: Sequence[EndpointSettings]) -> None:
        """Offer these to make the vectors."""
        if tuple(endpoints) != tuple(self._endpoints):
            self._endpoints = tuple(endpoints)
            self._show_providers()
            self._describe()

    def show_state(self, state: IndexingState) -> None:
        """Show how far the search by meaning is."""
        self._state = state
        self._describe_state()

    def show_count(self, count: int, *, is_more: bool) -> None:
        """Show how many memories there are."""
        self._count, self._is_more = count, is_more
        number = self.locale().toString(count) + ("+" if is_more else "")
        self._rows["open"].set_texts(
            self.tr("%1 memories", "", count).replace("%1", number) if count else self.tr("Nothing is remembered yet"),
            self.tr("Read, search, change and forget them; import and export."),
            keywords=self.tr("list facts export import forget"),
        )

    def show_token(self, is_kept: bool) -> None:
        """Say whether a token is kept; it is never shown."""
        self._token.show_kept(is_kept)

    # -- Qt's side

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        super().showEvent(event)
        self.shown.emit()

    def hand_over(self) -> None:
        """Emit what was typed but not left yet."""
        model = " ".join(self._model.text().split())[:MOST_NAME]
        if model != self._values.embedding_model:
            self.chosen.emit("embedding_model", model)
        url = self._url.edit.text().strip().rstrip("/")
        problem = "" if not url or is_server_address(url) else self.tr("Write it as http://host:port.")
        self._url.show_problem(problem)
        if not problem and url != self._values.chroma_url:
            self.chosen.emit("chroma_url", url)

    def retranslate(self) -> None:
        self.set_texts(
            self.tr("Memory"), self.tr("What you said before can help with what you ask now. It lies on this computer.")
        )
        self._chats.set_heading(self.tr("Chats"))
        self._finding.set_heading(self.tr("How memories are found"))
        self._server.set_heading(self.tr("For several computers"))
        self._paused_words.setText(
            self.tr("Memory is paused: nothing is taken from chats, and answers are told nothing.")
        )
        self._resume.setText(self.tr("Let memory go on"))
        describe(self._resume, self._resume.text(), tooltip="")
        self._use.set_words({use: memory_use_word(use) for use in MemoryUse})
        self._embedder.set_words(
            {
                EmbedderKind.BUNDLED: self.tr("On this computer"),
                EmbedderKind.ENDPOINT: self.tr("By a provider"),
                EmbedderKind.NONE: self.tr("By words only"),
            }
        )
        self._open.setText(self.tr("Open the memory page"))
        self._provider.view().setAccessibleName(self.tr("Provider"))
        self._model.setPlaceholderText(self.tr("For example: bge-m3"))
        self._url.set_words(self.tr("Use the data folder"))
        self._url.edit.setPlaceholderText("http://192.168.1.20:8000")
        rows = self._rows
        rows["remembers"].set_texts(
            self.tr("Remember from chats"),
            self.tr("After an answer, what you said about yourself and your plans is noted. Never passwords or keys."),
            keywords=self.tr("extract facts learn"),
        )
        rows["embedding_endpoint_id"].set_texts(self.tr("Provider"), keywords=self.tr("endpoint service"))
        rows["embedding_model"].set_texts(
            self.tr("Model"),
            self.tr("An embedding model, which is made for comparing texts; a chat model will not do."),
            keywords="embeddings",
        )
        rows["chroma_url"].set_texts(
            self.tr("Chroma server"),
            self.tr(
                "Keeps what the search by meaning needs, in place of the data folder: numbers made of your texts, never"
                " the texts."
            ),
            keywords=self.tr("chroma vector database host port"),
        )
        rows["token"].set_texts(
            self.tr("Token of the server"), self.tr("Lies with your keys, not in the settings."), keywords="token"
        )
        self._give_up.setText(self.tr("Do not try any more"))
        describe(self._give_up, self._give_up.text(), tooltip="")
        self._name_left()
        self.show_count(self._count, is_more=self._is_more)
        self._describe()
        self._describe_state()

    # -- inside

    def _make_notes(self, theme: ThemeManager) -> None:
        self._paused_words, self._left_words = PlainLabel(), PlainLabel()
        self._resume, self._give_up = QPushButton(), QPushButton()
        self._resume.setObjectName("resumeMemory")
        self._give_up.setObjectName("giveUpServers")
        self._paused = _note(theme, "pause", self._paused_words, self._resume)
        self._paused.setObjectName("settingsMemoryPaused")
        self._left = _note(theme, "triangle-alert", self._left_words, self._give_up)
        self._left.setObjectName("serversLeft")
        self.add_widget(self._paused)

    def _make_controls(self) -> None:
        self._remembers = Switch("rememberFromChats")
        self._use = SegmentedChoice("memoryUse", list(MemoryUse))
        self._open = QPushButton()
        self._open.setObjectName("openMemoryPage")
        self._open.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._embedder = SegmentedChoice("memoryEmbedder", list(EmbedderKind))
        self._provider = ChoiceBox("memoryProvider", _NOBODY)
        self._provider.setMinimumContentsLength(18)
        self._provider.view().setObjectName("memoryProviderOffers")
        self._model = QLineEdit()
        self._model.setObjectName("memoryModel")
        self._model.setMaxLength(MOST_NAME)
        self._model.setMinimumWidth(240)
        pass_undo_on(self._model)
        self._models = QStringListModel(self)
        completer = QCompleter(self._models, self)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        self._model.setCompleter(completer)
        self._progress = ValueLabel("memoryState")
        self._bar = QProgressBar()
        self._bar.setObjectName("memoryProgress")
        self._bar.setTextVisible(False)  # the words above say it
        self._url = FolderField("chromaUrl", "chromaUrlReset")
        self._token = TokenField("chromaToken")

    def _connect(self) -> None:
        self._remembers.toggled.connect(lambda on: self.chosen.emit("remembers", on))
        self._use.chosen.connect(lambda use: self.chosen.emit("use", use))
        self._embedder.chosen.connect(lambda kind: self.chosen.emit("embedder", kind))
        self._provider.activated.connect(lambda _: self._choose_provider())
        self._model.editingFinished.connect(self.hand_over)
        self._url.edit.editingFinished.connect(self.hand_over)
        self._url.buttons[0].clicked.connect(lambda: self.chosen.emit("chroma_url", ""))
        self._open.clicked.connect(self.open_requested)
        self._resume.clicked.connect(self.resume_requested)
        self._give_up.clicked.connect(lambda: self.chosen.emit("chroma_left", ()))
        self._token.given.connect(self.token_given)

    def _choose_provider(self) -> None:
        if self._provider.key != _NOBODY:
            self.chosen.emit("embedding_endpoint_id", self._provider.key)

    def _show_providers(self) -> None:
        ids = [endpoint.id for endpoint in self._endpoints]
        if ids != self._offered:  # else the list would close under the pointer
            self._offered = ids
            self._provider.set_keys(_NOBODY, *ids)
        self._provider.set_words(self.tr("Choose a provider"), *(_name(endpoint) for endpoint in self._endpoints))
        chosen = self._values.embedding_endpoint_id
        self._provider.show_key(chosen if chosen in ids else _NOBODY)
        endpoint = self._endpoint
        models = endpoint.models if endpoint is not None else ()
        self._models.setStringList(sorted(models, key=lambda name: ("embed" not in name.casefold(), name)))

    @property
    def _endpoint(self) -> EndpointSettings | None:
        wanted = self._values.embedding_endpoint_id
        return next((endpoint for endpoint in self._endpoints if endpoint.id == wanted), None)

    def _describe(self) -> None:
        values = self._values
        self._by_provider.setVisible(values.embedder is EmbedderKind.ENDPOINT)
        self._rows["use"].set_texts(
            self.tr("What answers are told"),
            follow(memory_use_sentence(values.use), self.tr("A chat can have its own way instead.")),
            keywords=self.tr("recall scope everywhere off"),
        )
        self._rows["embedder"].set_texts(
            self.tr("Search by meaning"),
            self._words_about(values.embedder),
            keywords=self.tr("vectors embedding semantic words"),
        )

    def _words_about(self, kind: EmbedderKind) -> str:
        endpoint = self._endpoint
        match kind:
            case EmbedderKind.BUNDLED:
                return self.tr(
                    "What means the same is found in other words and languages, too. Nothing leaves this computer."
                )
            case EmbedderKind.NONE:
                return self.tr("Only texts that share words with the question are found. Nothing leaves this computer.")
            case EmbedderKind.ENDPOINT if endpoint is not None and self._values.embedding_model:
                words = self.tr(
                    "All memories, all messages of all chats, and every question you ask are sent to %1, which may keep"
                    " them and may charge for them."
                )
                return words.replace("%1", f"{_name(endpoint)} ({host_of(endpoint.base_url)})")
            case EmbedderKind.ENDPOINT:
                return self.tr(
                    "All memories, all messages of all chats, and every question you ask are sent to the provider that"
                    " you choose here, which may keep them and may charge for them. Until you chose one and a model,"
                    " nothing is sent."
                )

    def _describe_state(self) -> None:
        state, number = self._state, self.locale().toString
        lines: list[str] = []
        is_counting = state.is_working and state.total > 0
        self._bar.setVisible(is_counting)
        if is_counting:
            words = self.tr("%1 of %2 texts prepared.").replace("%2", number(state.total))
            lines.append(words.replace("%1", number(state.done)))
            if state.is_changing:
                lines.append(self.tr("Until then the search goes on as before."))
            self._bar.setMaximum(state.total)
            self._bar.setValue(state.done)
        elif state.embedder_id is not None:
            lines.append(self.tr("Ready."))
        elif not state.problem:  # which says it
            lines.append(self.tr("Only words are compared at the moment."))
        if state.problem:
            words = error_words(state.problem, {"detail": state.detail})
            lines.append(sentences(words.title, words.detail))
        self._progress.setText(follow(*lines))
        set_property(self._progress, "role", "warning" if state.problem else "")
        self._bar.setAccessibleName(self._progress.text())
        self._rows["state"].set_texts(self.tr("State"), keywords=self.tr("progress index"))

    def _name_left(self) -> None:
        servers = ", ".join(self._values.chroma_left)
        words = self.tr(
            "What was kept at the Chroma server that you left could not be deleted there yet: %1. It is tried again from"
            " time to time."
        )
        self._left_words.setText(words.replace("%1", one_line(servers, MOST_NAME)))


def is_server_address(url: str) -> bool:
    """Whether this names a server and nothing else: ``http(s)://host:port``."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return False
    is_plain = not (parts.path.strip("/") or parts.query or parts.fragment or parts.username or parts.password)
    has_host = bool(parts.hostname) and parts.netloc.isascii() and not any(map(str.isspace, url))
    return parts.scheme in ("http", "https") and has_host and is_plain and port != 0


def _note(theme: ThemeManager, icon: str, words: PlainLabel, button: QPushButton) -> QFrame:
    """Return a note with something to be done about it; hidden until it is wanted."""
    note, said = QFrame(), QWidget()
    note.setProperty("role", "settingNote")
    row = QHBoxLayout(said)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(10)
    row.addWidget(IconLabel(theme, icon, "warning", 18))
    row.addWidget(words, 1)
    layout = WordsAndControl(said, button)
    layout.setContentsMargins(14, 10, 14, 10)
    note.setLayout(layout)
    note.hide()
    return note


def _column(*widgets: QWidget) -> QWidget:
    place = QWidget()
    place.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
    column = QVBoxLayout(place)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(6)
    for widget in widgets:
        column.addWidget(widget)
    return place


def _name(endpoint: EndpointSettings) -> str:
    return one_line(endpoint_name(endpoint), 60)
