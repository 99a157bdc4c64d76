"""The local API before the core of this program."""

from desktop.api.local_api import LocalApi
from desktop.api.services import ApiServices
from desktop.app.container import Container
from desktop.core.api_settings import ApiSettings


def make_local_api(container: Container, *, token: str = "", always: ApiSettings | None = None) -> LocalApi:
    """Return the API, which is not started yet (``follow``); it must be closed before the container."""
    services = ApiServices(
        chat=container.chat,
        queue=container.queue,
        conversations=container.conversations,
        repository=container.store.threads,
        settings=container.settings,
        tasks=container.tasks,
        assistants=container.assistants,
        begin_with=container.with_present_model,
    )
    return LocalApi(services, container.secrets, token=token, always=always)
