"""What the model of an answer is called: as it was recorded, but for the demo in the language shown."""

from PySide6.QtCore import QCoreApplication

from desktop.core.language_model import DEMO_MODEL_NAME
from desktop.ui.state.readable import readable

MOST_CHARACTERS = 80


def model_name(recorded: str) -> str:
    """Return the name for people; empty when none was recorded."""
    if recorded == DEMO_MODEL_NAME:
        return QCoreApplication.translate("Transcript", "Demo model")
    return readable(recorded)[:MOST_CHARACTERS]
