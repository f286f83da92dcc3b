import sys
from pathlib import Path

import pytest

from benchmarks import driver_path
from benchmarks.measure import Options
from rig.boards.wire import frame
from rig.boards.wire import messages as wire
from rig.session.run.cpu_latency import KeepCpuAwake

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are a thing of POSIX")

PYTHON_PEER = [sys.executable, str(driver_path.HERE / "peer.py")]


def test_the_peers_script_has_every_edge_and_each_is_answered_by_one_frame() -> None:
    timed = [step for step in driver_path.record(20) if step.timed]
    assert len(timed) == 20
    assert {step.frames for step in timed} == {1}
    assert all((frame.decode(step.said[:-1]) or b"")[0] == wire.EDGE.code for step in timed)


@pytest.mark.campaign
@pytest.mark.real_time
def test_the_driver_answers_every_edge_of_the_script() -> None:
    times = driver_path.drive(driver_path.record(20), PYTHON_PEER)
    assert len(times) == 20
    assert all(0 < time < 5 for time in times)


@pytest.mark.real_time
def test_both_sides_are_measured_in_every_way_after_every_gap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver_path, "EVENTS", {0.0: 4, 0.02: 3})
    monkeypatch.setattr("benchmarks.measure.QUIET_CORES", 8)  # other tests run at the same time
    measures = driver_path.measure(Options(rounds=1))
    with KeepCpuAwake() as awake:
        ways = 2 if awake.active else 1
    assert len(measures) == 2 * 2 * ways
    assert [measure.at_most for measure in measures if measure.at_most] == [1.8, 2.4][: 2 * (ways - 1)]
    assert all(measure.median > 0 and " us; " in measure.note for measure in measures)


@pytest.mark.campaign
@pytest.mark.real_time
def test_the_echo_answers_as_often() -> None:
    assert len(driver_path.echo(20, PYTHON_PEER)) == 20


@pytest.mark.real_time
def test_the_peer_in_c_plays_the_same_script(tmp_path: Path) -> None:
    peer = driver_path.build_peer(tmp_path)
    if peer == PYTHON_PEER:
        pytest.skip("no C compiler here")
    assert len(driver_path.drive(driver_path.record(20), peer)) == 20
