"""What was sent to models as JSON for people and programs: a file of one request, of an answer, or of a whole chat."""

import dataclasses
import json
from collections.abc import Sequence
from typing import Any

from desktop.conversation.request_records import LeftOut, Piece, RequestRecord

FORMAT = "threadwell-requests"
VERSION = 1


def requests_to_json(records: Sequence[RequestRecord], *, title: str = "") -> str:
    """Return the requests as indented JSON. A text that is not kept any more is null, and where only sums are kept there
    are neither messages nor tools; images are their digests."""
    answers: dict[str, list[dict[str, Any]]] = {}
    for record in records:
        answers.setdefault(record.message_id, []).append(_request(record))
    value = {
        "format": FORMAT,
        "version": VERSION,
        "chat": {"id": records[0].thread_id if records else "", "title": title},
        "answers": [{"message_id": key, "requests": requests} for key, requests in answers.items()],
    }
    text = json.dumps(value, ensure_ascii=False, indent=2, default=str)
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")  # JSON files are UTF-8


def _request(record: RequestRecord) -> dict[str, Any]:
    outcome = record.outcome
    return {
        "id": record.id,
        "purpose": record.purpose.value,
        "step": record.step,
        "sent_at": record.sent_at.isoformat(),
        "model": record.model,
        "options": {
            **dataclasses.asdict(record.sampling),
            "thinking": record.thinking,
            "goes_on": record.goes_on,
        },
        "tokens": {
            "counted": record.tokens,
            "is_a_guess": record.are_tokens_guessed,
            "reported": dataclasses.asdict(outcome.usage),
        },
        "outcome": {"finish": outcome.finish, "error_code": outcome.error_code, "seconds": outcome.seconds},
        "messages": [
            {
                "role": message.role,
                "message_ids": list(message.origins),
                "tokens": message.tokens,
                "pieces": [_piece(piece) for piece in message.pieces],
            }
            for message in record.messages
        ],
        "tools": [_piece(tool) for tool in record.tools],
        "sums": [dataclasses.asdict(each) for each in record.sums],
        "recall": None if record.recall is None else dataclasses.asdict(record.recall),
        "left_out": [_left_out(each) for each in (*record.left_out, *outcome.remarks)],
        "body": record.body,
    }


def _piece(piece: Piece) -> dict[str, Any]:
    fields: dict[str, Any] = {"kind": piece.kind.value, "tokens": piece.tokens, "bytes": piece.size}
    for name, value in (("name", piece.name), ("detail", piece.detail), ("quotes", list(piece.quotes))):
        if value:
            fields[name] = value
    return {**fields, "text": piece.text}


def _left_out(each: LeftOut) -> dict[str, Any]:
    fields: dict[str, Any] = {"kind": each.kind.value, "count": each.count, "names": list(each.names)}
    return {**fields, "params": dict(each.params)} if each.params else fields
