"""What was decided before a start: a restored library takes its place, and how the program starts again for that."""

import subprocess
import sys

from desktop.core.clock import utc_now
from desktop.core.paths import DataPaths


def finish_restore(paths: DataPaths) -> None:
    """Let a restored library take its place, and delete what a killed backup left. Right after the folder was locked,
    before anything of it is read. Raises ``OSError``."""
    if paths.backup_work.is_dir() or paths.restored.is_dir():  # else nothing needs to be imported for it
        from desktop.storage.backup import replacing

        replacing.finish(paths, utc_now())
        replacing.clear_work(paths)


def start_again() -> None:
    """Start the program once more, as it was started; for the moment after this one has let go of everything."""
    frozen = bool(getattr(sys, "frozen", False))
    command = [sys.executable] if frozen else [sys.executable, "-m", "desktop"]
    subprocess.Popen([*command, *sys.argv[1:]], start_new_session=True)
