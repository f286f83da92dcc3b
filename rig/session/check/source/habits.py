"""Find habits that make a session unlike its replay, or hide its end: clocks, chance, shared objects, bare excepts."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from rig.session.check.source.code import Code
from rig.session.check.source.files import SourceFile, name_of, source_text
from rig.session.check.source.lost_values import Problem

_SEEDED = ("Random", "default_rng", "RandomState", "SeedSequence", "Generator", "PCG64")
_CHANCE = ("random.", "numpy.random.", "secrets.", "uuid.uuid1", "uuid.uuid4", "os.urandom")
_CLOCKS: tuple[str, ...] = (
    "time.time",
    "time.monotonic",
    "time.perf_counter",
    "datetime.datetime.now",
    "datetime.datetime.today",
)
_CLOCKS += ("datetime.datetime.utcnow", "datetime.date.today")
_CHANGES = {"append", "extend", "insert", "pop", "popleft", "remove", "clear", "add", "update", "discard", "setdefault"}
_CHANGES |= {"sort", "reverse", "popitem", "appendleft"}
_MAKERS = ("list", "dict", "set", "deque", "defaultdict", "Counter")


def harmful_habits(node: ast.AST, file: SourceFile, code: Code) -> Iterator[Problem]:
    """Yield what no right protocol does."""
    if isinstance(node, ast.Call):
        name = file.full_name(node.func)
        if name in ("time.sleep", "asyncio.sleep"):
            yield node, f"{name} takes real time, in which the task hears nothing: await self.sleep(seconds)"
        is_seeded = name.rpartition(".")[2] in _SEEDED and (node.args or node.keywords)
        if name.startswith(_CHANCE) and not is_seeded:
            stream = 'draw from self.stream("name")'
            yield node, f"{name} draws without the session's seed, so a replay would draw otherwise: {stream}"
    elif isinstance(node, ast.Try):
        yield from _hiding(node, ("BaseException", ""))


def doubtful_habits(node: ast.AST, file: SourceFile, code: Code) -> Iterator[Problem]:
    """Yield what a protocol seldom means."""
    if isinstance(node, ast.Call) and (name := file.full_name(node.func)).startswith(_CLOCKS):
        yield node, f"{name} is the computer's clock, which a replay does not repeat: ask for self.now_s"
    elif isinstance(node, ast.Try):
        yield from _hiding(node, ("Exception",))
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.UAdd):
        yield node, f"{source_text(node)}: a plus sign alone does nothing: to add, write +="
    elif isinstance(node, ast.Global):
        names = ", ".join(node.names)
        yield node, f"global {names} is shared by all sessions of a process: write self.{node.names[0]}"


def _hiding(node: ast.Try, kinds: tuple[str, ...]) -> Iterator[Problem]:
    """Yield the handlers that would hide the end of a session from a wait."""
    if any(isinstance(inner, ast.Await) for statement in node.body for inner in ast.walk(statement)):
        for handler in node.handlers:
            name = name_of(handler.type) if handler.type is not None else ""
            raises = any(isinstance(inner, ast.Raise) for statement in handler.body for inner in ast.walk(statement))
            if name in kinds and (name or handler.type is None) and not raises:
                text = f"except {name}:" if name else "except:"
                problem = "catches every fault and mistake around a wait"
                also = "" if name == "Exception" else ", and the end of the session"
                yield handler, f"{text} {problem}{also}: name the error that is meant, or leave try out"
            if name in (*kinds, "Exception"):
                return


def shared_objects(code: Code) -> Iterator[tuple[SourceFile, Problem]]:
    """Yield the lists, dicts and sets of the task's classes that the protocol changes: all sessions share them."""
    changed = {name for node in code.nodes for name in _changed(node)}
    assigned = {
        name_of(node) for node in code.nodes if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)
    }
    classes = {base.__name__ for base in code.task.__mro__}
    for file in code.files:
        owners = (node for node in file.nodes if isinstance(node, ast.ClassDef) and node.name in classes)
        for field in (field for owner in owners for field in owner.body):
            target = field.targets[0] if isinstance(field, ast.Assign) else getattr(field, "target", field)
            name = name_of(target)
            if name in changed - assigned and _is_mutable(getattr(field, "value", None)):
                text = f"{name} belongs to the class, so all sessions of a process share it"
                yield file, (field, f"{text}: write self.{name} = {source_text(field.value)} in prepare")  # type: ignore[attr-defined]


def _is_mutable(node: ast.expr | None) -> bool:
    is_made = isinstance(node, ast.Call) and name_of(node.func) in _MAKERS
    return is_made or isinstance(node, ast.List | ast.Dict | ast.Set | ast.ListComp | ast.DictComp | ast.SetComp)


def _changed(node: ast.AST) -> Iterator[str]:
    """Yield the name of the attribute whose object is changed here: ``self.x.append(1)``, ``self.x[0] = 1``."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _CHANGES:
        yield name_of(node.func.value)
    elif isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
        yield name_of(node.value)
