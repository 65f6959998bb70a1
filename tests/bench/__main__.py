"""``python -m tests.bench``: everything that is measured, in one run. Nothing is asserted."""

from __future__ import annotations

import shutil
import tempfile
from importlib import import_module
from pathlib import Path

from tests.tutorial import publish_tutorial

BENCHES = sorted(path.stem for path in Path(__file__).parent.glob("bench_*.py"))


def main() -> None:
    folder = Path(tempfile.mkdtemp(prefix="pebbles-"))
    try:
        publish_tutorial(folder)
        for name in BENCHES:
            import_module(f"tests.bench.{name}").main()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
