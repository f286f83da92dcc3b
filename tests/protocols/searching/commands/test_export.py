"""`rig searches export`: sessions of searches as one public table, which `rig analyze` reads again."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from protocols.searching.analysis.public import of_file
from rig.core.journal.kinds import SessionLine
from tests.cli.conftest import Rig
from tests.journal_lines import FOOTER, HEADER, journal_of, made
from tests.protocols.searching.analysis.journal_rows import COLUMNS, click, round_line

ROUND = list(round_line(1).row)


def search(data: Path, subject: str = "P1", number: int = 1, **header: Any) -> Path:
    """Write a session of two rounds on 11 x 11 tiles; the second begins with its longer horizon."""
    begin = HEADER | {"protocol": "grid_bandit", "columns": COLUMNS, "subject": subject, "tables": {"rounds": ROUND}}
    begin |= {"params": {"width": 11, "height": 11, "payoff": "maximum"}, "start": "2026-11-26T10:00:00+01:00"} | header
    lines: list[SessionLine] = [made("header", **begin)]
    for place, horizon in ((1, 2), (2, 3)):
        for trial in range(1, horizon + 1):
            at = {"tile": 12 * trial, "x": trial, "y": trial, "horizon": horizon, "condition": "maximum-rough"}
            lines.append(click(place, trial, drawn=20.0 * trial - 25, **at))
        lines.append(round_line(place, initial_tile=120, t_began=10.0 * place))
    lines.append(made("footer", **FOOTER))
    folder = data / subject / "2026-11-26" / f"{number:03d}"
    folder.mkdir(parents=True)
    (folder / "journal.jsonl").write_bytes(b"".join(journal_of(lines)))
    return folder


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_a_long_table_has_a_row_for_the_revealed_tile_and_every_click(rig: Rig, tmp_path: Path) -> None:
    search(tmp_path / "data")
    search(tmp_path / "data", number=2)
    answer = rig("searches", "export", tmp_path / "data", "--to", tmp_path / "long.csv")
    assert (answer.status, answer.err, answer.out) == (0, "", f"2 sessions, 10 clicks: {tmp_path / 'long.csv'}\n")
    found = rows(tmp_path / "long.csv")
    assert [(row["session"], row["round"], row["trial"]) for row in found[:4]] == [
        *(("1", "1", str(trial)) for trial in range(3)),
        ("1", "2", "0"),
    ]
    assert found[7]["session"] == "2"
    assert (found[1]["x"], found[1]["y"], found[1]["chosen"], found[1]["z"]) == ("1", "1", "13", "-5")
    assert int(found[1]["time"]) - int(found[0]["time"]) == 1000


def test_a_wide_table_is_read_again_as_the_session(rig: Rig, tmp_path: Path) -> None:
    session = search(tmp_path / "data")
    answer = rig("searches", "export", session, "--layout", "wide", "--to", tmp_path / "wide.csv", "--json")
    assert json.loads(answer.out)["sessions"] == 1
    (row,) = rows(tmp_path / "wide.csv")
    assert (row["id"], row["scenario"], row["kernel"], row["horizon"], row["reward"]) == ("P1", "1", "0", "0", "0.24")
    assert (row["start"], row["end"]) == ("26-11-26 10:00", "26-11-26 10:00")
    (person,) = of_file(tmp_path / "wide.csv").people
    assert [each.tile.tolist() for each in person.rounds] == [[120, 12, 24], [120, 12, 24, 36]]
    assert person.condition == "maximum-rough"


def test_a_file_that_exists_needs_force(rig: Rig, tmp_path: Path) -> None:
    session = search(tmp_path / "data")
    (tmp_path / "long.csv").write_text("mine")
    answer = rig("searches", "export", session, "--to", tmp_path / "long.csv")
    assert (answer.status, (tmp_path / "long.csv").read_text()) == (2, "mine")
    assert "--force" in answer.err
    assert rig("searches", "export", session, "--to", tmp_path / "long.csv", "--force").status == 0


@pytest.mark.parametrize(
    ("header", "why"),
    [
        ({"params": {"width": 21, "height": 1}}, "wanted --layout long"),
        ({"columns": ["outcome"], "protocol": "free_water"}, "is a session of free_water: wanted a search on a grid"),
    ],
)
def test_what_the_table_cannot_hold_is_refused(rig: Rig, tmp_path: Path, header: dict[str, Any], why: str) -> None:
    session = search(tmp_path / "data", **header)
    answer = rig("searches", "export", session, "--layout", "wide", "--to", tmp_path / "wide.csv")
    assert (answer.status, answer.out) == (2, "")
    assert why in answer.err or "outside of its" in answer.err
    assert not (tmp_path / "wide.csv").exists()
