from engines.kernel import Engine, Faces, Result, Secrecy
from engines.kernel.picture.svg import Picture, text
from fists import book
from fists.secrets import check_fist, hide


def describe(state, setting, speech):
    known = {s: one.pebbles if one.shown is None else one.shown for s, one in state.players.items()}
    return [speech.say("fist", seat=s, pebbles=n) for s, n in known.items()]


def picture(state, setting, speech, last):
    return Picture(240, 40, text(20, 25, " / ".join(describe(state, setting, speech))))


def result(state):
    if not state.over:
        return None
    total = sum(player.shown for player in state.players.values())
    right = tuple(seat for seat, player in state.players.items() if player.guess == total)
    others = tuple(seat for seat in state.players if seat not in right)
    return Result(tuple(filter(None, (right, others))), "FST-END-1")


ENGINE = Engine(
    id="fists",
    package="fists",
    version="1.0",
    edition="first",
    seats=(2, 2),
    kit=book.Box,
    opening=book.Table,
    actions=(book.Close, book.Guess, book.Open),
    rules=book.rules,
    chapters=(book,),
    result=result,
    faces=Faces(describe, picture),
    secrecy=Secrecy(hide, sealed={"fist": check_fist}),
)
