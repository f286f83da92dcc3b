"""The clock of a board that has run for 36 minutes begins at zero again, whatever lasts beyond that instant."""

from collections.abc import Awaitable, Callable

import pytest

from rig.boards.wire import messages as wire
from rig.core.model.actions import Arm, Load, Pulse, Set, Start, Tone, Train
from rig.core.model.events import LeaseExpired
from sim_hardware.avr.chip import HZ
from sim_hardware.avr.firmware import firmware
from tests.avr_tools import need_avr_tools
from tests.contracts.bench import LEASE_S, ContractBench
from tests.contracts.virtual_bench import AvrBench
from tests.contracts.wrap import LAP_S, Advance
from tests.sim_hardware.avr.line import Line

LATE_US = 250
"""The first entry of a sequence comes about 100 µs after its stamp, and the end of a tone 150 µs late."""
LEASE_LAPS = 1 + int(1.0 / LAP_S)


def told(kind: str, laps: int, story: Callable[[AvrBench, int], Awaitable[None]]) -> None:
    """Tell a story of a board whose clock wraps after so many laps; it is given that instant."""
    bench = AvrBench(kind, laps=laps)

    async def main(rig: ContractBench) -> None:
        await story(bench, bench.wraps_at_us)

    bench.run(main)


@pytest.fixture(autouse=True)
def _tools() -> None:
    need_avr_tools()


@pytest.fixture(params=["uno", "mega"])
def board(request: pytest.FixtureRequest) -> str:
    kind: str = request.param
    return kind


@pytest.mark.parametrize("laps", [1, 8])
def test_a_clock_that_is_set_wraps_when_it_should(board: str, laps: int) -> None:
    line = Line(board, [])
    line.chip.send = Advance(line.chip, firmware(board), laps).before(line.chip.send)  # type: ignore[method-assign]
    opened = line.open()
    assert -laps - 1 <= (opened - 0x1_0000_0000) / 0x1_0000 <= 1 - laps
    line.run(int(laps * LAP_S * HZ))
    stamp = line.ask(wire.EVENT_ACK.pack(0, 1), wire.KEEPALIVE_ACK)[2]
    assert 0 <= stamp < 3 * 0x1_0000


def test_pulses_trains_tones_and_limits_last_across_it_as_long_as_elsewhere(board: str) -> None:
    async def story(rig: AvrBench, wrap_us: int) -> None:
        await rig.until(wrap_us - 60_000)
        rig.order(Pulse("light", 120_000), Train("feeder", 10_000, 20_000, 6), Set("valve", True))
        rig.order(Tone("speaker", 1_000, 120_000), Pulse("one", 59_900))
        await rig.until(wrap_us + 100_000)
        for name, lasts_us, count in (("light", 120_000, 1), ("feeder", 10_000, 6), ("valve", 100_000, 1)):
            changes = [t_us for t_us, _ in rig.levels(name)]
            assert len(changes) == 2 * count
            lengths = [end - start for start, end in zip(changes[::2], changes[1::2], strict=True)]
            assert lengths == pytest.approx([lasts_us] * count, abs=rig.punctual_us)
            assert [b - a for a, b in zip(changes[::2], changes[2::2], strict=False)] == pytest.approx(
                [20_000] * (count - 1), abs=rig.punctual_us
            )
        (start, hz), (end, _) = rig.levels("speaker")
        assert (hz, end - start) == (pytest.approx(1_000, rel=0.01), pytest.approx(120_000, abs=1_000))
        assert {name for _, name in rig.ended("finished")} == {"one", "feeder", "light", "speaker"}

    told(board, 8, story)


def test_an_edge_is_confirmed_and_locked_out_across_it(board: str) -> None:
    async def story(rig: AvrBench, wrap_us: int) -> None:
        await rig.until(wrap_us - 50_000)
        rig.order(Arm(1, wrap_us + 10_000, (("left", 1, Pulse("light", 5_000)),)))
        rig.at(wrap_us - 50, "left", 1)
        rig.at(wrap_us - 3_000, "right", 1)
        rig.at(wrap_us - 1_000, "right", 0)
        await rig.until(wrap_us + 50_000)
        assert rig.edges() == [("right", 1, 0), ("left", 1, 1), ("right", 0, 0)]
        wanted = [wrap_us - 3_000, wrap_us - 50, wrap_us - 1_000]
        assert rig.stamps() == pytest.approx(wanted, abs=rig.resolution_us)
        assert rig.levels("light")[0][0] - wrap_us - 50 <= rig.reflex_us

    told(board, 8, story)


@pytest.mark.parametrize(("first", "second"), [("plain", "lever"), ("lever", "plain")])
def test_the_edge_before_it_comes_before_the_edge_behind_it(board: str, first: str, second: str) -> None:
    async def story(rig: AvrBench, wrap_us: int) -> None:
        await rig.until(wrap_us - 50_000)
        rig.order(Arm(1, None, ((first, 1, Pulse("light", 5_000)), (second, 1, Pulse("valve", 5_000)))))
        rig.at(wrap_us - 30, first, 1)
        rig.at(wrap_us + 30, second, 1)
        await rig.until(wrap_us + 50_000)
        assert rig.edges() == [(first, 1, 1), (second, 1, 0)]
        assert rig.stamps() == pytest.approx([wrap_us - 30, wrap_us + 30], abs=rig.resolution_us)

    told(board, 8, story)


@pytest.mark.parametrize("until_us", [-5_000, -1, 1, 5_000])
def test_a_group_ends_at_its_time_whether_that_is_before_it_or_behind_it(board: str, until_us: int) -> None:
    async def story(rig: AvrBench, wrap_us: int) -> None:
        await rig.until(wrap_us - 50_000)
        rig.order(Arm(1, wrap_us + until_us, (("plain", 1, Pulse("light", 5_000)),)))
        rig.order(Arm(2, wrap_us + until_us, (("lever", 1, Pulse("lamp", 5_000)),)))
        rig.at(wrap_us + until_us - 500, "plain", 1)
        rig.at(wrap_us + until_us + 500, "lever", 1)
        await rig.until(wrap_us + 50_000)
        assert rig.edges() == [("plain", 1, 1), ("lever", 1, 0)]
        assert len(rig.levels("light")) == 2

    told(board, 8, story)


def test_a_sequence_begins_before_it_and_goes_on_behind_it(board: str) -> None:
    async def story(rig: AvrBench, wrap_us: int) -> None:
        await rig.until(wrap_us - 80_000)
        lights = (0, Set("light", True)), (60_000, Set("light", False)), (70_000, Pulse("valve", 10_000))
        rig.order(Load(1, lights))
        rig.order(Load(2, ((0, Pulse("feeder", 10_000)),)))
        rig.order(Start(1, at_us=wrap_us - 30_000))
        rig.order(Start(2, at_us=wrap_us + 20_000))
        await rig.until(wrap_us + 90_000)
        for name, wanted in (
            ("light", [-30_000, 30_000]),
            ("valve", [40_000, 50_000]),
            ("feeder", [20_000, 30_000]),
        ):
            assert [t_us - wrap_us for t_us, _ in rig.levels(name)] == pytest.approx(wanted, abs=LATE_US)
        assert [t_us - wrap_us for t_us, _ in rig.started()] == pytest.approx([-30_000, 20_000], abs=20)
        assert rig.refusals() == []

    told(board, 8, story)


def test_what_is_past_before_it_is_past_behind_it(board: str) -> None:
    async def story(rig: AvrBench, wrap_us: int) -> None:
        rig.order(Load(1, ((0, Set("light", True)),)))
        await rig.order_at(wrap_us + 2_000, Start(1, at_us=wrap_us - 1_000))
        await rig.until(wrap_us + 50_000)
        assert rig.refusals() == [(0, "past")]
        assert rig.levels("light") == []

    told(board, 8, story)


def test_a_lease_that_began_before_it_expires_in_time_behind_it(board: str) -> None:
    async def story(rig: AvrBench, wrap_us: int) -> None:
        await rig.until(wrap_us - 900_000)
        rig.order(Set("light", True))
        await rig.soon()
        rig.leash.mute = True
        silent = rig.now_us()
        await rig.until(silent + round((LEASE_S + 0.1) * 1e6))
        (on, _), (off, _) = rig.levels("light")
        assert LEASE_S * 1e6 - 20_000 <= off - on <= LEASE_S * 1e6 + 20_000
        rig.leash.mute = False
        await rig.until(rig.now_us() + 1_500_000)
        assert len(rig.events(LeaseExpired)) == 1

    told(board, LEASE_LAPS, story)
