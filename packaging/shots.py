"""Makes screenshots of every page and state of the window, by driving the real app without a display.

    python packaging/shots.py [--only PATTERN,…] [--sizes 1280x800,…] [--themes light,…] [--languages en,…] [DIR]
    python packaging/shots.py --readme [DIR]
    python packaging/shots.py --guide [DIR]

Each size runs in a process of its own, on a screen of just that size; ``1280x800@2`` is one with 200 % scaling, and
``1280x800~16`` one with a text size of 16. The pictures lie in DIR (``pictures``) as
``NUMBER-STATE_SIZE_THEME_LANGUAGE.png``, so that they sort by what they show.
The second form makes the two pictures of the README anew: ``light.png`` and ``dark.png`` (in ``resources/screenshots``).
The third form makes those of the user guide: ``NAME_THEME_LANGUAGE.png`` (in ``resources/help/pictures``).
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SIZES = ("1280x800", "900x600", "1280x800@2")
THEMES = ("light", "dark")
LANGUAGES = ("en", "zh_CN")
README_SIZE, README_SCENE = "1280x800@2", "60-readme"
GUIDE_SIZE, GUIDE_SCENE = "900x600@1.5", "62-guide"


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(
        prog="dev.py shots", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    made.add_argument("folder", nargs="?", type=Path, metavar="DIR")
    lists = {"only": "", "sizes": ",".join(SIZES), "themes": ",".join(THEMES), "languages": ",".join(LANGUAGES)}
    for name, standard in lists.items():
        words = "parts of states' names; see --list" if name == "only" else f"standard: {standard}"
        made.add_argument(f"--{name}", type=_split, default=_split(standard), metavar="A,B", help=words)
    made.add_argument("--list", action="store_true", help="name the states and end")
    made.add_argument("--readme", action="store_true", help="make the two pictures of the README, and nothing else")
    made.add_argument("--guide", action="store_true", help="make the pictures of the user guide, and nothing else")
    made.add_argument("--here", action="store_true", help=argparse.SUPPRESS)  # in this process, which has the screen
    return made


def _split(text: str) -> list[str]:
    return [part for part in text.split(",") if part]


def environment(size: str, home: Path) -> dict[str, str]:
    """Variables of a process with a screen of this size, a home of its own, and no keychain."""
    pixels, _, factor = size.partition("~")[0].partition("@")
    width, height = (int(float(factor or 1) * int(length)) for length in pixels.split("x"))
    screen = home / "screen.json"
    screen.write_text(
        json.dumps({"screens": [{"name": "shots", "x": 0, "y": 0, "width": width, "height": height}]}), "utf-8"
    )
    return os.environ | {
        "QT_QPA_PLATFORM": f"offscreen:configfile={screen}",
        "QT_SCALE_FACTOR": factor or "1",
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home / "config"),
        "XDG_DATA_HOME": str(home / "data"),
        "LC_ALL": "C.UTF-8",
        "PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring",
    }


def main() -> int:
    options = parser().parse_args()
    if wrong := [size for size in options.sizes if not re.fullmatch(r"\d+x\d+(@\d+(\.\d+)?)?(~\d+)?", size)]:
        parser().error(f"a size is WIDTHxHEIGHT[@FACTOR][~POINTS], such as {SIZES[-1]}, not {wrong[0]}")
    if options.list:
        from shots_stage import ALL_SCENES

        print("\n".join(each.name for each in ALL_SCENES))
        return 0
    if options.here:
        from shots_stage import take

        return take(options.folder, options.sizes[0], options.themes, options.languages, options.only)
    if options.readme:
        return _take_readme(options.folder or ROOT / "resources" / "screenshots")
    if options.guide:
        return _take_guide(options.folder or ROOT / "resources" / "help" / "pictures")
    folder = (options.folder or ROOT / "pictures").absolute()
    failed = [size for size in options.sizes if not _take_size(size, sys.argv[1:], folder)]
    print(f"pictures are in {folder}" + (f"; not all was well at {', '.join(failed)}" if failed else ""))
    return 1 if failed else 0


def _take_readme(folder: Path) -> int:
    """Make the pictures of the README in ``folder``; returns the exit status."""
    with tempfile.TemporaryDirectory(prefix="threadwell-readme-") as name:
        if not _take_size(README_SIZE, ["--only", README_SCENE, "--languages", "en"], Path(name)):
            return 1
        folder.mkdir(parents=True, exist_ok=True)
        for theme in THEMES:
            _copy_small(Path(name) / f"{README_SCENE}_{README_SIZE}_{theme}_en.png", folder / f"{theme}.png")
    print(f"the pictures of the README are in {folder}")
    return 0


def _take_guide(folder: Path) -> int:
    """Make the pictures of the user guide in ``folder``; returns the exit status."""
    with tempfile.TemporaryDirectory(prefix="threadwell-guide-") as name:
        if not _take_size(GUIDE_SIZE, ["--only", GUIDE_SCENE], Path(name)):
            return 1
        folder.mkdir(parents=True, exist_ok=True)
        for picture in sorted(Path(name).glob(f"{GUIDE_SCENE}-*.png")):
            scene, look = picture.stem.split(f"_{GUIDE_SIZE}_")
            _copy_small(picture, folder / f"{scene.rpartition('-')[2]}_{look}.png")
    print(f"the pictures of the user guide are in {folder}")
    return 0


def _copy_small(picture: Path, copy: Path) -> None:
    """Copy a picture with its 256 most frequent colours: a third of the size, and no eye sees the difference."""
    from PySide6.QtCore import Qt
    from PySide6.QtGui import QImage

    image, flags = QImage(str(picture)).convertToFormat(QImage.Format.Format_RGB32), Qt.ImageConversionFlag
    colours = Counter(memoryview(image.constBits()).cast("B").cast("I"))
    table = [colour for colour, _ in colours.most_common(256)]
    small = image.convertToFormat(QImage.Format.Format_Indexed8, table, flags.ThresholdDither | flags.AvoidDither)
    if not small.save(str(copy), quality=0):
        raise OSError(f"{copy} could not be written")


def _take_size(size: str, arguments: list[str], folder: Path) -> bool:
    """Take all pictures of one size; False when some could not be taken."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="threadwell-shots-") as home:
        options = parser().parse_args(arguments)
        command = [sys.executable, "-P", __file__, str(folder), "--here", "--sizes", size]
        for name in ("themes", "languages", "only"):
            if values := getattr(options, name):
                command += [f"--{name}", ",".join(values)]
        done = subprocess.run(command, env=environment(size, Path(home)), check=False)
    print(f"{size}: {time.monotonic() - began:.0f} s", flush=True)
    return done.returncode == 0


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT / "packaging"))
    sys.path.insert(0, str(ROOT))
    raise SystemExit(main())
