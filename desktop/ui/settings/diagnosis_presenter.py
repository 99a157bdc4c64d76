"""Brings the diagnosis of a server to life: it follows what happens, makes test calls, and is copied as a report."""

import asyncio
import platform
from collections.abc import Sequence

import shiboken6
from PySide6.QtCore import QLocale, QObject
from PySide6.QtGui import QGuiApplication

from desktop.agent.tool_specs import tool_specs
from desktop.core.token_count import count_tool
from desktop.tools.call_report import ReportStatus, ToolCallReport
from desktop.tools.entities import CallState, ServerEntry, ServerState, ServerStatus, ToolDescriptor
from desktop.tools.name_clashes import NameIndex
from desktop.tools.report_text import masker_of, note_line, report_text
from desktop.tools.server_report import ServerReport, StartStep
from desktop.tools.visible_text import reveal
from desktop.ui.change_words import finding_text
from desktop.ui.presenting import Worker
from desktop.ui.punctuation import labelled
from desktop.ui.result_words import result_words
from desktop.ui.server_words import status_lines
from desktop.ui.settings.context import SettingsContext
from desktop.ui.settings.diagnosis_dialog import DiagnosisDialog, Facts
from desktop.ui.state.command_line import join_command_line

_MOST_OF_NAME = 80
_RESTARTABLE = (ServerState.FAILED, ServerState.STOPPED, ServerState.NEEDS_SECRET, ServerState.NEEDS_SIGN_IN)


class DiagnosisPresenter(QObject):
    """Of one server, for as long as its dialog is open."""

    def __init__(self, context: SettingsContext, entry: ServerEntry, parent: QObject) -> None:
        super().__init__(parent)
        self._services = context.services
        self._worker = Worker(context.services)
        self._entry = entry
        self._masker = masker_of(entry)
        self._tokens: dict[str, int] = {}
        """By the hash of a tool's definition."""
        self._counting: asyncio.Task[None] | None = None
        self._call: asyncio.Task[None] | None = None
        self._dialog = dialog = DiagnosisDialog(context.window, context.theme, entry.key)
        dialog.look_wanted.connect(self._look)
        dialog.restart_requested.connect(lambda: self._services.gateway.restart(entry.id))
        dialog.copy_requested.connect(self._copy)
        dialog.test.called.connect(self._begin_call)
        dialog.test.stop_requested.connect(self._stop_call)
        dialog.finished.connect(self._finished)

    def open(self) -> None:
        self._dialog.open()

    # -- what is shown

    def _look(self) -> None:
        dialog, status = self._dialog, self._status()
        tools = self._services.gateway.tools_of(self._entry.id)
        report = self._services.gateway.report(self._entry.id)
        self._count(tools)
        dialog.show_state(self._state_words(status))
        dialog.show_can_restart(status is not None and status.state in _RESTARTABLE)
        dialog.show_facts(self._facts(status, report))
        dialog.show_texts(
            stderr=report.stderr if report is not None else "",
            tools="\n".join(self._tool_lines(tools)),
            tools_caption=self._tools_caption(tools),
            messages="\n".join(map(note_line, report.messages)) if report is not None else "",
        )
        dialog.test.show_tools([tool for tool in tools if tool.bundled or not self._services.pins.is_held(tool)])

    def _status(self) -> ServerStatus | None:
        statuses = self._services.gateway.statuses()
        return next((status for status in statuses if status.server_id == self._entry.id), None)

    def _state_words(self, status: ServerStatus | None) -> str:
        words = {
            ServerState.STOPPED: self.tr("Stopped"),
            ServerState.STARTING: self.tr("Starting…"),
            ServerState.READY: self.tr("Ready"),
            ServerState.RESTARTING: self.tr("Stopped; starting again…"),
            ServerState.NEEDS_SECRET: self.tr("Needs a secret"),
            ServerState.NEEDS_SIGN_IN: self.tr("Needs sign-in"),
            ServerState.SIGNING_IN: self.tr("Signing in: it goes on in your browser"),
            ServerState.FAILED: self.tr("Failed"),
        }
        return self.tr("Off, or waiting for you in the list of servers") if status is None else words[status.state]

    def _facts(self, status: ServerStatus | None, report: ServerReport | None) -> Facts:
        entry = self._entry
        facts: Facts = []
        if status is not None and status.text:
            noticed = self.tr("What went wrong") if status.has_failed else self.tr("What was noticed")
            facts.append(
                ("noticed", noticed, "\n".join(reveal(self._masker.text(line)) for line in status_lines(status)[:12]))
            )
        if entry.transport.is_web:
            facts.append(("line", self.tr("The exact address"), reveal(entry.url, keep_newlines=False)))
        else:
            facts.append(("line", self.tr("The exact command"), reveal(join_command_line(entry.argv))))
        if report is None:
            return facts
        if not entry.transport.is_web:
            found = reveal(report.program, keep_newlines=False) or self.tr(
                "No program was found, or it cannot be started"
            )
            facts.append(("program", self.tr("Found at"), found if report.starts else self.tr("Not started yet")))
        if report.addresses:
            facts.append(("leads_to", self.tr("Leads to"), reveal(report.addresses, keep_newlines=False)))
        if report.proxy:
            through = self.tr("%1. It looks the address up: where that leads cannot be checked here.")
            proxy = reveal(report.proxy[:_MOST_OF_NAME], keep_newlines=False)
            facts.append(("proxy", self.tr("Through the proxy"), through.replace("%1", proxy)))
        if report.pid:
            facts.append(("pid", self.tr("Process"), str(report.pid)))
        if report.steps:
            facts.append(("steps", self.tr("Last start"), self._steps(report)))
        if report.starts > 1:
            facts.append(("starts", self.tr("Starts so far"), QLocale().toString(report.starts)))
        return facts + self._claim(report)

    def _claim(self, report: ServerReport) -> Facts:
        if not report.protocol_version:
            return []
        era = self.tr("the newer era, without a handshake") if report.is_newer_era else self.tr("the older era")
        version = reveal(report.protocol_version[:_MOST_OF_NAME], keep_newlines=False)
        said = " ".join(
            filter(None, (report.title, f"({report.name})" if report.title else report.name, report.version))
        )
        return [
            ("protocol", self.tr("Protocol"), f"{version} · {era}"),
            ("claim", self.tr("It says that it is"), reveal(said, keep_newlines=False) or "–"),
            ("capabilities", self.tr("It says that it can"), reveal(", ".join(report.capabilities)) or "–"),
        ]

    def _steps(self, report: ServerReport) -> str:
        names = {
            StartStep.PREPARE: self.tr("Get ready"),
            StartStep.SPAWN: self.tr("Start the program"),
            StartStep.LOAD: self.tr("Load Threadwell's own part"),
            StartStep.HANDSHAKE: self.tr("Handshake"),
            StartStep.LIST: self.tr("List the tools"),
        }
        lines: list[str] = []
        for step in report.steps:
            if step.seconds is None:
                took = self.tr("not finished")
            else:
                took = self.tr("%1 s").replace("%1", QLocale().toString(step.seconds, "f", 3))
            lines.append(labelled(names[step.step], took))
        return "\n".join(lines)

    def _tool_lines(self, tools: Sequence[ToolDescriptor]) -> list[str]:
        gateway = self._services.gateway
        index = NameIndex([tool for status in gateway.statuses() for tool in gateway.tools_of(status.server_id)])
        counts = [str(self._tokens.get(tool.definition_hash, "…")) for tool in tools]
        width = max(map(len, counts), default=0)
        lines: list[str] = []
        for count, tool in zip(counts, tools, strict=True):
            marks = [finding_text(finding) for finding in index.findings(tool)]
            if not tool.bundled and self._services.pins.is_held(tool):
                marks.insert(0, self.tr("held until you have looked at its change"))
            name = reveal(tool.name[:_MOST_OF_NAME], keep_newlines=False)
            lines.append(f"{count.rjust(width)}  {name}" + "".join(f"  ⚠ {mark}" for mark in marks))
        return lines

    def _tools_caption(self, tools: Sequence[ToolDescriptor]) -> str:
        total = sum(self._tokens.get(tool.definition_hash, 0) for tool in tools)
        words = self.tr(
            "%n tools, %1 tokens in all. The number before each is what it takes of the model's memory with every message.",
            "",
            len(tools),
        )
        return words.replace("%1", QLocale().toString(total))

    def _count(self, tools: Sequence[ToolDescriptor]) -> None:
        missing = [tool for tool in tools if tool.definition_hash not in self._tokens]
        if missing and (self._counting is None or self._counting.done()):
            self._counting = self._worker.start(self._count_in_thread(missing), "count the tokens of tools")

    async def _count_in_thread(self, tools: Sequence[ToolDescriptor]) -> None:
        def count() -> dict[str, int]:
            return {tool.definition_hash: count_tool(tool_specs([tool])[0]) for tool in tools}

        self._tokens |= await asyncio.to_thread(count)

    def _copy(self) -> None:
        gateway = self._services.gateway
        tools = [(tool, self._tokens.get(tool.definition_hash, 0)) for tool in gateway.tools_of(self._entry.id)]
        system = f"{platform.system()} {platform.release()}, Python {platform.python_version()}"
        report = gateway.report(self._entry.id)
        QGuiApplication.clipboard().setText(report_text(self._entry, self._status(), report, tools, system=system))

    # -- the test of a tool

    def _begin_call(self, tool: ToolDescriptor, arguments: str) -> None:
        if self._call is None or self._call.done():
            self._dialog.test.show_running(self.tr("Running…"))
            self._call = self._worker.start(self._make_call(tool, arguments), "test a tool")

    async def _make_call(self, tool: ToolDescriptor, arguments: str) -> None:
        title = self.tr("Test of “%1”").replace("%1", self._entry.key[:_MOST_OF_NAME])
        report: ToolCallReport | None = None
        try:
            report = await self._services.tool_tests.run(tool, arguments, title=title, on_state=self._state_changed)
        finally:
            if shiboken6.isValid(self._dialog):
                self._show_end(tool, report)

    def _state_changed(self, state: CallState, _tool: ToolDescriptor | None) -> None:
        if shiboken6.isValid(self._dialog):
            waits = state is CallState.WAITING_APPROVAL
            self._dialog.test.show_running(self.tr("Waits for your answer…") if waits else self.tr("Running…"))

    def _show_end(self, tool: ToolDescriptor, report: ToolCallReport | None) -> None:
        if report is None:
            self._dialog.test.show_result(self.tr("Stopped"), "")
            return
        endings = {
            ReportStatus.OK: self.tr("Done in %1 s"),
            ReportStatus.ERROR: self.tr("Failed after %1 s"),
            ReportStatus.DENIED: self.tr("Refused"),
            ReportStatus.TIMEOUT: self.tr("Stopped at its time limit, after %1 s"),
            ReportStatus.INTERRUPTED: self.tr("Stopped"),
        }
        seconds = QLocale().toString(report.duration_seconds, "f", 2)
        words = endings[report.status].replace("%1", seconds)
        if report.items:
            words += " · " + self.tr("%n items beside the text", "", len(report.items))
        self._dialog.test.show_result(words, result_words(tool.server_id, tool.name, report.text))

    def _stop_call(self) -> None:
        if self._call is not None:
            self._call.cancel()

    def _finished(self, _result: int) -> None:
        self._stop_call()
        self.deleteLater()
