"""``referee kit``: what is in the box, and where each datum is known from."""

from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from answers.rulebooks import box_csv, box_exchange, box_tour, boxes, component_codes, kits
from answers.rulebooks import wording as book_wording
from answers.rulebooks.printing import sheet_pdf
from cli.arguments import pairs, stated_value
from cli.box.tour import walk
from cli.local_keys import key_ring, unlocking
from cli.output import put, put_new, refuse_existing
from cli.session import Session, session
from engines.kernel import Engine, KitSheet, Verbatim
from engines.kernel.registry import load_engine
from referee.errors import Conflicting, Misused
from referee.proof.signed_boxes import MOST_BOX_BYTES, read_box, signed_box
from referee.untrusted.photos import MOST_BYTES
from referee.untrusted.safe_toml import read_limited, read_toml_file, write_toml


def show(
    game: str | None = None,
    *,
    kit: str | None = None,
    only: str | None = None,
    search: str | None = None,
) -> int:
    here = session()
    if game is not None and "." in game:  # no game has such a name: a path of the current box
        game, search = None, game
    engine, sheet = _sheet(here, game, kit)
    answered = kits.show(engine, sheet, only=only, search=search, lang=here.voice.lang)
    return here.answer(kits.show_shipped, answered)


def check(file: Path) -> int:
    return session().answer(kits.check, kits.check(read_toml_file(file)))


def declare(
    path: str,
    value: str,
    *,
    source: str = "",
    kit: str | None = None,
    of: str | None = None,
    save: Path | None = None,
    keep: bool = False,
    dry_run: bool = False,
) -> int:
    here = session()
    stated = stated_value(value)
    if isinstance(stated, str) and kits.is_list(_sheet(here, of, kit)[1], path):
        stated = [stated_value(word) for word in stated.split()]
    if save is not None:
        origin = source or here.voice.say("kit.stated_by_table")
        content = kits.declared(*_sheet(here, of, kit), path, stated, origin, save.stem)
        return put(here, write_toml(content), save)
    if keep and not dry_run:
        game = here.game_id()
        datum, stated = kits.stated(here.caller.game(game), path, stated)
        answered = here.caller.ask(boxes.vouch, game, datum, stated, source=source)
        return here.answer(kits.declare, answered)
    return here.run(kits.declare, here.game_id(), path, stated, source, dry_run=dry_run)


def make(
    game: str, *, kit: str = boxes.OWN, picture: Path | None = None, save: Path | None = None
) -> int:
    here = session(creates=True)
    if here.may_ask:
        here.must_be_here()
        walk(here, game, kit, picture)
    if save is not None:
        content = boxes.usable(boxes.own_box(here.caller, game, kit)).content
        return put(here, write_toml(dict(content)), save)
    return here.run(boxes.box, game, kit)


def read_data(words: Sequence[str]) -> dict[str, Any]:
    """Data of a box by their paths."""
    return {path: stated_value(value) for path, value in pairs(words).items()}


def photo(
    game: str,
    page: str,
    file: Path | None = None,
    *,
    erase: bool = False,
    output: Path | None = None,
    kit: str = boxes.OWN,
) -> int:
    here = session(creates=True)
    if erase:
        return here.run(box_tour.erase_photo, game, page, kit=kit)
    if file is not None:
        content = read_limited(file, MOST_BYTES)
        return here.run(box_tour.add_photo, game, content, page, kit=kit)
    photo_file = here.caller.ask(box_tour.box_photo, game, page, kit=kit)
    return put(here, photo_file.content, output or Path(photo_file.name))


def wording(game: str, clause: str = "", said: str | None = None, *, kit: str = boxes.OWN) -> int:
    if said is not None:
        return session(creates=True).run(book_wording.tell, game, clause, said, kit=kit)
    return session().run(book_wording.wording, game, clause, kit=kit)


def export(
    game: str,
    *,
    output: Path,
    sign: str | None = None,
    club: str = "",
    kit: str = boxes.OWN,
    pictures: bool = False,
    force: bool = False,
) -> int:
    here, ring = session(), key_ring()
    if sign is None:
        refuse_existing(output, force)
        ask = here.caller.ask
        box = ask(box_exchange.unsigned_box, game, kit=kit, club=club, pictures=pictures)
        digest = sha256(box.content).hexdigest()
        remark = here.voice.say("box.not_signed", digest=Verbatim(digest))
        return put(here, box.content, output, told=remark)
    here.must_be_here()
    secret = unlocking(here, ring, sign)

    def made() -> str:
        signed = box_exchange.box_file(
            here.caller,
            game,
            ring,
            sign,
            kit=kit,
            club=club,
            passphrase=secret,
            pictures=pictures,
        )
        return signed.decode()

    return put_new(here, output, made, force=force)


def sign(file: Path, *, key_name: str, output: Path, force: bool = False) -> int:
    here, ring = session(), key_ring()
    box = read_box(read_limited(file, MOST_BOX_BYTES), file.name)
    if box.signed:
        raise Conflicting("box_signed_already", file=file.name)
    secret = unlocking(here, ring, key_name)
    return put_new(
        here, output, lambda: signed_box(box, ring, key_name, secret).decode(), force=force
    )


def csv(
    game: str, file: Path | None = None, *, output: Path | None = None, kit: str = boxes.OWN
) -> int:
    here = session(creates=file is not None)
    if file is not None:
        content = read_limited(file, MOST_BYTES)
        return here.run(box_csv.take_csv, game, content, kit=kit)
    content = here.caller.ask(box_csv.box_csv, game, kit=kit).content
    return put(here, content if output is not None else content.decode(), output)


def import_box(file: Path, *, kit: str | None = None, unknown: bool = False) -> int:
    here = session(creates=True)
    here.must_be_here()
    box = read_box(read_limited(file, MOST_BOX_BYTES), file.name)
    taken = box_exchange.take_box(here.caller, box, key_ring(), kit=kit, unknown=unknown)
    return here.answer(box_exchange.take_box, taken)


def key(game: str | None = None, *, kit: str | None = None, output: Path | None = None) -> int:
    here = session()
    form = output.suffix.removeprefix(".") if output is not None else "txt"
    if form not in component_codes.FORMS:
        raise Misused(
            "no_such_format", format=Verbatim(form), formats=sorted(component_codes.FORMS)
        )
    made = component_codes.FORMS[form](*_sheet(here, game, kit), here.voice)
    return put(here, made, output)


def sheet(game: str, *, output: Path, kit: str = boxes.OWN) -> int:
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
