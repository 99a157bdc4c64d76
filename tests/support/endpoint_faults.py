"""What real endpoints do to an answer, as scripts for the loopback endpoint, and what must come of each.

The catalogue goes by what happens: the envelope of the chunks, errors inside a stream, calls, reasoning, refusals of
a request. A script answers one turn, however many requests that takes.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.support.endpoint import (
    Answer,
    RecordedRequest,
    Script,
    Step,
    call,
    chunk,
    close,
    drop,
    finish,
    hang_up,
    raw,
    status,
    text,
    thinking,
)


@dataclass(frozen=True, kw_only=True)
class Fault:
    """One deviation. ``code`` is the error's; empty where the answer is whole all the same."""

    script: Script
    text: str = ""
    thinking: str = ""
    code: str = ""
    calls: Sequence[tuple[str, str]] = ()
    end: str = "stop"
    remarks: Sequence[str] = ()
    waits: Sequence[str] = ()
    requests: int = 1
    error: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Parameters that the error must have."""


def delta(content: Mapping[str, Any], **beside: Any) -> Step:
    return chunk({"choices": [{"index": 0, "delta": content, **beside}]})


def once(*steps: Step) -> Script:
    return [steps]


def event(value: Any, name: str = "") -> Step:
    return raw((f"event: {name}\n" if name else "") + f"data: {json.dumps(value)}\n\n")


def first_then(first: Answer, *then: Step) -> Script:
    return [first, then or [text("ok")]]


def whole(message: Mapping[str, Any], reason: str = "stop", **beside: Any) -> Step:
    choice = {"index": 0, "message": {"role": "assistant", **message}, "finish_reason": reason}
    return status(200, {"object": "chat.completion", "choices": [choice], **beside})


def refusing(field_name: str, words: str, code: int = 400) -> Script:
    """Answers, but never to a request with this field."""

    def script(request: RecordedRequest) -> Answer:
        return [status(code, {"error": {"message": words}})] if field_name in request.body else [text("ok")]

    return script


def piece(index: Any = None, call_id: Any = None, name: Any = None, arguments: Any = "", **extra: Any) -> Step:
    function = {key: value for key, value in (("name", name), ("arguments", arguments)) if value is not None}
    one = {"function": function, **extra}
    one |= {key: value for key, value in (("index", index), ("id", call_id)) if value is not None}
    return delta({"tool_calls": [one]})


ENVELOPE: dict[str, Fault] = {
    "filter results before the first choice": Fault(
        script=once(chunk({"id": "", "choices": [], "model": "", "prompt_filter_results": [{}]}), text("ok")), text="ok"
    ),
    "a choice without a delta": Fault(
        script=once(text("ok"), chunk({"choices": [{"index": 0, "content_filter_offsets": {}}]})), text="ok"
    ),
    "usage in every chunk": Fault(
        script=once(chunk({"choices": [{"delta": {"content": "ok"}}], "usage": {"prompt_tokens": 1}})), text="ok"
    ),
    "two finish reasons": Fault(
        script=once(call("f", {}), finish("tool_calls"), finish("tool_calls")), calls=[("f", "{}")], end="tool_calls"
    ),
    "comments before the answer": Fault(script=once(raw(": PROCESSING\n\n" * 5), text("ok")), text="ok"),
    "an empty word as finish reason": Fault(script=once(delta({"content": "ok"}, finish_reason="")), text="ok"),
    "null written out as finish reason": Fault(script=once(delta({"content": "ok"}, finish_reason="null")), text="ok"),
    "the last text in the chunk of the end": Fault(
        script=once(delta({"content": "ok"}, finish_reason="stop"), raw("data: [DONE]\n\n"), close()), text="ok"
    ),
    "no finish reason but an end": Fault(
        script=once(delta({"content": "ok"}), raw("data: [DONE]\n\n"), close()), text="ok"
    ),
    "no end mark": Fault(script=once(text("ok"), finish(), close()), text="ok"),
    "neither": Fault(script=once(text("ok"), close()), text="ok", code="model.ended_early"),
    "further choices": Fault(
        script=once(chunk({"choices": [{"index": 1, "delta": {"content": "no"}}]}), text("ok")), text="ok"
    ),
    "the text of old servers": Fault(script=once(chunk({"choices": [{"index": 0, "text": "ok"}]})), text="ok"),
    "a web page": Fault(
        script=once(status(200, "<html><body>Log in</body></html>", {"content-type": "text/html"})),
        code="model.not_a_stream",
    ),
    "an error with status 200": Fault(
        script=once(status(200, {"error": {"message": "boom", "code": 400}})), code="model.rejected"
    ),
    "a whole completion": Fault(script=once(whole({"content": "ok"})), text="ok"),
    "a body that is empty": Fault(script=once(close()), code="model.empty"),
    "an end without a word": Fault(script=once(finish()), code="model.empty"),
    "events one to a line": Fault(
        script=once(
            raw('data: {"choices":[{"delta":{"content":"o"}}]}\n'),
            raw('data: {"choices":[{"delta":{"content":"k"},"finish_reason":"stop"}]}\n'),
            close(),
        ),
        text="ok",
    ),
}

IN_THE_STREAM: dict[str, Fault] = {
    "an error beside choices": Fault(
        script=once(
            text("kept"),
            chunk({"error": {"code": 502, "message": "died"}, "choices": [{"delta": {}, "finish_reason": "error"}]}),
        ),
        text="kept",
        code="model.server_error",
    ),
    "an error event with a flat message": Fault(
        script=once(text("kept"), event({"message": "boom"}, "error"), close()), text="kept", code="model.server_error"
    ),
    "an error that is a word": Fault(
        script=once(text("kept"), event({"error": "boom"}), close()), text="kept", code="model.server_error"
    ),
    "an error field without data": Fault(
        script=once(text("kept"), raw('error: {"code":500,"message":"boom"}\n'), close()),
        text="kept",
        code="model.server_error",
    ),
    "a flat error of vLLM": Fault(
        script=once(text("kept"), event({"object": "error", "message": "boom", "code": 400}), close()),
        text="kept",
        code="model.rejected",
    ),
    "a call that the server cannot read": Fault(
        script=once(
            thinking("hm"),
            event({"error": {"code": "tool_use_failed", "message": "Failed to call a function"}}, "error"),
        ),
        thinking="hm",
        code="model.call_unreadable",
    ),
    "a form that the server does not expect": Fault(
        script=once(
            thinking("hm"),
            event({"error": {"code": 500, "message": "output that does not match the expected peg-native format"}}),
        ),
        thinking="hm",
        code="model.call_unreadable",
    ),
    "the network as finish reason": Fault(
        script=once(text("kept"), finish("network_error")), text="kept", code="model.server_error"
    ),
    "an error in the middle of a call": Fault(
        script=once(piece(0, "a", "f", '{"x":'), event({"error": {"code": 500, "message": "boom"}})),
        code="model.server_error",
        calls=[("f", '{"x":')],
    ),
    "a context that is full, in the stream": Fault(
        script=once(
            event({"error": "tokens to keep from the initial prompt is greater than the context length"}, "error")
        ),
        code="model.context_full",
    ),
    "a connection that breaks": Fault(script=once(text("kept"), drop()), text="kept", code="model.connection_lost"),
    "a connection that breaks before the first word": Fault(
        script=first_then([drop()]), text="ok", waits=["reconnecting"], requests=2
    ),
    "a failure before the first word": Fault(
        script=first_then([event({"error": {"code": 502, "message": "Provider returned error"}})]),
        text="ok",
        waits=["overloaded"],
        requests=2,
    ),
}

ENDS: dict[str, Fault] = {
    "cut off": Fault(script=once(text("ok"), finish("length")), text="ok", end="length"),
    "cut off in a word of Google": Fault(script=once(text("ok"), finish("MAX_TOKENS")), text="ok", end="length"),
    "filtered": Fault(script=once(text("ok"), finish("content_filter")), text="ok", end="content_filter"),
    "filtered in a word of Zhipu": Fault(script=once(text("ok"), finish("sensitive")), text="ok", end="content_filter"),
    "refused": Fault(script=once(delta({"refusal": "I can't."})), text="I can't.", end="refusal"),
    "an unknown word": Fault(script=once(text("ok"), finish("eos")), text="ok"),
}

CALLS: dict[str, Fault] = {
    "without an index": Fault(
        script=once(piece(None, "a", "f", "{}"), piece(None, "b", "g", "{}")),
        calls=[("f", "{}"), ("g", "{}")],
        end="tool_calls",
    ),
    "one index for two": Fault(
        script=once(piece(0, "a", "f", '{"x":1}'), piece(0, "b", "g", '{"y":2}')),
        calls=[("f", '{"x":1}'), ("g", '{"y":2}')],
        end="tool_calls",
    ),
    "under the reason stop": Fault(
        script=once(piece(0, "a", "f", "{}"), finish("stop")), calls=[("f", "{}")], end="tool_calls"
    ),
    "arguments as an object": Fault(
        script=once(piece(0, "a", "f", {"x": 1})), calls=[("f", '{"x": 1}')], end="tool_calls"
    ),
    "no arguments": Fault(script=once(piece(0, "a", "f", None)), calls=[("f", "{}")], end="tool_calls"),
    "a name in every piece": Fault(
        script=once(piece(0, "a", "f", '{"x"'), piece(0, "a", "f", ":1}")), calls=[("f", '{"x":1}')], end="tool_calls"
    ),
    "an empty name and id in later pieces": Fault(
        script=once(piece(0, "a", "f", "{"), piece(0, "", "", "}")), calls=[("f", "{}")], end="tool_calls"
    ),
    "no id": Fault(script=once(piece(0, None, "f", "{}")), calls=[("f", "{}")], end="tool_calls"),
    "the old form": Fault(
        script=once(delta({"function_call": {"name": "f", "arguments": "{}"}}), finish("function_call")),
        calls=[("f", "{}")],
        end="tool_calls",
    ),
    "in a whole completion": Fault(
        script=once(
            whole(
                {"content": None, "tool_calls": [{"id": "a", "function": {"name": "f", "arguments": "{}"}}]},
                "tool_calls",
            )
        ),
        calls=[("f", "{}")],
        end="tool_calls",
    ),
}

REASONING: dict[str, Fault] = {
    "reasoning_content": Fault(script=once(thinking("hm"), text("ok")), text="ok", thinking="hm"),
    "reasoning": Fault(script=once(thinking("hm", field_name="reasoning"), text("ok")), text="ok", thinking="hm"),
    "under two names": Fault(
        script=once(delta({"reasoning": "hm", "reasoning_content": "hm"}), text("ok")), text="ok", thinking="hm"
    ),
    "in tags": Fault(script=once(text("<think>hm</think>ok", piece_chars=3)), text="ok", thinking="hm"),
    "as parts": Fault(
        script=once(
            delta({"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}]}), text("ok")
        ),
        text="ok",
        thinking="hm",
    ),
    "in details": Fault(
        script=once(delta({"reasoning_details": [{"type": "reasoning.text", "text": "hm"}]}), text("ok")),
        text="ok",
        thinking="hm",
    ),
}

REFUSALS: dict[str, Fault] = {
    "no tools": Fault(
        script=refusing("tools", "m does not support tools"), text="ok", requests=2, remarks=["without_tools"]
    ),
    "no stream options": Fault(
        script=refusing("stream_options", "Unknown field: stream_options", 422), text="ok", requests=2
    ),
    "another name for the limit": Fault(
        script=refusing("max_tokens", "'max_tokens' is not supported. Use 'max_completion_tokens'"),
        text="ok",
        requests=2,
    ),
    "no temperature": Fault(
        script=refusing("temperature", "Unsupported value: 'temperature'"),
        text="ok",
        requests=2,
        remarks=["without_parameter"],
    ),
    "a wrong key": Fault(script=once(status(401, {"detail": "Invalid API Key"})), code="model.unauthorized"),
    "no money": Fault(script=once(status(402, {"error": {"message": "Insufficient Balance"}})), code="model.no_credit"),
    "no money, as too many requests": Fault(
        script=once(
            status(429, {"error": {"code": "insufficient_quota", "message": "You exceeded your current quota"}})
        ),
        code="model.no_credit",
    ),
    "not here": Fault(
        script=once(status(403, {"error": {"message": "Country not supported"}})), code="model.forbidden"
    ),
    "no such model": Fault(
        script=once(status(404, {"error": {"code": "model_not_found", "message": "The model `m` does not exist"}})),
        code="model.no_such_model",
    ),
    "nothing at this path": Fault(script=once(status(404, {"detail": "Not Found"})), code="model.not_found"),
    "a filter": Fault(
        script=once(status(400, {"error": {"code": "content_filter", "message": "filtered"}})), code="model.filtered"
    ),
    "too long": Fault(
        script=once(
            status(
                400, {"error": {"message": "request (5020 tokens) exceeds the available context size (4096 tokens)"}}
            )
        ),
        code="model.context_full",
        error={"limit": 4096, "needed": 5020},
    ),
    "too fast": Fault(
        script=first_then([status(429, {"error": {"message": "slow"}}, {"retry-after-ms": "1"})]),
        text="ok",
        waits=["rate_limited"],
        requests=2,
    ),
    "too fast for today": Fault(
        script=once(status(429, {"error": {"message": "slow"}}, {"retry-after": "7200"})),
        code="model.rate_limited",
        error={"seconds": 7200},
    ),
    "too much to do": Fault(
        script=first_then([status(529, {"error": {"message": "Overloaded"}})]),
        text="ok",
        waits=["overloaded"],
        requests=2,
    ),
    "the model is loaded": Fault(
        script=[*[[status(503, {"error": {"message": "Loading model"}})]] * 3, [text("ok")]],
        text="ok",
        waits=["model_loading"] * 3,
        requests=4,
    ),
    "a gateway that fails": Fault(
        script=first_then([status(502, "<html><h1>Bad gateway</h1></html>")]),
        text="ok",
        waits=["overloaded"],
        requests=2,
    ),
    "bad input as a failure of the server": Fault(
        script=once(status(500, {"error": {"message": "Failed to parse messages"}})), code="model.server_error"
    ),
    "a connection that was given up": Fault(script=first_then([hang_up()]), text="ok", requests=2),
    "another address": Fault(
        script=once(status(307, "", {"location": "http://elsewhere.invalid/v1"})), code="model.redirected"
    ),
}

FAULTS: dict[str, Fault] = {
    f"{section}: {name}": fault
    for section, faults in {
        "envelope": ENVELOPE,
        "in the stream": IN_THE_STREAM,
        "ends": ENDS,
        "calls": CALLS,
        "reasoning": REASONING,
        "refusals": REFUSALS,
    }.items()
    for name, fault in faults.items()
}
