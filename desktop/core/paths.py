"""Where things lie: one data folder per user (or per ``--data-dir``), never a cache folder."""

import sys
from dataclasses import dataclass
from pathlib import Path

import platformdirs

PORTABLE = "threadwell-data"
"""Whoever makes a folder of this name beside the packaged program carries chats and program about together."""


@dataclass(frozen=True)
class DataPaths:
    """The layout of a data folder."""

    root: Path

    @property
    def database(self) -> Path:
        return self.root / "threadwell.db"

    @property
    def settings(self) -> Path:
        return self.root / "settings.json"

    @property
    def model_facts(self) -> Path:
        return self.root / "models.json"

    @property
    def attachments(self) -> Path:
        """The files that were sent with messages, a folder for each."""
        return self.root / "attachments"

    @property
    def vectors(self) -> Path:
        """The index of vectors: made from the database, and made anew where it is lost."""
        return self.root / "vectors"

    @property
    def programs(self) -> Path:
        """Programs that tool servers are started with: links to what came with the app, and what was fetched."""
        return self.root / "programs"

    @property
    def backup_work(self) -> Path:
        """Where backups are made, and looked at: emptied at each start."""
        return self.root / "backup-work"

    @property
    def restored(self) -> Path:
        """A library that takes the place of this one at the next start."""
        return self.root / "restored"

    @property
    def backup_ledger(self) -> Path:
        """Which backups were written where."""
        return self.root / "backups.json"

    @property
    def library_check(self) -> Path:
        """When the library was last looked through, and whether something in it could not be read since."""
        return self.root / "library-check.json"

    @property
    def lock(self) -> Path:
        return self.root / "instance.lock"

    @property
    def logs(self) -> Path:
        return self.root / "logs"


def portable_data_folder() -> Path | None:
    """Return the folder ``threadwell-data`` beside the packaged program, where somebody made one; else None."""
    folder = Path(sys.executable).absolute().parent / PORTABLE
    return folder if getattr(sys, "frozen", False) and folder.is_dir() else None


def default_data_folder() -> Path:
    """Return the per-user data folder of this system, for example ``~/.local/share/threadwell``, or the portable one."""
    return portable_data_folder() or Path(platformdirs.user_data_dir("threadwell", appauthor=False, roaming=False))


def default_workspace() -> Path:
    """Return the folder in which commands run unless another is set: ``Documents/Threadwell``, made at first need."""
    return Path(platformdirs.user_documents_dir()) / "Threadwell"


def default_backup_folder() -> Path:
    """Return where backups lie unless another place is set; made with the first one."""
    return Path(platformdirs.user_documents_dir()) / "Threadwell Backups"


def resources_folder() -> Path:
    """Return the folder with the icon, translations and sample files, beside the package or inside a frozen app."""
    return Path(__file__).resolve().parents[2] / "resources"
