"""Every call to the system of a real session: it fails, falls short, or is the last one before ``kill -9``.

The board and its animal live in the test's own process and survive. After each: what left the valves is counted, the
record is readable, the state is right or refused with a remedy that works, and everything is off.
"""

import asyncio
import errno
import random
import re
import shlex
import shutil
import sys
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from rig.records.journal.read import rows_of, scan_journal
from rig.records.subject.deliveries import DeliveredTotal, delivered_between
from rig.session.replay import replay_lines
from rig.session.run.journal_file import JOURNAL
from rig.session.spec.build import load_rig_spec
from tests.adversary.chip import Chip
from tests.adversary.forge import KILL_AFTER, Fault, Forge, Ran, faults_of
from tests.avr_tools import need_avr_tools
from tests.port_rigs import write_port_rig

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="stands between a program and glibc")

LEASE_S = 0.3
UL = 1.1
KEPT = (JOURNAL, "environment.json", "trials.csv", "summary.json", "config/rigs/here.yaml")
STATUSES = (0, 1, 2, 3, 130)
ALLOWED = 30
"""So many rewards may be counted where it is not known whether the machine went down."""
REPLAYED = 20
"""Of so many cases one is replayed: a record that is whole is whole in all of them."""
QUICK = ("params.iti_min_s=0.002", "params.choice_window_s=0.3", f"params.reward_ul={UL}", "params.p_high=0.9")


@pytest.fixture(scope="module")
def forge(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Forge]:
    need_avr_tools()
    with Forge(tmp_path_factory.mktemp("forge")) as made:
        yield made


@dataclass
class Case:
    """A folder with a rig and a subject's records, and what the subject was really given since."""

    folder: Path
    given_before_ul: float = 0.0
    openings: int = 0
    wrong: list[str] = field(default_factory=list)

    @property
    def data(self) -> Path:
        return self.folder / "data"

    @property
    def subject(self) -> Path:
        return self.data / "M1"

    @property
    def sessions(self) -> list[Path]:
        return sorted(self.subject.glob("????-??-??/*"))

    @property
    def newest(self) -> Path:
        return self.sessions[-1]

    def copy(self, folder: Path) -> "Case":
        shutil.copytree(self.folder, folder)
        return Case(folder, self.given_before_ul)

    def wire(self, port: Path) -> None:
        write_port_rig(self.folder, port, f"driver: serial, lease_s: {LEASE_S}", beam_lockout_us=500)

    def run_words(self, trials: int = 4) -> list[str]:
        words = ["run", "two_armed_bandit", "--rig", f"{self.folder}/rigs/here.yaml", "--data", str(self.data)]
        words += ["--subject", "M1", "--yes", "--override", "weight=a test", "--seed", "7"]
        words += [] if (self.data / "M1").is_dir() else ["--new"]
        words += [] if self.subject.exists() else ["--new"]
        return [*words, *(word for setting in (*QUICK, f"stop.max_trials={trials}") for word in ("--set", setting))]

    def given_words(self, *words: str) -> list[str]:
        said = ("--by", "Tester", "--reason", "a test", "--data", str(self.data))
        return ["subject", "give", "M1", f"{UL}ul", *words, *said]

    def recover_words(self) -> list[str]:
        return ["recover", str(self.newest)]

    def rebuild_words(self) -> list[str]:
        return ["subject", "rebuild", "M1", "--data", str(self.data)]


async def run_session(forge: Forge, case: Case, fault: Fault | None = None) -> Ran:
    """Run a session on a board that survives it, until the board has gone dark."""
    case.wire(Path("/dev/nowhere"))
    chip = Chip(load_rig_spec(f"{case.folder}/rigs/here.yaml", "sim"), 1)
    case.wire(chip.port)
    try:
        ran = await forge.run(case.folder, case.run_words(), fault)
        await asyncio.sleep(0 if ran.status == 0 else LEASE_S + 0.1)
        case.openings = len(chip.openings)
        if ran.status == 0:
            case.wrong += [f"status 0 and no {name}" for name in KEPT if not (case.newest / name).exists()]
        if chip.on:
            case.wrong.append(f"left on: {chip.on}")
    finally:
        await chip.close()
    case.wire(Path("/dev/nowhere"))
    return ran


# --- what is asked of the records --------------------------------------------------------------------------------


def total_of(subject: Path) -> DeliveredTotal:
    """Ask what was given, by the records as they are."""
    now = datetime.now()
    return delivered_between(subject, now - timedelta(days=2), now + timedelta(days=2))


async def judge(forge: Forge, case: Case, ran: Ran, fault: Fault) -> None:
    """Hold what is left to what happened."""
    wrong = case.wrong
    if not fault.kills:
        judge_end(case, ran)
    truth = case.given_before_ul + UL * case.openings
    total = total_of(case.subject)
    if total.amount.ul < truth - 1e-6 and not total.unknown:
        wrong.append(f"{truth:g} ul were given, and the record says {total.amount.ul:g}")
    for session in case.sessions[1:]:
        await judge_session(forge, case, session)
    total = total_of(case.subject)
    most = truth + UL * (ALLOWED if fault.path.endswith("environment.json") else 1)  # it says which start it was
    if not total.unknown and not truth - 1e-6 <= total.amount.ul <= most + 1e-6:
        wrong.append(f"{truth:g} ul were given, and the recovered record says {total.amount.ul:g}")
    await judge_next(forge, case, clean=ran.status == 0)


def judge_end(case: Case, ran: Ran) -> None:
    if ran.status not in STATUSES or "Traceback" in ran.said or "rig has failed" in ran.said:
        case.wrong.append(f"status {ran.status}: {ran.said[-500:]}")
    if ran.status in (2, 3) and case.openings:
        case.wrong.append(f"status {ran.status} after {case.openings} drops: {ran.said[-300:]}")


async def judge_session(forge: Forge, case: Case, session: Path) -> None:
    """Recover a session; a second time changes nothing."""
    journal = session / JOURNAL
    if not journal.exists():
        return
    recovered = await forge.run(case.folder, ["recover", str(session)])
    whole = scan_journal(journal)
    if not whole.lines:
        if recovered.status not in (1, 2) or "nothing can be recovered" not in recovered.said:
            case.wrong.append(f"recover of nothing: {recovered.status} {recovered.said[-300:]}")
        return
    if recovered.status != 0 or whole.footer is None:
        case.wrong.append(f"recover: {recovered.status} {recovered.said[-300:]}")
        return
    before = snapshot(session)
    again = await forge.run(case.folder, ["recover", str(session)])
    if again.status != 0 or snapshot(session) != before:
        case.wrong.append(f"recover again: {again.status} {again.said[-300:]}, {changed(before, snapshot(session))}")
    lines, rewards = scan_journal(journal).lines, whole.footer.rewards
    rewarded = sum(bool(row["rewarded"]) for row in rows_of(lines))
    if rewards < rewarded:
        case.wrong.append(f"{rewarded} rewarded trials, {rewards} rewards")
    if random.Random(str(session)).randrange(REPLAYED) == 0 and (await asyncio.to_thread(replay_lines, lines))[1]:
        case.wrong.append("a replay differs")


def snapshot(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def changed(before: dict[str, bytes], after: dict[str, bytes]) -> list[str]:
    return sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name))


async def judge_next(forge: Forge, case: Case, *, clean: bool) -> None:
    """The next session would begin (its board is not there), or names a remedy that lets it."""
    tried: list[str] = []
    while (ran := await forge.run(case.folder, case.run_words())).status != 3:
        judge_end(case, ran)
        remedy = re.search(r"rig subject (rebuild|give) [^`\n]*", ran.said)
        if clean or remedy is None or len(tried) > 3:
            case.wrong.append(f"the next session is refused: {ran.status} {ran.said[-400:]}, {tried}")
            return
        tried.append(remedy[0])
        said = remedy[0].replace("AMOUNT", f"{UL}ul").replace("NAME", "Tester").replace("WHY", "tested")
        where = [] if "--data" in said else ["--data", str(case.data)]
        mended = await forge.run(case.folder, [*shlex.split(said)[1:], *where])
        if mended.status != 0:
            case.wrong.append(f"{said}: {mended.status} {mended.said[-300:]}")


# --- stories -------------------------------------------------------------------------------------------------


async def began(forge: Forge, folder: Path) -> tuple[Case, list[str]]:
    """Make the records of a subject that has had a session, and list the calls of one more."""
    first = Case(folder / "first")
    ran = await run_session(forge, first)
    assert (ran.status, first.openings > 0, first.wrong) == (0, True, []), ran.said
    first.given_before_ul = UL * first.openings
    second = first.copy(folder / "second")
    recorded = await run_session(forge, second)
    assert recorded.status == 0, recorded.said
    return first, recorded.calls


async def crashed(forge: Forge, first: Case, calls: list[str], folder: Path) -> Case:
    """Make the records of a subject whose last session was killed in the middle, within a line."""
    case = first.copy(folder)
    writes = [call for call in calls if call.startswith("write ") and call.endswith(JOURNAL)]
    fault = Fault("write", writes[0].partition(" ")[2], len(writes) * 2 // 3, KILL_AFTER)
    await run_session(forge, case, fault)
    case.given_before_ul += UL * case.openings
    case.openings = 0
    journal = case.newest / JOURNAL
    journal.write_bytes(journal.read_bytes() + b'{"seq":')
    return case


ONCE_WRONG = (
    ("stat", "data/M1", 0, errno.EACCES),
    ("flock", "data/M1/.lock", 1, errno.ENOLCK),
    ("flock", "data/M1/.lock", 3, errno.ENOLCK),
    ("flock", "data/M1/.events.lock", 1, errno.ENOLCK),
    ("statvfs", "data/M1", 0, errno.EIO),
    ("stat", "data/M1/state.json", 0, errno.EACCES),
)
"""Which once ended in a mistake of our own."""

Story = Callable[[Case, Fault | None], Awaitable[Ran]]


async def do_all(
    forge: Forge, folder: Path, begin: Case, faults: list[Fault], story: Story, at_once: int
) -> dict[str, list[str]]:
    """Let each of many things go wrong; return what is wrong afterwards."""
    found: dict[str, list[str]] = {}
    met: Counter[bool] = Counter()
    left = list(reversed(list(enumerate(faults))))

    async def work() -> None:
        while left:
            number, fault = left.pop()
            case = begin.copy(folder / f"{number:05d}")
            ran = await story(case, fault)
            met[ran.met] += 1
            await judge(forge, case, ran, fault)
            if case.wrong:
                found[str(fault)] = case.wrong
                print(case.folder, fault, case.wrong, flush=True)  # noqa: T201
            else:
                shutil.rmtree(case.folder)

    async with asyncio.TaskGroup() as group:
        for n in range(at_once):
            group.create_task(work(), name=f"worker {n}")
    print(f"{len(faults)} faults, {met[True]} of them met, {len(found)} wrong", flush=True)  # noqa: T201
    assert met[True] >= 0.9 * len(faults)
    return found


def sample(faults: list[Fault], most: int | None) -> list[Fault]:
    """Draw some: those that went wrong once, then of every kind of call before another of the same."""
    shuffled = random.Random("sample").sample(faults, len(faults))
    seen: Counter[str] = Counter()
    ranked = [(-1, fault) for fault in shuffled if (fault.call, fault.path, fault.nth, fault.error) in ONCE_WRONG]
    for fault in shuffled:
        ranked.append((seen[fault.call], fault))
        seen[fault.call] += 1
    return [fault for _, fault in sorted(ranked, key=lambda pair: pair[0])][:most]


def sessions(forge: Forge, folder: Path, most: int | None) -> None:
    async def main() -> dict[str, list[str]]:
        first, calls = await began(forge, folder)
        print(len(calls), "calls", dict(Counter(call.partition(" ")[0] for call in calls)))  # noqa: T201
        return await do_all(
            forge, folder / "cases", first, sample(faults_of(calls), most), lambda c, f: run_session(forge, c, f), 4
        )

    with asyncio.Runner(loop_factory=asyncio.SelectorEventLoop) as runner:
        assert runner.run(main()) == {}


def repairs(forge: Forge, folder: Path, most: int | None) -> None:
    async def spoil(
        name: str, begin: Case, words: Callable[[Case], list[str]], gives_ul: float = 0
    ) -> dict[str, list[str]]:
        recorded = await forge.run((copy := begin.copy(folder / f"{name} as it should")).folder, words(copy))
        assert recorded.status == 0, recorded.said

        async def story(case: Case, fault: Fault | None) -> Ran:
            ran = await forge.run(case.folder, words(case), fault)
            case.given_before_ul += gives_ul if ran.status == 0 else 0
            return ran

        print(name, len(recorded.calls), "calls")  # noqa: T201
        return await do_all(forge, folder / name, begin, sample(faults_of(recorded.calls), most), story, 4)

    async def main() -> dict[str, list[str]]:
        first, calls = await began(forge, folder)
        broken = await crashed(forge, first, calls, folder / "crashed")
        found = await spoil("recover", broken, Case.recover_words)
        found |= await spoil("given", broken, Case.given_words, UL)
        lost = broken.copy(folder / "lost")
        lost.given_before_ul = first.given_before_ul
        (lost.newest / JOURNAL).rename(lost.data / "elsewhere")
        name = f"{lost.newest.parent.name}/{lost.newest.name}"
        found |= await spoil("settle", lost, lambda case: case.given_words("--session", name), UL)
        (first.subject / "state.json").unlink()
        return found | await spoil("rebuild", first, Case.rebuild_words)

    with asyncio.Runner(loop_factory=asyncio.SelectorEventLoop) as runner:
        assert runner.run(main()) == {}


@pytest.mark.real_time
def test_a_session_with_a_failing_system_call_loses_no_drop(forge: Forge, tmp_path: Path) -> None:
    sessions(forge, tmp_path, 18)


@pytest.mark.real_time
def test_a_repair_of_which_a_call_to_the_system_goes_wrong_can_be_done_again(forge: Forge, tmp_path: Path) -> None:
    repairs(forge, tmp_path, 5)


@pytest.mark.campaign
def test_every_call_to_the_system_of_a_session_may_go_wrong(forge: Forge, tmp_path: Path) -> None:
    sessions(forge, tmp_path, None)


@pytest.mark.campaign
def test_every_call_to_the_system_of_a_repair_may_go_wrong(forge: Forge, tmp_path: Path) -> None:
    repairs(forge, tmp_path, None)
