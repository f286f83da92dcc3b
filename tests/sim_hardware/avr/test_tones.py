"""Which frequency the firmware makes of the one that is asked for."""

import pytest

from rig.boards.chips import AVRS
from rig.core.model.actions import Tone
from rig.core.model.board import Output
from rig.core.model.channels import Role
from sim_hardware.avr.chip import HZ
from tests.sim_hardware.avr.line import Line

SPEAKER = Output("speaker", Role.LINE, 12, max_on_us=2_000_000)


@pytest.mark.parametrize("board", AVRS)
@pytest.mark.parametrize("hz", [20, 31, 440, 1000, 1175, 4321, 20_000])
def test_a_tone_is_a_square_wave_whose_half_period_is_exact_to_the_step_that_the_board_names(
    board: str, hz: int
) -> None:
    line = Line(board, [SPEAKER])
    line.open()
    step_ns = line.hello().opened.tones.half_period_step_ns  # type: ignore[union-attr]
    line.order(Tone("speaker", hz, 1_000_000))
    line.run(HZ * 11 // 10)
    edges = [cycle for cycle, _, _ in line.levels][1:-3]  # the first half period begins late, the last is cut
    halves = len(edges) - 1
    half_ns = (edges[-1] - edges[0]) / halves * 1e9 / HZ
    assert halves > 1.9 * hz - 5
    wanted_ns = 1e9 / (2 * hz)
    reading_ns = 20_000 / halves  # an edge may come so late
    assert -2 * step_ns - reading_ns <= half_ns - wanted_ns <= reading_ns
    actual_hz = 1e9 / (2 * half_ns)
    assert actual_hz == pytest.approx(hz, rel=300e-6 + reading_ns / wanted_ns)
