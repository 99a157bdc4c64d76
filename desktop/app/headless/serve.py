"""``serve``: the local API without a window, until it is stopped."""

import asyncio
import dataclasses
import os
import secrets
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from desktop.app.api_parts import make_local_api
from desktop.app.container import Container, open_container
from desktop.app.headless.output import complain, say
from desktop.app.headless.prompts import HeadlessPrompts
from desktop.app.headless.reporting import report_failed_server, report_held
from desktop.app.instance_lock import InstanceLock
from desktop.app.log_setup import close_logging, environment_secrets, hide_in_log, set_up_logging
from desktop.app.options import ServeCommand
from desktop.app.restored_library import finish_restore
from desktop.core.api_settings import ApiSettings
from desktop.core.errors import SettingsError
from desktop.core.paths import DataPaths
from desktop.core.process_tree import hide_from_start_environment
from desktop.core.tasks import TaskSupervisor


async def serve(command: ServeCommand) -> int:
    """Serve until Ctrl+C or SIGTERM. Raises ``ThreadwellError`` where it cannot begin."""
    token = _token(command.token_env)
    paths = DataPaths(command.launch.data_dir)
    with InstanceLock.acquire(paths.lock, "Threadwell serve"):
        finish_restore(paths)
        log = set_up_logging(paths, secrets=environment_secrets(os.environ))
        hide_in_log(token)
        try:
            prompts = HeadlessPrompts(command.approve, command.elicit, say)
            launch = dataclasses.replace(command.launch, stays=True)
            container = await open_container(launch, prompts, TaskSupervisor(), decider="headless")
            try:
                await _serve(container, ApiSettings(enabled=True, port=command.port), token)
            finally:
                await container.close()
        finally:
            close_logging(log)
    return 0


async def _serve(container: Container, wanted: ApiSettings, token: str) -> None:
    for notice in container.notices():
        complain(notice)
    container.gateway.status_changed.connect(report_failed_server)
    container.pins.changed.connect(lambda server_id: report_held(container.pins.held(server_id)))
    container.problem_found.connect(lambda error: complain(error))
    with _stopped_by_signals() as stopped:
        api = make_local_api(container, token=token, always=wanted)
        try:
            await api.follow()
            if api.status.error is not None:
                raise api.status.error
            container.gateway.start()
            container.memory.start()
            container.sessions.sharing.warm_up()
            container.memory_writer.start()
            container.tasks.spawn(container.warm_up(), name="warm up")
            container.tasks.spawn(container.memory.finish_forgetting(), name="finish forgetting")
            say(f"Listening on {api.status.address}")
            await stopped.wait()
        finally:
            await api.close()


def _token(variable: str) -> str:
    """Return the token that programs must send. Raises ``SettingsError``."""
    if not variable:
        token = secrets.token_urlsafe(32)
        say(f"Bearer token: {token}")
        return token
    hide_from_start_environment(variable)
    token = os.environ.pop(variable, "").strip()
    if not token:
        raise SettingsError("api.no_token", variable=variable)
    return token


@contextmanager
def _stopped_by_signals() -> Iterator[asyncio.Event]:
    stopped = asyncio.Event()
    numbers = [] if sys.platform == "win32" else [signal.SIGINT, signal.SIGTERM]
    loop = asyncio.get_running_loop()
    for number in numbers:
        loop.add_signal_handler(number, stopped.set)
    try:
        yield stopped
    finally:
        for number in numbers:
            loop.remove_signal_handler(number)
