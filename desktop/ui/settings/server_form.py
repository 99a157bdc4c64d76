"""The form for one MCP server: a program or a web address, filled in by hand or read from pasted JSON."""

from collections.abc import Mapping

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import (
    QLineEdit,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from desktop.core.secrets import KeychainStatus
from desktop.tools.server_inputs import ServerInput, inputs_of
from desktop.ui.controls import announce
from desktop.ui.dialogs.parts import ending, scrolled
from desktop.ui.dialogs.returning_dialog import ReturningDialog
from desktop.ui.endpoints.parts import Field, words
from desktop.ui.settings.controls import SegmentedChoice, Switch
from desktop.ui.settings.folder_field import FolderDialog
from desktop.ui.settings.page import SettingRow
from desktop.ui.settings.server_option_fields import OptionFields
from desktop.ui.settings.server_secret_fields import SecretFields
from desktop.ui.state.server_draft import ServerDraft, entry_of, value_names
from desktop.ui.text_field import TextField
from desktop.ui.theme.theme_manager import ThemeManager

FORM, JSON = "form", "json"
PROGRAM, WEB = "program", "web"


class ServerForm(ReturningDialog):
    """Holds what was typed until it is saved or given up; nothing is lost when something is wrong with it.

    Signals:
        submitted: the ``ServerDraft`` that is to be saved.
        pasted: the JSON text that is to be read.
        keychain_requested: the user wants the keychain tried again.
    """

    submitted = Signal(object)
    pasted = Signal(str)
    keychain_requested = Signal()

    def __init__(self, parent: QWidget | None, theme: ThemeManager, *, editing: str = "") -> None:
        """``editing`` is the name of the server that is changed, empty for a new one."""
        super().__init__(parent)
        self._theme = theme
        self._editing = editing
        self._rest: Mapping[str, object] = {}
        self._sign_in: Mapping[str, object] = {}
        self._inputs: Mapping[str, ServerInput] = {}
        self.setObjectName("serverForm")
        self.setProperty("prompt", True)
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self._title = words("title")
        self._mode = SegmentedChoice("serverFormMode", [FORM, JSON])
        self._mode.setVisible(not editing)
        self._mode.chosen.connect(self.show_mode)
        self._make_fields(theme)
        self._make_paste(theme)
        self._make_buttons()
        self._arrange()
        self.retranslate()
        self.show_mode(FORM)
        self._show_kind(PROGRAM)

    # -- what the presenter calls

    def open(self) -> None:
        """Show the form, so high that it need not scroll where the screen has room."""
        self.fit(self._scroll, self._theme.px(580), place=self._pages)
        super().open()

    def show_draft(self, draft: ServerDraft) -> None:
        """Fill the form in."""
        self._rest, self._inputs = draft.rest, draft.inputs
        self._name.setText(draft.name)
        self._command.setPlainText(draft.command_line)
        self._folder.setText(draft.cwd)
        self._env.setPlainText(draft.env)
        self._url.setText(draft.url)
        self._headers.setPlainText(draft.headers)
        self._insecure.setChecked(draft.allow_unencrypted)
        self._enabled.setChecked(draft.enabled)
        self._sign_in = draft.sign_in
        self._options.show_draft(draft)
        self._show_kind(WEB if draft.is_web else PROGRAM)
        self.show_problems({})
        self.show_mode(FORM)
        self._name.setFocus()

    def show_text(self, text: str) -> None:
        """Offer a JSON text for mending."""
        self._json.setPlainText(text)
        self.show_mode(JSON)

    def show_mode(self, mode: object) -> None:
        """Show the fields (``FORM``) or the place for pasted JSON (``JSON``)."""
        self._mode.set_value(mode)
        self._pages.setCurrentIndex(0 if mode == FORM else 1)
        self._label_accept()
        (self._name if mode == FORM else self._json).setFocus()

    def show_problems(self, problems: Mapping[str, str]) -> None:
        """Say at each field what is wrong; the keys are those of ``ServerDraft``, empty for the whole."""
        for name, field in self._fields.items():
            field.show_problem(problems.get(name, ""))
        self._options.show_problems(problems)
        self._problem.setText(problems.get("", ""))
        self._problem.setVisible(bool(problems.get("")))
        first = next((name for name in self._fields if name in problems), None)
        if first is not None:
            self._controls[first].setFocus()
            self._scroll.ensureWidgetVisible(self._fields[first])
        if problems:
            announce(self, next(iter(problems.values())))

    def show_failure(self, words: str) -> None:
        """Say why it was not saved."""
        if self._pages.currentIndex() == 1:
            self.show_paste_problem(words)
            return
        self.show_problems({"": words})
        self._scroll.ensureWidgetVisible(self._problem)

    def show_paste_problem(self, problem: str) -> None:
        """Say why the pasted text cannot be used."""
        self._json_field.show_problem(problem)
        self._json.setFocus()
        if problem:
            announce(self._json, problem)

    @property
    def draft(self) -> ServerDraft:
        """What the form holds now."""
        return ServerDraft(
            name=self._name.text().strip(),
            is_web=self._is_web,
            command_line=self._command.toPlainText(),
            env=self._env.toPlainText(),
            cwd=self._folder.text(),
            url=self._url.text(),
            headers=self._headers.toPlainText(),
            allow_unencrypted=self._insecure.isChecked(),
            enabled=self._enabled.isChecked(),
            is_sse=self._options.is_sse,
            timeout=self._options.timeout.text(),
            protocol=self._options.protocol,
            knows_folder=self._options.knows_folder,
            may_ask_model=self._options.may_ask_model,
            client_id=self._options.client_id.text(),
            client_secret=self._options.client_secret.text(),
            sign_in=self._sign_in,
            inputs=self._inputs,
            rest=self._rest,
        )

    @property
    def marked(self) -> frozenset[str]:
        """The names of the values that are to be kept as secrets."""
        return self._secrets.marked

    @property
    def answers(self) -> dict[str, str]:
        """What was entered for the values that the server asks for."""
        return self._secrets.answers

    def set_keychain(self, status: KeychainStatus) -> None:
        """Say where secrets go."""
        self._secrets.set_keychain(status)

    def ask_missing(self) -> None:
        """Go to the first value that is still missing."""
        self._secrets.focus_missing()

    def done(self, result: int) -> None:
        self._secrets.clear()
        super().done(result)

    # -- the parts

    def _make_fields(self, theme: ThemeManager) -> None:
        self._name = _line_edit("serverName")
        self._kind = SegmentedChoice("serverKind", [PROGRAM, WEB])
        self._kind.chosen.connect(self._show_kind)
        self._kind_label = words("fieldLabel")
        self._command = _text_edit("serverCommand", theme, lines=2)
        self._folder = _line_edit("serverFolder")
        self._choose = QPushButton()
        self._choose.setObjectName("chooseServerFolder")
        self._choose.setAutoDefault(False)
        self._choose.clicked.connect(self._choose_folder)
        self._env = _text_edit("serverEnvironment", theme, lines=3)
        self._url = _line_edit("serverUrl")
        self._insecure = Switch("serverInsecure")
        self._insecure_row = SettingRow(self._insecure)
        self._headers = _text_edit("serverHeaders", theme, lines=3)
        self._enabled = Switch("serverEnabled")
        self._enabled.setChecked(True)
        self._enabled_row = SettingRow(self._enabled)
        self._controls: dict[str, QWidget] = {
            "name": self._name,
            "command_line": self._command,
            "cwd": self._folder,
            "env": self._env,
            "url": self._url,
            "headers": self._headers,
        }
        beside = {"cwd": (self._choose,)}
        self._fields = {name: Field(control, beside.get(name, ())) for name, control in self._controls.items()}
        self._problem = words("error", "serverProblem")
        self._problem.hide()
        self._secrets = SecretFields(theme)
        self._secrets.keychain_requested.connect(self.keychain_requested)
        self._options = OptionFields()
        for text in (self._command, self._env, self._headers):
            text.textChanged.connect(self._note_secrets)
        self._url.textChanged.connect(self._note_secrets)
        self._url.textChanged.connect(self._show_insecure)

    def _make_paste(self, theme: ThemeManager) -> None:
        self._json = _text_edit("serverJson", theme, lines=12)
        self._json_field = Field(self._json)

    def _make_buttons(self) -> None:
        self._cancel, self._accept = QPushButton(), QPushButton()
        self._cancel.setObjectName("serverCancel")
        self._cancel.setAutoDefault(False)
        self._accept.setObjectName("serverSave")
        self._accept.setProperty("role", "primary")
        self._accept.setDefault(True)
        self._cancel.clicked.connect(self.reject)
        self._accept.clicked.connect(self._submit)
        self._buttons = ending(accept=self._accept, cancel=self._cancel)

    def _arrange(self) -> None:
        form = QWidget()
        form.setProperty("role", "clear")
        column = _column(form, self._fields["name"], self._kind_label, self._kind, self._problem)
        for name in ("command_line", "cwd", "env", "url"):
            column.addWidget(self._fields[name])
        column.addWidget(self._insecure_row)
        column.addWidget(self._fields["headers"])
        column.addWidget(self._secrets)
        column.addWidget(self._options)
        column.addWidget(self._enabled_row)
        column.addStretch(1)
        for row in (self._insecure_row, self._enabled_row):
            row.layout().setContentsMargins(0, 4, 0, 4)  # type: ignore[union-attr]
        self._scroll = scrolled(form, "serverFormScroll")
        paste = QWidget()
        _column(paste, self._json_field)
        self._pages = QStackedWidget()
        self._pages.addWidget(self._scroll)
        self._pages.addWidget(paste)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(22, 20, 22, 18)
        layout.setSpacing(12)
        layout.addWidget(self._title)
        layout.addWidget(self._mode, 0, Qt.AlignmentFlag.AlignLeft)
        layout.addWidget(self._pages, 1)
        layout.addWidget(self._buttons)
        self.setMinimumSize(460, 420)

    # -- words

    def retranslate(self) -> None:
        title = self.tr("Edit “%1”").replace("%1", self._editing) if self._editing else self.tr("Add a server")
        self.setWindowTitle(title)
        self._title.setText(title)
        self._mode.set_words({FORM: self.tr("Form"), JSON: self.tr("Paste JSON")})
        self._mode.setAccessibleName(self.tr("How to add it"))
        self._kind.set_words({PROGRAM: self.tr("Program on this computer"), WEB: self.tr("Web address")})
        self._kind.setAccessibleName(self.tr("Kind of server"))
        self._kind_label.setText(self.tr("Kind"))
        texts = {
            "name": (self.tr("Name"), self.tr("Any name; it is put before the names of its tools.")),
            "command_line": (
                self.tr("Command"),
                self.tr("Program and arguments, in one line or several; “…” around an argument with spaces."),
            ),
            "cwd": (self.tr("Folder (optional)"), ""),
            "env": (
                self.tr("Environment (optional)"),
                self.tr("NAME=value, one per line. ${NAME} is read from the environment when the server starts."),
            ),
            "url": (self.tr("Address"), self.tr("https://…, as the server's instructions give it.")),
            "headers": (
                self.tr("Headers (optional)"),
                self.tr("Name: value, one per line. ${NAME} is read from the environment when the server starts."),
            ),
        }
        for name, (label, hint) in texts.items():
            self._fields[name].set_label(label)
            self._fields[name].set_hint(hint)
        self._choose.setText(self.tr("Choose…"))
        self._choose.setAccessibleName(self.tr("Choose the folder"))
        self._insecure_row.set_texts(
            self.tr("Allow without encryption"),
            self.tr("Anyone on the way can read and change what is sent. Only for a network that you trust."),
        )
        self._enabled_row.set_texts(
            self.tr("Switched on"), self.tr("Now and whenever Threadwell starts. You see the exact command first.")
        )
        self._json_field.set_label(self.tr("JSON of one or more servers"))
        self._json_field.set_hint(
            self.tr(
                "As the server's instructions give it: mcpServers, VS Code's servers, or one server. Nothing is started yet."
            )
        )
        self._json.setPlaceholderText(
            '{\n  "mcpServers": {\n    "…": { "command": "npx", "args": ["-y", "…"] }\n  }\n}'
        )
        self._cancel.setText(self.tr("Cancel"))
        self._label_accept()
        self._note_secrets()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()

    def _label_accept(self) -> None:
        self._accept.setText(self.tr("Save") if self._pages.currentIndex() == 0 else self.tr("Read"))
        for button in (self._cancel, self._accept):
            button.setAccessibleName(button.text())

    # -- what happens

    @property
    def _is_web(self) -> bool:
        return self._kind.button(WEB).isChecked()

    def _show_kind(self, kind: object) -> None:
        self._kind.set_value(kind)
        for name in ("command_line", "cwd", "env"):
            self._fields[name].setVisible(kind == PROGRAM)
        for name in ("url", "headers"):
            self._fields[name].setVisible(kind == WEB)
        self._options.show_web(kind == WEB)
        self._show_insecure()
        self._note_secrets()

    def _show_insecure(self) -> None:
        is_plain = self._url.text().strip().lower().startswith("http://")
        self._insecure_row.setVisible(self._is_web and is_plain)

    def _note_secrets(self) -> None:
        draft = self.draft
        self._secrets.show_values(value_names(draft))
        entry, _problems = entry_of(draft)
        known = self._inputs
        self._secrets.show_inputs([known.get(item.id, item) for item in inputs_of(entry)])

    def _choose_folder(self) -> None:
        chooser = FolderDialog("serverFolderDialog", self, self.tr("Choose the folder"), self._folder.text())
        chooser.fileSelected.connect(self._folder.setText)
        chooser.open()

    def _submit(self) -> None:
        if self._pages.currentIndex() == 0:
            self.submitted.emit(self.draft)
        else:
            self.pasted.emit(self._json.toPlainText())


def _line_edit(name: str) -> QLineEdit:
    edit = QLineEdit()
    edit.setObjectName(name)
    return edit


def _text_edit(name: str, theme: ThemeManager, *, lines: int) -> TextField:
    edit = TextField(name)
    edit.setFont(theme.code_font())
    height = edit.fontMetrics().lineSpacing() * lines + 24
    edit.setMinimumHeight(height)
    if lines < 10:
        edit.setMaximumHeight(height)
    return edit


def _column(parent: QWidget, *widgets: QWidget) -> QVBoxLayout:
    column = QVBoxLayout(parent)
    column.setContentsMargins(0, 0, 6, 0)
    column.setSpacing(12)
    for widget in widgets:
        column.addWidget(widget)
    return column
