"""Under which name a tool is sent to a model: one that every endpoint takes, made of nothing but its real name."""

import base64
import hashlib
import re
from functools import lru_cache

_VALID_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,63}\Z")
_OTHER_CHARACTERS = re.compile(r"[^A-Za-z0-9_-]+")
_HASH_LENGTH = 10


@lru_cache(maxsize=1024)
def wire_name(name: str) -> str:
    """Return the name of a tool as every endpoint takes it; one that has to be altered ends in a hash of it."""
    if _VALID_NAME.match(name):
        return name
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).digest()
    suffix = base64.b32encode(digest).decode()[:_HASH_LENGTH].lower()
    plain = _OTHER_CHARACTERS.sub("_", name).strip("_-")[: 60 - _HASH_LENGTH].rstrip("_-")
    return f"{plain if plain[:1].isalpha() else 't' + plain}_{suffix}"
