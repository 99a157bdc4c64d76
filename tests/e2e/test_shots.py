"""The screenshots: the script drives the real app and leaves pictures that sort by what they show."""

import subprocess
import sys
from pathlib import Path

from PySide6.QtGui import QImage

from tests.support.source_tree import ROOT

PROGRAM = str(ROOT / "packaging" / "shots.py")


def test_states_are_named_once_and_in_order() -> None:
    listed = subprocess.run([sys.executable, PROGRAM, "--list"], capture_output=True, text=True, check=True)
    names = listed.stdout.split()
    assert len(names) > 20
    assert names == sorted(set(names))


def test_a_picture_of_each_look_at_twice_the_scale(tmp_path: Path) -> None:
    wanted = ["--only", "39-no-sidebar", "--sizes", "900x600@2", "--languages", "en", "--themes", "light,dark"]
    done = subprocess.run(
        [sys.executable, PROGRAM, *wanted, str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    pictures = sorted(tmp_path.iterdir())
    assert [file.name for file in pictures] == [
        "39-no-sidebar_900x600@2_dark_en.png",
        "39-no-sidebar_900x600@2_light_en.png",
    ]
    dark, light = (QImage(str(file)) for file in pictures)
    assert (dark.width(), dark.height()) == (light.width(), light.height()) == (1800, 1200)
    assert dark.pixelColor(900, 1190).lightness() < 100 < light.pixelColor(900, 1190).lightness()


def test_the_pictures_of_the_readme_are_made_with_one_option_and_are_small(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, PROGRAM, "--readme", str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    pictures = sorted(tmp_path.iterdir())
    assert [file.name for file in pictures] == ["dark.png", "light.png"]
    for file in pictures:
        made, stored = QImage(str(file)), QImage(str(ROOT / "resources" / "screenshots" / file.name))
        assert file.stat().st_size < 300_000
        assert made.size() == stored.size()
        assert made.pixelColor(1600, 20).lightness() == stored.pixelColor(1600, 20).lightness()
