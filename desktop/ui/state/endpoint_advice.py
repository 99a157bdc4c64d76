"""What one can do about a failed test of an endpoint, from the error's code and what was entered."""

from enum import StrEnum

from desktop.core.endpoints import EndpointCheck
from desktop.core.settings import EndpointSettings

_WRONG_MODEL = (
    "model.not_found",
    "model.no_such_model",
    "model.no_model",
    "model.rejected",
    "model.forbidden",
    "model.server_error",
)
_WRONG_KEY = ("model.unauthorized", "model.key_")


class Advice(StrEnum):
    CHOOSE_MODEL = "choose-model"
    """The endpoint lists models, and the one that was tried is none of them."""
    ENTER_KEY = "enter-key"


def advice_for(endpoint: EndpointSettings, check: EndpointCheck) -> tuple[Advice, ...]:
    """Return what may help, the likeliest first."""
    if check.error is None:
        return ()
    code = check.error.code
    found: list[Advice] = []
    if code.startswith(_WRONG_KEY):
        found.append(Advice.ENTER_KEY)
    if code.startswith(_WRONG_MODEL) and check.models and endpoint.model not in check.models:
        found.append(Advice.CHOOSE_MODEL)
    return tuple(found)
