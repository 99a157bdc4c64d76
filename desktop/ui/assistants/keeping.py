"""Opens the form of an assistant with what it can offer, and keeps what comes of it."""

from collections.abc import Callable

import shiboken6
from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QWidget

from desktop.conversation.assistants.entities import Assistant
from desktop.conversation.assistants.library import name_key
from desktop.core.errors import ThreadwellError
from desktop.ui.assistants.edit_dialog import AssistantEditDialog, ModelOffer, Offers
from desktop.ui.assistants.tick_list import Tick
from desktop.ui.bundled_words import BUNDLED_SERVER, bundled_title
from desktop.ui.endpoints.parts import shown
from desktop.ui.presenting import Worker
from desktop.ui.services import UiServices
from desktop.ui.state.model_choices import model_choices

MOST_TOOLS = 300
"""Beyond so many only whole servers are offered."""


def open_editor(
    parent: QWidget,
    services: UiServices,
    worker: Worker,
    changed: Assistant | None = None,
    *,
    done: Callable[[Assistant], object] = lambda _: None,
) -> AssistantEditDialog:
    """Let the user make an assistant, or change one; ``done`` when it is on disk."""
    library = services.assistants
    dialog = AssistantEditDialog(parent, changed, offers_of(services, changed))

    async def save(wanted: Assistant) -> None:
        try:
            kept = await _kept(wanted)
        except ThreadwellError as error:
            if not shiboken6.isValid(dialog) or not dialog.isVisible():  # left meanwhile
                raise
            dialog.show_failure(error)
            return
        is_there = shiboken6.isValid(dialog)
        if isinstance(kept, str):
            if is_there:
                dialog.show_taken() if kept == "taken" else dialog.show_full()
            return
        if is_there:
            dialog.accept()
        done(kept)
        if changed is not None:
            await library.erase()

    async def _kept(wanted: Assistant) -> Assistant | str:
        key = name_key(wanted.name)
        if any(name_key(one.name) == key and one.id != wanted.id for one in library.known):
            return "taken"
        if wanted.id and library.get(wanted.id) is not None:
            await library.change(wanted)
            return library.get(wanted.id) or wanted
        return await library.add(wanted) or "full"

    dialog.save_requested.connect(lambda wanted: worker.start(save(wanted), "save an assistant"))
    dialog.open()
    return dialog


def offers_of(services: UiServices, changed: Assistant | None) -> Offers:
    """Return what the form offers now; what an assistant has and nobody offers any more stays among it."""
    return Offers(
        models=_models(services, changed),
        tools=_tools(services, changed),
        helpers=[
            Tick(one.id, one.name, tooltip=one.description)
            for one in services.assistants.known
            if changed is None or one.id != changed.id
        ],
    )


def _models(services: UiServices, changed: Assistant | None) -> list[ModelOffer]:
    found: list[ModelOffer] = []
    heading = ""
    for choice in model_choices(services.settings.settings, services.endpoint_book.endpoint, None):
        if choice.is_heading:
            heading = choice.text
        elif choice.is_demo:
            demo = QCoreApplication.translate("assistants", "Demo model")
            found.append(ModelOffer(demo, "", ""))
        else:
            found.append(ModelOffer(f"{shown(choice.text)} · {shown(heading)}", choice.endpoint_id, choice.model))
    known = {(offer.endpoint_id, offer.model or None) for offer in found}
    if changed is not None and changed.endpoint_id is not None and (changed.endpoint_id, changed.model) not in known:
        gone = QCoreApplication.translate("assistants", "%1 (not set up any more)")
        name = shown(changed.model or changed.endpoint_id)
        found.append(ModelOffer(gone.replace("%1", name), changed.endpoint_id, changed.model or ""))
    return found


def _tools(services: UiServices, changed: Assistant | None) -> list[Tick]:
    gateway = services.gateway
    servers = [status.server_id for status in gateway.statuses()]
    listed = {server: gateway.tools_of(server) for server in servers}
    has_room = sum(map(len, listed.values())) <= MOST_TOOLS
    chosen = changed.tools or () if changed is not None else ()
    found: list[Tick] = []
    for server in servers:
        built_in = QCoreApplication.translate("assistants", "Built-in tools")
        found.append(Tick(server, built_in if server == BUNDLED_SERVER else server))
        names = [tool.name for tool in listed[server]] if has_room else []
        # Of a server that has not started, or lists it no more, what was chosen stays.
        names += [key.removeprefix(f"{server}/") for key in chosen if key.startswith(f"{server}/")]
        for name in dict.fromkeys(names):
            found.append(Tick(f"{server}/{name}", bundled_title(server, name) or name, part_of=server))
    known = {tick.key for tick in found}
    return [*found, *(Tick(key, key) for key in chosen if key not in known)]
