from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from rig import Column, Edge, Encoder, Next, RewardVolume, Task, TaskParams, TrialRow, Valve, state


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
    run_s: Annotated[float, Column("time from the trial's start to the mark")] = 0.0
    turned_back: Annotated[int, Column("how often the wheel turned back over any mark in the trial")] = 0


class RunningWheel(Task[Params, Box, Trial]):
    """Each mark on the way forward gives a drop, once. Running backward gives none, and makes the way longer."""

    def prepare(self) -> None:
        wheel = self.box.wheel
        self.marks = wheel.thresholds
        self.whenever(*(wheel.fell(mark) for mark in self.marks), do=self.count)

    def count(self, back: Edge) -> None:
        """Add a turn back over a mark to the trial."""
        if self.trial is not None:
            self.trial.turned_back += 1

    @state(to=("drink",), can_end=True)
    async def run(self) -> Next:
        """Wait until the wheel is at the next mark, and give a drop."""
        start_s, wheel = self.now_s, self.box.wheel
        row = self.begin_trial(Trial(self.marks[self.trial_number]))
        await self.until(wheel.high(row.mark))
        self.do(self.box.spout.drop(self.params.drop_ul))
        row.run_s = self.now_s - start_s
        self.end_trial()
        return self.drink

    @state(to=("run",), can_end=True)
    async def drink(self) -> Next:
        """Wait while the animal drinks; the session is over after the last mark."""
        await self.sleep(self.params.drink_s)
        if self.trial_number == len(self.marks):
            self.end("task_finished")
        return self.run
