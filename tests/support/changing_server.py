"""A server on stdio whose tools are what a file says at that moment; each call is a line in a second file.

    python changing_server.py DEFINITIONS CALLS

DEFINITIONS is JSON: {"tools": [...], "instructions": "..."}. When it changes, the client is told. "exit": true lets the
program fail with words on stderr.
"""

import json
import sys
import threading
import time
from pathlib import Path
from typing import Any

DEFINITIONS, CALLS = Path(sys.argv[1]), Path(sys.argv[2])
lock = threading.Lock()


def definitions() -> dict[str, Any]:
    return json.loads(DEFINITIONS.read_text("utf-8"))


def send(message: dict[str, Any]) -> None:
    with lock:
        sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        sys.stdout.flush()


def watch(known: bytes) -> None:
    while True:
        time.sleep(0.03)
        if (now := DEFINITIONS.read_bytes()) != known:
            known = now
            send({"method": "notifications/tools/list_changed"})


def answer(request: dict[str, Any]) -> dict[str, Any]:
    match request["method"]:
        case "initialize":
            return {
                "protocolVersion": "2025-11-25",
                "capabilities": {"tools": {"listChanged": True}},
                "serverInfo": {"name": "changing", "version": "4.2"},
                "instructions": definitions().get("instructions", ""),
            }
        case "tools/list":
            return {"tools": definitions()["tools"]}
        case "tools/call":
            params = request["params"]
            with CALLS.open("a", encoding="utf-8") as file:
                file.write(json.dumps([params["name"], params.get("arguments")]) + "\n")
            return {"content": [{"type": "text", "text": f"did {params['name']}"}]}
        case _:
            return {}


def main() -> None:
    if definitions().get("exit"):
        sys.stderr.write("cannot open the database /var/lib/x: api_key=abcdef123456 refused\n")
        sys.exit(7)
    known = DEFINITIONS.read_bytes()  # before the client can have seen anything, so that it is told of every change
    started = False
    for line in sys.stdin:
        request = json.loads(line)
        if "id" in request:
            send({"id": request["id"], "result": answer(request)})
        if not started and request.get("method") == "notifications/initialized":
            started = True
            threading.Thread(target=watch, args=(known,), daemon=True).start()


main()
