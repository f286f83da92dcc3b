"""The code of a protocol: what its names are, those of the vocabulary and its own."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Iterator
from functools import cached_property

from rig.core.task.task import AnyTask
from rig.devices.box import wanted_by
from rig.session.check.source.files import Function, SourceFile, name_of, names_in
from rig.session.check.source.units_of_names import unit_in
from rig.session.check.source.vocabulary import CONSTRUCTORS, vocabulary

_TASK_NAMES = ("self", "task", "_task")
"""What a protocol calls its task, also where an object of its own has it: ``self.task``."""
_BY_NAME = {"model_dump", "vars", "asdict", "astuple", "fields", "__dict__", "model_fields", "__dataclass_fields__"}
_OF_BUILTINS = {name for kind in (list, dict, set, str) for name in dir(kind)}


class Code:
    """The files of one task; ``task`` is its class, and ``kind_of`` what an expression is by its names."""

    def __init__(self, files: Iterable[SourceFile], task: type[AnyTask]) -> None:
        self.files = list(files)
        self.task = task
        self.devices = wanted_by(task.box_type)
        self.vocabulary = vocabulary(tuple(kind for kind, _, _ in self.devices.values()))
        self.functions = [node for node in self.nodes if isinstance(node, Function)]
        self.states = {node.name for node in self.functions if is_state(node)}
        self._rows = {kind.__name__ for kind in (task.row_type, *task.tables.values())}
        self.own = {node.name for node in self.functions}
        self._waits = self._only(
            isinstance(node, ast.AsyncFunctionDef) and not is_state(node) for node in self.functions
        )
        self._actions: set[str] = set()
        self._actions = self._only(self._makes_action(node) for node in self.functions)

    @property
    def nodes(self) -> Iterator[ast.AST]:
        """Yield all nodes of all files."""
        return (node for file in self.files for node in file.nodes)

    def _only(self, marks: Iterable[bool]) -> set[str]:
        """Return the names of the functions that are marked; not those that another function has, too."""
        pairs = list(zip(self.functions, marks, strict=True))
        return {node.name for node, mark in pairs if mark} - {node.name for node, mark in pairs if not mark}

    def _makes_action(self, function: Function) -> bool:
        returns = [node.value for node in ast.walk(function) if isinstance(node, ast.Return)]
        values = [part for value in returns if value is not None for part in branches(value)]
        hint = ast.unparse(function.returns) if function.returns else ""
        is_made = bool(values) and all(self.kind_of(value) == "action" for value in values)
        return not isinstance(function, ast.AsyncFunctionDef) and (hint in ("Action", *CONSTRUCTORS) or is_made)

    def kind_of(self, node: ast.expr) -> str:
        """Return what an expression is: an action, a wait, a call of a state and so on; empty if names do not say."""
        called = isinstance(node, ast.Call)
        target = node.func if isinstance(node, ast.Call) else node
        name, is_plain = name_of(target), isinstance(target, ast.Name)
        if name in CONSTRUCTORS and (is_plain or name_of(target.value) == "rig"):  # type: ignore[attr-defined]
            return "action" if called or name in ("NOTHING", "CANCEL") else ""
        if is_plain:
            return self._kind_of_plain(name) if called else ""
        if not isinstance(target, ast.Attribute):
            return ""
        if name_of(target.value) in _TASK_NAMES and name in self.states:
            return "state" if called else "next"
        if called and name in (self._waits | self._actions) - _OF_BUILTINS:
            return "wait" if name in self._waits else "action"
        kind = self.vocabulary.kinds.get(name, "") if self._is_vocabulary(target) else ""
        if name == "of" and name_of(target.value) == "Scene":
            return "scene"
        is_property = kind in ("pattern", "light") or name.endswith("_action")
        return kind if called != is_property else "function" if kind and not called else ""

    def _kind_of_plain(self, name: str) -> str:
        if name in self._rows:
            return "row"
        if name == "Scene":
            return "scene"
        kind = getattr(builtins, name, None)
        if name.endswith("Error") or (isinstance(kind, type) and issubclass(kind, BaseException)):
            return "error"
        return "wait" if name in self._waits else "action" if name in self._actions else ""

    def _is_vocabulary(self, target: ast.Attribute) -> bool:
        """Whether a name is that of the vocabulary, and not of an object of the protocol's own or a device."""
        base = target.value
        if target.attr in self.vocabulary.task:
            return name_of(base) in _TASK_NAMES and target.attr not in self.own
        return name_of(base) != "box" and ("box" in names_in(base) or target.attr not in self.own)

    # --- parameters and devices -------------------------------------------------------------------------------

    @cached_property
    def params(self) -> dict[str, tuple[SourceFile, ast.AnnAssign]]:
        """Return where the files declare each parameter."""
        return self._fields(self.task.params_type)

    @cached_property
    def box(self) -> dict[str, tuple[SourceFile, ast.AnnAssign]]:
        """Return where the files declare each device of the box."""
        return self._fields(self.task.box_type)

    def _fields(self, owner: type[object]) -> dict[str, tuple[SourceFile, ast.AnnAssign]]:
        bases = {base.__name__ for base in owner.__mro__}
        return {
            name_of(field.target): (file, field)
            for file in self.files
            for node in file.nodes
            if isinstance(node, ast.ClassDef) and node.name in bases
            for field in node.body
            if isinstance(field, ast.AnnAssign) and "ClassVar" not in names_in(field.annotation)
        }

    @cached_property
    def used_names(self) -> set[str]:
        """Return all names that the files read, and all their texts, which may be names."""
        names = {name_of(node) for node in self.nodes if not isinstance(getattr(node, "ctx", None), ast.Store)}
        texts = (node.value for node in self.nodes if isinstance(node, ast.Constant) and isinstance(node.value, str))
        return names | {word for text in texts if " " not in text for word in text.split(".")}

    @cached_property
    def sums_of_fractions(self) -> set[str]:
        """Return the names to which the files add a fraction, such as ``self.hold_s += 0.1``; not if limited by min."""
        sums: set[str] = set()
        limited: set[str] = set()
        for node in self.nodes:
            if isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Add | ast.Sub):
                number = getattr(node.value, "value", None)
                is_fraction = unit_in(node.value) == "s" or (isinstance(number, float) and not number.is_integer())
                sums |= {name_of(node.target)} if is_fraction else set()
            elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
                # Such a call makes the number exact again.
                is_exact = name_of(node.value.func) in ("min", "max", "round")
                limited |= {name_of(target) for target in node.targets} if is_exact else set()
        return sums - limited - {""}

    @cached_property
    def reads_by_name(self) -> bool:
        """Whether any attribute may be read, as in ``getattr(self.box, name)``."""
        return bool(self.used_names & _BY_NAME) or any(
            isinstance(node, ast.Call)
            and name_of(node.func) in ("getattr", "attrgetter")
            and not isinstance(node.args[-1 if len(node.args) < 3 else 1], ast.Constant)
            for node in self.nodes
        )


def is_state(node: ast.AST) -> bool:
    """Whether a function is decorated as a state."""
    marks = node.decorator_list if isinstance(node, Function) else ()
    return any(isinstance(mark, ast.Call) and name_of(mark.func) == "state" for mark in marks)


def branches(node: ast.expr) -> Iterator[ast.expr]:
    """Yield the values that an expression may have: those of ``a if x else b`` and ``x and a``."""
    if isinstance(node, ast.IfExp):
        yield from (*branches(node.body), *branches(node.orelse))
    elif isinstance(node, ast.BoolOp):
        yield from branches(node.values[-1])
    else:
        yield node
