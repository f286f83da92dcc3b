"""Python and YAML files of a laboratory protocol."""

from pathlib import Path

TASK = """
from dataclasses import dataclass
from rig import Next, Row, Task, TaskParams, state
{extra}

class Params(TaskParams):
    pause_s: float = 1.0


@dataclass
class Box:
    pass


class {name}(Task[Params, Box, Row]):
    @state(to=("here",), can_end=True)
    async def here(self) -> Next:
        {body}
        return self.here
"""
YAML = """
protocol: {word}
simulation: {{rig: sim_nose_ports}}
stop: {{session_s: 30, max_rewards: 5}}
"""


def write(path: Path, name: str = "Mine", extra: str = "", body: str = "await self.sleep(self.params.pause_s)") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(TASK.format(name=name, extra=extra, body=body))
    return path
