"""What is known about bent effects: which change nothing, which survive, when it was proven."""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import tomli_w

from engines.kernel.registry import load_engine
from tests.test_cases import FOLDER as CASES

HERE = Path(__file__).parent
_EQUIVALENT, _SURVIVORS, _PROVEN = "equivalent.toml", "survivors.toml", "proven.toml"
_TRIED = "tried.toml"
_HEADS = {
    _SURVIVORS: "# Bent effects that nobody notices yet. The list may only become shorter.\n\n",
    _PROVEN: "# The files of each game when its mutants were last tried. See docs/cases.md.\n\n",
    _TRIED: "# The functions of each game whose effects have been bent, by their prints.\n\n",
}


def _read(name: str) -> dict[str, Any]:
    return tomllib.loads((HERE / name).read_text("utf-8"))


def _write(name: str, content: dict[str, Any]) -> None:
    text = tomli_w.dumps(dict(sorted(content.items())), indent=2)
    (HERE / name).write_text(_HEADS[name] + text, "utf-8")


def named(name: str) -> set[str]:
    """The games of which a list speaks."""
    return set(_read(name))


def equivalent(game: str) -> dict[str, str]:
    """Bent effects that are no other effects, and why."""
    reasons: dict[str, dict[str, str]] = _read(_EQUIVALENT)
    return reasons.get(game, {})


def survivors(game: str) -> set[str]:
    return set(_read(_SURVIVORS).get(game, ()))


def keep(game: str, surviving: set[str]) -> None:
    """List the survivors, if the game has no list yet or they have not become more."""
    known = _read(_SURVIVORS)
    if game not in known or len(surviving) <= len(known[game]):
        _write(_SURVIVORS, {**known, game: sorted(surviving)})


def tried(game: str) -> set[str]:
    """The prints of the functions whose bent effects have been tried."""
    return set(_read(_TRIED).get(game, ()))


def have_tried(game: str, prints: set[str]) -> None:
    _write(_TRIED, {**_read(_TRIED), game: sorted(prints)})


def is_proven(game: str) -> bool:
    """Whether nothing has changed since the mutants of the game were last tried."""
    return bool(_read(_PROVEN).get(game) == _fingerprint(game))


def prove(game: str) -> None:
    """The mutants of the game, as it is, have been tried."""
    _write(_PROVEN, {**_read(_PROVEN), game: _fingerprint(game)})


def _fingerprint(game: str) -> str:
    """Of the game, of what its mutants are shown to, and of what is known about them."""
    digest = hashlib.sha256()
    for path in _files(game):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    for name in (*sorted(survivors(game)), *sorted(equivalent(game))):
        digest.update(name.encode() + b"\0")
    return digest.hexdigest()


def _files(game: str) -> Iterator[Path]:
    package = find_spec(load_engine(game).package)
    assert package is not None, game
    folder = Path(str(package.origin)).parent
    for kind in ("*.py", "*.toml"):
        yield from sorted(folder.rglob(kind))
    yield from sorted((CASES / game).glob("*.toml"))
    yield from sorted((CASES.parent / "games").glob(f"*{game}*.py"))
    yield from sorted(HERE.glob("*.py"))
