import asyncio

import pytest

from rig.core.errors import ConfigError
from rig.hardware.boards import Driver, find_driver


def test_a_driver_is_found_by_its_word():
    driver = find_driver("sim")
    assert isinstance(driver, Driver)
    assert driver.simulated


@pytest.mark.parametrize("word", ["sin", "simm"])
def test_a_misspelt_driver_is_guessed(word):
    with pytest.raises(ConfigError, match=rf"^driver '{word}' is not installed; did you mean 'sim'\? There are: .*sim"):
        find_driver(word)


def test_a_driver_like_no_other_is_answered_with_those_that_exist():
    with pytest.raises(ConfigError, match=r"^driver 'parallel_port' is not installed\. There are: .*sim"):
        find_driver("parallel_port")


@pytest.mark.parametrize("speed", [None, 10.0, float("inf")])
def test_a_simulated_board_has_a_loop_for_every_speed(speed):
    loop = find_driver("sim").loop(speed)
    assert isinstance(loop, asyncio.AbstractEventLoop)
    loop.close()
