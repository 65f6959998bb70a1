"""Slips of whoever writes a program, beside the bends that games know (``effects``).

Most show only where there are two of a thing: the last for each, the first for all, one of two
names that look alike, a zero that is taken for nothing. So a survivor often names a second case
that no test has.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from copy import copy
from difflib import SequenceMatcher

from tests.mutants.effects import Bending, Edit, instead, part_of

_ALIKE = 0.6
"""How much of two names is the same where one is written for the other."""
_ORDERED = ("sorted", "min", "max")
_LANGUAGE = ("lang", "language")


class Slips(Bending):
    """All edits of one function of the program."""

    def edits(self) -> Iterator[tuple[tuple[int, int], Edit]]:
        self._alike = _names_alike(self.source.node)
        yield from super().edits()

    def _of_statement(
        self, holder: ast.AST, place: str, index: int, statement: ast.stmt
    ) -> Iterator[Edit]:
        yield from super()._of_statement(holder, place, index, statement)
        match statement:
            case ast.Expr(ast.Await()):
                yield Edit(holder, place, index, ast.Pass(), ast.unparse(statement), "")
            case ast.Assign([ast.Attribute()]) if self.source.node.name != "__init__":
                yield Edit(holder, place, index, ast.Pass(), ast.unparse(statement), "")
            case ast.With(items=[ast.withitem(optional_vars=None) as item], body=body):
                plain = ast.If(ast.Constant(True), body, [])
                text = f"with {ast.unparse(item)}"
                yield Edit(holder, place, index, plain, text, "")
            case ast.For(iter=items):
                yield from _fewer(statement, items)

    def _condition(self, holder: ast.AST, place: str, index: int | None) -> Iterator[Edit]:
        """A condition that is forgotten, or never holds: rarer noticed than one turned round."""
        test = getattr(holder, place)
        test = test if index is None else test[index]
        if not isinstance(test, ast.Constant):
            for answer in (True, False):
                yield instead(holder, place, index, test, ast.Constant(answer))

    def _of_expression(
        self, holder: ast.AST, place: str, index: int | None, node: ast.expr
    ) -> Iterator[Edit]:
        match node:
            case ast.Compare(left, [ast.IsNot()], [ast.Constant(None)]):
                yield instead(holder, place, index, node, left)
            case ast.Compare(left, [ast.Is()], [ast.Constant(None)]):
                yield instead(holder, place, index, node, ast.UnaryOp(ast.Not(), left))
            case ast.Name(name, ast.Load()):
                if other := self._alike.get(name):
                    yield instead(holder, place, index, node, ast.Name(other, ast.Load()))
            case ast.Attribute(attr=name) if name in _LANGUAGE:
                yield instead(holder, place, index, node, ast.Constant("en"))
            case ast.Attribute(value) if ast.unparse(node) in self._alike:
                wrong = ast.Attribute(value, self._alike[ast.unparse(node)], ast.Load())
                yield instead(holder, place, index, node, wrong)
            case ast.Slice(lower, upper):
                for side, bound in (("lower", lower), ("upper", upper)):
                    if isinstance(bound, ast.Constant) and isinstance(bound.value, int):
                        moved = copy(node)
                        setattr(moved, side, ast.Constant(bound.value + 1))
                        yield instead(holder, place, index, node, moved)
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                for generator in node.generators:
                    if not generator.is_async:
                        yield from _fewer(generator, generator.iter)
            case ast.Call(ast.Name(name), [items], keywords) if name in _ORDERED:
                yield from _other_order(node, items, keywords)
        if not _is_decided(holder, place, node):
            yield from super()._of_expression(holder, place, index, node)


def _is_decided(holder: ast.AST, place: str, node: ast.expr) -> bool:
    """Whether a comparison has been bent as a condition, both ways, and has no border."""
    return (
        isinstance(holder, ast.If | ast.While | ast.IfExp)
        and place == "test"
        and isinstance(node, ast.Compare)
        and not any(isinstance(op, ast.Lt | ast.LtE | ast.Gt | ast.GtE) for op in node.ops)
    )


def _fewer(holder: ast.AST, items: ast.expr) -> Iterator[Edit]:
    """The first alone, or the last, of all that there are."""
    if isinstance(items, ast.Tuple | ast.List | ast.Constant):
        return
    for which in (":1", "-1:"):
        yield instead(holder, "iter", None, items, part_of(items, which))


def _other_order(call: ast.Call, items: ast.expr, keywords: list[ast.keyword]) -> Iterator[Edit]:
    """Equals the other way round, and as equals those that differ in the last of several keys."""
    if any(word.arg == "key" for word in keywords):
        yield instead(call, "args", 0, items, part_of(items, "::-1"))
    for word in keywords:
        match word.value:
            case ast.Lambda(body=ast.Tuple(elts=[*kept, _])) if kept:
                tied = ast.Tuple(kept, ast.Load())
                yield instead(word.value, "body", None, word.value.body, tied)


def _names_alike(function: ast.FunctionDef) -> dict[str, str]:
    """For each name of a value, and each field of one, the other that is most easily taken for it.

    Names that look alike, or are annotated alike.
    """
    arguments = function.args
    given = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    kinds = {one.arg: ast.unparse(one.annotation) for one in given if one.annotation}
    names: dict[str, None] = {one.arg: None for one in given}
    fields: dict[str, dict[str, None]] = {}
    called = {id(node.func) for node in ast.walk(function) if isinstance(node, ast.Call)}
    for node in ast.walk(function):
        match node:
            case ast.Name(name, ast.Store()):
                names[name] = None
            case ast.Attribute(value, attr, ast.Load()) if id(node) not in called:
                fields.setdefault(ast.unparse(value), {})[attr] = None
    found: dict[str, str] = {}
    for group, prefix in ((names, ""), *((attrs, f"{value}.") for value, attrs in fields.items())):
        for name in group:
            others = {
                other: _likeness(name, other) + (not prefix and _is_same(name, other, kinds))
                for other in group
                if other != name
            }
            best = max(others, key=others.__getitem__, default=name)
            if others.get(best, 0) >= _ALIKE:
                found[prefix + name] = best
    return found


def _is_same(one: str, other: str, kinds: dict[str, str]) -> bool:
    return one in kinds and kinds[one] == kinds.get(other)


def _likeness(one: str, other: str) -> float:
    return SequenceMatcher(None, one, other).ratio()
