"""What models find wrong with data is told in both languages, whatever it is."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

import pytest
from pydantic import (
    Base64Bytes,
    BaseModel,
    ConfigDict,
    Field,
    TypeAdapter,
    ValidationError,
    field_validator,
)
from pydantic_core.core_schema import ErrorType

from engines.kernel import LANGUAGES, Flaw, ParseError
from engines.kernel.messages.errors import PROBLEMS, first_mistake
from engines.kernel.messages.package_data import KERNEL_WORDS, read_words
from engines.kernel.rules.actions import PlainText

ROOT = Path(__file__).parents[2]


class Cat(BaseModel):
    kind: Literal["cat"]


class Dog(BaseModel):
    kind: Literal["dog"]


class Inner(BaseModel):
    model_config = ConfigDict(extra="forbid")
    name: str = "x"


class Model(BaseModel):
    model_config = ConfigDict(extra="forbid")

    small: int = Field(default=5, ge=1, le=9)
    odd: int = Field(default=5, gt=1, lt=9)
    text: str = Field(default="abc", min_length=2, max_length=4, pattern="^[a-z]+$")
    plain: PlainText = "abc"
    flag: bool = False
    choice: Literal["red", "blue", "green"] = "red"
    many: tuple[int, ...] = Field(default=(1,), min_length=1, max_length=2)
    listed: list[int] = []
    table: dict[str, int] = {}
    inner: Inner = Inner()
    pet: Annotated[Cat | Dog, Field(discriminator="kind")] = Cat(kind="cat")
    own: int = 1

    @field_validator("own")
    @classmethod
    def _own(cls, value: int) -> int:
        if value == 2:
            raise Flaw("toml_ends")
        if value == 3:
            raise ParseError("nothing_said")
        return value


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"small": 0}, "il faut au moins 1"),
    ({"small": 10}, "9 au plus"),
    ({"odd": 1}, "il faut plus de 1"),
    ({"odd": 9}, "il faut moins de 9"),
    ({"small": "x"}, "il faut un nombre entier"),
    ({"small": 1.5}, "il faut un nombre entier"),
    ({"small": []}, "il faut un nombre entier"),
    ({"text": 3}, "il faut un texte"),
    ({"text": "a"}, "il faut au moins 2 caractères"),
    ({"text": "abcde"}, "4 caractères au plus"),
    ({"text": "AB"}, "cela s’écrit autrement (^[a-z]+$)"),
    ({"plain": "a\x07"}, "le caractère de contrôle U+0007 n’est pas admis"),
    ({"flag": "perhaps"}, "ce n’est ni vrai ni faux (true, false)"),
    ({"flag": []}, "ce n’est ni vrai ni faux (true, false)"),
    ({"choice": "pink"}, "attendu\u202f: red, blue, green"),
    ({"many": ()}, "il en faut au moins 1, il y en a 0"),
    ({"many": (1, 2, 3)}, "2 au plus, il y en a 3"),
    ({"many": 1}, "il faut une liste"),
    ({"listed": 1}, "il faut une liste"),
    ({"table": 1}, "il faut une table de noms et de valeurs"),
    ({"inner": 1}, "il faut une table de noms et de valeurs"),
    ({"inner": {"nmae": 1}}, "champ inconnu"),
    ({"pet": {}}, "'kind' manque"),
    ({"pet": {"kind": "cow"}}, "il n’y a pas de «\u202fcow\u202f» (il y a\u202f: cat, dog)"),
    ({"own": 2}, "le TOML s’arrête trop tôt"),
    ({"own": 3}, "rien à lire"),
]


@pytest.mark.parametrize(("data", "told"), WRONG, ids=[told for _, told in WRONG])
def test_what_is_wrong_is_told_in_french(data: dict[str, Any], told: str) -> None:
    with pytest.raises(ValidationError) as caught:
        Model.model_validate(data)
    wrong = first_mistake(caught.value)
    words = read_words("referee", KERNEL_WORDS)
    assert words.show(wrong.problem, "fr") == told.replace("'kind'", "kind")
    assert words.show(wrong.problem, "en") != words.show(wrong.problem, "fr")


def test_what_pydantic_finds_is_known_by_its_name() -> None:
    with pytest.raises(ValidationError) as caught:
        TypeAdapter(Base64Bytes).validate_python("a")
    of_types = {error["type"] for error in caught.value.errors()}
    assert set(PROBLEMS) <= {*get_args(ErrorType), *of_types}
    for key in PROBLEMS.values():
        assert f"flaw.{key}" in KERNEL_WORDS


def test_a_problem_without_a_sentence_of_its_own_is_told_all_the_same() -> None:
    class Odd(BaseModel):
        number: float = Field(allow_inf_nan=False)

    with pytest.raises(ValidationError) as caught:
        Odd(number=float("nan"))
    told = [KERNEL_WORDS.show(first_mistake(caught.value).phrase, lang) for lang in LANGUAGES]
    assert all("finite_number" in text for text in told)


def test_a_mistake_names_its_place_and_shows_what_was_said() -> None:
    with pytest.raises(ValidationError) as caught:
        Model.model_validate({"table": {"name": "\x1b[2J"}})
    wrong = first_mistake(caught.value)
    assert (wrong.place, wrong.said) == ("table.name", "<U+001B>[2J")
    assert KERNEL_WORDS.show(wrong.phrase, "en") == "table.name: this must be a whole number"


def test_what_has_parts_is_not_shown_as_data() -> None:
    with pytest.raises(ValidationError) as caught:
        Model.model_validate({"inner": {"name": ["a", "b"]}})
    wrong = first_mistake(caught.value)
    assert (wrong.place, wrong.said) == ("inner.name", None)
    assert KERNEL_WORDS.show(wrong.phrase, "en") == "inner.name: this must be text"


def flaws() -> Iterator[tuple[Path, str]]:
    """Every flaw that the program can raise: its file and its key."""
    names = {"Flaw", "UnsafeJson", "UnreadableEntry", "NotCanonical", "CaseError", "BadLine"}
    for folder in ("engines", "referee", "replays"):
        for file in sorted((ROOT / folder).rglob("*.py")):
            for node in ast.walk(ast.parse(file.read_text("utf-8"))):
                if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
                    continue
                if node.func.id in (*names, "RecordError") and node.args:
                    assert isinstance(node.args[0], ast.Constant), (file, node.lineno)
                    yield file, str(node.args[0].value)


def test_every_flaw_has_a_sentence_where_it_is_raised() -> None:
    found = list(flaws())
    assert len(found) > 60
    referee = read_words("referee", KERNEL_WORDS)
    for file, key in found:
        package = ".".join(file.parent.relative_to(ROOT).parts)
        own = read_words(package, referee) if (file.parent / "words.toml").is_file() else referee
        assert f"flaw.{key}" in own, (file, key)


def test_a_validator_never_speaks_english_only() -> None:
    """A plain ``ValueError`` in a model would reach people as it is."""
    spoken = re.compile(r"_validator|Validator\(")
    for folder in ("engines", "referee"):
        for file in (ROOT / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(file.read_text("utf-8"))):
                if isinstance(node, ast.FunctionDef) and any(
                    spoken.search(ast.unparse(mark)) for mark in node.decorator_list
                ):
                    assert "ValueError(" not in ast.unparse(node) or file.name == "clauses.py", file
