"""Import and export of box data between clubs, signed by whoever has checked the box.

A service holds no private keys: what it exports is unsigned, and whoever has a key signs the
file at the command line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from answers.answer import Answered, Data
from answers.context import Caller
from answers.declaration import NAMED_BY_FUNCTION, Local, operation
from answers.file_answers import File
from answers.i18n import Voice
from answers.limits import Tag
from answers.permissions import KEEPERS
from answers.rulebooks.box_boards import FLAT, RAW, placing_from_elsewhere
from answers.rulebooks.box_pieces import PIECE, SHEET
from answers.rulebooks.boxes import OWN, BoxName, OwnBox, box_photos, own_box, refuse_unfit
from engines.kernel import Verbatim
from referee.errors import Conflicting, Misused, NotAllowed, NotFound, Unfit
from referee.proof.keys import KeyRing, Trusted
from referee.proof.signed_boxes import (
    WITH_PICTURES,
    BoxDatum,
    BoxFile,
    BoxPicture,
    is_club,
    read_box,
    signed_box,
)
from referee.store.sidecars.attachments import Attachment
from referee.store.sidecars.boxes import Seen
from referee.untrusted.photos import read_photo

LONGEST_SOURCE = 200


class BoxTakenAnswer(Data):
    game: str
    kit: str
    club: str
    key: str
    signer: str | None
    """Whose key it is, as far as we know."""
    data: int
    signed: bool
    """Its signature is good; without one, its digest is what two clubs can compare."""
    digest: str
    pictures: int
    kept: bool
    """False where it was only looked at."""


def box_file(
    caller: Caller,
    game: str,
    ring: KeyRing,
    key_name: str,
    *,
    kit: str = OWN,
    club: str = "",
    passphrase: str = "",
    pictures: bool = False,
) -> bytes:
    """All that a club has seen of a box, signed with its key; with its ``pictures``, if it may."""
    box = _file(caller, game, kit, club or key_name, pictures)
    return signed_box(box, ring, key_name, passphrase)


@operation(
    "kit-export",
    "GET /engines/{engine}/box/file",
    grant=KEEPERS,
    scope="token",
    file=NAMED_BY_FUNCTION,
    slow=True,
    etag="content",
)
def unsigned_box(
    caller: Caller, game: str, *, kit: BoxName = OWN, club: Tag = "", pictures: bool = False
) -> File:
    """The same without a signature."""
    club = club.strip() or caller.voice.say("box.a_club")
    return File(f"{game}.box", _file(caller, game, kit, club, pictures).written())


def _file(caller: Caller, game: str, name: str, club: str, pictures: bool) -> BoxFile:
    box = own_box(caller, game, name)
    if not box.tour.stated and not (pictures and box_photos(caller, game, name)):
        raise Conflicting("box_untold", game=game)
    if not is_club(club):
        raise Misused("box_club")
    data = tuple(
        BoxDatum(path=path, value=datum.value, source=datum.source)
        for path, datum in box.tour.stated.items()
    )
    file = BoxFile.model_construct(game=game, name=name, club=club, data=data)
    return _with_pictures(caller, file) if pictures else file


def _with_pictures(caller: Caller, file: BoxFile) -> BoxFile:
    boxes, game, name = caller.store_context.boxes, file.game, file.name
    found = ((page, boxes.photo(game, name, page)) for page in boxes.photos(game, name))
    pictures = tuple(BoxPicture.of(page, one.content) for page, one in found if one is not None)
    boards = {board: boxes.placing(game, name, board) for board in boxes.boards(game, name)}
    more = {"format": WITH_PICTURES, "pictures": pictures, "boards": boards}
    return file.model_copy(update=more)


@operation(
    "kit-import",
    "POST /engines/{engine}/box/file",
    grant=KEEPERS,
    served="take_file",
    upload="answers.requests.uploads:box",
    largest="referee.proof.signed_boxes:MOST_BOX_BYTES",
    slow=True,
)
def take_box(
    caller: Caller,
    file: BoxFile,
    ring: KeyRing,
    *,
    kit: str | None = None,
    unknown: bool = False,
) -> Answered[BoxTakenAnswer]:
    """Keep the box of another club under a name of its own, with all that it says of its sources.

    A signature tells who vouches: whom we do not know, or no longer trust, is refused unless
    ``unknown`` lets it pass; so is what nobody has signed.
    """
    signer = ring.trusted().get(file.key)
    if (signer is None or signer.revoked is not None) and not unknown:
        if not file.signed:
            digest = Verbatim(file.digest)
            raise NotAllowed("box_unsigned", club=Verbatim(file.club), digest=digest)
        raise NotAllowed("box_unknown_key", club=Verbatim(file.club), key=Verbatim(file.key))
    return _take(caller, file, kit or _name_for(file), signer, keep=True)


def take_file(
    caller: Caller,
    game: str,
    content: Local[bytes],
    *,
    kit: BoxName | None = None,
    keep: bool = False,
) -> Answered[BoxTakenAnswer]:
    """The same for a service, which trusts no key: it says whose the file says to be, and keeps it
    once somebody has read that."""
    file = read_box(content, f"{game}.box")
    if file.game != game:
        raise Unfit("box_other_game", game=file.game)
    return _take(caller, file, kit or _name_for(file), None, keep=keep)


def _take(
    caller: Caller, file: BoxFile, kept: str, signer: Trusted | None, *, keep: bool
) -> Answered[BoxTakenAnswer]:
    box = own_box(caller, file.game, kept)
    if box.tour.stated or box_photos(caller, file.game, kept):
        raise Conflicting("box_exists", kit=Verbatim(kept))
    said = {datum.path: datum.value for datum in file.data}
    if len(said) < len(file.data):
        raise Unfit("box_twice")
    refuse_unfit(box, said)
    pictures = _pictures(box, file)
    boards = dict(_boards(box, file))
    if not keep:
        return _taken(file, kept, signer, keep)
    seen = [Seen(one.path, one.value, _source(file, one)) for one in file.data]
    boxes = caller.store_context.boxes
    boxes.tell(file.game, kept, seen)
    for page, photo in pictures.items():
        boxes.show(file.game, kept, page, photo)
    for board, placing in boards.items():
        boxes.place(file.game, kept, board, placing)
    return _taken(file, kept, signer, keep)


def _pictures(box: OwnBox, file: BoxFile) -> dict[str, Attachment]:
    """The pictures of a file, read anew like any photograph from elsewhere."""
    engine, kit = box.engine, box.tour.kit
    known = {page.look.id for page in box.tour.pages} | {SHEET}
    for board in engine.guide.boards(kit):
        known |= {RAW + board.name, FLAT + board.name}
    known |= {PIECE + code.code for code in engine.guide.codes(kit)}
    found = {}
    for one in file.pictures:
        if one.page not in known:
            raise NotFound("no_such_page", page=Verbatim(one.page))
        photo = read_photo(one.decoded())
        found[one.page] = Attachment(photo.content, photo.small)
    return found


def _boards(box: OwnBox, file: BoxFile) -> Iterator[tuple[str, Any]]:
    known = {board.name for board in box.engine.guide.boards(box.tour.kit)}
    for board, placing in file.boards.items():
        if board not in known:
            raise NotFound("no_such_board", board=Verbatim(board))
        yield board, placing_from_elsewhere(placing)


def _name_for(file: BoxFile) -> str:
    """The box of another club is not our own."""
    return f"{file.name}-{_whose(file)[:8]}" if file.name == OWN else file.name


def _whose(file: BoxFile) -> str:
    """The key that vouches for a file, or its own digest where none does."""
    return file.key if file.signed else file.digest


def _source(file: BoxFile, datum: BoxDatum) -> str:
    """How the other club knows it, and which club that is."""
    told = f"{datum.source} – {file.club}, {_whose(file)[:16]}"
    return told[-LONGEST_SOURCE:]


def _taken(
    file: BoxFile, kept: str, signer: Trusted | None, keep: bool
) -> Answered[BoxTakenAnswer]:
    known = signer.name if signer is not None else None

    def render(voice: Voice) -> Iterator[str]:
        facts = {"kit": Verbatim(kept), "club": Verbatim(file.club), "count": len(file.data)}
        yield voice.say("box.taken", **facts)
        key = Verbatim(file.key[:16])
        if not file.signed:
            digest = Verbatim(file.digest)
            yield "  " + voice.mark("unsure", voice.say("box.not_signed", digest=digest))
        elif known is not None:
            yield "  " + voice.say("box.signed_by", name=Verbatim(known), key=key)
        else:
            yield "  " + voice.mark("unsure", voice.say("box.signed_by_unknown", key=key))

    return Answered(
        lambda: BoxTakenAnswer(
            game=file.game,
            kit=kept,
            club=file.club,
            key=file.key if file.signed else "",
            signer=known,
            data=len(file.data),
            signed=file.signed,
            digest=file.digest,
            pictures=len(file.pictures),
            kept=keep,
        ),
        render,
    )
