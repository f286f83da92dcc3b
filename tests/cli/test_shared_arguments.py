"""Arguments that several commands have."""

import pytest

from tests.cli.conftest import Rig


@pytest.mark.parametrize("words", ["board list --probe", "board bench", "recover 001 --port COM3"])
def test_no_command_opens_a_port_at_the_speed_that_restarts_a_pico(rig: Rig, words: str) -> None:
    said = rig(*words.split(), "--baud", "1200")
    assert (said.status, "argument --baud: closing a port at 1200 baud restarts a Pico" in said.err) == (2, True)
    assert "invalid baud value: 'fast'" in rig(*words.split(), "--baud", "fast").err
