"""Les personnages altruistes: prince, unicorn, merchant, goblin, beggar, spirit."""

from __future__ import annotations

from engines.kernel import Agenda, Hearing, ParseError, Step, evolve, with_player
from engines.roundforest import actions as act
from engines.roundforest.kit import CHARACTERS, Box
from engines.roundforest.rules.book import phase, reopened, rules
from engines.roundforest.rules.characters import (
    can_call_prince,
    can_use,
    check_character,
    dismiss,
    meet_card,
    why_useless,
)
from engines.roundforest.rules.garnishing import garnish
from engines.roundforest.rules.goods import coins_named, gain_apples, heavy_count, pay
from engines.roundforest.rules.moving import rotated
from engines.roundforest.rules.setup import doubt_object
from engines.roundforest.rules.spirit import call_spirit, is_qualified, reaches_spirit, win
from engines.roundforest.state import (
    Tableau,
    Turn,
    change_turn,
    did,
    into_bag,
    without,
)

# the prince


@rules.hears(act.CallPrince)
def call_prince(state: Tableau, action: act.CallPrince, rule: Hearing[Box]) -> Tableau:
    seat = action.seat
    state = reopened(state, seat)
    met = check_character(state, seat, frozenset({"prince"}), rule)
    me = state.players[seat]
    rule("RND-PRI-2", can_call_prince(state, me, rule.kit), pack=me.pack, bag=state.bags.blue.size)
    if state.bags.blue.size == 0:
        return state
    state = dismiss(state, seat, met, rule)
    own = seat == state.turn.seat
    gift = Step("choose") if own else phase(state, "gift", rule, Turn(seat))
    return evolve(state, agenda=state.agenda.push(phase(state, "gifts", rule), gift))


@rules.derives("choose")
def choose(state: Tableau, rule: Hearing[Box]) -> Tableau:
    return evolve(state, agenda=state.agenda.push(phase(state, "gift", rule)))


# the unicorn


@rules.hears(act.RideUnicorn)
def ride_unicorn(state: Tableau, action: act.RideUnicorn, rule: Hearing[Box]) -> Tableau:
    seat, to = action.seat, action.to
    state = reopened(state, seat)
    met = check_character(state, seat, frozenset({"unicorn"}), rule)
    me = state.players[seat]
    _check_ride(state, seat, action, rule)
    rule.heard_out()
    state = dismiss(state, seat, met, rule)
    saddled = action.saddle and "saddle" in me.pack
    gives_later = saddled and rule.reading("saddle_order") == "after"
    if saddled and not gives_later:
        state = return_saddle(state, seat)
    state = with_player(state, seat, pos=to)
    state = evolve(state, forest=rotated(state, to, rule))
    if reaches_spirit(state, seat, rule):
        return win(state, seat, rule)
    if seat != state.turn.seat:
        return state
    state = change_turn(state, "move", "ride", left=me.pos)
    state, due = garnish(state, me.pos, rule, riding=True)
    then = ("arrive_riding", "unsaddle") if gives_later else ("arrive_riding",)
    steps = (Step(name) for name in (then if saddled else ()))
    left_behind = Agenda(item for item in state.agenda if item != Step("exchange"))
    return evolve(state, agenda=left_behind.push(*due, *steps))


def _check_ride(state: Tableau, seat: str, action: act.RideUnicorn, rule: Hearing[Box]) -> None:
    to, me = action.to, state.players[seat]
    on_board = to in state.board(rule.kit).cells
    elsewhere = to != me.pos or rule.reading("unicorn_same_tile") == "yes"
    rule("RND-UNI-1", on_board, cell=to)
    rule("RND-UNI-1", elsewhere, pos=to)
    if not on_board:
        raise ParseError("no_tile", cell=to)
    pawn = state.pawn_on(to)
    rule("RND-MOVE-12", pawn in (None, seat), cell=to, seat=pawn)
    if action.saddle:
        rule("RND-UNI-2", "saddle" in me.pack, pack=me.pack)
    thing = state.forest.contents.get(to)
    if thing not in CHARACTERS or to == me.pos:
        return
    if action.saddle:
        after = _after_ride(state, seat, rule)
        useless = why_useless(after, seat, thing, rule)
        if after.players[seat].pack != me.pack:
            useless["saddle"] = "saddle"
        rule("RND-UNI-5", can_use(after, seat, thing, rule), cell=to, **useless)
    else:
        rule("RND-UNI-4", _may_ride_to(state, seat, thing, rule), cell=to, character=thing)


def _after_ride(state: Tableau, seat: str, rule: Hearing[Box]) -> Tableau:
    """The unicorn's card is back in the deck, and the saddle gone, before the action."""
    state = dismiss(state, seat, "unicorn", rule)
    return return_saddle(state, seat) if rule.reading("saddle_order") == "before" else state


def _may_ride_to(state: Tableau, seat: str, character: str, rule: Hearing[Box]) -> bool:
    """Without a saddle no character can be used, so none may be ridden to, save the spirit."""
    if character == "spirit" and is_qualified(state.players[seat], rule.kit):
        return rule.reading("unicorn_spirit") == "wins"
    return rule.reading("unicorn_character") == "allow_no_effect"


def return_saddle(state: Tableau, seat: str) -> Tableau:
    pack = state.players[seat].pack
    if "saddle" not in pack:
        return state
    return into_bag(with_player(state, seat, pack=without(pack, "saddle")), "saddle")


@rules.derives("unsaddle")
def unsaddle(state: Tableau, rule: Hearing[Box]) -> Tableau:
    return return_saddle(state, state.turn.seat)


# the merchant


@rules.hears(act.Sell)
def sell(state: Tableau, action: act.Sell, rule: Hearing[Box]) -> Tableau:
    seat, objects = action.seat, action.objects
    state = reopened(state, seat)
    met = check_character(state, seat, frozenset({"merchant"}), rule)
    me, services = state.players[seat], rule.kit.services
    owned = all(me.pack.count(thing) >= objects.count(thing) for thing in objects)
    many = len(objects) > services.merchant_buys
    rule("RND-MER-1", not many, sold=len(objects), most=services.merchant_buys)
    rule("RND-MER-1", owned, objects=objects, pack=me.pack)
    price = services.merchant_pays * len(objects)
    rule("RND-SUP-2", state.supply.copper >= price, copper=state.supply.copper)
    left = without(me.pack, *objects)
    sold = without(me.pack, *left)
    earned = min(services.merchant_pays * len(sold), state.supply.copper)
    state = with_player(state, seat, pack=left, copper=me.copper + earned)
    supply = evolve(state.supply, copper=state.supply.copper - earned)
    state = evolve(into_bag(state, *sold), supply=supply)
    return did(dismiss(state, seat, met, rule), seat, "merchant")


@rules.hears(act.Buy)
def buy(state: Tableau, action: act.Buy, rule: Hearing[Box]) -> Tableau:
    seat = action.seat
    state = reopened(state, seat)
    met = check_character(state, seat, frozenset({"merchant"}), rule)
    me, price = state.players[seat], rule.kit.services.merchant_apple
    paid = action.coins(0, price * action.amount)
    as_asked = action.amount == 1 and paid == (0, price) and me.silver >= price
    owned = coins_named(me.copper, me.silver)
    rule("RND-MER-2", as_asked, apples=action.amount, paid=coins_named(*paid), owned=owned)
    rule("RND-SUP-1", state.supply.apples >= action.amount, wanted="apple")
    state = pay(state, seat, *paid)
    state = gain_apples(state, seat, action.amount)
    state = did(dismiss(state, seat, met, rule), seat, "merchant")
    return call_spirit(state, rule)


# the goblin


@rules.hears(act.AskGoblin)
def ask_goblin(state: Tableau, action: act.AskGoblin, rule: Hearing[Box]) -> Tableau:
    seat, wanted, given = action.seat, action.object, action.given
    state = reopened(state, seat)
    met = check_character(state, seat, frozenset({"goblin"}), rule)
    kit, me = rule.kit, state.players[seat]
    rule("RND-GOB-1", given in me.pack, object=given, pack=me.pack)
    in_bag = state.bags.blue[wanted] > 0
    doubt = {} if in_bag else doubt_object(wanted, state.bags.blue, kit)
    rule("RND-GOB-4", in_bag, **{"object": wanted} | doubt)
    rule("RND-GOB-2", wanted not in kit.objects.coins, object=wanted)
    pack = (*without(me.pack, given), wanted)
    rule("RND-GOB-3", heavy_count(pack, kit) <= kit.pack.heavy, object=wanted, pack=me.pack)
    rule.heard_out()
    if not in_bag:
        return state
    if given in me.pack:
        state = with_player(state, seat, pack=without(me.pack, given))
        state = rule.stage(into_bag(state, given))
    bags = evolve(state.bags, blue=state.bags.blue.take(wanted))
    state = with_player(evolve(state, bags=bags), seat, pack=pack)
    return dismiss(state, seat, met, rule)


# the beggar


@rules.hears(act.AskBeggar)
def ask_beggar(state: Tableau, action: act.AskBeggar, rule: Hearing[Box]) -> Tableau:
    seat, wanted = action.seat, action.character
    state = reopened(state, seat)
    met = check_character(state, seat, frozenset({"beggar"}), rule)
    me, price = state.players[seat], rule.kit.services.beggar_costs
    in_deck = wanted in state.cards.deck
    paid = action.coins(price, 0)
    lacks: dict[str, object] = {"price": price, "copper": me.copper}
    if not in_deck:
        lacks = {"missing": wanted}
    elif paid != (price, 0):
        lacks = {"price": price, "paid": coins_named(*paid)}
    as_asked = paid == (price, 0) and me.copper >= price
    rule("RND-BEG-1", in_deck and as_asked, **lacks)
    if not in_deck:
        return state
    state = dismiss(pay(state, seat, *paid), seat, met, rule)
    return meet_card(state, wanted, rule, Turn(seat))


# the spirit


@rules.hears(act.Ring)
def claim_ring(state: Tableau, action: act.Ring, rule: Hearing[Box]) -> Tableau:
    """Only while the spirit's own card is being met; reaching its token wins by itself."""
    seat = action.seat
    met = check_character(state, seat, frozenset({"spirit"}), rule)
    me = state.players[seat]
    by_card = state.forest.spirit_appeared or rule.reading("spirit_card_met") == "wins"
    facts: dict[str, object] = {"seat": seat, "apples": me.apples, "debts": me.debts}
    if is_qualified(me, rule.kit):
        facts = {"qualified": seat}
    rule("RND-SPI-10", "qualified" in facts and by_card, **facts)
    if not met:
        return state
    if met in state.cards.unanswered:
        cards = state.cards.answered(met)
        state = evolve(state, cards=evolve(cards, face_up=(*cards.face_up, met)))
    return win(state, seat, rule)
