"""The page Local API among the screenshots: off, on, and where its port is taken."""

import dataclasses
import socket
from typing import TYPE_CHECKING

from shots_scenes import Scene, scene

from desktop.core.local_api import ApiState

if TYPE_CHECKING:
    from shots_stage import Stage

API_SCENES: list[Scene] = []
PORT = 8020


@scene(API_SCENES, "98-local-api")
async def local_api(stage: "Stage") -> None:
    """The page while nothing listens, while programs are answered, and with a port that another program has."""
    window = await stage.settings("api")
    await stage.picture("98-local-api-1-off", of=lambda: window)
    container = stage.session.container

    def switch(*, enabled: bool, port: int = PORT) -> None:
        settings = container.settings.settings
        api = dataclasses.replace(settings.api, enabled=enabled, port=port)
        container.settings.update(dataclasses.replace(settings, api=api))

    switch(enabled=True)
    await stage.pilot.until(lambda: stage.session.api.status.state is ApiState.ON, "the API")
    await stage.picture("98-local-api-2-on", of=lambda: window)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        switch(enabled=True, port=int(taken.getsockname()[1]))
        await stage.pilot.until(lambda: stage.session.api.status.state is ApiState.FAILED, "the failure")
        await stage.picture("98-local-api-3-taken", of=lambda: window)
    switch(enabled=False)
    window.close()
