"""`rig analyze` of sessions of the disk bandit."""

import contextlib
import csv
import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from rig.cli.main import main
from rig.core.journal.journal import Journal
from rig.core.model.rows import TRIAL_TABLE
from tests.cli.conftest import Rig
from tests.cli.processes import without
from tests.journal_lines import FOOTER, HEADER, made
from tests.protocols.delay_discounting.analysis.made import write_csv
from tests.protocols.disk_bandit.analysis.made import VI_S, Bird, Row, days, peck
from tests.tables import rows

BIRD = Bird(pecks=(15,) * 12)
TEST = "8 disks, VI 3-6561 s"


@pytest.fixture(scope="module")
def birds(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("birds")
    return [
        write_pecks(folder / f"{name}_{day}.csv", rows)
        for name in ("Cosmo", "Estelle")
        for day, rows in enumerate(days(BIRD, 3, subject=name))
    ]


class Analyzed(NamedTuple):
    """What is printed of all birds, of whom one is in a table of subjects; and their counts."""

    text: str
    document: dict[str, Any]
    counts: list[dict[str, str]]


@pytest.fixture(scope="module")
def analyzed(birds: list[Path]) -> Analyzed:
    """The answers to two commands, for all tests that read them."""
    folder = birds[0].parent
    people, cells = folder / "people.csv", folder / "cells.csv"
    people.write_text("subject,sex,grades\nCosmo,m,3\nHester,f,2\n", encoding="utf-8")
    printed = []
    for more in (["--cells", str(cells)], ["--json"]):
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            assert main(["analyze", *map(str, birds), "--people", str(people), *more]) == 0
        assert err.getvalue() == ""
        printed.append(out.getvalue())
    with cells.open(newline="") as file:
        return Analyzed(printed[0], json.loads(printed[1], parse_constant=pytest.fail), list(csv.DictReader(file)))


def write_pecks(path: Path, rows: Sequence[Row]) -> Path:
    return write_csv(path, [{name: "" if value is None else value for name, value in row.items()} for row in rows])


def own_session(data: Path, rows: Sequence[Row], day: int = 1, **notes: Any) -> Path:
    """A session of our own in its folder, whose journal begins with the day's assignment."""
    folder = data / "sim" / "Cosmo" / f"2026-11-{day:02}" / "001"
    folder.mkdir(parents=True)
    with (folder / "journal.jsonl").open("wb", buffering=0) as file:
        journal = Journal(file.write)
        columns = list(peck(0))
        limits = {"params": {"block_s": 300.0}, "stop": {"session_s": 3600.0, "min_trials": 1}}
        header = {**HEADER, "protocol": "disk_bandit", "subject": "Cosmo", "columns": columns, **limits}
        journal.write(made("header", **header))
        journal.note(0, "assignment", **notes)
        for row in rows:
            journal.row(round(row["t"] * 1e6), TRIAL_TABLE, row)
        journal.write(made("footer", 3_600_000_000, **FOOTER))
    return folder


def test_peck_files_are_analyzed(analyzed: Analyzed) -> None:
    for words in (TEST, "sessions (subjects)", "6 (2)", "θ of all blocks", "P(disk)", "Estelle", "constants of"):
        assert words in analyzed.text


def test_the_document_has_keys_to_rely_on(analyzed: Analyzed) -> None:
    found = analyzed.document
    assert list(found) == ["format", "kind", "analysis", "selection", "groups", "sessions", "notes", "figures"]
    assert (found["analysis"], found["selection"]) == ("disk_bandit", {"min_pecks": 20})
    group = found["groups"][TEST]
    assert (group["sessions"], group["subjects"], group["pecks"]) == (6, 2, 6 * 180)
    thetas = group["thetas"]
    assert list(thetas["by_block"]) == ["block", "n", "value", "se", "robust_se", "by_subject", "t", "d"]
    assert set(thetas["locations"]["goodness"]) == {"parameters", "n", "ll", "bic", "r2"}
    assert thetas["carry_over"]["sessions"] == 4
    assert [each["vi_s"] for each in group["returns"]] == [3, 9, 27]
    assert group["shares"]["p_disk"]["pooled"][0] == pytest.approx(0.3, abs=0.1)
    assert group["largest"][0]["subject"] == "Cosmo"


def test_a_session_of_our_own_knows_the_disks_that_nobody_pecked(rig: Rig, data: Path) -> None:
    rows = [peck(disk, 10.0 * n, VI_S[disk]) for n, disk in enumerate([0, 0, 1, 0, 2] * 6)]
    folder = own_session(data, rows, vi_s=list(VI_S), prev_vi_s=None, p_reward=None)
    found = json.loads(rig("analyze", folder, "--json").out)
    group = found["groups"][TEST]
    assert group["shares"]["n"] == [18, 6, 6, 0, 0, 0, 0, 0]
    assert (group["with_data"], group["session_blocks"]) == (1, 12)
    assert found["sessions"][0]["placed"]


def test_the_counts_are_written_as_a_table_where_asked(analyzed: Analyzed) -> None:
    assert "cells.csv\n" in analyzed.text.partition("written: ")[2]
    assert sum(int(row["pecks"]) for row in analyzed.counts) == 6 * 180
    assert {row["subject"] for row in analyzed.counts} == {"Cosmo", "Estelle"}


def test_figures_are_drawn_where_asked(rig: Rig, birds: list[Path], tmp_path: Path) -> None:
    answer = rig("analyze", birds[0], "--figures", tmp_path / "figures")
    drawn = sorted(path.name for path in (tmp_path / "figures").iterdir())
    assert "8_disks_VI_3-6561_s_density.png" in drawn
    assert all(name in answer.out for name in drawn)


def test_what_was_left_out_and_who_was_excluded_is_said_with_the_reason(
    rig: Rig, birds: list[Path], tmp_path: Path
) -> None:
    idle = write_pecks(tmp_path / "Idle_1.csv", [peck(-1, 5.0), peck(0, 6.0), peck(0, 7.0, phase="reward")])
    answer = rig("analyze", birds[0], idle)
    assert answer.status == 0
    assert "Idle_1: excluded: 1 pecks on disks, fewer than 20" in answer.out
    assert "Idle_1" in rig("analyze", birds[0], idle, "--min-pecks", "1", "--json").out


def test_sessions_without_a_peck_on_a_disk_are_refused(rig: Rig, tmp_path: Path) -> None:
    idle = write_pecks(tmp_path / "Idle_1.csv", [peck(-1, 5.0), peck(0, 7.0, phase="reward")])
    answer = rig("analyze", idle)
    assert (answer.status, answer.out) == (2, "")
    assert f"{idle}: has no peck on a disk: wanted at least one" in answer.err


def test_theta_is_compared_with_the_columns_of_a_table_of_subjects(
    rig: Rig, analyzed: Analyzed, birds: list[Path], tmp_path: Path
) -> None:
    assert "theta against traits" in analyzed.text
    assert f"note: {TEST}: --people has no row for Estelle" in analyzed.text
    group = analyzed.document["groups"][TEST]
    assert [trait["subjects"] for trait in group["traits"]] == [["Cosmo"], ["Cosmo"]]
    missing = rig("analyze", birds[0], "--people", tmp_path / "none.csv")
    assert missing.status != 0
    assert "none.csv: cannot be read as subjects" in missing.err


def test_theta_is_reported_of_every_subject_and_at_every_location(analyzed: Analyzed) -> None:
    assert "theta of every subject" in analyzed.text
    assert "theta by location" in analyzed.text
    thetas = analyzed.document["groups"][TEST]["thetas"]
    assert [own["subject"] for own in thetas["own"]] == ["Cosmo", "Estelle"]
    assert len(thetas["places"]["theta"]) == 8
    assert set(thetas["models"]["block_and_place"]["effects"]) == {"block", "place"}


def test_a_theta_without_an_end_is_named_and_has_no_number(rig: Rig, data: Path) -> None:
    rows = [peck(0, 10.0 * n, VI_S[0]) for n in range(30)]
    folder = own_session(data, rows, vi_s=list(VI_S), prev_vi_s=None, p_reward=None)
    answer = rig("analyze", folder)
    assert answer.status == 0
    assert f"note: {TEST}: theta has no finite value: in these pecks the better disk is always chosen" in answer.out
    thetas = json.loads(rig("analyze", folder, "--json").out)["groups"][TEST]["thetas"]
    assert thetas["overall"]["value"] == [None]
    assert thetas["by_block"]["value"] == []


def test_a_file_without_a_needed_column_is_no_peck_file(rig: Rig, tmp_path: Path) -> None:
    rows = [{name: value for name, value in peck(0).items() if name != "phase"}]
    answer = rig("analyze", write_pecks(tmp_path / "Cosmo_1.csv", rows))
    assert answer.status == 2
    assert "Cosmo_1.csv:1:" in answer.err


@rows("wrong", "why")
def test_a_line_that_is_no_peck_is_named(rig: Rig, tmp_path: Path, wrong: Row, why: str) -> None:
    path = write_pecks(tmp_path / "Cosmo_1.csv", [peck(0), peck(0) | wrong])
    answer = rig("analyze", path)
    assert answer.status == 2
    assert f"{path}:3: {why}; wanted a peck such as" in answer.err


def test_two_vis_of_one_disk_in_a_session_are_refused(rig: Rig, tmp_path: Path) -> None:
    answer = rig("analyze", write_pecks(tmp_path / "Cosmo_1.csv", [peck(0), peck(0, vi_s=9)]))
    assert answer.status == 2
    assert "vi_s of disk 0 is 3 and 9 in one session" in answer.err


def test_without_the_extra_all_but_fits_and_figures_is_said(birds: list[Path]) -> None:
    answer = without("scipy", "matplotlib", words=("analyze", *birds))
    assert (answer.returncode, answer.stderr) == (0, "")
    assert "fits and figures are left out" in answer.stdout
    assert "P(disk)" in answer.stdout
    assert "grows without end" not in answer.stdout


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--laps", "x"), "--laps: is an option of delay_discounting, but these sessions are for disk_bandit"),
        (("--min-pecks", "-1"), "--min-pecks -1: wanted a whole number, 0 or more"),
        (("--cells", "{file}/no/where.csv"), "--cells"),
    ],
)
def test_wrong_options_are_named(rig: Rig, birds: list[Path], words: tuple[str, ...], why: str) -> None:
    answer = rig("analyze", birds[0], *(word.format(file=birds[0]) for word in words))
    assert answer.status == 2
    assert why in answer.err
