"""A rig file: the boards of a rig, its devices and its screen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any, ClassVar, Union

from pydantic import (
    AfterValidator,
    Discriminator,
    Field,
    GetJsonSchemaHandler,
    Tag,
    ValidationInfo,
    create_model,
    field_validator,
    model_validator,
)
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from rig.boards.baud import check_baud
from rig.boards.chips import ChipName
from rig.config.errors.closest_names import unknown_name
from rig.config.errors.error_messages import KIND_TAG
from rig.config.errors.errors import Clash, ConfigIssuesError, Loc
from rig.config.errors.formatting import value_text
from rig.config.models.expect import Expectations
from rig.config.models.names import Name
from rig.devices.base import Device, DeviceConfig, Pin, StrictModel
from rig.devices.kinds import is_kind
from rig.devices.touchscreen import NAME, ScreenConfig
from rig.devices.ttl import TtlIn
from rig.system.tcp_address import EXAMPLE, check_port


class PanicEntry(StrictModel):
    """The panic input of a board: a pin, or a mapping."""

    written_as: ClassVar = "pin or mapping"
    shorthand: ClassVar = "pin"

    pin: Pin = Field(description="the input that is high while the button is pressed")
    inverted: bool = Field(default=False, description="the input is low, not high, while the button is pressed")

    @classmethod
    def __get_pydantic_json_schema__(cls, core: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """Return the schema of both written forms, for editors."""
        mapping = handler(core)
        pin = handler.resolve_ref_schema(mapping)["properties"]["pin"]
        return {"anyOf": [pin, mapping]}

    @model_validator(mode="before")
    @classmethod
    def _read(cls, value: object) -> object:
        if isinstance(value, int) and not isinstance(value, bool):
            return {"pin": value}
        if not isinstance(value, dict | cls):
            raise ValueError(
                f"must be a pin, or a mapping such as {{pin: 12, inverted: true}}, got {value_text(value)}"
            )
        return value


class BoardEntry(StrictModel):
    """One microcontroller of a rig; ``driver`` names an entry point of ``rig.boards``."""

    driver: str = Field(
        description="how to talk to it: serial, firmata, sim, avr, pico, none (no board), or an entry point of "
        "rig.boards"
    )
    id: str | None = Field(default=None, description="what the board says of itself; another board is refused")
    port: Annotated[str, AfterValidator(check_port)] | None = Field(
        default=None,
        description="the serial port, such as /dev/ttyACM0 or COM3, or the TCP port of a served board, such as "
        f"{EXAMPLE}; the only USB port when not given",
    )
    reference: bool = Field(
        default=False, description="its clock is the session's time axis; a rig's only board is the reference anyhow"
    )
    chip: ChipName | None = Field(
        default=None, description="the kind of board; pins and limits are then checked without the board"
    )
    baud: Annotated[int, AfterValidator(check_baud)] = Field(
        default=500_000, gt=0, description="speed of the serial line; for firmata 57600 when not given"
    )
    lease_s: float = Field(
        default=2.0, ge=0.2, le=10, description="after so long without a word from the computer the board is all off"
    )
    panic: PanicEntry | None = Field(
        default=None, description="the input of a panic button: a press switches everything off, until the next session"
    )


NO_BOARD = {"computer": {"driver": "none"}}
"""The boards of a rig of which everything is connected to the computer, such as a screen alone."""
DEVICES = "what is wired to them, by the names that protocols use"


class RigFile(StrictModel):
    """A rig: its boards and what is wired to them; read through the model that `rig_file_model` builds."""

    kinds: ClassVar[Mapping[str, type[Device]]] = {}
    """The class of each kind that the devices may be."""

    # pydantic validates in this order: the validators of devices and screen read what comes before.
    boards: dict[Name, BoardEntry] = Field(
        default=NO_BOARD,
        validate_default=True,
        min_length=1,
        description="the microcontrollers, by names of your own; without one, the computer's clock times the session",
    )
    devices: dict[Name, DeviceConfig] = Field(default_factory=dict, description=DEVICES)
    screen: ScreenConfig | None = Field(default=None, description="the touch screen, if the rig has one")
    calibration_max_days: float | None = Field(
        default=7,
        gt=0,
        description="a real valve is to be measured again after so many days; null: a calibration never grows old",
    )
    expect: Expectations | None = Field(
        default=None, description="what is normal for this rig; what is not gets a warning"
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
        inputs = [key for key, config in (devices or {}).items() if is_kind(cls.kinds[config.kind], TtlIn)]
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
        mistakes = [*_boards_exist(devices, boards), *_pins_differ(devices, boards)]
        if mistakes:
            raise ConfigIssuesError(*mistakes)
        return devices


def rig_file_model(kinds: Mapping[str, type[Device]], unused: Iterable[str] = ()) -> type[RigFile]:
    """Build the model of a rig file whose devices are of these kinds; messages name the ``unused`` ones, too."""
    configs = {**dict.fromkeys(unused, DeviceConfig), **{word: kind.Config for word, kind in kinds.items()}}
    members = tuple(Annotated[config, Tag(KIND_TAG + word)] for word, config in configs.items())
    # A rig with a screen alone has no kinds.
    union: Any = Annotated[Union[members], Discriminator(kind)] if members else DeviceConfig  # noqa: UP007 (a tuple)
    model = create_model(
        "RigFile", __base__=RigFile, devices=(dict[Name, union], Field(default_factory=dict, description=DEVICES))
    )
    model.kinds = dict(kinds)
    return model


def kind(entry: object) -> str | None:
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


def _pins_differ(devices: Mapping[str, DeviceConfig], boards: Mapping[str, BoardEntry]) -> Iterator[tuple[Loc, str]]:
    reference = _references(boards)[0]
    taken: dict[tuple[str, int], Loc] = {
        (name, board.panic.pin): ("boards", name, "panic") for name, board in boards.items() if board.panic is not None
    }
    for name, config in devices.items():
        board = config.board or reference
        for role, pin in config.pins().items():
            owner = taken.setdefault((board, pin), ("devices", name, role))
            if owner != ("devices", name, role):
                yield (name, role), Clash(f"pin {pin} of board '{board}' is already used by", owner)
