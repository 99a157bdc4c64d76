"""Whether a model can be sent images: what the user says comes first, then what its endpoint refused before."""

import pytest

from desktop.core.endpoint_settings import EndpointSettings, ModelOptions
from desktop.core.model_facts import FactsInMemory
from desktop.providers.endpoint_check import Endpoints

URL = "http://127.0.0.1:9/v1"


@pytest.mark.parametrize(
    ("said", "refused", "sees"),
    [
        (None, False, None),
        (None, True, False),
        (True, True, True),
        (False, False, False),
    ],
)
def test_what_the_user_says_comes_first(said: bool | None, refused: bool, sees: bool | None) -> None:
    facts = FactsInMemory()
    if refused:
        facts.update(URL, "m", without=frozenset({"images"}))
    endpoint = EndpointSettings(base_url=URL, model="m", model_options={"m": ModelOptions(sees_images=said)})
    assert Endpoints(facts=facts).sees_images(endpoint) is sees


def test_the_demo_model_sees_nothing() -> None:
    assert Endpoints().sees_images(EndpointSettings()) is False
