"""The nouns of a pigeon's chamber: a hopper and a houselight."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from rig.core.engine.device_link import DeviceLink
from rig.core.engine.input_log import InputLog
from rig.core.errors import TaskError
from rig.core.model.actions import Amount, Order, Pulse, RewardAction, Set
from rig.core.model.board import Input, Output
from rig.core.model.channels import Role
from rig.core.model.events import Edge
from rig.devices import Hopper, HopperConfig, Houselight


def hopper(**fields: Any) -> Hopper:
    return Hopper("hopper", HopperConfig.model_validate({"kind": "hopper", "pin": 6, **fields}))


# --- hopper ---------------------------------------------------------------------------------------------------


def test_a_hopper_occupies_its_motor_and_what_else_it_has_and_the_board_keeps_its_limit() -> None:
    motor = Output("hopper", Role.HOPPER, 6, max_on_us=10_000_000)
    assert hopper().channels == (motor,)
    assert hopper(light=7, beam=8, max_up_s=4).channels == (
        Output("hopper", Role.HOPPER, 6, max_on_us=4_000_000),
        Output("hopper", Role.LIGHT, 7),
        Input("hopper", Role.BEAM, 8, 5_000, 100, 100_000),
    )
    assert (hopper().has("light"), hopper(beam=8).has("beam")) == (False, True)
    config = HopperConfig(kind="hopper", pin=6, light=7, beam=8)
    assert config.pins() == {"pin": 6, "light": 7, "beam": 8}


def test_food_is_a_payment_of_seconds_of_access() -> None:
    food = hopper().food(2.5)
    assert food == RewardAction(Pulse("hopper.hopper", 2_500_000), "hopper", access_s=2.5)
    assert (str(food), food.amount, food.duration_us) == (
        "pulse hopper.hopper 2500000 (2.5 s)",
        Amount(access_s=2.5),
        2_500_000,
    )
    assert hopper().food().access_s == 3.0


def test_its_lamp_is_lit_while_it_is_up() -> None:
    orders: list[Order] = []
    link = DeviceLink(orders.append, InputLog())
    lit = hopper(light=7).linked(link)
    lit.feed(3)
    assert orders == [lit.food(3), Pulse("hopper.light", 3_000_000)]
    orders.clear()
    dark = hopper().linked(link)
    dark.feed(3)
    assert orders == [dark.food(3)]


@pytest.mark.parametrize("seconds", [0, -1, 10.001])
def test_a_hopper_is_never_up_for_longer_than_its_limit(seconds: float) -> None:
    with pytest.raises(TaskError, match=rf"hopper: up for {seconds:g} s: wanted more than 0 and at most 10 s"):
        hopper().food(seconds)


def test_no_limit_is_longer_than_a_minute() -> None:
    with pytest.raises(ValidationError):
        HopperConfig(kind="hopper", pin=6, max_up_s=61)


def head(*changes: tuple[int, int]) -> list[Edge]:
    return [Edge(t_us, "hopper.beam", level, 0, 1) for t_us, level in changes]


@pytest.mark.parametrize(
    ("edges", "inside", "access_us"),
    [
        (head(), False, 0),
        (head(), True, 100),
        (head((150, 1)), False, 50),
        (head((120, 1), (130, 0), (150, 1), (170, 0)), False, 30),
        (head((110, 0), (190, 1)), True, 20),
        (head((50, 1), (90, 0), (250, 1)), False, 0),
        ([Edge(120, "other.beam", 1, 0, 1)], False, 0),
    ],
)
def test_the_time_eaten_is_that_of_a_head_in_it_while_it_is_up(edges: list[Edge], inside: bool, access_us: int) -> None:
    assert hopper(beam=8).access_us(edges, 100, 200, inside=inside) == access_us


@given(st.lists(st.integers(0, 300), max_size=10).map(sorted), st.booleans())
def test_no_more_is_eaten_than_the_time_it_is_up(times: list[int], inside: bool) -> None:
    edges = head(*((t_us, place % 2 ^ inside ^ 1) for place, t_us in enumerate(times)))
    assert 0 <= hopper(beam=8).access_us(edges, 100, 200, inside=inside) <= 100


# --- houselight -----------------------------------------------------------------------------------------------


def test_a_houselight_is_dark_in_a_time_out_and_lit_again_however_that_ends() -> None:
    orders: list[Order] = []
    houselight = Houselight("houselight", 9).linked(DeviceLink(orders.append, InputLog()))
    houselight.on()
    with pytest.raises(ZeroDivisionError), houselight.time_out():
        _ = 1 / 0
    on, off = Set("houselight.light", True), Set("houselight.light", False)
    assert orders == [on, off, on]
