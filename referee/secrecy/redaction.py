"""Redaction: the same game as a judge, a seat or the public may see it.

A view is ``judge`` (everything), ``public``, or ``seat:A``. A redacted game is still a game, with
states, actions and verdicts, so that the code that shows a game shows a view of it as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from engines.kernel import Action, Finding, Judgement, Point, Verdict, to_plain
from engines.kernel.messages.catalogue import Verbatim
from engines.kernel.rules.hearing import Consulted, Remark
from engines.kernel.values.structs import evolve
from referee.errors import Misused, NotAllowed, NotFound
from referee.record import entries as kinds
from referee.record.game import Game, RecordError
from referee.record.line import Item, JudgedItem, Stood
from referee.record.persistent_vector import PersistentVector
from referee.secrecy.query_guard import (
    hides,
    hides_photo,
    keeps_secrets,
    known_after,
    needs_everything,
    tells_the_table,
)

EVERYTHING = "judge"
"""The view of those who see all: judges, and the scribe."""
PUBLIC = "public"
_SEAT = re.compile("seat:[A-H]")
HIDDEN = "…"
"""Stands for a fact the viewer may not know."""
P = TypeVar("P", Point, Consulted, Finding, Remark)
D = TypeVar("D", kinds.PointData, kinds.FindingData)
_SEEN: WeakKeyDictionary[Game, dict[str, Game]] = WeakKeyDictionary()
"""Cache of redacted games: a page asks for the same view many times."""


def view_for(role: str, asked: str | None, seats: Iterable[str]) -> str:
    """The requested view, if the role may have it; else the widest one the role may have."""
    own = PUBLIC if role in kinds.IN_PUBLIC else role if role.startswith("seat:") else EVERYTHING
    if asked is None:
        return own
    if asked not in (EVERYTHING, PUBLIC) and not _SEAT.fullmatch(asked):
        raise Misused("no_such_view", view=Verbatim(asked[:40]))
    if asked.startswith("seat:") and asked[5:] not in tuple(seats):
        raise NotFound("no_such_seat", seat=asked[5:])
    if own != EVERYTHING and asked not in (PUBLIC, own):
        raise NotAllowed("view_too_wide", role=role, view=asked)
    return asked


def viewer_of(view: str) -> str:
    """The seat of a view, or ``""`` for the public."""
    return view.removeprefix("seat:") if view != PUBLIC else ""


def seen(game: Game, view: str) -> Game:
    """Redact a game for a view. For display only: nothing is judged from it."""
    if view == EVERYTHING:
        return game
    views = _SEEN.setdefault(game, {})
    if view not in views:
        views[view] = _redacted(game, view)
    return views[view]


def _redacted(game: Game, view: str) -> Game:
    eye = _Eye(game, viewer_of(view))
    return evolve(
        game,
        entries=PersistentVector(eye.entry(entry) for entry in game.entries),
        steps=PersistentVector(eye.line(game.steps)),
        pending=tuple(eye.waiting(item) for item in game.pending),
        undone=tuple(eye.waiting(item) for item in game.undone),
        gone={
            number: Stood(eye.before(stood.before), eye.step(stood.after, stood.before))
            for number, stood in game.gone.items()
        },
        notes={name: eye.note(note) for name, note in game.notes.items()},
        photos={name: eye.photo(photo) for name, photo in game.photos.items()},
        disputes={name: eye.dispute(dispute) for name, dispute in game.disputes.items()},
        partial=eye.hiding,
    )


def shown_to(
    game: Game, action: Action, verdict: Verdict, view: str
) -> tuple[Action | None, Verdict]:
    """Redact an action and its verdict for a view."""
    eye = _Eye(game, viewer_of(view))
    return eye.action(action), eye.verdict(verdict, action)


def steps_shown_to(
    game: Game, steps: tuple[JudgedItem, JudgedItem], view: str
) -> tuple[JudgedItem, JudgedItem]:
    """Redact a pair of steps for a view."""
    if view == EVERYTHING:
        return steps
    eye = _Eye(game, viewer_of(view))
    return eye.step(steps[0]), eye.step(steps[1], steps[0])


def may_be_offered(game: Game, step: JudgedItem, action: Action, view: str) -> bool:
    """Whether a legal action may be listed: what a seat could do would leak what it holds."""
    if view == EVERYTHING or action.by in (None, viewer_of(view)):
        return True
    return not hides(game, step, viewer_of(view))


def judged_for(game: Game, judged: Judgement[Any], view: str) -> Judgement[Any]:
    """Redact a judgement for a view."""
    if view == EVERYTHING:
        return judged
    shown, verdict = shown_to(game, judged.action, judged.verdict, view)
    if shown is None:
        raise NotAllowed("needs_judge_view", what=judged.action.verb, view=view)
    return evolve(judged, action=shown, verdict=verdict)


def needs_judge_view(game: Game, view: str, what: str) -> None:
    """Refuse a whole record, which cannot be redacted, to a view that hides a part or picture."""
    viewer = None if view == EVERYTHING else viewer_of(view)
    needs_everything(game, viewer, what)
    if viewer is not None and any(hides_photo(game, each, viewer) for each in game.photos.values()):
        raise NotAllowed("needs_judge_view", what=what, view=view)


class _Eye:
    """Redacts for one viewer of one game."""

    def __init__(self, game: Game, viewer: str) -> None:
        self.game, self.engine, self.viewer = game, game.engine, viewer
        self.over = game.state.over
        self.hiding = keeps_secrets(game, viewer)

    # states, actions, verdicts

    def line(self, steps: Iterable[JudgedItem]) -> Iterator[JudgedItem]:
        before = None
        for step in steps:
            yield self.step(step, before)
            before = step

    def step(self, step: JudgedItem, before: JudgedItem | None = None) -> JudgedItem:
        """A redacted step; what is said of an action that cannot be shown is not told either."""
        if before is not None:
            step = known_after(self.game, Stood(before, step), self.viewer)
        if step.action is not None and self.action(step.action) is None:
            item = step.item._replace(stands=False, quietly=False)
            step = step._replace(item=item, verdict=Verdict("legal"))
        return JudgedItem(
            self.item(step.item),
            self.engine.hide(step.state, self.viewer, step.setting),
            step.setting,
            self.verdict(step.verdict, step.action),
            tuple(self.engine.hide(each, self.viewer, step.setting) for each in step.stages),
        )

    def before(self, step: JudgedItem) -> JudgedItem:
        """Where an action was judged from; what was said there is told where it stands itself."""
        if not self.hiding:
            return self.step(step)
        item = step.item._replace(stands=False, quietly=False)
        return self.step(step._replace(item=item, verdict=Verdict("legal")))

    def item(self, item: Item) -> Item:
        shown = None if item.action is None else self.action(item.action)
        redacted = self.hiding and shown is None and item.reading is None
        return item._replace(action=shown, changes={} if redacted else item.changes)

    def waiting(self, item: Item) -> Item:
        """An item that does not count: of what only a secret refutes nobody has said it stands."""
        return self.item(item._replace(stands=item.stands and not item.quietly, quietly=False))

    def action(self, action: Action) -> Action | None:
        """The redacted action; None for a declared position, which would tell all hands at once."""
        if self.hiding and type(action) is self.engine.position:
            return None
        return action if self.over else action.known_to(self.viewer)

    def verdict(self, verdict: Verdict, action: Action | None) -> Verdict:
        secret = self._secret(action)
        return Verdict(
            verdict.outcome,
            tuple(self._point(point, action, secret) for point in verdict.breaches),
            tuple(self._point(point, action, secret) for point in verdict.claims),
            tuple(self._point(point, action, secret) for point in verdict.findings),
            tuple(self._point(point, action, secret) for point in verdict.consulted),
            verdict.readings,
            tuple(self._point(remark, action, secret) for remark in verdict.warnings),
            verdict.before,
            tuple(self._point(point, action, secret) for point in verdict.doubted),
        )

    def _point(self, point: P, action: Action | None, secret: frozenset[str]) -> P:
        return point._replace(facts=self._facts(point.facts, action, secret))

    def _facts(
        self, facts: Mapping[str, Any], action: Action | None, secret: frozenset[str]
    ) -> dict[str, Any]:
        if action is not None and self.action(action) is None:
            return dict.fromkeys(facts, HIDDEN)
        if action is not None and action.by == self.viewer:
            return dict(facts)
        return {
            name: HIDDEN if self._tells(name, value, secret) else value
            for name, value in facts.items()
        }

    def _tells(self, name: str, value: Any, secret: frozenset[str]) -> bool:
        """Whether a fact would leak something hidden, by its name or by its value."""
        private = self.hiding and name in self.engine.private_facts
        return private or not secret.isdisjoint(_words(value))

    def _secret(self, action: Action | None) -> frozenset[str]:
        """The private values of an action, as words."""
        if action is None or action.by == self.viewer or self.over:
            return frozenset()
        return frozenset(_words(action.private_values()))

    # entries

    def entry(self, entry: kinds.Entry) -> kinds.Entry:
        return entry._replace(data=self._data(entry.data))

    def _data(self, data: kinds.EntryData) -> kinds.EntryData:
        if isinstance(data, kinds.Logged):
            said = self._said(data)
            if said is None:
                return kinds.Adjusted(
                    number=data.number, changes={}, reason=str(data.action["verb"])
                )
            return kinds.Logged(**said.__dict__)
        if isinstance(data, kinds.Corrected):
            kept = [said for said in map(self._said, data.insert) if said is not None]
            return data.model_copy(update={"insert": tuple(kept)})
        if isinstance(data, kinds.Adjusted) and self.hiding:
            return data.model_copy(update={"changes": {}})
        if isinstance(data, kinds.Photographed):
            return self.photo(data)
        if isinstance(data, kinds.Disputed):
            return self.dispute(data)
        return self.note(data) if isinstance(data, kinds.Noted) else data

    def _said(self, said: kinds.Said) -> kinds.Said | None:
        action = self.engine.text.load(said.action)
        shown = self.action(action)
        if shown is None:
            return None
        secret, known = self._secret(action), self._known(said)
        verdict = kinds.VerdictData(
            outcome=known.outcome,
            breaches=tuple(self._stored(p, action, secret) for p in known.breaches),
            claims=tuple(self._stored(p, action, secret) for p in known.claims),
            findings=tuple(self._stored(p, action, secret) for p in known.findings),
        )
        return kinds.Said(
            number=said.number,
            action=kinds.action_data(shown),
            verdict=verdict,
            stands=said.stands and bool(known.breaches),
        )

    def _known(self, said: kinds.Said) -> kinds.VerdictData:
        """The stored verdict without what only a secret proves."""
        verdict = said.verdict
        if not (verdict.breaches or verdict.findings):
            return verdict
        proven = self._proven(said.number)
        if proven is None:
            return verdict
        breaches = tuple(point for point in verdict.breaches if point.clause in proven)
        outcome = verdict.outcome
        if verdict.breaches and not breaches:
            outcome = "undecided" if verdict.claims else "legal"
        findings = tuple(point for point in verdict.findings if point.clause in proven)
        update = {"outcome": outcome, "breaches": breaches, "findings": findings}
        return verdict.model_copy(update=update)

    def _proven(self, number: int) -> list[str] | None:
        """The clauses that an action breaks or proves, as far as the viewer may know; None where
        they may know all.

        What was recorded rested on the position of then: of that, nothing is shown that the
        position of now does not prove, and nothing at all of an action that waits for a decision.
        """
        if not self.hiding or self.over:
            return None
        try:
            stood = self.game.stood(number)
        except RecordError:
            return []
        if stood.after.action is not None and self.action(stood.after.action) is None:
            return []
        if stood.after.action is not None and tells_the_table(self.game, stood.after.action):
            return None
        known = known_after(self.game, stood, self.viewer)
        breaches, findings = known.verdict.breaches, known.verdict.findings
        return [*(point.clause for point in breaches), *(each.clause for each in findings)]

    def dispute(self, dispute: kinds.Disputed) -> kinds.Disputed:
        """What called for a judge by itself cites no clause that only a secret breaks."""
        if dispute.cause not in ("stands", "finding"):
            return dispute
        proven = self._proven(dispute.numbers[-1])
        if proven is None or dispute.clause in proven:
            return dispute
        return dispute.model_copy(update={"clause": next(iter(proven), None)})

    def _stored(self, point: D, action: Action, secret: frozenset[str]) -> D:
        return point.model_copy(update={"facts": self._facts(point.facts, action, secret)})

    def note(self, note: kinds.Noted) -> kinds.Noted:
        """A redacted note: without its variation, which is played from the whole state."""
        return note.model_copy(update={"variation": ()}) if self.hiding else note

    def photo(self, photo: kinds.Photographed) -> kinds.Photographed:
        """A photograph for another seat: that there is one is told, not what is to be seen."""
        if not hides_photo(self.game, photo, self.viewer):
            return photo
        unknown = {"digest": kinds.UNSEEN, "size": 1, "width": 1, "height": 1}
        unknown |= {"about": "", "caption": ""}
        return photo.model_copy(update=unknown)


def _words(value: Any) -> Iterable[str]:
    """Every string in plain data."""
    if isinstance(value, str | int):
        yield str(value)
    elif isinstance(value, Mapping):
        for name, item in value.items():
            yield str(name)
            yield from _words(item)
    elif isinstance(value, Iterable):
        for item in value:
            yield from _words(item)
    elif value is not None:
        yield from _words(to_plain(value))
