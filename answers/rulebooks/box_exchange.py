"""Import and export of box data between clubs, signed by whoever has checked the box."""

from __future__ import annotations

from collections.abc import Iterator

from answers.answer import Answered, Data
from answers.context import Caller
from answers.i18n import Voice
from answers.rulebooks.boxes import OWN, own_box, refuse_unfit
from engines.kernel import Verbatim
from referee.errors import Conflicting, NotAllowed, Unfit
from referee.proof.keys import KeyRing, Trusted
from referee.proof.signed_boxes import BoxDatum, BoxFile, signed_box
from referee.store.sidecars.boxes import Seen

LONGEST_SOURCE = 200


class BoxTakenAnswer(Data):
    game: str
    kit: str
    club: str
    key: str
    signer: str | None
    """Whose key it is, as far as we know."""
    data: int


def box_file(
    caller: Caller,
    game: str,
    ring: KeyRing,
    key_name: str,
    *,
    name: str = OWN,
    club: str = "",
    passphrase: str = "",
) -> bytes:
    """All that a club has seen of a box, signed with its key."""
    box = own_box(caller, game, name)
    if not box.tour.stated:
        raise Conflicting("box_untold", game=game)
    data = tuple(
        BoxDatum(path=path, value=said.value, source=said.source)
        for path, said in box.tour.stated.items()
    )
    file = BoxFile(game=game, name=name, club=club or key_name, data=data)
    return signed_box(file, ring, key_name, passphrase)


def take_box(
    caller: Caller,
    file: BoxFile,
    ring: KeyRing,
    *,
    name: str | None = None,
    unknown: bool = False,
) -> Answered[BoxTakenAnswer]:
    """Keep the box of another club under a name of its own, with all that it says of its sources.

    A signature tells who vouches: whom we do not know, or no longer trust, is refused unless
    ``unknown`` lets it pass.
    """
    signer = ring.trusted().get(file.key)
    if (signer is None or signer.revoked is not None) and not unknown:
        raise NotAllowed("box_unknown_key", club=Verbatim(file.club), key=Verbatim(file.key))
    kept = name or _name_for(file)
    box = own_box(caller, file.game, kept)
    if box.tour.stated:
        raise Conflicting("box_exists", kit=Verbatim(kept))
    said = {datum.path: datum.value for datum in file.data}
    if len(said) < len(file.data):
        raise Unfit("box_twice")
    refuse_unfit(box, said)
    seen = [Seen(one.path, one.value, _source(file, one)) for one in file.data]
    caller.store_context.boxes.tell(file.game, kept, seen)
    return _taken(file, kept, signer)


def _name_for(file: BoxFile) -> str:
    """The box of another club is not our own."""
    return f"{file.name}-{file.key[:8]}" if file.name == OWN else file.name


def _source(file: BoxFile, datum: BoxDatum) -> str:
    """How the other club knows it, and which club that is."""
    told = f"{datum.source} – {file.club}, {file.key[:16]}"
    return told[-LONGEST_SOURCE:]


def _taken(file: BoxFile, kept: str, signer: Trusted | None) -> Answered[BoxTakenAnswer]:
    known = signer.name if signer is not None else None

    def render(voice: Voice) -> Iterator[str]:
        facts = {"kit": Verbatim(kept), "club": Verbatim(file.club), "count": len(file.data)}
        yield voice.say("box.taken", **facts)
        key = Verbatim(file.key[:16])
        if known is not None:
            yield "  " + voice.say("box.signed_by", name=Verbatim(known), key=key)
        else:
            yield "  " + voice.mark("unsure", voice.say("box.signed_by_unknown", key=key))

    return Answered(
        lambda: BoxTakenAnswer(
            game=file.game,
            kit=kept,
            club=file.club,
            key=file.key,
            signer=known,
            data=len(file.data),
        ),
        render,
    )
