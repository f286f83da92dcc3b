"""What an animal may be given in a day, from the command line: told, kept, lifted by a name, settled where unknown."""

import json
from pathlib import Path

import pytest

from rig.core.journal.header import DailyLimitOverride
from rig.session.subject import SubjectFolder
from tests.cli.conftest import Rig
from tests.session_ends import header_of

ONE = ("--set", "stop.max_rewards=1")


def known(data: Path, text: str = "") -> None:
    (data / "M1").mkdir(parents=True, exist_ok=True)
    (data / "M1" / "subject.yaml").write_text(text or "baseline_g: 24\n")


def flat(text: str) -> str:
    return " ".join(text.split())


def test_the_start_screen_says_each_limit_and_where_it_comes_from(
    real: Rig, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    known(data, "max_ul_day: 1200\n")
    (data / "lab.yaml").write_text("max_ul_24h: 1500\n")
    answer = real("2026-11-21T09:00", *ONE)
    folded = flat(answer.err).replace(" ", "")
    assert f"0of1200ultodaymax_ul_day:{data}/M1/subject.yaml:1" in folded
    assert f"0of1500ulin24hoursmax_ul_24h:{data}/lab.yaml:1" in folded
    assert "pellets" not in answer.err, "this rig gives none"


@pytest.mark.parametrize("setting", ["stop.max_ul_day=9000", "max_ul_day=9000", "params.max_ul_day=9000"])
def test_no_setting_of_the_command_line_lifts_it(real: Rig, data: Path, setting: str) -> None:
    known(data, "max_ul_day: 2.5\n")
    assert real("2026-11-21T09:00").status == 0
    answer = real("2026-11-21T10:00", "--set", setting)
    assert answer.status == 2
    assert "max_ul_day" in answer.err
    assert "no more today" in real("2026-11-21T10:00").err


def test_a_person_lifts_it_with_a_name_and_a_reason_that_are_written_down(
    real: Rig, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("RIG_EXPERIMENTER", raising=False)
    known(data, "max_ul_day: 2.5\n")
    assert real("2026-11-21T09:00").status == 0
    lifted = ("--daily-limit", "5ul", "--override", "daily_limit=the vet agrees")
    nameless = real("2026-11-21T10:00", *lifted)
    assert (nameless.status, "--experimenter NAME" in nameless.err) == (2, True)
    answer = real("2026-11-21T10:00", *lifted, "--experimenter", "AB")
    assert answer.status == 0, answer.err
    assert "by hand, AB: the vet agrees" in flat(answer.err)
    header = header_of(data / "M1" / "2026-11-21" / "002")
    assert header.daily_limit == DailyLimitOverride("AB", "the vet agrees", ul=5.0)
    assert header.remaining_today["ul"] == 2.5


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--daily-limit", "5ul"), "give both of them"),
        (("--override", "daily_limit=so"), "give both of them"),
        (("--daily-limit", "5", "--override", "daily_limit=so"), "--daily-limit 5: wanted an amount with its unit"),
        (("--daily-limit", "5ul", "--daily-limit", "6ul", "--override", "daily_limit=so"), "give one of each kind"),
        (("--daily-limit", "2.5pellets", "--override", "daily_limit=so"), "whole ones"),
        (("--daily-limit", "5ul", "--override", "daily_limit= "), "--override daily_limit: a reason is wanted"),
    ],
)
def test_half_a_permission_is_none(real: Rig, words: tuple[str, ...], said: str) -> None:
    answer = real("2026-11-21T09:00", *words, "--experimenter", "AB")
    assert (answer.status, said in answer.err) == (2, True), answer.err


@pytest.mark.parametrize("start", ["2026-11-20T09:00", "2026-11-21T08:00", "2026-11-22T00:00"])
def test_no_start_moves_the_day_of_a_real_session(real: Rig, data: Path, start: str) -> None:
    known(data)
    answer = real("2026-11-21T09:00", "--start", start)
    assert (answer.status, "a real session can only start now" in answer.err) == (2, True)
    assert not list(data.rglob("journal.jsonl"))
    assert real("2026-11-21T09:00", "--start", "2026-11-21T08:58", *ONE).status == 0
    start = header_of(data / "M1" / "2026-11-21" / "001").start or ""
    assert start.startswith("2026-11-21T09:00:00"), "the moment of its beginning"


def test_what_was_given_by_hand_counts_for_limit_and_top_up(rig: Rig, real: Rig, data: Path) -> None:
    known(data, "daily_target_ul: 100\nmax_ul_day: 60\n")
    with pytest.MonkeyPatch.context() as here:
        here.setattr("rig.cli.common.now", lambda: __import__("datetime").datetime(2026, 11, 21, 8))
        answer = rig("subject", "give", "M1", "50ul", "--reason", "bait", "--by", "AB")
    assert answer.status == 0, answer.err
    answer = real("2026-11-21T09:00", *ONE)
    assert "50 of 60 ul today" in flat(answer.err)
    assert "47.5 ul are due today: the target is 100 ul, 52.5 ul were given" in flat(answer.out)
    assert header_of(data / "M1" / "2026-11-21" / "001").remaining_today["ul"] == 10


def test_a_day_that_nobody_knows_is_refused_until_a_named_person_settles_it(
    rig: Rig, real: Rig, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("RIG_EXPERIMENTER", raising=False)
    known(data, "daily_target_ul: 100\n")
    assert real("2026-11-21T09:00", *ONE).status == 0
    (data / "M1" / "2026-11-21" / "001" / "journal.jsonl").unlink()
    assert rig("subject", "rebuild", "M1").status == 0
    answer = real("2026-11-21T10:00")
    assert answer.status == 2
    assert "2026-11-21/001: it has no journal" in answer.err
    command = answer.err[answer.err.index("rig subject give") :].splitlines()[0].split()
    words = [word.replace("AMOUNT", "2.5ul").replace("WHY", "the reservoir") for word in command[1:]]
    assert rig(*words[: words.index("--by")], "--reason", "so").status == 2, "the name is missing"
    settled = rig(*[word.replace("NAME", "AB") for word in words])
    assert settled.status == 0, settled.err
    answer = real("2026-11-21T10:00", *ONE)
    assert answer.status == 0, answer.err
    assert "95 ul are due today" in answer.out
    said = json.loads((data / "M1" / "2026-11-21" / "001" / "declared.json").read_text())
    assert (said["ul"], said["by"]) == (2.5, "AB")


def test_a_session_whose_records_tell_is_not_settled_by_hand(rig: Rig, real: Rig, data: Path) -> None:
    assert real("2026-11-21T09:00", *ONE).status == 0
    words = ("subject", "give", "M1", "0ul", "--reason", "so", "--by", "AB", "--session")
    for session, said in (("2026-11-21/001", "its records tell what it gave"), ("2026-11-21/007", "none of that name")):
        answer = rig(*words, session)
        assert (answer.status, said in answer.err) == (2, True)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("M1", "50"), "wanted an amount with its unit"),
        (("M1", "0ul"), "there is nothing to write down"),
        (("M1", "1ul", "2ul"), "give one of each kind"),
        (("M7", "50ul"), "has no subject 'M7'"),
    ],
)
def test_what_is_no_amount_is_refused(rig: Rig, data: Path, words: tuple[str, ...], said: str) -> None:
    known(data)
    answer = rig("subject", "give", *words, "--reason", "so", "--by", "AB")
    assert (answer.status, said in answer.err) == (2, True), answer.err
    assert not (data / "M1" / "events.jsonl").exists()


def test_by_hand_something_may_be_given_while_a_session_runs(rig: Rig, data: Path) -> None:
    known(data)
    words = ("subject", "give", "M1", "5ul", "--reason", "bait", "--by", "AB")
    with SubjectFolder(data, "M1"):
        assert rig(*words).status == 0
        assert rig(*words, "--session", "2026-11-21/001").status == 2


@pytest.mark.parametrize(
    ("text", "status", "said"),
    [
        ("max_ul_day: 1500\n", 0, "at most 1500 ul a day"),
        ("max_ul_day: lots\nmax_pelets_day: 3\n", 2, "lab.yaml:2: max_pelets_day: unknown key"),
    ],
)
def test_a_laboratorys_file_is_checked(rig: Rig, tmp_path: Path, text: str, status: int, said: str) -> None:
    (tmp_path / "lab.yaml").write_text(text)
    answer = rig("check", tmp_path / "lab.yaml")
    assert (answer.status, said in answer.out + answer.err) == (status, True), answer


def test_a_limit_in_a_protocols_file_is_reported_where_it_belongs(rig: Rig) -> None:
    answer = rig("check", "two_armed_bandit", "--set", "stop.max_ul_day=2000")
    assert answer.status == 2
    assert "move it to the animal's subject.yaml or the laboratory's lab.yaml" in answer.out + answer.err
