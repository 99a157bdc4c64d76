"""Whether a model can be sent images: what the user says comes first, then what its endpoint refused, then its list."""

import pytest

from desktop.core.endpoint_settings import EndpointSettings, ModelOptions
from desktop.core.endpoints import ListedModel
from desktop.core.language_model import ModelRequest, ToolSpec
from desktop.core.model_facts import FactsInMemory
from desktop.providers.endpoint_check import Endpoints

URL = "http://127.0.0.1:9/v1"


@pytest.mark.parametrize(
    ("said", "refused", "listed", "sees"),
    [
        (None, False, None, None),
        (None, False, True, True),
        (None, False, False, False),
        (None, True, True, False),
        (True, True, False, True),
        (False, False, True, False),
    ],
)
def test_what_the_user_says_comes_first_and_what_was_refused_before_a_list(
    said: bool | None, refused: bool, listed: bool | None, sees: bool | None
) -> None:
    facts = FactsInMemory()
    facts.note_listed(URL, [ListedModel(name="m", sees_images=listed)])
    if refused:
        facts.update(URL, "m", without=frozenset({"images"}))
    endpoint = EndpointSettings(base_url=URL, model="m", model_options={"m": ModelOptions(sees_images=said)})
    assert Endpoints(facts=facts).sees_images(endpoint) is sees


def test_the_demo_model_sees_nothing() -> None:
    assert Endpoints().sees_images(EndpointSettings()) is False


@pytest.mark.parametrize(
    ("said", "refused", "listed", "count"),
    [
        (None, False, None, 40),
        (None, False, False, 0),
        (None, True, True, 0),
        (True, True, False, 40),
        (False, False, True, 0),
    ],
)
def test_which_tools_will_be_offered(said: bool | None, refused: bool, listed: bool | None, count: int) -> None:
    facts = FactsInMemory()
    facts.note_listed(URL, [ListedModel(name="m", takes_tools=listed)])
    if refused:
        facts.update(URL, "m", without=frozenset({"tools"}))
    endpoint = EndpointSettings(base_url=URL, model="m", model_options={"m": ModelOptions(takes_tools=said)})
    tools = tuple(ToolSpec(name=f"t{number}", description="", parameters={}) for number in range(100))
    offered = Endpoints(facts=facts).offered_tools(endpoint, ModelRequest(messages=(), tools=tools))
    assert list(offered) == list(tools[:count])
