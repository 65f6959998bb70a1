"""Other versions of the tutorial's game, published instead of the one that is installed."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from engines.kernel import Engine, registry
from tests.tutorial import write_tutorial

Publish = Callable[..., None]

_serial = count(1)


@contextmanager
def published(folder: Path) -> Iterator[Publish]:
    """``publish("1.1", rules=[(old, new)], readings="…")``: from then on Pebbles is this one.

    The game as it is installed comes back at the end.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)

        def publish(
            version: str, rules: Sequence[tuple[str, str]] = (), readings: str = ""
        ) -> None:
            engine = _written(folder, version, rules, readings)
            points = registry.entry_points

            def with_it(**wanted: Any) -> Any:
                if wanted.get("name") == "pebbles":
                    return [SimpleNamespace(name="pebbles", load=lambda: engine)]
                return points(**wanted)

            patch.setattr(registry, "entry_points", with_it)
            registry._loaded.cache_clear()

        yield publish
    registry._loaded.cache_clear()


def _written(
    folder: Path, version: str, rules: Sequence[tuple[str, str]], readings: str
) -> Engine[Any, Any]:
    """The tutorial with other rules and more readings, as a package of its own."""
    package = f"later_pebbles_{next(_serial)}"
    write_tutorial(folder / "page")
    (folder / "page" / "pebbles").rename(folder / package)
    file = folder / package / "__init__.py"
    code = file.read_text("utf-8")
    named = ('package="pebbles"', f'package="{package}"')
    for old, new in (named, ('version="1.0"', f'version="{version}"'), *rules):
        assert old in code, old
        code = code.replace(old, new)
    file.write_text(code, "utf-8")
    with (folder / package / "readings.toml").open("a", encoding="utf-8") as more:
        more.write(readings)
    importlib.invalidate_caches()
    engine: Engine[Any, Any] = importlib.import_module(package).ENGINE
    return engine
