"""`rig show columns`: what the tables of a protocol hold."""

import json

import pytest

from rig.core.model.columns import describe_columns
from rig.core.model.rows import TRIAL_TABLE
from rig.session.spec.task_classes import installed_task
from rig.system.plugins import PROTOCOLS, installed_plugins
from tests.cli.conftest import Rig


def test_a_person_reads_the_columns_of_every_table(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "160")
    said = rig("show", "columns", "disk_bandit_vi_short")
    assert said.status == 0
    lines = said.out.splitlines()
    assert {"trials.csv", "intervals.csv"} <= {line.strip() for line in lines}
    (line,) = (line for line in lines if line.startswith("prev_vi_s "))
    assert line.split()[:3] == ["prev_vi_s", "number", "s"]
    assert "mean interval of this location" in line


def test_a_script_reads_json(rig: Rig) -> None:
    found = json.loads(rig("show", "columns", "two_armed_bandit", "--json").out)
    assert found["tables"]["trials"]["choice"]["values"] == ["", "left", "right"]


@pytest.mark.parametrize("name", installed_plugins(PROTOCOLS))
def test_every_column_of_the_shipped_tables_is_described(name: str) -> None:
    task = installed_task(name).task
    for table, row in {TRIAL_TABLE: task.row_type, **task.tables}.items():
        for column, said in describe_columns(row).items():
            assert said["text"], f"{name}: column {column} of the table {table}"
