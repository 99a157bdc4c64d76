"""Reads the body of a request: JSON that fits its schema, and nothing that could not be stored or sent on."""

import asyncio
import json
from typing import Any, NoReturn

from starlette.requests import Request

from desktop.api.problems import ApiProblem, bad_request

_IN_A_THREAD_BYTES = 64_000
_MOST_WORDS = 300


async def read_body(request: Request, schema: dict[str, Any], *, may_be_empty: bool = False) -> dict[str, Any]:
    """Return the object that was sent. Raises ``ApiProblem`` for what is none or does not fit."""
    raw = await request.body()
    if not raw.strip() and may_be_empty:
        return {}
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise ApiProblem(415, "not_json", "The body is not said to be JSON.", "Send “Content-Type: application/json”.")
    if len(raw) > _IN_A_THREAD_BYTES:
        return await asyncio.to_thread(_checked, raw, schema)
    return _checked(raw, schema)


def _checked(raw: bytes, schema: dict[str, Any]) -> dict[str, Any]:
    try:
        data = json.loads(raw.decode("utf-8-sig"), parse_constant=_refuse_constant)
        json.dumps(data, ensure_ascii=False).encode()
    except UnicodeError:
        raise bad_request(
            "bad_text", "The body holds half a character or is not UTF-8.", "Send whole characters in UTF-8."
        ) from None
    except (ValueError, RecursionError) as error:
        raise bad_request("bad_json", f"The body cannot be read as JSON: {_cut(error)}", "Mend the JSON.") from None
    from jsonschema import Draft202012Validator

    for problem in Draft202012Validator(schema).iter_errors(data):
        place = "/".join(str(step) for step in problem.absolute_path)
        raise bad_request(
            "bad_body",
            f"{place or 'The body'}: {_cut(problem.message)}",
            "GET /v1/openapi.json says what may be sent.",
        )
    return data


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


def _cut(error: object) -> str:
    text = str(error)
    return text if len(text) <= _MOST_WORDS else f"{text[:_MOST_WORDS]}…"
