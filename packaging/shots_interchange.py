"""Export and import of chats among the screenshots: before, under way, what came of it, and what went wrong."""

from pathlib import Path
from typing import TYPE_CHECKING

from shots_scenes import Scene, scene
from shots_world import LONG

from desktop.conversation.interchange.ports import Progress
from desktop.conversation.interchange.records import ImportReport, Outcome, Verdict, Why
from desktop.ui.error_words import error_words
from desktop.ui.interchange.export_dialog import ExportDialog
from desktop.ui.interchange.import_dialog import ChatImportDialog

if TYPE_CHECKING:
    from shots_stage import Stage

INTERCHANGE_SCENES: list[Scene] = []
_FILE = Path("/home/me/Downloads/chatgpt-export-2026-11-with-a-name-that-goes-on-and-on.zip")
_CHAT = Path("/home/me/Documents/A parser that reads piece by piece.md")


def _report() -> ImportReport:
    """One with every outcome that there is."""
    came = (
        Outcome(verdict=Verdict.IMPORTED, title="周末去杭州的两日行程", messages=14),
        Outcome(verdict=Verdict.IMPORTED, title="A title that is so long " * 8, messages=1, files_missing=2),
        Outcome(verdict=Verdict.GREW, title=LONG, messages=3),
        Outcome(verdict=Verdict.BRANCHED, title="Compare the two offers", messages=2, options_dropped=True),
        Outcome(verdict=Verdict.KNOWN, title="Packing list"),
        Outcome(verdict=Verdict.KNOWN, title="草稿", why=Why.IN_TRASH),
    )
    skipped = (Outcome(verdict=Verdict.SKIPPED, title=f"conversations-{why}.json", why=why) for why in Why)
    return ImportReport(source_name=_FILE.name, outcomes=[*came, *skipped])


@scene(INTERCHANGE_SCENES, "95-export")
async def export(stage: "Stage") -> None:
    stage.window.sidebar.export_requested.emit([await stage.thread(LONG)])
    dialog = await stage.pilot.dialog_appears("exportDialog")
    assert isinstance(dialog, ExportDialog)
    await stage.picture("95-export-1-asked")
    dialog.show_progress(120, 480)
    await stage.picture("95-export-2-runs")
    problem = error_words("storage.full", {"path": str(_CHAT.parent)})
    dialog.show_problem(problem.title, problem.detail)
    await stage.picture("95-export-3-failed")
    dialog.show_progress(480, 480)
    dialog.show_written(_CHAT, 1)
    await stage.picture("95-export-4-done")
    dialog.accept()


@scene(INTERCHANGE_SCENES, "95-import")
async def import_(stage: "Stage") -> None:
    dialog, report = await _asked(stage), _report()
    await stage.picture("95-import-1-asked")
    dialog.import_requested.disconnect()
    await stage.press("chatImportGo", dialog)
    dialog.show_progress(Progress(done=4, total=9), report)
    await stage.picture("95-import-2-runs")
    dialog.show_report(report)
    await stage.picture("95-import-3-report")
    dialog.accept()
    await stage.settle()
    dialog = await _asked(stage)
    problem = error_words("file.no_chats", {"name": _FILE.name})
    dialog.show_report(None, (problem.title, problem.detail))
    await stage.picture("95-import-4-failed")
    dialog.accept()
    await stage.settle()


async def _asked(stage: "Stage") -> ChatImportDialog:
    stage.window.sidebar.import_requested.emit([_FILE])
    dialog = await stage.pilot.dialog_appears("chatImportDialog")
    assert isinstance(dialog, ChatImportDialog)
    return dialog
