"""`driver: firmata` on a port that a pseudo-terminal plays, and what it is refused for."""

import asyncio
import json
import os
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from rig.boards.driver_lookup import Connection, find_driver
from rig.core.engine.inbox import Inbox
from rig.core.errors import BoardNotFoundError, ConfigError, FirmwareMismatchError
from rig.core.journal.journal import Journal
from rig.core.model.board import Wiring
from rig.core.model.rig_spec import BoardSpec, RigSpec, SimulationOptions
from rig.session.spec.build import build_spec
from rig.session.spec.read_rig import rig_spec_of
from rig.session.spec.request import SessionRequest
from sim_hardware.link_model import CableTransport, SerialCable
from tests.boards.firmata.firmata_sketch import Sketch
from tests.cli.conftest import NEW_SUBJECT, Rig, data, rig
from tests.port_rigs import write_port_rig
from tests.session_specs import nose_ports

__all__ = ["data", "rig"]

PLAN = RigSpec("bare", BoardSpec("uno", "firmata", port="/dev/no_such_port", baud=57_600), Wiring(()))


class Port:
    """A sketch behind a pseudo-terminal, in a thread of its own; it pokes left once the beams are reported."""

    def __init__(self) -> None:
        self.master, self._near = os.openpty()
        self.path = os.ttyname(self._near)
        self.sketch = Sketch(lambda data: os.write(self.master, data) and None)
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        timers: list[threading.Timer] = []
        while True:
            try:
                data = os.read(self.master, 4096)
            except OSError:
                return
            self.sketch.receive(data)
            if not timers and self.sketch.modes.get(7) == 0:
                timers = [threading.Timer(s, self.sketch.drive, (6, level)) for s, level in ((0.6, 1), (0.8, 0))]
                for timer in timers:
                    timer.start()

    def close(self) -> None:
        os.close(self._near)
        os.close(self.master)


@pytest.fixture
def port() -> Iterator[Port]:
    opened = Port()
    yield opened
    opened.close()


@pytest.mark.real_time
@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are a thing of POSIX")
def test_a_session_of_free_water_runs_on_a_port(port: Port, rig: Rig, tmp_path: Path) -> None:
    rig_file = write_port_rig(tmp_path, port.path, "driver: firmata")
    settings = ("--set", "stop.session_s=4", "--set", "params.pause_s=0.2")
    said = rig("run", "free_water", "--rig", rig_file, *NEW_SUBJECT, "--json", *settings)
    assert said.status == 0, said.err
    summary = json.loads(said.out)
    assert (summary["reason"], summary["rewards"], summary["ul"]) == ("time_limit", 1, 2.5)
    assert [level for _, pin, level in port.sketch.trace if pin == 3] == [1, 0]
    assert "it stays open" in " ".join(said.err.split())
    journal = (Path(summary["folder"]) / "journal.jsonl").read_text()
    assert '"deadline":"host"' in journal
    assert '"by":"host"' in journal or '"delivered_by":"host"' in journal
    assert rig("replay", summary["folder"]).status == 0


def test_two_armed_bandit_is_refused_by_name(rig: Rig) -> None:
    for words in (
        ("check", "two_armed_bandit", "--board", "firmata"),
        ("run", "two_armed_bandit", "--rig", "nose_ports_uno", "--board", "firmata", "--subject", "M1"),
    ):
        said = rig(*words)
        assert said.status == 2
        assert "two_armed_bandit needs board timing; Firmata has none: this computer stamps its edges" in said.err


def test_free_water_needs_no_board_timing() -> None:
    assert build_spec(SessionRequest("free_water", driver="firmata")).plan.board.driver == "firmata"


def test_a_line_has_the_speed_of_the_sketch_unless_the_rig_file_says_otherwise() -> None:
    base = nose_ports()
    assert rig_spec_of(base, "firmata").board.baud == 57_600
    assert rig_spec_of(base, "serial").board.baud == 500_000
    board = {"sim": {"driver": "firmata", "baud": 115_200}}
    file = type(base.file).model_validate({**base.file.model_dump(exclude_none=True), "boards": board})
    assert rig_spec_of(replace(base, file=file)).board.baud == 115_200


def test_a_board_without_an_id_cannot_be_asked_for_by_it() -> None:
    async def main() -> None:
        plan = replace(PLAN, board=replace(PLAN.board, uid="7F3A"))
        transport = CableTransport(SerialCable(asyncio.get_running_loop()))
        find_driver("firmata").board(Connection(transport), plan, Inbox(Journal(lambda raw: None)), 1)

    with pytest.raises(FirmwareMismatchError, match="Firmata boards have no id"):
        asyncio.run(main())


def test_a_port_that_is_not_there_is_named() -> None:
    with pytest.raises(BoardNotFoundError, match="there is no such port"):
        find_driver("firmata").connect(PLAN, SimulationOptions())


def test_it_lives_in_real_time() -> None:
    with pytest.raises(ConfigError, match="a real rig lives in real time"):
        find_driver("firmata").loop(60)
