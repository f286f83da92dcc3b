"""Valves, feeders and hoppers that move an input."""

from collections.abc import Callable

from rig.core.clock import running
from sim_hardware.driver import SimRig
from tests.diagnostics.acceptance.site_helpers import wiring_rows

LEFT_VALVE, LEFT_BEAM = 3, 6
VALVE = "the left valve, fired 20 times, moves no input"


def follows(output: int, *inputs: int) -> Callable[[SimRig], None]:
    """Let inputs follow an output, as by a spike of its coil."""

    def arrange(rig: SimRig) -> None:
        drive = rig.world.on_output

        def driven(pin: int, value: int) -> None:
            drive(pin, value)
            if pin == output:
                for each in inputs:
                    running().call_soon(rig.board.chip.inputs.drive, each, value)

        rig.board.chip._drive = driven

    return arrange


def test_a_rig_whose_valves_move_no_input_passes() -> None:
    rows = wiring_rows("nose_ports_uno")
    assert [rows[what].verdict for what in (VALVE, VALVE.replace("left", "right"))] == ["pass", "pass"]


def test_a_valve_that_moves_a_beam_is_found_with_the_number_of_edges() -> None:
    row = wiring_rows("nose_ports_uno", follows(LEFT_VALVE, LEFT_BEAM))[VALVE]
    assert row.verdict == "fail"
    assert row.found.startswith("edges: left.beam 40; look for the flyback diode, 10 nF at each input")


def test_a_pellet_that_falls_is_no_interference_but_an_edge_of_another_input_is() -> None:
    rows = wiring_rows("t_maze_uno", follows(6, 7))
    feeder = next(what for what in rows if "left_feeder" in what and "fired" in what)
    assert rows[feeder].verdict == "pass"
    assert wiring_rows("t_maze_uno", follows(6, 5))[feeder].verdict == "fail"
