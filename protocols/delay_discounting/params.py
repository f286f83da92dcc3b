"""What a PI may change in spatial delay discounting.

Defaults are those of the paper, then of the laboratory's files, then this project's.
"""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field, model_validator

from rig import Live, Pellets, TaskParams

PAPER = "Papale et al. 2012, Methods"
FILES = "session files and analysis programs of the laboratory"
OURS = "ours"
HIGHEST_HZ = 20_000
MOST_PELLETS = 10


class PoolParams(TaskParams):
    """The pool of conditions, one per session, each once before any is repeated."""

    sources: ClassVar = {
        "name": OURS,
        "delays_s": f"{PAPER}: 1 to 30 s without replacement in Experiment 2; 1, 2, 5, 10, 20, 30 s in Experiment 1",
        "ratios": f"{PAPER}: 3:1 in Experiment 2; 1:1 to 5:1 in Experiment 1",
        "renew": f"{OURS}: in the paper a second block of sessions began a new permutation",
    }

    name: str = Field(
        default="main", min_length=1, description="what the subject has had is kept under this name, apart from others"
    )
    delays_s: tuple[int, ...] = Field(
        default=tuple(range(1, 31)), min_length=1, description="the delays that sessions begin with"
    )
    ratios: tuple[Annotated[Pellets, Field(ge=1, le=MOST_PELLETS)], ...] = Field(
        default=(), description="pellets of the large reward, each with every delay; large_pellets when not given"
    )
    renew: bool = Field(default=False, description="when every condition has been had, begin again")


class Params(TaskParams):
    """What a PI may change."""

    sources: ClassVar = {
        "small_pellets": f"{PAPER}: one 45 mg pellet",
        "small_delay_s": f"{PAPER}: after 1 s",
        "large_pellets": f"{PAPER}: three in Experiment 2, one to five in Experiment 1",
        "initial_delay_s": f"{OURS}: the paper draws it",
        "pool": f"{PAPER}: pseudorandom, without replacement",
        "delay_step_s": f"{PAPER}: 1 s more after the delayed side, 1 s less after the other",
        "delay_min_s": f"{PAPER}: all reward sites had a minimum delay of 1 s",
        "delay_max_s": f"{OURS}: the paper has none; a longer one would sound above {HIGHEST_HZ} Hz",
        "delayed_side": f"{PAPER}: pseudorandomly counterbalanced",
        "side_run_max": OURS,
        "tone_base_hz": f"{PAPER}: reward is delivered with a tone of 1 kHz",
        "tone_step_hz": f"{PAPER}: 175 Hz higher for each second that is left",
        "tone_ms": f"{PAPER}: 100 ms",
        "reentry": f"{OURS}: the paper is silent",
        "skip_updates": f"{FILES}: the delay follows the choice, rewarded or not",
        "blocked": f"{PAPER}: one side was blocked in training, the other day by day",
        "criterion_laps": f"{PAPER}: until the rat reliably ran 100 laps",
        "jams_stop": "convention of the field",
    }

    small_pellets: Pellets = Field(default=1, ge=1, le=MOST_PELLETS, description="pellets of the small reward")
    small_delay_s: int = Field(default=1, ge=1, le=60, description="delay of the small reward")
    large_pellets: Pellets = Field(
        default=3, ge=1, le=MOST_PELLETS, description="pellets of the large reward, on the delayed side"
    )
    initial_delay_s: int | None = Field(
        default=None,
        ge=1,
        le=100,
        description="the delay at the session's start; drawn from the pool if not given",
    )
    pool: PoolParams = Field(default=PoolParams(), description="the conditions of a subject's sessions")
    delay_step_s: int = Field(
        default=1,
        ge=0,
        le=10,
        description="the delay grows by so much after the delayed side, and shrinks after the other",
    )
    delay_min_s: int = Field(default=1, ge=1, le=60, description="the delay never shrinks below")
    delay_max_s: int = Field(default=108, ge=1, le=600, description="the delay never grows beyond")
    delayed_side: Literal["counterbalanced", "left", "right"] = Field(
        default="counterbalanced",
        description="where the large reward is; counterbalanced: each side as often, at random",
    )
    side_run_max: int = Field(
        default=3, ge=1, le=30, description="counterbalanced: the side is the same in so many sessions in a row at most"
    )
    tone_base_hz: int = Field(default=1000, ge=20, le=HIGHEST_HZ, description="frequency of the tone at the reward")
    tone_step_hz: int = Field(default=175, ge=0, le=2000, description="a tone is so much higher for each second to go")
    tone_ms: int = Field(default=100, ge=1, le=900, description="length of a tone")
    reentry: Literal["no_restart", "restart", "resume"] = Field(
        default="no_restart",
        description="a rat that left before the reward and comes back: nothing; the countdown from its beginning; "
        "the seconds that were left",
    )
    skip_updates: bool = Field(default=True, description="the delay changes also after a lap that was left unrewarded")
    blocked: Literal["none", "left", "right", "alternate"] = Field(
        default="none",
        description="training: this side is blocked, the other gives the small reward; alternate: day by day",
    )
    criterion_laps: int = Field(
        default=100, ge=1, description="training: days in a row with so many laps are counted in the subject's state"
    )
    jams_stop: Annotated[int, Live] = Field(
        default=3,
        ge=1,
        le=100,
        description="the session ends after this number of pellets in a row that the sensor did not see",
    )

    @model_validator(mode="after")
    def _agree(self) -> Params:
        if self.delay_min_s > self.delay_max_s:
            raise ValueError(f"delay_min_s is {self.delay_min_s}, more than delay_max_s ({self.delay_max_s})")
        highest = self.tone_hz(max(self.delay_max_s, self.small_delay_s))
        if highest > HIGHEST_HZ:
            most = (HIGHEST_HZ - self.tone_base_hz) // self.tone_step_hz
            raise ValueError(
                f"a countdown of {self.delay_max_s} s begins at {highest} Hz, and no board sounds more than "
                f"{HIGHEST_HZ} Hz: make delay_max_s {most} or less, or tone_step_hz smaller"
            )
        where, delays_s = "pool.delays_s has", self.pool.delays_s
        if self.initial_delay_s is not None:
            where, delays_s = "initial_delay_s is", (self.initial_delay_s,)
        wrong = [delay_s for delay_s in delays_s if not self.delay_min_s <= delay_s <= self.delay_max_s]
        if wrong:
            raise ValueError(
                f"{where} {wrong[0]}, wanted delay_min_s ({self.delay_min_s}) to delay_max_s ({self.delay_max_s})"
            )
        return self

    def tone_hz(self, seconds_left: int) -> int:
        """Return the frequency of the tone at some seconds before the reward."""
        return self.tone_base_hz + self.tone_step_hz * seconds_left
