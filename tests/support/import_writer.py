"""A program for kill tests: imports a file into a data folder, and says a line on stdout for each chat that is in."""

import asyncio
import json
import sys
from pathlib import Path

from desktop.app.interchange_parts import make_interchange
from desktop.conversation.interchange.ports import Progress
from desktop.conversation.interchange.records import ImportReport
from desktop.conversation.service import ConversationService
from desktop.core.paths import DataPaths
from desktop.storage.store import open_store


async def main(folder: Path, source: Path) -> None:
    store = await open_store(DataPaths(folder))
    await store.threads.recover()
    told = 0

    def tell(_progress: Progress, report: ImportReport) -> None:
        nonlocal told
        for outcome in report.outcomes[told:]:
            sys.stdout.write(json.dumps({"verdict": outcome.verdict, "thread": outcome.thread_id}) + "\n")
        told = len(report.outcomes)
        sys.stdout.flush()

    interchange = make_interchange(store, ConversationService(store.threads))
    await interchange.import_file(source, ImportReport(source_name=source.name), told=tell)
    await store.close()
    sys.stdout.write(json.dumps({"verdict": "done", "thread": ""}) + "\n")


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), Path(sys.argv[2])))
