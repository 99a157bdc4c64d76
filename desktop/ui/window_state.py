"""Where the windows were and how wide the sidebar: a small file in the data folder."""

import json
import logging
from dataclasses import asdict, dataclass
from pathlib import Path

from desktop.core.settings import write_atomically

logger = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True)
class WindowState:
    """Geometries are Qt's own, as base64; empty for the first start."""

    geometry: str = ""
    sidebar_width: int = 272
    sidebar_visible: bool = True
    settings_geometry: str = ""
    settings_page: str = ""
    recent_actions: tuple[str, ...] = ()
    """What was chosen in the palette, the newest first."""
    seen_version: str = ""
    """Of which version the user was told what is new; empty for the first start."""


class WindowStateFile:
    """Loads and saves; what cannot be read counts as a first start, since only comfort is lost."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def load(self) -> WindowState:
        try:
            data = json.loads(self._path.read_text("utf-8"))
            state = WindowState(
                geometry=data["geometry"],
                sidebar_width=data["sidebar_width"],
                sidebar_visible=data["sidebar_visible"],
                settings_geometry=data.get("settings_geometry", ""),
                settings_page=data.get("settings_page", ""),
                recent_actions=tuple(str(each) for each in data.get("recent_actions", ())),
                seen_version=data.get("seen_version", ""),
            )
        except FileNotFoundError:
            return WindowState()
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            logger.warning("the window's place could not be read from %s: %s", self._path, error)
            return WindowState()
        types = [type(value) for value in asdict(state).values()]
        return state if types == [str, int, bool, str, str, tuple, str] else WindowState()

    def save(self, state: WindowState) -> None:
        try:
            write_atomically(self._path, json.dumps(asdict(state), indent=2) + "\n")
        except OSError as error:
            logger.warning("the window's place could not be saved in %s: %s", self._path, error)
