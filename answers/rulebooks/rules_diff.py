"""Two versions of a rulebook's clauses beside each other: added, removed, changed sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from difflib import SequenceMatcher
from typing import Any, NamedTuple

from pydantic_core import from_json

from answers.answer import Answered, Data
from answers.declaration import operation
from answers.i18n import Voice
from answers.limits import RulesText
from answers.permissions import EVERYBODY
from engines.kernel import LANGUAGES, ParseError
from engines.kernel.registry import load_engine
from referee.errors import Unfit
from referee.untrusted.safe_json import refuse_depth
from referee.untrusted.safe_toml import parse_toml

_SENTENCE = re.compile(r"(?<=[.;!?])\s+")
_ID = re.compile(r"[A-Z]{3}-[A-Z]+-[0-9]+[a-z]?")
MOST_CLAUSES = 5000


class ClauseText(NamedTuple):
    """What is compared of a clause."""

    section: str
    texts: dict[str, str]
    """By language."""


class SentenceChange(Data):
    lang: str
    gone: list[str]
    new: list[str]


class ClauseChange(Data):
    id: str
    section: str
    """Where it stands, or stood."""
    moved_from: str = ""
    """The heading under which it stood before, if that was another."""
    changes: list[SentenceChange]
    """By language; of a clause that was added all is new, of one that was removed all is gone."""


class RulesDiffAnswer(Data):
    game: str
    added: list[ClauseChange]
    removed: list[ClauseChange]
    changed: list[ClauseChange]
    same: int


@operation(
    "rules-diff",
    "POST /engines/{engine}/rules/diff",
    grant=EVERYBODY,
    scope="public",
    kind="try",
)
def rules_diff(game: str, old: RulesText, *, new: RulesText = "") -> Answered[RulesDiffAnswer]:
    """What has changed since ``old``: up to ``new``, or to the clauses of the installed game.

    Each is the text of a file: clauses as a game has them (TOML), or what ``rules`` or ``faq``
    answers (JSON).
    """
    engine = load_engine(game)
    before = read_clauses(old)
    after = (
        read_clauses(new)
        if new
        else {
            one.id: ClauseText(one.section, {lang: one.say(lang) for lang in LANGUAGES})
            for one in engine.clauses.values()
        }
    )
    nothing = ClauseText("", {})
    both = [id for id in after if id in before]
    compared = [_change(id, before[id], after[id]) for id in both]
    changed = [one for one in compared if one.changes or one.moved_from]
    answer = RulesDiffAnswer(
        game=engine.id,
        added=[_change(id, nothing, after[id]) for id in after if id not in before],
        removed=[_change(id, before[id], nothing) for id in before if id not in after],
        changed=changed,
        same=len(both) - len(changed),
    )

    def told(voice: Voice) -> Iterator[str]:
        for key in ("added", "removed", "changed"):
            for one in getattr(answer, key):
                yield voice.say(f"rules_diff.{key}", clause=one.id, section=one.section)
                if one.moved_from:
                    yield "  " + voice.say("rules_diff.moved", section=one.moved_from)
                for each in one.changes:
                    yield from (f"  {each.lang} - {text}" for text in each.gone)
                    yield from (f"  {each.lang} + {text}" for text in each.new)
        yield voice.say("rules_diff.same", count=answer.same)

    return Answered(lambda: answer, told)


def read_clauses(text: str) -> dict[str, ClauseText]:
    """The clauses of a file, by their ids."""
    content = text.encode()
    try:
        if text.lstrip().startswith("{"):
            refuse_depth(content)
            data = from_json(content)
            listed = data.get("data", data)["clauses"]
            found = {str(one.get("clause", one)["id"]): _read(one) for one in listed}
        else:
            found = {id: _read(one) for id, one in parse_toml(content).items()}
    except (KeyError, TypeError, ValueError, AttributeError, ParseError) as error:
        raise Unfit("no_clauses_file") from error
    if not found or len(found) > MOST_CLAUSES or not all(map(_ID.fullmatch, found)):
        raise Unfit("no_clauses_file")
    return found


def _read(one: Mapping[str, Any]) -> ClauseText:
    """Typed apostrophes are set as a game sets them: they are no change."""
    one = one.get("clause", one)  # in questions and answers its rulings stand beside it
    texts: dict[str, str] = {lang: str(one[lang]).replace("'", "’") for lang in LANGUAGES}
    return ClauseText(str(one["section"]), texts)


def _change(id: str, old: ClauseText, new: ClauseText) -> ClauseChange:
    moved = old.section if old.section and new.section and old.section != new.section else ""
    changes = []
    for lang in LANGUAGES:
        before, after = (
            [*filter(None, _SENTENCE.split(clause.texts.get(lang, "").strip()))]
            for clause in (old, new)
        )
        gone: list[str] = []
        added: list[str] = []
        for kind, i, j, k, m in SequenceMatcher(a=before, b=after).get_opcodes():
            if kind != "equal":
                gone += before[i:j]
                added += after[k:m]
        if gone or added:
            changes.append(SentenceChange(lang=lang, gone=gone, new=added))
    section = new.section or old.section
    return ClauseChange(id=id, section=section, moved_from=moved, changes=changes)
