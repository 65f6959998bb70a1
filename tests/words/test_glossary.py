"""One thing has one name, in every catalogue and on every page: ``docs/glossary.toml`` says which.

``REFEREE_REWRITE=1`` (``make quotes``) writes the tables of the two pages anew.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from fnmatch import fnmatch
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from engines.kernel.messages.catalogue import LANGUAGES, Language
from engines.kernel.messages.package_data import read_words

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
GLOSSARY: list[dict[str, Any]] = tomllib.loads((DOCS / "glossary.toml").read_text("utf-8"))["term"]
CATALOGUES = sorted(
    str(file.parent.relative_to(ROOT))
    for folder in ("answers", "cli", "engines", "referee", "replays", "service")
    for file in (ROOT / folder).rglob("words.toml")
)

RULEBOOKS = [
    file for name in ("clauses", "readings") for file in sorted(ROOT.glob(f"engines/*/{name}.toml"))
]
PAGES: dict[Path, Language] = {
    page: "fr" if "fr" in (page.parent.name, page.stem.partition(".")[2]) else "en"
    for page in (*sorted(ROOT.glob("README*.md")), *sorted(DOCS.rglob("*.md")))
    if page.parent.name != "history" and page.stem != "glossary"
}
_CODE = re.compile(r"^```.*?^```$|`[^`\n]+`|<!--.*?-->|\]\([^)]*\)", re.MULTILINE | re.DOTALL)
_STRAIGHT_OR_FAMILIAR = re.compile(r"(?<=[^\W\d_])'(?=[^\W\d_])|\b(?:tu|toi)\b", re.IGNORECASE)
_BLANK = re.compile(r"\{[^{}]*\}")
_TABLE = re.compile(r"(?<=<!-- words -->\n).*?(?=<!-- /words -->)", re.DOTALL)


@cache
def messages(catalogue: str) -> Mapping[str, Mapping[str, str]]:
    words = read_words(catalogue.replace("/", "."))
    return {key: words.entry(key) or {} for key in words}


def sentences(catalogue: str, lang: Language) -> Iterator[tuple[str, str]]:
    """Where a sentence stands (``catalogue:key``), and the sentence."""
    for key, forms in messages(catalogue).items():
        for form, text in forms.items():
            if form.partition("_")[0] == lang:
                yield f"{catalogue}:{key}", text


def old_names(term: Mapping[str, Any], text: str, lang: Language) -> list[str]:
    """The words in a text that the glossary has given up for a term."""
    patterns = "|".join(term.get(f"not_{lang}", ()))
    if not patterns:
        return []
    straight = _BLANK.sub("", text).replace("’", "'")
    return [
        found[0]
        for found in re.finditer(rf"(?<![\w-])(?:{patterns})(?![\w-])", straight, re.IGNORECASE)
    ]


def says(term: Mapping[str, Any], text: str, lang: Language) -> bool:
    forms = "|".join(re.escape(form) for form in term[lang])
    return re.search(rf"(?<!\w)(?:{forms})(?!\w)", text, re.IGNORECASE) is not None


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_catalogue_calls_each_thing_by_its_name(lang: Language) -> None:
    found = [
        f"{place}: {name} (say: {term[lang][0]})"
        for catalogue in CATALOGUES
        for term in GLOSSARY
        if any(fnmatch(catalogue, pattern) for pattern in term.get("in", ("*",)))
        for place, text in sentences(catalogue, lang)
        if not any(fnmatch(place, pattern) for pattern in term.get("but", ()))
        for name in old_names(term, text, lang)
    ]
    assert found == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_buttons_commands_and_answers_about_a_thing_say_its_name(lang: Language) -> None:
    wrong, missing = [], []
    named = [(term, place) for term in GLOSSARY for place in term.get("said", ())]
    for term, place in named:
        where, _, key = place.partition(":")
        rooms = [where, "cli/tournament"] if where == "cli" else [where]
        known = [room for room in rooms if key in messages(room)]
        missing += [] if known else [place]
        for room in known:
            texts = [text for at, text in sentences(room, lang) if at == f"{room}:{key}"]
            wrong += [f"{place}: {text}" for text in texts if not says(term, text, lang)]
    assert (wrong, missing) == ([], [])


def prose(table: Mapping[str, Any], lang: Language) -> Iterator[str]:
    """The sentences of a file of clauses or readings."""
    for key, value in table.items():
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, dict):
                yield from prose(each, lang)
            elif key == lang:
                yield each


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_rulebook_calls_each_thing_by_its_name(lang: Language) -> None:
    found = [
        f"{text}: {name} (say: {term[lang][0]})"
        for file in RULEBOOKS
        for text in prose(tomllib.loads(file.read_text("utf-8")), lang)
        for term in GLOSSARY
        if "in" not in term
        and not any(fnmatch("engines/x:y", each) for each in term.get("but", ()))
        for name in old_names(term, text, lang)
    ]
    assert found == []


def typed(place: str, line: str) -> bool:
    """Whether a line of a message is to be typed as it stands."""
    return place.endswith(".examples") or line.startswith(("referee ", "$ "))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_apostrophes_are_typographic_and_french_says_vous(lang: Language) -> None:
    found = [
        f"{place}: {line}"
        for catalogue in CATALOGUES
        for place, text in sentences(catalogue, lang)
        for line in text.splitlines()
        if not typed(place, line) and _STRAIGHT_OR_FAMILIAR.search(line)
    ]
    assert found == []


def test_a_page_calls_each_thing_by_its_name() -> None:
    found = [
        f"{page.relative_to(ROOT)}: {name} (say: {term[lang][0]})"
        for page, lang in PAGES.items()
        for prose in [_CODE.sub("", page.read_text("utf-8"))]
        for term in GLOSSARY
        if "in" not in term
        for name in old_names(term, prose, lang)
    ]
    assert found == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_page_of_words_is_the_glossary(lang: Language) -> None:
    page = (DOCS if lang == "en" else DOCS / "fr") / "glossary.md"
    text = page.read_text("utf-8")
    other: Language = "fr" if lang == "en" else "en"
    head = {"en": "| word | in French | |", "fr": "| mot | en anglais | |"}[lang]
    rows = sorted(
        (f"| {term[lang][0]} | {term[other][0]} | {term[f'about_{lang}']} |" for term in GLOSSARY),
        key=str.casefold,
    )
    made = "\n".join(["", head, "| --- | --- | --- |", *rows, "", ""])
    if os.environ.get("REFEREE_REWRITE"):
        page.write_text(_TABLE.sub(lambda _: made, text), "utf-8")
    found = _TABLE.search(text)
    assert found is not None
    assert found[0] == made


def test_the_glossary_never_gives_up_a_name_it_uses() -> None:
    for term in GLOSSARY:
        for lang in LANGUAGES:
            meant = [*term[lang], term[f"about_{lang}"]]
            assert [
                old
                for text in meant
                for other in GLOSSARY
                if "in" not in other or other is term
                for old in old_names(other, text, lang)
            ] == [], term["id"]


def test_an_old_name_would_be_noticed() -> None:
    undo = next(term for term in GLOSSARY if term["id"] == "undo")
    assert old_names(undo, "Take back the last move.", "en") == ["Take back"]
    assert old_names(undo, "Undo the last move.", "en") == []
    assert says(undo, "Annuler la dernière action.", "fr")
    assert not says(undo, "Reprendre la dernière action.", "fr")
    assert _STRAIGHT_OR_FAMILIAR.search("l'action")
    assert not _STRAIGHT_OR_FAMILIAR.search("l’action, « tout »")


def test_no_french_button_of_a_dialog_carries_something_out_with_annuler() -> None:
    """In a dialog *Annuler* is what closes it: whoever presses it wants nothing to happen."""
    catalogue = tomllib.loads((ROOT / "service/words.toml").read_text("utf-8"))
    spoken: dict[str, set[str]] = {}
    for group in catalogue.values():
        for key, words in group.items():
            if isinstance(words, dict) and isinstance(words.get("fr"), str):
                spoken.setdefault(key, set()).add(words["fr"])
    named = re.compile(r'\b(?:does|sends)\(say\("([\w-]+)"')
    scripts = (ROOT / "service/static").glob("*.js")
    keys = {key for script in scripts for key in named.findall(script.read_text("utf-8"))}
    keys |= {key for key in spoken if key.startswith("do_")}
    assert len(keys) > 20
    assert not {key for key in keys if any(fr.startswith("Annuler") for fr in spoken.get(key, ()))}
