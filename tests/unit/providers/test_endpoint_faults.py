"""Every fault of the catalogue, through the real adapter: the right text, calls and end, and no request too many."""

import pytest

from desktop.core.error_texts import ERROR_TEXTS
from desktop.core.language_model import ModelRequest, Sampling, ToolSpec, UserMessage
from desktop.core.remark_texts import REMARK_TEXTS
from desktop.providers.openai_language_model import OpenAILanguageModel
from desktop.providers.patience import Patience
from tests.support.endpoint import LoopbackEndpoint
from tests.support.endpoint_faults import FAULTS
from tests.support.model_streams import receive

REQUEST = ModelRequest(
    messages=(UserMessage(text="Hi"),),
    tools=tuple(ToolSpec(name=name, description="d", parameters={"type": "object"}) for name in "fg"),
    sampling=Sampling(temperature=0.5, max_output_tokens=100),
)
QUICK = Patience(pauses=(0.001,), reconnect_seconds=0.001, loading_pause_seconds=0.001)


@pytest.mark.parametrize("name", FAULTS)
async def test_each_fault_ends_as_it_should(name: str) -> None:
    fault = FAULTS[name]
    async with LoopbackEndpoint(fault.script) as endpoint:
        model = OpenAILanguageModel(base_url=endpoint.base_url, model="m", patience=QUICK)
        received = await receive(model, REQUEST)
        await model.close()
        assert endpoint.problems == []
        requests = len(endpoint.chats)
    assert (received.code, received.text, received.thinking) == (fault.code, fault.text, fault.thinking)
    assert [(call.name, call.arguments) for call in received.calls] == list(fault.calls)
    assert requests == fault.requests
    assert [remark.code for remark in received.remarks] == list(fault.remarks)
    assert [wait.code for wait in received.waits] == list(fault.waits)
    if received.error is None:
        assert received.end is not None
        assert received.end.reason.value == fault.end
    else:
        assert received.code in ERROR_TEXTS
        assert fault.error.items() <= received.error.params.items()
    assert {remark.code for remark in received.remarks} <= set(REMARK_TEXTS)
