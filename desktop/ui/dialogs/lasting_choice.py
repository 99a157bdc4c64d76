"""Under the approval dialog's buttons: what a lasting permission covers beyond this call, and until when it is given."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from desktop.tools.entities import Lasting
from desktop.tools.grant_patterns import GrantPattern
from desktop.ui.dialogs.parts import plain_label
from desktop.ui.grant_words import pattern_text


class LastingChoice(QWidget):
    """Starts with the narrowest: exactly this call.

    Signals:
        changed: something else was chosen.
    """

    changed = Signal()

    def __init__(self, patterns: Sequence[GrantPattern], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("lasting_choice")
        self._patterns: tuple[GrantPattern | None, ...] = (None, *patterns)
        self.coverage = QComboBox()
        self.coverage.setObjectName("lasting_coverage")
        self.coverage.setAccessibleName(self.tr("What a lasting permission covers"))
        self.coverage.addItem(self.tr("what is said above"))
        for pattern in patterns:
            self.coverage.addItem(pattern_text(pattern))
        self.until = QComboBox()
        self.until.setObjectName("lasting_until")
        self.until.setAccessibleName(self.tr("Until when a lasting permission holds"))
        for lasting, words in (
            (Lasting.UNTIL_REVOKED, self.tr("until I take it back")),
            (Lasting.HOUR, self.tr("for one hour")),
            (Lasting.DAY, self.tr("for one day")),
            (Lasting.WEEK, self.tr("for one week")),
        ):
            self.until.addItem(words, lasting)
        self.coverage.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.coverage.setMinimumWidth(120)
        for box in (self.coverage, self.until):
            box.currentIndexChanged.connect(self.changed)
        self._arrange()
        self.coverage.setVisible(bool(patterns))
        self.setFocusProxy(self.coverage if patterns else self.until)

    @property
    def pattern(self) -> GrantPattern | None:
        return self._patterns[self.coverage.currentIndex()]

    @property
    def lasting(self) -> Lasting:
        return Lasting(self.until.currentData())

    def focus_stops(self) -> list[QWidget]:
        return [self.coverage, self.until]

    def _arrange(self) -> None:
        choices = QHBoxLayout()
        choices.setSpacing(10)
        choices.addWidget(self.coverage, 1)
        choices.addWidget(self.until)
        if len(self._patterns) == 1:
            choices.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addWidget(plain_label(self.tr("What is allowed for this chat or for good, and until when:"), "muted"))
        layout.addLayout(choices)
