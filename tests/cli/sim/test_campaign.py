"""Campaigns in several processes, and the odd places a command may be started from."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from rig.core.journal.header import Footer
from rig.records.journal.read import scan_journal
from tests.cli.conftest import BANDIT, Rig
from tests.cli.processes import journal_paths, posix, start, until
from tests.cli.recorded_sessions import without_subject_facts
from tests.session_ends import footer_of

real_time = pytest.mark.real_time
slow = pytest.mark.slow
long = pytest.mark.campaign
linux = pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")
PACED = ("sim", *BANDIT, "--set", "stop.session_s=2400", "--speed", "20", "--subject", "M1", "--json")
ENDLESS = ("sim", *BANDIT, "--set", "stop.session_s=600", "--subjects", "4", "--sessions", "500", "--jobs", "2")


def children_of(pid: int) -> list[int]:
    """The processes that any thread of a process has started."""
    lists = [path.read_text().split() for path in Path(f"/proc/{pid}/task").glob("*/children")]
    return [int(child) for children in lists for child in children]


def runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().split()[2] != "Z"
    except OSError:
        return False


@contextmanager
def campaign(*words: str) -> Iterator["subprocess.Popen[str]"]:
    """Start a campaign in a group of processes of its own, and let none of it survive the test."""
    with start(*words, start_new_session=True) as process:
        try:
            yield process
        except BaseException:
            os.killpg(process.pid, signal.SIGKILL)
            raise


def running_workers(pid: int, data: Path) -> list[int]:
    """Wait until two subjects have sessions; return all processes of the campaign but the first."""
    until(lambda: len({path.parents[2] for path in journal_paths(data)}) >= 2, within_s=120)
    return children_of(pid)


@linux
@real_time
@pytest.mark.parametrize(
    ("signals", "status"),
    [
        pytest.param(["SIGINT"], 130, marks=slow),
        pytest.param(["SIGTERM", "SIGTERM"], 130, marks=long),
        pytest.param(["SIGKILL"], -9, marks=long),
    ],
)
def test_a_campaign_that_is_stopped_leaves_no_process_behind(data: Path, signals: list[str], status: int) -> None:
    """A terminal sends its signal to all processes; another program sends it to the first one."""
    with campaign(*ENDLESS) as process:
        workers = running_workers(process.pid, data)
        assert len(workers) >= 2
        for name in signals:
            send = os.killpg if name == "SIGINT" else os.kill
            send(process.pid, getattr(signal, name))
        out, err = process.communicate(timeout=60)
    assert process.returncode == status
    assert "Traceback" not in err
    until(lambda: not any(runs(pid) for pid in workers))
    journals = list(data.rglob("journal.jsonl"))
    assert len(journals) < 2000
    if signals == ["SIGINT"]:
        assert {footer_of(path).reason for path in journals} == {"time_limit"}, "each was ended"
        assert all((path.parent / "summary.json").exists() for path in journals)
        assert out.count("time_limit") == len(journals)


@long
@linux
@real_time
def test_a_campaign_one_of_whose_processes_is_killed_has_the_same_records(rig: Rig, data: Path, tmp_path: Path) -> None:
    words = ("sim", *BANDIT, "--set", "stop.session_s=600", "--subjects", "2", "--sessions", "4")
    with campaign(*words, "--jobs", "2") as process:
        for pid in running_workers(process.pid, data):
            if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes():
                os.kill(pid, signal.SIGKILL)
        _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (0, "")
    whole = tmp_path / "whole"
    assert rig(*words, "--data", whole).status == 0
    for name in ("journal.jsonl", "state.json", "trials.csv"):
        here, there = ({path.relative_to(at): path.read_bytes() for path in at.rglob(name)} for at in (data, whole))
        assert here == there


def test_a_paced_campaign_in_several_processes_is_refused(rig: Rig) -> None:
    answer = rig(*ENDLESS, "--speed", "20")
    assert answer.status == 2
    assert "--speed 20 with --jobs 2" in answer.err


@posix
@real_time
def test_two_signals_end_a_session_without_waiting_and_with_a_footer(data: Path) -> None:
    with start(*PACED) as process:
        until(lambda: journal_paths(data))
        for _ in range(2):
            process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "Traceback" not in err
    assert json.loads(out)["sessions"][0]["reason"] == "operator"
    assert footer_of(journal_paths(data)[0]).reason == "operator"


@posix
@real_time
def test_a_session_under_nohup_does_not_end_with_its_terminal(data: Path) -> None:
    words = ("sim", *BANDIT, "--speed", "60", "--subject", "M1")
    with start(*words, shell="trap '' HUP; exec \"$@\"") as process:
        until(lambda: journal_paths(data))
        process.send_signal(signal.SIGHUP)
        process.communicate(timeout=30)
    assert process.returncode == 0
    assert footer_of(journal_paths(data)[0]).reason == "time_limit"


@posix
def test_a_disk_that_fills_ends_the_session_with_status_1_and_a_whole_journal(data: Path) -> None:
    with start("sim", *BANDIT, "--subject", "M1", shell='ulimit -f 30; exec "$@"') as process:
        out, err = process.communicate(timeout=30)
    assert process.returncode == 1
    assert "a line could not be written" in " ".join(out.split())
    assert "Traceback" not in err
    journal = journal_paths(data)[0]
    found, size = scan_journal(journal), journal.stat().st_size
    assert (found.damage, found.torn_bytes) == ([], 0)
    assert size in range(30 * 512 - 1000, 30 * 512 + 1) or size > 30 * 1024 - 1000
    assert json.loads((data / "sim" / "M1" / "state.json").read_text()) == {}


@posix
@pytest.mark.parametrize("words", [("sim", *BANDIT, "--subject", "M1"), ("show", "graph", "free_water")])
def test_a_closed_terminal_is_no_failure(data: Path, words: tuple[str, ...]) -> None:
    with start(*words, shell='exec "$@" >&-') as process:
        _, err = process.communicate(timeout=30)
    assert (process.returncode, err) == (0, "")


@pytest.mark.parametrize("words", [("sim", "--help"), ("run", "--help"), ("sim", *BANDIT, "--subjects", "2")])
def test_a_terminal_that_knows_only_ascii_is_enough(data: Path, words: tuple[str, ...]) -> None:
    with start(*words, env={"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}) as process:
        out, err = process.communicate(timeout=30)
    assert (process.returncode, err) == (0, "")
    assert out.isascii()


@posix
@real_time
def test_a_rat_that_was_killed_in_a_lap_gets_its_condition_back_once(rig: Rig, data: Path, tmp_path: Path) -> None:
    maze = ("sim", "delay_discounting", "--model", "rat", "--subject", "R1", "--start", "2026-11-21", "--set")
    maze += ("stop.session_s=900",)
    whole = tmp_path / "whole"
    assert rig(*maze, "--sessions", 3, "--data", whole).status == 0
    assert rig(*maze, "--sessions", 2).status == 0
    killed = data / "sim" / "R1" / "2026-11-23" / "001"
    with start(*maze, "--start-day", "3", "--speed", "100") as process:
        until(lambda: (killed / "journal.jsonl").exists() and (killed / "journal.jsonl").stat().st_size > 10_000)
        process.kill()
    assert not isinstance(scan_journal(killed / "journal.jsonl").lines[-1], Footer)
    assert rig("recover", killed).status == 0
    assert rig("replay", killed).status == 0
    assert rig(*maze, "--start-day", 3).status == 0
    again, alone = (folder / "sim" / "R1" / "2026-11-23" for folder in (data, whole))
    assert without_subject_facts(again / "002") == without_subject_facts(alone / "001")
    state = (data / "sim" / "R1" / "state.json").read_bytes()
    assert state == (whole / "sim" / "R1" / "state.json").read_bytes()
    assert rig("subject", "rebuild", "R1", "--sim").status == 0
    assert (data / "sim" / "R1" / "state.json").read_bytes() == state


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_campaign_that_is_refused_on_its_second_day_says_that_the_first_one_ran(
    rig: Rig, data: Path, tmp_path: Path, jobs: int
) -> None:
    path = tmp_path / "course.yaml"
    path.write_text(
        "stages:\n  water:\n    protocol: free_water\n    rules: [{to: disks, when: [{sessions: 1}]}]\n"
        "  disks: {protocol: disk_bandit}\n"
    )
    words = ("--model", "random", "--start", "2026-11-21", "--set", "stop.session_s=60", "--subjects", 2, "--days", 3)
    answer = rig("sim", "--curriculum", path, *words, "--jobs", jobs)
    assert answer.status == 2
    assert "model 'random' needs left, center, right" in answer.err
    kept = {name: data / "sim" / name / "2026-11-21" / "001" for name in ("sim001", "sim002")}
    # Of two jobs either may be refused first.
    assert any(
        f"1 session of {name} ran before the one that is refused, records: {folder}\n" in answer.err
        for name, folder in kept.items()
    )


def test_a_campaign_whose_second_subject_is_refused_says_that_the_first_one_ran(rig: Rig, data: Path) -> None:
    words = ("--model", "random", "--start", "2026-11-21", "--set", "stop.session_s=60", "--subjects", 2)
    (data / "sim" / "sim002").mkdir(parents=True)
    (data / "sim" / "sim002" / "state.json").write_text("{")
    answer = rig("sim", "free_water", *words, "--sessions", 2)
    assert answer.status == 2
    days = data / "sim" / "sim001"
    assert f"2 sessions of other subjects ran, records: {days}/2026-11-21/001 ... {days}/2026-11-22/001\n" in answer.err
