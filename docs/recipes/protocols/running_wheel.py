from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from rig import Column, Edge, Encoder, Next, NotReadyError, RewardVolume, Task, TaskParams, TrialRow, Valve, state


class Params(TaskParams):
    drop_ul: RewardVolume = Field(default=4.0, description="volume of the drop at a mark")
    drink_s: float = Field(default=1.0, ge=0.1, le=60, description="shortest time between two drops")


@dataclass
class Box:
    wheel: Encoder
    spout: Valve


@dataclass
class Trial(TrialRow):
    mark: Annotated[str, Column("the mark that gives the drop")]
    run_s: Annotated[float, Column("time from the trial's start to the mark; 0 if it was crossed before")] = 0.0
    turned_back: Annotated[int, Column("how often the wheel turned back over any mark in the trial")] = 0


class RunningWheel(Task[Params, Box, Trial]):
    """Each mark on the way forward gives a drop, once. Running backward gives none, and makes the way longer."""

    def prepare(self) -> None:
        wheel = self.box.wheel
        if not wheel.thresholds:
            raise NotReadyError(f"{wheel.name} has no thresholds in the rig file: each is a mark that gives a drop")
        self.whenever(*(wheel.rose(mark) for mark in wheel.thresholds), do=self.cross)
        self.whenever(*(wheel.fell(mark) for mark in wheel.thresholds), do=self.count)
        self.begin_way()

    def begin_way(self) -> None:
        """Start at the first mark."""
        self.ahead, self.crossed = list(self.box.wheel.thresholds), set[str]()

    def on_interrupted(self) -> None:
        # After a pause the count goes on. A board that is opened again counts from 0: then no mark is crossed.
        if self.holds(self.box.wheel.low(self.box.wheel.thresholds[0])):
            self.begin_way()

    def cross(self, forward: Edge) -> None:
        """Record a mark: the wheel may turn back over it while the animal drinks."""
        self.crossed.add(forward.channel)

    def count(self, back: Edge) -> None:
        """Add a turn back over a mark to the trial."""
        if self.trial is not None:
            self.trial.turned_back += 1

    @state(to=("drink",), can_end=True)
    async def run(self) -> Next:
        """Wait until the wheel has crossed the next mark, and give a drop."""
        start_s, mark = self.now_s, self.ahead[0]
        row, beyond = self.begin_trial(Trial(mark)), self.box.wheel.high(mark)
        if beyond.channel not in self.crossed:
            await self.until(beyond)
        self.do(self.box.spout.drop(self.params.drop_ul))
        self.ahead.remove(mark)
        row.run_s = self.now_s - start_s
        self.end_trial()
        return self.drink

    @state(to=("run",), can_end=True)
    async def drink(self) -> Next:
        """Wait while the animal drinks; the session is over after the last mark."""
        if not self.ahead:
            self.end("task_finished")
        await self.sleep(self.params.drink_s)
        return self.run
