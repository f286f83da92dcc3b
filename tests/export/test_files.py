"""The files of an export are the tables of the session, and nothing that lies there is lost."""

from __future__ import annotations

import csv
import json
import os
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from rig.core.errors import ConfigError, RecordError
from rig.export import files
from rig.export.csv_files import write_csv
from rig.export.files import COLUMNS, plan_exports, write_export
from rig.export.parquet import write_parquet
from rig.records.recorded_session import read_session
from rig.records.subject.deliveries import ALWAYS, delivered_between
from rig.records.tables.table import Table, TableColumn
from tests.export.recorded import PROTOCOLS, played, save


def as_csv(path: Path, table: Table, session: dict[str, Any]) -> None:
    write_csv(path, table)


def export(session: Path, to: Path, kind: str = "csv", *, force: bool = False) -> Path:
    (target,) = plan_exports([session], to, kind, force=force)
    write_export(read_session(target.journal), target.folder, f".{kind}", as_csv if kind == "csv" else write_parquet)
    return target.folder


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_the_tables_of_the_protocol_have_the_bytes_of_those_beside_the_journal(protocol: str, tmp_path: Path) -> None:
    session = save(tmp_path, played(protocol))
    folder = export(session, tmp_path / "to")
    for path in session.glob("*.csv"):
        assert (folder / path.name).read_bytes() == path.read_bytes()
    described = json.loads((folder / COLUMNS).read_text())
    assert sorted(path.name for path in folder.iterdir()) == sorted(
        [COLUMNS, *(f"{name}.csv" for name in described["tables"])]
    )
    for name, told in described["tables"].items():
        with (folder / f"{name}.csv").open(newline="", encoding="utf-8") as file:
            columns, *rows = csv.reader(file)
        assert columns == list(told["columns"])
        assert len(rows) == told["rows"]
    assert described["session"]["subject"] == "M1"
    assert described["session"]["complete"] is True


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_parquet_has_the_values_the_types_and_the_units(protocol: str, tmp_path: Path) -> None:
    session = save(tmp_path, played(protocol))
    folder = export(session, tmp_path / "to", "parquet")
    recorded = read_session(session)
    for name, table in recorded.tables.items():
        read = pq.read_table(folder / f"{name}.parquet")
        assert read.schema.names == [column.name for column in table.columns]
        for column, values in zip(table.columns, table.column_values(), strict=True):
            field = read.schema.field(column.name)
            metadata = {key.decode(): value.decode() for key, value in (field.metadata or {}).items()}
            assert metadata.get("unit", "") == column.unit
            assert metadata.get("text", "") == column.text
            found = read[column.name].to_pylist()
            if metadata.get("encoding") == "json":
                found = [None if value is None else json.loads(value) for value in found]
            assert found == list(values)
        assert json.loads(read.schema.metadata[b"session"])["session"] == "2026-11-21/001"
        pq.read_table(folder / f"{name}.parquet").to_pandas()


MADE = Table(
    "made",
    (
        TableColumn("whole", "integer"),
        TableColumn("said", "text", values=("a",)),
        TableColumn("what", "any"),
        TableColumn("x_cm", "number", "from the left", "cm"),
    ),
    [(1, "=1+1", {"deep": [1]}, 2), (None, None, None, None), ("two", "\ud800", [None], 0.5)],
)


def test_no_spreadsheet_runs_a_text(tmp_path: Path) -> None:
    write_csv(tmp_path / "made.csv", MADE)
    with (tmp_path / "made.csv").open(newline="", encoding="utf-8") as file:
        _, first, second, third = csv.reader(file)
    assert first == ["1", "'=1+1", '{"deep":[1]}', "2"]
    assert second == ["", "", "", ""]
    assert third == ["two", "\\ud800", "[null]", "0.5"]


def test_parquet_keeps_values_that_are_not_of_their_kind(tmp_path: Path) -> None:
    write_parquet(tmp_path / "made.parquet", MADE, {})
    read = pq.read_table(tmp_path / "made.parquet")
    assert read["whole"].to_pylist() == ["1", None, '"two"']
    assert read.schema.field("whole").metadata[b"encoding"] == b"json"
    assert read["said"].to_pylist() == ["=1+1", None, "\\ud800"]
    assert read["x_cm"].to_pylist() == [2.0, None, 0.5]


def test_an_empty_column_has_its_type_in_parquet(tmp_path: Path) -> None:
    write_parquet(tmp_path / "made.parquet", Table("made", MADE.columns), {})
    types = [str(field.type) for field in pq.read_table(tmp_path / "made.parquet").schema]
    assert types == ["int64", "dictionary<values=string, indices=int32, ordered=0>", "string", "double"]


# --- where they go --------------------------------------------------------------------------------------------


def test_nothing_is_overwritten_without_force(tmp_path: Path) -> None:
    session = save(tmp_path, played("free_water"))
    folder = export(session, tmp_path / "to")
    (folder / ".mine.txt").write_text("notes")
    with pytest.raises(ConfigError, match="is there already: --force replaces it"):
        export(session, tmp_path / "to")
    assert (folder / ".mine.txt").exists()
    export(session, tmp_path / "to", force=True)
    assert not (folder / ".mine.txt").exists()
    assert sorted(path.name for path in folder.parent.iterdir()) == [folder.name]


def test_force_keeps_what_a_person_has_put_into_an_export(tmp_path: Path) -> None:
    session = save(tmp_path, played("free_water"))
    folder = export(session, tmp_path / "to")
    (folder / "trials.xlsx").write_text("my numbers")
    with pytest.raises(ConfigError, match=r"has trials\.xlsx, which no export wrote"):
        export(session, tmp_path / "to", force=True)
    assert (folder / "trials.xlsx").read_text() == "my numbers"
    (folder / "trials.xlsx").rename(folder / ".hidden")
    assert export(session, tmp_path / "to", force=True) == folder


def test_force_replaces_only_what_is_an_export(tmp_path: Path) -> None:
    session = save(tmp_path, played("free_water"))
    folder = tmp_path / "to" / "M1_2026-11-21_001_csv"
    folder.mkdir(parents=True)
    (folder / "thesis.txt").write_text("all of it")
    with pytest.raises(ConfigError, match="is no export"):
        export(session, tmp_path / "to", force=True)
    (folder / COLUMNS).write_text("[" * 100_000)
    with pytest.raises(ConfigError, match="is no export"):
        export(session, tmp_path / "to", force=True)
    os.rename(folder, tmp_path / "elsewhere")
    os.symlink(tmp_path / "elsewhere", folder)
    with pytest.raises(ConfigError, match="is no export"):
        export(session, tmp_path / "to", force=True)
    assert (tmp_path / "elsewhere" / "thesis.txt").read_text() == "all of it"


def test_an_export_that_fails_leaves_the_old_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    session = save(tmp_path, played("free_water"))
    folder = export(session, tmp_path / "to")
    before = {path.name: path.read_bytes() for path in folder.iterdir()}

    def fail(*given: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(files, "write_atomic", fail)
    with pytest.raises(RecordError, match="No space left"):
        export(session, tmp_path / "to", force=True)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    assert sorted(path.name for path in folder.parent.iterdir()) == [folder.name]


def test_a_copied_journal_gives_its_folder_its_name(tmp_path: Path) -> None:
    copy = tmp_path / "there" / "a copy;rm.jsonl"
    copy.parent.mkdir()
    copy.write_bytes(b"".join(played("free_water").raw))
    (target,) = plan_exports([copy], Path(), "csv", force=False)
    assert target.folder == Path("a_copy_rm_csv")


def test_no_tables_are_written_among_the_records_of_a_subject(tmp_path: Path) -> None:
    session = save(tmp_path, played("free_water"))
    for place in (session, session.parent, tmp_path / "M1", tmp_path / "M1" / "tables"):
        with pytest.raises(ConfigError, match="lies among the records of a subject"):
            plan_exports([session], place, "csv", force=False)
    # What is written beside them leaves what was given known.
    before = delivered_between(tmp_path / "M1", *ALWAYS)
    export(session, tmp_path)
    assert delivered_between(tmp_path / "M1", *ALWAYS) == before


def test_the_names_of_folders_are_safe_and_each_is_of_one_session(tmp_path: Path) -> None:
    session = save(tmp_path, played("free_water"), subject="..#-x y")
    (target,) = plan_exports([session], tmp_path / "to", "csv", force=False)
    assert target.folder == tmp_path / "to" / "_-x_y_2026-11-21_001_csv"
    with pytest.raises(ConfigError, match="would be the folder of 2 sessions"):
        plan_exports([session, session / "journal.jsonl"], tmp_path / "to", "csv", force=False)
