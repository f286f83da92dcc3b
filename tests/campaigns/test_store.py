"""What a campaign has run, on the disk: the same bytes whenever it was stopped."""

import datetime
import errno
import math
import os
import shutil
from dataclasses import replace
from functools import cache
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from rig.campaigns.session_job import SessionProduct, run_job
from rig.campaigns.session_tables import SESSIONS
from rig.campaigns.store import CampaignStore
from rig.core.errors import RecordError
from rig.records.journal.read import JOURNAL, scan_journal
from tests.campaigns.test_session_job import START, order


@cache
def products() -> tuple[SessionProduct, ...]:
    """Return three sessions of one subject."""
    made: list[SessionProduct] = []
    for number in (1, 2, 3):
        start = START + datetime.timedelta(days=number - 1)
        past = tuple(each.record for each in made if each.record is not None)
        state = made[-1].state if made else b""
        made.append(run_job(replace(order(), number=number, seed=number, start=start, past=past, state=state)))
    return tuple(made)


def store_in(folder: Path, *, keeps_journals: bool = False) -> CampaignStore:
    return CampaignStore(folder, "mice", {"base": order().condition.header}, keeps_journals=keeps_journals)


def bytes_below(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_tables_do_not_depend_on_when_a_campaign_was_stopped(tmp_path: Path) -> None:
    whole = store_in(tmp_path / "whole")
    for product in products():
        whole.add(product, last=product.number == 3)
    for product in products():
        store = store_in(tmp_path / "stopped")
        assert [each.number for each in store.unfinished.read("base", "base-001")] == list(range(1, product.number))
        store.add(product, last=product.number == 3)
    assert bytes_below(tmp_path / "whole") == bytes_below(tmp_path / "stopped")
    assert store_in(tmp_path / "stopped").is_finished("base", "base-001")


def test_sessions_of_an_unfinished_subject_come_back_as_they_were(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    for product in products()[:2]:
        store.add(product, last=False)
    again = store.unfinished.read("base", "base-001")
    assert [(each.record, each.state) for each in again] == [(each.record, each.state) for each in products()[:2]]
    for one, other in zip(again, products(), strict=False):
        assert one.tables is not None
        assert other.tables is not None
        assert all(table.equals(other.tables[name]) for name, table in one.tables.items())


def test_pandas_reads_the_tables_of_all_subjects_in_a_line(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    for subject in ("base-001", "base-002"):
        for product in products():
            store.add(replace(product, subject=subject), last=product.number == 3)
    trials = pd.read_parquet(tmp_path / "tables" / "trials")
    assert set(trials["subject"]) == {"base-001", "base-002"}
    assert set(trials["session_number"]) == {1, 2, 3}
    assert list(trials["study"].unique()) == ["mice"]
    assert str(trials["t_center_in"].dtype) == "float64"


def test_a_curriculum_that_ends_earlier_leaves_the_sessions_that_ran(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    first, second, _ = products()
    store.add(first, last=False)
    store.add(SessionProduct("base", "base-001", second.number, None), last=True)
    assert store.read("base", "base-001")[SESSIONS].num_rows == 1


def test_journals_are_kept_where_they_are_wanted(tmp_path: Path) -> None:
    store = store_in(tmp_path, keeps_journals=True)
    for product in products():
        store.add(product, last=product.number == 3)
    kept = sorted((tmp_path / "journals").rglob(JOURNAL))
    assert len(kept) == 3
    assert all(not scan_journal(path).damage for path in kept)


def test_what_an_arm_ran_can_be_forgotten(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    for product in products():
        store.add(product, last=product.number == 3)
    store.add(replace(products()[0], subject="base-002"), last=False)
    store.forget("base")
    assert not store.is_finished("base", "base-001")
    assert store.unfinished.read("base", "base-002") == []


def test_a_damaged_table_is_told_with_its_path(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    for product in products():
        store.add(product, last=product.number == 3)
    [path] = (tmp_path / "tables" / "trials").rglob("*.parquet")
    path.write_bytes(path.read_bytes()[:100])
    with pytest.raises(RecordError, match=r"sessions\.parquet"):
        store.read("base", "base-001")


@pytest.mark.parametrize("trials", ["many", math.nan, None])
def test_a_forged_number_of_trials_is_told_with_its_path(trials: object, tmp_path: Path) -> None:
    store = store_in(tmp_path)
    store.add(products()[0], last=True)
    assert store.counts("base", "base-001") == (1, 19)
    (path,) = tmp_path.glob("tables/sessions/*/*/*/*.parquet")
    table = pq.ParquetFile(path).read()
    pq.write_table(table.set_column(table.column_names.index("trials"), "trials", pa.array([trials])), path)
    with pytest.raises(RecordError, match=r"damaged .*remove .*base-001 run again"):
        store.counts("base", "base-001")


@pytest.mark.parametrize("name", ["trials.arrow", "sessions.arrow", "record/journal.jsonl.z", "record/name"])
def test_a_damaged_session_of_an_unfinished_subject_is_told_with_a_remedy(name: str, tmp_path: Path) -> None:
    store = store_in(tmp_path)
    store.add(products()[0], last=False)
    path = tmp_path / "unfinished" / "base" / "base-001" / "00001" / name
    path.write_bytes(path.read_bytes()[:5])
    with pytest.raises(RecordError, match=r"unfinished.base.base-001: damaged .*remove .*base-001 run again"):
        store.unfinished.read("base", "base-001")


@pytest.mark.parametrize("name", ["../../../out", "/tmp/out", "2026-01-05/001/../../../../out", "2026-01-05\n/001"])
def test_a_forged_name_of_a_session_leads_to_no_other_folder(name: str, tmp_path: Path) -> None:
    store = store_in(tmp_path)
    store.add(products()[0], last=False)
    (tmp_path / "unfinished" / "base" / "base-001" / "00001" / "record" / "name").write_text(name, encoding="ascii")
    with pytest.raises(RecordError, match="no record of a session"):
        store.unfinished.read("base", "base-001")


def test_a_missing_session_of_an_unfinished_subject_is_told(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    for product in products()[:2]:
        store.add(product, last=False)
    shutil.rmtree(tmp_path / "unfinished" / "base" / "base-001" / "00001")
    with pytest.raises(RecordError, match="a session is missing"):
        store.unfinished.read("base", "base-001")


def finished(folder: Path) -> CampaignStore:
    store = store_in(folder)
    for product in products():
        store.add(product, last=product.number == 3)
    return store


def test_tables_of_another_program_are_told_with_a_remedy(tmp_path: Path) -> None:
    store = finished(tmp_path)
    sessions, trials = sorted((tmp_path / "tables").rglob("*.parquet"))
    pq.write_table(pa.table({"session_number": [1, 2, 3]}), trials)
    with pytest.raises(RecordError, match=r"has no column .*remove .*sessions\.parquet, and the sessions of base-001"):
        list(store.sessions("base", "base-001"))
    sessions.unlink()
    assert not store.is_finished("base", "base-001")


def test_a_column_of_another_type_is_told(tmp_path: Path) -> None:
    store = finished(tmp_path)
    [path] = (tmp_path / "tables" / "trials").rglob("*.parquet")
    table = pq.ParquetFile(path).read()
    place = table.column_names.index("rewarded")
    pq.write_table(table.set_column(place, "rewarded", pa.array(["yes"] * table.num_rows)), path)
    with pytest.raises(RecordError, match="column rewarded is of the type string, wanted int64"):
        list(store.sessions("base", "base-001"))


@pytest.mark.parametrize("header", ["", "[1]", "[" * 100_000])
def test_a_forged_header_in_a_table_is_told(header: str, tmp_path: Path) -> None:
    store = finished(tmp_path)
    [path] = (tmp_path / "tables" / SESSIONS).rglob("*.parquet")
    table = pq.ParquetFile(path).read()
    place = table.column_names.index("header")
    pq.write_table(table.set_column(place, "header", pa.array([header] * 3)), path)
    with pytest.raises(RecordError, match="damaged"):
        list(store.sessions("base", "base-001"))


def test_a_session_that_cannot_be_written_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = store_in(tmp_path)

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(RecordError, match="cannot be written: No space left"):
        store.add(products()[0], last=False)
    assert list((tmp_path / "unfinished" / "base" / "base-001").iterdir()) == []
