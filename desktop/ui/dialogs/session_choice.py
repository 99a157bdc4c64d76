"""Which session a chat shares: as the settings say, one of its own, one with a name, or none."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from desktop.core.session_settings import NO_SESSION, OWN_SESSION, SessionUse, is_session_name
from desktop.ui.controls import announce, pass_undo_on, set_property
from desktop.ui.dialogs.parts import plain_label, set_plain
from desktop.ui.settings.controls import SegmentedChoice

MOST_CHARACTERS = 128
_NAMED = "named"


class SessionChoice(QWidget):
    """``changed`` comes when something else was chosen or typed."""

    changed = Signal()

    def __init__(self, usual: SessionUse) -> None:
        super().__init__()
        self._usual = usual
        self._chosen: str | None = None
        self._choice = SegmentedChoice("threadSession", [None, OWN_SESSION, _NAMED, NO_SESSION])
        self._name = QLineEdit()
        self._name.setObjectName("threadSessionName")
        self._name.setMaxLength(MOST_CHARACTERS)
        pass_undo_on(self._name)
        self._problem = plain_label("", "error")
        self._problem.setObjectName("threadSessionProblem")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        for widget in (self._choice, self._name, self._problem):
            layout.addWidget(widget)
        self.setFocusProxy(self._choice)
        self._choice.chosen.connect(self._take)
        self._name.textChanged.connect(self._typed)
        self._show_name()

    @property
    def session(self) -> str | None:
        """As in ``ThreadOptions``."""
        return self._name.text().strip() if self._chosen == _NAMED else self._chosen

    @property
    def explanation(self) -> str:
        """What sharing is."""
        usual = self.tr("shared") if self._usual is SessionUse.ALL else self.tr("not shared")
        words = self.tr(
            "Its newest turns go into a session, and its answers are told what others wrote there. Chats on other computers"
            " share it by the same name. In Settings: %1."
        )
        return words.replace("%1", usual)

    def show_session(self, session: str | None) -> None:
        is_named = session not in (None, OWN_SESSION, NO_SESSION)
        self._chosen = _NAMED if is_named else session
        self._choice.set_value(self._chosen)
        self._name.setText(session or "" if is_named else "")
        self._show_name()

    def is_whole(self) -> bool:
        """Whether it can be kept so; else what is wrong is said, and the name has the focus."""
        if self._chosen != _NAMED or is_session_name(self._name.text().strip()):
            return True
        problem = self.tr("Letters a to z, digits and - _ . : only, for example trip-to-kyoto.")
        set_plain(self._problem, problem)
        self._problem.show()
        set_property(self._name, "invalid", True)
        self._name.setAccessibleDescription(problem)
        self._name.setFocus()
        announce(self._name, problem)
        return False

    def retranslate(self) -> None:
        self._choice.set_words(
            {
                None: self.tr("As in Settings"),
                OWN_SESSION: self.tr("Its own"),
                _NAMED: self.tr("With a name"),
                NO_SESSION: self.tr("None"),
            }
        )
        self._choice.setAccessibleName(self.tr("Shared session"))
        self._name.setAccessibleName(self.tr("Name of the session"))
        self._name.setPlaceholderText(self.tr("Name of the session"))

    def _take(self, chosen: str | None) -> None:
        self._chosen = chosen
        self._show_name()
        if chosen == _NAMED:
            self._name.setFocus()
        self.changed.emit()

    def _typed(self) -> None:
        self._forget_problem()
        self.changed.emit()

    def _show_name(self) -> None:
        self._name.setVisible(self._chosen == _NAMED)
        self._forget_problem()

    def _forget_problem(self) -> None:
        self._problem.hide()
        set_property(self._name, "invalid", False)
        self._name.setAccessibleDescription("")
