"""A task on an engine bench."""

from dataclasses import dataclass

from rig.core.model.rows import Row
from rig.core.task.random_streams import RandomStreams
from rig.core.task.states import Next, state
from rig.core.task.task import Task, TaskParams
from tests.core.engine.engine_bench import EngineBench, run


class Params(TaskParams):
    pause_s: float = 1.0


class Box:
    pass


@dataclass
class Trial(Row):
    trial: int
    given: str = ""

    def on_rewards(self, rewards):
        self.given += ",".join(f"{reward.delivered_by} {reward.status}" for reward in rewards)

    def interrupted(self):
        self.given = "interrupted, "


class Plain(Task[Params, Box, Trial]):
    @state(to=("rest",), can_end=True)
    async def rest(self) -> Next:
        """Nothing, for now."""
        return self.rest


class TaskBench(EngineBench):
    """A bench with a task on it."""

    def __init__(self, **how):
        super().__init__(**how)
        self.task = Plain(Params(), Box(), self.engine, RandomStreams(1), {"stage": 2})
        self.rows = self.observer.rows

    def during(self, work, *events):
        return run(self.meanwhile(work, *events))
