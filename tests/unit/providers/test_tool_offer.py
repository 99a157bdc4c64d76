"""Which tools are offered where not all can be, and that a bad one spoils nothing for the others."""

from typing import Any

from desktop.core.language_model import AssistantMessage, ModelRequest, Remark, RequestToolCall, ToolSpec, UserMessage
from desktop.core.remark_texts import english_remark
from desktop.providers.chat_requests import BuiltRequest, build_request
from desktop.providers.endpoint_traits import MAX_LOCAL_TOOLS, MAX_TOOLS, EndpointTraits, traits_of
from desktop.providers.refusals import Without
from desktop.providers.tool_offer import chosen_tools
from tests.support.strict_messages import problem_of


def tools(count: int, group: str) -> list[ToolSpec]:
    return [ToolSpec(name=f"{group}__t{i}", description="d", parameters={}, group=group) for i in range(count)]


def used(*names: str) -> list[Any]:
    return [
        AssistantMessage(text="", tool_calls=(RequestToolCall(call_id="c", name=name, arguments="{}"),))
        for name in names
    ]


def names(chosen: list[ToolSpec]) -> list[str]:
    return [tool.name for tool in chosen]


def built(specs: list[ToolSpec], traits: EndpointTraits | None = None, *without: Without) -> BuiltRequest:
    request = ModelRequest(messages=(UserMessage(text="hi"),), tools=tuple(specs))
    result = build_request(request, "m", traits, frozenset(without))
    assert problem_of(result.body) is None
    return result


def test_as_many_as_the_endpoint_takes_are_offered_and_that_is_said() -> None:
    result = built([*tools(100, "a"), *tools(60, "b")])
    assert len(result.body["tools"]) == MAX_TOOLS
    assert result.remarks == (Remark(code="tools_chosen", params={"count": 128, "total": 160}),)
    assert "128 of 160" in english_remark(result.remarks[0].code, result.remarks[0].params)
    assert built(tools(128, "a")).remarks == ()


def test_tools_used_in_the_thread_come_first_and_servers_stay_whole_where_they_can() -> None:
    bundled, large, small = tools(2, "bundled"), tools(5, "large"), tools(3, "small")
    every = [*bundled, *large, *small]
    assert names(chosen_tools(every, [], 6)) == [*names(bundled), "large__t0", *names(small)]
    assert names(chosen_tools(every, used("large__t4", "gone__x"), 6)) == [*names(bundled), "large__t4", *names(small)]
    assert names(chosen_tools(every, used("large__t1", "large__t2", "large__t3"), 2)) == ["large__t2", "large__t3"]
    assert chosen_tools(every, [], 0) == []
    assert chosen_tools(every, [], 10) == every


def test_the_choice_stays_when_it_is_made_again() -> None:
    every = [*tools(20, "a"), *tools(20, "b")]
    assert chosen_tools(every, used("b__t7"), 10) == chosen_tools(every, used("b__t7", "b__t7"), 10)


def test_small_models_on_this_computer_get_fewer_and_what_was_learned_counts() -> None:
    assert traits_of("http://127.0.0.1:11434/v1", "llama3").max_tools == MAX_LOCAL_TOOLS
    assert traits_of("https://x.example/v1", "m", max_tools=20).max_tools == 20
    assert traits_of("https://x.example/v1", "m", max_tools=500).max_tools == MAX_TOOLS


def test_a_bad_tool_is_left_out_by_name_and_the_others_stay() -> None:
    bad = ToolSpec(
        name="bad", description="", parameters={"type": "object", "properties": {f"p{i}": {} for i in range(9_000)}}
    )
    deep: dict[str, Any] = {}
    for _ in range(2_000):
        deep = {"type": "object", "properties": {"a": deep}}
    result = built([bad, *tools(2, "a"), ToolSpec(name="deep", description="", parameters=deep)])
    assert [tool["function"]["name"] for tool in result.body["tools"]] == ["a__t0", "a__t1"]
    assert [remark.params["name"] for remark in result.remarks] == ["bad", "deep"]
    assert {remark.code for remark in result.remarks} == {"tool_left_out"}
    unwritable = ToolSpec(name="x", description="", parameters={"type": "object", "default": object()})
    assert [remark.params["name"] for remark in built([unwritable]).remarks] == ["x"]


def test_two_tools_of_one_name_are_one_and_the_other_is_named() -> None:
    one = tools(1, "a")
    result = built([*one, *one])
    assert len(result.body["tools"]) == 1
    assert result.remarks == (Remark(code="tool_left_out", params={"name": "a__t0"}),)


def test_descriptions_are_cut_to_what_is_taken() -> None:
    long = ToolSpec(name="f", description="many words " * 1000, parameters={})

    def length(*without: Without, base_url: str = "https://x.example/v1") -> int:
        return len(built([long], traits_of(base_url, "m"), *without).body["tools"][0]["function"]["description"])

    assert 4000 < length() <= 4096
    assert 1000 < length(base_url="https://api.openai.com/v1") <= 1024
    assert length(base_url="https://me.openai.azure.com/openai/v1") <= 1024
    assert length(Without.LONG_DESCRIPTIONS) <= 1024
    assert (
        built([ToolSpec(name="f", description=" ", parameters={})]).body["tools"][0]["function"]["description"] == "f"
    )


def test_nothing_is_offered_where_no_tools_are_taken() -> None:
    assert "tools" not in built(tools(200, "a"), None, Without.TOOLS).body
    assert built(tools(200, "a"), None, Without.TOOLS).remarks == ()
