"""The commands of valves at a real port: the firmware on a simulated chip, in real time."""

import os
import sys
import time
from pathlib import Path

import pytest

from rig.maintenance.valves import weights
from tests.avr_tools import need_avr_tools
from tests.cli.board.test_serve import Child, link, rig_file, served  # noqa: F401
from tests.cli.conftest import Rig
from tests.cli.processes import until
from tests.cli.pseudo_terminal import terminal

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are a thing of POSIX"),
    pytest.mark.real_time,
]


def test_flush_reward_and_check_work_at_a_port(
    rig: Rig,
    child: Child,
    rig_file: Path,  # noqa: F811
    link: Path,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    need_avr_tools()
    readings = [10_000.0, 10_000 + 100 * 2.45]

    class Pan:
        def stable_mg(self) -> float:
            return readings.pop(0)

    monkeypatch.setattr(weights, "open_scale", lambda place: Pan())
    with served(child, rig_file, "--link", link):
        said = rig("device", "flush", rig_file, "left", "--seconds", "1", "--yes")
        assert (said.status, said.out) == (0, "left: opened 2 times for 450 ms, in 1 s\n"), said.err
        assert rig("device", "reward", rig_file, "right", "--ul", "2.5", "--yes").status == 0
        check = rig("device", "check", rig_file, "left", "--scale", "x", "--in-place", "--pulses", "100", "--yes")
        assert check.status == 0, check.err
        assert "the check was added" in check.out


@pytest.mark.parametrize("stop", [b" ", b"\x03"], ids=["any key", "Ctrl-C"])
def test_prime_ends_at_once_and_the_valve_is_shut(
    child: Child,
    rig_file: Path,  # noqa: F811
    link: Path,  # noqa: F811
    stop: bytes,
) -> None:
    need_avr_tools()
    with served(child, rig_file, "--link", link), terminal("device", "prime", rig_file, "left", "--yes") as shown:
        until(lambda: shown.shows("any key or Ctrl-C stops it"))
        time.sleep(1.5)
        assert shown.process.poll() is None
        began = time.monotonic()
        os.write(shown.master, stop)
        assert shown.ends() == 0
        assert time.monotonic() - began < 5
        assert "left: stopped: everything is off" in shown.text


def test_a_calibration_that_was_killed_goes_on(tmp_path: Path) -> None:
    words = (
        "device",
        "calibrate",
        "sim_nose_ports",
        "left",
        "--data",
        tmp_path,
        "--pulses",
        "100",
        "--open-ms",
        "38,40,42",
    )
    with terminal(*words) as shown:
        for number in (1, 2):
            until(lambda number=number: shown.shows(f"burst {number} of 6"))  # type: ignore[misc]
            until(lambda number=number: shown.count("press Enter") == number)  # type: ignore[misc]
            os.write(shown.master, b"\n240 mg\n")  # a weight before the question does not count
            until(lambda number=number: shown.count("weight of the 100 drops") == number)  # type: ignore[misc]
            os.write(shown.master, b"250 mg\n")
        until(lambda: shown.shows("burst 3 of 6"))
        shown.process.kill()
        shown.process.wait()
    weights = (tmp_path / "sim" / "calibrations" / "left.partial.jsonl").read_text()
    assert (weights.count('"mg": 250'), weights.count("240")) == (2, 0), weights
    with terminal(*words) as again:
        until(lambda: again.shows("left: goes on after 2 of 6 bursts"))
        until(lambda: again.shows("burst 3 of 6"))


def test_a_second_enter_opens_no_valve_over_a_full_vial(tmp_path: Path) -> None:
    with terminal(
        "device", "calibrate", "sim_nose_ports", "left", "--data", tmp_path, "--pulses", "100", "--open-ms", "38,40,42"
    ) as shown:
        until(lambda: shown.shows("press Enter"))
        os.write(shown.master, b"\n")
        until(lambda: shown.shows("weight of the 100 drops"))
        os.write(shown.master, b"250 mg\n\n\n")
        until(lambda: shown.count("press Enter") == 2)
        time.sleep(1)
        assert shown.count("weight of the 100 drops") == 1
