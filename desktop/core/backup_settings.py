"""What the user chose about backups: whether one is made each day, where they lie, and how many stay."""

from dataclasses import dataclass

MOST_KEPT = 365


@dataclass(frozen=True, kw_only=True)
class BackupSettings:
    daily: bool = False
    """Off until somebody switches it on: a backup keeps what is deleted for good after it, so nobody gets one unasked."""
    folder: str = ""
    """Any folder, also a synced one; empty is ``Documents/Threadwell Backups``."""
    web_address: str = ""
    """A folder of a WebDAV server; where it is given, backups go there and not into ``folder``."""
    web_user: str = ""
    has_web_password: bool = False
    """Whether a password was kept; it lies in the keychain, never here."""
    plain_web_address: str = ""
    """The address for which the user agreed to send without encryption."""
    keep_days: int = 7
    """So many of the daily ones stay, one for each of the newest days: 1 to ``MOST_KEPT``."""
    keep_weeks: int = 4
    """Beside them one for each of so many weeks: 0 to ``MOST_KEPT``."""

    @property
    def is_on_web(self) -> bool:
        return bool(self.web_address)

    @property
    def is_in_bounds(self) -> bool:
        return 1 <= self.keep_days <= MOST_KEPT and 0 <= self.keep_weeks <= MOST_KEPT and "\0" not in self.folder


USUAL_BACKUP = BackupSettings()
