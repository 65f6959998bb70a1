"""``python -m tests.bench [NAME…]``: all that is measured, or what is named, in one run.

Nothing is asserted.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from importlib import import_module
from pathlib import Path

from tests.tutorial import publish_tutorial

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
        for name in names or BENCHES:
            import_module(f"tests.bench.{PREFIX}{name}").main()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main(sys.argv[1:])
