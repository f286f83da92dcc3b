"""What a rig file says of an output that sends a signal for synchronization with another system."""

from __future__ import annotations

from typing import ClassVar, Self

from pydantic import Field, GetJsonSchemaHandler, model_validator
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from rig.core.model.sync_code import MAX_BITS, MIN_BITS, code_length_us
from rig.devices.base import StrictModel

_CODES: dict[str, object] = {"period_s": 5.0, "bits": 16, "bit_ms": 20}
_WORDS: dict[str, dict[str, object]] = {"code": {}, "square": {"square_hz": 1.0}}
# A busy board needs up to 2 ms to compute the next edge: `rig board bench`, row "reflex, loaded".
MIN_BIT_MS = 5
MAX_BIT_MS = 1000


class SyncConfig(StrictModel):
    """The signal of an output that another system records: numbered random codes, or a square."""

    written_as: ClassVar = "word or mapping"

    period_s: float | None = Field(
        default=None, ge=0.1, le=60, description="from the start of one code to that of the next; 5 when not given"
    )
    bits: int | None = Field(
        default=None,
        ge=MIN_BITS,
        le=MAX_BITS,
        description="how many bits a code's number is hashed to; 16 when not given",
    )
    bit_ms: int | None = Field(
        default=None, ge=MIN_BIT_MS, le=MAX_BIT_MS, description="how long a bit lasts; 20 when not given"
    )
    square_hz: float | None = Field(
        default=None,
        gt=0,
        le=500 / MIN_BIT_MS,
        description="a square of this frequency in place of codes; `sync: square` is one of 1 Hz",
    )

    @classmethod
    def __get_pydantic_json_schema__(cls, core: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """Return the schema of both written forms, for editors."""
        return {"anyOf": [{"enum": list(_WORDS)}, handler(core)]}

    @model_validator(mode="before")
    @classmethod
    def _read(cls, value: object) -> object:
        if isinstance(value, str) and value in _WORDS:
            value = _WORDS[value]
        if isinstance(value, cls):
            return value
        if not isinstance(value, dict):
            raise ValueError(
                "must be code, square, or a mapping such as {period_s: 5, bits: 16, bit_ms: 20} or {square_hz: 2}, "
                f"got {value}"
            )
        return value if value.get("square_hz") is not None else {**_CODES, **value}

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.square_hz is None:
            self._check_code()
            return self
        if (self.period_s, self.bits, self.bit_ms) != (None, None, None):
            raise ValueError("a square has no code: leave out period_s, bits and bit_ms, or square_hz")
        half_ms = 500 / self.square_hz
        if not _is_whole(half_ms) or half_ms > 30_000:
            raise ValueError(
                f"half a period of {self.square_hz:g} Hz is {half_ms:.7g} ms: wanted a whole number of at most 30000, "
                "as at 0.5, 1, 2, 5, 10 or 50 Hz"
            )
        return self

    def _check_code(self) -> None:
        if not _is_whole(self.period_us / 1000):
            raise ValueError(f"a period of {self.period_s} s: wanted whole milliseconds")
        # One bit more: in a recording the last bit must not run into the next code.
        least_us = code_length_us(self.code_bits + 1, self.bit_us)
        if least_us > self.period_us:
            raise ValueError(
                f"a code of {self.bits} bits of {self.bit_ms} ms takes {least_us / 1e6:g} s with its start bit and one "
                f"bit of rest, and period_s is {self.period_s:g}: make it longer, or take fewer or shorter bits"
            )

    @property
    def code_bits(self) -> int:
        """Return the bits of a code; 0 for a square."""
        return self.bits or 0

    @property
    def period_us(self) -> int:
        """Return the period of the codes or of the square."""
        return 2 * self.bit_us if self.period_s is None else round(self.period_s * 1e6)

    @property
    def bit_us(self) -> int:
        """Return the length of a bit, or half the period of the square."""
        return (self.bit_ms or 0) * 1000 if self.square_hz is None else round(500_000 / self.square_hz)


def _is_whole(ms: float) -> bool:
    return abs(ms - round(ms)) < 1e-6
