"""The OpenAPI document is what the API does: requests are made from it, and none finds an error of the server."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis import Case
from schemathesis.checks import CHECKS
from schemathesis.core.result import Ok
from schemathesis.schemas import BaseSchema

from tests.support.api_world import TOKEN, ApiWorld, api_world

HEADERS = {"Authorization": f"Bearer {TOKEN}"}
EXAMPLES, MANY = 3, 100


def try_out(world: ApiWorld, schema: BaseSchema, thread: str, count: int) -> dict[str, set[int]]:
    """Call each operation many times, in a chat that is there and in none; returns which answers came."""
    seen: dict[str, set[int]] = {}
    for result in schema.get_all_operations():
        assert isinstance(result, Ok)
        operation = result.ok()
        seen[operation.label] = try_operation(world, operation, thread, count)
    return seen


def try_operation(world: ApiWorld, operation: Any, thread: str, count: int) -> set[int]:
    checks: list[Any] = [CHECKS.get_one(name) for name in ("not_a_server_error", "response_schema_conformance")]
    found: set[int] = set()

    @settings(
        max_examples=count,
        deadline=None,
        database=None,
        derandomize=True,
        suppress_health_check=(HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large),
    )
    @given(case=operation.as_strategy(), is_there=st.booleans())
    def run(case: Case, is_there: bool) -> None:
        if is_there and "thread_id" in (case.path_parameters or {}) and case.method != "DELETE":
            case.path_parameters["thread_id"] = thread
        answer = case.call(headers=HEADERS, base_url=world.api.status.address.removesuffix("/v1"))
        case.validate_response(answer, checks=checks, headers=HEADERS)
        found.add(answer.status_code)

    run()
    return found


@pytest.mark.timeout(900)
async def test_what_the_document_allows_and_what_it_does_not_finds_no_error_of_the_server(
    tmp_path: Path, long_run: bool
) -> None:
    async with api_world(tmp_path) as world:
        document = (await world.client.get("/v1/openapi.json")).json()
        schema = schemathesis.openapi.from_dict(document)
        thread = await world.new_thread()
        seen = await asyncio.to_thread(try_out, world, schema, thread, MANY if long_run else EXAMPLES)
        assert len(seen) == 10
        assert all(code < 500 for codes in seen.values() for code in codes), seen
        assert 200 in seen["GET /v1/threads"]
