"""What the machine must have beside Python: Qt's libraries and fonts; installed where we may, else named."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

# Library that Qt loads -> Debian package that holds it.
QT_LIBRARIES = {
    "libGL.so.1": "libgl1",
    "libEGL.so.1": "libegl1",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libgssapi_krb5.so.2": "libgssapi-krb5-2",
}
X11_LIBRARIES = {
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-xinerama.so.0": "libxcb-xinerama0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
}
WAYLAND_LIBRARIES = {
    "libwayland-client.so.0": "libwayland-client0",
    "libwayland-cursor.so.0": "libwayland-cursor0",
}

# Kind of font -> (Debian package, a pattern for fc-list that only such a font matches, parts of its file names).
FONTS = {
    "Chinese, Japanese and Korean": ("fonts-noto-cjk", ":lang=zh-cn", ("cjk", "wqy", "sourcehan", "droidsansfallback")),
    "emoji": ("fonts-noto-color-emoji", ":charset=1f600", ("emoji",)),
}


class SetupError(Exception):
    """Set-up cannot go on; the text says why and what the user can do."""


def say(text: str) -> None:
    print(f"dev: {text}", flush=True)


def has_display() -> bool:
    """Tell whether a window can be shown here."""
    own_screen = os.environ.get("QT_QPA_PLATFORM", "").split(":")[0] in ("vnc", "linuxfb", "eglfs")
    if sys.platform != "linux" or own_screen:
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def prepare(*, window: bool, packages: list[str]) -> None:
    """Make sure that Qt can start, with a window on the screen if ``window``, and that ``packages`` are here.

    ``packages`` are what the caller misses. Raises ``SetupError`` if something is missing that may not be installed.
    """
    if sys.platform != "linux":
        return  # the wheels for Windows and macOS bring or find everything
    wanted = dict(QT_LIBRARIES)
    if window and os.environ.get("DISPLAY"):
        wanted.update(X11_LIBRARIES)
    elif window and os.environ.get("WAYLAND_DISPLAY"):
        wanted.update(WAYLAND_LIBRARIES)
    libraries = _missing_libraries(wanted)
    needed = [*packages, *(wanted[name] for name in libraries)]
    fonts = _missing_fonts()
    if needed and not may_install():
        what = [*libraries, *(f"the package {name}" for name in packages)]
        font_packages = [FONTS[kind][0] for kind in fonts]
        raise SetupError(f"missing here: {', '.join(what)}.\n{how_to_install([*needed, *font_packages])}")
    if needed:
        apt_install(needed, "what Qt and the set-up need")
        if still := _missing_libraries(wanted):
            raise SetupError(f"still missing after the installation: {', '.join(still)}")
    if fonts:
        _provide_fonts(fonts)


def _missing_libraries(names: Iterable[str]) -> list[str]:
    missing = []
    for name in names:
        try:
            ctypes.CDLL(name)
        except OSError:
            missing.append(name)
    return missing


def _missing_fonts() -> list[str]:
    return [kind for kind, (_, pattern, names) in FONTS.items() if not _has_font(pattern, names)]


def _has_font(pattern: str, file_names: tuple[str, ...]) -> bool:
    if shutil.which("fc-list"):
        listed = subprocess.run(["fc-list", pattern, "family"], capture_output=True, text=True, check=False)
        return bool(listed.stdout.strip())
    home = Path.home()
    folders = ["/usr/share/fonts", "/usr/local/share/fonts", home / ".fonts", home / ".local/share/fonts"]
    files = (name.lower() for folder in folders for _, _, names in os.walk(folder) for name in names)
    return any(part in name for name in files for part in file_names)


def _provide_fonts(kinds: list[str]) -> None:
    packages = [FONTS[kind][0] for kind in kinds]
    if may_install():
        try:
            apt_install(packages, f"fonts for {' and '.join(kinds)} text")
        except SetupError as failure:
            say(f"going on without: {failure}")
        return
    say(f"no font for {' or '.join(kinds)} text was found; such text will show as boxes.\n{how_to_install(packages)}")


def may_install() -> bool:
    """Tell whether this script may install system packages: as root on Debian or Ubuntu."""
    return hasattr(os, "geteuid") and os.geteuid() == 0 and _is_debian()


def _is_debian() -> bool:
    try:
        release = Path("/etc/os-release").read_text(encoding="utf-8")
    except OSError:
        return False
    fields = dict(line.split("=", 1) for line in release.splitlines() if "=" in line)
    families = f"{fields.get('ID', '')} {fields.get('ID_LIKE', '')}".replace('"', "").split()
    return bool({"debian", "ubuntu"} & set(families)) and shutil.which("apt-get") is not None


def how_to_install(packages: list[str]) -> str:
    """Return the one command that installs Debian's ``packages``, or their names where there is no such command."""
    if _is_debian():
        command = f"apt-get update && sudo apt-get install -y --no-install-recommends {' '.join(packages)}"
        return f"Run this once, then try again:\n\n    sudo {command}\n"
    return f"Install them with your system's package manager; Debian's names are: {' '.join(packages)}"


def apt_install(packages: list[str], what: str) -> None:
    """Install system packages and say so. Raises ``SetupError`` with the tail of apt's output if that fails."""
    say(f"installing {what} with apt-get (may take a minute or two): {' '.join(packages)}")
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for arguments in (["update"], ["install", "-y", "--no-install-recommends", *packages]):
        try:
            run(["apt-get", "-q", *arguments], f"apt-get {arguments[0]}", environment=environment)
        except SetupError as failure:
            raise SetupError(f"{failure}\n{how_to_install(packages)}") from None


def run(
    command: Sequence[str], name: str, *, environment: dict[str, str] | None = None, folder: Path | None = None
) -> None:
    """Run a program whose output nobody needs. Raises ``SetupError`` with ``name`` and its tail if it fails."""
    done = subprocess.run(
        command,
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        tail = "\n".join(done.stdout.splitlines()[-12:])
        raise SetupError(f"{name} failed:\n{tail}")
