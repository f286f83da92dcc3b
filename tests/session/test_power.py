"""A power cut at any moment of a real session: what was not synced is lost, torn, or a hole of zeros.

The session runs in virtual time, and its chip outlives the cut until its lease expires. Every file operation is
followed; what the disk holds afterwards is made up from what was synced and, by chance, of what was not.
"""

import datetime
import os
import random
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from rig.core.errors import RecordError, RigError
from rig.core.journal.kinds import TrialLine
from rig.core.model.actions import Amount
from rig.core.model.rig_spec import SimulationOptions
from rig.records.journal.read import JOURNAL, scan_journal
from rig.records.recover import recover
from rig.records.session import power_loss
from rig.records.subject.deliveries import declare_amount, delivered_between
from rig.session.run import journal_file as recorder_module
from rig.session.run import run_session as perform_module
from rig.session.spec.request import SessionRequest
from sim_hardware.driver import SimRig
from tests.harness import run_as
from tests.session.real_driver import RealBoardDriver
from tests.session_specs import protocol_spec

START = datetime.datetime(2026, 11, 21, 9, 0)
DAY = START.replace(hour=0)
UL = 2.5
TRIALS = 14
MOST_TOO_MANY = 22
"""Twenty that are allowed ahead, one that is armed, and one on its way."""

_EDGES = tuple(
    edge
    for trial in range(TRIALS)
    for edge in (
        (1_000_000 + 700_000 * trial, "center", 1),
        (1_050_000 + 700_000 * trial, "center", 0),
        (1_100_000 + 700_000 * trial, "left", 1),
        (1_200_000 + 700_000 * trial, "left", 0),
    )
)


class PowerCut(BaseException):
    """The program is no more."""


@dataclass
class Disk:
    """What lies below a folder, and what of it would survive a power cut: contents, and names in their folders."""

    root: Path
    chance: random.Random
    cut_at: int
    on_cut: Callable[[], None]
    operations: int = 0
    after: dict[Path, bytes | None] | None = None
    contents: dict[Path, bytes] = field(default_factory=dict)
    names: dict[Path, set[str]] = field(default_factory=dict)
    replaced: dict[Path, bytes | None] = field(default_factory=dict)
    """What a file was before one that is not yet sure to have its name."""

    def happen(self) -> None:
        """Count an operation; at the one that is chosen the power fails."""
        self.operations += 1
        if self.operations == self.cut_at:
            self.after = self._survivors()
            self.on_cut()

    def sync_file(self, path: Path) -> None:
        self.contents[path] = path.read_bytes()

    def sync_folder(self, path: Path) -> None:
        self.names[path] = {entry.name for entry in path.iterdir()}
        for gone in [one for one in self.replaced if one.parent == path]:
            del self.replaced[gone]

    def replace(self, old: Path, new: Path) -> None:
        """A file takes another's place; until its folder is synced either may be there."""
        if new not in self.replaced:
            self.replaced[new] = self.contents.get(new) if new.exists() else None
        self.contents[new] = self.contents.pop(old, b"")

    def _survivors(self) -> dict[Path, bytes | None]:
        found: dict[Path, bytes | None] = {}
        for folder, folders, files in os.walk(self.root):
            here = Path(folder)
            folders[:] = [name for name in folders if self._stays(here, name)]
            for name in folders:
                found[here / name] = None
            for name in files:
                path = here / name
                if path in self.replaced and self.chance.random() < 0.5:
                    before = self.replaced[path]
                    if before is not None:
                        found[path] = before
                elif self._stays(here, name):
                    found[path] = self._content(path)
        return found

    def _stays(self, folder: Path, name: str) -> bool:
        return name in self.names.get(folder, set()) or self.chance.random() < 0.5

    def _content(self, path: Path) -> bytes:
        live, sure = path.read_bytes(), self.contents.get(path, b"")
        if live == sure or not live.startswith(sure):
            return sure if self.chance.random() < 0.5 else live
        cut = self.chance.randint(len(sure), len(live))
        on = self.chance.randint(cut, len(live))
        ways = (sure, live, live[:cut], live[:cut] + bytes(on - cut), live[:cut] + bytes(on - cut) + live[on:])
        return self.chance.choice(ways)

    def write_to(self, root: Path) -> None:
        """Put down what is left after the cut."""
        assert self.after is not None
        root.mkdir()
        for path, content in self.after.items():
            place = root / path.relative_to(self.root)
            if content is None:
                place.mkdir(parents=True, exist_ok=True)
            else:
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(content)


@contextmanager
def followed(disk: Disk) -> Iterator[None]:
    """Let a disk know of every operation on its files."""
    real = {name: getattr(os, name) for name in ("write", "fsync", "fdatasync", "replace", "mkdir", "unlink")}

    def inside(path: Any) -> bool:
        return disk.root in Path(path).parents or Path(path) == disk.root

    def of(descriptor: int) -> Path:
        return Path(os.readlink(f"/proc/self/fd/{descriptor}"))

    def sync(name: str) -> Callable[[int], None]:
        def synced(descriptor: int) -> None:
            path = of(descriptor)
            if inside(path):
                disk.happen()
                (disk.sync_folder if path.is_dir() else disk.sync_file)(path)
            real[name](descriptor)

        return synced

    def write(descriptor: int, data: bytes) -> int:
        if inside(of(descriptor)):
            disk.happen()
        return int(real["write"](descriptor, data))

    def replace(old: Any, new: Any) -> None:
        if inside(new):
            disk.happen()
            disk.replace(Path(old), Path(new))
        real["replace"](old, new)

    def other(name: str) -> Callable[..., None]:
        def done(path: Any, *rest: Any, **more: Any) -> None:
            if "dir_fd" not in more and inside(path):
                disk.happen()
            real[name](path, *rest, **more)

        return done

    ours = {"write": write, "fsync": sync("fsync"), "fdatasync": sync("fdatasync"), "replace": replace}
    ours |= {"mkdir": other("mkdir"), "unlink": other("unlink")}
    with patch.multiple(os, **ours), patch.object(recorder_module, "sync_data", ours["fdatasync"]):
        yield


@dataclass(frozen=True)
class Fate:
    """What a power cut came to."""

    operations: int
    fell: int
    counted: int | None
    """None where the day is unknown."""
    readable: bool


def session(data: Path, disk: Disk, seed: int, rigs: list[SimRig]) -> None:
    """Run a real session whose helper thread syncs by chance; none of it matters once the power has failed."""
    helper = random.Random(f"{seed}/helper")
    append = recorder_module.Recorder.append

    def append_and_sync(self: Any, line: bytes) -> None:
        append(self, line)
        if helper.random() < 0.1:
            self._sync()

    def wire(rig: SimRig) -> None:
        rig.world.trace = []
        rig.cable.plugged = disk.after is None
        rigs.append(rig)

    prepared = protocol_spec(p_high=1, p_low=1, allow_asymmetric="true", iti_min_s=0.2, stop_session_s=13, reward_ul=UL)
    simulation = SimulationOptions("scripted", {"edges": _EDGES}, seed)  # type: ignore[dict-item]
    with (
        followed(disk),
        patch.object(perform_module, "find_driver", lambda name: RealBoardDriver(wire)),
        patch.object(recorder_module, "SYNC_S", 1_000),
        patch.object(recorder_module.Recorder, "append", append_and_sync),
        suppress(RigError),
    ):
        run_as(prepared, SessionRequest(data=data, subject="M1", seed=seed, start=START, simulation=simulation))


def openings(rigs: list[SimRig]) -> int:
    return sum(bool(value) for rig in rigs for _, name, value in rig.world.trace or () if name.endswith(".valve"))


def power_fails(folder: Path, seed: int, operations: int) -> Fate:
    """Let the power fail at some operation of a session, perhaps at one of its recovery too, and judge what is left."""
    chance = random.Random(f"{seed}/cut")
    rigs: list[SimRig] = []

    def unplug() -> None:
        for rig in rigs:
            rig.cable.plugged = False  # what is on its way arrives, and nothing more is sent

    before, after = folder / "before", folder / "after"
    disk = Disk(before, chance, chance.randint(1, operations), unplug)
    before.mkdir(parents=True)
    session(before, disk, seed, rigs)
    if disk.after is None:
        disk.after = disk._survivors()
    disk.write_to(after)
    with patch.object(power_loss, "boot_id", lambda: "the next start"):
        after = recovered_in_vain(folder, after, chance) if chance.random() < 0.3 else after
        fate = judge(after / "M1", openings(rigs), disk.operations)
    shutil.rmtree(folder)
    return fate


def recovered_in_vain(folder: Path, data: Path, chance: random.Random) -> Path:
    """Let the power fail in the middle of a recovery, too."""

    def stop() -> None:
        raise PowerCut

    again = folder / "again"
    disk = Disk(data, chance, chance.randint(1, 12), stop)
    for path in [data, *data.rglob("*")]:
        if path.is_dir():
            disk.names[path] = {entry.name for entry in path.iterdir()}
        else:
            disk.contents[path] = path.read_bytes()
    with followed(disk), suppress(PowerCut, RecordError):
        for place in sorted((data / "M1").glob("*/*")):
            recover(place)
    if disk.after is None:
        return data
    disk.write_to(again)
    return again


def judge(subject: Path, fell: int, operations: int) -> Fate:
    """Hold what is left to what fell."""
    places = sorted(subject.glob("*/*"))
    before = total(subject, places, fell)
    readable = bool(places)
    for place in places:
        try:
            recover(place)
        except RecordError:
            readable = False
            continue
        left = (place / JOURNAL).read_bytes()
        recover(place)
        assert (place / JOURNAL).read_bytes() == left, "a second recovery changes nothing"
        rows = [line for line in scan_journal(place / JOURNAL).lines if isinstance(line, TrialLine)]
        assert sum(line.row["rewarded"] for line in rows) <= fell, "a reward that never fell"
    after = total(subject, places, fell)
    assert before == after or None in (before, after)
    return Fate(operations, fell, after, readable)


def total(subject: Path, places: list[Path], fell: int) -> int | None:
    """Ask for the day's total: never less than fell, not many more; an unknown one can be settled."""
    found = delivered_between(subject, DAY, DAY + datetime.timedelta(days=1))
    if not found.unknown:
        assert fell <= round(found.amount.ul / UL) <= fell + MOST_TOO_MANY
        return round(found.amount.ul / UL)
    assert {one.folder for one in found.unknown} <= set(places)
    for one in found.unknown:
        declare_amount(one.folder, Amount(UL * fell), "Ada", "as the bottle says", START)
    settled = delivered_between(subject, DAY, DAY + datetime.timedelta(days=1))
    assert (settled.amount.ul, settled.unknown) == (UL * fell, ())
    for one in found.unknown:
        (one.folder / "declared.json").unlink()
    return None


def fail_often(folder: Path, seeds: range) -> list[Fate]:
    rigs: list[SimRig] = []
    whole = Disk(folder / "whole", random.Random(0), -1, lambda: None)
    whole.root.mkdir()
    session(whole.root, whole, 0, rigs)
    assert openings(rigs) == TRIALS
    return [power_fails(folder / str(number), seed, whole.operations) for number, seed in zip(count(), seeds)]


def test_after_a_power_cut_no_drop_is_discarded(tmp_path: Path) -> None:
    fates = fail_often(tmp_path, range(25))
    assert any(fate.fell for fate in fates)
    assert any(fate.counted is not None and fate.counted > fate.fell for fate in fates)


@pytest.mark.campaign
def test_after_a_thousand_power_cuts_no_drop_is_discarded(tmp_path: Path) -> None:
    fates = fail_often(tmp_path, range(1000, 2000))
    known = [fate for fate in fates if fate.counted is not None]
    print(f"{len(fates)} power cuts, {sum(fate.fell for fate in fates)} drops fell")  # noqa: T201
    print(f"{len(fates) - len(known)} days unknown, {sum(fate.readable for fate in fates)} records readable")  # noqa: T201
    print(f"{sum(fate.counted - fate.fell for fate in known if fate.counted is not None)} drops too many")  # noqa: T201
