"""Lists of models say more than names: how much each reads, whether it sees images and takes tools, in many shapes."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.core.endpoints import ListedModel
from desktop.core.errors import ModelError
from desktop.core.model_facts import FactsInMemory
from desktop.core.settings import EndpointSettings
from desktop.providers.endpoint_check import Endpoints
from desktop.providers.model_lists import described, listed_models
from tests.support.local_server import LocalServer, Reply, running

RECORDED = Path(__file__).parents[3].parent / "shared" / "data" / "streams" / "MODELS.json"


def test_names_are_kept_to_the_letter() -> None:
    names = ["models/gemini-3-pro", "org/Model:free", "a b", "模型"]
    assert listed_models({"data": [{"id": name} for name in names]}) == tuple(ListedModel(name=name) for name in names)


@pytest.mark.parametrize(
    ("item", "tokens"),
    [
        ({"context_length": 131072, "max_model_len": 1}, 131072),
        ({"context_window": 8192}, 8192),
        ({"max_model_len": 4096}, 4096),
        ({"max_context_length": 32768}, 32768),
        ({"max_input_tokens": 200000, "max_tokens": 64000}, 200000),
        ({"n_ctx": 2048}, 2048),
        ({"meta": {"n_ctx": 4096, "n_ctx_train": 131072}}, 4096),
        ({"limits": {"max_input_tokens": 128000}}, 128000),
        ({"inputTokenLimit": 1048576}, 1048576),
        ({"context_length": "8192"}, 8192),
        ({"context_length": 8192.0}, 8192),
        ({"context_length": None, "context_window": 512}, 512),
        ({"max_tokens": 4096}, None),
        ({"context_length": 0}, None),
        ({"context_length": -1}, None),
        ({"context_length": True}, None),
        ({"context_length": 10**12}, None),
        ({"context_length": "lots"}, None),
        ({"meta": [1]}, None),
    ],
)
def test_the_context_length_under_every_usual_name(item: dict[str, Any], tokens: int | None) -> None:
    assert described("m", item).context_tokens == tokens


@pytest.mark.parametrize(
    ("item", "sees", "takes"),
    [
        ({}, None, None),
        ({"architecture": {"input_modalities": ["text", "image"]}, "supported_parameters": ["tools"]}, True, True),
        ({"architecture": {"input_modalities": ["text"]}, "supported_parameters": ["top_p"]}, False, False),
        ({"capabilities": {"vision": True, "function_calling": False}}, True, False),
        ({"capabilities": {"image_input": {"supported": True}}}, True, None),
        ({"capabilities": {"vision": False, "trained_for_tool_use": True}}, False, True),
        ({"capabilities": {"vision": True, "trained_for_tool_use": False}}, True, None),
        ({"capabilities": ["completion", "multimodal"]}, True, None),
        ({"capabilities": ["completion", "tools"]}, None, True),
        ({"capabilities": ["tool_use"]}, None, True),
        ({"supports_image_in": True}, True, None),
        ({"supported_input_modalities": ["TEXT", "IMAGE"]}, True, None),
        ({"capabilities": "vision"}, None, None),
    ],
)
def test_what_a_model_can_do_where_it_is_told(item: dict[str, Any], sees: bool | None, takes: bool | None) -> None:
    model = described("m", item)
    assert (model.sees_images, model.takes_tools) == (sees, takes)


@pytest.mark.parametrize(
    ("value", "names"),
    [
        ({"object": "list", "data": None}, ()),
        ({"models": None}, ()),
        ([{"id": "a"}], ("a",)),
        ({"models": [{"name": "a"}]}, ("a",)),
        ({"result": ["a"]}, ("a",)),
        ({"data": [{"id": "a"}], "models": [{"name": "other"}]}, ("a",)),
        ({"stt": [{"name": "nova-3"}], "tts": [{"name": "aura"}]}, ("nova-3", "aura")),
        ({"stt": [{"name": "nova-3"}], "version": 1}, None),
        ({"errors": [{"message": "no"}]}, None),
        ({}, None),
        ({"message": "hello"}, None),
    ],
)
def test_every_shape(value: Any, names: tuple[str, ...] | None) -> None:
    models = listed_models(value)
    assert (None if models is None else tuple(model.name for model in models)) == names


def whole(head: str) -> Any:
    """A list that was recorded up to some character, ended after its last complete model."""
    for end in [len(head), *(at + 1 for at in range(len(head) - 1, 0, -1) if head[at] == "}")]:
        for ending in ("", "]}", "]", "}]}"):
            try:
                return json.loads(head[:end] + ending)
            except ValueError:
                continue
    raise AssertionError(head[:80])


@pytest.mark.skipif(not RECORDED.exists(), reason="the recordings are not here")
def test_recorded_lists() -> None:
    for name, recorded in json.loads(RECORDED.read_text("utf-8")).items():
        value = whole(recorded["head"])
        models = listed_models(value)
        assert models, name
        assert all(json.dumps(model.name)[1:-1] in recorded["head"] for model in models), name


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["data", "models", "result", "id", "name", "meta", "n_ctx", "context_length",
                             "capabilities", "architecture", "input_modalities", "vision", "object"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)  # fmt: skip


@given(value=JSON)
def test_nothing_that_a_server_sends_raises(value: Any) -> None:
    for model in listed_models(value) or ():
        assert model.name
        assert model.context_tokens is None or model.context_tokens > 0


def page(*names: str, **more: Any) -> Reply:
    return Reply(body={"data": [{"id": name, "type": "model", "max_input_tokens": 1000} for name in names], **more})


async def test_all_pages_are_read() -> None:
    server = LocalServer(
        {
            "/v1/models": page("a", "b", has_more=True, last_id="b"),
            "/v1/models?after_id=b&limit=1000": page("c", has_more=True, last_id="c"),
            "/v1/models?after_id=c&limit=1000": page("d", has_more=False, last_id="d"),
        }
    )
    facts = FactsInMemory()
    async with running(server):
        endpoint = EndpointSettings(base_url=f"http://127.0.0.1:{server.port}/v1")
        models = await Endpoints(facts=facts).list_models(endpoint, "")
        assert [model.name for model in models] == ["a", "b", "c", "d"]
        assert facts.get(endpoint.base_url, "d").context_tokens == 1000
        assert len(server.requests) == 3


@pytest.mark.parametrize(
    "second",
    [Reply(status=500, body={}), Reply(body="<html>"), page("a", has_more=True, last_id="a"), page()],
)
async def test_a_page_that_is_no_use_leaves_what_came_before(second: Reply) -> None:
    server = LocalServer(
        {"/v1/models": page("a", has_more=True, last_id="a"), "/v1/models?after_id=a&limit=1000": second}
    )
    async with running(server):
        models = await Endpoints().list_models(EndpointSettings(base_url=f"http://127.0.0.1:{server.port}/v1"), "")
    assert [model.name for model in models] == ["a"]


async def test_an_error_is_no_list() -> None:
    async with running(LocalServer({"/v1/models": Reply(body={"error": {"message": "no"}})})) as (server,):
        with pytest.raises(ModelError):
            await Endpoints().list_models(EndpointSettings(base_url=f"http://127.0.0.1:{server.port}/v1"), "")
