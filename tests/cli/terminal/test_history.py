"""What a subject's folder says of its latest session."""

import datetime
from pathlib import Path

import pytest

from rig.cli.terminal.history import check_clock
from rig.core.errors import ConfigError
from rig.core.journal.header import Header
from rig.core.model.reward_types import RewardParam
from rig.records.session.brief import local
from rig.session.last_session import last_session, recorded_open_us
from tests.journal_lines import FOOTER, HEADER, journal_of, made


def put(folder: Path, day: str, number: str, start: str | None, *, ended: bool = True) -> Path:
    session = folder / day / number
    session.mkdir(parents=True)
    header = made("header", **{**HEADER, "subject": "M1", "start": start, "columns": ["outcome"]})
    footer = made("footer", 2, **{**FOOTER, "reason": "idle", "ul": 2.5, "trials": 1})
    lines = (header, made("trial", 1, outcome="rewarded"), footer)
    (session / "journal.jsonl").write_bytes(b"".join(journal_of(lines if ended else lines[:2])))
    return session


def test_a_new_subject_has_none(tmp_path: Path) -> None:
    assert last_session(tmp_path / "M1") is None


def test_it_is_the_newest_by_its_day_and_number_not_by_the_letters_of_its_name(tmp_path: Path) -> None:
    for number in ("001", "999", "1000"):
        put(tmp_path, "2026-11-21", number, "2026-11-21T09:00:00")
    put(tmp_path, "2026-11-20", "002", "2026-11-20T09:00:00")
    last = last_session(tmp_path)
    assert last is not None
    assert last.folder == tmp_path / "2026-11-21" / "1000"
    assert (last.sums.trials, last.footer is not None) == (1, True)


def test_one_without_a_header_is_passed_over_and_one_without_an_end_is_not(tmp_path: Path) -> None:
    crashed = put(tmp_path, "2026-11-21", "001", "2026-11-21T09:00:00", ended=False)
    (tmp_path / "2026-11-21" / "002").mkdir()
    (tmp_path / "2026-11-21" / "002" / "journal.jsonl").write_bytes(b'{"seq":0,"t":0')
    (tmp_path / "2026-11-21" / "notes").mkdir()
    (tmp_path / "2026-11-21" / "notes" / "journal.jsonl").write_bytes(b"")
    last = last_session(tmp_path)
    assert last is not None
    assert (last.folder, last.footer) == (crashed, None)


def test_a_start_that_is_not_there_is_unknown_and_refuses_nothing(tmp_path: Path) -> None:
    put(tmp_path, "2026-11-21", "001", None)
    last = last_session(tmp_path)
    assert last is not None
    assert last.began is None
    check_clock(last, datetime.datetime(2000, 1, 1))


def test_a_session_cannot_begin_before_the_newest_one_did(tmp_path: Path) -> None:
    put(tmp_path, "2026-11-21", "001", "2026-11-21T09:00:00")
    last = last_session(tmp_path)
    check_clock(last, datetime.datetime(2026, 11, 21, 9, 0))
    with pytest.raises(ConfigError, match="clock says 2026-11-21 08:59"):
        check_clock(last, datetime.datetime(2026, 11, 21, 8, 59))


def test_times_with_and_without_a_zone_can_be_compared(tmp_path: Path) -> None:
    moment = datetime.datetime(2026, 11, 21, 9, 0).astimezone()
    put(tmp_path, "2026-11-21", "001", moment.isoformat())
    last = last_session(tmp_path)
    assert last is not None
    assert last.began == local(moment) == datetime.datetime(2026, 11, 21, 9, 0)


@pytest.mark.parametrize(
    ("calibrations", "of_left"), [({}, {}), ({"a": {}}, {"calibration": "a"}), ({"a": {}}, {"calibration": []})]
)
def test_a_calibration_that_cannot_be_read_says_nothing_and_breaks_nothing(
    calibrations: dict[str, object], of_left: dict[str, object]
) -> None:
    rig = {**HEADER["rig"], "calibrations": calibrations, "devices": {"left": of_left}}
    header = made("header", **{**HEADER, "params": {"reward_ul": 2.5}, "rig": rig})
    assert isinstance(header, Header)
    assert recorded_open_us(header, "left", RewardParam(("reward_ul",), "ul", 2.5)) is None
