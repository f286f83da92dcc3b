"""Find what a protocol makes and throws away: actions, patterns, waits, rows; and blocks in which nothing waits."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TypeAlias

from rig.session.check.source.answers import is_answer
from rig.session.check.source.code import Code, branches, is_state
from rig.session.check.source.files import SourceFile, name_of, source_text

Problem: TypeAlias = tuple[ast.AST, str]
"""Where something is wrong, and what."""

_THROWN = (
    "{text} only makes an action, and it is thrown away: write self.do({text}), or give it to self.react, "
    "self.reflex or self.sequence"
)
_STATE = "{text} does not go to the state: write return {called}"
_NOT_AWAITED = "{text} is not awaited, so it waits for nothing: write await {text}"
_NO_BLOCK = "{text} does nothing without its block: write with {text}:"

_ALONE = {
    "action": _THROWN,
    "pattern": "{text} is a pattern, and nothing waits for it: await self.first(...), or await self.until(...)",
    "wait": _NOT_AWAITED,
    "state": _STATE,
    "next": "{text} alone does not go to the state: write return {text}",
    "block": _NO_BLOCK,
    "sequence": "{text} loads a sequence that nothing can start: give it a name, and start() it",
    "row": "{text} makes a row that no table gets: write self.begin_trial({text}), or self.record({text})",
    "scene": "{text} makes a scene that is not shown: write box.screen.show({text})",
    "error": "{text} is not raised: write raise {text}",
    "function": "{text} is not called, so it does nothing: write {text}()",
}
_UNUSED = {
    "action": "the action {name} is never used, so it is not done: write self.do({text})",
    "wait": "{text} is not awaited, so it waits for nothing: write {name} = await {text}",
    "state": _STATE,
    "block": _NO_BLOCK,
    "row": "the row {name} is never used, and no table gets it: write {name} = self.begin_trial({text})",
}
_AWAITED = {
    "action": "await {text}: an action takes no time of the task: write self.do({text})",
    "pattern": "await {text}: a pattern is waited for with await self.first({text}), or self.until for a level",
    "state": "await {text}: a state is returned, not awaited: write return {called}",
    "verb": "await {text}: it does not wait: leave out await",
    "function": "await {text}: it is not called: write await {text}(...)",
}
_RETURNED = {
    "action": "return {text}: a state returns the next state: write self.do({text}) before it",
    "state": "return {text}: a state is returned and not called: write return {called}",
    "wait": "return {text}: it is not awaited: write await {text}, and return the next state",
}

_TIMED = ("reflex", "after", "time_out")


def lost_values(node: ast.AST, file: SourceFile, code: Code) -> Iterator[Problem]:
    """Yield what a statement or an expression throws away."""
    if isinstance(node, ast.Expr) and not _is_tried(node, file):
        yield from ((value, text) for value in _alone(node.value) if (text := _said_alone(value, code)))
    elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
        yield from ((node, text) for value in branches(node.value) if (text := _unused(node, value, file, code)))
    elif isinstance(node, ast.Await):
        yield from ((node, text) for text in _filled(_AWAITED, node.value, code))
    elif isinstance(node, ast.Return) and (around := file.functions_around(node)) and is_state(around[0]):
        yield from ((node, text) for text in _returned(node.value, code))
    elif isinstance(node, ast.With) and not any(
        _lets_time_pass(inner) for each in node.body for inner in ast.walk(each)
    ):
        blocks = [item.context_expr for item in node.items if _needs_wait(item.context_expr, code)]
        for block in blocks[:1]:
            text = source_text(block)
            yield node, f"with {text}: nothing waits in its block, so it ends at once: put the wait into it"
    elif isinstance(node, ast.Call) and code.kind_of(node) == "wait":
        parent = file.parents[node]
        tested = isinstance(parent, ast.If | ast.While | ast.IfExp) and parent.test is node
        if tested or isinstance(parent, ast.Attribute | ast.Compare | ast.UnaryOp):
            yield node, _NOT_AWAITED.format(text=source_text(node)).replace("write await", "write (await") + ")"


def _lets_time_pass(node: ast.AST) -> bool:
    return isinstance(node, ast.Await | ast.Yield | ast.YieldFrom | ast.AsyncWith | ast.AsyncFor)


def _needs_wait(node: ast.expr, code: Code) -> bool:
    """Whether a block lasts as long as its waits: of a reflex, a timer, or a light."""
    name, kind = name_of(node.func if isinstance(node, ast.Call) else node), code.kind_of(node)
    is_lamp = name_of(getattr(node, "value", node)) == "box" and name in code.devices
    is_lamp = is_lamp and hasattr(code.devices[name][0], "__enter__")
    return is_lamp or kind == "light" or (kind == "block" and name in _TIMED)


def _is_tried(node: ast.Expr, file: SourceFile) -> bool:
    """Whether a line is there for its error: whether the hopper can be up for so long."""
    parent = file.parents[node]
    return isinstance(parent, ast.Try) and parent.body == [node] and bool(parent.handlers)


def _alone(node: ast.expr) -> Iterator[ast.expr]:
    """Yield the values that a line throws away."""
    for value in branches(node):
        if isinstance(value, ast.Tuple | ast.List | ast.Set):
            yield from (inner for part in value.elts for inner in _alone(part))
        elif isinstance(value, ast.ListComp | ast.SetComp | ast.GeneratorExp):
            yield from _alone(value.elt)
        else:
            yield value


def _said_alone(node: ast.expr, code: Code) -> str:
    for text in _filled(_ALONE, node, code):
        return text
    text = source_text(node)
    if is_answer(node, code):
        return f"{text} only returns a value, and it is thrown away: write name = {text}"
    if isinstance(node, ast.Compare):
        hint = f"; `=` assigns: {source_text(node.left)} = ..." if isinstance(node.ops[0], ast.Eq) else ""
        return f"{text} compares and does nothing with the answer{hint}"
    # A property of the protocol's own may do something.
    nothing = isinstance(node, ast.Attribute | ast.Lambda) and name_of(node) not in code.own
    return f"{text} alone on a line does nothing" if nothing else ""


def _filled(texts: dict[str, str], node: ast.expr, code: Code) -> Iterator[str]:
    text = source_text(node)
    if (template := texts.get(code.kind_of(node))) is not None:
        yield template.format(text=text, called=text.removesuffix("()"))


def _unused(node: ast.Assign, value: ast.expr, file: SourceFile, code: Code) -> str:
    """Return what is wrong with a value whose name is never used, or used as if it had been awaited."""
    name, kind = name_of(node.targets[0]), code.kind_of(value)
    around = file.functions_around(node)
    if kind not in _UNUSED or not around or name.startswith("_") or len(node.targets) > 1:
        return ""
    inner = list(ast.walk(around[-1]))
    if any(isinstance(each, ast.Global | ast.Nonlocal) and name in each.names for each in inner):
        return ""
    uses = [each for each in inner if isinstance(each, ast.Name) and each.id == name and isinstance(each.ctx, ast.Load)]
    if kind == "wait":
        uses = [use for use in uses if not isinstance(file.parents[use], ast.Attribute | ast.Compare | ast.If)]
    text = source_text(value)
    return "" if uses else _UNUSED[kind].format(text=text, name=name, called=text.removesuffix("()"))


def _returned(node: ast.expr | None, code: Code) -> Iterator[str]:
    for value in branches(node) if node is not None else ():
        yield from _filled(_RETURNED, value, code)
        if isinstance(value, ast.Constant) and value.value in code.states:
            text = source_text(value)
            yield f"return {text}: a state returns the next state, not its name: write return self.{value.value}"
    if node is None or (isinstance(node, ast.Constant) and node.value is None):
        yield f"return None: wanted the next state, such as return self.{next(iter(code.task.states))}"
