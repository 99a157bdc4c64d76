"""What can be mended about a request that failed: for the loop, which asks the model once more."""

from desktop.agent.answer_state import AnswerState
from desktop.agent.smaller_window import KnownTooLongError, allowed_bytes, count_in, fitted
from desktop.core.errors import ModelError
from desktop.core.language_model import ModelRequest, Remark


def mended(answer: AnswerState, request: ModelRequest, error: ModelError) -> Remark | None:
    """Change how the model is asked and return what to say of it; None where nothing can be done."""
    if error.code == "model.context_full" and not answer.was_refused_as_long and not answer.has_begun:
        limit, needed = count_in(error, "limit"), count_in(error, "needed")
        allowed = allowed_bytes(request, limit=limit, needed=needed)
        if fitted(request.messages, allowed) != request.messages:
            answer.allowed_bytes = allowed
            answer.was_refused_as_long = not isinstance(error, KnownTooLongError)
            return Remark(code="shortened")
    if error.code == "model.call_unreadable" and answer.failed_calls < 2 and not answer.said:
        answer.failed_calls += 1
        detail = error.params.get("detail", "")
        return Remark(code="retried" if answer.failed_calls == 1 else "without_tools", params={"detail": detail})
    return None
