import asyncio
import math
from dataclasses import replace
from typing import cast

import pytest

from rig.boards.driver_lookup import Connection, Driver, find_driver
from rig.boards.serial import driver as serial_driver
from rig.boards.transport import Transport
from rig.camera.process import CameraProcess
from rig.core.engine.inbox import Inbox
from rig.core.errors import ConfigError
from rig.core.journal.journal import Journal
from rig.core.model.board import Wiring
from rig.core.model.rig_spec import BoardSpec, RigSpec, SimulationOptions
from rig.session.spec.build import load_rig_spec
from sim_hardware import driver as sim_driver


def test_a_driver_is_found_by_its_word():
    driver = find_driver("sim")
    assert isinstance(driver, Driver)


@pytest.mark.parametrize("word", ["serial", "firmata"])
def test_a_real_board_has_a_person_before_it_and_leaves_real_records(word):
    driver = find_driver(word)
    assert (driver.records, driver.operator, driver.accepts_models) == ("real", "person", False)
    assert (driver.fastest, driver.needs_hardware, driver.calibrations_expire) == (None, True, True)


@pytest.mark.parametrize("word", ["sim", "avr"])
def test_a_virtual_board_needs_no_person_and_leaves_simulated_records(word):
    driver = find_driver(word)
    assert (driver.records, driver.operator, driver.accepts_models) == ("simulated", "automatic", True)
    assert (driver.fastest, driver.needs_hardware, driver.calibrations_expire) == (math.inf, False, False)


@pytest.mark.parametrize(("word", "module", "kinds"), [("serial", serial_driver, 20), ("sim", sim_driver, 1)])
def test_two_sessions_on_a_real_board_are_distinguished_and_of_a_virtual_one_the_seed_decides(
    word, module, kinds, monkeypatch
):
    nonces = []
    monkeypatch.setattr(module, "running", lambda: None)
    monkeypatch.setattr(module, "SerialBoard", lambda *args, nonce: nonces.append(nonce))
    plan = RigSpec("rig", BoardSpec("uno", word), Wiring(()))
    for _ in range(20):
        find_driver(word).board(Connection(cast(Transport, None)), plan, Inbox(Journal(lambda line: None)), 7)
    assert len(nonces) == 20
    assert len(set(nonces)) > kinds // 2
    assert word != "sim" or set(nonces) == {7}


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


def test_the_camera_of_a_tracker_is_the_one_that_sees_the_virtual_subject_or_one_that_films():
    driver, plan = find_driver("sim"), load_rig_spec("sim_t_maze_tracked")

    async def cameras():
        connection = driver.connect(plan, SimulationOptions())
        seen = driver.camera(connection, plan), driver.camera(replace(connection, camera=None), plan)
        return connection.camera, *seen, driver.camera(connection, replace(plan, tracking=None))

    virtual, simulated, filming, none = asyncio.run(cameras())
    assert simulated is virtual is not None
    assert isinstance(filming, CameraProcess)
    assert none is None
