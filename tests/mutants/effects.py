"""Bent effects: what a reducer moves, pays, counts, traces, orders and ends, done otherwise.

Every function of a game's rules and of its state is bent one expression at a time. A bent
function is compiled alone and its code put in the place of the old one, so that whoever has
the function, has the bent one. What a rule asks (``rule(...)``) is bent elsewhere (``rules``).
"""

from __future__ import annotations

import ast
import gc
import hashlib
import inspect
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from copy import copy, deepcopy
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from pathlib import Path
from types import CodeType, FunctionType, MappingProxyType, ModuleType
from typing import Any, NamedTuple

from msgspec import NODEFAULT, Struct
from pydantic import BaseModel

from engines.kernel import Agenda, Bag, Engine
from referee.game_check.bent_rules import kind_of_call

_LONGEST_TEXT = 70
_BESIDE_RULES = ("state.py", "trail.py")
_NO_EFFECT = (ast.Raise, ast.Assert, ast.JoinedStr, ast.pattern)
"""How a mistake is told, and what only describes a form."""

Function = ast.FunctionDef
_FACES = ("describe", "picture")
"""What shows a table changes nothing of it."""


class Edit(NamedTuple):
    """Something else, or nothing, in the place of a node or of a whole field."""

    holder: ast.AST
    place: str
    index: int | None
    new: ast.AST | list[ast.stmt] | None
    before: str
    after: str


class Effect(NamedTuple):
    """One function of a game, bent at one place."""

    file: str
    function: str
    change: str
    lines: tuple[int, int]
    """From where to where the statement goes: whoever never comes there cannot notice."""

    def __str__(self) -> str:
        return f"{self.file} {self.function}: {self.change}"


# where the functions are


@dataclass
class SourceFunction:
    """A function as it is written and as it is."""

    file: str
    path: str
    name: str
    node: Function
    owner: str | None
    real: FunctionType
    module: ModuleType

    @property
    def print(self) -> str:
        """Of the function, wherever in its file it stands."""
        written = f"{self.file} {self.name} {ast.dump(self.node)}"
        return hashlib.sha256(written.encode()).hexdigest()[:10]

    def code(self) -> CodeType:
        """Compiled from its present tree."""
        alone = copy(self.node)
        alone.decorator_list = []
        body: list[ast.stmt] = [alone]
        if self.owner is not None:
            body = [ast.ClassDef(self.owner, [], [], body, [])]
        future = ast.ImportFrom("__future__", [ast.alias("annotations")], 0)
        tree = ast.fix_missing_locations(ast.Module([future, *body], []))
        found = compile(tree, self.path, "exec", dont_inherit=True)
        for name in filter(None, (self.owner, self.node.name)):
            found = next(
                const
                for const in found.co_consts
                if isinstance(const, CodeType) and const.co_name == name
            )
        return found


class Effects:
    """The mutants of a game, and how to make one real."""

    def __init__(self, engine: Engine[Any, Any]) -> None:
        package = sys.modules[engine.package]
        self.folder = Path(str(package.__file__)).parent
        self.package = engine.package
        shown = {getattr(engine, face) for face in _FACES} | {*engine.rules.offered.values()}
        self.sources = [source for source in self._sources() if source.real not in shown]
        self.edits: dict[Effect, tuple[SourceFunction, Edit]] = {}
        for source in self.sources:
            for effect, edit in edits_of(source, self._same_kind_methods):
                self.edits[effect] = source, edit

    @cached_property
    def _paths(self) -> list[Path]:
        rules = sorted(self.folder.glob("rules/*.py"))
        beside = [self.folder / name for name in _BESIDE_RULES]
        return [path for path in (*rules, *beside) if path.exists()] or [
            self.folder / "__init__.py"
        ]

    def _sources(self) -> Iterator[SourceFunction]:
        for path in self._paths:
            file = path.relative_to(self.folder)
            dotted = ".".join(p for p in file.with_suffix("").parts if p != "__init__")
            module = import_module(".".join(filter(None, (self.package, dotted))))
            for node in ast.parse(path.read_text("utf-8")).body:
                found = [(node, None)] if isinstance(node, Function) else []
                if isinstance(node, ast.ClassDef):
                    found = [(one, node.name) for one in node.body if isinstance(one, Function)]
                for function, owner in found:
                    if function.name in _FACES:
                        continue
                    name = f"{owner}.{function.name}" if owner else function.name
                    holder = vars(module)[owner] if owner else module
                    real = plain_function(vars(holder)[function.name])
                    yield SourceFunction(
                        file.as_posix(), str(path), name, function, owner, real, module
                    )

    @cached_property
    def _same_kind_methods(self) -> dict[str, FunctionType]:
        """Methods that give back what they were called on, changed; by name."""
        found = {}
        own = [one for source in self.sources for one in vars(source.module).values()]
        for one in (Bag, Agenda, *filter(_is_struct, own)):
            for name, method in [*vars(one).items()]:
                if not isinstance(method, FunctionType):
                    continue
                returns = str(method.__annotations__.get("return"))
                if returns.split("[")[0] == one.__name__:
                    found[name] = method
        return found

    @cached_property
    def _caches(self) -> list[Any]:
        modules = {source.module.__name__: source.module for source in self.sources}.values()
        objects = [one for module in modules for one in vars(module).values()]
        return [one for one in objects if hasattr(one, "cache_clear")]

    def forget(self) -> None:
        """Nothing that was computed before counts."""
        for cached in self._caches:
            cached.cache_clear()

    @cached_property
    def _made(self) -> dict[CodeType, list[FunctionType]]:
        """Functions that live on and were made inside others: what a decorator has wrapped."""
        inside = {code for source in self.sources for code in codes_of(source.real.__code__)}
        found: dict[CodeType, list[FunctionType]] = {}
        gc.unfreeze()  # a service run in this process freezes what it has; frozen is not listed
        for one in gc.get_objects():
            if isinstance(one, FunctionType) and one.__code__ in inside:
                found.setdefault(one.__code__, []).append(one)
        return found

    @contextmanager
    def bent(self, effect: Effect) -> Iterator[None]:
        source, edit = self.edits[effect]
        with applied(edit):
            others = {code.co_name: code for code in codes_of(source.code())}
        honest = [
            (function, code)
            for code in codes_of(source.real.__code__)
            for function in self._made.get(code, ())
        ]
        try:
            for function, code in honest:
                function.__code__ = others[code.co_name]
            self.forget()
            yield
        finally:
            for function, code in honest:
                function.__code__ = code
            self.forget()


def codes_of(code: CodeType) -> Iterator[CodeType]:
    """A function with those written inside it."""
    yield code
    for const in code.co_consts:
        if isinstance(const, CodeType):
            yield from codes_of(const)


def plain_function(found: Any) -> FunctionType:
    for name in ("fget", "func", "__func__", "__wrapped__"):
        found = getattr(found, name, found)
    assert isinstance(found, FunctionType), found
    return found


@contextmanager
def applied(edit: Edit) -> Iterator[None]:
    held = getattr(edit.holder, edit.place)
    if edit.index is None:
        changed = edit.new
    else:
        changed = [*held[: edit.index], *([edit.new] if edit.new else []), *held[edit.index + 1 :]]
    setattr(edit.holder, edit.place, changed)
    try:
        yield
    finally:
        setattr(edit.holder, edit.place, held)


# what can be bent


def edits_of(
    source: SourceFunction,
    methods: Mapping[str, FunctionType] = MappingProxyType({}),
    kind: type[Bending] | None = None,
) -> Iterator[tuple[Effect, Edit]]:
    """Every way in which a function is bent.

    ``methods``: those that give back what they were called on, changed. Their calls are left out.
    """
    bending = (kind or Bending)(source, methods)
    seen: dict[str, int] = {}
    forms = {ast.dump(source.node)}
    for lines, edit in bending.edits():
        with applied(edit):
            form = ast.dump(source.node)
        if form in forms:
            continue
        forms.add(form)
        change = f"{_short(edit.before)} → {_short(edit.after) or 'nothing'}"
        seen[change] = seen.get(change, 0) + 1
        if seen[change] > 1:
            change += f" ({seen[change]})"
        yield Effect(source.file, source.name, change, lines), edit


def _short(text: str) -> str:
    text = " ".join(text.split())
    if len(text) <= _LONGEST_TEXT:
        return text
    digest = hashlib.sha256(text.encode()).hexdigest()[:6]
    return f"{text[:_LONGEST_TEXT]}… {digest}"


_ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
}
_OPPOSITE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
_BORDER: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
}
_OTHER_CHOICE = {"min": "max", "max": "min", "any": "all", "all": "any"}


class Bending:
    """All edits of one function."""

    def __init__(self, source: SourceFunction, methods: Mapping[str, FunctionType]) -> None:
        self.source = source
        self.methods = methods
        arguments = source.node.args
        names = [one.arg for one in (*arguments.args, *arguments.kwonlyargs)]
        stored = [
            node.id
            for node in ast.walk(source.node)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        ]
        self.rebound = {name for name in stored if (names + stored).count(name) > 1}

    def edits(self) -> Iterator[tuple[tuple[int, int], Edit]]:
        yield from self._in_block(self.source.node, "body")
        yield from self._swapped_fields()

    def _in_block(self, holder: ast.AST, place: str) -> Iterator[tuple[tuple[int, int], Edit]]:
        for index, statement in enumerate(getattr(holder, place)):
            if isinstance(statement, _NO_EFFECT) or _is_docstring(statement):
                continue
            lines = _own_lines(statement)
            for edit in self._of_statement(holder, place, index, statement):
                yield lines, edit
            for name, value in ast.iter_fields(statement):
                if name in ("body", "orelse", "finalbody") and isinstance(value, list):
                    yield from self._in_block(statement, name)
                elif name == "cases":
                    for case in value:
                        if case.guard is not None:
                            guard = case.guard.lineno, case.guard.end_lineno
                            yield from ((guard, e) for e in self._condition(case, "guard", None))
                        yield from self._in_block(case, "body")
                elif name not in ("decorator_list", "annotation", "target", "targets"):
                    yield from ((lines, edit) for edit in self._in_field(statement, name))

    def _in_field(self, holder: ast.AST, place: str) -> Iterator[Edit]:
        value = getattr(holder, place)
        if isinstance(value, list):
            for index, node in enumerate(value):
                if isinstance(node, ast.AST):
                    yield from self._in_node(holder, place, index, node)
        elif isinstance(value, ast.AST):
            yield from self._in_node(holder, place, None, value)

    def _in_node(
        self, holder: ast.AST, place: str, index: int | None, node: ast.AST
    ) -> Iterator[Edit]:
        if isinstance(node, _NO_EFFECT):
            return
        if isinstance(node, ast.expr):
            yield from self._of_expression(holder, place, index, node)
        if isinstance(node, ast.Call) and (kind := kind_of_call(node.func)) is not None:
            if kind == "effect" and len(node.args) > 1:
                yield from self._condition(node, "args", 1)
                yield from self._in_node(node, "args", 1, node.args[1])
            elif kind in ("proves", "clears"):
                yield from _dropped_each(node, "args", node.args[1:])
            return
        if isinstance(node, ast.Call) and name_of(node.func) in ("isinstance", "cast"):
            return
        for name in node._fields:
            if name != "annotation":
                yield from self._in_field(node, name)

    # statements

    def _of_statement(
        self, holder: ast.AST, place: str, index: int, statement: ast.stmt
    ) -> Iterator[Edit]:
        if self._can_be_left_out(statement):
            text = ast.unparse(statement)
            yield Edit(holder, place, index, ast.Pass(), text, "")
        if isinstance(statement, ast.AugAssign) and type(statement.op) in _ARITHMETIC:
            other = copy(statement)
            other.op = _ARITHMETIC[type(statement.op)]()
            yield instead(holder, place, index, statement, other)
        if isinstance(statement, ast.If | ast.While):
            yield from self._condition(statement, "test", None)
        if isinstance(statement, ast.For) and _order_matters(statement):
            yield instead(statement, "iter", None, statement.iter, part_of(statement.iter, "::-1"))

    def _can_be_left_out(self, statement: ast.stmt) -> bool:
        match statement:
            case ast.Expr(ast.Call(ast.Attribute(attr="heard_out"))):
                return False  # it saves time and does nothing else
            case ast.Expr(ast.Call(function)):
                return kind_of_call(function) is None
            case ast.AugAssign() | ast.Delete() | ast.Break() | ast.Continue():
                return True
            case ast.Assign([ast.Subscript()]):
                return True
            case ast.Assign([ast.Name(name)], value):
                return name in self.rebound and not self._undoes(value)
        return False

    # expressions

    def _of_expression(
        self, holder: ast.AST, place: str, index: int | None, node: ast.expr
    ) -> Iterator[Edit]:
        match node:
            case ast.Call():
                yield from self._of_call(holder, place, index, node)
            case ast.BinOp(left, op, right) if type(op) in _ARITHMETIC:
                texts = (ast.Tuple, ast.List, ast.JoinedStr)
                written = [part for part in (left, right) if isinstance(part, texts)]
                if not written:
                    other = copy(node)
                    other.op = _ARITHMETIC[type(op)]()
                    yield instead(holder, place, index, node, other)
            case ast.BoolOp(values=values):
                for gone in range(len(values)):
                    left_over = [*values[:gone], *values[gone + 1 :]]
                    rest = left_over[0]
                    if len(left_over) > 1:
                        rest = ast.BoolOp(node.op, left_over)
                    yield instead(holder, place, index, node, rest)
            case ast.Compare(ops=[op]) if type(op) in _BORDER:
                yield instead(holder, place, index, node, _compared(node, _BORDER[type(op)]()))
            case ast.Compare(ops=[op]) if type(op) in _OPPOSITE:
                yield instead(holder, place, index, node, _compared(node, _OPPOSITE[type(op)]()))
            case ast.IfExp():
                yield from self._condition(node, "test", None)
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                for generator in node.generators:
                    for number in range(len(generator.ifs)):
                        yield from self._condition(generator, "ifs", number)
            case ast.Constant(bool(value)):
                yield instead(holder, place, index, node, ast.Constant(not value))
            case ast.Constant(int(value)) if not _is_plain_place(holder):
                yield instead(holder, place, index, node, ast.Constant(value + 1))
            case ast.Subscript(slice=ast.Constant(0)):
                last = ast.Subscript(node.value, ast.Constant(-1), node.ctx)
                yield instead(holder, place, index, node, last)
            case ast.Subscript(slice=ast.UnaryOp(ast.USub(), ast.Constant(1))):
                first = ast.Subscript(node.value, ast.Constant(0), node.ctx)
                yield instead(holder, place, index, node, first)

    def _condition(self, holder: ast.AST, place: str, index: int | None) -> Iterator[Edit]:
        """The other way round, where no smaller bend does it."""
        test = getattr(holder, place)
        test = test if index is None else test[index]
        if isinstance(test, ast.BoolOp | ast.Constant):
            return
        if isinstance(test, ast.Compare) and len(test.ops) == 1 and type(test.ops[0]) in _OPPOSITE:
            return
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            yield instead(holder, place, index, test, test.operand)
        else:
            yield instead(holder, place, index, test, ast.UnaryOp(ast.Not(), test))

    # calls

    def _of_call(
        self, holder: ast.AST, place: str, index: int | None, node: ast.Call
    ) -> Iterator[Edit]:
        if kind_of_call(node.func) is not None:
            return
        if (untouched := self._undoes(node)) is not None:
            yield instead(holder, place, index, node, untouched)
        name = name_of(node.func)
        if name in _OTHER_CHOICE:
            other = ast.Call(ast.Name(_OTHER_CHOICE[name], ast.Load()), node.args, node.keywords)
            yield instead(holder, place, index, node, other)
        if name in ("sorted", "reversed"):
            yield instead(
                holder,
                place,
                index,
                node,
                ast.Call(ast.Name("list", ast.Load()), node.args[:1], []),
            )
        if name == "next" and isinstance(node.args[0], ast.GeneratorExp):
            generator = node.args[0].generators[0]
            yield instead(generator, "iter", None, generator.iter, part_of(generator.iter, "::-1"))
        yield from self._left_out_arguments(node)

    def _undoes(self, node: ast.expr) -> ast.expr | None:
        """What a call changes, unchanged."""
        if not isinstance(node, ast.Call):
            return None
        if isinstance(node.func, ast.Attribute) and node.func.attr in self.methods:
            return node.func.value
        function = self._called(node)
        if not isinstance(function, FunctionType) or not node.args:
            return None
        hints = [*function.__annotations__.items()]
        if len(hints) < 2 or hints[-1][0] != "return" or hints[-1][1] in ("bool", "int", "str"):
            return None
        same = hints[0][1] == hints[-1][1]
        return node.args[0] if same and not isinstance(node.args[0], ast.Starred) else None

    def _left_out_arguments(self, node: ast.Call) -> Iterator[Edit]:
        """Every argument that may be left out, in turn."""
        called = self._called(node)
        optional = _optional_keywords(called)
        named = [keyword for keyword in node.keywords if keyword.arg is not None]
        if len(named) > 1 or called is None or not self._undoes(node):
            yield from _dropped_each(
                node, "keywords", [word for word in named if optional(str(word.arg))]
            )
        fixed = _fixed_arguments(called)
        if fixed is not None:
            yield from _dropped_each(node, "args", node.args[fixed:])

    def _called(self, node: ast.Call) -> Any:
        match node.func:
            case ast.Name(name):
                return vars(self.source.module).get(name)
            case ast.Attribute(attr=name) if name in self.methods:
                return self.methods[name]
            case ast.Attribute(ast.Name(holder), name):
                return getattr(vars(self.source.module).get(holder), name, None)
        return None

    # one field for another

    def _swapped_fields(self) -> Iterator[tuple[tuple[int, int], Edit]]:
        """Two amounts of one record, each taken for the other: paid from the wrong source."""
        for node in ast.walk(self.source.node):
            if not isinstance(node, ast.Call) or name_of(node.func) != "evolve":
                continue
            record, *_ = node.args
            fed = [word for word in node.keywords if _mentions(word.value, record, word.arg)]
            for number, first in enumerate(fed):
                for second in fed[number + 1 :]:
                    swap = _Swap(ast.unparse(record), str(first.arg), str(second.arg))
                    body = [swap.visit(deepcopy(one)) for one in self.source.node.body]
                    before = f"{ast.unparse(record)}.{first.arg}, .{second.arg}"
                    after = f"{ast.unparse(record)}.{second.arg}, .{first.arg}"
                    lines = (node.lineno, node.end_lineno or node.lineno)
                    yield lines, Edit(self.source.node, "body", None, body, before, after)


class _Swap(ast.NodeTransformer):
    """One field of a record for another, wherever it is read or changed."""

    def __init__(self, record: str, first: str, second: str) -> None:
        self.record = record
        self.other = {first: second, second: first}

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        if node.attr in self.other and ast.unparse(node.value) == self.record:
            node.attr = self.other[node.attr]
        return self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        if name_of(node.func) == "evolve" and ast.unparse(node.args[0]) == self.record:
            for word in node.keywords:
                word.arg = self.other.get(str(word.arg), word.arg)
        return self.generic_visit(node)


def _mentions(value: ast.expr, record: ast.expr, field: str | None) -> bool:
    """Whether the new value of a field is the old one, and more or less."""
    text = ast.unparse(record)
    return any(
        isinstance(node, ast.BinOp)
        and any(
            isinstance(side, ast.Attribute)
            and side.attr == field
            and ast.unparse(side.value) == text
            for side in (node.left, node.right)
        )
        for node in ast.walk(value)
    )


# small questions


def instead(holder: ast.AST, place: str, index: int | None, old: ast.AST, new: ast.AST) -> Edit:
    before, after = ast.unparse(old), ast.unparse(ast.fix_missing_locations(new))
    return Edit(holder, place, index, new, before, after)


def part_of(items: ast.expr, which: str) -> ast.expr:
    """Some of what is iterated over, or all of it in another order, as a slice says."""
    listed = ast.parse(f"[*items][{which}]", mode="eval").body
    assert isinstance(listed, ast.Subscript)
    assert isinstance(listed.value, ast.List)
    listed.value.elts = [ast.Starred(items, ast.Load())]
    return listed


def _dropped_each(call: ast.Call, place: str, parts: Iterable[ast.AST]) -> Iterator[Edit]:
    held = getattr(call, place)
    for part in parts:
        text = ast.unparse(part)
        after = f"{ast.unparse(call.func)}(… without it)"
        yield Edit(call, place, held.index(part), None, text, after)


def _compared(node: ast.Compare, op: ast.cmpop) -> ast.Compare:
    return ast.Compare(node.left, [op], node.comparators)


def _is_plain_place(holder: ast.AST) -> bool:
    """Where a number is no amount: an index, a side of a sum or of a comparison."""
    if isinstance(holder, ast.BinOp):
        return isinstance(holder.op, ast.Add | ast.Sub)
    return isinstance(holder, ast.Compare | ast.Subscript | ast.Slice | ast.UnaryOp)


def _order_matters(loop: ast.For) -> bool:
    """Whether the loop ends at the first find, or hands something on from turn to turn."""
    nodes = [node for statement in loop.body for node in ast.walk(statement)]
    if any(isinstance(node, ast.Return | ast.Break) for node in nodes):
        return True
    return any(
        isinstance(node, ast.Assign)
        and isinstance(node.value, ast.Call)
        and any(name_of(target) in map(name_of, node.value.args) for target in node.targets)
        for node in nodes
    )


def _is_struct(one: Any) -> bool:
    return isinstance(one, type) and issubclass(one, Struct)


def _optional_keywords(called: Any) -> Callable[[str], bool]:
    if _is_struct(called):
        # `fields` would evaluate annotations that are imported for the type checker alone.
        defaults = called.__struct_defaults__
        free = called.__struct_fields__[-len(defaults) :] if defaults else ()
        given = {name for name, value in zip(free, defaults, strict=True) if value is not NODEFAULT}
        return given.__contains__
    if isinstance(called, type) and issubclass(called, BaseModel):
        return lambda name: not called.model_fields[name].is_required()
    try:
        parameters = inspect.signature(called).parameters
    except (TypeError, ValueError):
        return lambda name: False
    anything = any(one.kind is one.VAR_KEYWORD for one in parameters.values())
    return lambda name: (
        parameters[name].default is not inspect.Parameter.empty if name in parameters else anything
    )


def _fixed_arguments(called: Any) -> int | None:
    """After how many arguments any number of others may follow; none, if they may not."""
    if _is_struct(called):
        return None
    try:
        parameters = [*inspect.signature(called).parameters.values()]
    except (TypeError, ValueError):
        return None
    for number, one in enumerate(parameters):
        if one.kind is one.VAR_POSITIONAL:
            is_method = parameters[0].name == "self"
            return number - is_method
    return None


def _is_docstring(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _own_lines(statement: ast.stmt) -> tuple[int, int]:
    """Of a block, only its head."""
    inside = [
        one.lineno
        for name in ("body", "cases")
        for one in getattr(statement, name, ())
        if hasattr(one, "lineno")
    ]
    end = statement.end_lineno or statement.lineno
    return statement.lineno, max(statement.lineno, min(inside) - 1 if inside else end)


def name_of(node: ast.expr) -> str | None:
    return node.id if isinstance(node, ast.Name) else None
