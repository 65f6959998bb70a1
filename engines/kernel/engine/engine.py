"""The engine: one game's rulebook, kit, notation and faces behind one object."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from functools import cached_property
from types import ModuleType
from typing import TYPE_CHECKING, Annotated, Any, Generic, NamedTuple, TypeVar, Union

from msgspec import Struct, field
from pydantic import Field, TypeAdapter, ValidationError

from engines.kernel.box.kit import Kit, KitSheet
from engines.kernel.messages.catalogue import (
    Catalogue,
    Language,
    Phrase,
    Speech,
    Verbatim,
    normalize,
)
from engines.kernel.messages.errors import Flaw, ParseError, close_to, first_mistake, hint
from engines.kernel.messages.package_data import catalogue, kit_files, read_tables
from engines.kernel.notation.reader import Notation, Usage
from engines.kernel.rules.actions import Action, Audit, Opening
from engines.kernel.rules.agenda import GO_ON, Duty, Step
from engines.kernel.rules.audit import as_understood, shown
from engines.kernel.rules.clauses import Clause, Reading, read_clauses, read_readings
from engines.kernel.rules.hearing import (
    Hearing,
    LegalityDecided,
    LegalityProbe,
    Outcome,
    Point,
    Refused,
    Verdict,
)
from engines.kernel.rules.holdings import Holdings, Moves, moves
from engines.kernel.rules.rulebook import Rulebook
from engines.kernel.rules.sealed import Moment, SealCheck
from engines.kernel.rules.state import State, to_plain
from engines.kernel.values.models import lost_without_null
from engines.kernel.values.structs import evolve

if TYPE_CHECKING:
    from engines.kernel.box.guide import Guide
    from engines.kernel.picture.layout import News, Sheet
    from engines.kernel.picture.svg import Picture, Shape

S = TypeVar("S", bound=State)
K = TypeVar("K", bound=Kit)

_STEPS_AT_ONCE = 10_000
_BOXES_KEPT = 16
_AT_ANY_TIME = ("",)
_new = tuple.__new__
"""Makes a named tuple of a tuple: half the time of calling its class."""


class Setting(Struct, Generic[K], frozen=True):
    """What a game pins when it opens: the box, every reading, the house rules."""

    kit: K
    readings: Mapping[str, str]
    house_rules: frozenset[str] = frozenset()
    sheet: KitSheet = field(default_factory=lambda: KitSheet({}))
    seats: tuple[str, ...] = ()

    def reading(self, name: str, /) -> str:
        return self.readings[name]


class Judgement(NamedTuple, Generic[S]):
    """An action as it was understood, what the referee says of it, and where it leads.

    ``state`` is the state before the action if it was refused.
    """

    action: Action
    verdict: Verdict
    state: S
    accepted: bool


class Result(Struct, frozen=True):
    """How a game ended: seats by place (several in one place are tied), and the clause."""

    places: tuple[tuple[str, ...], ...]
    clause: str
    scores: Mapping[str, int] = field(default_factory=dict)
    how: str | None = None
    """A key of the game's words."""
    won: bool | None = None
    """For cooperative games: whether the table won."""
    ranked: bool = True
    """Whether there is a ranking behind the winner."""

    @property
    def told(self) -> tuple[tuple[str, ...], ...]:
        """The places that the rules give."""
        return self.places if self.ranked else self.places[:1]


class Choice(NamedTuple):
    """One word that may come next, and whether the line is complete with it."""

    word: str
    complete: bool
    options: int
    """How many whole actions go on with this word; 0 for a template."""


class Faces(Struct, Generic[S, K], frozen=True):
    """How a table is shown.

    ``describe(state, setting, speech)`` gives lines of words, ``picture(state, setting, speech,
    last)`` a picture with ``last``, the last action, highlighted: of one shape, or a sheet of parts
    that lie below or beside each other. ``card_key(setting, speech)``
    pictures which component has which code. Each is handed the game's words in one language;
    who asks the engine names the language instead.
    """

    describe: Callable[[S, Setting[K], Speech], list[str]]
    picture: Callable[[S, Setting[K], Speech, Action | None], Picture | Sheet]
    card_key: Callable[[Setting[K], Speech], Picture] | None = None


class Positions(Struct, Generic[S, K], frozen=True):
    """The action that declares a whole state, and ``of(state, setting)`` that would declare it."""

    action: type[Action]
    of: Callable[[S, Setting[K]], Action]

    def __post_init__(self) -> None:
        if lost := lost_without_null(self.action):
            raise TypeError(f"null, and not the default, cannot be declared: {', '.join(lost)}")


class Secrecy(Struct, Generic[S, K], frozen=True):
    """What is hidden, and what may be sealed.

    ``hide(state, viewer, setting)`` leaves out what a seat may not see, and gives back the very
    same state where nothing is hidden; ``private_facts`` are the facts of verdicts that would
    tell it all the same. ``sealed`` names what a seat may seal (a hand, a look) and how it is
    checked when it is opened.
    """

    hide: Callable[[S, str, Setting[K]], S] = lambda state, viewer, setting: state
    private_facts: tuple[str, ...] = ()
    sealed: Mapping[str, SealCheck] = field(default_factory=dict)


class Engine(Generic[S, K]):
    """A game. All of its functions are pure; one engine serves any number of tables.

    ``chapters`` are the modules in which the rulebook is written, where that is not the
    package itself. ``balance(state, setting)`` gives the differences from the conservation
    laws (none, if all is well), ``holdings`` who has what: so the engine tells what moved.
    ``guide()`` leads a club through its own box. ``bgg`` is the number under which BoardGameGeek
    lists the game, where somebody has looked it up.
    """

    def __init__(
        self,
        *,
        id: str,
        package: str,
        version: str,
        edition: str,
        seats: tuple[int, int],
        kit: type[K],
        opening: type[Opening],
        actions: Iterable[type[Action]],
        rules: Rulebook,
        chapters: Iterable[ModuleType] = (),
        result: Callable[[S], Result | None],
        balance: Callable[[S, Setting[K]], Mapping[str, int]] = lambda state, setting: {},
        holdings: Holdings | None = None,
        positions: Positions[S, K] | None = None,
        faces: Faces[S, K],
        secrecy: Secrecy[S, K] | None = None,
        guide: Callable[[], Guide[K]] | None = None,
        bgg: int | None = None,
    ) -> None:
        self.id = id
        self.bgg = bgg
        self.package = package
        self.version = version
        self.edition = edition
        self.seats = seats
        self.kit_model = kit
        self.opening = opening
        self.actions: tuple[type[Action], ...] = (*actions, Audit)
        self.rules = rules.written_in(package, *(chapter.__name__ for chapter in chapters))
        self.result = result
        self.balance = balance
        self._holdings = holdings or Holdings()
        self.position = None if positions is None else positions.action
        self.position_of = None if positions is None else positions.of
        self._describe = faces.describe
        self._picture = faces.picture
        self._card_key = faces.card_key
        self._guide = guide
        secrecy = secrecy or Secrecy()
        self.hide = secrecy.hide
        self.private_facts = frozenset(secrecy.private_facts)
        self.sealed = dict(secrecy.sealed)
        self._boxes: dict[str, K] = {}

    def __repr__(self) -> str:
        return f"<engine {self.id} {self.version}>"

    # what is written about the game

    @cached_property
    def clauses(self) -> Mapping[str, Clause]:
        return read_clauses(read_tables(self.package, "clauses.toml"))

    @cached_property
    def readings(self) -> Mapping[str, Reading]:
        return read_readings(read_tables(self.package, "readings.toml"))

    @cached_property
    def reading_values(self) -> dict[str, tuple[str, ...]]:
        """What each reading may be, by name, the default first."""
        return {name: tuple(reading.values) for name, reading in self.readings.items()}

    @property
    def default_readings(self) -> dict[str, str]:
        """The readings of a table that says nothing about them."""
        return {name: default for name, (default, *_) in self.reading_values.items()}

    @cached_property
    def words(self) -> Catalogue:
        return catalogue(self.package)

    @cached_property
    def kits(self) -> dict[str, KitSheet]:
        return {name: KitSheet(kit) for name, kit in kit_files(self.package).items()}

    @cached_property
    def guide(self) -> Guide[K]:
        from engines.kernel.box.guide import Guide

        return Guide() if self._guide is None else self._guide()

    @cached_property
    def notation(self) -> Notation:
        return Notation((self.opening, *self.actions), self.words)

    @cached_property
    def adapter(self) -> TypeAdapter[Any]:
        """Knows stored actions, of whatever verb."""
        kinds: Any = Union[(self.opening, *self.actions)]
        return TypeAdapter(Annotated[kinds, Field(discriminator="verb")])

    @cached_property
    def _by_verb(self) -> dict[str, type[Action]]:
        return {kind.verb_of(): kind for kind in (self.opening, *self.actions)}

    @cached_property
    def _structure(self) -> Set[str]:
        return {name for name, clause in self.clauses.items() if clause.kind == "structure"}

    def edition_in(self, edition: str, lang: Language) -> str:
        """A recorded edition of the rules; one that is not ours is told as it was written."""
        ours = edition == self.edition and "edition" in self.words
        return self.words.say("edition", lang) if ours else edition

    # opening a table

    def setting(
        self,
        opening: Opening,
        sheet: KitSheet | None = None,
        house_rules: Iterable[str] = (),
    ) -> Setting[K]:
        """Everything that is pinned: readings not named have their default."""
        readings = self.default_readings
        for name, value in opening.readings.items():
            readings[name] = self.check_reading(name, value)
        for clause in house_rules:
            if clause not in self.clauses:
                raise ParseError("unknown_clause", clause=clause)
            if self.clauses[clause].kind not in ("rule", "effect"):
                raise ParseError("clause_stays", clause=clause)
        if sheet is None:
            sheet = self.kit_sheet(opening.kit)
        return Setting(
            self.read_kit(sheet), readings, frozenset(house_rules), sheet, tuple(opening.seats)
        )

    def check_reading(self, name: str, value: str) -> str:
        if name not in self.reading_values:
            near = close_to(name, self.reading_values)
            told = hint(near, self.reading_values)
            raise ParseError("unknown_reading", reading=Verbatim(name), near=near, hint=told)
        if value not in self.reading_values[name]:
            values = tuple(map(Verbatim, self.reading_values[name]))
            raise ParseError("unknown_value", reading=name, value=Verbatim(value), values=values)
        return value

    def kit_sheet(self, name: str | None) -> KitSheet:
        if name is None:
            return next(iter(self.kits.values()))
        if name not in self.kits:
            raise ParseError("unknown_kit", kit=name, kits=tuple(self.kits))
        return self.kits[name]

    def read_kit(self, sheet: KitSheet) -> K:
        """The kit on a sheet: most games are played with one of a few boxes, read once."""
        told = repr(sheet.content)
        kit = self._boxes.get(told)
        if kit is None:
            kit = self._read_kit(sheet)
            if len(self._boxes) >= _BOXES_KEPT:
                self._boxes.clear()
            self._boxes[told] = kit
        return kit

    def _read_kit(self, sheet: KitSheet) -> K:
        try:
            return self.kit_model.read(sheet)
        except ValidationError as error:
            wrong = first_mistake(error, self.words)
            datum = wrong.place or str(sheet.content.get("kit"))
            raise ParseError("bad_kit", datum=datum, problem=wrong.problem) from None

    def stated(self, sheet: KitSheet, path: str, value: Any) -> tuple[str, Any]:
        """A datum of a box as people state it, as records have it."""
        return self.kit_model.stated(sheet, path, value)

    def read_whole_kit(self, sheet: KitSheet) -> K:
        """A kit that somebody brings now; records may hold some that nobody would take today."""
        kit = self.read_kit(sheet)
        try:
            kit.check_whole()
        except Flaw as flaw:
            problem = Phrase(f"{flaw.group}.{flaw.key}", flaw.facts, self.words)
            raise ParseError("bad_kit", datum=kit.kit, problem=problem) from None
        return kit

    def check_kit(self, sheet: KitSheet) -> tuple[Point, ...]:
        """What in a kit is not as the rulebook says."""
        rule: Hearing[K] = Hearing(self.read_kit(sheet), self.default_readings, lenient=True)
        self.rules.kit_check(rule.kit, rule)
        return rule.breaches

    def open(self, setting: Setting[K], opening: Opening, *, lenient: bool = False) -> Judgement[S]:
        """The first position. A refused opening leads to no state at all."""
        rule = self._hearing(setting, 0, lenient)
        try:
            self.rules.kit_check(setting.kit, rule)
            state = self._run_steps(self.rules.opening(opening, rule), rule)
        except ParseError as error:
            raise error.in_words_of(self.words) from None
        except Refused:
            nowhere: Any = None
            return Judgement(opening, rule.verdict(), nowhere, False)
        return Judgement(opening, rule.verdict(), state, True)

    # judging

    def judge(
        self,
        setting: Setting[K],
        state: S,
        action: Action,
        number: int = 0,
        *,
        lenient: bool = False,
    ) -> Judgement[S]:
        """Hear one action: strictly, or ``lenient`` as it happened at the table."""
        rule = self._hearing(setting, number, lenient)
        try:
            if type(action) is Audit:
                return self._audited(setting, state, action, rule)
            before = state
            duty, action = self._owed(setting, state, action)
            if duty is None:
                before, duty, action = self._understood(setting, state, action, rule)
            last = self._last_seat(before, action)
            before = self._fulfilled(before, duty, last)
            after = self._run_steps(self._reduced(setting, before, action, duty, rule), rule)
        except ParseError as error:
            if error.key == "which_seat":
                error.facts["seats"] = setting.seats
            raise error.in_words_of(self.words) from None
        except Refused:
            return Judgement(action, rule.verdict(), state, False)
        if type(action) is self.position:
            after = self._declared(setting, after)
            if not lenient and not self._goes_on(setting, after):
                stuck = Phrase("flaw.stuck")
                raise ParseError("bad_position", field=self._owing(after), problem=stuck)
        elif after.last_seat != last:
            after = evolve(after, last_seat=last)
        return _new(Judgement, (action, rule.verdict(), after, True))

    def _fulfilled(self, state: S, duty: Duty | None, last_seat: str | None) -> S:
        """The state in which this is no longer owed; a flow keeps no account of it."""
        if duty is None or self.rules.flow is not None:
            return state
        return evolve(state, agenda=state.agenda.fulfil(duty), last_seat=last_seat)

    def _reduced(
        self, setting: Setting[K], state: S, action: Action, duty: Duty | None, rule: Hearing[K]
    ) -> S:
        """Where an action leads from a state in which its duty is fulfilled."""
        if duty is None and "" not in self.rules.kinds.get(type(action), _AT_ANY_TIME):
            if self._confirms_an_end(state, action):
                return state
            self._refuse_now(setting, state, action, rule)
        reducer = self.rules.reducers.get(type(action))
        if reducer is None:
            raise ParseError("not_of_this_game", verb=action.verb)
        after: S = reducer(state, action, rule)
        if self.rules.flow is not None and after.agenda is state.agenda and after is not state:
            return evolve(after, agenda=GO_ON)
        return after

    def _last_seat(self, state: S, action: Action) -> str | None:
        """Who is meant by a line that nobody owes, after this: who acted last, and did not end."""
        if action.by is None or action.observes:
            return state.last_seat
        return None if type(action) is self._end else action.by

    @cached_property
    def _end(self) -> type[Action] | None:
        return None if self.rules.unsaid is None else self.rules.unsaid.end

    def _confirms_an_end(self, state: S, action: Action) -> bool:
        """Whether an end says what has happened by itself: it was this seat's, and is over."""
        unsaid = self.rules.unsaid
        return (
            unsaid is not None
            and type(action) is unsaid.end
            and action.by is not None
            and action.by == state.last_seat
            and action.by not in (state.agenda.seats or (action.by,))
            and unsaid.over(state, action.by)
        )

    def _refuse_now(self, setting: Setting[K], state: S, action: Action, rule: Hearing[K]) -> None:
        """Nobody owes this action; it is heard only as it happened, and then somebody did it."""
        if self.rules.refuse_now(state, action, rule):
            return
        if not (rule.breaches or setting.house_rules):
            raise TypeError(f"not_now cites no clause for {action!r}")
        if action.by is None and not action.observes:
            raise ParseError("which_seat", seats=setting.seats)

    def _hearing(self, setting: Setting[K], number: int, lenient: bool) -> Hearing[K]:
        return Hearing(
            setting.kit, setting.readings, number, lenient, setting.house_rules, self._structure
        )

    def _trial(self, setting: Setting[K]) -> LegalityProbe[K]:
        return LegalityProbe(setting.kit, setting.readings, aside=setting.house_rules)

    def _understood(
        self, setting: Setting[K], state: S, action: Action, rule: Hearing[K]
    ) -> tuple[S, Duty | None, Action]:
        """An action that nobody owes: whoever is meant, and the state it is said in.

        Where no seat is said, whoever owes the action once what nobody ends aloud has ended;
        else whoever acted last. What chance brought to light is nobody's.
        """
        if "" in self.rules.kinds.get(type(action), _AT_ANY_TIME):
            return state, None, action
        later = self._after_silence(setting, state, action, rule)
        if later is not None:
            return later
        if action.by is None and not action.observes:
            due = state.agenda.seats
            seat = state.last_seat or (due[0] if len(due) == 1 else None)
            action = action.model_copy(update={"by": seat})
        return state, None, action

    def _owed(self, setting: Setting[K], state: S, action: Action) -> tuple[Duty | None, Action]:
        """The duty this action fulfils, and the action with the seat that owes it."""
        kinds, by = self.rules.kinds.get(type(action), _AT_ANY_TIME), action.by
        if by is not None:
            if setting.seats and by not in setting.seats:
                raise ParseError("no_such_seat", seat=by, seats=setting.seats)
            for duty in state.agenda.duties:
                if duty.kind in kinds and (duty.seat == by or duty.seat is None):
                    return duty, action
            return None, action
        due = [duty for duty in state.agenda.duties if duty.kind in kinds]
        if not due:
            return None, action
        duty = due[0]
        if len(due) > 1 and any(other.seat != duty.seat for other in due):
            duty = self._only_legal(setting, state, action, due)
        if duty.seat is not None and kinds != ("",):
            action = action.model_copy(update={"by": duty.seat})
        return duty, action

    def _only_legal(
        self, setting: Setting[K], state: S, action: Action, due: Sequence[Duty]
    ) -> Duty:
        """Of several seats that owe such an action, the one that can do this very one."""
        able: dict[str | None, Duty] = {}
        trial = self._trial(setting)
        for duty in due:
            meant = action.model_copy(update={"by": duty.seat})
            before = self._fulfilled(state, duty, state.last_seat)
            if self._is_legal(setting, before, meant, duty, trial):
                able.setdefault(duty.seat, duty)
        if len(able) != 1:
            seats = {duty.seat or "" for duty in due}
            raise ParseError("who", seats=tuple(sorted(seats)))
        return next(iter(able.values()))

    # silence

    def _after_silence(
        self, setting: Setting[K], state: S, action: Action, rule: Hearing[K]
    ) -> tuple[S, Duty | None, Action] | None:
        """An action that implies that something has ended, and the state in which it is said.

        ``rule`` hears the ends with it.
        """
        ends = self._hearing(setting, rule.number, True)
        later = state
        for later in self._ends_unsaid(setting, state, ends):
            duty, meant = self._owed(setting, later, action)
            if duty is not None:
                break
        else:
            if later is state or later.over or not self._comes_after(setting, state, action):
                return None
            duty, meant = None, action
        rule.join(ends)
        return later, duty, meant

    def _comes_after(self, setting: Setting[K], state: S, action: Action) -> bool:
        """Whether chance, though nobody owes it, is judged as if all before it had ended.

        What may be told all the same, before, ends nothing.
        """
        if not action.observes:
            return False
        return not self._is_legal(setting, state, action, None, self._trial(setting))

    def _ends_unsaid(self, setting: Setting[K], state: S, rule: Hearing[K]) -> Iterator[S]:
        """The states that silence leads to, one end after the other."""
        unsaid = self.rules.unsaid
        if unsaid is None or setting.reading(unsaid.reading) != unsaid.value:
            return
        kinds = self.rules.kinds[unsaid.end]
        for _ in range(_STEPS_AT_ONCE):
            owed = [duty for duty in state.agenda.duties if not duty.optional]
            if not owed or any(duty.kind not in kinds for duty in owed):
                return
            rule.reading(unsaid.reading)
            if not rule.effect(unsaid.clause, True, seat=owed[0].seat):
                return
            end = unsaid.end(by=owed[0].seat)  # type: ignore[call-arg]
            before = self._fulfilled(state, owed[0], state.last_seat)
            state = self._run_steps(self._reduced(setting, before, end, owed[0], rule), rule)
            yield state

    def unsaid(self, setting: Setting[K], state: S) -> tuple[S, ...]:
        """The states that silence leads to: what nobody needs to end aloud ends, one by one."""
        rule = self._hearing(setting, 0, True)
        ends = tuple(self._ends_unsaid(setting, state, rule))
        return () if rule.breaches else ends

    def said_by(self, setting: Setting[K], state: S, action: Action) -> str | None:
        """The seat that is meant, where it need not be said; none for what is nobody's action."""
        if isinstance(action, Audit):
            return action.by
        duty, meant = self._owed(setting, state, action)
        if duty is None:
            rule = self._hearing(setting, 0, True)
            meant = self._understood(setting, state, action, rule)[2]
        return meant.by

    def _audited(
        self, setting: Setting[K], state: S, action: Audit, rule: Hearing[K]
    ) -> Judgement[S]:
        """An audit, in the words of the game: it changes nothing."""
        audits = self.rules.audits
        asked = audits.understand(
            action, state, setting, setting.seats, self.words, strict=not rule.lenient
        )
        audits.hear(asked, state, rule)
        return Judgement(as_understood(action, asked), rule.verdict(), state, True)

    def traced(
        self,
        setting: Setting[K],
        audit: Audit,
        verdict: Verdict,
        moments: Sequence[Moment[S]],
    ) -> Verdict:
        """The verdict on an audit that differs, with the entries that touched what was counted.

        ``moments`` is all that counts before it, from the opening on.
        """
        return self.rules.audits.traced(audit, verdict, moments, setting, setting.seats, self.words)

    def _run_steps(self, state: S, rule: Hearing[K]) -> S:
        flow = self.rules.flow
        for _ in range(_STEPS_AT_ONCE):
            agenda = state.agenda
            if agenda is GO_ON and flow is not None:
                state = flow(state, rule)
                continue
            if not agenda or not isinstance(step := agenda[-1], Step):
                return state
            state = self.rules.steps[step.name](evolve(state, agenda=agenda.pop()), rule)
        raise RuntimeError(f"{self.id}: derived steps do not end")

    # what may come next

    def options(self, setting: Setting[K], state: S) -> list[Action]:
        """Every legal next action that can be listed, in the order of the duties."""
        found: dict[Action, None] = {}
        for duty in state.agenda.duties:
            for action_type in self.rules.duties.get(duty.kind, ()):
                found |= dict.fromkeys(self._allowed(setting, state, duty, action_type))
        return list(found)

    def options_in_silence(self, setting: Setting[K], state: S) -> list[Action]:
        """What may be said next as well, and ends in silence what stands before it."""
        ends = self.unsaid(setting, state)
        now = self.options(setting, state) if ends else ()
        later = (action for each in ends for action in self.options(setting, each))
        return list(dict.fromkeys(action for action in later if action not in now))

    def _allowed(
        self, setting: Setting[K], state: S, duty: Duty, action_type: type[Action]
    ) -> Iterator[Action]:
        """The legal ones of the candidates of a kind for a duty, with the seat that owes them.

        What they fulfil is asked once for all of the same seat, or of nobody, if no seat owes them.
        """
        offer = self.rules.offered.get(action_type)
        if offer is None or not action_type.enumerable:
            return
        trial, reducer = self._trial(setting), self.rules.reducers.get(action_type)
        asked: str | None = ""
        owed, before = None, state
        for action in offer(state, duty.seat, setting):
            if type(action) is not action_type:
                continue
            if action.by != asked:
                asked = action.by if action.by or self._nobodys(state, action_type) else ""
                found, action = self._owed(setting, state, action)
                if found is not owed:
                    owed, before = found, self._fulfilled(state, found, state.last_seat)
            try:
                if owed is None or reducer is None:
                    self._reduced(setting, before, action, owed, trial)
                else:
                    reducer(before, action, trial)
            except LegalityDecided:
                pass
            except Refused:
                continue
            yield action

    def _nobodys(self, state: S, action_type: type[Action]) -> bool:
        """Whether no seat owes what such an action may fulfil now."""
        kinds = self.rules.kinds.get(action_type, _AT_ANY_TIME)
        return not any(duty.seat for duty in state.agenda.duties if duty.kind in kinds)

    def _is_legal(
        self,
        setting: Setting[K],
        before: S,
        action: Action,
        duty: Duty | None,
        trial: LegalityProbe[K],
    ) -> bool:
        """Whether nothing refuses an action whose duty is fulfilled; derived steps never do."""
        try:
            self._reduced(setting, before, action, duty, trial)
        except LegalityDecided:
            return True
        except Refused:
            return False
        return True

    def due(self, setting: Setting[K], state: S) -> list[tuple[Duty, tuple[str, ...]]]:
        """What is owed now, or allowed and possible, and the verbs with which it can be done."""
        found = []
        for duty in state.agenda.duties:
            verbs = tuple(
                action_type.verb_of()
                for action_type in self.rules.duties.get(duty.kind, ())
                if action_type not in self.rules.offered
                or not action_type.enumerable
                or any(self._allowed(setting, state, duty, action_type))
            )
            if verbs or not duty.optional:
                found.append((duty, verbs))
        return found

    def verbs_of(self, duty: Duty) -> tuple[str, ...]:
        """Every verb that may fulfil such a duty."""
        return tuple(kind.verb_of() for kind in self.rules.duties.get(duty.kind, ()))

    def templates(self, state: S) -> list[tuple[str | None, Usage]]:
        """Seat and form of the actions due now that cannot be listed."""
        return [
            (seat, usage)
            for seat, action_type in self.unlisted(state)
            for usage in self.notation.usages(action_type)
        ]

    def unlisted(self, state: S) -> list[tuple[str | None, type[Action]]]:
        """What is due now and cannot be listed, and of whom."""
        found: dict[tuple[str | None, type[Action]], None] = {}
        for duty in state.agenda.duties:
            for action_type in self.rules.duties.get(duty.kind, ()):
                if not action_type.enumerable or action_type not in self.rules.offered:
                    found[duty.seat, action_type] = None
        return list(found)

    def choices(
        self, setting: Setting[K], state: S, prefix: str = "", lang: Language = "en"
    ) -> list[Choice]:
        """What may come next after the words typed so far, word by word.

        In the words of a language, where the line was begun in them.
        """
        typed = [normalize(word) for word in prefix.split()]
        found = self._choices(setting, state, typed, lang)
        return found or (self._choices(setting, state, typed, "en") if lang != "en" else [])

    def _choices(
        self, setting: Setting[K], state: S, typed: list[str], lang: Language
    ) -> list[Choice]:
        later = self.unsaid(setting, state)
        seats = {seat for each in (state, *later) for seat in each.agenda.seats}
        named = bool(typed) and typed[0] in map(normalize, seats)
        with_seat = named or len(state.agenda.seats) > 1
        lines = self.lines(setting, state, typed, with_seat=with_seat, lang=lang)
        for each in later:
            lines += self.lines(setting, each, typed, with_seat=True, lang=lang)
        lines += [(words, 0) for words in self._audit_lines(setting, state, typed)]
        found: dict[str, Choice] = {}
        for words, listed in lines:
            if (
                len(words) <= len(typed)
                or [normalize(word) for word in words[: len(typed)]] != typed
            ):
                continue
            word = words[len(typed)]
            known = found.get(word, Choice(word, False, 0))
            ends_here = bool(listed) and len(words) == len(typed) + 1
            found[word] = Choice(word, known.complete or ends_here, known.options + listed)
        return list(found.values())

    def fitting(self, setting: Setting[K], state: S, text: str, misfit: str | None) -> list[str]:
        """What would fit into a line in place of a word of it; behind it, if no word is wrong."""
        words = self.notation.in_its_own_words(text.split())
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
        lines = [
            (self.text(action, lang).split()[not with_seat and action.by is not None :], 1)
            for action in self.options(setting, state)
        ]
        for seat, action_type in self.unlisted(state):
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
        """A line that cannot be listed, with each word that may be the next one."""
        if not typed or typed[0] not in map(
            normalize, (action_type.verb_of(), *action_type.french)
        ):
            yield [self.verb_in(action_type.verb_of(), lang)]
            return
        for part in self.notation.expected(action_type, typed[1:]):
            fill = self.rules.filled.get((action_type, part.field))
            words = fill(state, setting) if fill else part.words
            yield from ([*typed, word] for word in words)

    def _audit_lines(self, setting: Setting[K], state: S, typed: list[str]) -> Iterator[list[str]]:
        """What can be audited, once somebody begins to: in the language of the verb."""
        if not typed or typed[0] not in (Audit.verb_of(), *Audit.french):
            return
        lang: Language = "fr" if typed[0] in Audit.french else "en"
        for subject in self.rules.audits.usages:
            filled = subject.filled(state, setting, setting.seats, self.words, lang)
            yield from ([typed[0], *words] for words in filled)

    # text and data

    def read(self, text: str) -> Action:
        """One action in the scribe's notation."""
        try:
            return self.notation.read(text)
        except ParseError as error:
            raise error.in_words_of(self.words) from None

    def text(self, action: Action, lang: Language = "en") -> str:
        """The line of an action: as it is recorded, or in the words of another language."""
        if lang != "en" and isinstance(action, Audit):
            return self._audit_in(action, lang)
        return self.notation.write(action) if lang == "en" else self.notation.write_in(action, lang)

    def _audit_in(self, action: Audit, lang: Language) -> str:
        """What was counted is understood in any language, but only at its table."""
        seat = [] if action.by is None else [action.by]
        said = (shown(word, self.words, lang) for word in action.subject)
        line = " ".join([*seat, self.verb_in(action.verb, lang), *said, action.value])
        return line if self.notation.reads(line) else self.notation.write(action)

    def verb_in(self, verb: str, lang: Language) -> str:
        """A verb in the words of a language."""
        french = self._by_verb[verb].french if lang == "fr" and verb in self._by_verb else ()
        return (*french, verb)[0]

    def told_in(self, line: str, lang: Language) -> str:
        """A recorded line in the words of a language; whatever is none stays as it is."""
        try:
            return self.text(self.read(line), lang) if lang != "en" else line
        except ParseError:
            return line

    def load(self, data: Mapping[str, Any]) -> Action:
        """An action from stored data."""
        try:
            return self._by_verb[data["verb"]].model_validate(data)
        except (KeyError, TypeError, ValidationError):
            return self._load_any(data)

    def _load_any(self, data: Mapping[str, Any]) -> Action:
        """The same, slower, and naming what is wrong."""
        try:
            action: Action = self.adapter.validate_python(data)
        except ValidationError as error:
            wrong = first_mistake(error, self.words)
            raise ParseError("bad_action", field=wrong.place, problem=wrong.problem) from None
        return action

    def plain(self, state: S) -> dict[str, Any]:
        """The whole state as JSON-ready data."""
        data: dict[str, Any] = to_plain(state)
        return data

    # faces

    def moves(self, before: S, after: S, setting: Setting[K], action: Action | None) -> Moves:
        """What changed hands by an action, and the points it brought; a position moves nothing."""
        if type(action) is self.position:
            return Moves()
        return moves(self._holdings, before, after, setting)

    def score(self, state: S) -> tuple[int | None, Mapping[str, int]]:
        """The round, where points are counted by rounds, and what each seat has."""
        return self._holdings.round(state), self._holdings.points(state)

    def describe(self, state: S, setting: Setting[K], lang: Language) -> list[str]:
        """The state in words."""
        return self._describe(state, setting, Speech(self.words, lang))

    def picture(
        self,
        state: S,
        setting: Setting[K],
        lang: Language,
        last: Action | None,
        *,
        before: S | None = None,
        shape: Shape = "tall",
        names: Mapping[str, str] | None = None,
    ) -> Picture:
        """The state drawn, and in it what the last action touched.

        With the state ``before`` it, what changed hands is shown at giver and taker. ``names`` are
        those of the people by seat."""
        from engines.kernel.picture.svg import Picture

        drawn = self._picture(state, setting, Speech(self.words, lang, names or {}), last)
        if isinstance(drawn, Picture):
            return drawn
        moved = Moves() if before is None else self.moves(before, state, setting, last)
        if drawn.since is not None and before is not None:
            drawn = drawn.since(before)
        losers = moved.losers(last.by if last is not None else None)
        drawn = drawn._replace(touched=(*drawn.touched, *losers))
        return drawn.picture(shape, self._news(state, moved, lang))

    def _news(self, state: S, moved: Moves, lang: Language) -> dict[str, list[News]]:
        """By seat: the winner first, then points, then what came and what went."""
        from engines.kernel.picture.layout import News

        news: dict[str, list[News]] = {}
        result = self.result(state)
        against = result is not None and result.won is None and result.places
        for seat in result.places[0] if result is not None and against else ():
            news.setdefault(seat, []).append(News(self.words.say("news.winner", lang), "winner"))
        for seat, said, gained in moved.by_seat(self.words, lang):
            news.setdefault(seat, []).append(News(said, "gain" if gained else "loss"))
        return news

    @property
    def card_key(self) -> Callable[[Setting[K], Language], Picture] | None:
        """Draws the key to the codes of the components; ``None`` if the game has none."""
        draw = self._card_key
        if draw is None:
            return None
        return lambda setting, lang: draw(setting, Speech(self.words, lang))

    # declared positions and adjustments

    def position_data(self, setting: Setting[K], state: S) -> dict[str, Any]:
        """What would declare this state, as data that any form can carry: without nulls."""
        if self.position_of is None:
            raise ParseError("no_positions", game=self.id)
        position = self.position_of(state, setting)
        return position.model_dump(mode="json", exclude={"verb", "by"}, exclude_none=True)

    def changes_to(
        self, setting: Setting[K], state: S, position: Mapping[str, Any]
    ) -> dict[str, Any]:
        """The changes that ``adjust`` needs to make this whole position of a state."""
        return diff_merge_patch(self.position_data(setting, state), position)

    def adjust(self, setting: Setting[K], state: S, changes: Mapping[str, Any]) -> S:
        """The state with part of its position replaced; the laws count the difference."""
        rule = self._hearing(setting, 0, True)
        try:
            after = self._laid_over(setting, state, changes, rule)
        except Refused as refused:
            raise ParseError(
                "bad_position", field=str(refused), problem=Phrase("flaw.stuck")
            ) from None
        return self._declared(setting, after)

    def contradictions(
        self, setting: Setting[K], state: S, changes: Mapping[str, Any]
    ) -> tuple[Verdict, bool]:
        """What an adjustment says that no table can show, and whether it may stand all the same.

        What the table shows already, since something illegal has happened there, is left out.
        """
        rule = self._hearing(setting, 0, True)
        may_stand = True
        try:
            self._laid_over(setting, state, changes, rule)
        except Refused:
            may_stand = False
        shown = self._hearing(setting, 0, True)
        with suppress(Refused):
            self._laid_over(setting, state, {}, shown)
        known = Counter(point.clause for point in shown.breaches)
        breaches = []
        for point in rule.breaches:
            if known[point.clause]:
                known[point.clause] -= 1
            else:
                breaches.append(point)
        outcome: Outcome = "illegal" if breaches else "legal"
        return Verdict(outcome, tuple(breaches), readings=rule.readings_used), may_stand

    def _laid_over(
        self, setting: Setting[K], state: S, changes: Mapping[str, Any], rule: Hearing[K]
    ) -> S:
        """The table with these changes of its position, as it is."""
        current = self.position_data(setting, state)
        assert self.position is not None
        try:
            position = self.position.model_validate(apply_merge_patch(current, changes))
            return self._run_steps(self.rules.reducers[self.position](state, position, rule), rule)
        except ValidationError as error:
            wrong = first_mistake(error, self.words)
            raise ParseError("bad_position", field=wrong.place, problem=wrong.problem) from None
        except ParseError as error:
            raise error.in_words_of(self.words) from None

    def _goes_on(self, setting: Setting[K], state: S) -> bool:
        """Whether somebody has something to do, or the game is over."""
        return state.over or bool(self.options(setting, state) or self.unlisted(state))

    def _owing(self, state: S) -> str:
        """Who owes what, shortly."""
        return ", ".join(
            f"{duty.seat} {duty.kind}" if duty.seat else duty.kind for duty in state.agenda.duties
        )

    def _declared(self, setting: Setting[K], state: S) -> S:
        """The laws count from what was declared."""
        return evolve(state, offsets=dict(self.balance(state, setting)), last_seat=None)


def diff_merge_patch(current: Mapping[str, Any], wanted: Mapping[str, Any]) -> dict[str, Any]:
    """What must be laid over one table to have the other."""
    changes: dict[str, Any] = {key: None for key in current if wanted.get(key) is None}
    for key, value in wanted.items():
        old = current.get(key)
        if value is None or value == old:
            continue
        if isinstance(old, Mapping) and isinstance(value, Mapping):
            changes[key] = diff_merge_patch(old, value)
        else:
            changes[key] = value
    return changes


def apply_merge_patch(current: Any, changes: Any) -> Any:
    """Tables are merged, everything else is replaced; ``None`` takes a key out."""
    if not isinstance(current, Mapping) or not isinstance(changes, Mapping):
        return changes
    merged = {key: value for key, value in current.items() if changes.get(key, "") is not None}
    for key, value in changes.items():
        if value is not None:
            merged[key] = apply_merge_patch(current.get(key), value)
    return merged
