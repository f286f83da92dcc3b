"""`rig analyze` of sessions of delay discounting."""

import csv
import json
import math
from pathlib import Path

import numpy as np
import pytest

from rig.core.journal.journal import Journal
from rig.core.model.rows import TRIAL_TABLE
from rig.records.track.positions import LOST, PositionsFile, Sample
from tests.cli.conftest import Rig
from tests.cli.processes import without
from tests.journal_lines import FOOTER, HEADER, made
from tests.protocols.delay_discounting.analysis.made import HZ, rat, rows, timed, walked, write_csv

SHORT = ("--min-laps", "0")
HISTORY = "LRLRLLRLRLRRLRLRLRLRLLRLRLR"


@pytest.fixture
def rats(tmp_path: Path) -> list[Path]:
    return [
        write_csv(tmp_path / f"R{seed % 2}_{seed:02}.csv", rows(rat(seed, large, 9), 9, large))
        for seed, large in enumerate((3, 3, 5, 5))
    ]


def own_session(data: Path, history: str = HISTORY) -> Path:
    """A tracked session of our own in its folder: journal and positions, of which a part was lost."""
    folder = data / "sim" / "R7" / "2026-11-21" / "001"
    folder.mkdir(parents=True)
    table, way = walked(history)
    table = [row | {"idphi": None, "zidphi": None, "pause_s": None} for row in table]
    with (folder / "journal.jsonl").open("wb", buffering=0) as file:
        journal = Journal(file.write)
        header = {**HEADER, "protocol": "delay_discounting", "subject": "R7", "columns": list(table[0])}
        journal.write(made("header", **header))
        positions = PositionsFile(folder)
        samples = [
            Sample(round(t * 1e6), round(t * 1e6), x, y, frame)
            for frame, (t, x, y) in enumerate(zip(*timed(way), strict=True))
        ]
        samples[200:210] = [sample._replace(x_cm=LOST, y_cm=LOST) for sample in samples[200:210]]
        for start in range(0, len(samples), 30):
            journal.write(positions.append(samples[start : start + 30]))
        for row in table:
            journal.row(round(row["t_lap_end"] * 1e6), TRIAL_TABLE, row)
        journal.write(made("footer", samples[-1].t_us, **{**FOOTER, "reason": "lap_cap"}))
    return folder


def test_lap_files_are_analyzed_by_ratio_and_pooled(rig: Rig, rats: list[Path]) -> None:
    answer = rig("analyze", *rats)
    assert (answer.status, answer.err) == (0, "")
    for words in ("3:1", "5:1", "pooled", "in_force_s", "investigation, lap 10", "slope (s per pellet)", "R1_03"):
        assert words in answer.out
    assert "zIdPhi is omitted: no pass of the choice point was tracked" in answer.out


def test_the_document_has_keys_to_rely_on(rig: Rig, rats: list[Path]) -> None:
    found = json.loads(rig("analyze", *rats, "--json").out, parse_constant=pytest.fail)
    top = ["format", "kind", "analysis", "selection", "ratios", "groups", "sessions", "notes", "figures"]
    assert list(found) == top
    assert (found["analysis"], found["selection"]) == ("delay_discounting", {"min_laps": 50, "backpack": False})
    assert set(found["ratios"]["line"]) == {"n", "slope", "slope_se", "intercept", "r2", "t", "p"}
    assert list(found["groups"]) == ["3:1", "5:1", "pooled"]
    group = found["groups"]["3:1"]
    assert set(group["indifference"]) == {"in_force_s", "dd_getdelays_s", "delayed_laps_s"}
    assert set(group["by_lap"]["phases"]) == {"sliding", "binned"}
    assert group["vte"] is None
    assert [each["subject"] for each in found["sessions"]] == ["R0", "R1", "R0", "R1"]


def test_a_tracked_session_of_our_own_has_its_turning(rig: Rig, data: Path, tmp_path: Path) -> None:
    folder = own_session(data)
    answer = rig("analyze", folder, *SHORT, "--json", "--laps", tmp_path / "laps.csv")
    (found,) = json.loads(answer.out)["sessions"]
    assert (found["name"], found["subject"], found["condition"]) == ("R7/2026-11-21/001", "R7", "3:1")
    assert found["passes"] == len(HISTORY)
    with (tmp_path / "laps.csv").open(newline="") as file:
        table = list(csv.DictReader(file))
    z = {kind: [float(row["zidphi"]) for row in table if row["type"] == kind] for kind in ("adjustment", "alternation")}
    assert min(z["adjustment"]) > max(z["alternation"]) + 2
    every = np.array([float(row["zidphi"]) for row in table])
    assert (every.mean(), every.std(ddof=1)) == pytest.approx((0, 1), abs=1e-5)


def test_the_table_of_a_session_is_filled_with_its_turning_when_asked(rig: Rig, data: Path) -> None:
    folder = own_session(data)
    answer = rig("analyze", folder, *SHORT, "--fill")
    assert (answer.status, answer.err) == (0, "")
    assert f"written: {folder / 'trials.csv'}" in answer.out
    with (folder / "trials.csv").open(newline="") as file:
        table = list(csv.DictReader(file))
    assert [int(row["lap"]) for row in table] == list(range(1, len(HISTORY) + 1))
    assert sum(float(row["zidphi"]) for row in table) == pytest.approx(0, abs=1e-4)
    assert float(table[5]["idphi"]) > 4 * float(table[4]["idphi"]) > 4
    assert float(table[5]["pause_s"]) > float(table[4]["pause_s"])


def test_what_is_missing_of_a_track_is_said(rig: Rig, data: Path) -> None:
    folder = own_session(data)
    path = folder / "positions.bin"
    raw = bytearray(path.read_bytes())
    raw[32 * 101 + 5] ^= 1
    path.write_bytes(raw[: -32 * 3 - 7])
    out = rig("analyze", folder, *SHORT).out
    assert "1 damaged positions are excluded" in out
    assert "4 positions that its journal names are not in positions.bin" in out
    assert "ends in an incomplete record (25 bytes)" in out


def test_the_track_of_another_session_is_refused(rig: Rig, data: Path, tmp_path: Path) -> None:
    folder, other = own_session(data), own_session(tmp_path / "other", "RLRL")
    (other / "positions.bin").replace(folder / "positions.bin")
    answer = rig("analyze", folder, *SHORT)
    assert answer.status == 2
    assert "it is the file of another session" in answer.err


def test_a_track_beside_a_lap_file_is_used(rig: Rig, tmp_path: Path) -> None:
    table, way = walked(HISTORY)
    path = write_csv(tmp_path / "R1_01.csv", table)
    places = ("{:.4f},{:.3f},{:.3f}\n".format(*place) for place in zip(*timed(way), strict=True))
    (tmp_path / "R1_01.track").write_text("t_s,x_cm,y_cm\n" + "".join(places))
    found = json.loads(rig("analyze", path, *SHORT, "--json").out)["groups"]["3:1"]["vte"]
    assert found["passes"] == len(HISTORY)
    assert found["by_type"]["adjustment"]["mean"] > 2
    assert found["pause_s"]["mean"] < 1
    wide = rig("analyze", path, *SHORT, "--json", "--window", 1 / HZ, "--smoothing", 0).out
    assert json.loads(wide)["groups"]["3:1"]["vte"]["idphi"]["mean"] > found["idphi"]["mean"]


def test_a_light_on_the_back_has_no_zidphi(rig: Rig, data: Path) -> None:
    answer = rig("analyze", own_session(data), *SHORT, "--backpack", "--json")
    found = json.loads(answer.out)
    assert found["groups"]["3:1"]["vte"] is None
    assert found["notes"] == ["zIdPhi is omitted: a light on the back does not show turns of the head"]


def test_excluded_sessions_are_named_with_their_reasons(rig: Rig, rats: list[Path], tmp_path: Path) -> None:
    short = write_csv(tmp_path / "R9_01.csv", rows("R" * 12))
    answer = rig("analyze", rats[0], short)
    assert answer.status == 0
    assert "R9_01: excluded: 12 laps, fewer than 50, the delayed side was never sampled" in answer.out
    alone = rig("analyze", short)
    assert (alone.status, alone.err) == (0, "")


def test_figures_are_drawn_where_asked(rig: Rig, data: Path, tmp_path: Path) -> None:
    answer = rig("analyze", own_session(data), *SHORT, "--figures", tmp_path / "figures")
    drawn = sorted(path.name for path in (tmp_path / "figures").iterdir())
    assert "3-1_vte_by_lap.png" in drawn
    assert all(name in answer.out for name in drawn)


def test_without_the_extra_all_but_fits_and_figures_is_said(rats: list[Path]) -> None:
    answer = without("scipy", "matplotlib", words=("analyze", *rats))
    assert (answer.returncode, answer.stderr) == (0, "")
    assert "fits and figures are left out" in answer.stdout
    assert "in_force_s" in answer.stdout
    assert "slope" not in answer.stdout


def test_a_lap_file_that_says_its_turning_needs_no_track(rig: Rig, tmp_path: Path) -> None:
    table = rows(HISTORY, idphi=[2.0 + 9 * (n % 7 == 0) for n in range(len(HISTORY))])
    found = json.loads(rig("analyze", write_csv(tmp_path / "R1_01.csv", table), *SHORT, "--json").out)
    assert found["sessions"][0]["passes"] == len(HISTORY)
    assert math.isfinite(found["groups"]["3:1"]["vte"]["idphi"]["mean"])
