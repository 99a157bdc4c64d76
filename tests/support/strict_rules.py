"""How the rules of strict endpoints say that one is broken."""


class RefusedError(Exception):
    """A strict endpoint answers 400 with these words."""


def require(condition: object, message: str) -> None:
    if not condition:
        raise RefusedError(message)
