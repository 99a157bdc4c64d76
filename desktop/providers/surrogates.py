"""Lone surrogates, which JSON can carry and UTF-8 cannot: joined where they are halves of one character, else replaced."""


def clean_text(text: str) -> str:
    """Return ``text`` with pairs of surrogates joined and lone ones replaced by U+FFFD, so that it can be encoded."""
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


class SurrogateJoiner:
    """Cleans a text that comes in pieces: some endpoints cut it in the middle of an emoji's escape."""

    def __init__(self) -> None:
        self._first_half = ""

    def feed(self, piece: str) -> str:
        """Return the next clean piece; a first half at its end waits for the second."""
        if not piece:
            return ""
        piece = self._first_half + piece
        self._first_half = ""
        if "\ud800" <= piece[-1] <= "\udbff":
            piece, self._first_half = piece[:-1], piece[-1]
        return clean_text(piece)
