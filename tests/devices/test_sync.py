"""An output with a sync signal: what a rig file may say of it, and what the board is told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from rig.core.errors import ConfigError
from rig.core.model.actions import Code
from rig.core.model.board import Output
from rig.core.model.channels import Role
from rig.core.model.sync_code import START_BITS, signal_edges
from rig.devices import SyncOut, TtlOut, TtlOutConfig
from rig.devices.box import build_box
from rig.devices.build import build_devices
from rig.devices.kinds import installed_kinds
from rig.devices.sync_config import SyncConfig
from tests.tables import rows


def config(sync: Any, **more: Any) -> TtlOutConfig:
    return TtlOutConfig.model_validate({"kind": "ttl_out", "pin": 12, "sync": sync, **more})


def device(sync: Any, **more: Any) -> SyncOut:
    made = build_devices({"clock": config(sync, **more)}, {}, kinds=installed_kinds())["clock"]
    assert isinstance(made, SyncOut)
    return made


@pytest.mark.parametrize(
    ("sync", "order"),
    [
        ("code", Code("clock", 5_000_000, 20_000, 16, 7)),
        ({}, Code("clock", 5_000_000, 20_000, 16, 7)),
        ({"period_s": 2.5, "bits": 24, "bit_ms": 10}, Code("clock", 2_500_000, 10_000, 24, 7)),
        ("square", Code("clock", 1_000_000, 500_000, 0, 0)),
        ({"square_hz": 2}, Code("clock", 500_000, 250_000, 0, 0)),
        ({"square_hz": 0.1}, Code("clock", 10_000_000, 5_000_000, 0, 0)),
        ({"square_hz": 100}, Code("clock", 10_000, 5_000, 0, 0)),
    ],
)
def test_what_a_rig_file_says_becomes_one_order(sync: Any, order: Code) -> None:
    assert device(sync).code(7) == order


def test_the_output_is_a_harmless_one_whose_time_nothing_limits() -> None:
    assert device("code", inverted=True, max_on_ms=5).channels == (Output("clock", Role.LINE, 12, inverted=True),)


def test_an_output_without_a_signal_is_one_for_protocols() -> None:
    made = build_devices({"laser": TtlOutConfig(kind="ttl_out", pin=12)}, {}, kinds=installed_kinds())["laser"]
    assert isinstance(made, TtlOut)


@pytest.mark.parametrize("sync", ["code", "square", {"square_hz": 4}, {"bits": 8}])
def test_what_a_header_has_of_it_reads_back_as_the_same(sync: Any) -> None:
    dumped = config(sync).model_dump(mode="json", exclude_none=True)
    assert device(dumped["sync"]).code(1) == device(sync).code(1)


@rows("sync", "said")
def test_a_signal_that_cannot_be_is_refused_with_what_would_be_right(sync: Any, said: str) -> None:
    with pytest.raises(ValidationError, match=said):
        config(sync)


@given(st.integers(100, 60_000), st.integers(8, 32), st.integers(5, 1000), st.integers(0, 2**32 - 1))
def test_every_code_that_is_accepted_ends_one_bit_before_the_next_one(
    period_ms: int, bits: int, bit_ms: int, seed: int
) -> None:
    try:
        sync = SyncConfig(period_s=period_ms / 1000, bits=bits, bit_ms=bit_ms)
    except ValidationError:
        assert (START_BITS + bits + 1) * bit_ms > period_ms
        return
    assert (sync.period_us, sync.bit_us, sync.code_bits) == (period_ms * 1000, bit_ms * 1000, bits)
    edges = signal_edges(sync.period_us, sync.bit_us, bits, seed)
    of_two = [edge for edge, _ in zip(edges, range(2 * (bits + START_BITS)), strict=False) if edge[2] < 2]
    for number in (0, 1):
        times = [after_us for after_us, _, of in of_two if of == number]
        begin_us = sync.bit_us + number * sync.period_us
        assert times[0] == begin_us
        assert times[-1] + sync.bit_us <= begin_us + sync.period_us


@dataclass
class Box:
    clock: TtlOut


@dataclass
class OptionalBox:
    clock: TtlOut | None


@pytest.mark.parametrize("box", [Box, OptionalBox])
def test_a_protocol_that_wants_the_output_is_told(box: type[Any]) -> None:
    with pytest.raises(ConfigError, match=r"devices\.clock: sends a sync signal for the session.*leave out `sync`"):
        build_box(box, {"clock": device("code")}, "rig r")
