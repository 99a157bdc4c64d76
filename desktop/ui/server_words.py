"""What is said of a tool server, in words and in the colour beside them: the host's remarks, and why an entry cannot be used."""

from PySide6.QtCore import QCoreApplication

from desktop.core.error_text import within
from desktop.tools.entities import Finding, ServerState, ServerStatus
from desktop.tools.entry_problems import PROBLEMS
from desktop.tools.server_remarks import REMARKS, Remark
from desktop.tools.start_findings import START_FINDINGS
from desktop.tools.visible_text import reveal
from desktop.ui.punctuation import labelled
from desktop.ui.state.templates import find_template

STATE_COLOURS = {
    ServerState.STOPPED: "muted",
    ServerState.STARTING: "warning",
    ServerState.READY: "ok",
    ServerState.RESTARTING: "warning",
    ServerState.NEEDS_SECRET: "warning",
    ServerState.NEEDS_SIGN_IN: "warning",
    ServerState.SIGNING_IN: "warning",
    ServerState.FAILED: "error",
}
"""The token of the dot beside the words."""

_MOST_OF_REASON = 160


def status_lines(status: ServerStatus) -> list[str]:
    """Return one line for each of the host's remarks, then what the server said itself; all of it untrusted."""
    remarks = [_filled(REMARKS[remark.code], _detail_of(remark)) for remark in status.remarks]
    return [*remarks, *status.detail.splitlines()]


def reason_of(status: ServerStatus) -> str:
    """Return why a server failed, in one short line that can stand within a sentence; empty when nothing is known."""
    first = reveal(next(iter(status_lines(status)), "").strip(), keep_newlines=False).rstrip(".。")
    return first if len(first) <= _MOST_OF_REASON else first[:_MOST_OF_REASON] + "…"


def remark_in_language(text: str) -> str:
    """Return one of the host's remarks, given in English, in the language shown; empty when it is none."""
    template, parts = find_template(REMARKS.values(), text) or ("", {})
    return _filled(template, parts.get("detail", "")) if template else ""


def phrase_in_language(phrase: str) -> str:
    """Translate what is one of ``core.error_details``, whole or up to a colon; empty when it is none."""
    if (translated := QCoreApplication.translate("details", phrase)) != phrase:
        return translated
    head, colon, rest = phrase.partition(": ")
    if colon and (translated := QCoreApplication.translate("details", head)) != head:
        return labelled(translated, rest)
    return ""


def problem_words(code: str, detail: str) -> str:
    """Return why an entry cannot be used; the text of the entry made visible."""
    return _filled(PROBLEMS[code].words, reveal(detail[:_MOST_OF_REASON], keep_newlines=False)).rstrip(".。")


def finding_words(finding: Finding) -> str:
    """Return what was noticed about the line that starts a server; its text was made visible already."""
    return _filled(START_FINDINGS[finding.code], finding.detail)


def _detail_of(remark: Remark) -> str:
    if not remark.reason:
        return remark.detail
    reason = phrase_in_language(remark.reason) or remark.reason
    return labelled(remark.detail, reason) if remark.detail else reason


def _filled(words: str, detail: str) -> str:
    translated = QCoreApplication.translate("servers", words)
    return translated.replace("{detail}", str(within(translated, {"detail": detail})["detail"]))
