"""``threads export`` and ``threads import``: chats written to files and read from them, from a shell."""

from desktop.app.headless.output import say, show
from desktop.app.interchange_parts import make_interchange
from desktop.app.options import ThreadsCommand
from desktop.conversation.interchange.exporting import ChatFormat, JsonFormat, MarkdownFormat
from desktop.conversation.interchange.ports import Progress
from desktop.conversation.interchange.records import ImportReport, Verdict
from desktop.conversation.interchange.service import Interchange
from desktop.conversation.interchange.words import ENGLISH
from desktop.conversation.service import ConversationService
from desktop.core.errors import StorageError, ThreadwellError
from desktop.storage.store import Store


async def carry_out(store: Store, command: ThreadsCommand) -> int:
    """Export or import; 1 where an import ended early. Raises ``StorageError`` and ``FileError``."""
    interchange = make_interchange(store, ConversationService(store.threads))
    if command.action == "export":
        await _export(interchange, store, command)
        return 0
    return await _import(interchange, command)


async def _export(interchange: Interchange, store: Store, command: ThreadsCommand) -> None:
    assert command.target is not None
    export, kind = interchange.export, _format(command.format)
    if command.argument == "all":
        ids, suffix = await export.all_ids(with_trash=command.in_trash), ".zip"
    else:
        if await store.threads.get_thread(command.argument) is None:
            raise StorageError("storage.thread_missing", thread_id=command.argument)
        ids = [command.argument]
        suffix = await export.suffix(ids, kind)
    path = command.target.expanduser().absolute()
    if path.suffix.lower() not in (suffix, ".zip"):
        path = path.with_name(f"{path.name}{suffix}")
    written = await export.write(ids, kind, path)
    fields = {"path": str(written.path), "chats": written.chats, "left_out": written.left_out}
    show(fields, f"exported: {written.chats} to {written.path}", json_wanted=command.as_json)


async def _import(interchange: Interchange, command: ThreadsCommand) -> int:
    assert command.target is not None
    path = command.target.expanduser().absolute()
    report, told = ImportReport(source_name=path.name), 0

    def tell(_progress: Progress, so_far: ImportReport) -> None:
        nonlocal told
        for outcome in so_far.outcomes[told:]:
            fields = {
                "verdict": outcome.verdict.value,
                "title": outcome.title,
                "thread_id": outcome.thread_id,
                "messages": outcome.messages,
                "files_missing": outcome.files_missing,
                "why": outcome.why.value if outcome.why is not None else "",
            }
            why = f" ({outcome.why})" if outcome.why is not None else ""
            line = f"{outcome.verdict}{why}: {outcome.thread_id}  {outcome.title}"
            show(fields, line, json_wanted=command.as_json)
        told = len(so_far.outcomes)

    await interchange.import_file(path, report, told=tell)
    await interchange.index()
    counts = ", ".join(f"{report.count(verdict)} {verdict}" for verdict in Verdict if report.count(verdict))
    say(f"{counts}.")
    if report.problem:
        raise ThreadwellError(report.problem, **report.problem_params)
    return 0


def _format(name: str) -> ChatFormat:
    match name:
        case "markdown":
            return MarkdownFormat()
        case "html":
            from desktop.ui.interchange.html_format import HtmlFormat

            return HtmlFormat(ENGLISH)
        case _:
            return JsonFormat()
