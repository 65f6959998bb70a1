"""Kits: what is in the physical box, every datum with its provenance."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Self, get_args

from pydantic import AfterValidator, BaseModel, PrivateAttr

from engines.kernel.errors import BadForm, Flaw
from engines.kernel.models import STRICT
from engines.kernel.words import Language, Phrase

Provenance = Literal["rulebook", "derived", "public", "recalled", "assumed", "declared"]
PROVENANCES: tuple[str, ...] = get_args(Provenance)
_WEAKEST_LAST = ("declared", "rulebook", "derived", "public", "recalled", "assumed")

_LABELS = ("kit", "game", "version")
"""What names a kit is no fact about the box."""
_MARK = "provenance"
_SOURCE = "source"


class Kit(BaseModel):
    """Base of a game's kit model: the data, and the sheet that says where they are known from."""

    model_config = STRICT

    kit: str
    game: str
    version: int

    _sheet: KitSheet | None = PrivateAttr(default=None)

    @classmethod
    def read(cls, sheet: KitSheet) -> Self:
        kit = cls.model_validate(sheet.data())
        kit._sheet = sheet
        return kit

    def provenance(self, path: str) -> str:
        """Where a datum is known from, for facts that put it in doubt."""
        return self._sheet.provenance(path) if self._sheet is not None else "assumed"


def has_all(*names: object) -> AfterValidator:
    """Of a table: the rules cannot do without an entry for each of these."""

    def checked(table: dict[Any, Any]) -> dict[Any, Any]:
        for name in names:
            if name not in table:
                raise Flaw("at", place=str(name), problem=Phrase("flaw.missing"))
        return table

    return AfterValidator(checked)


Source = str | Mapping[str, str]
"""How a datum is known: a name or a table's own words, or a remark in every language."""


class Datum(NamedTuple):
    """One fact about the box."""

    path: str
    value: Any
    provenance: str
    source: Source | None

    def source_in(self, lang: Language) -> str:
        if isinstance(self.source, Mapping):
            return str(self.source.get(lang, ""))
        return self.source or ""


@dataclass(frozen=True)
class KitSheet:
    """A kit as it is written and stored: data with provenance marks among them.

    ``provenance`` and ``source`` may stand in any table and hold for everything below it;
    ``<key>_provenance`` and ``<key>_source`` mark the neighbouring ``<key>``. A source is a
    name (a heading of the rulebook, say), or ``{ en = "…", fr = "…" }``.
    """

    content: Mapping[str, Any]

    def data(self) -> dict[str, Any]:
        """The data alone, for the game's kit model."""
        plain = _strip(self.content)
        assert isinstance(plain, dict)
        return plain

    def datums(self) -> Iterator[Datum]:
        """Every datum with its provenance and source, in the order of the file."""
        for datum in self._marked():
            known = datum.provenance in PROVENANCES
            yield datum if known else datum._replace(provenance="assumed")

    def badly_marked(self) -> Datum | None:
        """The first datum whose provenance is none that anybody knows."""
        return next((d for d in self._marked() if d.provenance not in PROVENANCES), None)

    def _marked(self) -> Iterator[Datum]:
        for datum in _walk(self.content, "", "assumed", None):
            if datum.path not in _LABELS:
                yield datum

    def provenance(self, path: str) -> str:
        """The provenance of a datum (of the weakest, if the path names several)."""
        found = [d.provenance for d in self.datums() if _under(d.path, path)]
        return max(found, key=_WEAKEST_LAST.index) if found else "assumed"

    def declare(self, path: str, value: Any, source: str) -> KitSheet:
        """The same kit with one datum stated by the table."""
        return KitSheet(_declared(self.content, path.split("."), path, value, source))


def _strip(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _strip(item) for key, item in value.items() if not _is_mark(key, value)}
    if isinstance(value, list | tuple):
        return [_strip(item) for item in value]
    return value


def _is_mark(key: str, table: Mapping[str, Any]) -> bool:
    neighbour, _, last = key.rpartition("_")
    return last in (_MARK, _SOURCE) and (not neighbour or neighbour in table)


def _walk(value: Any, path: str, provenance: str, source: Source | None) -> Iterator[Datum]:
    if isinstance(value, Mapping):
        if _MARK in value:
            provenance, source = value[_MARK], value.get(_SOURCE)
        else:
            source = value.get(_SOURCE, source)
        for key, item in value.items():
            if _is_mark(key, value):
                continue
            own = value.get(f"{key}_{_MARK}", provenance)
            own_source = value.get(f"{key}_{_SOURCE}", source if own == provenance else None)
            yield from _walk(item, f"{path}.{key}" if path else key, own, own_source)
    elif isinstance(value, list | tuple) and any(isinstance(i, Mapping | list) for i in value):
        for index, item in enumerate(value):
            yield from _walk(item, f"{path}.{index}", provenance, source)
    else:
        yield Datum(path, value, provenance, source)


def _under(path: str, prefix: str) -> bool:
    return path == prefix or path.startswith(prefix + ".") or prefix.startswith(path + ".")


def _declared(node: Any, keys: list[str], path: str, value: Any, source: str) -> Any:
    key, rest = keys[0], keys[1:]
    if isinstance(node, Mapping) and key in node and not _is_mark(key, node):
        changed = dict(node)
        if rest:
            changed[key] = _declared(node[key], rest, path, value, source)
        else:
            changed[key] = value
            changed[f"{key}_{_MARK}"] = "declared"
            changed[f"{key}_{_SOURCE}"] = source
        return changed
    if isinstance(node, list | tuple) and key.isdigit() and int(key) < len(node) and rest:
        items = list(node)
        items[int(key)] = _declared(items[int(key)], rest, path, value, source)
        return items
    raise BadForm("unknown_datum", path=path)
