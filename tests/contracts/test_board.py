"""What every board promises to the host: the seam, row by row. ``pytest tests/contracts --board NAME``."""

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from rig.boards.wire import messages as wire
from rig.core.errors import BoardNotFoundError, FirmwareMismatchError, OrderRefusedError, RigError
from rig.core.journal.kinds import FAULTS
from rig.core.model.actions import NOTHING, Arm, Disarm, Load, Order, Pulse, Ramp, Set, Start, Stop, Tone, Train
from rig.core.model.board import Input, Output, Wiring
from rig.core.model.channels import Role
from rig.core.model.events import WHOLE_BATCH, BoardTime, Edge, Fault, Flood, LeaseExpired, Overflow, Refused
from tests.contracts.bench import LEASE_S, RESETS, WIRING, ContractBench

LIGHT_ON, LIGHT_OFF = Set("light", True), Set("light", False)
DROP = Pulse("valve", 40_000)


def arm(*members: tuple[str, int, Any], group: int = 1, until_us: int | None = None) -> Arm:
    return Arm(group, until_us, members)


# --- opening and self-description ---------------------------------------------------------------------------


async def test_an_open_board_says_who_it_is_and_what_it_holds(rig: ContractBench) -> None:
    limits = rig.opened.limits
    assert rig.opened.name
    assert len(rig.opened.uid) >= 4
    assert "." in rig.opened.firmware
    assert min(limits.channels, limits.groups, limits.members, limits.sequences, limits.entries) >= 1
    assert limits.events >= 16
    assert limits.horizon_us >= 500_000_000


async def test_everything_is_off_when_a_board_has_been_opened(rig: ContractBench) -> None:
    await rig.until(100_000)
    assert rig.on() == set()
    assert [value for _, name, value in rig.pins() if name != "lamp"] == []


async def test_the_time_of_the_session_begins_when_the_board_is_opened(rig: ContractBench) -> None:
    rig.at(1_000_000, "plain", 1)
    await rig.until(1_000_000)
    estimate_us, within_us = rig.board.estimate_us()
    assert abs(estimate_us - 1_000_000) <= within_us + 10_000
    await rig.until(1_100_000)
    assert rig.near(rig.stamps()[0], 1_000_000)


@pytest.mark.parametrize("conditions", [{"before": {"right": 1, "lever": 1}}], ids=["on"])
async def test_a_level_that_is_on_when_the_board_is_opened_is_an_edge_that_fires_nothing(
    rig: ContractBench,
) -> None:
    await rig.until(50_000)
    assert rig.edges() == [("right", 1, 0), ("lever", 1, 0)]


MANY = Wiring(tuple(Input(f"in{number}", Role.LINE, 2 + number % 10) for number in range(200)))
PUMP = replace(WIRING, channels=(*WIRING.channels, Output("pump", Role.LINE, 13, max_on_us=61_000_000)))


@pytest.mark.parametrize(
    ("conditions", "error", "words"),
    [
        ({"uid": "ABCD1234"}, FirmwareMismatchError, "ABCD1234"),
        ({"wiring": MANY}, OrderRefusedError, "200 channels"),
        ({"wiring": PUMP}, OrderRefusedError, "pump: too_long"),
        ({"drop": 1.0}, BoardNotFoundError, "no board with this program"),
    ],
    ids=["another board", "more channels than it has", "a limit above a minute", "a board that never answers"],
)
def test_a_board_that_cannot_serve_the_rig_file_is_not_opened(
    rig: ContractBench, conditions: Any, error: type[RigError], words: str
) -> None:
    if "drop" in conditions:
        rig.needs("bad cable")
    rig.refuses(error, words, **conditions)


@pytest.mark.parametrize("end", ["closed", "died"])
async def test_a_board_can_be_opened_again_and_knows_nothing_of_the_session_before(
    rig: ContractBench, end: str
) -> None:
    rig.needs("reconnect")
    rig.order(LIGHT_ON, Train("valve", 50_000, 60_000, 1_000), arm(("plain", 1, Set("feeder", True))))
    rig.at(50_000, "left", 1)
    rig.at(90_000, "left", 0)
    await rig.until(100_000)
    assert rig.on() >= {"light"}
    if end == "closed":
        await rig.board.close()
    else:  # without a word
        rig.leash.mute = True
        rig.board.abort()
    driven = len(rig.pins())
    await rig.connect()  # type: ignore[attr-defined]
    assert rig.on() == set()
    rig.at(200_000, "plain", 1)
    await rig.until(300_000)
    assert rig.edges() == [("plain", 1, 0)]
    assert rig.events(Edge)[0].number == 1
    assert {name for _, name, value in rig.pins()[driven:] if value} <= {"lamp"}
    rig.order(LIGHT_ON)
    await rig.until(320_000)
    assert rig.on() == {"light"}


# --- inputs -------------------------------------------------------------------------------------------------


async def test_both_edges_are_reported_with_the_instant_at_which_they_happened(rig: ContractBench) -> None:
    times = [100_000, 100_500, 400_000, 401_003, 1_711_001, 1_900_000]
    for place, t_us in enumerate(times):
        rig.at(t_us, "plain", (place + 1) % 2)
    await rig.until(2_000_000)
    assert rig.edges() == [("plain", (place + 1) % 2, 0) for place in range(len(times))]
    assert all(rig.near(stamp, t_us) for stamp, t_us in zip(rig.stamps(), times, strict=True))


async def test_a_beam_is_confirmed_before_it_counts_and_stamped_with_its_first_instant(rig: ContractBench) -> None:
    for t_us, level in ((100_000, 1), (100_060, 0), (150_000, 1), (180_000, 0)):
        rig.at(t_us, "left", level)
    await rig.until(300_000)
    assert rig.edges() == [("left", 1, 0), ("left", 0, 0)]
    assert rig.near(rig.stamps()[0], 150_000)
    assert rig.near(rig.stamps()[1], 180_000)


async def test_bounces_are_locked_out_and_the_level_at_the_end_counts(rig: ContractBench) -> None:
    for t_us, level in ((50_000, 1), (50_500, 0), (50_900, 1), (51_200, 0), (51_300, 1)):
        rig.at(t_us, "left", level)
    for t_us, level in ((100_000, 0), (100_700, 1), (101_500, 0), (103_000, 1)):
        rig.at(t_us, "left", level)
    await rig.until(200_000)
    assert rig.edges() == [("left", 1, 0), ("left", 0, 0), ("left", 1, 0)]
    for stamp, t_us in zip(rig.stamps(), (50_000, 100_000, 103_000), strict=True):
        assert rig.near(stamp, t_us)


async def test_edges_of_one_instant_come_in_the_order_of_the_rig_file(rig: ContractBench) -> None:
    for name in ("right", "left"):
        rig.at(50_000, name, 1)
    for name in ("lever", "plain"):
        rig.at(90_000, name, 1)
    await rig.until(200_000)
    assert [channel for channel, _, _ in rig.edges()] == ["left", "right", "plain", "lever"]


async def test_an_inverted_input_is_on_when_its_pin_is_low(rig: ContractBench) -> None:
    rig.at(50_000, "lever", 1)
    rig.at(60_000, "lever", 0)
    await rig.until(100_000)
    assert rig.edges() == [("lever", 1, 0), ("lever", 0, 0)]


# --- outputs ------------------------------------------------------------------------------------------------


async def test_a_light_stays_as_it_was_set(rig: ContractBench) -> None:
    rig.order(LIGHT_ON, Set("lamp", True))
    await rig.until(5_000_000)
    assert rig.on() == {"light", "lamp"}
    assert rig.levels("lamp")[-1][1] == 0
    rig.order(LIGHT_OFF, Set("lamp", False))
    await rig.until(5_100_000)
    assert rig.on() == set()


@pytest.mark.parametrize(
    ("order", "name", "expected"),
    [
        (DROP, "valve", [(0, 1), (40_000, 0)]),
        (
            Train("feeder", 3_000, 10_000, 3),
            "feeder",
            [(n * 10_000 + d, 1 - d // 3_000) for n in range(3) for d in (0, 3_000)],
        ),
        (Tone("speaker", 4_000, 50_000), "speaker", [(0, 4_000), (50_000, 0)]),
        (
            Ramp("speaker", 2_000, -500, 20_000, 50_000, 3),
            "speaker",
            [(n * 50_000 + d, 0 if d else 2_000 - 500 * n) for n in range(3) for d in (0, 20_000)],
        ),
    ],
    ids=["pulse", "train", "tone", "ramp"],
)
async def test_an_action_takes_its_time_ends_by_itself_and_says_so(
    rig: ContractBench, order: Order, name: str, expected: list[tuple[int, int]]
) -> None:
    rig.order(order)
    await rig.until(1_000_000)
    found = rig.levels(name)
    start = found[0][0]
    assert rig.same([(t_us - start, value) for t_us, value in found], expected, rig.fade_us if name == "speaker" else 0)
    assert [who for _, who in rig.ended("finished")] == [name]
    late_us = rig.ended("finished")[0][0] - found[-1][0]
    assert rig.punctual(late_us, 0) or (name == "speaker" and 0 <= late_us <= rig.fade_us)


async def test_a_dangerous_output_goes_off_at_its_limit_whatever_the_host_says(rig: ContractBench) -> None:
    for t_us in (0, 40_000, 80_000):
        await rig.order_at(t_us, Set("valve", True), Pulse("valve", 90_000), Train("valve", 1_000, 500, 90))
    await rig.until(1_000_000)
    (up, _), (down, _) = rig.levels("valve")
    assert rig.punctual(down - up, 100_000)
    assert [who for _, who in rig.ended("limit")] == ["valve"]


@pytest.mark.parametrize(
    "order",
    [
        Pulse("valve", 101_000),
        Train("valve", 101_000, 300_000, 2),
        Train("valve", 60_000, 60_000, 2),
        Tone("valve", 9, 101_000),
    ],
    ids=str,
)
async def test_what_would_keep_a_dangerous_output_on_for_longer_is_refused(rig: ContractBench, order: Order) -> None:
    rig.order(LIGHT_ON, order)
    await rig.until(500_000)
    assert rig.levels("valve") == []
    assert rig.refusals() == [(1, "too_long")]
    assert rig.on() == {"light"}


async def test_overlapping_actions_are_refused_and_reported_never_merged(rig: ContractBench) -> None:
    rig.order(DROP)
    await rig.order_at(20_000, DROP)
    await rig.until(300_000)
    assert rig.refusals() == [(0, "busy")]
    (up, _), (down, _) = rig.levels("valve")
    assert rig.punctual(down - up, 40_000)
    refused = rig.events(Refused)[0]
    assert refused.batch == 2


async def test_off_ends_an_action_at_once(rig: ContractBench) -> None:
    rig.order(Train("light", 20_000, 50_000, 100))
    await rig.order_at(220_000, LIGHT_OFF)
    await rig.until(500_000)
    assert rig.on() == set()
    assert rig.levels("light")[-1][0] <= 240_000
    assert [who for _, who in rig.ended("stopped")] == ["light"]


# --- batches ------------------------------------------------------------------------------------------------


async def test_a_batch_is_executed_in_one_pass_and_has_one_stamp(rig: ContractBench) -> None:
    await rig.order_at(30_000, LIGHT_ON, Set("lamp", True), Set("valve", True), Set("feeder", True))
    await rig.until(80_000)
    times = [rig.levels(name)[-1][0] for name in ("light", "lamp", "valve", "feeder")]
    (stamp, number), *more = rig.batches()
    assert (number, more) == (1, [])
    assert max(times) - min(times) <= 4 * rig.order_us + rig.resolution_us
    assert abs(stamp - times[0]) <= 4 * rig.order_us + 2 * rig.resolution_us


async def test_batches_are_executed_in_the_order_in_which_they_were_made(rig: ContractBench) -> None:
    for number in range(30):
        rig.order(Set("light", number % 2 == 0))
    await rig.until(1_000_000)
    assert [value for _, value in rig.levels("light")] == [1, 0] * 15
    assert [number for _, number in rig.batches()] == list(range(1, 31))


async def test_a_batch_of_too_many_orders_is_refused_before_anything_is_sent(rig: ContractBench) -> None:
    with pytest.raises(OrderRefusedError, match="at once"):
        rig.order(*[LIGHT_ON] * wire.MAX_ORDERS, LIGHT_ON)
    with pytest.raises(OrderRefusedError, match="no channel 'moon'"):
        rig.order(LIGHT_ON, Set("moon", True))
    await rig.until(50_000)
    assert rig.on() == set()


# --- batches of several frames ------------------------------------------------------------------------------

CLICKS = Load(2, tuple((1_000 + 7_919 * place % 160_000, Pulse("light", 2_000)) for place in range(20)))
EDGES = [(name, level) for level in (1, 0) for name in ("left", "right", "plain", "lever")]
CHOICE = arm(*[(name, level, Train("feeder", 1_000, 3_000, 1 + place)) for place, (name, level) in enumerate(EDGES)])
"""Eight members of 13 bytes each: far more than a frame has."""


async def test_a_sequence_is_as_long_as_the_tables_allow(rig: ContractBench) -> None:
    rig.order(CLICKS)
    rig.order(Start(2))
    await rig.until(rig.now_us() + 400_000)
    ((start, _),) = rig.started()
    wanted = [start + at_us for at_us, _ in CLICKS.in_order]
    assert rig.same([(t_us, 1) for t_us, value in rig.levels("light") if value], [(t, 1) for t in wanted], rig.entry_us)
    assert rig.refusals() == []


async def test_a_long_group_is_armed_with_what_its_instant_orders_and_fires_once(rig: ContractBench) -> None:
    rig.order(CHOICE, LIGHT_ON, Set("valve", True))
    await rig.until(100_000)
    assert {"light", "valve"} <= rig.on()
    for place, name in enumerate(("plain", "left", "right")):
        rig.at(120_000 + 20_000 * place, name, 1)
    await rig.until(300_000)
    assert [fired for _, _, fired in rig.edges()] == [1, 0, 0]
    assert len(rig.levels("feeder")) == 2 * (1 + EDGES.index(("plain", 1)))
    assert [number for _, number in rig.batches()] == [1]


async def test_a_group_without_room_is_refused_and_the_next_batch_is_as_any_other(rig: ContractBench) -> None:
    rooms = rig.opened.limits.members // len(EDGES)
    for group in range(1, rooms + 1):
        rig.order(Arm(group, None, CHOICE.members))
        await rig.until(rig.now_us() + 100_000)
    assert rig.refusals() == []
    rig.order(Arm(rooms + 1, None, CHOICE.members), LIGHT_ON)
    rig.order(Set("valve", True))
    await rig.until(rig.now_us() + 100_000)
    # The whole batch if members that go ahead of their order find no room.
    ((place, reason),) = rig.refusals()
    assert reason == "no_room"
    assert rig.on() - {"lamp"} == ({"valve"} if place == WHOLE_BATCH else {"valve", "light"})


# --- sequences ----------------------------------------------------------------------------------------------

SHOW = Load(1, ((0, LIGHT_ON), (30_000, Pulse("valve", 10_000)), (60_000, LIGHT_OFF)))


def shown(rig: ContractBench, start: int) -> bool:
    light, valve = [(start, 1), (start + 60_000, 0)], [(start + 30_000, 1), (start + 40_000, 0)]
    return rig.same(rig.levels("light")[-2:], light, rig.entry_us) and rig.same(
        rig.levels("valve")[-2:], valve, rig.entry_us
    )


async def test_a_sequence_is_loaded_beforehand_and_started_by_an_order(rig: ContractBench) -> None:
    rig.order(SHOW)
    await rig.until(100_000)
    assert rig.levels("light") == []
    rig.order(Start(1))
    await rig.until(300_000)
    ((start, which),) = rig.started()
    assert which == 1
    assert shown(rig, start)


async def test_a_sequence_is_started_at_a_time_and_says_when(rig: ContractBench) -> None:
    rig.order(SHOW)
    rig.order(Start(1, at_us=1_200_000))
    await rig.until(1_400_000)
    ((start, _),) = rig.started()
    assert rig.punctual(start, 1_200_000)
    assert shown(rig, start)


async def test_a_sequence_is_started_by_a_reflex_at_its_edge(rig: ContractBench) -> None:
    rig.order(SHOW)
    rig.order(arm(("plain", 1, Start(1))))
    rig.at(100_000, "plain", 1)
    await rig.until(300_000)
    ((start, _),) = rig.started()
    assert 0 <= start - rig.stamps()[0] <= rig.start_us
    assert shown(rig, start)


@pytest.mark.parametrize("delay_us", [0, 30_000])
async def test_a_tone_and_a_light_of_one_time_both_come_in_whatever_order(rig: ContractBench, delay_us: int) -> None:
    both = (delay_us, Tone("speaker", 2_000, 40_000)), (delay_us, LIGHT_ON)
    rig.order(Load(1, both))
    rig.order(Load(2, both[::-1]))
    for place, start_at in enumerate((100_000, 300_000), 1):
        await rig.order_at(start_at, Start(place))
        await rig.until(start_at + 150_000)
        assert [value > 0 for _, value in rig.levels("speaker")] == [True, False] * place
        assert [name for _, name in rig.ended("finished")] == ["speaker"] * place
        assert rig.on() == {"light"}
        rig.order(LIGHT_OFF)


@pytest.mark.parametrize("delay_us", [0, 30_000])
async def test_what_an_output_refuses_stays_off_whatever_else_a_sequence_does_then(
    rig: ContractBench, delay_us: int
) -> None:
    too_long = Pulse("valve", 101_000)
    rig.order(Load(1, ((delay_us, too_long), (delay_us, Pulse("light", 5_000)), (delay_us, LIGHT_ON))), Start(1))
    await rig.until(300_000)
    assert rig.levels("valve") == []
    assert rig.refused_entries() == [(1, 0, "too_long"), (1, 2, "busy")]
    assert [value for _, value in rig.levels("light")] == [1, 0]


async def test_entries_of_one_instant_do_not_hurry_a_later_one(rig: ContractBench) -> None:
    at_once = (Set("one", False), Set("light", False), Pulse("other", 1_000))
    rig.order(Load(1, (*((1_000, action) for action in at_once), (500_000, Pulse("valve", 5_000)))))
    rig.order(Set("one", True))
    await rig.until(50_000)
    rig.order(Start(1))
    await rig.until(700_000)
    (other_us,) = (t_us for t_us, value in rig.levels("other") if value)
    (valve_us,) = (t_us for t_us, value in rig.levels("valve") if value)
    assert valve_us - other_us == pytest.approx(499_000, abs=1_000)


async def test_a_start_beyond_the_horizon_is_refused_in_words(rig: ContractBench) -> None:
    rig.order(SHOW)
    with pytest.raises(OrderRefusedError, match="further than a board can schedule"):
        rig.order(Start(1, at_us=rig.opened.limits.horizon_us + 60_000_000))


@pytest.mark.parametrize("before_us", [200, 300, 500])
async def test_an_edge_stops_what_a_sequence_would_have_done_shortly_after(rig: ContractBench, before_us: int) -> None:
    rig.order(Load(1, ((0, Pulse("light", 100)), (700, Pulse("valve", 5_000)), (700, Pulse("feeder", 5_000)))))
    for turn, start_us in enumerate(range(200_000, 1_200_000, 50_000)):
        edge_us = start_us + 700 - before_us + 9 * turn
        rig.order(arm(("plain", 1, Stop(1))), Start(1, at_us=start_us))
        rig.at(edge_us, "plain", 1)
        rig.at(edge_us + 10_000, "plain", 0)
        await rig.until(start_us + 40_000)
        assert len(rig.levels("light")) == 2 * (turn + 1)
    assert rig.levels("valve") == rig.levels("feeder") == []


async def test_a_sequence_that_is_loaded_again_is_what_another_one_starts(rig: ContractBench) -> None:
    for turn in range(25):
        start_us = 200_000 + turn * 50_000
        rig.order(Load(2, ((0, Pulse("light", 3_000)),)), Load(1, ((10_000, Start(2)),)), Start(1, at_us=start_us))
        await rig.order_at(start_us + 7_500 - 100 * turn, Load(2, ((0, Pulse("lamp", 3_000)),)))
        await rig.until(start_us + 20_000)
    assert rig.levels("light") == []
    assert len([t_us for t_us, _ in rig.levels("lamp") if t_us > 100_000]) == 2 * 25


# --- reflex groups ------------------------------------------------------------------------------------------


async def test_an_edge_fires_its_action_at_once_and_says_so(rig: ContractBench) -> None:
    rig.order(arm(("plain", 1, DROP), ("lever", 1, Pulse("feeder", 9_000)), group=200))
    rig.at(100_000, "plain", 1)
    rig.at(150_000, "lever", 1)
    await rig.until(300_000)
    assert rig.edges() == [("plain", 1, 200), ("lever", 1, 0)]
    (up, _), (down, _) = rig.levels("valve")
    assert 0 <= up - rig.stamps()[0] <= rig.reflex_us + rig.resolution_us
    assert rig.punctual(down - up, 40_000)
    assert rig.levels("feeder") == []


async def test_a_filtered_edge_fires_as_soon_as_it_is_confirmed(rig: ContractBench) -> None:
    rig.order(arm(("left", 1, DROP)))
    for t_us, level in ((50_000, 1), (50_050, 0), (90_000, 1)):
        rig.at(t_us, "left", level)
    await rig.until(300_000)
    assert rig.edges() == [("left", 1, 1)]
    up, _ = rig.levels("valve")[0]
    assert -2 * rig.resolution_us <= up - rig.stamps()[0] - 100 <= rig.reflex_us + 2 * rig.resolution_us


SLOW_BEAM = Input("left", Role.LINE, 2, confirm_on_us=10_000)


@pytest.mark.parametrize(
    "conditions", [{"wiring": replace(WIRING, channels=(SLOW_BEAM, *WIRING.channels[1:]))}], ids=["10 ms"]
)
async def test_a_poke_shorter_than_its_confirmation_is_neither_reported_nor_rewarded(rig: ContractBench) -> None:
    rig.order(arm(("left", 1, DROP)))
    for t_us, level in ((50_000, 1), (59_000, 0), (100_000, 1), (111_000, 0)):
        rig.at(t_us, "left", level)
    await rig.until(90_000)
    assert (rig.edges(), rig.levels("valve")) == ([], [])
    await rig.until(300_000)
    assert rig.edges() == [("left", 1, 1), ("left", 0, 0)]
    assert rig.near(rig.stamps()[0], 100_000)
    assert rig.near(rig.stamps()[1], 111_000)
    up, _ = rig.levels("valve")[0]
    assert -2 * rig.resolution_us <= up - rig.stamps()[0] - 10_000 <= rig.reflex_us + 2 * rig.resolution_us


@pytest.mark.parametrize(
    "conditions", [{"wiring": replace(WIRING, channels=(SLOW_BEAM, *WIRING.channels[1:]))}], ids=["10 ms"]
)
async def test_a_change_of_another_input_delays_a_confirmation_only_where_its_port_has_one_flag(
    rig: ContractBench,
) -> None:
    rig.order(arm(("left", 1, DROP)))
    rig.at(50_000, "left", 1)
    rig.at(56_000, "right", 1)
    await rig.until(200_000)
    assert rig.edges() == [("right", 1, 0), ("left", 1, 1)]
    assert rig.near(rig.stamps()[1], 50_000)
    (up, _), _ = rig.levels("valve")
    confirmed_us = (56_000 if rig.has_port_flags else 50_000) + 10_000
    assert -2 * rig.resolution_us <= up - confirmed_us <= rig.reflex_us + 2 * rig.resolution_us


@pytest.mark.parametrize("offset_us", [-1_000, 0, 1_000])
async def test_a_group_ends_at_its_time_and_an_edge_stamped_at_exactly_that_time_counts(
    rig: ContractBench, offset_us: int
) -> None:
    rig.order(arm(("plain", 1, DROP), until_us=100_000))
    rig.at(100_000 + offset_us, "plain", 1)
    await rig.until(300_000)
    assert rig.near(rig.stamps()[0], 100_000 + offset_us)
    ((_, _, fired),) = rig.edges()
    if rig.stamps()[0] != 100_000 or rig.resolution_us <= 4:  # finer ticks than the host's microseconds may differ
        assert fired == int(rig.stamps()[0] <= 100_000)
    assert len(rig.levels("valve")) == 2 * fired


async def test_arming_over_a_newer_edge_of_a_member_is_refused_and_the_rest_is_done(rig: ContractBench) -> None:
    rig.at(30_000, "plain", 1)
    rig.at(40_000, "plain", 0)
    await rig.until(60_000)
    rig.order(LIGHT_ON, arm(("plain", 1, DROP)), seen=0)
    rig.at(100_000, "plain", 1)
    await rig.until(150_000)
    assert rig.refusals() == [(1, "newer_edge")]
    assert rig.levels("valve") == []
    assert rig.on() == {"light"}
    rig.order(arm(("plain", 0, DROP)))
    rig.at(200_000, "plain", 0)
    await rig.until(300_000)
    assert rig.edges()[-1] == ("plain", 0, 1)


# --- time ---------------------------------------------------------------------------------------------------


async def test_the_time_is_reported_once_the_instant_has_passed(rig: ContractBench) -> None:
    rig.board.ask_time(500_000)
    await rig.until(499_000)
    assert rig.events(BoardTime) == []
    await rig.until(600_000)
    assert rig.events(BoardTime)[0].t_us > 490_000


async def test_no_edge_comes_behind_an_answer_that_is_later_than_it(rig: ContractBench) -> None:
    draw = random.Random(4)
    t_us = 20_000
    for place in range(300):
        t_us += draw.choice((30, 80, 120, 1_500, 4_000))
        rig.at(t_us, ("left", "right", "plain")[draw.randrange(3)], place % 2)
    while rig.now_us() < t_us:
        rig.board.ask_time(rig.now_us())
        await rig.until(rig.now_us() + draw.randrange(500, 3_000))
    await rig.until(t_us + 50_000)
    latest = 0
    for event in rig.inbox.events:
        if isinstance(event, BoardTime):
            latest = max(latest, event.t_us)
        elif isinstance(event, Edge):
            assert event.t_us >= latest
    assert len(rig.events(BoardTime)) > 50
    assert len(rig.events(Edge)) > 50


# --- the lease ----------------------------------------------------------------------------------------------


def busy_orders() -> list[Order]:
    return [LIGHT_ON, Train("feeder", 50_000, 60_000, 60_000), Tone("speaker", 500, 900_000)]


async def test_a_host_that_is_silent_loses_its_lease_and_everything_is_off(rig: ContractBench) -> None:
    rig.order(*busy_orders())
    rig.order(Load(1, ((0, LIGHT_OFF), (3_000_000, Set("valve", True)))))
    rig.order(arm(("plain", 1, DROP)), Start(1))
    await rig.soon()
    rig.leash.mute = True
    silent = rig.now_us()
    await rig.until(silent + round(LEASE_S * 1e6) + 20_000)
    assert rig.on() == set()
    driven = len(rig.pins())
    rig.at(rig.now_us() + 10_000, "plain", 1)
    await rig.until(silent + 6_000_000)
    assert len(rig.pins()) == driven
    rig.leash.mute = False
    await rig.until(rig.now_us() + 1_500_000)
    (lease,) = rig.events(LeaseExpired)
    assert abs(lease.t_us - silent - LEASE_S * 1e6) < 600_000
    assert lease.executed == 3
    assert rig.edges() == [("plain", 1, 0)]
    rig.sent = 0
    rig.order(LIGHT_ON)
    await rig.soon()
    assert rig.on() == {"light"}


async def test_a_host_that_only_waits_keeps_its_lease(rig: ContractBench) -> None:
    rig.order(LIGHT_ON, arm(("plain", 1, DROP)))
    await rig.until(30_000_000)
    rig.at(30_010_000, "plain", 1)
    await rig.until(30_100_000)
    assert rig.events(LeaseExpired) == []
    assert rig.edges() == [("plain", 1, 1)]
    assert "light" in rig.on()


async def test_every_expiry_is_reported_and_begins_an_epoch(rig: ContractBench) -> None:
    for _ in range(3):
        rig.leash.mute = True
        await rig.until(rig.now_us() + 3_000_000)
        rig.leash.mute = False
        await rig.until(rig.now_us() + 1_500_000)
    assert [event.board_epoch for event in rig.events(LeaseExpired)] == [1, 2, 3]
    health = await rig.close()
    assert health.counters["board_leases"] == 3


async def test_a_batch_of_the_old_epoch_is_neither_executed_nor_repeated(rig: ContractBench) -> None:
    await rig.soon()
    rig.leash.mute = True
    await rig.until(rig.now_us() + 1_900_000)
    rig.order(LIGHT_ON)  # lost on its way, and repeated when the epoch is over
    await rig.until(rig.now_us() + 500_000)
    rig.leash.mute = False
    await rig.until(rig.now_us() + 3_000_000)
    assert len(rig.events(LeaseExpired)) == 1
    assert rig.on() == set()
    rig.board.batch([LIGHT_ON], 0, 0, 2)  # made in ignorance of the expiry
    await rig.until(rig.now_us() + 1_000_000)
    assert rig.on() == set()


# --- exactly once, nothing silently lost --------------------------------------------------------------------

BAD = {
    "drops": {"drop": 0.003, "latency_s": 0.002},
    "flips": {"flip": 0.003, "jitter_s": 0.004},
    "doubles": {"double": 0.004},
    "everything": {"drop": 0.001, "flip": 0.001, "double": 0.001, "latency_s": 0.001, "jitter_s": 0.01},
}


@pytest.mark.parametrize(
    "conditions",
    [
        pytest.param(faults | {"seed": seed}, id=f"{seed}-{name}", marks=pytest.mark.campaign if seed > 1 else ())
        for seed in (1, 2)
        for name, faults in BAD.items()
    ],
)
async def test_on_a_bad_cable_every_order_is_executed_once_and_every_edge_arrives_once_in_order(
    rig: ContractBench, conditions: dict[str, float]
) -> None:
    rig.needs("bad cable")
    start = rig.now_us() + 50_000
    for place in range(200):
        rig.at(start + 20_000 * place + 7_000, "plain", (place + 1) % 2)
    for place in range(100):
        await rig.order_at(start + 40_000 * place, Pulse("valve", 3_000), Set("light", place % 2 == 0))
    await rig.until(start + 12_000_000)
    assert [value for _, value in rig.levels("light")] == [1, 0] * 50
    late = len(rig.refusals())  # two that were repeated together overlap
    assert [value for _, value in rig.levels("valve")] == [1, 0] * (100 - late)
    assert rig.edges() == [("plain", (place + 1) % 2, 0) for place in range(200)]
    numbers = [line.number for line in rig.lines if hasattr(line, "number")]
    assert numbers == sorted(set(numbers))
    assert sorted(number for _, number in rig.batches()) == list(range(1, 101))
    health = await rig.close()
    assert health.complete
    assert health.executed == 100
    damage = health.counters["damaged"] + health.counters["board_damaged"]
    assert damage > 0
    assert health.counters["resent"] + health.counters["board_resent"] > 0 or "double" in conditions


@pytest.mark.parametrize(
    "conditions",
    [{"drop": loss, "seed": seed} for seed in (1, 2, 3) for loss in (0.001, 0.006)],
    ids=lambda conditions: "{seed}-{drop}".format(**conditions),
)
async def test_on_a_bad_cable_a_long_batch_is_executed_once_as_a_whole_or_not_at_all(
    rig: ContractBench, conditions: dict[str, float]
) -> None:
    rig.needs("bad cable")
    count = 20
    for _ in range(count):
        rig.order(Disarm(1), CHOICE, Pulse("light", 4_000), *[Pulse("valve", 5_000)] * 3, Pulse("feeder", 6_000))
        await rig.until(rig.now_us() + 1_500_000)
    done = len(rig.levels("valve")) // 2
    assert len(rig.levels("light")) == len(rig.levels("feeder")) == len(rig.levels("valve")) == 2 * done
    assert rig.refusals() == [(4, "busy"), (5, "busy")] * done
    # At the higher loss a lease may expire: what is on its way then is of the old epoch.
    assert done == count or (rig.events(LeaseExpired) and conditions["drop"] > 0.001)
    health = await rig.close()
    assert health.counters["resent"] > 0


@pytest.mark.parametrize("direction", ["to_host", "to_board"])
async def test_events_and_orders_survive_a_host_that_stalls(rig: ContractBench, direction: str) -> None:
    rig.needs("block_input")
    await rig.soon()
    edges = min(100, rig.opened.limits.events * 3 // 4)
    for place in range(edges):
        rig.at(100_000 + 5_000 * place, "plain", (place + 1) % 2)
    if direction == "to_host":
        rig.block_input(True)  # type: ignore[attr-defined]
    else:
        rig.leash.mute = True
    await rig.until(1_500_000)
    rig.order(DROP)
    rig.block_input(False)  # type: ignore[attr-defined]
    rig.leash.mute = False
    await rig.until(5_000_000)
    assert rig.edges() == [("plain", (place + 1) % 2, 0) for place in range(edges)]
    assert len(rig.levels("valve")) == 2
    assert rig.events(LeaseExpired) == []


async def test_what_finds_no_room_is_counted_and_reported(rig: ContractBench) -> None:
    rig.needs("block_input")
    await rig.soon()
    rig.block_input(True)  # type: ignore[attr-defined]
    room = rig.opened.limits.events
    for place in range(room + 30):
        rig.at(100_000 + 1_000 * place, "plain", (place + 1) % 2)
    end_us = 1_000_000 + 1_000 * room
    await rig.until(end_us)
    rig.block_input(False)  # type: ignore[attr-defined]
    rig.board.ask_time(0)
    await rig.until(end_us + 1_000_000)
    (overflow,) = rig.events(Overflow)
    assert overflow.lost + len(rig.events(Edge)) == room + 30
    assert len(rig.events(Edge)) < room
    health = await rig.close()
    assert health.counters["board_lost"] > 0


def lose_the_edge_of_a_reflex(rig: ContractBench, executed: int) -> int:
    """Fill the event buffer while nothing is read, and fire a reflex of which there is no report; return when."""
    rig.needs("block_input")
    rig.order(arm(("left", 1, DROP)))
    for _ in range(executed - 1):
        rig.order(Set("light", True))
    room = rig.opened.limits.events
    rig.at(30_000, "plain", 1)  # once the orders are there
    for place in range(room + 30):
        rig.at(100_000 + 1_000 * place, "plain", place % 2)
    fires_us = 100_500 + 1_000 * (room + 15)
    rig.at(fires_us, "left", 1)
    return fires_us


@pytest.mark.parametrize("executed", [1, 2])
async def test_the_report_of_lost_events_says_that_a_reflex_is_among_them_and_what_had_been_executed(
    rig: ContractBench, executed: int
) -> None:
    fires_us = lose_the_edge_of_a_reflex(rig, executed)
    await rig.until(50_000)
    rig.block_input(True)  # type: ignore[attr-defined]
    await rig.until(fires_us + 100_000)
    rig.order(Set("light", False))
    await rig.until(fires_us + 200_000)
    rig.block_input(False)  # type: ignore[attr-defined]
    rig.board.ask_time(0)
    await rig.until(fires_us + 1_500_000)
    (overflow,) = rig.events(Overflow)
    # That the valve went on, and the edge that fired.
    assert (overflow.effects, overflow.executed) == (2, executed)
    assert [edge for edge in rig.edges() if edge[0] == "left"] == []
    assert [value for _, value in rig.levels("valve")] == [1, 0]


async def test_events_that_were_lost_before_all_off_are_reported_before_the_end(rig: ContractBench) -> None:
    fires_us = lose_the_edge_of_a_reflex(rig, 1)
    await rig.until(50_000)
    rig.block_input(True)  # type: ignore[attr-defined]
    await rig.until(fires_us + 200_000)
    rig.block_input(False)  # type: ignore[attr-defined]
    health = await rig.close()
    (overflow,) = rig.events(Overflow)
    assert (overflow.effects, overflow.executed) == (2, 1)
    assert health.complete
    assert overflow.number <= health.last_event


# --- floods -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("noisy", "other"), [("left", "right"), ("right", "left")])
async def test_an_input_that_floods_is_muted_and_named_and_the_others_go_on(
    rig: ContractBench, noisy: str, other: str
) -> None:
    rig.order(arm((noisy, 1, Pulse("feeder", 10_000)), group=2), arm((other, 1, DROP)))
    rig.flood(noisy, 100_000, 200_000)
    rig.at(150_000, other, 1)
    rig.at(170_000, other, 0)
    await rig.until(300_000)
    muted, quiet = rig.events(Flood)
    assert (muted.channel, quiet.channel, quiet.edges_per_s) == (noisy, noisy, 0)
    assert 25_000 <= muted.edges_per_s <= 100_000
    assert 100_000 <= muted.t_us <= 110_000
    assert 200_000 <= quiet.t_us <= 220_000
    assert rig.edges() == [(other, 1, 1), (other, 0, 0)]
    assert all(rig.near(*pair) for pair in zip(rig.stamps(), (150_000, 170_000), strict=True))
    assert [value for _, value in rig.levels("valve")] == [1, 0]
    assert rig.levels("feeder") == []


async def test_a_muted_input_that_becomes_quiet_is_heard_again(rig: ContractBench) -> None:
    rig.flood("left", 100_000, 130_000)
    rig.at(130_010, "left", 1)
    rig.at(200_000, "left", 0)
    await rig.order_at(250_000, arm(("left", 1, DROP)))
    rig.at(300_000, "left", 1)
    await rig.until(400_000)
    first, off, on = rig.stamps()
    assert rig.edges() == [("left", 1, 0), ("left", 0, 0), ("left", 1, 1)]
    assert 131_000 <= first <= 150_000
    assert rig.near(off, 200_000)
    assert rig.near(on, 300_000)
    assert len(rig.levels("valve")) == 2
    assert [event.edges_per_s > 0 for event in rig.events(Flood)] == [True, False]


# --- all off, the end, and its counters ---------------------------------------------------------------------


@pytest.mark.parametrize("again", [1, 3])
async def test_all_off_is_last_and_may_be_said_again(rig: ContractBench, again: int) -> None:
    rig.order(*busy_orders())
    rig.order(Load(1, ((0, LIGHT_ON), (200_000, Set("valve", True)))))
    rig.order(arm(("plain", 1, DROP)), Start(1))
    rig.at(200_000, "plain", 1)
    await rig.until(100_000)
    assert rig.on() >= {"light", "speaker"}
    for _ in range(again):
        rig.board.all_off()
    rig.order(LIGHT_ON, DROP)
    await rig.soon()
    driven = len(rig.pins())
    assert rig.on() == set()
    await rig.until(9_000_000)
    assert len(rig.pins()) == driven
    assert rig.edges() == [("plain", 1, 0)]


async def test_all_off_overtakes_the_orders_that_still_wait(rig: ContractBench) -> None:
    await rig.soon()
    for number in range(60):
        rig.order(Set("light", number % 2 == 0))
    rig.board.all_off()
    await rig.until(1_000_000)
    assert len(rig.levels("light")) < 30
    assert rig.on() == set()


async def test_the_end_collects_every_event_and_counts_what_was_executed(rig: ContractBench) -> None:
    rig.order(Pulse("light", 90_000_000))
    for place in range(20):
        rig.at(100_000 + 1_000 * place, "plain", (place + 1) % 2)
    await rig.until(119_500)
    health = await rig.close()
    assert health.complete
    assert health.executed == 1
    assert len(rig.events(Edge)) == 20
    assert [who for _, who in rig.ended("stopped")] == ["light"]
    assert health.last_event == 21
    board = {f"board_{name}" for name, _ in wire.HEALTH.layout}
    assert health.counters.keys() == {"damaged", "resent", "duplicates", "gaps", "rate_ppm"} | board
    assert {name for name, count in health.counters.items() if count} <= {"board_longest_loop_us", "rate_ppm"}


async def test_the_end_is_complete_although_its_answer_is_lost_and_the_animal_moves_on(rig: ContractBench) -> None:
    rig.needs("block_input")
    await rig.until(100_000)
    deliver: Callable[[bytes], None] = rig.cable.to_host.deliver  # type: ignore[attr-defined]
    start = rig.now_us()

    def lose(data: bytes) -> None:
        if rig.now_us() > start + 100_000:
            deliver(data)

    rig.cable.to_host.deliver = lose  # type: ignore[attr-defined]
    for place in range(10):
        rig.at(start + 10_000 + 37_000 * place, "plain", (place + 1) % 2)
    health = await rig.close()
    assert health.complete
    assert len(rig.events(Edge)) > 3


async def test_refusals_and_limits_are_counted(rig: ContractBench) -> None:
    rig.order(Set("valve", True), DROP, Pulse("valve", 999_000))
    rig.order(Load(1, ((10_000, DROP),)), Start(1))
    await rig.until(500_000)
    health = await rig.close()
    assert health.counters["board_refused"] == 3
    assert health.counters["board_limits"] == 1


# --- how much it holds --------------------------------------------------------------------------------------


async def test_a_board_holds_as_much_as_it_says_and_refuses_more(rig: ContractBench) -> None:
    limits = rig.opened.limits
    for group in range(1, limits.groups + 2):
        rig.order(arm(("plain", 1, NOTHING), group=group))
    await rig.until(2_000_000)
    assert rig.refusals() == [(0, "no_room")]
    for sequence in range(1, limits.sequences + 2):
        rig.order(Load(sequence, ((0, NOTHING),)))
    await rig.until(4_000_000)
    assert rig.refusals() == [(0, "no_room")] * 2
    for _ in range(limits.entries // 4 + 1):
        rig.order(Load(1, tuple((place, NOTHING) for place in range(4))))
        rig.order(Load(2, tuple((place, NOTHING) for place in range(4))))
    await rig.until(6_000_000)
    assert rig.refusals() == [(0, "no_room")] * 2


# --- when it goes wrong -------------------------------------------------------------------------------------


@pytest.mark.parametrize("reason", RESETS)
async def test_a_board_that_resets_says_so_and_has_let_go_of_everything(rig: ContractBench, reason: str) -> None:
    rig.needs("reset")
    rig.order(*busy_orders())
    await rig.soon()
    await rig.reset(reason)  # type: ignore[attr-defined]
    assert rig.on() == set()
    await rig.until(rig.now_us() + 1_000_000)
    (fault,) = rig.events(Fault)
    assert fault.what == "reset"
    assert rig.told_resets[reason] in fault.detail
    rig.order(LIGHT_ON)
    await rig.until(rig.now_us() + 1_000_000)
    assert rig.on() == set()
    assert not (await rig.close()).complete


async def test_a_cable_that_is_pulled_is_a_fault_and_the_lease_turns_everything_off(rig: ContractBench) -> None:
    rig.needs("unplug")
    rig.order(*busy_orders())
    await rig.soon()
    rig.unplug()  # type: ignore[attr-defined]
    await rig.until(rig.now_us() + 1_000_000)
    assert [(fault.what, fault.detail) for fault in rig.events(Fault)] == [("link_lost", "the cable was pulled")]
    assert [line for line in rig.lines if isinstance(line, FAULTS)] == rig.events(Fault)
    assert "light" in rig.on()
    await rig.until(rig.now_us() + round(LEASE_S * 1e6))
    assert rig.on() == set()
    assert not (await rig.close()).complete


@pytest.mark.parametrize("lost", [1, 2])
async def test_an_acknowledgement_that_is_lost_among_others_leaves_no_order_in_doubt(
    rig: ContractBench, lost: int
) -> None:
    rig.needs("bad cable")
    await rig.soon()
    acks = 0
    deliver: Callable[[bytes], None] = rig.cable.to_host.deliver  # type: ignore[attr-defined]

    def lose(data: bytes) -> None:
        nonlocal acks
        acks += 1
        if acks != lost:
            deliver(data)

    rig.cable.to_host.deliver = lose  # type: ignore[attr-defined]
    for number in range(12):
        rig.order(Set("light", number % 2 == 0))
    await rig.until(5_000_000)
    assert sorted(number for _, number in rig.batches()) == list(range(1, 13))


def test_a_trial_of_reactions_is_the_same_on_every_run(rig: ContractBench) -> None:
    async def story(rig: ContractBench) -> list[Any]:
        rig.order(arm(("left", 1, DROP), ("right", 1, NOTHING), until_us=900_000), LIGHT_ON)
        for t_us, name in ((300_000, "right"), (500_000, "left")):
            rig.at(t_us, name, 1)
            rig.at(t_us + 100_000, name, 0)
        await rig.until(2_000_000)
        return rig.lines

    rig.needs("reset")  # only what is in virtual time can be the same to the byte
    assert rig.run(story) == rig.run(story)
