from dataclasses import dataclass
from typing import Annotated, ClassVar

from pydantic import Field

from rig import NOTHING, Column, Houselight, Needs, Next, Port, RewardVolume, Row, Task, TaskParams, TrialRow, state

Arm = Annotated[Port, Needs("valve")]


class Params(TaskParams):
    drop_ul: RewardVolume = Field(default=10.0, description="volume of the drop at the end of an arm")
    run_s: float = Field(default=300.0, ge=10, le=3600, description="a run ends after this time")
    rest_s: float = Field(default=60.0, ge=1, le=3600, description="darkness between two runs; the arms are filled")


@dataclass
class Box:
    arm1: Arm
    arm2: Arm
    arm3: Arm
    arm4: Arm
    arm5: Arm
    arm6: Arm
    arm7: Arm
    arm8: Arm
    houselight: Houselight


@dataclass
class Trial(TrialRow):
    visits: Annotated[int, Column("visits to arms")] = 0
    arms: Annotated[int, Column("different arms that were visited")] = 0
    errors: Annotated[int, Column("working-memory errors: visits to an arm that was visited before in this run")] = 0
    first_error: Annotated[int | None, Column("number of the first visit that was an error; empty without one")] = None
    t_first: Annotated[float | None, Column("the first visit")] = None
    t_last: Annotated[float | None, Column("the last visit")] = None


@dataclass
class Visit(Row):
    trial: Annotated[int, Column("the run")]
    arm: Annotated[str, Column("the visited arm")]
    again: Annotated[int, Column("1 if the arm was visited before in this run")]
    t: Annotated[float, Column("when the animal broke the beam at the arm's end")]


class RadialMaze(Task[Params, Box, Trial]):
    """Each of eight arms gives one drop in a run. A further visit to the same arm is a working-memory error."""

    tables: ClassVar = {"visits": Visit}

    def prepare(self) -> None:
        box = self.box
        self.arms = (box.arm1, box.arm2, box.arm3, box.arm4, box.arm5, box.arm6, box.arm7, box.arm8)

    @state(to=("choose",), can_end=True)
    async def rest(self) -> Next:
        """Wait in darkness, and until the animal has left the arms; then start a run."""
        await self.sleep(self.params.rest_s)
        await self.wait_clear(*self.arms)
        self.box.houselight.on()
        self.full, self.start_s = set(self.arms), self.now_s
        self.begin_trial(Trial())
        return self.choose

    @state(to=("visit", "end_run"))
    async def choose(self) -> Next:
        """Wait for a visit to an arm; the board gives the drop if it is the first visit."""
        drop_ul = self.params.drop_ul
        answers = [(arm.poked, arm.drop(drop_ul) if arm in self.full else NOTHING) for arm in self.arms]
        entry = await self.react(*answers, until_s=self.start_s + self.params.run_s)
        if entry is None:
            return self.end_run
        self.here = next(arm for arm in self.arms if arm.name == entry.source)
        self.count(entry.t_s)
        return self.visit

    def count(self, t_s: float) -> None:
        """Add a visit to the run."""
        row, again = self.row, self.here not in self.full
        self.full.discard(self.here)
        row.visits, row.arms, row.errors = row.visits + 1, len(self.arms) - len(self.full), row.errors + again
        row.t_first, row.t_last = t_s if row.visits == 1 else row.t_first, t_s
        if again and row.first_error is None:
            row.first_error = row.visits
        self.record(Visit(self.trial_number, self.here.name, int(again), t_s))

    @state(to=("choose", "end_run"))
    async def visit(self) -> Next:
        """Wait until the animal leaves the arm; after the eighth arm the run is over."""
        await self.until(self.here.free)
        return self.choose if self.full else self.end_run

    @state(to=("rest",))
    async def end_run(self) -> Next:
        """Switch the houselight off, and close the run."""
        self.box.houselight.off()
        self.row.outcome = "time_over" if self.full else "complete"
        self.end_trial()
        return self.rest
