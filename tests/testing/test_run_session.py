import asyncio
from pathlib import Path
from typing import Any

import pytest

from rig.core.errors import ConfigError
from rig.core.journal.header import Header
from rig.testing import TableRow, at, enter, hover, leave, poke, request, run_session
from tests.avr_tools import need_avr_tools

WATER = "free_water"
BROKEN = """
from dataclasses import dataclass
from rig import Next, Port, Row, Task, TaskParams, state

@dataclass
class Box:
    left: Port

class Broken(Task[TaskParams, Box, Row]):
    @state(to=("wait",), can_end=True)
    async def wait(self) -> Next:
        await self.sleep(1 / (2 - round(self.now_s)))
        return self.wait
"""
BROKEN_YAML = """
protocol: ./broken.py:Broken
simulation: {rig: sim_nose_ports}
stop: {session_s: 10, max_rewards: 1, max_ul: 10}
"""
LOOKING = """
from dataclasses import dataclass
from rig import Dot, Next, PlotArea, Row, Scene, Task, TaskParams, Touchscreen, state

@dataclass
class Box:
    screen: Touchscreen

@dataclass
class Look(Row):
    on: str = ""

class Looking(Task[TaskParams, Box, Look]):
    needs_board_timing = False

    def prepare(self) -> None:
        plot = PlotArea(15, 11, width_cm=20, height_cm=10, x_min=0, x_max=10, y_min=0, y_max=10)
        dots = [plot.dot(x, 5, name=f"{x},0", diameter_cm=0.5) for x in range(11)]
        self.box.screen.show(Scene(items=(*plot.axes([0, 5, 10]), *dots), hover=True))

    @state(to=("look",), can_end=True)
    async def look(self) -> Next:
        hover = await self.first(self.box.screen.hovered)
        self.begin_trial(Look(hover.on))
        self.end_trial()
        return self.look
"""
LOOKING_YAML = """
protocol: ./looking.py:Looking
simulation: {rig: sim_screen}
stop: {session_s: 60, max_rewards: 1}
"""
LIMITS = {"session_s": 10}


def test_a_script_of_edges_becomes_rows_states_a_journal_and_openings_of_the_valves() -> None:
    session = run_session(WATER, [at(0.5, "left", enter), at(0.8, "left", leave), poke(3, "right")], stop=LIMITS)
    assert [row.choice for row in session.rows] == ["left", "right"]
    assert session.rows[0].outcome == session.rows[0]["outcome"] == "rewarded"
    assert [name for name, _ in session.states] == ["wait", "pause", "wait", "pause", "wait"]
    ((opened_us, duration_us),) = session.openings("left.valve")
    assert opened_us == pytest.approx(500_000, abs=1_000)
    assert duration_us is not None
    assert session.on_at(opened_us) == {"left.valve"}
    assert session.on_at(opened_us + duration_us) == set()
    assert session.footer.reason == "time_limit"
    assert isinstance(session.journal[0], Header)


def test_parameters_and_limits_are_those_of_the_file_unless_they_are_changed() -> None:
    drops = [
        run_session(WATER, [poke(1, "left")], stop=LIMITS, params=params).openings("left.valve")[0].duration_us
        for params in ({}, {"reward_ul": 5})
    ]
    assert drops[0] is not None
    assert drops[1] is not None
    assert drops[1] > drops[0]


def test_a_subject_may_be_a_coroutine_or_a_model_by_its_name() -> None:
    async def thirsty(body: Any) -> None:
        while True:
            await body.wait(2)
            body.enter("left")
            await body.wait(0.1)
            body.leave("left")

    assert {row.choice for row in run_session(WATER, thirsty, stop=LIMITS).rows} == {"left"}
    assert run_session(WATER, "random_explorer", stop={"session_s": 60}, seed=2).rows


def test_the_same_session_runs_on_the_firmware() -> None:
    need_avr_tools()
    model, chip = (run_session(WATER, [poke(1, "left")], stop=LIMITS, board=board) for board in ("sim", "avr"))
    assert chip.row.choice == model.row.choice
    assert chip.row.t_in == pytest.approx(model.row.t_in, abs=100e-6)


def test_a_channel_that_the_rig_lacks_is_refused_with_the_channels_that_it_has() -> None:
    session = run_session(WATER, [poke(1, "left")], stop=LIMITS)
    for look in (session.openings, session.changes):
        with pytest.raises(
            ConfigError, match=r"no channel 'left\.vavle'; did you mean 'left\.valve'\? it has: .*right\.valve"
        ):
            look("left.vavle")


def test_an_operator_may_ask_for_a_reward_and_for_the_end() -> None:
    session = run_session(WATER, [request(1, "reward left"), request(2, "stop")], stop=LIMITS)
    assert len(session.openings("left.valve")) == 1
    assert session.footer.reason == "operator"


def test_a_wire_that_is_cut_hides_a_poke_from_the_task() -> None:
    assert run_session(WATER, [poke(1, "left")], stop=LIMITS, cut=["left.beam"]).rows == []


def test_a_slow_cable_delays_the_host_and_not_the_drop() -> None:
    session = run_session(WATER, [poke(3, "left")], stop=LIMITS, faults={"latency_s": 0.1})
    assert session.row.delivered_by == "board"
    assert session.openings("left.valve")[0].t_us == pytest.approx(3_000_000, abs=1_000)


def test_a_place_that_the_rig_lacks_is_named_with_those_that_it_has() -> None:
    with pytest.raises(ConfigError, match="the script names the place 'top', the rig has: left, center, right"):
        run_session(WATER, [poke(1, "top")])


def test_a_coroutine_at_a_place_that_the_rig_lacks_is_reported_which_there_are() -> None:
    async def lost(body: Any) -> None:
        body.enter("lft")

    with pytest.raises(ConfigError, match="acts at 'lft', which is not on the rig; it has: left, "):
        run_session(WATER, lost, stop=LIMITS)


def test_a_fault_that_no_cable_has_is_named_with_those_that_there_are() -> None:
    with pytest.raises(ConfigError, match="a cable has no fault 'latency': wanted some of latency_s, jitter_s, "):
        run_session(WATER, stop=LIMITS, faults={"latency": 1})


def test_a_table_that_the_protocol_lacks_is_named_with_those_that_it_has() -> None:
    session = run_session(WATER, stop=LIMITS)
    with pytest.raises(ValueError, match="the protocol has no table 'nope', it has: "):
        session.table("nope")


def test_a_board_that_is_not_simulated_is_refused() -> None:
    with pytest.raises(ConfigError, match="driver 'serial' has no simulated rig"):
        run_session(WATER, board="serial")


def test_a_column_that_a_row_has_not_is_named_with_those_that_it_has() -> None:
    row = TableRow(trial=1, outcome="rewarded")
    with pytest.raises(AttributeError, match="no column 'outcom'; it has trial, outcome"):
        row.outcom  # noqa: B018


def test_an_output_that_never_went_off_has_no_duration() -> None:
    session = run_session(WATER, stop=LIMITS)
    session.trace += [(20_000_000, "left.valve", 1)]
    assert session.openings("left.valve") == [(20_000_000, None)]
    assert session.on_at_the_end() == ["left.valve"]
    session.trace += [(20_000_001, "left.valve", 1)]
    with pytest.raises(ValueError, match=r"left\.valve does not alternate between on and off"):
        session.openings("left.valve")


def test_a_protocol_that_fails_fails_the_test_with_its_own_error(tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text(BROKEN)
    (tmp_path / "broken.yaml").write_text(BROKEN_YAML)
    with pytest.raises(ZeroDivisionError):
        run_session(tmp_path / "broken.yaml")
    session = run_session(tmp_path / "broken.yaml", keep_error=True)
    assert session.footer.reason == "fault"
    assert isinstance(session.outcome.failure, ZeroDivisionError)  # type: ignore[union-attr]


def test_a_script_moves_the_pointer_of_a_mouse_over_a_screen_alone_and_so_does_the_random_explorer(
    tmp_path: Path,
) -> None:
    (tmp_path / "looking.py").write_text(LOOKING, encoding="utf-8")
    (tmp_path / "looking.yaml").write_text(LOOKING_YAML, encoding="utf-8")
    script = [hover(1, 15, 11), hover(2, 15.1, 11.1), hover(3, 1, 1), hover(4, 25, 11)]
    session = run_session(tmp_path / "looking.yaml", script)
    assert [row.on for row in session.rows] == ["5,0", "", "10,0"]
    assert len({row.on for row in run_session(tmp_path / "looking.yaml", "random_explorer").rows}) > 5


def test_moves_go_on_after_the_end() -> None:
    happened: list[float] = []

    def look(session: Any, place: str) -> None:
        happened.append(asyncio.get_running_loop().time())

    run_session(WATER, [at(12, "left", look)], stop=LIMITS)
    assert len(happened) == 1
