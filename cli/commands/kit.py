"""``referee kit``: what is in the box, and where each datum is known from."""

from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any

import typer

from answers.rulebooks import box_csv, box_exchange, box_tour, boxes, component_codes, kits
from answers.rulebooks.printing import sheet_pdf
from cli.arguments import pairs, stated_value
from cli.box.tour import walk
from cli.local_keys import key_ring, unlocking
from cli.output import put, put_new, refuse_existing
from cli.session import Key, Session, session
from engines.kernel import Engine, KitSheet, Verbatim
from engines.kernel.registry import load_engine
from referee.errors import Conflicting, Misused
from referee.proof.signed_boxes import MOST_BOX_BYTES, read_box, signed_box
from referee.untrusted.photos import MOST_BYTES
from referee.untrusted.safe_toml import read_limited, read_toml_file, write_toml

app = typer.Typer(rich_markup_mode=None, no_args_is_help=True)


@app.command(name="list")
def list_kits() -> int:
    return session().answer(kits.kits, kits.kits())


@app.command()
def show(
    game: Annotated[str | None, typer.Argument()] = None,
    kit: Annotated[str | None, typer.Option("--kit")] = None,
    only: Annotated[str | None, typer.Option("--only")] = None,
    search: Annotated[str | None, typer.Option("--search")] = None,
) -> int:
    here = session()
    if game is not None and "." in game:  # no game has such a name: a path of the current box
        game, search = None, game
    engine, sheet = _sheet(here, game, kit)
    shown = kits.show(engine, sheet, only=only, search=search, lang=here.voice.lang)
    return here.answer(kits.show_shipped, shown)


@app.command()
def check(file: Annotated[Path, typer.Argument()]) -> int:
    return session().answer(kits.check, kits.check(read_toml_file(file)))


@app.command()
def declare(
    path: Annotated[str, typer.Argument()],
    value: Annotated[str, typer.Argument()],
    source: Annotated[str, typer.Option("-m", "--source")] = "",
    kit: Annotated[str | None, typer.Option("--kit")] = None,
    of: Annotated[str | None, typer.Option("--of")] = None,
    save: Annotated[Path | None, typer.Option("--save")] = None,
    keep: Annotated[bool, typer.Option("--keep")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run")] = False,
    key: Key = None,
) -> int:
    here = session()
    stated = stated_value(value)
    if isinstance(stated, str) and kits.is_list(_sheet(here, of, kit)[1], path):
        stated = [stated_value(word) for word in stated.split()]
    if save is not None:
        said = source or here.voice.say("kit.stated_by_table")
        content = kits.declared(*_sheet(here, of, kit), path, stated, said, save.stem)
        return put(here, write_toml(content), save)
    if keep and not dry_run:
        game = here.game_id()
        datum, stated = kits.stated(here.caller.game(game), path, stated)
        told = here.caller.ask(boxes.vouch, game, datum, stated, source=source, key=key)
        return here.answer(kits.declare, told)
    return here.run(kits.declare, here.game_id(), path, stated, source, dry_run=dry_run, key=key)


@app.command()
def make(
    game: Annotated[str, typer.Argument()],
    kit: Annotated[str, typer.Option("--kit")] = boxes.OWN,
    picture: Annotated[Path | None, typer.Option("--picture")] = None,
    save: Annotated[Path | None, typer.Option("--save")] = None,
) -> int:
    here = session(creates=True)
    if here.may_ask:
        here.must_be_here()
        walk(here, game, kit, picture)
    if save is not None:
        content = boxes.usable(boxes.own_box(here.caller, game, kit)).content
        return put(here, write_toml(dict(content)), save)
    return here.run(boxes.box, game, kit)


@app.command()
def tell(
    game: Annotated[str, typer.Argument()],
    data: Annotated[list[str] | None, typer.Argument()] = None,
    as_shown: Annotated[list[str] | None, typer.Option("--as-shown")] = None,
    kit: Annotated[str, typer.Option("--kit")] = boxes.OWN,
    source: Annotated[str, typer.Option("-m", "--source")] = "",
) -> int:
    here = session(creates=True)
    said = {path: stated_value(value) for path, value in pairs(data or []).items()}
    return here.run(boxes.tell, game, said, as_shown=as_shown or [], name=kit, source=source)


@app.command()
def photo(
    game: Annotated[str, typer.Argument()],
    page: Annotated[str, typer.Argument()],
    file: Annotated[Path | None, typer.Argument()] = None,
    erase: Annotated[bool, typer.Option("--erase")] = False,
    output: Annotated[Path | None, typer.Option("-o", "--output")] = None,
    kit: Annotated[str, typer.Option("--kit")] = boxes.OWN,
) -> int:
    here = session(creates=True)
    if erase:
        return here.run(box_tour.erase_photo, game, page, name=kit)
    if file is not None:
        content = read_limited(file, MOST_BYTES)
        return here.run(box_tour.add_photo, game, content, page, name=kit)
    found = here.caller.ask(box_tour.box_photo, game, page, name=kit)
    return put(here, found.content, output or Path(found.name))


@app.command()
def export(
    game: Annotated[str, typer.Argument()],
    output: Annotated[Path, typer.Option("-o", "--output")],
    sign: Annotated[str | None, typer.Option("--sign")] = None,
    club: Annotated[str, typer.Option("--club")] = "",
    kit: Annotated[str, typer.Option("--kit")] = boxes.OWN,
    pictures: Annotated[bool, typer.Option("--pictures")] = False,
    force: Annotated[bool, typer.Option("--force")] = False,
) -> int:
    here, ring = session(), key_ring()
    if sign is None:
        refuse_existing(output, force)
        ask = here.caller.ask
        found = ask(box_exchange.unsigned_box, game, name=kit, club=club, pictures=pictures)
        digest = sha256(found.content).hexdigest()
        told = here.voice.say("box.not_signed", digest=Verbatim(digest))
        return put(here, found.content, output, told=told)
    here.must_be_here()
    secret = unlocking(here, ring, sign)

    def made() -> str:
        signed = box_exchange.box_file(
            here.caller,
            game,
            ring,
            sign,
            name=kit,
            club=club,
            passphrase=secret,
            pictures=pictures,
        )
        return signed.decode()

    return put_new(here, output, made, force=force)


@app.command()
def sign(
    file: Annotated[Path, typer.Argument()],
    key_name: Annotated[str, typer.Option("--key")],
    output: Annotated[Path, typer.Option("-o", "--output")],
    force: Annotated[bool, typer.Option("--force")] = False,
) -> int:
    here, ring = session(), key_ring()
    box = read_box(read_limited(file, MOST_BOX_BYTES), file.name)
    if box.signed:
        raise Conflicting("box_signed_already", file=file.name)
    secret = unlocking(here, ring, key_name)
    return put_new(
        here, output, lambda: signed_box(box, ring, key_name, secret).decode(), force=force
    )


@app.command()
def csv(
    game: Annotated[str, typer.Argument()],
    file: Annotated[Path | None, typer.Argument()] = None,
    output: Annotated[Path | None, typer.Option("-o", "--output")] = None,
    kit: Annotated[str, typer.Option("--kit")] = boxes.OWN,
) -> int:
    here = session(creates=file is not None)
    if file is not None:
        content = read_limited(file, MOST_BYTES)
        return here.run(box_csv.take_csv, game, content, name=kit)
    found = here.caller.ask(box_csv.box_csv, game, name=kit)
    return put(here, found.content if output is not None else found.content.decode(), output)


@app.command(name="import")
def import_box(
    file: Annotated[Path, typer.Argument()],
    kit: Annotated[str | None, typer.Option("--kit")] = None,
    unknown: Annotated[bool, typer.Option("--unknown")] = False,
) -> int:
    here = session(creates=True)
    here.must_be_here()
    box = read_box(read_limited(file, MOST_BOX_BYTES), file.name)
    taken = box_exchange.take_box(here.caller, box, key_ring(), name=kit, unknown=unknown)
    return here.answer(box_exchange.take_box, taken)


@app.command()
def key(
    game: Annotated[str | None, typer.Argument()] = None,
    kit: Annotated[str | None, typer.Option("--kit")] = None,
    output: Annotated[Path | None, typer.Option("-o", "--output")] = None,
) -> int:
    here = session()
    form = output.suffix.removeprefix(".") if output is not None else "txt"
    if form not in component_codes.FORMS:
        raise Misused(
            "no_such_format", format=Verbatim(form), formats=sorted(component_codes.FORMS)
        )
    made = component_codes.FORMS[form](*_sheet(here, game, kit), here.voice)
    return put(here, made, output)


@app.command()
def sheet(
    game: Annotated[str, typer.Argument()],
    output: Annotated[Path, typer.Option("-o", "--output")],
    kit: Annotated[str, typer.Option("--kit")] = boxes.OWN,
) -> int:
    here = session()
    return put(here, sheet_pdf(boxes.own_box(here.caller, game, kit), here.voice), output)


def _sheet(here: Session, game: str | None, kit: str | None) -> tuple[Engine[Any, Any], KitSheet]:
    """The kit of a game by name, or the box of the current record."""
    if game is None:
        record = here.caller.game(here.game_id())
        return record.engine, record.sheet
    engine = load_engine(game)
    if kit is None:
        return engine, engine.kit_sheet(None)
    return engine, boxes.kit_named(here.caller, engine, kit)
