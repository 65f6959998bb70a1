"""``python -m tests.bench``: everything that is measured, in one run. Nothing is asserted."""

from __future__ import annotations

import shutil
import tempfile
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from tests.tutorial import publish_tutorial

BENCHES = ("tests.bench.bench_engines", "tests.bench.bench_store")


def main() -> None:
    folder = Path(tempfile.mkdtemp(prefix="pebbles-"))
    try:
        publish_tutorial(folder)
        for name in BENCHES:
            if find_spec(name) is None:
                print(f"\nNot measured: there is no {name}.")
            else:
                import_module(name).main()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
