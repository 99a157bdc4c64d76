"""The form for a server, from its opening to what is saved: checks field by field, and the question before a start."""

import json
from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QObject, Signal

from desktop.core.errors import SettingsError, StorageError
from desktop.core.secrets import KeychainStatus
from desktop.tools.entities import ServerEntry
from desktop.tools.entry_problems import PROBLEMS, VARIABLE_UNSET
from desktop.tools.visible_text import reveal
from desktop.ui.error_words import detail_in_language, words_of_exception
from desktop.ui.presenting import Worker
from desktop.ui.punctuation import sentences
from desktop.ui.server_words import problem_words
from desktop.ui.settings.context import SettingsContext
from desktop.ui.settings.server_form import JSON, ServerForm
from desktop.ui.settings.start_question import may_start
from desktop.ui.state.server_draft import FieldProblem, ServerDraft, draft_of, entry_of, name_problem
from desktop.ui.state.server_secrets import sealed, with_what_was_decided, without_secrets

_FIELDS = {"command": "command_line", "args": "command_line", "url": "url", "env": "env", "headers": "headers"}


class ServerEditor(QObject):
    """One form at a time. It stays open, with all that was typed, until ``finish`` or until the user gives it up.

    Signals:
        saved: the former key (empty for a new server), the key, the entry, how it is read, and the new secrets in it.
        collected: several pasted entries by their names.
    """

    saved = Signal(str, str, object, object, object)
    collected = Signal(object)

    def __init__(self, context: SettingsContext, parent: QObject) -> None:
        super().__init__(parent)
        self._context = context
        self._servers = context.services.servers
        self._worker = Worker(context.services)
        self._form: ServerForm | None = None
        self._old_key = ""
        self._old: Any = None
        self._secrets = context.services.secrets
        self._secrets.status_changed.connect(self._show_keychain)
        context.writer.failed.connect(self._show_failure)

    def add(self) -> None:
        self._open("")

    def paste(self) -> None:
        self._open("").show_mode(JSON)

    def edit(self, key: str, raw: Any) -> None:
        """Open the form with this entry; as JSON where the form cannot show all of it."""
        form = self._open(key)
        self._old = raw
        draft = draft_of(key, raw)
        if draft is not None:
            form.show_draft(draft)
        else:
            shown = without_secrets(raw) if isinstance(raw, Mapping) else raw
            form.show_text(json.dumps({"mcpServers": {key: shown}}, ensure_ascii=False, indent=2))

    def enter_missing(self, key: str, raw: Any) -> None:
        """Open the form where a value is missing."""
        self.edit(key, raw)
        if self._form is not None:
            self._form.ask_missing()

    def propose(self, draft: ServerDraft) -> None:
        """Open the form for a new server with this in it."""
        self._open("").show_draft(draft)

    def finish(self) -> None:
        """Close the form; what it held is saved."""
        if self._form is not None:
            self._form.accept()

    def was_agreed_to(self, entry: ServerEntry) -> bool:
        """Tell whether the user has agreed earlier that just this is started, or there is nothing to start."""
        settings = self._context.services.settings.settings
        return not entry.fingerprint or entry.fingerprint in settings.confirmed_servers

    async def is_agreed_to(self, entry: ServerEntry) -> bool:
        """Tell whether the user has agreed, now or earlier, that just this is started."""
        return self.was_agreed_to(entry) or await may_start(
            self._form or self._context.window, self._context.theme, entry
        )

    def _open(self, old_key: str) -> ServerForm:
        if self._form is not None:
            self._form.reject()
        self._old_key, self._old = old_key, None
        form = self._form = ServerForm(self._context.window, self._context.theme, editing=old_key)
        form.submitted.connect(self._submitted)
        form.pasted.connect(self._pasted)
        form.keychain_requested.connect(self._look_for_keychain)
        form.finished.connect(lambda _code: self._closed(form))
        form.set_keychain(self._secrets.status)
        form.open()
        self._look_for_keychain()
        return form

    def _look_for_keychain(self) -> None:
        self._worker.start(self._secrets.probe(), "look for the keychain")

    def _show_keychain(self, status: KeychainStatus) -> None:
        if self._form is not None:
            self._form.set_keychain(status)

    def _closed(self, form: ServerForm) -> None:
        if self._form is form:
            self._form = None
        form.deleteLater()

    def _submitted(self, draft: ServerDraft) -> None:
        self._worker.start_once(self._check_and_save(draft), "save server")

    async def _check_and_save(self, draft: ServerDraft) -> None:
        form = self._form
        if form is None:
            return
        raw, problems = entry_of(draft)
        if (unusable := name_problem(draft.name, self._taken())) is not None:
            problems.insert(0, unusable)
        safe = sealed(draft.name, raw, answers=form.answers, marked=form.marked)
        entry = self._servers.read(draft.name, safe.entry)
        found = {problem.field: self._words(problem) for problem in reversed(problems)}
        if not found and entry.problem:
            found = {_field_of(entry, raw): self._problem_of(entry)}
        form.show_problems(found)
        if found:
            return
        agreed = not entry.enabled or await self.is_agreed_to(entry)
        if agreed and self._form is form:
            self.saved.emit(self._old_key, draft.name, safe.entry, entry, safe.secrets)

    def _show_failure(self, error: StorageError) -> None:
        """Say in the form that it was not saved: what stands behind a dialog would not be seen."""
        if self._form is not None:
            words = words_of_exception(error)
            self._form.show_failure(sentences(words.title, words.detail))

    def _taken(self) -> set[str]:
        settings = self._context.services.settings.settings
        ids = {entry.key for entry in self._servers.listed(settings)}
        return ids - {self._old_key}

    def _pasted(self, text: str) -> None:
        form = self._form
        if form is None:
            return
        try:
            servers = self._servers.parse(text)
        except SettingsError as error:
            form.show_paste_problem(self.tr("This cannot be read: %1").replace("%1", _detail(error)))
            return
        if not servers:
            form.show_paste_problem(self.tr("No server was found in this text."))
            return
        for name, raw in servers.items():
            if name_problem(name, set()) is not None or not isinstance(raw, Mapping):
                form.show_paste_problem(self.tr("“%1” cannot be used as a server.").replace("%1", _shown(name)))
                return
        if len(servers) > 1 and not self._old_key:
            self.collected.emit(dict(servers))
            return
        name, raw = next(iter(servers.items()))
        if isinstance(self._old, Mapping):
            raw = with_what_was_decided(raw, self._old)
        draft = draft_of(self._old_key or name, raw)
        if draft is not None:
            form.show_draft(draft)
        else:
            entry = self._servers.read(name, raw)
            words = (
                problem_words(entry.problem, entry.problem_detail) if entry.problem else self.tr("a value is not text")
            )
            form.show_paste_problem(f"“{_shown(name)}”: {words}")

    def _words(self, problem: FieldProblem) -> str:
        match problem.code:
            case "name_missing":
                return self.tr("Enter a name.")
            case "name_unusable":
                return self.tr("Use at most 60 letters, digits and symbols.")
            case "name_taken":
                return self.tr("Another server has this name.")
            case "command_missing":
                return self.tr("Enter the program to start, for example npx or a file.")
            case "quote_open":
                return self.tr("A quotation mark is not closed.")
            case "env_line":
                return self.tr("Line %1 is not of the form NAME=value.").replace("%1", problem.detail)
            case "headers_line":
                return self.tr("Line %1 is not of the form Name: value.").replace("%1", problem.detail)
            case "client_id_missing":
                return self.tr("A client secret belongs to a client ID: enter that too.")
            case "timeout_unusable":
                return self.tr("Enter a number of seconds, at most 86400 (a day), or nothing.")
            case "env_twice" | "headers_twice":
                return self.tr("“%1” appears twice.").replace("%1", _shown(problem.detail))
            case _:
                return self.tr("Enter the address, for example https://example.org/mcp.")

    def _problem_of(self, entry: ServerEntry) -> str:
        if entry.problem == VARIABLE_UNSET:
            return self.tr(
                "The environment variable %1 is not set. Set it and restart Threadwell, or save the server"
                " switched off until then."
            ).replace("%1", _shown(entry.problem_detail))
        match entry.problem:
            case "url_scheme":
                return self.tr("The address should begin with https:// or http://.")
            case "url_unencrypted":
                return self.tr("This address is not encrypted. Use https://, or allow it below.")
        words = problem_words(entry.problem, entry.problem_detail)
        return self.tr("This cannot be used: %1").replace("%1", words)


def _field_of(entry: ServerEntry, raw: Mapping[str, Any]) -> str:
    """Return the field of the form to which a problem belongs; empty when it cannot be told."""
    if entry.problem == VARIABLE_UNSET or entry.problem == "variable_unfillable":
        return next((field for key, field in _FIELDS.items() if entry.problem_detail in json.dumps(raw.get(key))), "")
    if entry.problem.startswith("value_") and entry.problem_detail.startswith("headers"):
        return "headers"
    return _FIELDS.get(PROBLEMS[entry.problem].field, "")


def _detail(error: SettingsError) -> str:
    return _shown(detail_in_language(str(error.params.get("detail", ""))), 300)


def _shown(text: str, most: int = 80) -> str:
    return reveal(text[:most], keep_newlines=False)
