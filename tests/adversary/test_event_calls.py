"""Every call to the system of a command that appends to a subject's events: it fails, or is the last before a kill.

Afterwards all acknowledged events are there, and the next event is written.
"""

import asyncio
import random
import shutil
import sys
from pathlib import Path

import pytest

from rig.core.journal.kinds import Torn
from rig.records.subject_events import EVENTS, read_events
from tests.adversary.forge import Fault, Forge, Ran, faults_of
from tests.adversary.test_system_calls import total_of

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or shutil.which("gcc") is None, reason="stands between a program and glibc"
)
BEFORE = 3
"""Events that were acknowledged before."""


def words(data: Path, what: str, amount: str) -> list[str]:
    return ["subject", what, "M1", amount, "--by", "Ada", "--data", str(data)]


async def judge(forge: Forge, folder: Path, fault: Fault, what: str, amount: str) -> list[str]:
    """Run the command with a fault; return what is wrong afterwards."""
    ran = await forge.run(folder, words(folder / "data", what, amount), fault)
    subject = folder / "data" / "M1"
    found = read_events(subject)
    own = [event for event in found.lines if not isinstance(event, Torn)]
    wrong = []
    if not fault.kills and (ran.status not in (0, 1, 2) or "Traceback" in ran.said or "rig has failed" in ran.said):
        wrong.append(f"status {ran.status}: {ran.said[-300:]}")
    if len(own) < BEFORE + (ran.status == 0):
        wrong.append(f"status {ran.status}, and {len(own)} events are left")
    after = await forge.run(folder, words(folder / "data", "weigh", "25"))
    again = read_events(subject)
    if after.status != 0 or getattr(again.lines[-1], "weight_g", None) != 25 or len(again.lines) <= len(own):
        wrong.append(f"the next event: {after.status} {after.said[-300:]}")
    total = total_of(subject)
    if not total.unknown and total.amount.ul < 10 * (1 + (what == "give" and ran.status == 0)):
        wrong.append(f"status {ran.status}, and {total.amount.ul:g} ul are counted")
    return wrong


def spoil(folder: Path, what: str, amount: str, most: int | None) -> None:
    async def begun(forge: Forge, place: Path) -> None:
        for each in (("add", "--species", "mouse"), ("weigh", "24"), ("give", "10ul")):
            line = ["subject", each[0], "M1", *each[1:], "--by", "Ada", "--data", str(place / "data")]
            ran = await forge.run(place, line)
            assert ran.status == 0, ran.said
        assert len(read_events(place / "data" / "M1").lines) == BEFORE

    async def main(forge: Forge) -> dict[str, list[str]]:
        first = folder / "first"
        first.mkdir()
        await begun(forge, first)
        shutil.copytree(first, folder / "recorded")
        recorded: Ran = await forge.run(folder / "recorded", words(folder / "recorded" / "data", what, amount))
        assert recorded.status == 0, recorded.said
        faults = faults_of(recorded.calls)
        chosen = [fault for fault in faults if fault.path.endswith((EVENTS, ".events.jsonl.new", ".events.lock"))]
        if most is not None:
            chosen = random.Random("sample").sample(chosen, min(most, len(chosen)))
        found = {}
        for number, fault in enumerate(chosen):
            case = folder / f"{number:04d}"
            shutil.copytree(first, case)
            if wrong := await judge(forge, case, fault, what, amount):
                found[str(fault)] = wrong
            shutil.rmtree(case)
        print(f"{what}: {len(chosen)} of {len(faults)} faults, {len(found)} wrong", flush=True)  # noqa: T201
        return found

    place = folder / "forge"
    place.mkdir()
    with Forge(place) as forge, asyncio.Runner(loop_factory=asyncio.SelectorEventLoop) as runner:
        assert runner.run(main(forge)) == {}


@pytest.mark.parametrize(("what", "amount"), [("weigh", "26"), ("give", "10ul")])
def test_any_call_of_an_append_may_fail_or_be_the_last(tmp_path: Path, what: str, amount: str) -> None:
    spoil(tmp_path, what, amount, 12)


@pytest.mark.campaign
@pytest.mark.parametrize(("what", "amount"), [("weigh", "26"), ("give", "10ul")])
def test_all_calls_of_an_append_may_fail_or_be_the_last(tmp_path: Path, what: str, amount: str) -> None:
    spoil(tmp_path, what, amount, None)
