"""The hostile server in the newer era of the protocol: no handshake, and its questions are answers that want an answer."""

import json
import sys
from typing import Any

from hostile_server import GOOD_TOOL, SECRET_FORM, HostileServer, reply, said, send, text

VERSION = "2026-07-28"
SIZES = {"small": 100, "largest": 64 * 2**10, "too_large": 64 * 2**10 + 1}

POEM = {"messages": [said("Write a poem.")], "maxTokens": 100}
REQUESTS: dict[str, dict[str, Any]] = {
    "sample": {"s": {"method": "sampling/createMessage", "params": POEM}},
    "sample_odd": {"s": {"method": "sampling/createMessage", "params": {**POEM, "tools": [GOOD_TOOL]}}},
    "sample_flood": {f"s{n}": {"method": "sampling/createMessage", "params": POEM} for n in range(1_000)},
    "roots": {"r": {"method": "roots/list"}},
}


class ModernServer(HostileServer):
    """A call of ``act`` may say ``rounds:N``, ``state:SIZE``, ``progress`` or a key of ``REQUESTS``; all else ends at once."""

    def __init__(self, behaviours: list[str]) -> None:
        super().__init__(behaviours)
        self.rounds = 0
        self.methods: list[str] = []

    def take(self, message: dict[str, Any]) -> None:
        self.methods.append(str(message.get("method")))
        match message.get("method"):
            case "server/discover":
                about = {"supportedVersions": [VERSION], "capabilities": {"tools": {}}, "ttlMs": 0}
                self.complete(message["id"], {**about, "cacheScope": "private"})
            case "tools/list":
                self.complete(message["id"], {"tools": [GOOD_TOOL], "ttlMs": 0, "cacheScope": "private"})
            case "tools/call":
                self.round(message["id"], message["params"])
            case "notifications/cancelled":
                self.cancelled.append(message["params"]["requestId"])
            case _ if "id" in message:
                error = {"code": -32022, "message": "Unsupported protocol version", "data": {"supported": [VERSION]}}
                send({"jsonrpc": "2.0", "id": message["id"], "error": error})
            case _:
                pass

    def complete(self, request_id: Any, result: dict[str, Any]) -> None:
        reply(request_id, {**result, "resultType": "complete"})

    def want(self, request_id: Any, state: str | None, schema: Any = SECRET_FORM) -> None:
        question = {
            "method": "elicitation/create",
            "params": {"mode": "form", "message": "?", "requestedSchema": schema},
        }
        result: dict[str, Any] = {"inputRequests": {"q": question}, "resultType": "input_required"}
        reply(request_id, result if state is None else {**result, "requestState": state})

    def capabilities(self, params: dict[str, Any]) -> Any:
        return next((value for key, value in params["_meta"].items() if key.endswith("clientCapabilities")), None)

    def round(self, request_id: Any, params: dict[str, Any]) -> None:
        kind, _, more = str((params.get("arguments") or {}).get("what", "")).partition(":")
        answers = params.get("inputResponses") or {}
        if kind in REQUESTS:
            told = self.complete if answers else reply
            wanted = {"inputRequests": REQUESTS[kind], "resultType": "input_required"}
            told(request_id, text(json.dumps([answers, self.capabilities(params)])) if answers else wanted)
            return
        match kind:
            case "rounds":
                self.rounds = self.rounds + 1 if answers else 0
                if self.rounds < int(more):
                    self.want(request_id, str(self.rounds))
                else:
                    self.complete(request_id, text(f"{self.rounds} rounds, {json.dumps(answers['q'])}"))
            case "state":
                # Odd on purpose: it must come back byte for byte.
                state = ('\\"\u202e\u0000 é' * SIZES[more])[: SIZES[more]] if more == "small" else "s" * SIZES[more]
                if not answers:
                    self.want(request_id, state)
                else:
                    self.complete(request_id, text("the same" if params.get("requestState") == state else "altered"))
            case "nested":
                if not answers:
                    nested = {"type": "object", "properties": {"a": {"type": "object", "properties": {}}}}
                    self.want(request_id, None, nested)
                else:
                    self.complete(request_id, text(json.dumps(answers)))
            case "methods":
                self.complete(request_id, text(json.dumps(self.methods)))
            case "cancelled":
                self.complete(request_id, text(json.dumps(self.cancelled)))
            case "hang":
                pass
            case "progress":
                self.report(params["_meta"]["progressToken"], int(more or "3"))
                self.complete(request_id, text("arrived"))
            case _:
                self.complete(request_id, text("did act"))


if __name__ == "__main__":
    ModernServer(sys.argv[1:]).run()
