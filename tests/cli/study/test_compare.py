"""``rig study compare``: verdicts of several runs side by side."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from rig.cli.main import main

ROW = {
    "name": "choices",
    "of": "all",
    "take": "x",
    "obtained": 0.7,
    "error": 0.01,
    "fitted": False,
    "verdict": "within",
    "unsafe": False,
}


def results(folder: Path, seed: int, *rows: Mapping[str, object]) -> str:
    document = {"kind": "study_run", "title": "Mice", "seed": seed, "figures": [{**ROW, **row} for row in rows]}
    path = folder / f"{seed}.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    return str(path)


def test_numbers_whose_verdicts_differ_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lost = {"name": "lost", "obtained": None, "error": None, "verdict": "unknown"}
    first = results(tmp_path, 1, {}, lost)
    second = results(tmp_path, 2, {"obtained": 0.9, "verdict": "off", "fitted": True, "unsafe": True}, lost)
    assert main(["study", "compare", first, second]) == 1
    printed = capsys.readouterr().out
    for text in (
        "seed 1",
        "seed 2",
        "0.700 ± 0.010, within tolerance",
        "0.900 ± 0.010, OUTSIDE, fitted, unsafe",
        "-, NO NUMBER",
    ):
        assert text in printed
    assert "The verdicts of 1 of 2 numbers differ: choices." in printed


def test_numbers_that_differ_within_their_bounds_agree(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = [results(tmp_path, 1, {}), results(tmp_path, 2, {"obtained": 0.71})]
    assert main(["study", "compare", *words]) == 0
    assert "The verdicts of 1 number agree." in capsys.readouterr().out


def test_results_of_another_study_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = [results(tmp_path, 1, {}), results(tmp_path, 2, {"take": "y"})]
    assert main(["study", "compare", *words]) == 2
    assert "2.json: has other figures than" in capsys.readouterr().err


def test_a_file_without_results_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "page.json"
    path.write_text('{"kind": "study_power"}', encoding="utf-8")
    assert main(["study", "compare", str(path)]) == 2
    assert "wanted the output of `rig study run STUDY --json`" in capsys.readouterr().err
