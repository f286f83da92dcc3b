"""The stock of feeders."""

import datetime
import threading
from pathlib import Path

import pytest

from rig.core.errors import RecordError
from rig.core.journal.journal import Journal
from rig.core.model.actions import Amount
from rig.core.model.reward import Reward, RewardStatus
from rig.records.journal.read import JOURNAL
from rig.records.stock.stock import StockFile, pellets_given
from tests.journal_lines import HEADER, made

AT = datetime.datetime(2026, 11, 24, 9)


@pytest.fixture
def stock(tmp_path: Path) -> StockFile:
    return StockFile(tmp_path / "data")


def left(stock: StockFile, device: str = "left", rig: str = "maze") -> int | None:
    found = stock.stock(rig, device)
    return None if found is None else found.left


def test_a_feeder_that_was_never_filled_is_not_known(stock: StockFile) -> None:
    assert stock.stock("maze", "left") is None


def test_the_stock_is_the_last_filling_less_what_was_taken_since(stock: StockFile) -> None:
    stock.fill("maze", "left", {"pellets": 100}, "anna", AT)
    stock.took("maze", "left", 30, "a test", AT)
    stock.took("maze", "right", 7, "a test", AT)
    stock.took("other", "left", 7, "a test", AT)
    assert left(stock) == 70
    stock.fill("maze", "left", {"pellets": 400}, "anna", AT)
    assert left(stock) == 400
    stock.took("maze", "left", 500, "a test", AT)
    assert left(stock) == 0


@pytest.mark.parametrize(
    "damage", [lambda raw: raw[:-5], lambda raw: raw.replace(b"100", b"900"), lambda raw: raw + b"x"]
)
def test_a_damaged_file_is_refused_and_never_read_as_a_number(stock: StockFile, damage) -> None:  # type: ignore[no-untyped-def]
    stock.fill("maze", "left", {"pellets": 100}, "anna", AT)
    stock.path.write_bytes(damage(stock.path.read_bytes()))
    with pytest.raises(RecordError, match=r"line [12] is damaged or torn: move the file away"):
        stock.stock("maze", "left")
    with pytest.raises(RecordError):
        stock.took("maze", "left", 1, "a test", AT)


def test_line_ends_of_another_system_are_no_damage(stock: StockFile) -> None:
    stock.fill("maze", "left", {"pellets": 100}, "anna", AT)
    stock.path.write_bytes(stock.path.read_bytes().replace(b"\n", b"\r\n"))
    stock.took("maze", "left", 1, "a test", AT)
    assert left(stock) == 99


def test_a_session_whose_folder_is_gone_makes_the_stock_an_upper_bound(stock: StockFile, tmp_path: Path) -> None:
    stock.fill("maze", "left", {"pellets": 100}, "anna", AT)
    stock.begin_session("maze", tmp_path / "data" / "R1" / "2026-11-24" / "001", AT)
    found = stock.stock("maze", "left")
    assert found is not None
    assert found.left == 100
    assert "its pellets are not known" in found.unknown[0]


def test_a_feeder_that_is_filled_during_a_session_loses_what_the_session_gives_afterwards(
    stock: StockFile, tmp_path: Path
) -> None:
    stock.fill("maze", "left", {"pellets": 100}, "anna", AT)
    folder = tmp_path / "data" / "R1" / "2026-11-24" / "001"
    folder.mkdir(parents=True)
    stock.begin_session("maze", folder, AT)
    lines: list[bytes] = []
    journal = Journal(lines.append)
    journal.write(made("header", **{**HEADER, "start": "2026-11-24T09:00:00"}))
    for number, minute in enumerate((1, 9, 11, 12), start=1):
        given = Reward(Amount(pellets=2), "left", "host", minute * 60_000_000, "order", RewardStatus.DELIVERED, number)
        journal.reward(given)
    (folder / JOURNAL).write_bytes(b"".join(lines))
    assert left(stock) == 92
    stock.fill("maze", "left", {"pellets": 400}, "anna", AT + datetime.timedelta(minutes=10))
    assert left(stock) == 396
    stock.fill("maze", "left", {"pellets": 400}, "anna", AT + datetime.timedelta(hours=5))
    assert left(stock) == 400


def test_a_session_that_has_written_nothing_yet_took_nothing(tmp_path: Path) -> None:
    assert pellets_given(tmp_path / JOURNAL, "left") == 0


def test_several_programs_may_write_at_once(stock: StockFile) -> None:
    stock.fill("maze", "left", {"pellets": 1000}, "anna", AT)

    def take() -> None:
        for _ in range(25):
            StockFile(stock.path.parent).took("maze", "left", 1, "a test", AT)

    threads = [threading.Thread(target=take) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert left(stock) == 900
