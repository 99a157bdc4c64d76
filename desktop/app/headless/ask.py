"""``ask TEXT``: one question, its events on standard output."""

import asyncio
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from desktop.agent.events import (
    AgentEvent,
    DoneEvent,
    DoneReason,
    ErrorEvent,
    MessageEvent,
    MessageTakenBackEvent,
    RemarkEvent,
    ThinkingEvent,
    ToolCallEvent,
    ToolResultEvent,
    event_to_json,
)
from desktop.agent.run import Run
from desktop.app.container import Container, open_container
from desktop.app.headless.output import complain, print_json, say
from desktop.app.headless.prompts import HeadlessPrompts
from desktop.app.headless.reporting import report_failed_server, report_held
from desktop.app.instance_lock import InstanceLock
from desktop.app.log_setup import close_logging, environment_secrets, set_up_logging
from desktop.app.options import AskCommand
from desktop.app.restored_library import finish_restore
from desktop.conversation.entities import USUAL_OPTIONS, AskedModel, Thread
from desktop.core.errors import StorageError, ThreadwellError
from desktop.core.paths import DataPaths
from desktop.core.remark_texts import english_remark
from desktop.core.tasks import TaskSupervisor
from desktop.ui.state.readable import readable


async def ask(command: AskCommand) -> int:
    """Answer the question; 0 when each run ended with ``done``, 1 when one did with ``error``.

    Several models' answers are told one after the other, each under the model's name.

    Raises ``StorageError``, ``SettingsError``, ``FileError`` and ``ModelError`` for what fails before the first event.
    """
    paths = DataPaths(command.launch.data_dir)
    with InstanceLock.acquire(paths.lock, "Threadwell ask"):
        finish_restore(paths)
        log = set_up_logging(paths, secrets=environment_secrets(os.environ))
        try:
            prompts = HeadlessPrompts(command.approve, command.elicit, _silent if command.as_json else say)
            container = await open_container(command.launch, prompts, TaskSupervisor(), decider="headless")
            try:
                for notice in container.notices():
                    complain(notice)
                return await _answer(container, command)
            finally:
                await container.close()
        finally:
            close_logging(log)


async def _answer(container: Container, command: AskCommand) -> int:
    thread = await _chosen_thread(container, command.launch.thread)
    options = thread.options if thread is not None else USUAL_OPTIONS
    container.model(options)  # an unusable endpoint, or one whose key is not there, is said before a thread is made
    await container.require_key(options)
    files = [await container.attachments.add_file(path.expanduser().absolute()) for path in command.files]
    container.gateway.status_changed.connect(report_failed_server)
    container.pins.changed.connect(lambda server_id: report_held(container.pins.held(server_id)))
    container.gateway.start()
    container.sessions.sharing.warm_up()
    container.tasks.spawn(container.warm_up(), name="warm up")  # while the servers start
    await container.memory.catch_up_words()
    runs: list[Run] = []
    container.chat.run_started.connect(lambda run: runs.append(run))
    container.chat.failed.connect(lambda error: complain(error))
    given = [AskedModel(endpoint_id="", model=model) for model in command.launch.models_beside]
    await container.chat.send(
        thread.id if thread is not None else None, command.text, attachments=files, beside=given or None
    )
    with _stopped_by_signals(runs):
        for number, run in enumerate(runs):
            if len(runs) > 1:
                _print_heading(run, as_json=command.as_json, is_first=number == 0)
            async for event in run.events():
                if command.as_json:
                    print_json(event_to_json(event))
                else:
                    _print_event(event)
    return 1 if any(isinstance(run.terminal, ErrorEvent) for run in runs) else 0


async def _chosen_thread(container: Container, wanted: str) -> Thread | None:
    if wanted == "new":
        return None
    if wanted == "last":
        return await container.conversations.last_thread()
    thread = await container.conversations.get_thread(wanted)
    if thread is None or thread.deleted_at is not None:
        raise StorageError("storage.thread_missing", thread_id=wanted)
    return thread


@contextmanager
def _stopped_by_signals(runs: Sequence[Run]) -> Iterator[None]:
    """Ctrl+C and SIGTERM stop the answers: what was received is kept, and the last event of each says so."""

    def stop() -> None:
        for run in runs:
            run.stop()

    numbers = [] if sys.platform == "win32" else [signal.SIGINT, signal.SIGTERM]
    loop = asyncio.get_running_loop()
    for number in numbers:
        loop.add_signal_handler(number, stop)
    try:
        yield
    finally:
        for number in numbers:
            loop.remove_signal_handler(number)


def _print_heading(run: Run, *, as_json: bool, is_first: bool) -> None:
    model = run.turn.assistant_message.model
    if as_json:
        print_json({"kind": "answer", "thread_id": run.thread_id, "message_id": run.message_id, "model": model})
    else:
        sys.stdout.write(f"{'' if is_first else chr(10)}## {readable(model)}\n\n")
        sys.stdout.flush()


def _print_event(event: AgentEvent) -> None:
    match event:
        case MessageEvent():
            sys.stdout.write("\n" if event.final else readable(event.delta))
            sys.stdout.flush()
        case MessageTakenBackEvent():
            sys.stdout.write("\n\n")  # it stands there: what follows is at least told apart from it
            say("[what was said so far was reasoning]")
        case ThinkingEvent():
            pass
        case ToolCallEvent():
            say(f"[{event.name} {event.state}] {event.arguments}")
        case ToolResultEvent():
            say(f"[{event.status}] {event.text}")
        case RemarkEvent() if event.code == "plan_not_asked":
            say(f"[{english_remark(event.code, event.params)}]")
        case DoneEvent():
            if event.reason is not DoneReason.COMPLETED:
                say(f"[ended: {event.reason}]")
        case ErrorEvent():
            complain(ThreadwellError(event.code, **event.params))


def _silent(_line: str) -> None:
    """Nothing but events when JSON is asked for."""
