"""``referee doctor``: what could endanger this installation or its store."""

from __future__ import annotations

import platform
from importlib.util import find_spec
from typing import Any

import typer

from cli.failures import describe
from cli.session import session
from cli.speech import labelled, say
from engines.kernel.registry import engine_ids, load_engine

app = typer.Typer(rich_markup_mode=None)

EXTRAS = {
    "shell": "prompt_toolkit",
    "pictures": "resvg_py",
    "pdf": "typst",
    "tournament": "networkx",
    "keys": "cryptography",
}
_SIGNS = {"ok": ("✔", "good"), "warn": ("!", "unsure"), "fail": ("✘", "bad")}


@app.command()
def doctor() -> int:
    from referee.store.doctor import doctor as examine

    here = session()
    rows: list[dict[str, Any]] = [
        {"check": "python", "level": "ok", "message": f"Python {platform.python_version()}"}
    ]
    for check in examine(here.store_url):
        row = {
            "check": check.name,
            "level": check.level,
            "message": say(check.message, **check.facts),
        }
        if check.fix is not None:
            row["fix"] = say(check.fix, **check.facts)
        rows.append(row)
    rows += [_engine(game) for game in engine_ids()]
    rows += [_extra(name, module) for name, module in EXTRAS.items()]
    lines = []
    for row in rows:
        sign, style = _SIGNS[row["level"]]
        lines.append(f"{here.paint(style, sign)} {say('level.' + row['level'])}  {row['message']}")
        if "fix" in row:
            lines.append(f"      → {row['fix']}")
    failed = any(row["level"] == "fail" for row in rows)
    return here.answer_plain("doctor", {"checks": rows}, lines, code=6 if failed else 0)


def _engine(game: str) -> dict[str, Any]:
    """An engine whose files cannot be read must not stop the others."""
    try:
        engine = load_engine(game)
        for sheet in engine.kits.values():
            engine.read_kit(sheet)
        message = say(
            "doctor.engine", game=game, version=engine.version, clauses=len(engine.clauses)
        )
    except Exception as error:
        told = describe(error).message
        return {"check": f"engine.{game}", "level": "fail", "message": labelled(game, told)}
    return {"check": f"engine.{game}", "level": "ok", "message": message}


def _extra(name: str, module: str) -> dict[str, Any]:
    if find_spec(module) is not None:
        return {"check": f"extra.{name}", "level": "ok", "message": say("doctor.extra", extra=name)}
    return {
        "check": f"extra.{name}",
        "level": "warn",
        "message": say("doctor.extra_missing", extra=name),
        "fix": f"pip install 'referee[{name}]'",
    }
