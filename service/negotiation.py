"""Content negotiation: in which language and voice an answer is told, and whether in words at all.

``Accept-Language`` and the cookie of the pages choose the language, ``Referee-Voice`` says how a
program shows sentences, ``Prefer: return=minimal`` leaves them out.
"""

from __future__ import annotations

import re
from functools import lru_cache, partial
from urllib.parse import unquote

from answers.hints import Hint
from answers.i18n import Voice, hint_in_text, marked
from answers.problems import plain_facts
from engines.kernel.messages.catalogue import LANGUAGES, Language
from engines.kernel.messages.unsafe_text import harmful_in
from engines.kernel.values.structs import evolve
from service.http_messages import HttpRequest
from service.problems import voice_in

MINIMAL = "return=minimal"
LONGEST_HEADER = 1000
RANGE = re.compile(r"([a-z]+|\*)(?:-[a-z0-9-]+)?(?:[ \t]*;[ \t]*q=([01](?:\.[0-9]{0,3})?))?")
"""A language and how much it is liked, as RFC 9110 writes them, in small letters."""


def voice_for(request: HttpRequest) -> Voice:
    """The localiser for a request: its language, and how the client shows sentences.

    ``Referee-Voice: program=referee%20-g%20k3xq; thorough; marked; hints``
    """
    asked = request.headers.get("referee-voice", "")[:LONGEST_HEADER]
    voice = evolve(voice_in(language_of(request)), sentences=not asked)
    for part in asked.split(";") if asked else ():
        name, _, value = part.strip().partition("=")
        if name == "program" and harmful_in(program := unquote(value)) is None:
            voice = evolve(voice, program=program)
        elif name == "thorough":
            voice = evolve(voice, thorough=True)
        elif name == "marked":
            voice = evolve(voice, mark=marked)
        elif name == "hints":
            voice = evolve(voice, hinting=partial(_hint_in_text, voice))
    return voice


def _hint_in_text(voice: Voice, hint: Hint) -> str:
    """A hint as data inside a sentence: the program that asks words it."""
    return hint_in_text(hint.key, plain_facts(hint.facts, voice))


def language_of(request: HttpRequest) -> Language:
    """The language chosen on a page (cookie), else by ``Accept-Language``."""
    chosen = request.cookies.get("language")
    if chosen in LANGUAGES:
        return "fr" if chosen == "fr" else "en"
    return language(request.headers.get("accept-language", ""))


@lru_cache(maxsize=256)
def language(accepted: str) -> Language:
    """The best supported language of an ``Accept-Language`` header."""
    liked: dict[str, float] = {}
    for part in accepted[:400].split(","):
        if found := RANGE.fullmatch(part.strip().lower()):
            liked[found[1]] = max(liked.get(found[1], 0.0), float(found[2] or 1))
    rest = liked.pop("*", 0.0)
    weights = {lang: liked.get(lang, rest) for lang in (*liked, *LANGUAGES) if lang in LANGUAGES}
    best = max(weights, key=weights.__getitem__)  # of equally liked ones the first that is named
    return "fr" if best == "fr" and weights[best] else "en"


def wants_no_sentences(request: HttpRequest) -> bool:
    """``Prefer: return=minimal`` (RFC 7240): a program that reads data needs no more."""
    preferred = request.headers.get("prefer", "")[:LONGEST_HEADER].lower().split(",")
    return any(each.partition(";")[0].strip() == MINIMAL for each in preferred)
