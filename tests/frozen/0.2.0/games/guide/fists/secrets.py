from engines.kernel import ParseError, Finding, OpenedSeal, Setting, with_player
from fists.book import Box, Open, Tableau


def hide(state: Tableau, viewer: str, setting: Setting[Box]) -> Tableau:
    for seat, player in state.players.items():
        if seat != viewer and player.shown is None and player.pebbles is not None:
            state = with_player(state, seat, pebbles=None)
    return state


def check_fist(opened: OpenedSeal[Tableau], setting: Setting[Box]) -> list[Finding]:
    word, *more = opened.words
    if more or not word.isdecimal():
        raise ParseError("bad_word", field="pebbles", word=word, expected=("0", "1", "2", "3"))
    for moment in opened.since:
        if isinstance(moment.action, Open) and moment.action.by == opened.seat:
            status = "cleared" if moment.action.pebbles == int(word) else "broken"
            return [Finding(status, "FST-OPEN-1", (moment.number,), {"seat": opened.seat})]
    return []
