"""The crash suite: strikes a working library in every way, again and again, and prints what was lost. It must be nothing."""

import argparse
import asyncio
import logging
import os
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.support.crash.kinds import KINDS, rounds_of  # noqa: E402
from tests.support.crash.rounds import Row, run_kind, table  # noqa: E402

LONG = sum(kind.long for kind in KINDS.values())


def parse(arguments: list[str]) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="dev.py crashtest", description=__doc__)
    parser.add_argument("--rounds", type=int, default=LONG, help=f"rounds in all, shared out among the kinds ({LONG})")
    parser.add_argument("--seed", type=int, default=1, help="the same seed strikes at the same places (1)")
    parser.add_argument("--kinds", nargs="+", choices=KINDS, metavar="KIND", help=f"only these: {', '.join(KINDS)}")
    parser.add_argument("--keep", type=Path, help="where libraries that lost something are kept (a temporary folder)")
    return parser.parse_args(arguments)


def shared_out(rounds: int, kinds: list[str] | None) -> dict[str, int]:
    """How many rounds each kind has."""
    if not kinds:
        return {name: count for name, count in rounds_of(rounds).items() if count}
    each, rest = divmod(rounds, len(kinds))
    return {name: each + (place < rest) for place, name in enumerate(kinds)}


async def run(wanted: dict[str, int], seed: int, folder: Path) -> list[Row]:
    """Run the kinds one after the other and say how far it is."""
    rows: list[Row] = []
    for name, rounds in wanted.items():
        row = await run_kind(KINDS[name], rounds, seed, folder)
        rows.append(row)
        print(table([row]).splitlines()[1], *row.failures, sep="\n  ", flush=True)
    return rows


def main() -> int:
    """Return 1 where anything was lost."""
    options = parse(sys.argv[1:])
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    logging.getLogger("desktop").setLevel(logging.CRITICAL)  # what is mended after a crash is warned of, as it should
    folder = options.keep or Path(tempfile.mkdtemp(prefix="crashtest-"))
    rows = asyncio.run(run(shared_out(options.rounds, options.kinds), options.seed, folder))
    print(f"\n{table(rows)}")
    lost = sum(row.lost for row in rows)
    if lost:
        print(f"kept for a look: {folder}")
    return int(lost > 0)


if __name__ == "__main__":
    sys.exit(main())
