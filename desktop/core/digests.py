"""Canonical JSON and hashes: one way to write a value down, so that equal calls have equal digests.

Shared with the bundled servers: the host proves with ``approval_proof`` that a call was decided upon.
"""

import hashlib
import hmac
import json
from typing import Any

APPROVAL_META_KEY = "threadwell/approval"
"""The key in a call's ``_meta`` under which the host puts the proof."""

TIMED_OUT_META_KEY = "threadwell/timed-out"
"""The key in a result's ``_meta`` by which a bundled server says that the time limit ended the call."""

NOT_HELD_META_KEY = "threadwell/not-held"
"""The key in a result's ``_meta`` by which a bundled server says that there was no sandbox, so that nothing was run."""

HOST_SECRET_ENV = "THREADWELL_HOST_SECRET"
"""The environment variable by which the host hands a bundled server, its child on stdio, the key of the proofs."""


def canonical_json(value: Any) -> str:
    """Return ``value`` as JSON with sorted keys and no blanks. Raises ``ValueError`` for NaN and infinities."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def sha256_of_json(value: Any) -> str:
    """Return the hex sha256 of the canonical JSON of ``value`` (lone surrogates are hashed as they are)."""
    return hashlib.sha256(canonical_json(value).encode("utf-8", "surrogatepass")).hexdigest()


def approval_proof(secret: str, tool_name: str, arguments: Any, sandbox: str, folder: str) -> str:
    """Return the hex HMAC-SHA256 that ties an approval to exactly these arguments, this sandbox profile and folder.

    The secret is new for each start of a server and known only to it and its host, so that a proof cannot be
    made by another client, nor by what a command prints.
    """
    digest = sha256_of_json([tool_name, arguments, sandbox, folder])
    return hmac.new(secret.encode(), digest.encode(), hashlib.sha256).hexdigest()
