"""``python -m tools.measure.bench [NAME…]``: all that is measured, or what is named, in one run.

Nothing is asserted.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from importlib import import_module
from pathlib import Path

from tests.tutorial import publish_tutorial
from tools.measure.bench.measuring import print_table

TITLE = """All in one table. 0.1.0 is taken out of the repository, runs with today's libraries, and
takes turns with today; nothing stands there where it has no such part or is not measured."""
PREFIX = "bench_"
BENCHES = sorted(
    path.stem.removeprefix(PREFIX) for path in Path(__file__).parent.glob(f"{PREFIX}*.py")
)


def main(names: list[str]) -> None:
    if unknown := set(names) - set(BENCHES):
        sys.exit(f"{', '.join(sorted(unknown))}: there is {', '.join(BENCHES)}")
    folder = Path(tempfile.mkdtemp(prefix="pebbles-"))
    try:
        publish_tutorial(folder)
        figures = [
            figure
            for name in names or BENCHES
            for figure in import_module(f"tools.measure.bench.{PREFIX}{name}").main() or ()
        ]
        if figures:
            print_table(TITLE, ("what", "today", "0.1.0", "the peer", "limit"), figures)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main(sys.argv[1:])
