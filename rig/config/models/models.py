"""What the files say: rigs, protocols and calibrations, as pydantic models."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Annotated, Any, ClassVar, Literal, Union

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Discriminator,
    Field,
    Tag,
    ValidationInfo,
    WithJsonSchema,
    create_model,
    field_validator,
)

from rig.config.errors.error_messages import KIND_TAG
from rig.config.errors.errors import ConfigIssuesError, Loc
from rig.config.errors.formatting import unknown_name, value_text
from rig.devices.base import DeviceConfig, StrictModel
from rig.devices.touchscreen import NAME, ScreenConfig

_NAME = re.compile(r"[a-z][a-z0-9_]*")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def _name(text: str) -> str:
    if not _NAME.fullmatch(text):
        raise ValueError("a name is small letters, digits and _, a letter first, such as left_port")
    return text


def _iso_date(value: Any) -> Any:
    """Check that a value is a date, and not a number, which pydantic would take for seconds since 1970."""
    if isinstance(value, datetime.date) or (isinstance(value, str) and _DATE.fullmatch(value)):
        return value
    raise ValueError(f"must be a date, YYYY-MM-DD, got {value_text(value)}")


# pydantic cannot see into a validator, so its schema is written by hand.
_NAME_SCHEMA = {"type": "string", "pattern": f"^{_NAME.pattern}$"}
_DATE_SCHEMA = {"type": "string", "format": "date", "pattern": f"^{_DATE.pattern}$"}
Name = Annotated[str, AfterValidator(_name), WithJsonSchema(_NAME_SCHEMA)]
IsoDate = Annotated[datetime.date, BeforeValidator(_iso_date), WithJsonSchema(_DATE_SCHEMA)]


class BoardEntry(StrictModel):
    """One microcontroller of a rig; ``driver`` names an entry point of ``rig.boards``."""

    driver: str = Field(description="how to talk to it: serial, firmata, sim, avr, or an entry point of rig.boards")
    id: str | None = Field(default=None, description="what the board says of itself; another board is refused")
    port: str | None = Field(
        default=None, description="the serial port, such as /dev/ttyACM0 or COM3; the only USB port when not given"
    )
    reference: bool = Field(
        default=False, description="its clock is the session's time axis; a rig's only board is the reference anyhow"
    )
    chip: Literal["uno", "mega"] | None = Field(
        default=None, description="the kind of Arduino; pins and limits are then checked without the board"
    )
    baud: int = Field(default=500_000, gt=0, description="speed of the serial line; for firmata 57600 when not given")
    lease_s: float = Field(
        default=2.0, ge=0.2, le=10, description="after so long without a word from the computer the board is all off"
    )


class RigFile(StrictModel):
    """A rig: its boards and what is wired to them; read through the model that `rig_file_model` builds."""

    # pydantic validates in this order: the validators of devices and screen read what comes before.
    boards: dict[Name, BoardEntry] = Field(min_length=1, description="the microcontrollers, by names of your own")
    devices: dict[Name, DeviceConfig] = Field(description="what is wired to them, by the names that protocols use")
    screen: ScreenConfig | None = Field(default=None, description="the touch screen, if the rig has one")
    calibration_max_days: float | None = Field(
        default=7,
        gt=0,
        description="a real valve is to be measured again after so many days; null: a calibration never grows old",
    )

    @property
    def reference(self) -> str:
        """Return the board whose clock is the session's time axis."""
        return next(iter(_references(self.boards)))

    def board_of(self, device: str) -> str:
        """Return the board to which a device is wired."""
        return self.devices[device].board or self.reference

    @field_validator("boards")
    @classmethod
    def _one_reference(cls, boards: dict[str, BoardEntry]) -> dict[str, BoardEntry]:
        marked = _references(boards)
        if not marked:
            raise ValueError("one of several boards must say reference: true; its clock times the session")
        if len(marked) > 1:
            text = f"only one board may be the reference; {' and '.join(marked)} are"
            raise ConfigIssuesError(*(((board, "reference"), text) for board in marked))
        return boards

    @field_validator("screen")
    @classmethod
    def _photodiode_is_wired(cls, screen: ScreenConfig | None, info: ValidationInfo) -> ScreenConfig | None:
        devices, name = info.data.get("devices"), None if screen is None else screen.photodiode
        inputs = [] if devices is None else [key for key, config in devices.items() if config.kind == "ttl_in"]
        if devices is not None and name is not None and name not in inputs:
            raise ConfigIssuesError(
                (("photodiode",), unknown_name(f"there is no input {name!r} of kind ttl_in", name, inputs))
            )
        return screen

    @field_validator("devices")
    @classmethod
    def _one_screen(cls, devices: dict[str, DeviceConfig]) -> dict[str, DeviceConfig]:
        if NAME in devices:
            raise ConfigIssuesError(
                ((NAME,), f"no device is called so: the touch screen has a section of its own, {NAME}:")
            )
        return devices

    # A validator of the whole model is not called while a field is wrong, and would hide these mistakes.
    @field_validator("devices")
    @classmethod
    def _wired(cls, devices: dict[str, DeviceConfig], info: ValidationInfo) -> dict[str, DeviceConfig]:
        boards = info.data.get("boards")
        if boards is None:  # the boards are wrong themselves, and say so
            return devices
        mistakes = [*_boards_exist(devices, boards), *_pins_differ(devices, _references(boards)[0])]
        if mistakes:
            raise ConfigIssuesError(*mistakes)
        return devices


def rig_file_model(kinds: Mapping[str, type[DeviceConfig]]) -> type[RigFile]:
    """Build the model of a rig file whose devices are of these kinds."""
    members = tuple(Annotated[config, Tag(KIND_TAG + word)] for word, config in kinds.items())
    union: Any = Annotated[Union[members], Discriminator(kind)]  # noqa: UP007 (a tuple, not known before)
    return create_model("RigFile", __base__=RigFile, devices=(dict[Name, union], ...))


REWARD_LIMITS = ("max_rewards", "max_ul", "max_pellets", "max_access_s")
"""The limits of a session of which at least one is required, in the order of their fields."""


class SessionLimits(StrictModel):
    """When a session ends, and the most it may give; a session without a limit is refused."""

    sources: ClassVar = {
        **dict.fromkeys(("min_trials", "grace_s", "stuck_s"), "ours"),
        **dict.fromkeys(("idle_alert_s", "idle_stop_s"), "convention of the field"),
    }

    session_s: float = Field(gt=0, le=86_400, description="length of a session")
    max_rewards: int | None = Field(default=None, gt=0, description="limit: rewards in a session, by hand included")
    max_ul: float | None = Field(default=None, gt=0, description="limit: microliters in a session, by hand included")
    max_pellets: int | None = Field(default=None, gt=0, description="limit: pellets in a session")
    # Validated when absent, too: it is the last of the limits of which one is required.
    max_access_s: float | None = Field(
        default=None,
        gt=0,
        validate_default=True,
        description="limit: seconds in a session for which hoppers are up, by hand included",
    )
    max_trials: int | None = Field(default=None, gt=0, description="the session ends after so many trials")
    min_trials: int = Field(
        default=1, ge=0, description="a session stopped by hand or by idleness counts for the next from so many trials"
    )
    grace_s: float = Field(
        default=30, ge=0, le=86_400, description="a trial that runs at the session's end may last so much longer"
    )
    stuck_s: float = Field(default=120, gt=0, description="a beam that is broken for this time is recorded as stuck")
    idle_alert_s: float | None = Field(
        default=600, gt=0, description="time without activity after which the journal gets a note; null: never"
    )
    idle_stop_s: float | None = Field(
        default=1200, gt=0, description="time without activity after which the session ends; null: never"
    )

    @field_validator("max_access_s")
    @classmethod
    def _require_limit(cls, max_access_s: float | None, info: ValidationInfo) -> float | None:
        """Raise if no limit is given; checked at the last limit, so that other mistakes are listed beside it."""
        # A limit with a mistake of its own is not in `data`: it is not called missing as well.
        others = [info.data.get(key, "a mistake of its own") for key in REWARD_LIMITS[:-1]]
        if max_access_s is None and others == [None] * len(others):
            raise ValueError(f"a limit is required: give {', '.join(REWARD_LIMITS[:-1])} or {REWARD_LIMITS[-1]}")
        return max_access_s


class SimulationSection(StrictModel):
    """How a protocol is simulated when the command line does not say otherwise."""

    rig: str | None = Field(default=None, description="the rig of simulated sessions, where --rig names none")
    model_params: dict[str, str | int | float | bool] = Field(
        default_factory=dict, description="parameters for every virtual subject that has them; --param overrides them"
    )


class ProtocolFile(StrictModel):
    """A protocol and its parameters, which the task's own model validates in a second step."""

    protocol: str = Field(
        description="which task: one that is installed, a file in a folder protocols/, or ./my_task.py:MyTask"
    )
    simulation: SimulationSection = Field(
        default_factory=SimulationSection, description="the rig and the virtual subjects of simulated sessions"
    )
    params: dict[str, Any] = Field(default_factory=dict, description="the protocol's own parameters")
    stop: SessionLimits = Field(description="when a session ends, and the most it may give")


MIN_UL_PER_MS, MAX_UL_PER_MS = 0.001, 1.0
"""What a valve gives: 2.5 ul in 40 ms and 3 ul in 50 ms were published of mice's (Beron et al. 2022); the rest is room.

What lies beyond is a slip: microseconds, milliliters, or the weight of all the drops.
"""


class CalibrationPoint(StrictModel):
    """A measured opening and the volume of one drop; no solenoid valve opens and closes within a millisecond."""

    open_ms: float = Field(ge=1, le=60_000, description="how long the valve was opened; grows from point to point")
    ul: float = Field(gt=0, description="volume of one drop: the weight in mg, over the number of drops")

    @property
    def open_us(self) -> int:
        """Return the opening in whole microseconds."""
        return round(self.open_ms * 1000)


class CalibrationFile(StrictModel):
    """What was measured on one valve; ``pulses`` is the number of drops weighed per point."""

    valve: str = Field(min_length=1, description="which valve was measured")
    date: IsoDate = Field(description="the day of the measurement")
    points: list[CalibrationPoint] = Field(
        min_length=2, description="what was measured; volumes between points are interpolated"
    )
    pulses: int = Field(default=100, gt=0, description="drops weighed per point")
    note: str = Field(default="", description="anything worth knowing: pressure, tube, who measured")

    @field_validator("points")
    @classmethod
    def _a_curve(cls, points: list[CalibrationPoint]) -> list[CalibrationPoint]:
        mistakes: list[tuple[Loc, str]] = [
            ((index, "ul"), said) for index, point in enumerate(points) if (said := _volume_problem(point))
        ]
        for index, (before, point) in enumerate(pairwise(points), start=1):
            # In whole microseconds, as the board gets them: the interpolation divides by this difference.
            if point.open_us <= before.open_us:
                mistakes.append(((index, "open_ms"), _must_grow("longer", before.open_ms, point.open_ms, "ms")))
            if point.ul <= before.ul:
                mistakes.append(((index, "ul"), _must_grow("larger", before.ul, point.ul, "ul")))
        if mistakes:
            raise ConfigIssuesError(*mistakes)
        return points


def _volume_problem(point: CalibrationPoint) -> str:
    """Return a message if no valve gives so little or so much; empty if the point is possible."""
    per_ms = point.ul / point.open_ms
    if MIN_UL_PER_MS <= per_ms <= MAX_UL_PER_MS:
        return ""
    slip = "this the volume of all drops" if per_ms > MAX_UL_PER_MS else "a number in microseconds or milliliters"
    usual = f"a valve gives {MIN_UL_PER_MS:g} to {MAX_UL_PER_MS:g} ul per ms"
    return f"{point.ul:g} ul in {point.open_ms:g} ms cannot be one drop: {usual}; is {slip}?"


def _must_grow(how: str, before: float, now: float, unit: str) -> str:
    return f"must be {how} than in the point before ({before:g} {unit}), got {now:g}"


def kind(entry: Any) -> str | None:
    """Return the union tag of a device section, None when it is no section; pydantic's message bears this name."""
    if isinstance(entry, DeviceConfig):
        return KIND_TAG + entry.kind
    return f"{KIND_TAG}{entry.get('kind') or ''}" if isinstance(entry, dict) else None


def _references(boards: Mapping[str, BoardEntry]) -> list[str]:
    """Return the boards that are the reference; a rig's only board always is."""
    return [name for name, board in boards.items() if board.reference or len(boards) == 1]


def _boards_exist(devices: Mapping[str, DeviceConfig], boards: Mapping[str, BoardEntry]) -> Iterator[tuple[Loc, str]]:
    for name, config in devices.items():
        if config.board is not None and config.board not in boards:
            yield (name, "board"), unknown_name(f"there is no board {config.board!r}", config.board, list(boards))


def _pins_differ(devices: Mapping[str, DeviceConfig], reference: str) -> Iterator[tuple[Loc, str]]:
    taken: dict[tuple[str, int], str] = {}
    for name, config in devices.items():
        board = config.board or reference
        for role, pin in config.pins().items():
            owner = taken.setdefault((board, pin), f"devices.{name}.{role}")
            if owner != f"devices.{name}.{role}":
                yield (name, role), f"pin {pin} of board '{board}' is already used by {owner}"
