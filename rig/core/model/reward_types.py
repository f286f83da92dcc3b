"""The types of parameters that hold the size of one reward: ``drop_ul: RewardVolume``.

Calibration checks, manual rewards and the valve times on the screens find such a parameter by its type. The protocol
chooses its name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import UnionType
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias, Union, get_args, get_origin

if TYPE_CHECKING:  # readers of journals need the marks alone, and start faster without pydantic
    from pydantic import BaseModel

_Schema: TypeAlias = dict[str, object]
_Handler: TypeAlias = Callable[[object], _Schema]

RewardUnit: TypeAlias = Literal["ul", "pellets", "access_s"]
"""The unit of a device's rewards: microliters, pellets, or seconds of hopper access."""


@dataclass(frozen=True, slots=True)
class RewardSize:
    """A mark on a parameter's type: its value is the size of one reward, in ``unit``.

    ``ge`` and ``le`` are the bounds of a field that sets none.
    """

    unit: RewardUnit
    ge: float
    le: float

    @property
    def unit_text(self) -> str:
        """Return the unit as tables and editors show it."""
        return "s" if self.unit == "access_s" else self.unit

    def __get_pydantic_core_schema__(self, source: object, handler: _Handler) -> _Schema:
        # A ``Field(ge=...)`` in the type would hold beside the field's own bound, which then could not be wider.
        schema = handler(source)
        if not schema.keys() & {"ge", "gt"}:
            schema["ge"] = self.ge
        if not schema.keys() & {"le", "lt"}:
            schema["le"] = self.le
        return schema


@dataclass(frozen=True, slots=True)
class GivenAt:
    """A mark on a parameter's type: only these devices give this reward. Without it every device of its unit does.

    ``small_ul: Annotated[RewardVolume, GivenAt("left")]``
    """

    devices: tuple[str, ...]

    def __init__(self, *devices: str) -> None:
        object.__setattr__(self, "devices", devices)


# Wider than any rig's range: these bounds catch typing errors, a calibration or a device allows less.
RewardVolume = Annotated[float, RewardSize("ul", ge=0.01, le=1000)]
"""Microliters of one drop, 0.01 to 1000 where the field has no bounds of its own."""
Pellets = Annotated[int, RewardSize("pellets", ge=1, le=20)]
"""Pellets of one reward, 1 to 20 where the field has no bounds of its own."""
HopperSeconds = Annotated[float, RewardSize("access_s", ge=0.1, le=60)]
"""Seconds for which a hopper is up, 0.1 to 60 where the field has no bounds of its own."""


@dataclass(frozen=True, slots=True)
class RewardParam:
    """The size of one reward among a protocol's parameters; ``devices`` is empty when every device may give it."""

    loc: tuple[str | int, ...]
    unit: RewardUnit
    size: float
    devices: tuple[str, ...] = ()

    def is_given_at(self, device: str, gives: RewardUnit | None) -> bool:
        """Whether a device that gives ``gives`` gives this reward."""
        return gives == self.unit and (not self.devices or device in self.devices)


def reward_params(params: BaseModel) -> list[RewardParam]:
    """Return every reward size of a protocol's parameters, in their order, also of tuples and inner groups."""
    return list(_in_group(params, ()))


def size_of(marks: Sequence[object]) -> RewardSize | None:
    """Return the mark of a reward's size among the marks of a field; None for another field."""
    return next((mark for mark in marks if isinstance(mark, RewardSize)), None)


def units_of(params: type[BaseModel]) -> Mapping[str, str]:
    """Return the unit of each parameter that is the size of a reward, as tables show it."""
    sizes = {
        name: size_of(list(_marks(field.annotation, field.metadata))) for name, field in params.model_fields.items()
    }
    return {name: size.unit_text for name, size in sizes.items() if size is not None}


def _in_group(group: BaseModel, loc: tuple[str | int, ...]) -> Iterator[RewardParam]:
    for name, field in type(group).model_fields.items():
        yield from _in_value(getattr(group, name), field.annotation, field.metadata, (*loc, name))


def _in_value(
    value: Any, annotation: object, marks: Sequence[object], loc: tuple[str | int, ...]
) -> Iterator[RewardParam]:
    if hasattr(type(value), "model_fields"):
        yield from _in_group(value, loc)
    elif isinstance(value, tuple | list):
        entry = next(iter(get_args(annotation)), None)
        for index, inner in enumerate(value):
            yield from _in_value(inner, entry, (), (*loc, index))
    elif value is not None and (size := size_of(marked := list(_marks(annotation, marks)))) is not None:
        devices = next((mark.devices for mark in marked if isinstance(mark, GivenAt)), ())
        yield RewardParam(loc, size.unit, value, devices)


def _marks(annotation: object, marks: Sequence[object]) -> Iterator[object]:
    """Yield the marks of a field, also those inside ``RewardVolume | None``."""
    yield from marks
    if get_origin(annotation) is Annotated:
        yield from get_args(annotation)[1:]
    elif get_origin(annotation) in (Union, UnionType):
        for member in get_args(annotation):
            yield from _marks(member, ())
