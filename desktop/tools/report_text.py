"""The diagnosis of a server as plain text, to be passed on: in English, without secrets, without the user's name."""

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from desktop import __version__
from desktop.tools.entities import ServerEntry, ServerStatus, ToolDescriptor
from desktop.tools.masking import HIDDEN, Masker, is_secret_name
from desktop.tools.server_report import MessageNote, ServerReport
from desktop.tools.visible_text import reveal

MOST_TOOLS = 200
_MOST_TEXT = 4_000


def report_text(
    entry: ServerEntry,
    status: ServerStatus | None,
    report: ServerReport | None,
    tools: Sequence[tuple[ToolDescriptor, int]],
    *,
    system: str,
    home: Path | None = None,
) -> str:
    """Return the report. ``tools`` come with their tokens; ``system`` is what it all runs on."""
    lines = [
        f"Threadwell {__version__} on {system}",
        f"Server: {entry.key} ({entry.origin.value}, {entry.transport.value})",
    ]
    lines += [f"State: {status.state.value}" if status is not None else "State: off"]
    if status is not None and status.text:
        lines += ["What was noticed:", *_indented(status.text)]
    lines += _start(entry, report)
    if report is not None:
        lines += _claim(report)
    lines.append(f"Tools: {len(tools)}, {sum(tokens for _tool, tokens in tools)} tokens")
    lines += [f"  {tool.name[:120]}: {tokens} tokens" for tool, tokens in tools[:MOST_TOOLS]]
    if len(tools) > MOST_TOOLS:
        lines.append(f"  … ({len(tools) - MOST_TOOLS} more)")
    if report is not None:
        lines += ["Last lines on stderr:", *_indented(report.stderr[-_MOST_TEXT:] or "(none)")]
        lines += [f"Messages ({report.message_count} so far):", *(f"  {note_line(note)}" for note in report.messages)]
    text = masker_of(entry).text(
        "\n".join(reveal(line, keep_newlines=False).replace("<SPACE×2>", "  ") for line in lines)
    )
    return _without_home(text, home or Path.home()) + "\n"


def note_line(note: MessageNote) -> str:
    """Return one message as a line: ``12:01:07.312 → request tools/list #2, 71 bytes: {…}``."""
    moment = note.at.astimezone().strftime("%H:%M:%S.") + f"{note.at.microsecond // 1000:03d}"
    arrow = "→" if note.sent else "←"
    number = f" #{note.id}" if note.id else ""
    times = f" ×{note.times}" if note.times > 1 else ""
    head = " ".join(filter(None, [moment, arrow, note.kind.value, note.method])) + f"{number}{times}, {note.size} bytes"
    return f"{head}: {note.excerpt}" if note.excerpt else head


def masker_of(entry: ServerEntry) -> Masker:
    """Return what knows the values that only the owner of an entry should see."""
    following = [value for name, value in pairwise(entry.argv) if is_secret_name(name) and not name.startswith("/")]
    return Masker([*entry.env.values(), *entry.headers.values(), *following])


def _start(entry: ServerEntry, report: ServerReport | None) -> list[str]:
    if entry.transport.is_web:
        lines = [f"Address: {entry.url}"]
    else:
        lines = [
            f"Command: {' '.join(entry.argv)}",
            f"Program: {(report.program if report else '') or '(none was found)'}",
        ]
    if entry.cwd:
        lines.append(f"Folder: {entry.cwd}")
    if names := [*entry.env, *entry.headers]:
        lines.append(f"Set for it: {', '.join(f'{name}={HIDDEN}' for name in sorted(names))}")
    if report is None:
        return lines
    if report.addresses:
        lines.append(f"Leads to: {report.addresses}")
    if report.proxy:
        lines.append(f"Asked through the proxy {report.proxy}: where that leads cannot be checked")
    lines.append(f"Starts: {report.starts}")
    steps = ", ".join(
        f"{step.step.value} {'not finished' if step.seconds is None else f'{step.seconds:.3f} s'}"
        for step in report.steps
    )
    return [*lines, f"Steps of the last one: {steps or '(none)'}"]


def _claim(report: ServerReport) -> list[str]:
    if not report.protocol_version:
        return ["Protocol: (no connection came about)"]
    era = "newer era" if report.is_newer_era else "older era"
    return [
        f"Protocol: {report.protocol_version} ({era})",
        f"It says that it is: {report.name} {report.version}".rstrip(),
        f"Capabilities: {', '.join(report.capabilities) or '(none)'}",
    ]


def _indented(text: str) -> list[str]:
    return [f"  {line}" for line in text.splitlines()]


def _without_home(text: str, home: Path) -> str:
    """Replace the home folder; elsewhere its last name would still be the user's, so that goes, too."""
    text = text.replace(str(home), "~")
    return text.replace(f"/home/{home.name}", "~").replace(f"/Users/{home.name}", "~") if home.name else text
