"""The API as an ASGI application: its paths, its OpenAPI document, and every failure as JSON."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from desktop.api.completions import CompletionPaths
from desktop.api.document import openapi_document
from desktop.api.event_stream import ClientGoneError
from desktop.api.guard import ApiLimits, Guard
from desktop.api.problems import ApiProblem, problem_of
from desktop.api.runs import FollowedRuns
from desktop.api.sending import Sender
from desktop.api.services import ApiServices
from desktop.api.threads import ThreadPaths
from desktop.core.errors import ThreadwellError

Handler = Callable[[Request], Awaitable[Any]]


def make_application(
    services: ApiServices,
    *,
    token: Callable[[], str],
    port: int,
    limits: ApiLimits,
    closing: asyncio.Event,
) -> ASGIApp:
    """Return the application for a server on this port of the loopback. Streams end when ``closing`` is set."""
    runs = FollowedRuns(services)
    threads = ThreadPaths(services, runs, Sender(services, runs), limits, closing)
    completions = CompletionPaths(services, runs, limits, closing)
    document = openapi_document(port)

    async def described(_request: Request) -> JSONResponse:
        return JSONResponse(document)

    one = "/v1/threads/{thread_id}"
    app = Starlette(
        routes=[
            Route("/v1/openapi.json", described, methods=["GET"]),
            Route("/v1/threads", _by_method(GET=threads.list, POST=threads.create), methods=["GET", "POST"]),
            Route(one, threads.delete, methods=["DELETE"]),
            Route(f"{one}/messages", _by_method(GET=threads.messages, POST=threads.send), methods=["GET", "POST"]),
            Route(f"{one}/events", threads.events, methods=["GET"]),
            Route(f"{one}/stop", threads.stop, methods=["POST"]),
            Route("/v1/models", completions.models, methods=["GET"]),
            Route("/v1/chat/completions", completions.complete, methods=["POST"]),
        ],
        exception_handlers={
            ApiProblem: _problem,
            ThreadwellError: _failure,
            HTTPException: _http_failure,
            ClientGoneError: _nobody,
            ClientDisconnect: _nobody,
            Exception: _unexpected,
        },
    )
    app.router.redirect_slashes = False
    return Guard(app, token=token, port=port, limits=limits)


def _by_method(**handlers: Handler) -> Handler:
    async def handle(request: Request) -> Any:
        return await handlers[request.method](request)

    return handle


def _answer(problem: ApiProblem) -> JSONResponse:
    # What is left of a body is read and dropped, so that the answer arrives; not that of a body that does not come.
    headers = {"connection": "close"} if problem.status == 408 else {}
    return JSONResponse(problem.to_json(), status_code=problem.status, headers=headers)


async def _problem(_request: Request, error: Exception) -> Response:
    assert isinstance(error, ApiProblem)
    return _answer(error)


async def _failure(_request: Request, error: Exception) -> Response:
    assert isinstance(error, ThreadwellError)
    return _answer(problem_of(error))


async def _http_failure(_request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    what_to_do = "GET /v1/openapi.json lists the paths and what each takes."
    if error.status_code == 405:
        response = _answer(ApiProblem(405, "wrong_method", "This path does not take this method.", what_to_do))
        response.headers.update(error.headers or {})
        return response
    return _answer(ApiProblem(error.status_code, "no_such_path", "There is nothing at this path.", what_to_do))


async def _nobody(_request: Request, _error: Exception) -> Response:
    return Response(status_code=499)


async def _unexpected(_request: Request, _error: Exception) -> Response:
    return _answer(
        ApiProblem(500, "unknown", "An error in Threadwell.", "Try again; the log files have the details for a report.")
    )
