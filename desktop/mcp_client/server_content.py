"""The prompts and resources of the running servers: listed, filled in and read when the user wants one, within bounds."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import unquote, urlsplit

from desktop.core.errors import ToolError
from desktop.mcp_client.results import decoded
from desktop.mcp_client.tool_list import read_pages
from desktop.tools.server_content import (
    ContentArgument,
    ContentFile,
    FilledPrompt,
    PromptTurn,
    ServerContent,
    ServerPrompt,
    ServerResource,
)

if TYPE_CHECKING:
    from fastmcp import Client

    from desktop.mcp_client.gateway import McpGateway
    from desktop.mcp_client.server_session import ServerSession

T = TypeVar("T")

LIST_SECONDS = 5.0
READ_SECONDS = 60.0
COMPLETE_SECONDS = 5.0
MOST_OF_SERVER = 500
MOST_PAGES = 20
MOST_ARGUMENTS = 30
MOST_PROPOSED = 50
MOST_FILES = 20
MOST_TEXT = 2_000_000
_MOST_NAME, _MOST_ADDRESS, _MOST_DESCRIPTION = 200, 2_000, 1_000

logger = logging.getLogger(__name__)


class McpContent(ServerContent):
    """Implements ``ServerContent`` over the sessions of a gateway."""

    def __init__(self, gateway: "McpGateway") -> None:
        self._gateway = gateway

    async def prompts(self) -> tuple[ServerPrompt, ...]:
        return await self._of_all(_list_prompts)

    async def resources(self) -> tuple[ServerResource, ...]:
        found = await self._of_all(_list_resources)
        return tuple(sorted(found, key=lambda resource: resource.is_template))

    async def fill(self, prompt: ServerPrompt, values: Mapping[str, str]) -> FilledPrompt:
        given = {name: value for name, value in values.items() if value}
        result = await self._ask(prompt.server_id, lambda client: client.get_prompt_mcp(prompt.name, given))
        turns: list[PromptTurn] = []
        files: list[ContentFile] = []
        for message in result.messages:
            text, received = await asyncio.to_thread(_piece, message.content)
            files += received
            if text:
                turns.append(PromptTurn(role=message.role, text=text[:MOST_TEXT]))
        return FilledPrompt(turns=tuple(turns), files=tuple(files[:MOST_FILES]))

    async def read(self, resource: ServerResource, values: Mapping[str, str]) -> tuple[ContentFile, ...]:
        address = resource.filled(values)
        result = await self._ask(resource.server_id, lambda client: client.read_resource_mcp(address))
        files = await asyncio.to_thread(lambda: [_file(item, resource) for item in result.contents[:MOST_FILES]])
        if not files:
            raise ToolError("server.failed", server=resource.server_id, detail="It returned nothing.")
        return tuple(files)

    async def complete(
        self, of: ServerPrompt | ServerResource, name: str, typed: str, others: Mapping[str, str]
    ) -> tuple[str, ...]:
        import mcp_types

        if isinstance(of, ServerPrompt):
            reference: Any = mcp_types.PromptReference(type="ref/prompt", name=of.name)
        else:
            reference = mcp_types.ResourceTemplateReference(type="ref/resource", uri=of.address)
        known = {key: value for key, value in others.items() if value} or None

        async def ask(client: "Client[Any]") -> "mcp_types.CompleteResult | None":
            if not _claims(client, "completions"):
                return None
            return await client.complete_mcp(reference, {"name": name, "value": typed}, known)

        try:
            result = await self._ask(of.server_id, ask, seconds=COMPLETE_SECONDS)
        except ToolError as error:
            logger.info("the server %s proposes nothing: %s", of.server_id, error)
            return ()
        values = result.completion.values[:MOST_PROPOSED] if result is not None else []
        return tuple(dict.fromkeys(value[:_MOST_ADDRESS] for value in values))

    async def _of_all(self, of: Callable[["Client[Any]", str], Awaitable[Sequence[T]]]) -> tuple[T, ...]:
        async def one(session: "ServerSession") -> Sequence[T]:
            server_id = session.config.id
            try:
                return await self._ask(server_id, lambda client: of(client, server_id), seconds=LIST_SECONDS)
            except ToolError as error:
                logger.info("the server %s lists nothing: %s", server_id, error)
                return ()

        found = await asyncio.gather(*(one(session) for session in self._gateway.ready_sessions()))
        return tuple(item for items in found for item in items)

    async def _ask(
        self, server_id: str, request: Callable[["Client[Any]"], Awaitable[T]], *, seconds: float = READ_SECONDS
    ) -> T:
        session = next((s for s in self._gateway.ready_sessions() if s.config.id == server_id), None)
        if session is None:
            raise ToolError("server.failed", server=server_id, detail="It is not running.")
        try:
            async with asyncio.timeout(seconds):
                return await session.request(request)
        except TimeoutError:
            raise ToolError("server.timeout", server=server_id, seconds=f"{seconds:g}") from None
        except Exception as error:
            logger.debug("a request to the server %s failed", server_id, exc_info=True)
            raise ToolError("server.failed", server=server_id, detail=_words(error)) from error


def _words(error: Exception) -> str:
    from mcp import MCPError
    from pydantic import ValidationError

    if isinstance(error, ValidationError):
        return "It sent something that cannot be understood."
    words = error.message if isinstance(error, MCPError) else str(error)
    return " ".join(words.split())[:500] or type(error).__name__


def _claims(client: "Client[Any]", name: str) -> bool:
    return getattr(client.server_capabilities, name, None) is not None


async def _pages(ask: Callable[[str | None], Awaitable[Any]], items: str) -> list[Any]:
    """The entries of a list. A server that does not know the method has none, whatever it claimed."""
    from mcp import MCPError
    from mcp_types import METHOD_NOT_FOUND

    found: list[Any] = []

    async def one(cursor: str | None) -> str | None:
        page = await ask(cursor)
        found.extend(getattr(page, items))
        return page.next_cursor

    try:
        await read_pages(one, lambda: len(found) >= MOST_OF_SERVER, most=MOST_PAGES)
    except MCPError as error:
        if error.code != METHOD_NOT_FOUND or found:
            raise
    return found[:MOST_OF_SERVER]


async def _list_prompts(client: "Client[Any]", server_id: str) -> list[ServerPrompt]:
    if not _claims(client, "prompts"):
        return []
    listed = await _pages(lambda cursor: client.list_prompts_mcp(cursor=cursor), "prompts")
    return [
        ServerPrompt(
            server_id=server_id,
            name=prompt.name,
            title=_cut(prompt.title, _MOST_NAME),
            description=_cut(prompt.description, _MOST_DESCRIPTION),
            arguments=tuple(
                ContentArgument(
                    name=argument.name,
                    title=_cut(argument.title, _MOST_NAME),
                    description=_cut(argument.description, _MOST_DESCRIPTION),
                    required=bool(argument.required),
                )
                for argument in (prompt.arguments or [])[:MOST_ARGUMENTS]
            ),
        )
        for prompt in listed
    ]


async def _list_resources(client: "Client[Any]", server_id: str) -> list[ServerResource]:
    if not _claims(client, "resources"):
        return []
    listed = await _pages(lambda cursor: client.list_resources_mcp(cursor=cursor), "resources")
    templates = await _pages(lambda cursor: client.list_resource_templates_mcp(cursor=cursor), "resource_templates")
    return [
        *(_resource(server_id, item, item.uri, size=item.size) for item in listed),
        *(_resource(server_id, item, item.uri_template, is_template=True) for item in templates),
    ]


def _resource(
    server_id: str, item: Any, address: str, *, size: int | None = None, is_template: bool = False
) -> ServerResource:
    return ServerResource(
        server_id=server_id,
        address=str(address),
        name=_cut(item.name, _MOST_NAME),
        title=_cut(item.title, _MOST_NAME),
        description=_cut(item.description, _MOST_DESCRIPTION),
        media_type=_cut(item.mime_type, _MOST_NAME),
        size=size,
        is_template=is_template,
    )


def _cut(text: str | None, most: int) -> str:
    return (text or "")[:most]


def _piece(content: Any) -> tuple[str, list[ContentFile]]:
    """A message's content as text, or as something to be attached."""
    match content.type:
        case "text":
            return content.text, []
        case "image":
            return "", [
                ContentFile(name=f"image.{content.mime_type.rpartition('/')[2][:8]}", data=_bytes(content.data))
            ]
        case "resource":
            return "", [_file(content.resource, None)]
        case "resource_link":
            return f"{content.title or content.name}: {content.uri}", []
        case _:
            return f"[{content.type}]", []


def _file(item: Any, resource: ServerResource | None) -> ContentFile:
    text = getattr(item, "text", None)
    data = text.encode("utf-8", "replace") if text is not None else _bytes(item.blob)
    return ContentFile(name=_name_of(str(item.uri)) or (resource.name if resource is not None else ""), data=data)


def _name_of(address: str) -> str:
    try:
        parts = urlsplit(address)
    except ValueError:
        return ""
    return PurePosixPath(unquote(parts.path)).name or parts.netloc


def _bytes(encoded: str) -> bytes:
    return decoded(encoded) or b""
