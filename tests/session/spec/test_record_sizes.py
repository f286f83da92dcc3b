"""A session whose files would be too large to be read is refused before it begins."""

from pathlib import Path

import pytest

from rig.core.errors import ConfigError
from rig.records.sampled.samples import FORMAT
from rig.records.side_file.format import MAX_BYTES
from rig.session.spec.build import build_spec
from rig.session.spec.request import SessionRequest
from tests.sampled_lab import write_lab

MOST_S = (MAX_BYTES - len(FORMAT.header)) // FORMAT.size / 1000
"""So long can the lever of this laboratory be sampled, at 1 kHz."""


def mistakes(stop: str, period_ms: float) -> list[str]:
    room, protocol = Path("room.yaml"), Path("treadmill.yaml")
    room.write_text(room.read_text().replace("period_ms: 1,", f"period_ms: {period_ms:g},"))
    protocol.write_text(protocol.read_text().replace("session_s: 20", stop))
    try:
        build_spec(SessionRequest("./treadmill.yaml", seed=1, subject="M1"))
    except ConfigError as error:
        return list(error.mistakes)
    return []


@pytest.fixture(autouse=True)
def lab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(write_lab(tmp_path))


def test_a_session_whose_values_no_reader_would_take_is_refused_with_what_is_right() -> None:
    assert mistakes("session_s: 7200", 0.1) == [
        "treadmill.yaml:3: stop.session_s: 'lever' gives 16 bytes every 0.1 ms: 1.16 GB in 7200 s and 30 s of grace, "
        "and a file of more than 1.07 GB is never read: take at most 6710 s for both, or period_ms: 0.11 or more in "
        "the rig file"
    ]


@pytest.mark.parametrize(
    ("stop", "period_ms"),
    [
        ("session_s: 6680", 0.1),
        ("session_s: 7200", 0.11),
        ("session_s: 86400", 2),
        (f"session_s: {MOST_S - 40}, grace_s: 40", 1),
    ],
)
def test_a_session_whose_values_can_be_read_is_not_refused(stop: str, period_ms: float) -> None:
    assert mistakes(stop, period_ms) == []


def test_the_grace_counts() -> None:
    assert len(mistakes(f"session_s: {MOST_S - 40}, grace_s: 41", 1)) == 1
