"""Carries out a shell command and turns its failures into words and an exit status."""

import asyncio
import os
import sys

from desktop.app.headless.output import complain, print_json
from desktop.app.options import (
    AskCommand,
    GrantsCommand,
    HeadlessCommand,
    PolicyCommand,
    ServeCommand,
    ThreadsCommand,
)
from desktop.core.error_texts import english
from desktop.core.errors import ThreadwellError

FAILED = 1
INTERRUPTED = 130
"""What shells expect of a program that Ctrl+C ended."""


def run_headless(command: HeadlessCommand) -> int:
    """Carry out the command and return its exit status: 0 done, 1 an error, which is said on standard error."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="replace")
    try:
        return _carry_out(command)
    except ThreadwellError as error:
        return _fail(command, error)
    except KeyboardInterrupt:
        # Before the answer began or after its end: in between the signal stops the answer, which is kept.
        return INTERRUPTED
    except BrokenPipeError:
        _give_up_output()
        return FAILED
    except OSError as error:
        failure = _described(error)
        try:
            sys.stdout.flush()  # what is still held back would fail at exit, with a status that means nothing
            return _fail(command, failure)
        except OSError:  # it was our own output that failed
            _give_up_output()
            complain(failure)
            return FAILED


def _carry_out(command: HeadlessCommand) -> int:
    # Imported here: each needs something else, and most the store alone, which is there at once.
    match command:
        case AskCommand():
            from desktop.app.headless.ask import ask

            status = asyncio.run(ask(command))
        case ServeCommand():
            from desktop.app.headless.serve import serve

            status = asyncio.run(serve(command))
        case PolicyCommand():
            from desktop.app.headless.policy_commands import explain

            status = asyncio.run(explain(command))
        case ThreadsCommand() | GrantsCommand():
            from desktop.app.headless.store_commands import grants, threads

            status = asyncio.run(threads(command) if isinstance(command, ThreadsCommand) else grants(command))
    sys.stdout.flush()
    return status


def _fail(command: HeadlessCommand, error: ThreadwellError) -> int:
    if isinstance(command, AskCommand) and command.as_json:
        title, detail = english(error.code, error.params)
        print_json({"kind": "error", "thread_id": "", "seq": 0, "code": error.code, "title": title, "detail": detail})
    complain(error)
    return FAILED


def _give_up_output() -> None:
    """Nobody reads it, or its disk is full; the interpreter's own flush at exit would fail once more."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _described(error: OSError) -> ThreadwellError:
    where = f"{os.fsdecode(error.filename)}: " if isinstance(error.filename, str | bytes) else ""
    return ThreadwellError("unknown", detail=f"{where}{error.strerror or error}.")
