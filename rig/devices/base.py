"""What all devices share: a name, the channels they occupy, and a section of the rig file.

A kind of device is one class. What it leaves out follows from its channels: how a simulated rig acts, how the channel
test tries an output, the line in the window and the tables. A rig file names the class by an entry point of
``rig.devices`` (``kind: port``) or by its file (``kind: puffer.py:Puffer``); no other file lists kinds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from copy import copy
from functools import cache
from pathlib import Path
from typing import Annotated, Any, ClassVar, Self, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from rig.core.engine.device_link import DeviceLink
from rig.core.engine.input_log import InputLog
from rig.core.errors import ActionError, TaskError
from rig.core.model.actions import Code, Order, RewardAction
from rig.core.model.board import AnalogSource, Channel, EncoderSource, Input, Output, Source
from rig.core.model.comparisons import HOW_TO_COMPARE
from rig.core.model.line import Line
from rig.core.model.microseconds import check_number
from rig.core.model.output_check import OutputCheck
from rig.core.model.reward_types import RewardUnit
from rig.core.model.rig_spec import TrackingSpec
from rig.core.model.surroundings import OnOutput, Surroundings
from rig.core.model.zones import CircularZone
from rig.core.task.random_streams import RandomStreams
from rig.devices.calibration import Calibration


class StrictModel(BaseModel):
    """A base of models read from YAML: immutable, and an unknown key is an error."""

    # YAML has .nan and .inf, and no bound refuses NaN, because each comparison with it is false.
    # Built at first use: a session uses few of the models that a command imports.
    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False, defer_build=True)


_IS_PIN = object()
Pin = Annotated[int, Field(ge=0, le=255), _IS_PIN]
"""A pin number of the board."""


class DeviceConfig(StrictModel):
    """One entry under ``devices:`` of a rig file; ``kind`` says which device it is."""

    model_config = ConfigDict(defer_build=False)  # a laboratory's mistake in its fields is reported at their import

    min_on_key: ClassVar[str | None] = None
    """The field that says how long its input has to be on until it counts."""

    kind: str = Field(description="which device it is")
    board: str | None = Field(
        default=None, description="the board it is wired to; the rig's only board, or the reference, when not given"
    )

    def pins(self) -> dict[str, int]:
        """Return the pin of each key that has one."""
        pins = ((key, getattr(self, key)) for key in _pin_keys(type(self)))
        return {key: pin for key, pin in pins if pin is not None}

    def with_min_on(self, us: int) -> Self:
        """Return it with an input that counts once it has lasted ``us``, or longer where it says so itself.

        Raises ``TaskError`` when no input of the device can wait so long.
        """
        key = self.min_on_key
        if key is None:
            raise TaskError(f"no input of a {self.kind} can be told how long it has to last")
        values = {name: getattr(self, name) for name in self.model_fields_set}
        try:
            # Not `model_copy`, which does not check the bounds of the field.
            return self.model_validate({**values, key: max(us, getattr(self, key))})
        except ValidationError as error:
            raise TaskError(f"{key} {us}: {error.errors()[0]['msg']}") from None


@cache
def _pin_keys(config: type[DeviceConfig]) -> tuple[str, ...]:
    """Return the keys whose type is `Pin`, or `Pin` and None."""
    marks = {
        key: (*field.metadata, *(mark for part in get_args(field.annotation) for mark in _metadata(part)))
        for key, field in config.model_fields.items()
    }
    return tuple(key for key, of_key in marks.items() if _IS_PIN in of_key)


def _metadata(annotation: object) -> tuple[object, ...]:
    return getattr(annotation, "__metadata__", ())


class Device:
    """A device of the protocol's vocabulary; it has channels, and no access to the serial port.

    A device of a rig file is only inspected; a task uses its `linked` copy.
    """

    Config: ClassVar[type[DeviceConfig]]
    section: ClassVar[str | None] = None
    """The section of the rig file that describes it, of a device that is none of ``devices``."""
    of_session: ClassVar[bool] = False
    """Whether it belongs to the session, so that no protocol can use it."""
    timing_key: ClassVar[str | None] = None
    """The key for which its board has to keep time by itself; a board that cannot is refused."""
    description: ClassVar[str] = ""
    """What it is, for the NWB file; its kind when empty."""
    maintenance: ClassVar[Mapping[str, str | type[object]]] = {}
    """The verbs that ``rig device`` offers for it, by name: ``module:Class`` of a ``Verb``, or the class itself."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._link: DeviceLink | None = None

    @classmethod
    def build(cls, name: str, config: Any, calibrations: Mapping[str, Calibration]) -> Device:
        """Build the device of a section; ``calibrations`` are those of the rig, by the names that sections give them.

        By default the class takes the name and the section.
        """
        make: Callable[[str, object], Device] = cls
        return make(name, config)

    def linked(self, link: DeviceLink) -> Self:
        """Return the device as a task uses it, with the devices that are parts of it, such as a port's light."""
        used = copy(self)
        parts = {name: part.linked(link) for name, part in vars(self).items() if isinstance(part, Device)}
        vars(used).update(parts, _link=link)
        return used

    def order(self, order: Order) -> None:
        """Send an order with the next batch of the task. Raises ``TaskError`` for a device that no task uses."""
        if self._link is None:
            raise TaskError(f"{self.name} was used before the session began: '{order}'")
        self._link.order(order)

    @property
    def inputs(self) -> InputLog:
        """Return the inputs, as far as the task has read events."""
        return InputLog() if self._link is None else self._link.inputs

    @property
    def gives(self) -> RewardUnit | None:
        """Return the unit of the rewards that the device gives; None for a device that gives none."""
        return None

    def reward(self, size: float | None = None) -> RewardAction:
        """Return the action that gives one reward, by default of the device's usual size.

        Raises ``TaskError`` for a device that gives none, or not of that size.
        """
        raise TaskError(f"{self.name} gives no rewards")

    def has(self, part: str) -> bool:
        """Whether the device has an optional part."""
        return getattr(self, part, None) is not None

    @property
    def channels(self) -> tuple[Channel, ...]:
        """Return the board channels that the device occupies: those that it and its parts hold, in their order."""
        parts = vars(self).values()
        return tuple(
            channel
            for part in parts
            for channel in (part.channels if isinstance(part, Device) else (part,))
            if isinstance(channel, Input | Output)
        )

    @property
    def sources(self) -> tuple[Source, ...]:
        """Return what the board samples for the device and its parts."""
        return tuple(
            source
            for part in vars(self).values()
            for source in (part.sources if isinstance(part, Device) else (part,))
            if isinstance(source, AnalogSource | EncoderSource)
        )

    @property
    def input_names(self) -> tuple[str, ...]:
        """Return the names of its inputs in the journal."""
        return tuple(channel.name for channel in self.channels if isinstance(channel, Input))

    @property
    def valve_calibrations(self) -> Mapping[str, Calibration]:
        """Return the calibration of each channel that is a valve."""
        return {}

    @property
    def circle(self) -> CircularZone | None:
        """Return the circle in which a tracker has to detect the subject; None for a device without one."""
        return None

    def tracking(self, circles: Iterable[CircularZone], folder: Path = Path()) -> TrackingSpec | None:
        """Return what a tracker does with the rig's circles; None for a device that is no tracker."""
        return None

    def signal(self, streams: RandomStreams) -> Code | None:
        """Return the signal that the board sends on it for the whole session; None for a device that sends none."""
        return None

    def simulated(self, surroundings: Surroundings) -> OnOutput | None:
        """Return what a simulated rig does when an output of the device changes; None for what its roles say.

        A light shines, a valve gives water, a feeder a pellet, and any other output can be perceived.
        """
        return None

    def output_check(self, output: Output) -> OutputCheck | None:
        """Return how the channel test and `rig board accept` try an output; None for what its role says."""
        return None

    def label(self, channel: Channel) -> str:
        """Return what the window calls the line of a channel."""
        return channel.name

    def __eq__(self, other: object) -> bool:
        # A device is compared with devices. A name, an edge or a pattern would never equal it, which is a mistake.
        if isinstance(other, str | tuple | Line):
            raise TaskError(f"{other!r} is compared with the device {self.name}, never equal: {HOW_TO_COMPARE}")
        return self is other

    __hash__ = object.__hash__

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name}>"


HOOKS = frozenset(
    {
        *("section", "of_session", "timing_key", "description", "maintenance", "build", "input_names", "circle"),
        *("valve_calibrations", "tracking", "signal", "simulated", "output_check", "label"),
    }
)
"""Members that a device has for the program; no protocol uses them."""


def check_on(name: str, what: str, ms: float, output: Output, key: str = "") -> None:
    """Check the on-time of an output. Raises ``ActionError`` that names the ``key`` of the rig file."""
    check_number(ms, f"{name}: the milliseconds of {what}")
    # `not` with >= also refuses NaN; less than 1 µs would be rounded to nothing.
    if not ms * 1000 >= 1:
        raise ActionError(f"{name}: {what} of {ms:g} ms: wanted more than 0", ms, "ms")
    if output.max_on_us is not None and ms * 1000 > output.max_on_us:
        allowed = f"{output.max_on_us / 1000:g} ms at most"
        said = f"the rig file allows {allowed}: make it shorter, or raise {key}" if key else f"wanted {allowed}"
        raise ActionError(f"{name}: {what} of {ms:g} ms: {said}", ms, "ms")


class Needs:
    """The parts that a box requires of a device: ``left: Annotated[Port, Needs("light", "valve")]``."""

    def __init__(self, *parts: str) -> None:
        self.parts = parts
