"""What one caller may ask for: bounds from the environment, each named in the error that it leads to."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

MAX_ID_CHARS = 128
MAX_KEY_CHARS = 256
MAX_INPUT_CHARS = 1_000_000
"""Of a text; what is longer is refused and not cut."""
_ID = re.compile(rf"[A-Za-z0-9\-_.:]{{1,{MAX_ID_CHARS}}}")


class RefusalError(Exception):
    """A call that is not carried out; ``reason`` is one word for the figures, the text is for the caller."""

    def __init__(self, reason: str, text: str) -> None:
        super().__init__(text)
        self.reason = reason


class WrongSettingError(ValueError):
    """A variable of the environment, or a file that it names, cannot be used; the text names it."""


@dataclass(frozen=True)
class Limits:
    """Bounds of the arguments. Each comes from the variable in its comment."""

    ttl_s: int = 3_600  # MEM_TTL_S, the default of the argument
    max_ttl_s: int = 2_592_000  # MEM_MAX_TTL_S, 30 days
    max_items: int = 2_000  # MEM_MAX_ITEMS
    max_n: int = 200  # MEM_MAX_N
    max_text: int = 8_000  # MEM_MAX_TEXT, characters of an entry that are kept
    max_value: int = 64_000  # MEM_MAX_VALUE, characters
    max_keys: int = 500  # MEM_MAX_KEYS, in a session
    calls_per_minute: int = 6_000  # MEM_CALLS_PER_MINUTE, of a tenant; 0 for any number
    sweep_s: int = 60  # MEM_SWEEP_S, between two looks for sessions that are over

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> "Limits":
        """Raises ``WrongSettingError``."""
        defaults = cls()
        found: dict[str, int] = {}
        for name in cls.__dataclass_fields__:
            variable = f"MEM_{name.upper()}"
            text = environment.get(variable, "").strip()
            lowest = 0 if name == "calls_per_minute" else 1
            if text and not (text.isascii() and text.isdigit() and lowest <= int(text[:12]) < 10**9 and len(text) < 12):
                raise WrongSettingError(f"{variable} must be a whole number of at least {lowest}, not {text[:40]!r}")
            found[name] = int(text) if text else getattr(defaults, name)
        if found["ttl_s"] > found["max_ttl_s"]:
            raise WrongSettingError(f"MEM_TTL_S ({found['ttl_s']}) is more than MEM_MAX_TTL_S ({found['max_ttl_s']})")
        return cls(**found)

    @property
    def default_items(self) -> int:
        return min(200, self.max_items)

    @property
    def default_n(self) -> int:
        return min(20, self.max_n)

    def check_ttl(self, ttl_s: int) -> None:
        _check_number("ttl_s", ttl_s, self.max_ttl_s, "MEM_MAX_TTL_S")

    def check_max_items(self, max_items: int) -> None:
        _check_number("max_items", max_items, self.max_items, "MEM_MAX_ITEMS")

    def check_n(self, n: int) -> None:
        _check_number("n", n, self.max_n, "MEM_MAX_N")

    def check_value(self, value: str) -> None:
        """A value is refused and never cut: half of it may be worse than none."""
        if len(value) > self.max_value:
            raise RefusalError(
                "limit", f"value has {len(value)} characters; at most {self.max_value} are kept (MEM_MAX_VALUE)."
            )
        _check_characters("value", value)

    def check_text(self, text: str) -> None:
        if len(text) > MAX_INPUT_CHARS:
            raise RefusalError("limit", f"text has {len(text)} characters; at most {MAX_INPUT_CHARS} are taken.")
        _check_characters("text", text)

    def cut(self, text: str) -> str:
        """Return as much of its beginning as is kept, with a mark that says so."""
        return f"{text[: self.max_text]}\n[Cut here: {self.max_text} of {len(text)} characters are kept.]"


def check_session_id(session_id: str) -> None:
    if not is_id(session_id):
        raise RefusalError(
            "arguments",
            f"session_id must be 1 to {MAX_ID_CHARS} characters, each a letter from A to Z, a digit or one of - _ . :",
        )


def is_id(text: str) -> bool:
    """Tell whether this can name a session or a tenant."""
    return _ID.fullmatch(text) is not None


def check_key(key: str) -> None:
    if not 0 < len(key) <= MAX_KEY_CHARS:
        raise RefusalError("limit", f"key must have 1 to {MAX_KEY_CHARS} characters, not {len(key)}.")
    _check_characters("key", key)


def _check_characters(name: str, text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise RefusalError("arguments", f"{name} holds half of a character (a lone surrogate).") from None


def _check_number(name: str, value: int, most: int, variable: str) -> None:
    if not 1 <= value <= most:
        raise RefusalError("limit", f"{name} must be 1 to {most} ({variable}), not {value}.")
