"""What of a server is rarely set: the way over HTTP, a time limit, the era of the protocol, the chat's folder and model."""

from collections.abc import Mapping

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from desktop.tools.entities import ProtocolEra
from desktop.tools.server_inputs import REFERENCE
from desktop.ui.endpoints.choice_box import ChoiceBox
from desktop.ui.endpoints.parts import Disclosure, Field
from desktop.ui.state.server_draft import ServerDraft

HTTP, SSE = "http", "sse"
SILENT, TOLD = "silent", "told"
NEVER, WHEN_ALLOWED = "never", "when_allowed"


class OptionFields(QWidget):
    """Folded up while everything is as usual."""

    def __init__(self) -> None:
        super().__init__()
        self._transport = ChoiceBox("serverTransport", HTTP, SSE)
        self.timeout = QLineEdit()
        self.timeout.setObjectName("serverTimeout")
        self._protocol = ChoiceBox("serverProtocol", *ProtocolEra)
        self._folder = ChoiceBox("serverKnowsFolder", SILENT, TOLD)
        self._model = ChoiceBox("serverMayAskModel", NEVER, WHEN_ALLOWED)
        self.client_id, self.client_secret = QLineEdit(), QLineEdit()
        self.client_id.setObjectName("serverClientId")
        self.client_secret.setObjectName("serverClientSecret")
        self.client_secret.textChanged.connect(self._hide_secret)
        self._fields = {
            "client_id": Field(self.client_id),
            "client_secret": Field(self.client_secret),
            "transport": Field(self._transport),
            "timeout": Field(self.timeout),
            "protocol": Field(self._protocol),
            "folder": Field(self._folder),
            "model": Field(self._model),
        }
        inside = QWidget()
        inside.setProperty("role", "clear")
        column = QVBoxLayout(inside)
        column.setContentsMargins(0, 4, 0, 0)
        column.setSpacing(12)
        for field in self._fields.values():
            column.addWidget(field)
        self._fold = Disclosure("serverOptions", inside)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._fold)
        layout.addWidget(inside)
        self.retranslate()

    @property
    def is_sse(self) -> bool:
        return self._transport.key == SSE

    @property
    def protocol(self) -> str:
        return self._protocol.key

    @property
    def knows_folder(self) -> bool:
        return self._folder.key == TOLD

    @property
    def may_ask_model(self) -> bool:
        return self._model.key == WHEN_ALLOWED

    def show_draft(self, draft: ServerDraft) -> None:
        self._transport.show_key(SSE if draft.is_sse else HTTP)
        self.timeout.setText(draft.timeout)
        self._protocol.show_key(draft.protocol)
        self._folder.show_key(TOLD if draft.knows_folder else SILENT)
        self._model.show_key(WHEN_ALLOWED if draft.may_ask_model else NEVER)
        self.client_id.setText(draft.client_id)
        self.client_secret.setText(draft.client_secret)
        texts, switches = (draft.timeout, draft.client_id), (draft.is_sse, draft.knows_folder, draft.may_ask_model)
        if any(texts) or any(switches) or draft.protocol != ProtocolEra.AUTO:
            self._fold.setChecked(True)

    def show_web(self, is_web: bool) -> None:
        """Show what concerns web addresses, or not."""
        for name in ("client_id", "client_secret", "transport"):
            self._fields[name].setVisible(is_web)

    def show_problems(self, problems: Mapping[str, str]) -> None:
        """Say at each field what is wrong; the keys are those of ``ServerDraft``."""
        for name in ("client_id", "timeout"):
            self._fields[name].show_problem(problems.get(name, ""))
            if problems.get(name):
                self._fold.setChecked(True)

    def _hide_secret(self, text: str) -> None:
        """What is kept elsewhere stands here as a reference, which may be read."""
        is_secret = REFERENCE.search(text) is None
        self.client_secret.setEchoMode(QLineEdit.EchoMode.Password if is_secret else QLineEdit.EchoMode.Normal)

    def retranslate(self) -> None:
        self._fold.setText(self.tr("More options"))
        self._fold.setAccessibleName(self._fold.text())
        texts = {
            "client_id": (
                self.tr("Client ID for signing in (optional)"),
                self.tr("Only where the server's instructions give you one; else Threadwell gets its own."),
            ),
            "client_secret": (
                self.tr("Client secret (optional)"),
                self.tr("The address to return to, if you are asked for one: http://127.0.0.1/callback"),
            ),
            "transport": (
                self.tr("Connection"),
                self.tr("Take the older one only for a server whose instructions say SSE."),
            ),
            "timeout": (
                self.tr("Time limit for a call, in seconds (optional)"),
                self.tr("Time in which you are being asked does not count."),
            ),
            "protocol": (
                self.tr("Protocol"),
                self.tr("Automatic tries the older one first, in which every server can ask you questions."),
            ),
            "folder": (
                self.tr("Folder of the chat"),
                self.tr("Whether the server may ask in which folder the chat works. It is told of no other folder."),
            ),
            "model": (
                self.tr("May ask your model"),
                self.tr(
                    "Whether the server may have the model of the chat write something for it. Each time you see its"
                    " text first and can refuse. It uses your tokens, which may cost money, and never sees the chat."
                ),
            ),
        }
        for name, (label, hint) in texts.items():
            self._fields[name].set_label(label)
            self._fields[name].set_hint(hint)
        self._transport.set_words(self.tr("Streamable HTTP (usual)"), self.tr("SSE (older)"))
        self._folder.set_words(self.tr("The server is not told"), self.tr("The server may ask for it"))
        self._model.set_words(self.tr("No (usual)"), self.tr("Yes, and I am asked each time"))
        self._protocol.set_words(
            self.tr("Automatic"), self.tr("Older (up to 2025-11-25)"), self.tr("Newer (2026-07-28)")
        )

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
