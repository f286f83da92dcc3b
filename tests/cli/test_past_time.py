"""``--at``: the time at which something has happened."""

import datetime
import time

import pytest

from rig.cli.parse import parse_at
from rig.core.errors import ConfigError
from tests.tables import rows

NOW = datetime.datetime(2026, 11, 29, 8, 5)


@rows("text", "moment")
def test_a_time_is_read_in_each_of_its_forms(text: str, moment: str) -> None:
    assert parse_at(text, NOW) == datetime.datetime.fromisoformat(moment)


def test_a_time_with_its_zone_becomes_local() -> None:
    local = datetime.datetime(2026, 11, 28, 17, 30, tzinfo=datetime.UTC).astimezone().replace(tzinfo=None)
    assert parse_at("2026-11-28T18:30+01:00", NOW) == local


@pytest.mark.parametrize(
    "text", ["", "soon", "18", "18.30", "25:00", "7:60", "yesterday", "2026-11-28", "2026-02-30 10:00", "tomorrow 7:00"]
)
def test_what_is_no_time_is_refused_with_the_forms_that_are(text: str) -> None:
    with pytest.raises(ConfigError, match='is no time: wanted "18:30", "yesterday 18:30" or "2026-11-28 18:30"'):
        parse_at(text, NOW)


@pytest.mark.parametrize("text", ["18:30", "08:06", "2026-11-29 08:06", "2027-01-01 00:00"])
def test_a_time_in_the_future_is_refused(text: str) -> None:
    with pytest.raises(ConfigError, match=r"lies in the future: now is 2026-11-29 08:05; wanted .*yesterday 18:30"):
        parse_at(text, NOW)


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="this system sets no time zone for a process")
def test_a_time_that_the_clocks_skipped_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as zone:
        zone.setenv("TZ", "Europe/Berlin")
        time.tzset()
        with pytest.raises(ConfigError, match="there was no such time: the clocks were set forward"):
            parse_at("2026-03-29 02:30", NOW)
        assert parse_at("2026-10-25 02:30", NOW) == datetime.datetime(2026, 10, 25, 2, 30)  # it came twice
    time.tzset()
