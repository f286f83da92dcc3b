"""Tasks of three ports that tests of several rules play."""

from __future__ import annotations

from rig.core.task.states import Next, state
from tests.session_specs import PortTask, Visit


class CountdownTask(PortTask):
    """The base of tasks with a countdown that leads to a meal, a drop at the left."""

    countdown_s: float

    def prepare(self) -> None:
        self.meal = self.sequence((0, self.drop("left")))
        self.countdown = self.sequence((self.countdown_s, self.meal.start_action))

    def on_interrupted(self) -> None:
        self.meal.load()
        self.countdown.load()


class IntervalTask(PortTask):
    """Waits with a light between two drops; nothing else happens."""

    wait_s = 2.0

    @state(to=("give",), can_end=True)
    async def wait(self) -> Next:
        with self.box.center.light:
            await self.sleep(self.wait_s)
        self.log.append(self.now_s)
        return self.give

    @state(to=("wait",))
    async def give(self) -> Next:
        self.begin_trial(Visit())
        self.do(self.drop("left"))
        await self.sleep(0.5)
        self.end_trial()
        return self.wait
