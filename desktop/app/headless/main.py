"""Carries out a shell command and turns its failures into words and an exit status."""

import asyncio
import os
import sys

from desktop.app.headless.ask import ask
from desktop.app.headless.output import complain, print_json
from desktop.app.headless.store_commands import grants, threads
from desktop.app.options import AskCommand, GrantsCommand, ThreadsCommand
from desktop.core.error_texts import english
from desktop.core.errors import ThreadwellError

FAILED = 1


def run_headless(command: AskCommand | ThreadsCommand | GrantsCommand) -> int:
    """Carry out the command and return its exit status: 0 done, 1 an error, which is said on standard error."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="replace")
    try:
        match command:
            case AskCommand():
                return asyncio.run(ask(command))
            case ThreadsCommand():
                return asyncio.run(threads(command))
            case GrantsCommand():
                return asyncio.run(grants(command))
    except ThreadwellError as error:
        if isinstance(command, AskCommand) and command.as_json:
            title, detail = english(error.code, error.params)
            print_json(
                {"kind": "error", "thread_id": "", "seq": 0, "code": error.code, "title": title, "detail": detail}
            )
        complain(error)
        return FAILED
    except BrokenPipeError:
        # The reader of our output has gone; the interpreter's own flush at exit would fail once more.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
