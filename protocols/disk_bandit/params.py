"""What a PI may change in the eight-disk bandit.

Defaults are those of the paper, then this project's.
"""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field, model_validator

from rig import Color, HopperSeconds, Live, TaskParams

PAPER = "Racey et al. 2011, Methods"
EXAMPLE = "Racey et al. 2011, General Discussion, its example of two VIs"
FIELD = "convention of the field"
OURS = "ours: the paper is silent"
LOCATIONS = 8
"""Number of disks of the ring; location 0 is on top, the others follow clockwise."""

Vi = Annotated[float, Field(gt=0, le=1e6)]
Probability = Annotated[float, Field(ge=0, le=1)]

COLORS = {
    "red": "#ff0000",
    "yellow": "#ffff00",
    "pink": "#ffc0cb",
    "green": "#00a000",
    "dark blue": "#00008b",
    "orange": "#ffa500",
    "gray": "#808080",
    "light blue": "#add8e6",
}


class RingParams(TaskParams):
    """Parameters of the disks on the screen."""

    sources: ClassVar = {
        "disk_cm": f"{PAPER}: approximately 2 cm in diameter",
        "ring_cm": f"{PAPER}: opposite disks were approximately 8 cm apart; ours: from center to center",
        "lowest_cm": f"{PAPER}: the bottom of the lowest disk was 3 cm above the bottom edge of the screen",
        "hit_margin_cm": OURS,
        "colors": f"{PAPER}: the names, from the left clockwise gray, light blue, red, ...; ours: their hues",
        "background": OURS,
    }

    disk_cm: float = Field(default=2.0, gt=0, le=20, description="diameter of a disk")
    ring_cm: float = Field(
        default=8.0, gt=0, le=100, description="from the center of a disk to that of the opposite one"
    )
    lowest_cm: float = Field(default=3.0, ge=0, le=100, description="the lowest disk is so far above the lower edge")
    hit_margin_cm: float = Field(default=0.25, ge=0, le=0.5, description="a peck so close to a disk is on it")
    colors: dict[str, Color] = Field(
        default=COLORS,
        min_length=LOCATIONS,
        max_length=LOCATIONS,
        description="eight colors by names of your own, from the top clockwise",
    )
    background: Color = Field(default="#000000", description="color of the screen around the disks")

    @model_validator(mode="after")
    def _apart(self) -> RingParams:
        gap_cm = 0.3826834 * self.ring_cm - self.disk_cm  # neighbors are a chord of 45 degrees apart
        if gap_cm < 2 * self.hit_margin_cm:
            raise ValueError(
                f"neighboring disks are {gap_cm:.2f} cm apart, less than two margins of {self.hit_margin_cm:g} cm: "
                "make hit_margin_cm or disk_cm smaller, or ring_cm larger"
            )
        return self


class ViParams(TaskParams):
    """Variable-interval schedules."""

    sources: ClassVar = {
        "vi_s": f"{PAPER}: 3 to 6561 s in testing and elimination, 3 to 384 s in training",
        "vi_distribution": f"{PAPER}: varied by up to 50 % of the scheduled interval; ours: evenly",
        "vi_jitter": f"{PAPER}: up to +-50 %",
        "vi_intervals": FIELD,
    }

    vi_s: tuple[Vi, ...] = Field(
        default=(3, 9, 27, 81, 243, 729, 2187, 6561),
        min_length=1,
        max_length=LOCATIONS,
        description="mean intervals; they are distributed again over the disks every day",
    )
    vi_distribution: Literal["uniform_pm", "fleshler_hoffman", "exponential", "fixed"] = Field(
        default="uniform_pm",
        description="intervals around their mean: evenly within vi_jitter; Fleshler and Hoffman's progression; "
        "exponential, which is a constant probability; all the same",
    )
    vi_jitter: float = Field(
        default=0.5, ge=0, le=1, description="uniform_pm: an interval is so far from its mean at most"
    )
    vi_intervals: int = Field(
        default=12, ge=1, le=100, description="fleshler_hoffman: how many intervals, each once before any comes again"
    )


class Params(RingParams, ViParams):
    """What a PI may change."""

    sources: ClassVar = {
        **RingParams.sources,
        **ViParams.sources,
        "schedule": f"{PAPER}: autoshaping, random ratios and variable intervals, one after the other",
        "rr_p": f"{PAPER}: .61 to .02 in the first training, which is exp(-k/2)",
        "disks": f"{PAPER}: all eight; one disk; what elimination has left; ours: the one disk moves on day by day",
        "n_disks": f"{PAPER}: eight to three, one less each time",
        "vi_clock_in_reward": f"{EXAMPLE} leaves the hopper out, and speaks of a clock: runs; {FIELD}: stops",
        "vi_next_from": f"{EXAMPLE}: from the choice that collects",
        "hopper_s": f"{PAPER}: 3 s, said of autoshaping",
        "disks_in_reward": f"{FIELD}: keys are dark while the hopper is up",
        "color_shift": f"{PAPER}: a probe in training; positions of the colors were not changed else",
        "autoshape_iti_s": f"{PAPER}: 60 s",
        "autoshape_free_after_s": f"{OURS}; it says autoshaped, and describes food for a peck",
        "autoshape_trials": OURS,
        "iti_houselight": f"{PAPER}: illumination except during time-outs, of which none is described",
        "not_entered_alert": FIELD,
        "block_s": f"{PAPER}: blocks of 5 minutes",
    }

    schedule: Literal["vi", "rr", "autoshaping"] = Field(
        default="vi",
        description="variable intervals; a probability for every peck; one white disk, and a pause after each reward",
    )
    rr_p: tuple[Probability, ...] = Field(
        default=(0.61, 0.37, 0.22, 0.14, 0.08, 0.05, 0.03, 0.02),
        min_length=1,
        max_length=LOCATIONS,
        description="rr: probabilities of reward for a peck; they are distributed again over the disks every day",
    )
    disks: Literal["ring", "eliminated", "one"] = Field(
        default="ring",
        description="all eight; n_disks, without those that the subject pecked most; one, which moves on day by day",
    )
    n_disks: int = Field(
        default=LOCATIONS,
        ge=1,
        le=LOCATIONS,
        description="eliminated: so many disks are left, with the richest of the schedules",
    )
    vi_clock_in_reward: Literal["runs", "stops"] = Field(
        default="runs", description="what the intervals of all disks do while the hopper is up"
    )
    vi_next_from: Literal["collection", "reward_end"] = Field(
        default="collection",
        description="a disk's next interval begins at the peck that collects, or when the hopper falls",
    )
    hopper_s: HopperSeconds = Field(default=3.0, ge=0.5, le=30, description="the hopper is up for so long")
    disks_in_reward: Literal["off", "inactive"] = Field(
        default="off", description="while the hopper is up, the disks are dark; or shown, and without effect"
    )
    color_shift: int = Field(
        default=0, ge=0, le=LOCATIONS - 1, description="probe: the colors are so many places further, clockwise"
    )
    autoshape_iti_s: Annotated[float, Live] = Field(
        default=60.0, ge=0, le=3600, description="pause after a reward in autoshaping"
    )
    autoshape_free_after_s: Annotated[float | None, Live] = Field(
        default=None, ge=1, le=60, description="time without a peck after which the disk gives a reward by itself"
    )
    autoshape_trials: int = Field(
        default=40, ge=1, le=1000, description="number of disks shown in a session of autoshaping"
    )
    iti_houselight: bool = Field(default=True, description="the houselight stays on in the pauses of autoshaping")
    not_entered_alert: Annotated[int, Live] = Field(
        default=5,
        ge=1,
        le=100,
        description="number of missed visits to the hopper in a row that raises a warning; the hopper needs a beam",
    )
    block_s: float = Field(default=300.0, gt=0, description="length of a block in the trial table")

    @property
    def shown(self) -> int:
        """Return the number of shown disks of the ring."""
        return {"ring": LOCATIONS, "one": 1, "eliminated": self.n_disks}[self.disks]

    @model_validator(mode="after")
    def _enough(self) -> Params:
        if self.disks != "eliminated" and self.n_disks != LOCATIONS:
            raise ValueError(f"n_disks is {self.n_disks}: only disks: eliminated has fewer than {LOCATIONS}")
        if self.schedule == "autoshaping":
            return self
        key, values = ("vi_s", len(self.vi_s)) if self.schedule == "vi" else ("rr_p", len(self.rr_p))
        if values < self.shown or (values > self.shown and self.disks != "eliminated"):
            raise ValueError(f"{key} has {values} values for {self.shown} disks: wanted {self.shown}")
        return self
