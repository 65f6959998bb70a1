"""Asks the rules about a table of which parts are hidden.

A rule may fail on what ``hide`` has left of the table. To the viewer that is undecided; to the
author it is a defect, which ``engine check`` names, and the log of a service has it.
"""

from __future__ import annotations

import logging
from typing import Any

from engines.kernel import Action, Audit, Engine, Judgement, Setting
from engines.kernel.engine.contract import Choice
from engines.kernel.engine.judge import UNKNOWABLE
from engines.kernel.messages.catalogue import Language
from engines.kernel.messages.errors import MessageError

_log = logging.getLogger("referee.record")
_log.addHandler(logging.NullHandler())  # a service shows it; a command line stays quiet


def judge_hidden(
    engine: Engine[Any, Any],
    setting: Setting[Any],
    state: Any,
    action: Action,
    number: int = 0,
    *,
    lenient: bool = False,
) -> Judgement[Any]:
    """Hear one action as far as the viewer may know; undecided, where a rule fails."""
    try:
        return engine.judge(setting, state, action, number, lenient=lenient)
    except MessageError:
        raise
    except Exception:
        _log.exception("%s: judging %r fails on a hidden table", engine.id, action.verb)
        return Judgement(action, UNKNOWABLE, state, True)


def holds_openly(
    engine: Engine[Any, Any], setting: Setting[Any], state: Any, action: Action, number: int
) -> bool:
    """Whether something is hidden, and nothing that everybody may know refutes an action."""
    known = engine.hide(state, "", setting)
    if known is state or isinstance(action, Audit) or type(action) is engine.position:
        return False
    try:
        return judge_hidden(engine, setting, known, action, number).accepted
    except MessageError:
        return False


def said_by_hidden(
    engine: Engine[Any, Any], setting: Setting[Any], state: Any, action: Action
) -> str | None:
    """The seat that an action belongs to as far as the viewer may know; the one it names, where a
    rule fails."""
    try:
        return engine.judge.said_by(setting, state, action)
    except MessageError:
        raise
    except Exception:
        _log.exception("%s: whose %r is fails on a hidden table", engine.id, action.verb)
        return action.by


def choices_hidden(
    engine: Engine[Any, Any], setting: Setting[Any], state: Any, prefix: str, lang: Language
) -> list[Choice]:
    """The words that may come next as far as the viewer may know; none, where a rule fails."""
    try:
        return engine.options.choices(setting, state, prefix, lang)
    except Exception:
        _log.exception("%s: listing the words fails on a hidden table", engine.id)
        return []


def options_hidden(
    engine: Engine[Any, Any], setting: Setting[Any], state: Any, *, in_silence: bool = False
) -> list[Action]:
    """The actions that are legal as far as the viewer may know; none, where a rule fails."""
    try:
        return (engine.options.after_silence if in_silence else engine.options)(setting, state)
    except Exception:
        _log.exception("%s: listing the options fails on a hidden table", engine.id)
        return []
