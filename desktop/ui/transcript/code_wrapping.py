"""Which code blocks wrap their long lines: those switched by hand as they were left, new ones as the last one was."""

from collections import OrderedDict

KEPT = 500
_BEGINNING = 200


class CodeWrapping:
    """A block is known by its language and how it begins, so that it may still grow and be shown again later."""

    def __init__(self) -> None:
        self.is_usual = False
        """Whether blocks wrap that are shown for the first time."""
        self._blocks: OrderedDict[tuple[str, str], bool] = OrderedDict()

    def wraps(self, language: str, text: str) -> bool:
        """As it is remembered for this block, else as usual, and from then on so."""
        key = (language, text[:_BEGINNING])
        if key not in self._blocks and len(text) < _BEGINNING:
            return self.is_usual
        return self._remember(key, self._blocks.get(key, self.is_usual))

    def set_wraps(self, language: str, text: str, wraps: bool) -> None:
        """Remember a choice, also as the usual one."""
        self.is_usual = wraps
        self._remember((language, text[:_BEGINNING]), wraps)

    def _remember(self, key: tuple[str, str], wraps: bool) -> bool:
        self._blocks[key] = wraps
        self._blocks.move_to_end(key)
        while len(self._blocks) > KEPT:
            self._blocks.popitem(last=False)
        return wraps
