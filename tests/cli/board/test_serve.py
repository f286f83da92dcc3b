"""`rig board serve`: the firmware at a port, for whatever opens one."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from rig.boards.driver_lookup import Driver, ServedPlace, find_driver
from rig.core.errors import ConfigError
from rig.core.model.rig_spec import RigSpec
from rig.system.tcp_address import TcpAddress, parse_url
from sim_hardware.avr import build
from tests.avr_tools import need_avr_tools
from tests.cli.conftest import NEW_SUBJECT, Rig
from tests.cli.processes import begun, until
from tests.port_rigs import write_port_rig
from tests.tables import rows

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are a thing of POSIX")

Child = Callable[..., "subprocess.Popen[str]"]

BOARD = "driver: serial, chip: uno, lease_s: 8"
"""A long lease: in real time, beside other programs, a test may be silent for seconds."""


@pytest.fixture
def link(tmp_path: Path) -> Path:
    """What the port is to be called."""
    return tmp_path / "ttyAVR"


@pytest.fixture
def rig_file(link: Path) -> Path:
    """The file of a rig at the link."""
    return write_port_rig(link.parent, link, BOARD)


@contextmanager
def served(child: Child, *words: object) -> Iterator[list[str]]:
    """Serve until the block ends; Ctrl-C is a good end. The lines are what it says first."""
    with child("board", "serve", *words) as process:
        try:
            assert process.stdout is not None
            yield [process.stdout.readline() for _ in range(4)]
        finally:
            process.send_signal(signal.SIGINT)
            said, complained = process.communicate(timeout=20)
            assert (process.returncode, said, complained) == (0, "", "")


@pytest.mark.parametrize(
    ("board", "driver"),
    [("driver: serial, chip: uno", "avr"), ("driver: serial, chip: pico", "pico"), ("driver: pico", "pico")],
)
def test_the_chip_of_the_rig_file_or_of_its_driver_selects_the_simulator(
    rig: Rig, rig_file: Path, link: Path, monkeypatch: pytest.MonkeyPatch, board: str, driver: str
) -> None:
    def refuse(self: Driver, plan: RigSpec, *options: object) -> None:
        raise ConfigError(f"driver {plan.board.driver} is asked to serve")

    monkeypatch.setattr(type(find_driver(driver)), "serve", refuse)
    write_port_rig(link.parent, link, board)
    assert f"driver {driver} is asked to serve" in rig("board", "serve", rig_file, "--leads").err


@pytest.mark.real_time
def test_a_board_is_served_for_the_commands_that_it_names_until_it_is_stopped(
    rig: Rig, child: Child, rig_file: Path, link: Path
) -> None:
    need_avr_tools()
    with served(child, rig_file, "--link", link) as lines:
        for line in lines[2:]:
            words = line.partition("rig ")[2].split()
            said = rig(*words, *(("-n", "20") if "bench" in words else ()))
            assert said.status == 0, said.err
            assert "uno" in said.out
        assert lines[0] == f"{link} is a simulated Uno, wired as here; Ctrl-C ends it\n"
        assert f"uno: {{driver: serial, port: {link}}}" in lines[1]
    assert not link.is_symlink()


@pytest.mark.real_time
def test_a_session_runs_on_the_port_with_a_virtual_subject_behind_it(
    rig: Rig, child: Child, rig_file: Path, link: Path
) -> None:
    need_avr_tools()
    with served(child, rig_file, "--link", link, "--model", "random_explorer", "--protocol", "free_water"):
        words = ("free_water", "--rig", rig_file, *NEW_SUBJECT, "--json")
        said = rig("run", *words, "--set", "stop.session_s=4", "--set", "params.pause_s=0.1")
        assert said.status == 0, said.err
    summary = json.loads(said.out)
    assert (summary["reason"], summary["rewards"] > 0) == ("time_limit", True)
    facts = json.loads((Path(summary["folder"]) / "environment.json").read_text())
    assert facts["board"]["name"] == "uno"
    assert rig("replay", summary["folder"]).status == 0


@pytest.mark.real_time
def test_at_a_terminal_the_keys_are_the_ports_and_q_ends_it(rig: Rig, child: Child, rig_file: Path, link: Path) -> None:
    need_avr_tools()
    ours, terminal = os.openpty()
    with child("board", "serve", rig_file, "--link", link, stdin=terminal) as process:
        assert process.stderr is not None
        assert process.stderr.readline() == "keys: a left, s center, d right, q stop\n"
        said = rig("board", "bench", "--port", link, "-n", "1")  # who opens the port is given the keys
        os.write(ours, b"q")  # before any assertion: the process ends by it alone
        process.communicate(timeout=20)
    os.close(ours)
    os.close(terminal)
    assert said.status == 0, said.err
    assert (process.returncode, link.is_symlink()) == (0, False)


@pytest.mark.real_time
def test_without_a_link_the_port_has_the_name_that_the_system_gave_it(child: Child, rig_file: Path) -> None:
    need_avr_tools()
    with served(child, rig_file) as lines:
        port = Path(lines[0].partition(" ")[0])
        assert port.is_char_device()
    until(lambda: not port.exists())


def test_a_link_that_would_replace_a_file_is_refused(rig: Rig, rig_file: Path, link: Path) -> None:
    need_avr_tools()
    link.write_text("mine")
    said = rig("board", "serve", rig_file, "--link", link)
    assert (said.status, f"{link}: cannot become a link" in said.err) == (2, True)
    assert link.read_text() == "mine"


@rows("words", "why")
def test_what_cannot_be_served_is_your_mistake(
    rig: Rig, rig_file: Path, words: list[str], why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    need_avr_tools()
    monkeypatch.setattr(sys, "stdin", None)
    said = rig("board", "serve", *(rig_file if word == "HERE" else word for word in words))
    assert (said.status, why in said.err, said.out) == (2, True, "")


def test_a_rig_whose_pins_the_chip_has_not_is_refused(rig: Rig, rig_file: Path) -> None:
    rig_file.write_text(rig_file.read_text().replace("beam: 6", "beam: 60"))
    said = rig("board", "serve", rig_file)
    assert (said.status, "60" in said.err) == (2, True)


def test_what_is_missing_is_named_with_the_line_that_installs_it(
    rig: Rig, rig_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def absent() -> Path:
        raise build.missing("libsimavr-dev")

    monkeypatch.setattr("sim_hardware.avr.seam.firmware", lambda kind: absent())
    monkeypatch.setattr("sim_hardware.firmware_driver.firmware_on_avr8js", absent)  # the other simulator
    said = rig("board", "serve", rig_file)
    assert (said.status, f"libsimavr-dev is not installed. On Debian and Ubuntu: {build.APT}" in said.err) == (2, True)


# --- at a TCP port ------------------------------------------------------------------------------------------------


def tcp_rig(rig_file: Path, port: str) -> Path:
    """Write a rig file that names a TCP port."""
    return write_port_rig(rig_file.parents[1], port, BOARD)


@pytest.mark.real_time
def test_a_board_at_a_tcp_port_is_checked_benched_and_runs_a_session_that_can_be_asked(
    rig: Rig, child: Child, data: Path, rig_file: Path, runtime: Path
) -> None:
    need_avr_tools()
    with served(child, rig_file, "--tcp", "--model", "random_explorer", "--protocol", "free_water") as lines:
        port = lines[0].partition(" ")[0]
        assert parse_url(port).host == "127.0.0.1"
        for line in lines[2:]:
            words = line.partition("rig ")[2].split()
            said = rig(*words, *(("-n", "20") if "bench" in words else ()))
            assert (said.status, "uno" in said.out) == (0, True), said.err
        assert rig("device", "reward", tcp_rig(rig_file, port), "right", "--ul", "2.5", "--yes").status == 0
        words = ("free_water", "--rig", rig_file, *NEW_SUBJECT, "--json")
        with child("run", *words, "--set", "stop.session_s=60") as session:
            until(lambda: begun(data))
            # The board refuses a drop while the animal's own one flows.
            until(lambda: rig("session", "reward", "left").out == "left: 2.5 ul given\n")
            assert rig("session", "end").out == "the session ends\n"
            summary = json.loads(session.communicate(timeout=30)[0])
    assert (summary["reason"], summary["rewards"] > 0, session.returncode) == ("operator", True, 130)
    assert rig("replay", summary["folder"]).status == 0
    refused = rig("board", "check", "--port", port)
    assert (refused.status, "no program listens there" in refused.out) == (3, True)


@pytest.mark.slow
@pytest.mark.real_time
def test_a_minute_of_a_bandit_over_a_tcp_port_pays_each_drop_once(rig: Rig, child: Child, rig_file: Path) -> None:
    need_avr_tools()
    with served(child, rig_file, "--tcp", "--model", "rflr", "--protocol", "two_armed_bandit") as lines:
        tcp_rig(rig_file, lines[0].partition(" ")[0])
        words = ("two_armed_bandit", "--rig", rig_file, *NEW_SUBJECT, "--json")
        said = rig("run", *words, "--set", "stop.session_s=60")
        assert said.status == 0, said.err
    folder = Path(json.loads(said.out)["folder"])
    kept = [json.loads(line) for line in (folder / "journal.jsonl").read_text().splitlines()]
    footer = kept[-1]
    openings = [line for line in kept if line["k"] == "output_on" and line["output"].endswith("valve")]
    assert (footer["reason"], footer["complete"], footer["unconfirmed_rewards"]) == ("time_limit", True, 0)
    assert footer["rewards"] == len(openings) > 3
    assert not [line for line in kept if line["k"] in ("lease_expired", "fault", "link_lost")]
    assert rig("replay", folder).status == 0


@rows("words", "why")
def test_what_no_tcp_port_can_have_is_refused(rig: Rig, rig_file: Path, words: list[str], why: str) -> None:
    need_avr_tools()
    said = rig("board", "serve", rig_file, *words)
    assert (said.status, why in said.err, said.out) == (2, True, "")


def test_where_there_are_no_pseudo_terminals_the_port_is_a_tcp_port(
    rig: Rig, rig_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    places: list[ServedPlace | None] = []

    def refuse(self: Driver, plan: RigSpec, options: object, *served_at: ServedPlace | None) -> None:
        places.extend(served_at)
        raise ConfigError("that will do")

    monkeypatch.setattr(type(find_driver("avr")), "serve", refuse)
    monkeypatch.setattr("rig.cli.board.serve.HAS_PSEUDO_TERMINALS", False)
    rig("board", "serve", rig_file, "--leads")
    rig("board", "serve", rig_file, "--leads", "--tcp", "5331", "--scale", "5332")
    any_port, board, scale = (ServedPlace(tcp=TcpAddress("127.0.0.1", number)) for number in (0, 5331, 5332))
    assert places == [any_port, None, board, scale]
    assert "--link: a TCP port has no link" in rig("board", "serve", rig_file, "--leads", "--link", "x").err


def test_firmware_is_not_written_over_a_tcp_port(rig: Rig) -> None:
    said = rig("board", "flash", "--port", "socket://127.0.0.1:5331", "--chip", "uno")
    assert (said.status, "firmware is written at a serial port" in said.err) == (2, True)


def test_a_rig_file_with_another_url_is_refused_where_it_stands(rig: Rig, rig_file: Path) -> None:
    tcp_rig(rig_file, '"socket://here"')
    said = rig("check", rig_file)
    assert (said.status, "socket://here: is no port" in said.err + said.out) == (2, True), said.out + said.err
