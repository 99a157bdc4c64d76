"""The model servers found on this computer: one card each, with its models or with what stands in the way."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from desktop.core.endpoints import FoundServer
from desktop.ui.controls import IconLabel, announce, describe, set_enabled
from desktop.ui.endpoints.parts import ModelBox, shown, words
from desktop.ui.state.endpoint_entry import host_of
from desktop.ui.theme.theme_manager import ThemeManager
from desktop.ui.transcript.blocks.spinner import SPINNING, StateIcon


class ServerCard(QFrame):
    """One server.

    Signals:
        use_requested: the server and the model that was chosen.
        key_requested: the server asks for a key; the user wants to give one.
    """

    use_requested = Signal(object, str)
    key_requested = Signal(object)

    def __init__(self, theme: ThemeManager, server: FoundServer, number: int) -> None:
        super().__init__()
        self.setObjectName(f"foundServer-{number}")
        self.setProperty("role", "endpointCard")
        self._server = server
        self._name = words("strong")
        self._address = words("muted")
        self._note = words("muted", "serverNote")
        self._models = ModelBox(editable=False)
        self._models.setObjectName("foundModel")
        self._models.set_models(server.models, server.models[0] if server.models else "")
        self._use = QPushButton()
        self._use.setObjectName("useServer")
        self._use.setProperty("role", "primary")
        self._use.clicked.connect(self._clicked)
        texts = QVBoxLayout()
        texts.setSpacing(2)
        texts.addWidget(self._name)
        texts.addWidget(self._address)
        texts.addWidget(self._note)
        row = QHBoxLayout()
        row.setSpacing(12)
        row.addWidget(IconLabel(theme, "hard-drive", "muted", 20), 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(texts, 1)
        row.addWidget(self._use, 0, Qt.AlignmentFlag.AlignVCenter)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(14, 12, 14, 12)
        layout.setSpacing(8)
        layout.addLayout(row)
        layout.addWidget(self._models)
        self._models.setVisible(len(server.models) > 1)
        self._use.setVisible(self._needs_key or bool(server.models))
        self.retranslate()

    @property
    def controls(self) -> tuple[QWidget, ...]:
        """What Tab stops at, in order."""
        return (self._models, self._use)

    @property
    def first_control(self) -> QWidget:
        return self._models if self._models.isVisibleTo(self) else self._use

    def retranslate(self) -> None:
        server = self._server
        kind = shown(server.kind)
        version = f" {shown(server.version)}" if server.version else ""
        self._name.setText(f"{kind}{version}")
        models = server.models
        what = self.tr("%n models", "", len(models)) if len(models) > 1 else shown(models[0]) if models else ""
        self._address.setText(" · ".join(part for part in (host_of(server.base_url), what) if part))
        note = self._note_words()
        self._note.setText(note)
        self._note.setVisible(bool(note))
        self._use.setText(self.tr("Enter the key…") if self._needs_key else self.tr("Use"))
        name = self.tr("Enter the key for %1") if self._needs_key else self.tr("Use %1")
        describe(self._use, name.replace("%1", kind), tooltip="")
        self._models.setAccessibleName(self.tr("Model of %1").replace("%1", kind))
        self.setAccessibleName(" ".join((self._name.text(), self._address.text(), note)))

    @property
    def _needs_key(self) -> bool:
        return self._server.needs_key or self._server.note == "needs_key"

    def _note_words(self) -> str:
        server = self._server
        if self._needs_key:
            return self.tr("It needs a key, which you set in its own settings.")
        if server.note == "loading":
            return self.tr("It is still loading its model. Look again in a moment.")
        if server.note == "no_models" or not server.models:
            if server.kind == "Ollama":
                return self.tr("It has no model yet. Run “ollama pull qwen3:8b” in a terminal, then look again.")
            return self.tr("No model is loaded. Load one in its own window, then look again.")
        return ""

    def _clicked(self) -> None:
        if self._needs_key:
            self.key_requested.emit(self._server)
        else:
            self.use_requested.emit(self._server, self._models.chosen_model or self._server.models[0])


class FoundServers(QWidget):
    """Emits ``look_requested`` and what its cards emit."""

    look_requested = Signal()
    use_requested = Signal(object, str)
    key_requested = Signal(object)

    def __init__(self, theme: ThemeManager) -> None:
        super().__init__()
        self.setObjectName("foundServers")
        self._theme = theme
        self._is_looking = False
        self._servers: Sequence[FoundServer] | None = None
        self._cards: list[ServerCard] = []
        self._spinner = StateIcon(theme, 16, self)
        self._spinner.setFixedSize(QSize(18, 18))
        self._state = words("muted", "foundState")
        self._again = QPushButton()
        self._again.setObjectName("lookAgain")
        self._again.clicked.connect(self.look_requested)
        state = QHBoxLayout()
        state.setSpacing(10)
        state.addWidget(self._spinner)
        state.addWidget(self._state, 1)
        state.addWidget(self._again)
        self._list = QVBoxLayout()
        self._list.setSpacing(8)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        layout.addLayout(state)
        layout.addLayout(self._list)
        self.retranslate()

    def set_looking(self) -> None:
        """Show that the search is going on; what was found before stays meanwhile."""
        self._is_looking = True
        self.retranslate()

    def set_servers(self, servers: Sequence[FoundServer]) -> None:
        """Show what was found."""
        self._is_looking = False
        had_focus = any(card.isAncestorOf(focus) for card in self._cards if (focus := self.focusWidget()))
        if servers != self._servers:
            self._servers = servers
            self._make_cards(servers)
        self.retranslate()
        if had_focus and self._cards:
            self._cards[0].first_control.setFocus()
        announce(self, self._state.text() or ", ".join(card.accessibleName() for card in self._cards))

    def retranslate(self) -> None:
        self._again.setText(self.tr("Look again"))
        describe(self._again, self.tr("Look again for model servers on this computer"), tooltip="")
        set_enabled(self._again, not self._is_looking)
        self._spinner.setVisible(self._is_looking)
        self._spinner.show_icon(SPINNING if self._is_looking else "info")
        if self._is_looking:
            text = self.tr("Looking for Ollama, LM Studio and others on this computer…")
        elif self._servers:
            text = self.tr("%n model server(s) found", "", len(self._servers))
        else:
            text = self.tr(
                "No model server was found on this computer. Start Ollama, LM Studio or another one, then look again."
            )
        self._state.setText(text)
        for card in self._cards:
            card.retranslate()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()

    def _make_cards(self, servers: Sequence[FoundServer]) -> None:
        for card in self._cards:
            self._list.removeWidget(card)
            card.hide()
            card.deleteLater()
        self._cards = [ServerCard(self._theme, server, number) for number, server in enumerate(servers)]
        for card in self._cards:
            card.use_requested.connect(self.use_requested)
            card.key_requested.connect(self.key_requested)
            self._list.addWidget(card)
        before: QWidget = self._again
        for card in self._cards:  # made later than what stands below them
            for control in card.controls:
                self.setTabOrder(before, control)
                before = control
