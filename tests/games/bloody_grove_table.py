"""A real table of Bloody Grove: true hands, decks and tokens, logged as a scribe sees them.

It shares nothing with the engine but the box. ``Table.log`` is what a scribe writes,
``Table.truth`` what was really in the hands and decks after each line.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import permutations

from engines.bloody_grove.kit import Box, Spirit

ORDER = "FSSFFS"
ANY = "any"

Truth = dict[str, tuple[list[str], list[str]]]


@dataclass
class Habits:
    """What a player likes to do, as weights."""

    transform: float = 0.4
    hand: float = 1.0
    top: float = 1.0
    under: float = 1.0
    use_symbols: float = 0.7
    seal: bool = False
    heap: bool = False
    """The tokens of the reserve are not told apart."""


HOARDERS = Habits(transform=0.9, hand=8.0, top=0.2, under=0.2)


@dataclass
class Card:
    face: str
    tokens: list[str] = field(default_factory=list)


class Table:
    def __init__(self, kit: Box, rng: random.Random, habits: Habits) -> None:
        self.kit, self.rng, self.habits = kit, rng, habits
        self.lines: list[str] = []
        self.truths: list[Truth] = []
        self.hands: dict[str, list[str]] = {"A": [], "B": []}
        self.decks = {seat: self._shuffled([card.id for card in kit.base]) for seat in "AB"}
        self.piles: dict[str, list[str]] = {"A": [], "B": []}
        self.columns: dict[str, list[list[Card]]] = {seat: [[], [], []] for seat in "AB"}
        self.elites = {
            animal: self._shuffled(
                [e.id for e in kit.elites if e.animal == animal for _ in range(e.copies)]
            )
            for animal in kit.animals
        }
        self.shown: dict[str, str] = {}
        self.venerables = [
            *self._shuffled([card.id for card in kit.venerables if card.back == "plain"]),
            *self._shuffled([card.id for card in kit.venerables if card.back == "red"]),
        ]
        self.display: list[str] = []
        values = [kind.value for kind in kit.tokens for _ in range(kind.count)]
        self.values = {f"t{n}": v for n, v in enumerate(self._shuffled(values), start=1)}
        self.reserve = list(self.values)
        self.letters = iter("uwxyz")
        self.discard: list[str] = []
        self.control: list[str | None] = [None, None, None]
        self.first = rng.choice("AB")
        self.groves = self._shuffled(list(kit.animals))
        self.winners: tuple[str, ...] = ()

    def _shuffled(self, cards: list[str]) -> list[str]:
        return self.rng.sample(cards, len(cards))

    def say(self, line: str) -> None:
        self.lines.append(line)
        self.truths.append({s: (sorted(self.hands[s]), list(self.decks[s])) for s in "AB"})

    def spirit(self, face: str) -> Spirit:
        return self.kit.spirits[face]

    # the game

    def play(self) -> Table:
        readings = " readings token_tracking=heap" if self.habits.heap else ""
        self.say(f"table A=black B=green first {self.first}{readings}")
        self.say(f"groves {' '.join(self.groves)}")
        for animal in self.kit.animals:
            self._show_elite(animal)
        self._show_venerables()
        for seat in "AB":
            self._draw(seat)
        for seat, label in zip("AB", self.rng.sample(self.reserve, 2), strict=True):
            self._look(seat, label)
        for number in range(1, 5):
            self._turns()
            if self._resolve():
                return self
            if number < 4:
                self._prepare()
        self._count()
        return self

    def _turns(self) -> None:
        other = "B" if self.first == "A" else "A"
        for turn, side in enumerate(ORDER):
            seat = self.first if side == "F" else other
            if not self.hands[seat]:
                self.say(f"{seat} pass")
            elif self.rng.random() < self.habits.transform:
                self._transform(seat)
            else:
                self._invoke(seat, turn // 2)
        self.first = other if ORDER[-1] == "S" else self.first

    def _draw(self, seat: str) -> None:
        drawn, self.decks[seat] = self.decks[seat][:4], self.decks[seat][4:]
        self.hands[seat] += drawn
        if drawn:
            self.say(f"{seat} draw {len(drawn)}{self._sealed(self._shuffled(drawn))}")

    def _sealed(self, words: list[str]) -> str:
        return f" sealed {' '.join(words)}" if self.habits.seal and words else ""

    def _look(self, seat: str, label: str) -> None:
        named = "any" if self.habits.heap else label
        self.say(f"{seat} look {named}{self._sealed([self.values[label]])}")

    def _show_elite(self, animal: str) -> None:
        self.shown.pop(animal, None)
        if self.elites[animal]:
            self.shown[animal] = self.elites[animal].pop()
            self.say(f"elite {self.shown[animal]}")

    def _show_venerables(self) -> None:
        self.display, self.venerables = self.venerables[:3], self.venerables[3:]
        self.say(f"venerables {' '.join(self.display)}")

    # turns

    def _invoke(self, seat: str, grove: int) -> None:
        face = self.rng.choice(self.hands[seat])
        self.hands[seat].remove(face)
        self.columns[seat][grove].append(Card(face))
        self.say(f"{seat} invoke {face}")
        ruse, arcane = self.spirit(face).ruse, self.spirit(face).arcane
        while ruse or (arcane and self.reserve):
            if self.rng.random() > self.habits.use_symbols:
                self.say(f"{seat} end")
                return
            if ruse and (not (arcane and self.reserve) or self.rng.random() < 0.5):
                ruse -= 1
                self._ruse(seat)
            else:
                arcane -= 1
                self._arcane(seat)

    def _reference(self, seat: str, owner: str, grove: int, place: int) -> str:
        column = self.columns[owner][grove]
        face = column[place].face
        nth = sum(card.face == face for card in column[: place + 1])
        side = "" if owner == seat else f"{owner}:"
        return f"{side}{face}@{grove + 1}" + (f"#{nth}" if nth > 1 else "")

    def _ruse(self, seat: str) -> None:
        spots = [(g, p) for g in range(3) for p in range(len(self.columns[seat][g]))]
        grove, place = self.rng.choice(spots)
        to = 1 if grove != 1 else self.rng.choice((0, 2))
        reference = self._reference(seat, seat, grove, place)
        self.columns[seat][to].append(self.columns[seat][grove].pop(place))
        self.say(f"{seat} ruse {reference} to {to + 1}")

    def _arcane(self, seat: str) -> None:
        targets = [
            (owner, grove, place)
            for owner in "AB"
            for grove in range(3)
            for place, card in enumerate(self.columns[owner][grove])
            if owner == seat or self.spirit(card.face).kind != "venerable"
        ]
        owner, grove, place = self.rng.choice(targets)
        label = self._token()
        self.reserve.remove(label)
        reference = self._reference(seat, owner, grove, place)
        self.columns[owner][grove][place].tokens.append(label)
        self._new_reserve()
        self.say(f"{seat} arcane {'any' if self.habits.heap else label} to {reference}")

    def _token(self) -> str:
        """Any of the reserve; from a heap it gets the last label, whichever it is."""
        label = self.rng.choice(self.reserve)
        if not self.habits.heap:
            return label
        last = self.reserve[-1]
        self.values[last], self.values[label] = self.values[label], self.values[last]
        return last

    def _new_reserve(self) -> None:
        if not self.reserve and self.discard:
            letter = next(self.letters)
            mixed = self._shuffled(self.discard)
            fresh = {f"{letter}{n}": v for n, v in enumerate(mixed, start=1)}
            self.values.update(fresh)
            self.reserve, self.discard = list(fresh), []

    def _transform(self, seat: str) -> None:
        face = self.rng.choice(self.hands[seat])
        side = self.rng.choice(("left", "right"))
        self.hands[seat].remove(face)
        self.say(f"{seat} transform {face} {side}")
        card = self.spirit(face)
        under = self.spirit(self.piles[seat][-1]) if self.piles[seat] else self.kit.druids[0]
        pairs = (card.right, under.left) if side == "left" else (card.left, under.right)
        completed = [animal for animal in pairs[0] if animal in pairs[1]]
        for animal in self._shuffled(list(completed)):
            if animal in self.shown:
                self._recruit(seat, animal, ("hand", "top", "under"))
        self.piles[seat].append(face)

    def _recruit(self, seat: str, animal: str, places: tuple[str, ...]) -> None:
        weights = [getattr(self.habits, place) for place in places]
        place = self.rng.choices(places, weights)[0]
        face = self.shown[animal]
        if place == "hand":
            self.hands[seat].append(face)
        else:
            self.decks[seat].insert(0 if place == "top" else len(self.decks[seat]), face)
        self.say(f"{seat} recruit {animal} {place}")
        self._show_elite(animal)

    # the end of a round

    def _resolve(self) -> bool:
        for seat in self._shuffled(["A", "B"]):
            hand = self._shuffled(self.hands[seat])
            self.hands[seat] = []
            self.decks[seat] += hand
            if hand:
                self.say(f"{seat} stow {len(hand)}{self._sealed(hand)}")
        for grove in range(3):
            self._reveal(grove)
            totals = {seat: self._strength(seat, grove) for seat in "AB"}
            if totals["A"] == totals["B"]:
                continue
            winner = max("AB", key=lambda seat: totals[seat])
            self.control[grove] = winner
            if self.control == [winner] * 3:
                self.winners = (winner,)
                return True
            self._take(winner, grove)
        for card in self._all_cards():
            self.discard += [self.values[label] for label in card.tokens]
            card.tokens.clear()
        self._new_reserve()
        return False

    def _all_cards(self) -> Iterator[Card]:
        for seat in "AB":
            for column in self.columns[seat]:
                yield from column

    def _reveal(self, grove: int) -> None:
        for seat in "AB":
            for card in self.columns[seat][grove]:
                for label in card.tokens:
                    self.say(f"reveal {label} {self.values[label]}")
        for seat in "AB":
            for card in list(self.columns[seat][grove]):
                if any(self.values[label] == "destroy" for label in card.tokens):
                    self._remove(seat, grove, card)

    def _remove(self, seat: str, grove: int, card: Card) -> None:
        self.discard += [self.values[label] for label in card.tokens]
        self.columns[seat][grove] = [c for c in self.columns[seat][grove] if c is not card]

    def _strength(self, seat: str, grove: int) -> int:
        column = self.columns[seat][grove]
        elders = sum(self.spirit(card.face).kind == "venerable" for card in column)
        pile = self.piles[seat]
        total = 0
        for card in column:
            spirit = self.spirit(card.face)
            total += elders if isinstance(spirit.strength, str) else spirit.strength
            total += sum(int(self.values[label]) for label in card.tokens)
            if spirit.animal is not None:
                total += spirit.animal == self.groves[grove]
                total += bool(pile) and spirit.animal == self.spirit(pile[-1]).animal
        return total

    def _take(self, seat: str, grove: int) -> None:
        face = self.rng.choice(self.display)
        self.display.remove(face)
        self.say(f"{seat} take {face}")
        column = self.columns[seat][grove]
        plain = [p for p, c in enumerate(column) if self.spirit(c.face).kind != "venerable"]
        if plain:
            place = self.rng.choice(plain)
            old = column[place]
            nth = sum(card.face == old.face for card in column[: place + 1])
            self.discard += [self.values[label] for label in old.tokens]
            column[place] = Card(face)
            self.say(f"{seat} replace {old.face}" + (f"#{nth}" if nth > 1 else ""))
        else:
            column.append(Card(face))
        for effect in self._shuffled(list(self.spirit(face).effects)):
            self._effect(seat, grove, effect)

    def _effect(self, seat: str, grove: int, effect: str) -> None:
        if effect == "look":
            self._new_reserve()
            if self.reserve:
                self._look(seat, self.rng.choice(self.reserve))
        elif effect == "recruit" and self.shown:
            self._recruit(seat, self.rng.choice(sorted(self.shown)), ("top", "under"))
        elif effect == "bottom" and self.decks[seat]:
            face = self.decks[seat].pop()
            self.columns[seat][grove].append(Card(face))
            self.say(f"{seat} bottom {face}")

    def _prepare(self) -> None:
        self.control = [None, None, None]
        self._show_venerables()
        for seat in "AB":
            self._draw(seat)

    def _count(self) -> None:
        points = {seat: self._domination(seat) for seat in "AB"}
        piles = {seat: len(self.piles[seat]) for seat in "AB"}
        best = max("AB", key=lambda seat: (points[seat], piles[seat]))
        shared = points["A"] == points["B"] and piles["A"] == piles["B"]
        self.winners = ("A", "B") if shared else (best,)

    def _domination(self, seat: str) -> int:
        total = 0
        for column in self.columns[seat]:
            spirits = [self.spirit(card.face) for card in column]
            for spirit in spirits:
                if spirit.domination == "per_venerable_in_column":
                    total += sum(other.kind == "venerable" for other in spirits)
                elif spirit.domination == "per_animal_in_column":
                    total += len({other.animal for other in spirits} - {None})
                else:
                    total += int(spirit.domination)
        if self.piles[seat]:
            total += int(self.spirit(self.piles[seat][-1]).domination)
        return total


# the exhaustive check: every arrangement there can be, one by one


Arrangement = tuple[tuple[str, ...], tuple[str, ...]]
TOO_MANY = 3_000


class TooMany(Exception):
    """More arrangements than an exhaustive check can go through."""


class Exhaustive:
    """Follows a log line by line; a seat without an arrangement proves it wrong."""

    def __init__(self, kit: Box) -> None:
        self.kit = kit
        self.shown: dict[str, str] = {}
        self.seen: set[tuple[str, str]] = set()
        start: Arrangement = ((), (ANY,) * len(kit.base))
        self.arrangements: dict[str, set[Arrangement]] = {"A": {start}, "B": {start}}

    def follow(self, line: str) -> bool:
        """Whether the line is possible."""
        words = line.split(" sealed ")[0].split()
        if words[0] == "elite":
            self.shown[self.kit.spirits[words[1]].animal or ""] = words[1]
        if words[0] == "reveal" or words[1] == "take":
            return all(not hand for held in self.arrangements.values() for hand, _ in held)
        if words[0] not in ("A", "B"):
            return True
        seat, verb, *rest = words
        before = self.arrangements[seat]
        after: set[Arrangement] = before
        if verb == "draw":
            n = int(rest[0])
            after = {(_hand(h, *d[:n]), d[n:]) for h, d in before if len(d) >= n}
        elif verb == "recruit":
            face, place = self.shown[rest[0]], rest[1]
            after = {_placed(h, d, face, place) for h, d in before}
        elif verb == "stow":
            fits = [(h, d) for h, d in before if len(h) == int(rest[0])]
            after = {((), (*d, *order)) for h, d in fits for order in _orders(h)}
        elif verb in ("invoke", "transform"):
            card = self._known(seat, rest[0])
            after = {(_less(h, card), d) for h, d in before if card in h}
        elif verb == "pass":
            after = {(h, d) for h, d in before if not h}
        elif verb == "bottom":
            card = self._known(seat, rest[0])
            after = {(h, d[:-1]) for h, d in before if d[-1:] == (card,)}
        if len(after) > TOO_MANY:
            raise TooMany
        self.arrangements[seat] = after
        return bool(after)

    def _known(self, seat: str, face: str) -> str:
        """A base Spirit is seen once only."""
        if face not in self.kit.base_faces:
            return face
        fresh = (seat, face) not in self.seen
        self.seen.add((seat, face))
        return ANY if fresh else "seen before"


def _hand(*cards: str | tuple[str, ...]) -> tuple[str, ...]:
    held, *drawn = cards
    return tuple(sorted((*held, *map(str, drawn))))


def _less(hand: tuple[str, ...], card: str) -> tuple[str, ...]:
    place = hand.index(card)
    return hand[:place] + hand[place + 1 :]


def _orders(hand: tuple[str, ...]) -> set[tuple[str, ...]]:
    if len(hand) > 7:
        raise TooMany
    return set(permutations(hand))


def _placed(hand: tuple[str, ...], deck: tuple[str, ...], face: str, place: str) -> Arrangement:
    if place == "hand":
        return _hand(hand, face), deck
    return hand, ((face, *deck) if place == "top" else (*deck, face))
