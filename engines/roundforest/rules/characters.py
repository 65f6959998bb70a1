"""Puce rouge, les jetons-personnages: cards, missions, debts and the ways out of them."""

from __future__ import annotations

from engines.kernel import Duty, Hearing, ParseError, RuleContext, evolve, with_player
from engines.roundforest.actions import Apple, Decline, Lower, Meet, Upper
from engines.roundforest.kit import CHARACTERS, CHIPS, Box, Mission
from engines.roundforest.rules.book import (
    called_for,
    comes_in_time,
    nobody_owes,
    phase,
    reopened,
    rules,
    who_drew,
)
from engines.roundforest.rules.garnishing import lay
from engines.roundforest.rules.goods import coins_named, gain_apples, heavy_count, pay
from engines.roundforest.rules.spirit import call_spirit, is_qualified
from engines.roundforest.state import (
    Player,
    Tableau,
    Turn,
    change_turn,
    clear_content,
    did,
    into_bag,
    into_deck,
    without,
)

MISSION_CLAUSES = {
    ("smith", "upper"): "RND-SMI-1",
    ("smith", "lower"): "RND-SMI-3",
    ("innkeeper", "upper"): "RND-INN-1",
    ("innkeeper", "lower"): "RND-INN-2",
    ("sculptor", "upper"): "RND-SCU-1",
    ("sculptor", "lower"): "RND-SCU-2",
    ("witch", "upper"): "RND-WIT-1",
    ("witch", "lower"): "RND-WIT-2",
    ("bandit", "upper"): "RND-BAN-1",
    ("bandit", "lower"): "RND-BAN-2",
    ("demon", "upper"): "RND-DEM-1",
    ("demon", "lower"): "RND-DEM-2",
}
CREDITORS = frozenset(character for character, _ in MISSION_CLAUSES)
"""Friendly and hostile characters: whoever declines them owes them."""


# drawing and meeting


@rules.hears(Meet)
def meet(state: Tableau, action: Meet, rule: Hearing[Box]) -> Tableau:
    in_deck = action.character in state.cards.deck
    rule("RND-RED-2", in_deck, character=action.character, deck=state.cards.deck)
    if not in_deck:
        return state
    expected = state.turn.seat if comes_in_time(state) else who_drew(state, action)
    state = called_for(state, "meet", action, rule)
    return meet_card(state, action.character, rule, Turn(expected))


@rules.reconsiders("meet")
def nobody_to_meet(state: Tableau, duty: Duty, rule: Hearing[Box]) -> Tableau:
    return state if state.cards.deck else nobody_owes(state)


def meet_card(state: Tableau, character: str, rule: Hearing[Box], turn: Turn) -> Tableau:
    """A card from the deck waits for a decision, of the active player or of who drew it."""
    state = evolve(state, cards=state.cards.lying(character, turn.seat))
    return evolve(state, agenda=state.agenda.push(phase(state, "character", rule, turn)))


def characters_met(state: Tableau, seat: str) -> tuple[str, ...]:
    """Whom a player may answer: the cards drawn, else the token on the tile reached.

    Whoever has met nobody answers a card that lies before another player.
    """
    if mine := state.met_by(seat):
        return mine
    here = state.here(seat)
    return (here,) if here in CHARACTERS else state.cards.unanswered


def character_met(state: Tableau, seat: str, wanted: frozenset[str] = CHARACTERS) -> str | None:
    """The first of them to whom this may be said, else the first."""
    met = characters_met(state, seat)
    return next((one for one in met if one in wanted), next(iter(met), None))


@rules.reconsiders("character")
def nobody_left_to_answer(state: Tableau, duty: Duty, rule: Hearing[Box]) -> Tableau:
    """An answer is owed for each card, and to a token that can be used."""
    if (seat := duty.seat) is None:
        return state
    here = state.here(seat) if seat == state.turn.seat else None
    can_be_answered = len(state.met_by(seat)) + can_use(state, seat, here, rule)
    too_many = state.agenda.times_owed(duty.kind, seat) > can_be_answered
    return nobody_owes(state) if too_many else state


def check_character(state: Tableau, seat: str, wanted: frozenset[str], rule: Hearing[Box]) -> str:
    """The character met must be one to whom this may be said; else nobody answers.

    What is not due has been refused already, and is not refused once more for the same reason.
    """
    met = character_met(state, seat, wanted)
    if met in wanted or not rule.breaches:
        rule("RND-CHAR-1", met in wanted, met=met)
    if met in wanted:
        return met or ""
    answered = state.turn.met if state.turn.seat == seat else None
    return answered if answered in wanted and answered is not None else ""


# who can be used


def can_use(state: Tableau, seat: str, character: str | None, table: RuleContext[Box]) -> bool:
    """Whether a player could do something with a character's token on arriving there."""
    me, kit = state.players[seat], table.kit
    if character in CREDITORS:
        return (
            can_meet(me, mission(kit, character, "upper"))
            or can_meet(me, mission(kit, character, "lower"))
            or (me.apples > 0 and may_redeem(state, seat, character, table))
        )
    match character:
        case "prince":
            return can_call_prince(state, me, kit)
        case "merchant":
            return can_sell(state, me) or can_buy(state, me, kit)
        case "goblin":
            return any(can_swap(state, me, given, kit) for given in me.pack)
        case "beggar":
            return me.copper >= kit.services.beggar_costs and bool(state.cards.deck)
        case "spirit":
            return is_qualified(me, kit)
    return character == "unicorn"


def why_useless(
    state: Tableau, seat: str, character: str | None, table: RuleContext[Box]
) -> dict[str, object]:
    """What is missing for a character that a player can do nothing with, as facts."""
    me, kit = state.players[seat], table.kit
    facts: dict[str, object] = {"seat": seat, "character": character}
    if character in CREDITORS:
        wanted = mission(kit, character, "upper")
        if wanted.give:
            return facts | {"asks": wanted.give, "pack": me.pack}
        price = coins_named(wanted.copper, wanted.silver)
        return facts | {"coins": price, "owned": coins_named(me.copper, me.silver)}
    if character == "spirit":
        return facts | {"apples": me.apples, "debts": me.debts}
    if character == "beggar" and state.cards.deck:
        price = coins_named(kit.services.beggar_costs, 0)
        return facts | {"coins": price, "owned": coins_named(me.copper, me.silver)}
    return facts | {"lacks": _lacking(state, me, character, kit)}


def _lacking(state: Tableau, me: Player, character: str | None, kit: Box) -> str:
    match character:
        case "prince":
            return "full_pack" if len(me.pack) >= kit.pack.objects else "empty_bag"
        case "merchant":
            has_goods = me.pack or me.silver >= kit.services.merchant_apple
            return "empty_supply" if has_goods else "no_goods"
        case "goblin":
            return "no_swap"
    return "empty_deck"


def can_call_prince(state: Tableau, me: Player, kit: Box) -> bool:
    return len(me.pack) < kit.pack.objects and state.bags.blue.size > 0


def can_sell(state: Tableau, me: Player) -> bool:
    return bool(me.pack) and state.supply.copper > 0


def can_buy(state: Tableau, me: Player, kit: Box) -> bool:
    return me.silver >= kit.services.merchant_apple and state.supply.apples > 0


def can_swap(state: Tableau, me: Player, given: str, kit: Box) -> bool:
    """Whether the bag holds anything that may be taken for an object of the pack."""
    heavy_fits = heavy_count(without(me.pack, given), kit) < kit.pack.heavy
    return any(
        thing not in kit.objects.coins and (heavy_fits or thing not in kit.heavy)
        for thing in state.bags.blue
    )


def still_usable(state: Tableau, after: Tableau, seat: str, table: RuleContext[Box]) -> bool:
    """On a character's tile, where declining is not allowed, some use must remain."""
    if state.met_by(seat) or state.agenda.owes("character", seat) is None:
        return True
    return can_use(after, seat, state.here(seat), table)


# missions


def mission(kit: Box, character: str, which: str) -> Mission:
    person = kit.characters[character]
    found = person.upper if which == "upper" else person.lower
    return found or Mission()


def can_meet(me: Player, wanted: Mission) -> bool:
    asked = (*wanted.give, *wanted.have)
    has_all = all(me.pack.count(thing) >= asked.count(thing) for thing in asked)
    return has_all and me.copper >= wanted.copper and me.silver >= wanted.silver


def askers(state: Tableau, seat: str, which: str, kit: Box) -> frozenset[str]:
    """Of several cards drawn a mission is that of a character who can be given what is asked."""
    met = CREDITORS.intersection(characters_met(state, seat))
    me = state.players[seat]
    return frozenset(one for one in met if can_meet(me, mission(kit, one, which))) or CREDITORS


@rules.hears(Upper)
def do_upper(state: Tableau, action: Upper, rule: Hearing[Box]) -> Tableau:
    seat = action.seat
    state = reopened(state, seat)
    character = check_character(state, seat, askers(state, seat, "upper", rule.kit), rule)
    if not character:
        return state
    state = _give_asked(state, action, character, "upper", rule)
    reward = mission(rule.kit, character, "upper").reward
    if reward is not None:
        found = reward in state.bags.blue
        rule.effect("RND-SMI-2", not found, reward=reward)
        rule.effect("RND-LOG-2", found and action.none, reward=reward)
        if found and not action.none:
            bags = evolve(state.bags, blue=state.bags.blue.take(reward))
            pack = (*state.players[seat].pack, reward)
            state = evolve(with_player(state, seat, pack=pack), bags=bags)
    return call_spirit(dismiss(state, seat, character, rule), rule)


@rules.hears(Lower)
def do_lower(state: Tableau, action: Lower, rule: Hearing[Box]) -> Tableau:
    seat = action.seat
    state = reopened(state, seat)
    character = check_character(state, seat, askers(state, seat, "lower", rule.kit), rule)
    if not character:
        return state
    state = _give_asked(state, action, character, "lower", rule)
    if not rule.effect("RND-SUP-3", state.supply.apples == 0, character=character):
        state = gain_apples(state, seat, 1)
    return call_spirit(dismiss(state, seat, character, rule), rule)


def _give_asked(
    state: Tableau, action: Upper | Lower, character: str, which: str, rule: Hearing[Box]
) -> Tableau:
    """What a mission asks for: objects into the blue bag, coins into the supply."""
    seat = action.seat
    me, wanted = state.players[seat], mission(rule.kit, character, which)
    clause = MISSION_CLAUSES[character, which]
    asked = (*wanted.give, *wanted.have)
    price = (wanted.copper, wanted.silver)
    paid = action.coins(*price)
    facts = {"objects": asked, "coins": coins_named(*price), "pack": me.pack}
    if paid != price:
        rule(clause, False, **facts, paid=coins_named(*paid))
    else:
        rule(clause, can_meet(me, wanted), **facts, owned=coins_named(me.copper, me.silver))
    given: tuple[str, ...] = wanted.give
    if wanted.unstated and rule.reading("hostile_objects") == "kept_if_silent":
        given = ()
    if wanted.have and rule.reading("friendly_second") == "returned":
        given = asked
    given = tuple(thing for thing in given if thing in me.pack)
    state = into_bag(with_player(state, seat, pack=without(me.pack, *given)), *given)
    return pay(state, seat, *paid)


def dismiss(state: Tableau, seat: str, character: str, rule: Hearing[Box]) -> Tableau:
    """The card goes into the deck, the token beside it, and nobody owes the character.

    Where nobody was met there is nothing to put away.
    """
    if not character:
        return state
    state = answered(state, seat, character)
    debtor = state.debtor(character)
    if debtor is not None:
        rule.effect("RND-DEBT-6", debtor != seat, debtor=debtor, character=character)
        debts = without(state.players[debtor].debts, character)
        state = with_player(state, debtor, debts=debts)
    cards = into_deck(state.cards.answered(character), character)
    cards = evolve(cards, face_up=without(cards.face_up, character))
    state = evolve(state, cards=cards)
    for cell, thing in state.forest.contents.items():
        if thing == character:
            return clear_content(state, cell)
    return state


def answered(state: Tableau, seat: str, character: str | None) -> Tableau:
    """The turn's character has been answered."""
    state = did(state, seat, "character")
    return change_turn(state, met=character) if seat == state.turn.seat else state


# debts


def may_redeem(state: Tableau, seat: str, character: str, table: RuleContext[Box]) -> bool:
    """Whether an apple of this player frees somebody from the character."""
    if character in state.cards.unanswered or state.debtor(character) == seat:
        return True
    return table.reading("apple_for_other") == "yes"


@rules.hears(Apple)
def sacrifice_apple(state: Tableau, action: Apple, rule: Hearing[Box]) -> Tableau:
    seat = action.seat
    state = reopened(state, seat)
    character = check_character(state, seat, CREDITORS, rule)
    if not character:
        return state
    me, debtor = state.players[seat], state.debtor(character)
    redeems = may_redeem(state, seat, character, rule)
    rule("RND-DEBT-5", redeems, character=character, debtor=debtor)
    if rule("RND-DEBT-4", me.apples > 0, seat=seat, character=character):
        state = with_player(state, seat, apples=me.apples - 1)
        supply = evolve(state.supply, apples=state.supply.apples + 1)
        state = evolve(state, supply=supply)
    return call_spirit(dismiss(state, seat, character, rule), rule)


@rules.spells(Decline)
def spelt(state: Tableau, action: Decline, kit: Box) -> Decline:
    """Of several cards drawn the one is named that is meant."""
    mine = state.met_by(action.seat) if action.by else ()
    if len(mine) < 2 or action.character is not None:
        return action
    return action.model_copy(update={"character": mine[0]})


@rules.hears(Decline)
def decline(state: Tableau, action: Decline, rule: Hearing[Box]) -> Tableau:
    seat = action.seat
    named = frozenset(filter(None, [action.character]))
    token, pos = character_met(state, seat, named), state.players[seat].pos
    if named and token not in named:
        raise ParseError("nobody_to_choose", character=token)
    character = token if token in state.cards.unanswered else None
    if not rule.breaches:  # what is not due has been refused already
        rule("RND-CHAR-14", token == character, cell=pos, arrived=token)
    state = answered(state, seat, character)
    if character is None:
        return state
    cards = state.cards.answered(character)
    out_already = character in state.forest.contents.values()
    under = state.forest.contents.get(pos or "")
    if pos is None or under not in (None, *CHIPS):  # there is no place for its token
        return evolve(state, cards=into_deck(cards, character))
    if character in CREDITORS:
        debts = (*state.players[seat].debts, character)
        state = with_player(evolve(state, cards=cards), seat, debts=debts)
        rule.effect("RND-CHAR-6", True, character=character, cell=pos)
    else:
        state = evolve(state, cards=evolve(cards, face_up=(*cards.face_up, character)))
        rule.effect("RND-CHAR-13", True, character=character, cell=pos)
    return state if out_already else lay(state, pos, character, rule)
