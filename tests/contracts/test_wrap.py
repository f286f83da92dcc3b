"""The clock of a board that has run for 36 minutes begins at zero again, whatever lasts beyond that instant."""

import pytest

from rig.boards.wire import messages as wire
from rig.core.model.actions import Arm, Load, Pulse, Set, Start, Tone, Train
from rig.core.model.events import LeaseExpired
from sim_hardware.avr.chip import HZ
from sim_hardware.avr.firmware import firmware
from tests.avr_tools import need_avr_tools
from tests.contracts.bench import LEASE_S
from tests.contracts.virtual_bench import AvrBench, PicoBench
from tests.contracts.wrap import LAP_S, Advance
from tests.sim_hardware.avr.line import Line

LATE_US = 250
"""The first entry of a sequence comes about 100 µs after its stamp, and the end of a tone 150 µs late."""
LEASE_LAPS = 1 + int(1.0 / LAP_S)


@pytest.fixture(autouse=True)
def _tools() -> None:
    need_avr_tools()


@pytest.fixture(params=["uno", "mega", pytest.param("pico", marks=pytest.mark.slow)])
def board(request: pytest.FixtureRequest) -> str:
    kind: str = request.param
    return kind


@pytest.fixture
def laps() -> int:
    """Return the laps before a clock wraps."""
    return 8


@pytest.fixture
def avr(board: str, laps: int) -> AvrBench:
    return PicoBench(laps=laps) if board == "pico" else AvrBench(board, laps=laps)


@pytest.mark.parametrize("laps", [1, 8])
@pytest.mark.parametrize("board", ["uno", "mega"])
def test_a_clock_that_is_set_wraps_when_it_should(board: str, laps: int) -> None:
    line = Line(board, [])
    line.chip.send = Advance(line.chip, firmware(board), laps).before(line.chip.send)  # type: ignore[method-assign]
    opened = line.open()
    assert -laps - 1 <= (opened - 0x1_0000_0000) / 0x1_0000 <= 1 - laps
    line.run(int(laps * LAP_S * HZ))
    stamp = line.ask(wire.EVENT_ACK.pack(0, 1), wire.KEEPALIVE_ACK)[2]
    assert 0 <= stamp < 3 * 0x1_0000


async def test_pulses_trains_tones_and_limits_last_across_it_as_long_as_elsewhere(avr: AvrBench) -> None:
    wrap_us = avr.wraps_at_us
    await avr.until(wrap_us - 60_000)
    avr.order(Pulse("light", 120_000), Train("feeder", 10_000, 20_000, 6), Set("valve", True))
    avr.order(Tone("speaker", 1_000, 120_000), Pulse("one", 59_900))
    await avr.until(wrap_us + 100_000)
    for name, lasts_us, count in (("light", 120_000, 1), ("feeder", 10_000, 6), ("valve", 100_000, 1)):
        changes = [t_us for t_us, _ in avr.levels(name)]
        assert len(changes) == 2 * count
        lengths = [end - start for start, end in zip(changes[::2], changes[1::2], strict=True)]
        assert lengths == pytest.approx([lasts_us] * count, abs=avr.punctual_us)
        assert [b - a for a, b in zip(changes[::2], changes[2::2], strict=False)] == pytest.approx(
            [20_000] * (count - 1), abs=avr.punctual_us
        )
    (start, hz), (end, _) = avr.levels("speaker")
    assert (hz, end - start) == (pytest.approx(1_000, rel=0.01), pytest.approx(120_000, abs=1_000))
    assert {name for _, name in avr.ended("finished")} == {"one", "feeder", "light", "speaker"}


async def test_an_edge_is_confirmed_and_locked_out_across_it(avr: AvrBench) -> None:
    wrap_us = avr.wraps_at_us
    await avr.until(wrap_us - 50_000)
    avr.order(Arm(1, wrap_us + 10_000, (("left", 1, Pulse("light", 5_000)),)))
    avr.at(wrap_us - 50, "left", 1)
    avr.at(wrap_us - 3_000, "right", 1)
    avr.at(wrap_us - 1_000, "right", 0)
    await avr.until(wrap_us + 50_000)
    assert avr.edges() == [("right", 1, 0), ("left", 1, 1), ("right", 0, 0)]
    wanted = [wrap_us - 3_000, wrap_us - 50, wrap_us - 1_000]
    assert avr.stamps() == pytest.approx(wanted, abs=avr.resolution_us)
    assert avr.levels("light")[0][0] - wrap_us - 50 <= avr.reflex_us


@pytest.mark.parametrize(("first", "second"), [("plain", "lever"), ("lever", "plain")])
async def test_the_edge_before_it_comes_before_the_edge_behind_it(avr: AvrBench, first: str, second: str) -> None:
    wrap_us = avr.wraps_at_us
    await avr.until(wrap_us - 50_000)
    avr.order(Arm(1, None, ((first, 1, Pulse("light", 5_000)), (second, 1, Pulse("valve", 5_000)))))
    avr.at(wrap_us - 30, first, 1)
    avr.at(wrap_us + 30, second, 1)
    await avr.until(wrap_us + 50_000)
    assert avr.edges() == [(first, 1, 1), (second, 1, 0)]
    assert avr.stamps() == pytest.approx([wrap_us - 30, wrap_us + 30], abs=avr.resolution_us)


@pytest.mark.parametrize("until_us", [-5_000, -1, 1, 5_000])
async def test_a_group_ends_at_its_time_whether_that_is_before_it_or_behind_it(avr: AvrBench, until_us: int) -> None:
    wrap_us = avr.wraps_at_us
    await avr.until(wrap_us - 50_000)
    avr.order(Arm(1, wrap_us + until_us, (("plain", 1, Pulse("light", 5_000)),)))
    avr.order(Arm(2, wrap_us + until_us, (("lever", 1, Pulse("lamp", 5_000)),)))
    avr.at(wrap_us + until_us - 500, "plain", 1)
    avr.at(wrap_us + until_us + 500, "lever", 1)
    await avr.until(wrap_us + 50_000)
    assert avr.edges() == [("plain", 1, 1), ("lever", 1, 0)]
    assert len(avr.levels("light")) == 2


async def test_a_sequence_begins_before_it_and_goes_on_behind_it(avr: AvrBench) -> None:
    wrap_us = avr.wraps_at_us
    await avr.until(wrap_us - 80_000)
    lights = (0, Set("light", True)), (60_000, Set("light", False)), (70_000, Pulse("valve", 10_000))
    avr.order(Load(1, lights))
    avr.order(Load(2, ((0, Pulse("feeder", 10_000)),)))
    avr.order(Start(1, at_us=wrap_us - 30_000))
    avr.order(Start(2, at_us=wrap_us + 20_000))
    await avr.until(wrap_us + 90_000)
    for name, wanted in (
        ("light", [-30_000, 30_000]),
        ("valve", [40_000, 50_000]),
        ("feeder", [20_000, 30_000]),
    ):
        assert [t_us - wrap_us for t_us, _ in avr.levels(name)] == pytest.approx(wanted, abs=LATE_US)
    assert [t_us - wrap_us for t_us, _ in avr.started()] == pytest.approx([-30_000, 20_000], abs=20)
    assert avr.refusals() == []


async def test_what_is_past_before_it_is_past_behind_it(avr: AvrBench) -> None:
    wrap_us = avr.wraps_at_us
    avr.order(Load(1, ((0, Set("light", True)),)))
    await avr.order_at(wrap_us + 2_000, Start(1, at_us=wrap_us - 1_000))
    await avr.until(wrap_us + 50_000)
    assert avr.refusals() == [(0, "past")]
    assert avr.levels("light") == []


@pytest.mark.parametrize("laps", [LEASE_LAPS])
async def test_a_lease_that_began_before_it_expires_in_time_behind_it(avr: AvrBench) -> None:
    wrap_us = avr.wraps_at_us
    await avr.until(wrap_us - 900_000)
    avr.order(Set("light", True))
    await avr.soon()
    avr.leash.mute = True
    silent = avr.now_us()
    await avr.until(silent + round((LEASE_S + 0.1) * 1e6))
    (on, _), (off, _) = avr.levels("light")
    assert LEASE_S * 1e6 - 20_000 <= off - on <= LEASE_S * 1e6 + 20_000
    avr.leash.mute = False
    await avr.until(avr.now_us() + 1_500_000)
    assert len(avr.events(LeaseExpired)) == 1
