"""What the record says of one call, in words for people: the verdict, by whom and why, and how it ended."""

from collections.abc import Mapping
from datetime import datetime

from PySide6.QtCore import QCoreApplication, QDateTime, QLocale

from desktop.core.error_text import QT_TRANSLATE_NOOP
from desktop.tools.call_report import ReportStatus
from desktop.tools.entities import SHELL_TOOL, Choice
from desktop.tools.ledger import LedgerEntry, LedgerVerdict
from desktop.tools.policy import Reason
from desktop.tools.server_sampling import SAMPLING_NAME, SAMPLING_REASON
from desktop.tools.strict_json import UnreadableJson, read_json
from desktop.tools.visible_text import reveal
from desktop.ui.state.pretty_json import pretty_json

_MOST_OF_NAME = 80
_MOST_OF_LINE = 300

_VERDICTS: Mapping[LedgerVerdict, str] = {
    LedgerVerdict.ALLOWED: QT_TRANSLATE_NOOP("history", "Allowed"),
    LedgerVerdict.REFUSED: QT_TRANSLATE_NOOP("history", "Refused"),
    LedgerVerdict.UNDECIDED: QT_TRANSLATE_NOOP("history", "Not decided"),
}
_ENDS: Mapping[str, str] = {
    ReportStatus.OK: QT_TRANSLATE_NOOP("history", "Done"),
    ReportStatus.ERROR: QT_TRANSLATE_NOOP("history", "Failed"),
    ReportStatus.DENIED: QT_TRANSLATE_NOOP("history", "Not run"),
    ReportStatus.TIMEOUT: QT_TRANSLATE_NOOP("history", "Took too long"),
    ReportStatus.INTERRUPTED: QT_TRANSLATE_NOOP("history", "Stopped"),
    "": QT_TRANSLATE_NOOP("history", "Not finished"),
}
_REASONS: Mapping[str, str] = {
    Reason.CHAT_ONLY: QT_TRANSLATE_NOOP("history", "The chat had no tools."),
    Reason.BLOCKED: QT_TRANSLATE_NOOP("history", "The tool was blocked in the settings."),
    Reason.READ_ONLY: QT_TRANSLATE_NOOP("history", "The chat only read, and the call could have changed something."),
    Reason.WRITTEN_AS_TEXT: QT_TRANSLATE_NOOP("history", "The model wrote the call as text."),
    Reason.DEMANDED: QT_TRANSLATE_NOOP("history", "The model demanded a question."),
    Reason.ASK_ALWAYS: QT_TRANSLATE_NOOP("history", "The chat always asked."),
    Reason.SET_TO_ASK: QT_TRANSLATE_NOOP("history", "The tool was set to ask in the settings."),
    Reason.FOREIGN_TEXT: QT_TRANSLATE_NOOP(
        "history", "The chat held somebody else's text, and the call could have carried something out."
    ),
    Reason.HARMLESS_TOOL: QT_TRANSLATE_NOOP("history", "A built-in tool that changes nothing."),
    Reason.HARMLESS_COMMAND: QT_TRANSLATE_NOOP("history", "A command understood as harmless, in the sandbox."),
    Reason.GRANT: QT_TRANSLATE_NOOP("history", "You had given a permission for it."),
    Reason.SET_TO_ALLOW: QT_TRANSLATE_NOOP("history", "The tool was allowed in the settings."),
    Reason.NO_SANDBOX: QT_TRANSLATE_NOOP("history", "There was no sandbox to hold the command."),
    Reason.NO_GRANT: QT_TRANSLATE_NOOP("history", "No permission covered it."),
    SAMPLING_REASON: QT_TRANSLATE_NOOP("history", "A server may use your model only when you allow it, each time."),
}
_BY_YOU = QT_TRANSLATE_NOOP("history", "by you")
_BY_YOU_LASTING = QT_TRANSLATE_NOOP("history", "by you, and from then on")
_BY_GRANT = QT_TRANSLATE_NOOP("history", "by a permission")
_BY_OPTIONS = QT_TRANSLATE_NOOP("history", "by the options of the command line")
_BY_RULE = QT_TRANSLATE_NOOP("history", "by a rule")
_SECONDS = QT_TRANSLATE_NOOP("history", "%1 s")
_NEW_CHAT = QT_TRANSLATE_NOOP("history", "New chat")
_COMMAND = QT_TRANSLATE_NOOP("history", "Exact command:")
_ARGUMENTS = QT_TRANSLATE_NOOP("history", "Exact arguments:")
_RESULT = QT_TRANSLATE_NOOP("history", "Beginning of the result:")


def verdict_words(verdict: LedgerVerdict) -> str:
    return _translated(_VERDICTS[verdict])


def decision_words(entry: LedgerEntry) -> str:
    """Say what was decided and by whom: Allowed by you."""
    words = verdict_words(entry.verdict)
    return words if entry.verdict is LedgerVerdict.UNDECIDED else f"{words} {_by(entry)}"


def outcome_words(entry: LedgerEntry) -> str:
    """Say how the call ended, and how long it took."""
    words = _translated(_ENDS.get(entry.status, _ENDS[ReportStatus.ERROR]))
    if entry.status in ("", ReportStatus.DENIED):
        return words
    return f"{words} · {_translated(_SECONDS).replace('%1', QLocale().toString(entry.duration_seconds, 'f', 1))}"


def tool_words(entry: LedgerEntry) -> str:
    """The tool and its server; both are untrusted."""
    name = _short(entry.name.removeprefix(f"{entry.server_id}__") if entry.server_id else entry.name)
    if entry.name == SAMPLING_NAME and entry.reason == SAMPLING_REASON:
        name = _translated(_USE_OF_MODEL)
    return f"{name} · {_short(entry.server_id)}" if entry.server_id else name


_USE_OF_MODEL = QT_TRANSLATE_NOOP("history", "Use of your model")


def chat_words(entry: LedgerEntry) -> str:
    return _short(entry.thread_title) or _translated(_NEW_CHAT)


def call_line(entry: LedgerEntry) -> str:
    """One line of what was called: the command, or the arguments."""
    command = _command(entry)
    return reveal((command or entry.arguments)[:_MOST_OF_LINE], keep_newlines=False)


def time_words(moment: datetime) -> str:
    moment_of_qt = QDateTime.fromSecsSinceEpoch(int(moment.timestamp()))
    shown = QLocale().toString(moment_of_qt, QLocale.FormatType.ShortFormat)
    return " ".join(shown.split())  # the narrow space of some languages would be marked as deceptive


def details(entry: LedgerEntry) -> str:
    """Everything that is known of the call, one thing a line; not yet revealed."""
    lines = [
        (QT_TRANSLATE_NOOP("history", "Time:"), time_words(entry.proposed_at)),
        (QT_TRANSLATE_NOOP("history", "Chat:"), chat_words(entry)),
        (QT_TRANSLATE_NOOP("history", "Tool:"), tool_words(entry)),
        (QT_TRANSLATE_NOOP("history", "Decision:"), decision_words(entry)),
        (QT_TRANSLATE_NOOP("history", "Why:"), _translated(_REASONS[entry.reason]) if entry.reason in _REASONS else ""),
        (QT_TRANSLATE_NOOP("history", "Outcome:"), outcome_words(entry)),
    ]
    head = [f"{_translated(name)} {value}" for name, value in lines if value]
    what = _COMMAND if _command(entry) else _ARGUMENTS
    text = "\n".join([*head, "", _translated(what), _command(entry) or pretty_json(entry.arguments)])
    return f"{text}\n\n{_translated(_RESULT)}\n{entry.result}" if entry.result else text


def _by(entry: LedgerEntry) -> str:
    if entry.decided_by == "user":
        lasting = entry.choice in (Choice.ALLOW_THREAD, Choice.ALLOW_ALWAYS)
        return _translated(_BY_YOU_LASTING if lasting else _BY_YOU)
    if entry.decided_by.startswith("grant:"):
        return _translated(_BY_GRANT)
    return _translated(_BY_OPTIONS if entry.decided_by == "headless" else _BY_RULE)


def _command(entry: LedgerEntry) -> str:
    """The command, where the call has nothing else that counts; empty for other calls."""
    if not entry.name.endswith(SHELL_TOOL):
        return ""
    try:
        value = read_json(entry.arguments)
    except UnreadableJson:  # of a name given twice only one would be seen
        return ""
    command = value.get("command") if isinstance(value, dict) else None
    return command if isinstance(command, str) else ""


def _short(text: str) -> str:
    text = reveal(text[: 2 * _MOST_OF_NAME], keep_newlines=False)
    return text if len(text) <= _MOST_OF_NAME else f"{text[:_MOST_OF_NAME]}…"


def _translated(text: str) -> str:
    return QCoreApplication.translate("history", text)
