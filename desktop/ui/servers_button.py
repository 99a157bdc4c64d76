"""The plug of the header with a count beside it, as wide as its longest count, so that nothing beside it moves."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QToolButton


class ServersButton(QToolButton):
    """Shows how many tool servers there are, or while some are not ready, how many of them are."""

    _total = 0

    def show_count(self, ready: int, total: int, *, is_waiting: bool) -> None:
        """Show ``ready`` of ``total`` servers; only the total when all are ready or wait to be started."""
        self._total = total
        self.setText(str(total) if is_waiting or ready == total else f"{ready}/{total}")

    def sizeHint(self) -> QSize:  # noqa: N802
        digits = len(str(self._total))
        widest = max(self._width(f"{digit * digits}/{digit * digits}") for digit in "0123456789")
        return super().sizeHint() + QSize(widest - self._width(self.text()), 0)

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        return self.sizeHint()

    def _width(self, text: str) -> int:
        """As Qt measures it for its own hint."""
        return self.fontMetrics().size(Qt.TextFlag.TextShowMnemonic, text).width()
