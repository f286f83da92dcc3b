"""Find what an expression of a protocol is, without running it: by the types of the vocabulary and of the file."""

from __future__ import annotations

import ast
import builtins
import inspect
from collections.abc import Mapping, Sequence
from functools import cached_property
from types import GenericAlias, MethodType
from typing import Any, get_args

from rig.core.model.events import Edge
from rig.core.model.patterns import EdgePattern
from rig.core.task.random_streams import Stream
from rig.core.task.task import Task
from rig.core.task.waits import Wait
from rig.session.check.source.files import Binding, Function, SourceFile, attribute_bindings, attributes_from_outside
from rig.session.check.source.kinds import (
    Kind,
    Method,
    NoneType,
    Thing,
    Value,
    awaited,
    class_of,
    classes_of,
    concrete,
    element_of,
    hints_of,
    is_box,
    known,
    member,
    options,
    result_of,
    united,
    without_none,
)

_DEEPEST = 12
"""So many steps from name to name; a chain that is longer stays unknown."""
_AS_LIST = (list, tuple, sorted, set, frozenset, reversed, iter)


class Expressions:
    """The kinds of the expressions of a protocol's files; ``task`` is the class that a session runs."""

    def __init__(self, files: Sequence[SourceFile], task: type[Task[Any, Any, Any]]) -> None:
        self.files = files
        self.task = task
        self._attributes = attribute_bindings(files)
        self._set_outside = attributes_from_outside(files)
        names = {node.id for file in files for node in ast.walk(file.tree) if isinstance(node, ast.Name)}
        self._sets_by_name = bool(names & {"setattr", "vars"})
        self._functions = {
            (function.owner, function.node.name): function for file in files for function in file.functions
        }
        self._kinds: dict[ast.expr, Kind] = {}
        self._open: set[ast.expr] = set()

    @cached_property
    def function_names(self) -> frozenset[str]:
        """Return the names of all functions and methods of the files, also of those within others."""
        nodes = (node for file in self.files for node in ast.walk(file.tree))
        return frozenset(node.name for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))

    def kind(self, node: ast.expr | None, function: Function) -> Kind:
        """Return the kind of an expression of a function."""
        if node is None or node in self._open or len(self._open) > _DEEPEST * 4:
            return None
        if node not in self._kinds:
            self._open.add(node)
            try:
                found = getattr(self, f"_of_{type(node).__name__.lower()}", _unknown)(node, function)
            finally:
                self._open.discard(node)
            # Within an open chain a name may still be unknown, so it is looked up again from elsewhere.
            if found is None and self._open:
                return None
            self._kinds[node] = found
        return self._kinds[node]

    def attributes_of(self, owner: type[Any]) -> frozenset[str]:
        """Return the names of the attributes that the methods of a class give its objects."""
        return frozenset(name for base, name in self._attributes if base in owner.__mro__)

    def gives_attribute(self, owner: type[Any], name: str) -> bool:
        """Whether some code of the files gives objects of a class an attribute; to add to one gives none."""
        places = (place for base in owner.__mro__ for place in self._attributes.get((base, name), ()))
        is_given = any(binding.value is not None or binding.annotation is not None for _, binding in places)
        return is_given or name in self._set_outside or self._sets_by_name

    # --- names ------------------------------------------------------------------------------------------------

    def _of_name(self, node: ast.Name, function: Function) -> Kind:
        name = node.id
        if name == function.self_name and name not in function.bindings:
            return self._self(function)
        bindings = function.bindings.get(name)
        parameter = function.parameters.get(name)
        if parameter is not None:
            return None if bindings else self._annotated(parameter.annotation, function)
        if bindings:
            return united(self._bound(binding, function) for binding in bindings)
        names = function.file.names
        if name in names:
            return Thing(names[name])
        return Thing(getattr(builtins, name)) if hasattr(builtins, name) else None

    def _self(self, function: Function) -> Kind:
        owner = function.owner
        if owner is None:
            return None
        return Value(concrete(owner, self.task))

    def _annotated(self, annotation: ast.expr | None, function: Function) -> Kind:
        if annotation is None:
            return None
        try:
            hint = eval(ast.unparse(annotation), dict(function.file.names))
            return known(eval(hint, dict(function.file.names)) if isinstance(hint, str) else hint)
        except Exception:  # an annotation may be any expression of a user
            return None

    def _bound(self, binding: Binding, function: Function) -> Kind:
        if binding.annotation is not None:
            return self._annotated(binding.annotation, function)
        kind = self.kind(binding.value, function)
        how, _, number = binding.how.partition(" part ")
        if how == "element":
            kind = element_of(kind)
        return _part(kind, int(number)) if number else kind

    # --- attributes and calls ---------------------------------------------------------------------------------

    def _of_attribute(self, node: ast.Attribute, function: Function) -> Kind:
        kind = self.kind(node.value, function)
        if isinstance(kind, Thing):
            return _member_of_thing(kind.thing, node.attr)
        if not isinstance(kind, Value):
            return None
        found = [
            answer
            for hint in without_none(options(kind.hint))
            if (owner := class_of(hint)) is not None
            for has, answer in [self._member(hint, owner, node.attr)]
            if has
        ]
        return found[0] if len(found) == 1 else united(found) if found else None

    def _member(self, hint: Any, owner: type[Any], name: str) -> tuple[bool, Kind]:
        if issubclass(owner, Mapping) and name in ("values", "items", "keys"):
            return True, Method(getattr(owner, name), hint)
        if issubclass(owner, Task) and (types := _types_of_task(hint)) and name in types:
            return True, known(types[name])
        has, found = member(owner, name, self.task)
        static = inspect.getattr_static(owner, name, None)
        if has and (name in hints_of(owner) or isinstance(found, Method) or isinstance(static, property)):
            # A property whose type is not written is what it returns.
            return True, found or self._returned(owner, name)
        places = [place for base in owner.__mro__ for place in self._attributes.get((base, name), ())]
        if not places or name in self._set_outside:
            return has or bool(places), None if places else found
        kinds = (self._bound(binding, function) for function, binding in places)
        return True, united((*kinds, *((found,) if has else ())))

    def _of_call(self, node: ast.Call, function: Function) -> Kind:
        called = self.kind(node.func, function)
        if isinstance(called, Method):
            return self._of_method_call(called, node, function)
        if not isinstance(called, Thing):
            return None
        thing = called.thing
        if thing in _AS_LIST and len(node.args) == 1:
            return _listed(element_of(self.kind(node.args[0], function)))
        if thing in (zip, enumerate):
            parts = [element_of(self.kind(argument, function)) for argument in node.args]
            return _pairs([Value(int), *parts[:1]] if thing is enumerate else parts)
        if thing is getattr and node.args:
            return self._of_getattr(node, function)
        if isinstance(thing, type):
            return None if issubclass(thing, type) or thing in (dict, object, map, filter) else Value(thing)
        return self._result(thing, None) if hasattr(thing, "__code__") else None

    def _of_getattr(self, node: ast.Call, function: Function) -> Kind:
        # `getattr(self.box, side)` is one of the box's devices.
        kind = self.kind(node.args[0], function)
        owner = class_of(kind.hint) if isinstance(kind, Value) else None
        if owner is None or not is_box(owner) or len(node.args) != 2:
            return None
        return united(known(hint) for hint in hints_of(owner).values())

    def _of_method_call(self, called: Method, node: ast.Call, function: Function) -> Kind:
        name = getattr(called.function, "__name__", "")
        if not isinstance(called.owner, type):  # a mapping with the types of its keys and values
            return _of_mapping(name, called.owner)
        if issubclass(called.owner, Stream) and node.args and name in ("choice", "shuffled"):
            inner = element_of(self.kind(node.args[0], function))
            return inner if name == "choice" else _listed(inner)
        if issubclass(called.owner, Task):
            if name == "begin_trial":
                return known(concrete(called.owner, self.task).row_type)
            if name in ("first", "react"):
                return self._of_wait(name, node, function)
        return self._result(called.function, called.owner)

    def _of_wait(self, name: str, node: ast.Call, function: Function) -> Kind:
        kinds = [self.kind(argument, function) for argument in node.args if not isinstance(argument, ast.Starred)]
        if name == "first" and (not kinds or any(EdgePattern not in classes_of(kind) for kind in kinds)):
            return Value(Wait[Any])
        return Value(Wait[Edge | None] if node.keywords else Wait[Edge])

    def _result(self, called: Any, owner: type[Any] | None) -> Kind:
        return known(result_of(called)) or self._returned(owner, called.__name__)

    def _returned(self, owner: type[Any] | None, name: str) -> Kind:
        """Return the kind of what a function of the files returns, by its ``return`` statements."""
        owners = owner.__mro__ if owner is not None else (None,)
        own = next((self._functions[base, name] for base in owners if (base, name) in self._functions), None)
        if own is None or own.node.returns is not None or isinstance(own.node, ast.AsyncFunctionDef):
            return None
        returns = own.returns
        if not returns or any(not isinstance(each, ast.Return) for each in returns):
            return None if returns else Value(NoneType)
        return united(self.kind(each.value, own) if each.value else Value(NoneType) for each in returns)

    # --- other expressions ------------------------------------------------------------------------------------

    def _of_await(self, node: ast.Await, function: Function) -> Kind:
        return awaited(self.kind(node.value, function))

    def _of_constant(self, node: ast.Constant, function: Function) -> Kind:
        return Value(type(node.value))

    def _of_compare(self, node: ast.Compare, function: Function) -> Kind:
        return Value(bool)

    def _of_joinedstr(self, node: ast.JoinedStr, function: Function) -> Kind:
        return Value(str)

    def _of_unaryop(self, node: ast.UnaryOp, function: Function) -> Kind:
        return Value(bool) if isinstance(node.op, ast.Not) else self.kind(node.operand, function)

    def _of_binop(self, node: ast.BinOp, function: Function) -> Kind:
        kind = self.kind(node.left, function)
        return kind if set(classes_of(kind)) & {list, tuple} else None

    def _of_ifexp(self, node: ast.IfExp, function: Function) -> Kind:
        return united(self.kind(each, function) for each in (node.body, node.orelse))

    def _of_boolop(self, node: ast.BoolOp, function: Function) -> Kind:
        return united(self.kind(each, function) for each in node.values)

    def _of_namedexpr(self, node: ast.NamedExpr, function: Function) -> Kind:
        return self.kind(node.value, function)

    def _of_tuple(self, node: ast.Tuple, function: Function) -> Kind:
        return _tuple([self._of_item(each, function) for each in node.elts])

    def _of_item(self, node: ast.expr, function: Function) -> Kind:
        return (
            element_of(self.kind(node.value, function)) if isinstance(node, ast.Starred) else self.kind(node, function)
        )

    def _of_list(self, node: ast.List | ast.Set, function: Function) -> Kind:
        return _listed(united(self._of_item(each, function) for each in node.elts)) if node.elts else None

    _of_set = _of_list

    def _of_listcomp(self, node: ast.ListComp | ast.GeneratorExp | ast.SetComp, function: Function) -> Kind:
        return _listed(self.kind(node.elt, function))

    _of_generatorexp = _of_setcomp = _of_listcomp

    def _of_dict(self, node: ast.Dict, function: Function) -> Kind:
        if not node.keys or None in node.keys:
            return None
        return _mapping(
            united(self.kind(each, function) for each in node.keys),
            united(self.kind(each, function) for each in node.values),
        )

    def _of_dictcomp(self, node: ast.DictComp, function: Function) -> Kind:
        return _mapping(self.kind(node.key, function), self.kind(node.value, function))

    def _of_subscript(self, node: ast.Subscript, function: Function) -> Kind:
        kind = self.kind(node.value, function)
        if not isinstance(kind, Value) or isinstance(node.slice, ast.Slice):
            return kind if isinstance(kind, Value) and class_of(kind.hint) is list else None
        owner = class_of(kind.hint)
        if owner is not None and issubclass(owner, Mapping):
            return known(get_args(kind.hint)[-1]) if get_args(kind.hint) else None
        if isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, int):
            return _part(kind, node.slice.value)
        return element_of(kind)


def _types_of_task(hint: Any) -> Mapping[str, Any]:
    """Return the types that an annotation such as ``Task[Params, Box, Trial]`` gives to the members of a task."""
    arguments = get_args(hint)
    return dict(zip(("params", "box", "row"), arguments, strict=True)) if len(arguments) == 3 else {}


def _unknown(node: ast.expr, function: Function) -> Kind:
    return None


def _member_of_thing(thing: Any, name: str) -> Kind:
    if isinstance(thing, type):
        has, found = member(thing, name, None)
        return found if has and isinstance(found, Method) else None
    try:
        return Thing(getattr(thing, name)) if hasattr(thing, "__file__") else member(type(thing), name, None)[1]
    except Exception:  # a module of a user may do anything when it is asked
        return None


def _hint(kind: Kind) -> Any:
    """Return the type of a value; None when it is unknown."""
    if isinstance(kind, Method):
        return MethodType
    if isinstance(kind, Thing):
        return None if callable(kind.thing) else type(kind.thing)
    return kind.hint if isinstance(kind, Value) else None


def _listed(kind: Kind) -> Kind:
    hint = _hint(kind)
    return Value(list if hint is None else GenericAlias(list, (hint,)))


def _tuple(kinds: Sequence[Kind]) -> Kind:
    # An unknown part leaves the others known.
    hints = tuple(Any if (hint := _hint(kind)) is None else hint for kind in kinds)
    return Value(GenericAlias(tuple, hints) if hints else tuple)


def _pairs(kinds: Sequence[Kind]) -> Kind:
    pair = _tuple(kinds)
    return None if pair is None or not kinds else _listed(pair)


def _mapping(key: Kind, value: Kind) -> Kind:
    hints = [Any if (hint := _hint(kind)) is None else hint for kind in (key, value)]
    return Value(GenericAlias(dict, tuple(hints)))


def _of_mapping(name: str, hint: Any) -> Kind:
    arguments = get_args(hint)
    if len(arguments) != 2:
        return None
    key, value = arguments
    pair = GenericAlias(tuple, (key, value))
    return Value(GenericAlias(list, (key if name == "keys" else value if name == "values" else pair,)))


def _part(kind: Kind, number: int) -> Kind:
    if not isinstance(kind, Value):
        return None
    arguments = getattr(kind.hint, "__args__", ())
    if class_of(kind.hint) is tuple and Ellipsis not in arguments:
        return known(arguments[number]) if -len(arguments) <= number < len(arguments) else None
    return element_of(kind)
