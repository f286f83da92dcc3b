"""The signal of a session is that of its journal, over all its epochs; a forged journal gives none."""

import json
from pathlib import Path

import numpy as np
import pytest

from rig.align import signal as signal_module
from rig.align.alignment import align
from rig.align.signal import session_signal, signal_of
from rig.core.errors import ConfigError, RecordError
from rig.records.journal.read import JOURNAL
from tests.align.recordings import Faults, OtherClock, codes, largest_error_us, record, run_of
from tests.align.sessions import CODES, SQUARE, session_with
from tests.journal_lines import sealed_json
from tests.records.journals import put

HERE = Path("session")


def test_the_signal_is_that_of_the_journal(tmp_path: Path) -> None:
    found = session_signal(session_with(tmp_path, CODES, seconds=300))
    assert (found.bits, found.bit_us, found.period_us, found.code_bits) == (16, 20_000, 5_000_000, 18)
    expected = codes(7, 300 / 3600)
    assert found.t_us.tolist() == expected.t_us.tolist()
    assert found.groups[-1] == 59
    assert found.levels.tolist() == [1, 0] * (len(found.levels) // 2)
    assert (found.of_level(1).levels == 1).all()


@pytest.mark.parametrize("first", [0, 200])
def test_all_epochs_are_aligned_together_also_with_codes_that_were_sent_again(first: int) -> None:
    runs = [run_of(1_000, 1_000_000_000), run_of(1_203_456_789, 1_800_000_000, first=first)]
    signal = signal_of(runs, HERE)
    assert signal.groups[-1] == 319
    made = record(signal, OtherClock(), Faults(), np.random.default_rng(1))
    found = align(signal, made.recording, "other")
    assert len(found.lost_us) < 0.04 * found.matched
    assert largest_error_us(made, found.mapping.to_other, np.arange(0, 1.8e9, 1e6)) < 70


def test_a_part_that_may_be_of_either_epoch_is_refused() -> None:
    signal = signal_of([run_of(1_000, 1_000_000_000), run_of(1_200_000_000, 2_200_000_000)], HERE)
    part = record(signal, OtherClock(), Faults(from_s=1300, to_s=1700), np.random.default_rng(1))
    with pytest.raises(RecordError, match="two alignments fit"):
        align(signal, part.recording, "other")


@pytest.mark.parametrize(
    "changes",
    [
        {"bits": 33},
        {"bits": -1},
        {"bits": 10**9},
        {"bits": "16"},
        {"period_us": 0},
        {"period_us": -5},
        {"period_us": None},
        {"bit_us": 0},
        {"seed": "x"},
        {"first": None},
        {"output": None},
    ],
)
def test_a_forged_order_gives_a_message(tmp_path: Path, changes: dict[str, object]) -> None:
    session = session_with(tmp_path, CODES, seconds=60)
    lines = (session / JOURNAL).read_bytes().splitlines(keepends=True)
    forged = json.loads(lines[1])
    forged["orders"][0] |= changes
    del forged["crc"]
    put(session, [lines[0], sealed_json(forged), *lines[2:]])
    with pytest.raises((RecordError, ConfigError)):
        align(session_signal(session), record(codes(), OtherClock(), Faults(), np.random.default_rng(1)).recording, "x")


def test_a_signal_with_too_many_edges_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(signal_module, "MAX_EDGES", 1000)
    run = run_of(0, 10**15, period_us=2000, bit_us=1000, bits=0)
    with pytest.raises(RecordError, match="wanted 1 to 1000"):
        signal_of([run], HERE)


def test_two_forms_of_one_output_are_refused() -> None:
    with pytest.raises(RecordError):
        signal_of([run_of(1_000, 100_000_000), run_of(200_000_000, 300_000_000, bits=12)], HERE)


def test_an_output_must_be_one_that_sent_a_signal(tmp_path: Path) -> None:
    session = session_with(tmp_path, SQUARE)
    assert session_signal(session, "sync.ttl").bits == 0
    with pytest.raises(ConfigError, match=r"--output one of: sync\.ttl"):
        session_signal(session, "camera.ttl")
