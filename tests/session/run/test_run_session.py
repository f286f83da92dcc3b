"""A whole session with its records: the lock, the folder, the board, the run, the state afterwards."""

import asyncio
import datetime
import errno
import hashlib
import json
import os
import shutil
import signal
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from protocols.two_armed_bandit.task import TwoArmedBandit
from rig.boards.driver_lookup import Connection, Driver, find_driver
from rig.config.limits import LimitOverride
from rig.config.subject import limits_of
from rig.core.errors import BoardNotFoundError, ConfigError, RecordError
from rig.core.journal.header import DailyLimitOverride
from rig.core.model.rig_spec import SimulationOptions
from rig.records.journal.read import read_journal, scan_journal
from rig.session.daily_total import load_daily_total
from rig.session.replay import replay_lines
from rig.session.run import journal_file as recorder_module
from rig.session.run import run_session as module
from rig.session.run.disk_space import check_space
from rig.session.run.journal_file import Recorder
from rig.session.run.run_session import SessionResult, is_simulated
from rig.session.spec.request import SessionRequest
from rig.session.spec.session_spec import SessionSpec
from rig.session.subject_folder import SubjectFolder
from sim_hardware.driver import SimDriver, SimRig
from tests.harness import run_as
from tests.journal_lines import as_json
from tests.session.real_driver import RealBoardDriver
from tests.session_ends import footer_of, header_of
from tests.session_specs import protocol_spec
from tests.tables import rows

LEFT_THROUGHOUT = {"start_high_side": "left", "last_high_side": "left"}

START = datetime.datetime(2026, 11, 21, 9, 0)
EDGES = ((2_000_000, "center", 1), (2_100_000, "center", 0), (2_500_000, "left", 1), (2_900_000, "left", 0))


def order(data: Path, subject: str = "M1", **changes: Any) -> SessionRequest:
    simulation = SimulationOptions("scripted", {"edges": EDGES}, 1)  # type: ignore[dict-item]
    return replace(SessionRequest(data=data, subject=subject, seed=1, start=START, simulation=simulation), **changes)


def bandit(**values: Any) -> SessionSpec:
    return protocol_spec(**{"p_high": 1, "start_high_side": "left", "stop_session_s": 5, **values})


def state_of(data: Path, subject: str = "sim/M1") -> Any:
    return json.loads((data / subject / "state.json").read_text())


def files(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def use(monkeypatch: pytest.MonkeyPatch, driver: Driver) -> None:
    monkeypatch.setattr(module, "find_driver", lambda name: driver)


@pytest.fixture
def real(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every board pass for a real one: only what a real subject gets counts for its day."""
    use(monkeypatch, RealBoardDriver())


REAL = pytest.mark.usefixtures("real")


# --- as it should be ------------------------------------------------------------------------------------------


def test_a_session_leaves_its_records_and_nothing_else(tmp_path: Path) -> None:
    performed = run_as(bandit(), order(tmp_path))
    assert performed.folder == tmp_path / "sim" / "M1" / "2026-11-21" / "001"
    assert files(performed.folder) == [
        "config/calibrations/sim_left.yaml",
        "config/calibrations/sim_right.yaml",
        "config/protocols/two_armed_bandit.yaml",
        "config/rigs/sim_nose_ports.yaml",
        "config/tables/decisions.py",
        "config/tables/recorded_trials.py",
        "config/two_armed_bandit/blocks.py",
        "config/two_armed_bandit/laser.py",
        "config/two_armed_bandit/params.py",
        "config/two_armed_bandit/rows.py",
        "config/two_armed_bandit/task.py",
        "environment.json",
        "journal.jsonl",
    ]
    assert [row["outcome"] for row in performed.rows] == ["rewarded"]
    assert performed.outcome.reason == "time_limit"
    lines = read_journal(performed.folder)
    header = header_of(performed.folder)
    assert header.subject == "M1"
    assert header.start == "2026-11-21T09:00:00"
    assert header.model == "scripted"
    assert performed.header.seed == header.seed == 1
    assert replay_lines(lines)[1] is None


def test_machine_facts_stand_beside_the_journal_and_not_in_it(tmp_path: Path) -> None:
    performed = run_as(bandit(), order(tmp_path))
    facts = json.loads((performed.folder / "environment.json").read_text())
    tones = {"waveform": "square", "half_period_step_ns": 1000 / 256}
    assert facts["board"] == {"name": "sim", "uid": "5131", "firmware": "1.0", "tones": tones}
    assert facts["program"]["name"] == "behavior-rig"
    assert facts["python"] == sys.version.split()[0]
    journal = (performed.folder / "journal.jsonl").read_text()
    for fact in (facts["host"], facts["system"], str(tmp_path)):
        assert fact not in journal


def test_the_same_seed_writes_the_same_bytes_wherever_and_whenever(tmp_path: Path) -> None:
    first = run_as(bandit(), order(tmp_path / "a")).folder / "journal.jsonl"
    second = run_as(bandit(), order(tmp_path / "b")).folder / "journal.jsonl"
    assert first.read_bytes() == second.read_bytes()


def test_sessions_of_one_day_are_numbered_and_carry_on(tmp_path: Path) -> None:
    for number in (1, 2, 3):
        performed = run_as(bandit(), order(tmp_path))
        assert performed.folder.name == f"{number:03d}"
        assert performed.header.carry_over == ({} if number == 1 else LEFT_THROUGHOUT)
    assert state_of(tmp_path) == {"two_armed_bandit": LEFT_THROUGHOUT}


def test_every_protocol_has_its_own_section_of_the_state(tmp_path: Path) -> None:
    run_as(bandit(), order(tmp_path))
    run_as(protocol_spec("free_water", stop_session_s=5), order(tmp_path))
    assert state_of(tmp_path) == {
        "two_armed_bandit": LEFT_THROUGHOUT,
        "free_water": {},
    }


def test_the_folder_is_reported_of_before_the_journal_begins(tmp_path: Path) -> None:
    seen: list[tuple[Path, bool]] = []
    performed = run_as(
        bandit(), order(tmp_path), on_folder=lambda folder: seen.append((folder, (folder / "journal.jsonl").exists()))
    )
    assert seen == [(performed.folder, False)]


def test_a_virtual_subject_is_reported_who_it_is_since_when_it_is_here_and_what_the_protocol_notes(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    hints, notes = [], []

    class Curious(SimDriver):
        def connect(self, plan: Any, simulation: SimulationOptions) -> Connection:
            hints.append(simulation.hints)
            return replace(super().connect(plan, simulation), tell=notes.append)

    use(monkeypatch, Curious())
    pigeon = {"simulation": SimulationOptions("pigeon", seed=1)}
    for day in range(2):
        begins = START + datetime.timedelta(days=day)
        run_as(protocol_spec("disk_bandit", stop_session_s=5), order(tmp_path, "P1", start=begins, **pigeon))
    assert hints == [{"session_s": 5, "subject": "P1", "days": day} for day in range(2)]
    days = [note for note in notes if note.get("what") == "assignment"]
    assert days[1]["prev_vi_s"] == days[0]["vi_s"]


def test_facts_of_the_one_who_asks_go_into_the_header(tmp_path: Path) -> None:
    assert run_as(replace(bandit(), facts={"weight_g": 21}), order(tmp_path)).header.facts["weight_g"] == 21


# --- what advances a subject ----------------------------------------------------------------------------------


def stopped_at(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    """Press Ctrl-C at a second of the session."""

    class Stopped(SimDriver):
        def connect(self, plan: Any, simulation: SimulationOptions) -> Connection:
            asyncio.get_running_loop().call_at(seconds, signal.raise_signal, signal.SIGINT)
            return super().connect(plan, simulation)

    use(monkeypatch, Stopped())


@pytest.mark.parametrize(
    ("seconds", "min_trials", "counts"), [(4.0, 1, True), (4.0, 2, False), (1.5, 1, False), (1.5, 0, True)]
)
def test_an_operators_stop_counts_when_enough_trials_were_done(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, seconds: float, min_trials: int, counts: bool
) -> None:
    stopped_at(monkeypatch, seconds)
    performed = run_as(bandit(stop_min_trials=min_trials), order(tmp_path))
    assert performed.outcome.reason == "operator"
    assert bool(state_of(tmp_path)) == counts


def test_a_fault_never_counts_and_leaves_its_traceback(tmp_path: Path) -> None:
    edges = ((2_000_000, "attic", 1),)
    performed = run_as(bandit(), order(tmp_path, simulation=SimulationOptions("scripted", {"edges": edges}, 1)))  # type: ignore[dict-item]
    assert performed.outcome.reason == "fault"
    assert "attic" in performed.outcome.detail
    assert state_of(tmp_path) == {}
    assert "Traceback" in (performed.folder / "error.txt").read_text()
    assert footer_of(performed.folder).reason == "fault"


@pytest.mark.parametrize(
    ("limit", "reason"), [({"stop_max_rewards": 1}, "reward_limit"), ({"stop_max_trials": 1}, "trial_limit")]
)
def test_caps_count(tmp_path: Path, limit: dict[str, Any], reason: str) -> None:
    assert run_as(bandit(**limit), order(tmp_path)).outcome.reason == reason
    assert state_of(tmp_path) == {"two_armed_bandit": LEFT_THROUGHOUT}


# --- the day --------------------------------------------------------------------------------------------------


def limit(data: Path, max_ul: float, subject: str = "M1") -> None:
    (data / subject).mkdir(exist_ok=True)
    (data / subject / "subject.yaml").write_text(f"max_ul_day: {max_ul}\n")


def left_ul(performed: SessionResult) -> float:
    ul = performed.header.remaining_today["ul"]
    assert ul is not None
    return ul


@pytest.fixture
def zone(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], None]]:
    """Set this computer's time zone."""

    def set_zone(name: str) -> None:
        monkeypatch.setenv("TZ", name)
        time.tzset()

    yield set_zone
    monkeypatch.undo()
    time.tzset()


@REAL
@pytest.mark.skipif(not hasattr(time, "tzset"), reason="a process has no time zone of its own there")
def test_another_time_zone_does_not_move_what_was_given(tmp_path: Path, zone: Callable[[str], None]) -> None:
    zone("UTC0")
    run_as(bandit(), order(tmp_path))
    zone("EAST-14")
    eleven_hours_later = START + datetime.timedelta(hours=14 + 11)
    day = load_daily_total(tmp_path / "M1", limits_of(tmp_path / "M1"), eleven_hours_later)
    assert day.totals["24h"].amount.ul == 2.5


@REAL
def test_what_a_subject_may_drink_in_a_day_is_shared_by_its_sessions(tmp_path: Path) -> None:
    limit(tmp_path, 5)
    for left in (5, 2.5):
        assert left_ul(run_as(bandit(), order(tmp_path))) == left
    with pytest.raises(ConfigError, match=r"M1 has been given 5 ul on 2026-11-21, and max_ul_day is 5 .*: no more"):
        run_as(bandit(), order(tmp_path))
    tomorrow = START + datetime.timedelta(days=1)
    assert run_as(bandit(), order(tmp_path, start=tomorrow)).outcome.rewards == 1
    assert left_ul(run_as(bandit(), order(tmp_path, "M2"))) == 2000


@REAL
def test_two_protocols_of_one_animal_share_its_day(tmp_path: Path) -> None:
    limit(tmp_path, 5)
    assert run_as(bandit(), order(tmp_path)).outcome.ul == 2.5
    performed = run_as(protocol_spec("free_water", stop_session_s=5), order(tmp_path))
    assert (left_ul(performed), performed.outcome.ul) == (2.5, 2.5)
    with pytest.raises(ConfigError, match="no more today"):
        run_as(bandit(), order(tmp_path))


@rows("protocol", "rig", "model", "simulated")
def test_a_person_before_a_real_window_is_a_participant_where_the_rig_feeds_nobody(
    protocol: str, rig: str, model: str | None, simulated: bool
) -> None:
    prepared = protocol_spec(protocol, rig)
    assert is_simulated(prepared, find_driver(prepared.plan.board.driver), model) is simulated


def test_of_a_simulated_subject_nothing_is_counted(tmp_path: Path) -> None:
    limit(tmp_path, 2.5)
    for _ in range(2):
        performed = run_as(bandit(), order(tmp_path))
        assert performed.header.remaining_today == {"ul": None, "pellets": None, "access_s": None}
        assert performed.outcome.ul == 2.5


@REAL
def test_a_named_person_may_allow_more(tmp_path: Path) -> None:
    limit(tmp_path, 2.5)
    run_as(bandit(), order(tmp_path))
    performed = run_as(bandit(), order(tmp_path, limit_override=LimitOverride({"ul": 5.0}, "AB", "it was ill")))
    assert (performed.outcome.ul, left_ul(performed)) == (2.5, 2.5)
    assert performed.header.daily_limit == DailyLimitOverride("AB", "it was ill", ul=5.0)
    assert replay_lines(read_journal(performed.folder))[1] is None


@REAL
def test_the_rest_of_the_day_may_be_less_than_one_drop(tmp_path: Path) -> None:
    limit(tmp_path, 4)
    assert run_as(bandit(), order(tmp_path)).outcome.rewards == 1
    performed = run_as(bandit(), order(tmp_path))
    assert (left_ul(performed), performed.outcome.rewards) == (1.5, 0)


@REAL
def test_a_session_that_crashed_has_been_drunk_all_the_same(tmp_path: Path) -> None:
    journal = run_as(bandit(), order(tmp_path)).folder / "journal.jsonl"
    whole = journal.read_bytes()
    journal.write_bytes(whole[: whole.rindex(b'{"seq"') + 10])
    limit(tmp_path, 5)
    assert left_ul(run_as(bandit(), order(tmp_path))) <= 2.5


@pytest.mark.parametrize(
    "junk", [b"", b"\x00\xff\n", b'{"k":"trial"}\n', b'["k":"trial"\n', b'[{"k":"trial"}]\n', b'{"k":"footer"}\n']
)
@REAL
def test_a_day_with_a_journal_that_cannot_be_read_is_refused(tmp_path: Path, junk: bytes) -> None:
    folder = tmp_path / "M1" / "2026-11-21" / "001"
    folder.mkdir(parents=True)
    (folder / "journal.jsonl").write_bytes(junk)
    (tmp_path / "M1" / "state.json").write_text("{}")
    with pytest.raises(ConfigError, match="001: its journal has no readable header"):
        run_as(bandit(), order(tmp_path))


@REAL
def test_a_days_journal_that_can_not_be_read_is_said_in_words(tmp_path: Path) -> None:
    (tmp_path / "M1" / "2026-11-21" / "001" / "journal.jsonl").mkdir(parents=True)
    (tmp_path / "M1" / "state.json").write_text("{}")
    with pytest.raises(ConfigError, match="its journal cannot be read: is no file"):
        run_as(bandit(), order(tmp_path))


# --- before anything happens ----------------------------------------------------------------------------------


def nothing_is_left(data: Path, subject: str = "M1") -> bool:
    return not [path for path in (data / "sim" / subject).rglob("*") if path.name not in (".lock", "state.json")]


@pytest.mark.parametrize(
    ("simulation", "said"),
    [
        (SimulationOptions("rfrl"), "did you mean 'rflr'"),
        (SimulationOptions("rflr", {"tau": "much"}), "--param tau"),
        (SimulationOptions("rflr", {"taw": "1"}), "--param taw"),
        (SimulationOptions("scripted", {"file": "/nowhere.csv"}), "nowhere.csv"),
    ],
)
def test_a_wrong_model_leaves_no_session_behind(tmp_path: Path, simulation: SimulationOptions, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        run_as(bandit(), order(tmp_path, simulation=simulation))
    assert nothing_is_left(tmp_path)
    assert run_as(bandit(), order(tmp_path)).folder.name == "001"


def test_a_board_that_is_not_there_leaves_no_session_behind(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def cut(rig: SimRig) -> None:
        rig.cable.to_board.deliver = lambda data: None

    use(monkeypatch, RealBoardDriver(cut))
    with pytest.raises(BoardNotFoundError):
        run_as(bandit(), order(tmp_path))
    assert nothing_is_left(tmp_path)


def test_a_running_session_of_the_same_subject_is_waited_for(tmp_path: Path) -> None:
    with (
        SubjectFolder(tmp_path, "M1", simulated=True),
        pytest.raises(ConfigError, match="another session of 'M1' is running"),
    ):
        run_as(bandit(), order(tmp_path))


def test_a_lost_state_stops_a_session_before_it_begins(tmp_path: Path) -> None:
    run_as(bandit(), order(tmp_path))
    (tmp_path / "sim" / "M1" / "state.json").unlink()
    with pytest.raises(RecordError, match="rig subject rebuild M1"):
        run_as(bandit(), order(tmp_path))
    assert [path.name for path in (tmp_path / "sim" / "M1" / "2026-11-21").iterdir()] == ["001"]


def restored(data: Path, earlier: str) -> None:
    """A person has put an older state back."""
    (data / "sim" / "M1" / "state.json").write_text(earlier)


def moved_away(data: Path, earlier: str) -> None:
    """The last session was another animal's."""
    shutil.move(data / "sim" / "M1" / "2026-11-21" / "002", data / "002")


@pytest.mark.parametrize(("meddle", "newest"), [(restored, "2026-11-21/002"), (moved_away, "2026-11-21/001")])
def test_a_state_that_the_newest_session_has_not_left_stops_the_next_one(
    tmp_path: Path, meddle: Callable[[Path, str], None], newest: str
) -> None:
    states = []
    for number in range(2):
        run_as(bandit(start_high_side="random"), order(tmp_path, seed=number))
        states.append((tmp_path / "sim" / "M1" / "state.json").read_text())
    assert states[0] != states[1]
    meddle(tmp_path, states[0])
    wanted = f"is not what {newest}, .* two_armed_bandit that counts, has left: run `rig subject rebuild M1 --sim "
    with pytest.raises(RecordError, match=wanted):
        run_as(bandit(), order(tmp_path))


def test_a_state_of_which_no_session_is_left_here_is_taken(tmp_path: Path) -> None:
    run_as(bandit(), order(tmp_path))
    shutil.move(tmp_path / "sim" / "M1" / "2026-11-21", tmp_path / "archive")
    assert run_as(bandit(), order(tmp_path)).header.carry_over == state_of(tmp_path)["two_armed_bandit"]


def test_sessions_whose_dates_go_backwards_go_on_from_each_other(tmp_path: Path) -> None:
    for days in (0, 2, 1):
        start = START - datetime.timedelta(days=days)
        done = run_as(bandit(start_high_side="random"), order(tmp_path, seed=days, start=start))
        assert state_of(tmp_path)["two_armed_bandit"] == done.outcome.carried_over


def test_a_nearly_full_disk_stops_a_session_before_it_begins(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(module, "check_space", lambda folder: check_space(folder, 10**18))
    with pytest.raises(RecordError, match="make room"):
        run_as(bandit(), order(tmp_path))


def test_a_file_in_the_way_of_the_days_folder_is_said_in_words(tmp_path: Path) -> None:
    (tmp_path / "sim" / "M1").mkdir(parents=True)
    (tmp_path / "sim" / "M1" / "2026-11-21").write_text("a file")
    with pytest.raises(RecordError, match="cannot hold a session"):
        run_as(bandit(), order(tmp_path))


def test_a_source_that_has_vanished_meanwhile_is_said_in_words(tmp_path: Path) -> None:
    prepared = replace(bandit(), sources=(tmp_path / "gone.yaml",))
    with pytest.raises(RecordError, match=r"gone\.yaml"):
        run_as(prepared, order(tmp_path))
    assert nothing_is_left(tmp_path)


# --- a real session -------------------------------------------------------------------------------------------


def fill_disk(monkeypatch: pytest.MonkeyPatch, after_lines: int, *, reserve: bool) -> None:
    """Let the disk be full after so many lines; the reserve makes room for more, or does not."""
    write, lines = os.write, 0

    def full(fd: int, data: bytes) -> int:
        nonlocal lines
        lines += 1
        left = not list(data_folder.rglob(".reserve")) if reserve else False
        if lines > after_lines and not left:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return write(fd, data)

    data_folder = Path(os.environ["RIG_DATA"])
    monkeypatch.setattr(recorder_module.os, "write", full)


@pytest.mark.parametrize("after_lines", [5, 12, 14, 15, 16, 20])
def test_when_the_disk_of_a_real_session_fills_nothing_is_lost_and_everything_goes_off(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, after_lines: int
) -> None:
    rigs: list[SimRig] = []

    def watch(rig: SimRig) -> None:
        rig.world.trace = []
        rigs.append(rig)

    use(monkeypatch, RealBoardDriver(watch))
    monkeypatch.setenv("RIG_DATA", str(tmp_path))
    fill_disk(monkeypatch, after_lines, reserve=True)
    performed = run_as(bandit(), order(tmp_path))
    assert performed.outcome.reason == "fault"
    assert "a line could not be written: No space left" in performed.outcome.detail
    lines = read_journal(performed.folder)
    footer = footer_of(performed.folder)
    assert (footer.reason, footer.complete) == ("fault", True)
    trace = rigs[0].world.trace
    assert trace is not None
    assert footer.rewards == sum(value for _, name, value in trace if name == "left.valve")
    full_at = lines[after_lines].t_us
    last = {name: (t_us, value) for t_us, name, value in trace if not name.endswith(".beam")}
    assert all(value == 0 and t_us < full_at + 5_000 for t_us, value in last.values())
    assert replay_lines(lines)[1] is None
    assert state_of(tmp_path, "M1") == {}


@pytest.mark.parametrize("after_lines", [2, 5, 14, 15, 16])
def test_when_even_the_reserve_is_gone_the_session_ends_and_its_journal_is_whole_as_far_as_it_goes(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, after_lines: int
) -> None:
    use(monkeypatch, RealBoardDriver())
    monkeypatch.setenv("RIG_DATA", str(tmp_path))
    fill_disk(monkeypatch, after_lines, reserve=False)
    performed = run_as(bandit(), order(tmp_path))
    assert performed.outcome.reason == "fault"
    found = scan_journal(performed.folder / "journal.jsonl")
    assert (len(found.lines), found.damage, found.torn_bytes) == (after_lines, [], 0)


def test_a_disk_that_fails_at_the_very_end_is_a_fault_and_the_rest_is_kept(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def lose(fd: int) -> None:
        (journal,) = tmp_path.glob("*/*/*/journal.jsonl")
        if b'"k":"footer"' in journal.read_bytes():
            raise OSError(errno.EIO, os.strerror(errno.EIO))

    use(monkeypatch, RealBoardDriver())
    monkeypatch.setattr(recorder_module, "SYNC_S", 1_000)  # not before the end, however slow the machine is
    monkeypatch.setattr(recorder_module, "sync_data", lose)
    performed = run_as(bandit(), order(tmp_path))
    assert performed.outcome.reason == "fault"
    assert "may not be whole: Input/output error" in performed.outcome.detail
    assert state_of(tmp_path, "M1") == {}
    assert footer_of(performed.folder).reason == "time_limit"


def test_nothing_is_paid_that_the_disk_does_not_allow(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def lose(fd: int) -> None:
        (journal,) = tmp_path.glob("*/*/*/journal.jsonl")
        if b'"rewards":0' not in journal.read_bytes().splitlines()[-1]:
            raise OSError(errno.EIO, os.strerror(errno.EIO))

    rigs: list[SimRig] = []
    use(monkeypatch, RealBoardDriver(lambda rig: rigs.append(rig) or setattr(rig.world, "trace", [])))  # type: ignore[func-returns-value]
    monkeypatch.setattr(recorder_module, "SYNC_S", 1_000)
    monkeypatch.setattr(recorder_module, "sync_data", lose)
    performed = run_as(bandit(), order(tmp_path))
    assert (performed.outcome.reason, performed.outcome.rewards) == ("fault", 0)
    assert not [change for change in rigs[0].world.trace or [] if change[1].endswith(".valve")]


def test_an_allowance_that_the_helper_thread_has_synced_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(recorder_module, "SYNC_S", 1_000)
    recorder = Recorder(tmp_path, synced=True)
    synced: list[int] = []
    monkeypatch.setattr(recorder_module, "sync_data", synced.append)
    recorder.append(b"1\n")
    recorder.append(b"2\n")
    recorder.secure(1)
    recorder.append(b"3\n")
    recorder.secure(2)
    assert len(synced) == 1
    recorder.secure(3)
    assert len(synced) == 2
    recorder.close()


def test_a_real_session_is_distinguished_from_the_last_one_by_chance(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    nonces: set[int | None] = set()
    boards: list[SimRig] = []
    use(monkeypatch, RealBoardDriver(boards.append))
    for _ in range(4):
        run_as(bandit(), order(tmp_path))
        nonces.add(boards[-1].board._nonce)
    assert len(nonces) == 4


def test_a_real_session_is_for_the_board_that_the_rig_file_names(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    use(monkeypatch, RealBoardDriver())
    prepared = bandit()
    other = replace(prepared, plan=replace(prepared.plan, board=replace(prepared.plan.board, uid="7F3A")))
    with pytest.raises(Exception, match="this is board 5131, the rig file names board 7F3A"):
        run_as(other, order(tmp_path))


def test_a_state_that_can_not_be_written_does_not_lose_the_session(tmp_path: Path) -> None:
    run_as(bandit(), order(tmp_path))
    (tmp_path / "sim" / "M1" / ".state.json.new").mkdir()
    performed = run_as(bandit(), order(tmp_path))
    assert performed.outcome.reason == "fault"
    assert "state.json: cannot be written: Is a directory" in performed.outcome.detail
    assert footer_of(performed.folder).reason == "time_limit"


# --- a user's virtual subject, and a subject's past ----------------------------------------------------


def test_a_model_from_a_file_is_in_the_header_by_its_name_and_hash_and_without_its_path(tmp_path: Path) -> None:
    file = tmp_path / "still.py"
    file.write_text(
        "from sim_hardware.models.base import Model\n\n\nclass Still(Model):\n"
        "    async def live(self, body):\n        await body.wait(1)\n"
    )
    for word, name in ((f"{file}:Still", "still.py:Still"), (str(file), "still.py")):
        done = run_as(bandit(), order(tmp_path / "data", simulation=SimulationOptions(word)))
        assert done.header.model == name
        assert done.header.model_code == {"still.py": hashlib.sha256(file.read_bytes()).hexdigest()}
        assert str(tmp_path) not in (done.folder / "journal.jsonl").read_text()
    assert "model_code" not in as_json(run_as(bandit(), order(tmp_path / "data")).header)


def test_a_task_may_refuse_a_subject_by_what_its_last_session_left(tmp_path: Path) -> None:
    class Picky(TwoArmedBandit):
        @classmethod
        def check_history(cls, params: Any, carried_over: Any) -> None:
            if "last_high_side" not in carried_over:
                raise ConfigError("params.p_high: is too hard for a new subject: begin with stage 1")

    prepared = bandit()
    picky = replace(prepared, found=replace(prepared.found, task=Picky))
    with pytest.raises(ConfigError, match=r"params\.p_high: is too hard for a new subject"):
        run_as(picky, order(tmp_path))
    assert nothing_is_left(tmp_path)
    run_as(prepared, order(tmp_path))
    assert run_as(picky, order(tmp_path)).outcome.reason == "time_limit"
