"""The state graph of a protocol as text: what its states declare. The runner checks which state follows."""

from __future__ import annotations

from rig.core.task.states import StateInfo
from rig.core.task.task import AnyTask


def text(task: type[AnyTask]) -> str:
    """Draw the graph as lines of text; ``*`` marks the states in which a session may end."""
    width = max(len(name) for name in task.states)
    lines = [_line(info, width) for info in task.states.values()]
    return "\n".join([*lines, "", "* a session may end here"])


def _line(info: StateInfo, width: int) -> str:
    mark = "*" if info.can_end else " "
    return f"{mark} {info.name:<{width}} -> {', '.join(info.to):<24} {info.doc}".rstrip()


def mermaid(task: type[AnyTask]) -> str:
    """Draw the graph in Mermaid's language."""
    lines = ["stateDiagram-v2", f"    [*] --> {next(iter(task.states))}"]
    for info in task.states.values():
        lines += [f"    {info.name} --> {target}" for target in info.to]
        if info.can_end:
            lines.append(f"    {info.name} --> [*]")
    return "\n".join(lines)
