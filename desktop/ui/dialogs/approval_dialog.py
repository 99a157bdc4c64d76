"""The question before a call runs: exactly what would run, what the app noticed, and who asks for it."""

from itertools import pairwise
from typing import Any

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QFrame, QPushButton, QVBoxLayout, QWidget

from desktop.core.language_model import DEMO_MODEL_NAME
from desktop.core.sandbox_profile import SandboxProfile
from desktop.tools.entities import ApprovalAnswer, ApprovalRequest, CallIntent, Choice, Ending, Finding, Lasting
from desktop.tools.findings import FINDING_TEXTS, HIDDEN_CHARACTERS, PROGRAMS
from desktop.tools.visible_text import deceptive_characters, reveal
from desktop.ui.bundled_words import bundled_title, tool_purpose
from desktop.ui.dialogs.display_lines import DisplayLine, display_lines, json_lines
from desktop.ui.dialogs.lasting_choice import LastingChoice
from desktop.ui.dialogs.parts import FittingScrollArea, QuietButton, fact_grid, notice_row, plain_label, quoted, row
from desktop.ui.dialogs.plain_box import PlainBox
from desktop.ui.dialogs.prompt_dialog import PromptDialog
from desktop.ui.dialogs.reason_field import ReasonField
from desktop.ui.grant_words import pattern_text, taint_text
from desktop.ui.punctuation import follow
from desktop.ui.sandbox_words import problem_words, profile_words
from desktop.ui.theme.theme_manager import ThemeManager
from desktop.ui.transcript.model_name import MOST_CHARACTERS, model_name

ALWAYS_CHARACTER_LIMIT = 4000
ALWAYS_LINE_LIMIT = 100
_MOST_LINES_OF_SERVER = 30
_LEAST_LINES, _FEW_LINES = 8, 3
"""How much of a long text is shown at least, with room and without."""

_PLAIN_FACTS = {PROGRAMS}
_SHELL_ARGUMENTS = {"command", "timeout", "is_need_user_check"}


class ApprovalDialog(PromptDialog):
    """Asks about one frozen intent. ``answer`` is an ``ApprovalAnswer``.

    Refusal is the way out of everything: Escape, closing, no answer. Allowing takes a deliberate click (or Space on
    the button) after the arming delay and, where the text scrolls, after its end was on the screen.
    """

    def __init__(
        self, parent: QWidget | None, theme: ThemeManager, request: ApprovalRequest, arming_delay_ms: int = 700
    ) -> None:
        super().__init__(parent, theme, arming_delay_ms)
        self.setObjectName("approvalDialog")
        self._request = request
        self._is_shell = request.intent.tool.is_shell
        self._raw_text = _raw_text(request.intent)
        self.build()

    def build(self) -> None:
        self.setWindowTitle(self.tr("Allow this?"))
        self._add_who()
        self._add_taint()
        self.text = self._add_text()
        self.body.addWidget(fact_grid(self._main_facts()))
        self._add_details()
        self._add_buttons()
        self.text.end_shown.connect(self.update_buttons)
        self._details.all_seen.connect(self.update_buttons)
        self._set_focus_order()
        self.update_buttons()

    def cancelled_answer(self) -> ApprovalAnswer:
        return ApprovalAnswer(choice=Choice.REFUSE, ending=Ending.CANCELLED, shown_seconds=self.shown_seconds)

    def update_buttons(self) -> None:
        may_allow = self.armed and self.text.end_was_shown and self._details.all_was_seen
        self.approve_once.setEnabled(may_allow)
        self.approve_thread.setEnabled(may_allow and self._request.may_allow_thread)
        self.approve_always.setEnabled(may_allow and not self._why_not_always())
        read_text, read_warnings, scopes = self.possible_hints()
        if not self.text.end_was_shown:
            self.set_hint(read_text)
        else:
            self.set_hint(scopes if self._details.all_was_seen else read_warnings)

    def possible_hints(self) -> tuple[str, str, str]:
        return (
            self.tr("Scroll to the end of the text first. Only then can it be allowed."),
            self.tr("Scroll through the red warnings first. Only then can it be allowed."),
            self._scopes(),
        )

    def _add_who(self) -> None:
        tool = self._request.intent.tool
        server = reveal(tool.server_id)
        if self._is_shell:
            who = self.tr("{server} server (built in)").format(server=server)
            self.add_headline("terminal", self.tr("Run a command"), f"{tool.name} · {who}")
            return
        who = self.tr("{server} server (built in)") if tool.bundled else self.tr("Server “{server}”, which you added")
        who = who.format(server=server)
        headline = self.tr("Use the tool “{tool}”").format(tool=reveal(tool.name, keep_newlines=False))
        if tool.bundled and (title := bundled_title(tool.server_id, tool.name)):  # as its card in the chat says
            headline, who = title, f"{tool.name} · {who}"
        self.add_headline("wrench", headline, who)

    def _add_taint(self) -> None:
        """Say why a permission does not count here."""
        if (taint := self._request.taint) is None:
            return
        words = self.tr("This chat has read what somebody else wrote: %1. Is this call what you want?")
        notice = notice_row(self.theme, words.replace("%1", taint_text(taint)), "finding")
        notice.setObjectName("foreign_text")
        self.body.addWidget(notice)

    def _add_text(self) -> PlainBox:
        least_lines = _FEW_LINES if self.has_little_room else _LEAST_LINES
        box = PlainBox(self._lines(), self.theme, role="code", least_lines=least_lines, most_lines=14, may_grow=True)
        box.setObjectName("approval_text")
        box.setAccessibleName(self.tr("The exact command") if self._is_shell else self.tr("The exact arguments"))
        self.body.addWidget(box)
        return box

    def _lines(self) -> tuple[DisplayLine, ...]:
        intent = self._request.intent
        if self._is_shell and self._raw_text != intent.arguments_json:
            return display_lines(self._raw_text)
        try:
            return json_lines(intent.arguments)
        except (ValueError, RecursionError):
            return display_lines(intent.arguments_json)

    def _add_details(self) -> None:
        content = QWidget()
        layout = QVBoxLayout(content)
        layout.setContentsMargins(0, 0, 6, 0)
        layout.setSpacing(6)
        findings = self._findings()
        severe: list[QWidget] = []
        if findings:
            layout.addWidget(plain_label(self.tr("What Threadwell noticed"), "section"))
            for finding in findings:
                row = self._finding_row(finding)
                layout.addWidget(row)
                severe += [row] if finding.severe else []
            layout.addSpacing(6)
        layout.addWidget(fact_grid(self._other_facts()))
        self._add_server_words(layout)
        layout.addStretch(1)
        self._details = FittingScrollArea(content, least_height=84, most_height=self.theme.px(520), must_see=severe)
        self._details.setObjectName("approval_details")
        self._details.setAccessibleName(self.tr("Details"))
        self.body.addWidget(self._details)

    def _add_server_words(self, layout: QVBoxLayout) -> None:
        """Show what the tool is said to do; the details scroll as a whole, so the box is as high as its text."""
        tool = self._request.intent.tool
        if tool.bundled:
            caption, words = self.tr("What this tool is for"), tool_purpose(tool)
        else:
            caption = self.tr("What the server says about this tool (not verified)")
            words = "\n".join(part for part in (tool.title, tool.description.strip()) if part.strip())
        if words.strip():
            layout.addSpacing(6)
            layout.addWidget(plain_label(caption, "section"))
            box = quoted(words, self.theme, most_lines=_MOST_LINES_OF_SERVER)
            box.setObjectName("server_words")
            box.setAccessibleName(caption)
            layout.addWidget(box)

    def _findings(self) -> list[Finding]:
        """The request's findings and what only the text itself shows; what is severe comes first."""
        found = list(self._request.findings)
        known = {finding.code for finding in found}
        seen = f"{self._raw_text}\n{self._request.intent.tool.name}"
        found += [finding for finding in deceptive_characters(seen) if finding.code not in known]
        return sorted(found, key=lambda finding: (not finding.severe, finding.code in _PLAIN_FACTS))

    def _finding_row(self, finding: Finding) -> QFrame:
        words = QCoreApplication.translate("findings", FINDING_TEXTS.get(finding.code, finding.code + ": {detail}"))
        # This one's detail consists of tokens already.
        is_shown = finding.code == HIDDEN_CHARACTERS
        detail = finding.detail if is_shown else reveal(finding.detail, keep_newlines=False)
        severity = "severe" if finding.severe else "note" if finding.code in _PLAIN_FACTS else "finding"
        frame = notice_row(self.theme, words.replace("{detail}", detail), severity)
        frame.setObjectName(f"finding_{finding.code}")
        return frame

    def _main_facts(self) -> list[tuple[str, str, str]]:
        """Who wants it, where it would run and what holds it: in sight in the smallest dialog, never scrolled away."""
        intent = self._request.intent
        recorded = self._request.model
        is_demo = recorded == DEMO_MODEL_NAME
        name = model_name(recorded) if is_demo else reveal(recorded[:MOST_CHARACTERS], keep_newlines=False)
        asker = [("model", self.tr("Asked for by"), name)] if name else []
        folder = [("folder", self.tr("Folder"), reveal(intent.folder))] if intent.folder else []
        return [*asker, *folder, ("sandbox", self.tr("Sandbox"), self._sandbox_words(intent.sandbox))]

    def _other_facts(self) -> list[tuple[str, str, str]]:
        facts: list[tuple[str, str, str]] = []
        if self._request.timeout_seconds is not None:
            limit = self.tr("{seconds} seconds").format(seconds=f"{self._request.timeout_seconds:g}")
            facts.append(("timeout", self.tr("Time limit"), limit))
        extra = _unusual_arguments(self._request.intent) if self._is_shell else {}
        if extra:
            facts.append(("extra", self.tr("Other arguments"), reveal(str(extra))))
        if self._request.thread_title:
            facts.append(("thread", self.tr("Chat"), reveal(self._request.thread_title, keep_newlines=False)))
        return facts

    def _sandbox_words(self, sandbox: str) -> str:
        if sandbox != SandboxProfile.NONE:
            return profile_words(sandbox)
        if self._is_shell:
            words = self.tr("No sandbox: it runs with all your rights")
            problem = self._request.no_sandbox
            return words if problem is None else follow(f"{words}.", problem_words(problem))
        return self.tr("No sandbox: the server runs it outside Threadwell")

    def _add_buttons(self) -> None:
        self.refuse = QuietButton(self.tr("Refuse"), "refuse", "danger")
        self.approve_once = QuietButton(self.tr("Allow once"), "approve_once", "primary")
        self.approve_thread = QuietButton(self.tr("Allow for this chat"), "approve_thread")
        self.approve_always = QuietButton(self.tr("Always for exactly this"), "approve_always")
        if not self._request.may_allow_thread:  # never shown here: without a parent yet, it would be a window
            self.approve_thread.hide()
        for button, choice in (
            (self.refuse, Choice.REFUSE),
            (self.approve_once, Choice.ALLOW_ONCE),
            (self.approve_thread, Choice.ALLOW_THREAD),
            (self.approve_always, Choice.ALLOW_ALWAYS),
        ):
            button.clicked.connect(lambda _checked=False, choice=choice: self._choose(choice))
        if reason := self._why_not_always():
            self.approve_always.setToolTip(reason)
            self.approve_always.setAccessibleDescription(reason)
        self._make_reason()
        self._make_lasting()
        allow: list[QPushButton] = [self.approve_once, self.approve_thread, self.approve_always]
        links = QWidget()
        beside = row(self.say_why, self.more_ways, spacing=14)
        beside.addStretch(1)
        links.setLayout(beside)
        self.add_foot([self.refuse], allow, links, self.reason, self.lasting)

    def _make_reason(self) -> None:
        self.say_why = QuietButton(self.tr("Refuse and say why…"), "refuse_say_why", "link")
        self.say_why.clicked.connect(lambda: self.unfold(self.say_why, self.reason))
        self.reason = ReasonField()
        self.reason.setPlaceholderText(
            self.tr("Why not, or what to do instead? The model is told. Ctrl+Enter refuses.")
        )
        self.reason.setAccessibleName(self.tr("Why you refuse; the model is told"))
        self.reason.handed_over.connect(lambda: self._choose(Choice.REFUSE))
        self.reason.hide()

    def _make_lasting(self) -> None:
        """Not unfolded at first: the narrowest permission is the usual one."""
        offered = self._request.may_allow_thread or not self._why_not_always()
        self.more_ways = QuietButton(self.tr("Allow more, or not for ever…"), "more_ways", "link")
        self.more_ways.clicked.connect(lambda: self.unfold(self.more_ways, self.lasting))
        if not offered:
            self.more_ways.hide()
        self.lasting = LastingChoice(self._request.patterns)
        self.lasting.changed.connect(self._lasting_changed)
        self.lasting.hide()

    def _lasting_changed(self) -> None:
        has_pattern = self.lasting.pattern is not None
        self.approve_always.setText(self.tr("Always for this") if has_pattern else self.tr("Always for exactly this"))
        self.update_buttons()

    def _choose(self, choice: Choice) -> None:
        lasts = choice in (Choice.ALLOW_THREAD, Choice.ALLOW_ALWAYS)
        self.finish(
            ApprovalAnswer(
                choice=choice,
                pattern=self.lasting.pattern if lasts else None,
                lasting=self.lasting.lasting if lasts else Lasting.UNTIL_REVOKED,
                ending=Ending.ANSWERED,
                reason=self.reason.reason if choice is Choice.REFUSE else "",
                shown_seconds=self.shown_seconds,
            )
        )

    def _why_not_always(self) -> str:
        """Return why a permission for good is not offered; empty when it is."""
        if len(self._raw_text) > ALWAYS_CHARACTER_LIMIT or self._raw_text.count("\n") >= ALWAYS_LINE_LIMIT:
            return self.tr("“Always” is not offered: the text is too long to be sure of it.")
        if not self._request.may_allow_always:
            return self.tr("“Always” is not offered for this call.")
        return ""

    def _scopes(self) -> str:
        if (pattern := self.lasting.pattern) is not None:
            return self.tr("A lasting permission covers %1.").replace("%1", pattern_text(pattern))
        scopes: list[str] = []
        if self._request.may_allow_thread:
            scopes.append(
                self.tr("“For this chat” covers exactly this command.")
                if self._is_shell
                else self.tr("“For this chat” covers this tool with any arguments.")
            )
        if reason := self._why_not_always():
            scopes.append(reason)
        elif self._is_shell:
            scopes.append(self.tr("“Always” covers exactly this text in this folder."))
        else:
            scopes.append(self.tr("“Always” covers exactly these arguments."))
        return follow(*scopes)

    def _set_focus_order(self) -> None:
        chain: list[QWidget] = [
            self.text,
            self._details,
            self.say_why,
            self.more_ways,
            self.reason,
            *self.lasting.focus_stops(),
            self.refuse,
            self.approve_once,
            self.approve_thread,
            self.approve_always,
            self.refuse_all,
        ]
        for before, after in pairwise(chain):
            self.setTabOrder(before, after)
        # Not a button: whatever is typed when the dialog appears goes nowhere.
        self.text.setFocus()


def _raw_text(intent: CallIntent) -> str:
    """The characters that are asked about: a shell's command line, else all arguments."""
    if intent.tool.is_shell:
        try:
            command = intent.arguments.get("command")
        except (ValueError, RecursionError):
            command = None
        if isinstance(command, str):
            return command
    return intent.arguments_json


def _unusual_arguments(intent: CallIntent) -> dict[str, Any]:
    try:
        return {key: value for key, value in intent.arguments.items() if key not in _SHELL_ARGUMENTS}
    except (ValueError, RecursionError):
        return {}
