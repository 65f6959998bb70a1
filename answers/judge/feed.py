"""New rulings as an Atom feed, for readers of news."""

from __future__ import annotations

from xml.etree import ElementTree

from answers.context import Caller
from answers.declaration import operation
from answers.file_answers import File
from answers.judge.precedents import known_book
from answers.limits import Address, EngineName
from answers.permissions import EVERYBODY
from answers.rulebooks.games import game_name
from referee.archive.precedents import BookRuling

ATOM = "http://www.w3.org/2005/Atom"
MOST = 50
"""The newest; readers remember the older ones."""


@operation(
    "ruling-feed",
    "GET /rulings/feed",
    grant=EVERYBODY,
    scope="token",
    file="rulings.atom",
    slow=True,
)
def ruling_feed(caller: Caller, *, game: EngineName | None = None, address: Address = "") -> File:
    """The newest rulings the caller may know; ``address`` is that of the site."""
    book = known_book(caller, game)[:MOST]
    feed = ElementTree.Element("feed", {"xmlns": ATOM})
    _add(feed, "id", f"urn:referee:rulings:{game or 'all'}")
    _add(feed, "title", caller.voice.say("feed.title"))
    _add(feed, "updated", max((ruling.date for ruling, _ in book), default="1970-01-01T00:00:00Z"))
    for ruling, source in book:
        _entry(caller, feed, ruling, source, address)
    return File("rulings.atom", ElementTree.tostring(feed, "utf-8", xml_declaration=True))


def _entry(
    caller: Caller, feed: ElementTree.Element, ruling: BookRuling, source: str, address: str
) -> None:
    voice = caller.voice
    entry = ElementTree.SubElement(feed, "entry")
    _add(entry, "id", f"urn:referee:ruling:{source or 'own'}:{ruling.reference}".replace(" ", "_"))
    name, clauses = game_name(voice, ruling.game), ", ".join(ruling.clauses)
    remedy = voice.say(f"remedied.{ruling.remedy}")
    _add(entry, "title", " · ".join(part for part in (name, clauses, remedy) if part))
    _add(entry, "updated", ruling.date)
    author = ElementTree.SubElement(entry, "author")
    _add(author, "name", ruling.authority or source or voice.say("feed.judge"))
    _add(entry, "summary", ruling.reason)
    if address and not source:
        href = f"{address}/games/{ruling.reference.replace('/', '/rulings/')}"
        ElementTree.SubElement(entry, "link", {"href": href})


def _add(parent: ElementTree.Element, tag: str, text: str) -> None:
    ElementTree.SubElement(parent, tag).text = text
