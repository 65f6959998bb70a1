"""``referee kit``: what is in the box, and where each datum is known from."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from cli.session import Key, session
from cli.speech import columns, labelled, language, say, write
from cli.telling import change_data, change_lines, clause_text, pending_line, raised, raised_lines
from engines.kernel import Engine, KitSheet, Setting, Verbatim
from engines.kernel.registry import engine_ids, load_engine
from referee.errors import NotFound, Unfit
from referee.outside.files import read_kit, write_toml
from referee.outside.reading import UnsafeJson, read_json
from referee.table import adjusting

app = typer.Typer(rich_markup_mode=None, no_args_is_help=True)


@app.command(name="list")
def list_kits() -> int:
    here = session()
    kits = [
        {"game": game, "kit": name, "version": sheet.content.get("version")}
        for game in engine_ids()
        for name, sheet in load_engine(game).kits.items()
    ]
    lines = columns((str(k["game"]), str(k["kit"]), str(k["version"])) for k in kits)
    return here.answer("kit-list", {"kits": kits}, lines)


@app.command()
def show(
    game: Annotated[str | None, typer.Argument()] = None,
    kit: Annotated[str | None, typer.Option("--kit")] = None,
    only: Annotated[str | None, typer.Option("--only")] = None,
    search: Annotated[str | None, typer.Option("--search")] = None,
) -> int:
    here, lang = session(), language()
    engine, sheet = _sheet(game, kit)
    datums = [
        datum
        for datum in sheet.datums()
        if (only is None or datum.provenance == only) and (search is None or search in datum.path)
    ]
    totals: dict[str, int] = {}
    for datum in sheet.datums():
        totals[datum.provenance] = totals.get(datum.provenance, 0) + 1
    rows = [
        (d.path, _shown(d.value), say(f"provenance.{d.provenance}"), d.source_in(lang))
        for d in datums
    ]
    summary = ", ".join(f"{count} {say(f'provenance.{name}')}" for name, count in totals.items())
    data = {
        "game": engine.id,
        "kit": sheet.content["kit"],
        "totals": totals,
        "data": [{**d._asdict(), "source": d.source_in(lang) or None} for d in datums],
    }
    lines = [*columns(rows), labelled(str(sheet.content["kit"]), summary)]
    return here.answer("kit-show", data, lines)


@app.command()
def check(file: Annotated[Path, typer.Argument()]) -> int:
    here = session()
    from referee.outside.files import read_toml_file

    content = read_toml_file(file)
    engine = load_engine(str(content.get("game", "")))
    engine.read_kit(KitSheet(content))
    problems = engine.check_kit(KitSheet(content))
    lines = [f"✘ {point.clause}  {clause_text(engine, point.clause)}" for point in problems]
    data = {"game": engine.id, "problems": [point.clause for point in problems]}
    ok = [say("kit.fits", kit=str(content.get("kit")))]
    return here.answer("kit-check", data, lines or ok, code=6 if problems else 0)


@app.command()
def declare(
    path: Annotated[str, typer.Argument()],
    value: Annotated[str, typer.Argument()],
    source: Annotated[str, typer.Option("-m", "--source")] = "",
    kit: Annotated[str | None, typer.Option("--kit")] = None,
    of: Annotated[str | None, typer.Option("--of")] = None,
    save: Annotated[Path | None, typer.Option("--save")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run")] = False,
    key: Key = None,
) -> int:
    here = session()
    stated = stated_value(value)
    if isinstance(stated, str) and _is_list(_sheet(of, kit)[1], path):
        stated = [stated_value(word) for word in stated.split()]
    said = source or say("kit.stated_by_table")
    if save is not None:
        engine, sheet = _sheet(of, kit)
        changed = sheet.declare(path, stated, said)
        content = {**changed.content, "kit": save.stem}
        engine.read_kit(KitSheet(content))
        save.write_text(write_toml(content), encoding="utf-8")
        return here.answer("kit-declare", {"file": str(save)}, [say("written", file=str(save))])
    answer = adjusting.declare_kit(
        here.bench, here.game_id(), path, stated, said, author=here.author, key=key, dry_run=dry_run
    )
    lines = [
        say("kit.preview" if dry_run else "kit.declared", path=path, value=Verbatim(_shown(stated)))
    ]
    if not dry_run:
        lines += change_lines(here.paint, answer.game, answer.change)
        lines += raised_lines(answer)
    elif answer.change.pending:
        lines.append("  " + pending_line(answer.change))
    data = {
        "game": answer.game.id,
        "path": path,
        "value": stated,
        "disputes": raised(answer),
        **change_data(answer.change),
    }
    return here.answer("kit-declare", data, lines)


@app.command()
def key(
    game: Annotated[str | None, typer.Argument()] = None,
    kit: Annotated[str | None, typer.Option("--kit")] = None,
    output: Annotated[Path | None, typer.Option("-o", "--output")] = None,
) -> int:
    here, lang = session(), language()
    engine, sheet = _sheet(game, kit)
    if engine.card_key is None:
        raise NotFound("no_card_key", game=engine.id)
    readings = {name: reading.default for name, reading in engine.readings.items()}
    picture = engine.card_key(Setting(engine.read_kit(sheet), readings, sheet=sheet), lang)
    name = engine.words.say("game", lang)
    text = picture.svg(name, say("kit.key", codes=" ".join(picture.anchors)), lang=lang)
    if output is None:
        write([text])
        return 0
    output.write_text(text, encoding="utf-8")
    data = {"file": str(output), "bytes": len(text.encode())}
    return here.answer("kit-key", data, [say("written", file=str(output))])


def _sheet(game: str | None, kit: str | None) -> tuple[Engine[Any, Any], KitSheet]:
    """The kit of a game by name, or the box of the current record."""
    here = session()
    if game is None:
        record = here.game()
        return record.engine, record.sheet
    engine = load_engine(game)
    return engine, engine.kit_sheet(None) if kit is None else read_kit(engine, kit)


def _is_list(sheet: KitSheet, path: str) -> bool:
    return any(isinstance(datum.value, list) for datum in sheet.datums() if datum.path == path)


def _shown(value: Any) -> str:
    if isinstance(value, list | tuple):
        return " ".join(_shown(item) for item in value) or "–"
    return str(value).lower() if isinstance(value, bool) else str(value)


def stated_value(text: str) -> Any:
    try:
        return read_json(text.encode())
    except UnsafeJson as error:
        if error.key == "not_json_at":
            return text
        raise Unfit("bad_value", problem=error.phrase) from None
