"""A journal that cannot be written any more, from any line on: the session's records stay, and all goes off."""

import datetime
import errno
import os
from dataclasses import asdict
from pathlib import Path
from random import Random
from typing import Any

import pytest

from rig.boards.simulation import SimulatedRig
from rig.core.errors import RigError
from rig.core.model.rig_spec import SimulationOptions
from rig.records.subject.deliveries import delivered_between
from rig.session.run import journal_file, run_session
from rig.session.spec.request import SessionRequest
from sim_hardware.link_model import LinkFaults
from tests.harness import nose_pokes, run_as
from tests.session.real_driver import RealBoardDriver
from tests.session_specs import protocol_spec

START = datetime.datetime(2026, 11, 21, 9, 0)
LATENCY_S = 0.03
DROP_UL = 2.5


def visits(seed: int) -> tuple[Any, ...]:
    """Return some seconds of pokes, short and long, close to each other."""
    draw = Random(seed)
    pokes, at_us = [], 200_000
    while at_us < 1_900_000:
        port, stay_us = draw.choice(("left", "right", "left")), draw.choice((3_000, 20_000, 80_000))
        pokes.append((at_us, port, stay_us))
        at_us += stay_us + draw.choice((1_000, 30_000, 150_000))
    return tuple(nose_pokes(*pokes))


ROOMS = [pytest.param(room, marks=() if room % 4 == 0 else pytest.mark.campaign) for room in range(10, 70)]


@pytest.mark.parametrize("room", ROOMS)
def test_a_disk_that_is_gone_leaves_the_records_and_no_open_valve(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, room: int
) -> None:
    rigs: list[SimulatedRig] = []

    def watch(rig: Any) -> None:
        rig.world.trace = []
        rigs.append(rig)

    lines = 0

    def write(fd: int, line: bytes) -> int:
        nonlocal lines
        lines += 1
        if lines > room:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return os_write(fd, line)

    os_write = os.write
    monkeypatch.setattr(run_session, "find_driver", lambda name: RealBoardDriver(watch))
    monkeypatch.setattr(journal_file.os, "write", write)
    faults = asdict(LinkFaults(LATENCY_S, LATENCY_S / 2, seed=10))
    simulation = SimulationOptions("scripted", {"edges": visits(10)}, 1, faults=faults)
    request = SessionRequest(data=tmp_path, subject="M1", seed=1, start=START, simulation=simulation)
    outcome = None
    try:
        outcome = run_as(protocol_spec("free_water", pause_s=0.05, stop_session_s=2), request).outcome
    except RigError:  # before the first event
        assert rigs[0].world.trace == []
    openings = sum(level for _, channel, level in rigs[0].world.trace if channel.endswith(".valve"))
    day = START.replace(hour=0)
    total = delivered_between(tmp_path / "M1", day, day + datetime.timedelta(days=1))
    assert total.unknown or total.amount.ul >= DROP_UL * openings
    last = {channel: level for _, channel, level in rigs[0].world.trace}
    assert [channel for channel, level in last.items() if level and not channel.endswith(".beam")] == []
    if openings:
        assert outcome is not None
        assert outcome.reason == "fault"
