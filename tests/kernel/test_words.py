"""Message catalogues."""

from __future__ import annotations

import pytest

from engines.kernel import LANGUAGES, Catalogue, Speech
from engines.kernel.messages.catalogue import normalize
from engines.kernel.messages.package_data import KERNEL_WORDS
from tests.speaking import placeholders

WORDS = Catalogue(
    {
        "left": {
            "en_one": "one card left",
            "en": "{count} cards left",
            "fr_one": "{count} carte restante",
            "fr": "{count} cartes restantes",
        },
        "gives": {"en": "{seat} gives {what}", "fr": "{seat} donne {what}"},
        "term.star": {"en": "Star", "fr": "Étoile d'or"},
    },
    KERNEL_WORDS,
)


@pytest.mark.parametrize(
    ("lang", "count", "said"),
    [
        ("en", 0, "0 cards left"),
        ("en", 1, "one card left"),
        ("en", 2, "2 cards left"),
        ("fr", 0, "0 carte restante"),
        ("fr", 1, "1 carte restante"),
        ("fr", 2, "2 cartes restantes"),
    ],
)
def test_singular_and_plural_follow_the_language(lang, count: int, said: str) -> None:
    assert WORDS.say("left", lang, count=count) == said


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ("star", "Étoile d'or"),
        (("star", "moon"), "Étoile d'or, moon"),
        ({"star": 2}, "Étoile d'or 2"),
        ((), "aucun"),
        (None, "aucun"),
        (True, "oui"),
        (3, "3"),
    ],
)
def test_facts_are_said_in_the_language(what: object, said: str) -> None:
    assert WORDS.say("gives", "fr", seat="A", what=what) == f"A donne {said}"


def test_facts_are_never_read_as_templates() -> None:
    assert WORDS.say("gives", "en", seat="{what}", what="x") == "{what} gives x"


def test_a_missing_fact_is_left_to_be_seen_and_a_missing_message_is_an_error() -> None:
    assert WORDS.say("gives", "en", seat="A") == "A gives {what}"
    with pytest.raises(KeyError, match="no_such_message"):
        WORDS.say("no_such_message", "en")


def test_names_in_both_languages_lead_to_the_word_stored() -> None:
    assert WORDS.aliases()["star"] == WORDS.aliases()["etoile_d'or"] == ("star",)
    twins = Catalogue({f"term.{key}": {"en": key, "fr": "vert"} for key in ("green", "verdant")})
    assert twins.aliases()["vert"] == ("green", "verdant")


def test_a_catalogue_falls_back_on_the_shared_one() -> None:
    assert WORDS.say("outcome.illegal", "fr") == "illégal"
    assert "outcome.illegal" in WORDS
    assert "outcome.illegal" not in list(WORDS)


@pytest.mark.parametrize("word", ["Étoile", "ÉTOILE", "etoile", "e\u0301toile"])
def test_case_and_accents_are_folded(word: str) -> None:
    assert normalize(word) == "etoile"
    assert normalize("Œuf") == "oeuf"


def test_the_shared_catalogue_is_complete() -> None:
    for key in KERNEL_WORDS:
        entry = KERNEL_WORDS.entry(key)
        assert entry is not None
        assert set(entry) >= set(LANGUAGES), key
        assert placeholders(entry["en"]) == placeholders(entry["fr"]), key


def test_a_speech_is_a_catalogue_in_one_language() -> None:
    speech = Speech(WORDS, "fr")
    assert speech.say("gives", seat="A", what="star") == "A donne Étoile d'or"
    assert speech.term("star") == "Étoile d'or"
    assert speech.show({"star": True}) == "Étoile d'or oui"
    assert "gives" in speech
    assert "takes" not in speech
