"""What may come next: the legal actions, the words that complete a line, and what lies on trays."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import comb, perm
from typing import Generic, NamedTuple

from pydantic import ValidationError

from engines.kernel.engine.action_text import ActionText
from engines.kernel.engine.contract import Choice, K, S, Setting
from engines.kernel.engine.judge import AT_ANY_TIME, Judge
from engines.kernel.messages.catalogue import Catalogue, Language, normalize
from engines.kernel.messages.errors import beyond_limits
from engines.kernel.notation.usage import Usage
from engines.kernel.rules.actions import MANY, Action, Audit, Opening, Tray
from engines.kernel.rules.agenda import Duty
from engines.kernel.rules.hearing import LegalityDecided, Refused
from engines.kernel.rules.rulebook import Rulebook
from engines.kernel.values.secret import Unknowable

MOST_CANDIDATES = 3000
"""So many actions of one kind are tried for one duty: where a table could do more, as with a number
gone wrong, they are not enumerated."""


class _Offer(NamedTuple):
    """The candidates of one kind for a duty; ``None`` where they cannot be enumerated."""

    seat: str | None
    action_type: type[Action]
    candidates: list[Action] | None


def _unlisted(offers: Iterable[_Offer]) -> list[tuple[str | None, type[Action]]]:
    open_ended = ((seat, kind) for seat, kind, candidates in offers if candidates is None)
    return list(dict.fromkeys(open_ended))


class Options(Generic[S, K]):
    """Enumerates what may be done next, by judging the candidates that the game offers.

    Where actions are too open or too many to be enumerated, their lines are completed word by word.
    """

    def __init__(
        self, judge: Judge[S, K], rules: Rulebook, text: ActionText, words: Catalogue
    ) -> None:
        self._judge = judge
        self._rules = rules
        self._text = text
        self._words = words

    def __call__(self, setting: Setting[K], state: S) -> list[Action]:
        """Every legal next action that can be enumerated, in the order of the duties."""
        return self._legal(setting, state, self._offers(setting, state))

    def _offers(self, setting: Setting[K], state: S) -> Iterator[_Offer]:
        """What the game offers for each duty, before anything of it is judged."""
        for duty in state.agenda.duties:
            for action_type in self._rules.duties.get(duty.kind, ()):
                try:
                    offered = [*self._candidates(setting, state, duty, action_type)]
                except _NotEnumerable:
                    yield _Offer(duty.seat, action_type, None)
                else:
                    yield _Offer(duty.seat, action_type, offered)

    def _legal(self, setting: Setting[K], state: S, offers: Iterable[_Offer]) -> list[Action]:
        legal: dict[Action, None] = {}
        for _, action_type, offered in offers:
            if offered:
                legal |= dict.fromkeys(self._allowed(setting, state, action_type, offered))
        return list(legal)

    def after_silence(self, setting: Setting[K], state: S) -> list[Action]:
        """Actions that are legal only after an implicit end, which they then imply."""
        ends = self._judge.unsaid(setting, state)
        now = self(setting, state) if ends else ()
        later = (action for end in ends for action in self(setting, end))
        return list(dict.fromkeys(action for action in later if action not in now))

    def _allowed(
        self,
        setting: Setting[K],
        state: S,
        action_type: type[Action],
        candidates: Iterable[Action],
    ) -> Iterator[Action]:
        """The legal candidates of one action type for a duty, with their seat filled in.

        The duty is looked up once per seat, not once per candidate: there may be hundreds.
        """
        trial, reducer = self._judge.probe(setting), self._rules.reducers.get(action_type)
        asked: str | None = ""
        owed, before = None, state
        for action in candidates:
            if action.by != asked:
                asked = action.by if action.by or self._nobodys(state, action_type) else ""
                duty_met, action = self._judge.owed(setting, state, action)
                if duty_met is not owed:
                    owed = duty_met
                    before = self._judge.fulfilled(state, owed, state.last_seat)
            try:
                if owed is None or reducer is None:
                    self._judge.reduced(setting, before, action, owed, trial)
                else:
                    reducer(before, action, trial)
            except (LegalityDecided, Unknowable):  # nobody may call illegal what he cannot know
                pass
            except Refused:
                continue
            yield action

    def _candidates(
        self, setting: Setting[K], state: S, duty: Duty, action_type: type[Action]
    ) -> Iterator[Action]:
        """What the game offers of one action type, as far as it can be told from what is not
        hidden. Raises ``_NotEnumerable`` where there is no offer, or more than
        ``MOST_CANDIDATES``."""
        offer = self._rules.offered.get(action_type)
        if offer is None or not action_type.enumerable:
            raise _NotEnumerable
        try:
            for number, action in enumerate(offer(state, duty.seat, setting)):
                if number >= MOST_CANDIDATES:
                    raise _NotEnumerable
                if type(action) is action_type:
                    yield action
        except Unknowable:
            return
        except ValidationError as error:  # more than a line can say
            if beyond_limits(error):
                raise _NotEnumerable from None
            raise

    def _nobodys(self, state: S, action_type: type[Action]) -> bool:
        """Whether none of the duties that such an action fulfils belongs to a seat."""
        kinds = self._rules.kinds.get(action_type, AT_ANY_TIME)
        return not any(duty.seat for duty in state.agenda.duties if duty.kind in kinds)

    def due(self, setting: Setting[K], state: S) -> list[tuple[Duty, tuple[str, ...]]]:
        """What must or can be done now, and the verbs that do it."""
        due = []
        for duty in state.agenda.duties:
            verbs = tuple(
                action_type.verb_of()
                for action_type in self._rules.duties.get(duty.kind, ())
                if self._can_be_done(setting, state, duty, action_type)
            )
            if verbs or not duty.optional:
                due.append((duty, verbs))
        return due

    def _can_be_done(
        self, setting: Setting[K], state: S, duty: Duty, action_type: type[Action]
    ) -> bool:
        """Whether one of the offered actions is legal, or they cannot be enumerated."""
        try:
            offered = self._candidates(setting, state, duty, action_type)
            return any(self._allowed(setting, state, action_type, offered))
        except _NotEnumerable:
            return True

    def verbs_of(self, duty: Duty) -> tuple[str, ...]:
        """Every verb that may fulfil such a duty."""
        return tuple(kind.verb_of() for kind in self._rules.duties.get(duty.kind, ()))

    def unlisted(self, setting: Setting[K], state: S) -> list[tuple[str | None, type[Action]]]:
        """Seat and type of the due actions that cannot be enumerated."""
        return _unlisted(self._offers(setting, state))

    # lines, word by word

    def choices(
        self, setting: Setting[K], state: S, prefix: str = "", lang: Language = "en"
    ) -> list[Choice]:
        """The completions after the words typed so far.

        They are in the language in which the line was begun.
        """
        typed = [normalize(word) for word in prefix.split()]
        choices = self._choices(setting, state, typed, lang)
        return choices or (self._choices(setting, state, typed, "en") if lang != "en" else [])

    def _choices(
        self, setting: Setting[K], state: S, typed: list[str], lang: Language
    ) -> list[Choice]:
        later = self._judge.unsaid(setting, state)
        seats = {seat for moment in (state, *later) for seat in moment.agenda.seats}
        named = bool(typed) and typed[0] in map(normalize, seats)
        with_seat = named or len(state.agenda.seats) > 1
        lines = self.lines(setting, state, typed, with_seat=with_seat, lang=lang)
        for after in later:
            lines += self.lines(setting, after, typed, with_seat=True, lang=lang)
        lines += [(words, 0) for words in self._audit_lines(setting, state, typed)]
        choices: dict[str, Choice] = {}
        for words, listed in lines:
            if (
                len(words) <= len(typed)
                or [normalize(word) for word in words[: len(typed)]] != typed
            ):
                continue
            word = words[len(typed)]
            known = choices.get(word, Choice(word, False, 0))
            ends_here = bool(listed) and len(words) == len(typed) + 1
            choices[word] = Choice(word, known.complete or ends_here, known.options + listed)
        return list(choices.values())

    def uses(self, setting: Setting[K], state: S, word: str) -> dict[type[Action], bool]:
        """The actions in whose lines a word names a thing, and whether it is all that they need."""
        notation, found = self._text.notation, dict[type[Action], bool]()
        for action_type in notation.grammars:
            if issubclass(action_type, Opening | Audit):
                continue
            for field in notation.filled_by(action_type, word):
                fill = self._rules.filled.get((action_type, field))
                if fill is None or word in fill(state, setting):
                    line = f"{action_type.verb_of()} {word}"
                    found[action_type] = not action_type.bare and notation.reads(line)
        return found

    def fitting(self, setting: Setting[K], state: S, text: str, misfit: str | None) -> list[str]:
        """Replacements for a word that does not fit; completions behind it, if no word is wrong."""
        words = self._text.notation.in_its_own_words(text.split())
        if misfit is not None:
            if misfit not in words[1:]:
                return []
            words = words[: words.index(misfit, 1)]
        return [choice.word for choice in self.choices(setting, state, " ".join(words))]

    def lines(
        self,
        setting: Setting[K],
        state: S,
        typed: list[str],
        *,
        with_seat: bool,
        lang: Language = "en",
    ) -> list[tuple[list[str], int]]:
        """The words of every line that is due, and whether it is a whole action."""
        offers = [*self._offers(setting, state)]
        lines = [
            (self._text(action, lang).split()[not with_seat and action.by is not None :], 1)
            for action in self._legal(setting, state, offers)
        ]
        for seat, action_type in _unlisted(offers):
            said_by = [seat] if seat and with_seat else []
            lines += [
                ([*said_by, *words], 0)
                for words in self.begun(setting, state, action_type, typed[len(said_by) :], lang)
            ]
        return lines

    def begun(
        self,
        setting: Setting[K],
        state: S,
        action_type: type[Action],
        typed: list[str],
        lang: Language = "en",
    ) -> Iterator[list[str]]:
        """The one-word continuations of an action that is too open to be enumerated."""
        if not typed or typed[0] not in map(
            normalize, (action_type.verb_of(), *action_type.french)
        ):
            yield [self._text.verb_in(action_type.verb_of(), lang)]
            return
        for part in self._text.notation.expected(action_type, typed[1:]):
            fill = self._rules.filled.get((action_type, part.field))
            words = fill(state, setting) if fill else part.words
            yield from ([*typed, word] for word in words)

    def _audit_lines(self, setting: Setting[K], state: S, typed: list[str]) -> Iterator[list[str]]:
        """Lines of everything that can be audited; only listed once an audit verb is typed."""
        if not typed or typed[0] not in (Audit.verb_of(), *Audit.french):
            return
        lang: Language = "fr" if typed[0] in Audit.french else "en"
        for subject in self._rules.audits.usages:
            filled = subject.filled(state, setting, setting.seats, self._words, lang)
            yield from ([typed[0], *words] for words in filled)

    def templates(self, setting: Setting[K], state: S) -> list[tuple[str | None, Usage]]:
        """Seat and form of the actions due now that cannot be listed."""
        return [
            (seat, usage)
            for seat, action_type in self.unlisted(setting, state)
            for usage in self._text.notation.usages(action_type)
        ]

    # trays

    def trays(self, setting: Setting[K], state: S) -> list[tuple[type[Action], Tray]]:
        """What lies ready to be laid now, by the kind of action that lays it.

        That is what is nobody's to decide and open to all: chance, or what lies on the table.
        A game says what is on a tray (``rules.lays``); else it is made from the words that fill
        the fields, or from the lines that are listed.
        """
        kinds = dict.fromkeys(
            kind
            for duty in state.agenda.duties
            if duty.seat is None
            for kind in self._rules.duties.get(duty.kind, ())
            if kind.observes and not kind.private
        )
        trays = ((kind, self._tray(kind, setting, state)) for kind in kinds)
        return [(kind, tray) for kind, tray in trays if tray is not None and tray.things]

    def _tray(self, kind: type[Action], setting: Setting[K], state: S) -> Tray | None:
        if (lay := self._rules.trays.get(kind)) is not None:
            return lay(state, setting)
        if kind.enumerable and kind in self._rules.offered:
            return self._tray_of_lines(kind, setting, state)
        return self._tray_of_fields(kind, setting, state)

    def _tray_of_lines(self, kind: type[Action], setting: Setting[K], state: S) -> Tray | None:
        """The listed lines, where each is a verb and one thing; or so many of all things that are
        there, in this order or in any."""
        listed = [action for action in self(setting, state) if type(action) is kind]
        lines = [self._text(action).split() for action in listed]
        verbs = {words[0] for words in lines}
        if len({len(words) for words in lines}) != 1 or verbs != {kind.verb_of()}:
            return None
        things = dict.fromkeys(word for _, *words in lines for word in words)
        count = len(lines[0]) - 1
        if count == 1:
            return Tray(dict.fromkeys(things, MANY))
        all_of_them = (comb(len(things), count), perm(len(things), count))
        return Tray(dict.fromkeys(things, 1), size=count) if len(lines) in all_of_them else None

    def _tray_of_fields(self, kind: type[Action], setting: Setting[K], state: S) -> Tray | None:
        """The words of a place and of one thing on it, where the game fills in both."""
        fills = {field: fill for (of, field), fill in self._rules.filled.items() if of is kind}
        places = fills.pop(kind.in_order, None)
        form = "{" + kind.in_order + "} {" + next(iter(fills), "") + "}"
        if places is None or len(fills) != 1 or form not in kind.forms:
            return None
        (things,) = fills.values()
        return Tray(dict.fromkeys(things(state, setting), MANY), tuple(places(state, setting)))


class _NotEnumerable(Exception):
    """There is no list of candidates, or it is longer than what is tried."""
