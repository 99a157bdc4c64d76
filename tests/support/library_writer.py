"""A program for kill tests: a library at work without end, as the app does it.

``FOLDER import|backup|restore|replace|purge|migration SEED``. It says on stdout what is about to be done and what is done for
certain, a line of JSON each.
"""

import asyncio
import json
import random
import sys
from pathlib import Path

from desktop.app.interchange_parts import make_interchange
from desktop.conversation.interchange.records import ImportReport
from desktop.core.backups import MergeReport
from tests.support.foreign_chats import archive, chatgpt_chat
from tests.support.library_app import LibraryApp, library_app

AT_FIRST = 12


def say(kind: str, **fields: object) -> None:
    sys.stdout.write(json.dumps({"kind": kind, **fields}) + "\n")
    sys.stdout.flush()


async def add(app: LibraryApp, text: str) -> str:
    thread_id = await app.chat(text, turns=3)
    say("chat", id=thread_id)
    return thread_id


async def purge(app: LibraryApp, chance: random.Random) -> None:
    chosen = chance.choice(sorted(await app.chats()))
    say("asked", id=chosen)
    await app.store.threads.purge_thread(chosen)
    say("gone", id=chosen)


async def import_chats(app: LibraryApp, folder: Path, number: int) -> None:
    source = folder.parent / f"import-{number}.zip"
    chats = [chatgpt_chat(f"chat-{number}-{index}", longer=index % 2 == 0) for index in range(20)]
    source.write_bytes(archive({"conversations.json": chats}))
    told = 0

    def tell(_progress: object, report: ImportReport) -> None:
        nonlocal told
        for outcome in report.outcomes[told:]:
            if outcome.thread_id:
                say("chat", id=outcome.thread_id)
        told = len(report.outcomes)

    interchange = make_interchange(app.store, app.conversations)
    await interchange.import_file(source, ImportReport(source_name=source.name), told=tell)


async def back_up(app: LibraryApp) -> str:
    held = sorted(await app.chats())
    done = await app.backups.back_up(lambda _progress: None)
    say("backup", name=done.name, chats=held)
    return done.name


async def merge(app: LibraryApp, chance: random.Random) -> None:
    """Back up, let something go, and add it again."""
    name = await back_up(app)
    await purge(app, chance)
    await app.backups.look_at(name, lambda _progress: None)
    say("merging")  # what was deleted may come back from here on: the user wants it
    report = MergeReport()
    await app.backups.merge(report, lambda _progress: None)
    say("merged")


async def main(folder: Path, what: str, seed: int) -> None:
    chance = random.Random(seed)
    say("begin")
    number = 0
    while True:
        async with library_app(folder) as app:
            say("ready")
            while len(await app.chats()) < AT_FIRST:
                await add(app, f"chat {seed}")
            await app.backups.keep_replaced()
            while True:
                number += 1
                await add(app, f"chat {seed} {number}")
                match what:
                    case "import":
                        await import_chats(app, folder, 1_000 * seed + number)
                    case "backup":
                        await back_up(app)
                    case "restore":
                        await merge(app, chance)
                    case "replace":
                        name = await back_up(app)
                        before = sorted(await app.chats())
                        extra = await app.chat("only here", turns=1)
                        await app.backups.look_at(name, lambda _progress: None)
                        say("swap", before=[*before, extra], after=before)
                        await app.backups.replace(lambda _progress: None)
                        break  # a restart
                    case "purge":
                        await purge(app, chance)
                    case _:
                        await asyncio.sleep(60)


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])))
