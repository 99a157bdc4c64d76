"""What the API answers when it cannot do what was asked: a status, a code, and words that say what to do."""

from typing import Any

from desktop.core.error_texts import english
from desktop.core.errors import ThreadwellError


class ApiProblem(Exception):  # noqa: N818  (mostly the caller's slip, not our fault)
    """Becomes the response. ``what_to_do`` is for the person who writes the program."""

    def __init__(self, status: int, code: str, message: str, what_to_do: str) -> None:
        super().__init__(code)
        self.status = status
        self.code = code
        self.message = message
        self.what_to_do = what_to_do

    def to_json(self) -> dict[str, Any]:
        """Return the body; its ``type`` is what clients of OpenAI's protocol look at."""
        kind = {401: "authentication_error", 403: "permission_error", 429: "rate_limit_error"}.get(
            self.status, "server_error" if self.status >= 500 else "invalid_request_error"
        )
        words = {"code": self.code, "message": self.message, "what_to_do": self.what_to_do}
        return {"error": {"type": kind, "param": None, **words}}


_STATUS = {
    "storage.thread_missing": 404,
    "run.busy": 409,
    "queue.full": 429,
}


def problem_of(error: ThreadwellError) -> ApiProblem:
    """Return what the API says of an error of the core. One of a model is no fault of this server, and asking again by
    itself would not mend it: 424, which no client repeats."""
    title, detail = english(error.code, error.params)
    usual = 424 if error.code.startswith("model.") else 503 if error.code.startswith("storage.") else 400
    return ApiProblem(_STATUS.get(error.code, usual), error.code, title, detail)


def bad_request(code: str, message: str, what_to_do: str) -> ApiProblem:
    return ApiProblem(400, code, message, what_to_do)


def no_such_thread(thread_id: str) -> ApiProblem:
    named = thread_id[:64]
    return ApiProblem(
        404, "thread_missing", f"There is no chat {named}.", "GET /v1/threads lists those that there are."
    )
