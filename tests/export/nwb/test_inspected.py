"""What the inspectors of the field say of exported sessions: nothing. The matrix of all protocols is a campaign."""

import csv
import os
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from rig.cli.main import main
from rig.export.nwb.file_name import target_of
from rig.export.nwb.general import GivenGeneral
from rig.export.nwb.subject import GivenFacts, subject_fields
from rig.export.nwb.trial_tables import further_tables, trial_table
from rig.export.nwb.write import write_nwb
from rig.records.journal.read import read_journal, rows_of
from rig.records.recorded_session import read_session
from rig.records.session.trials import format_cell
from rig.system.config_paths import shipped_folder
from sim_hardware.loop import run
from tests.avr_tools import need_avr_tools
from tests.boards.firmata.test_board import session as firmata_session
from tests.export.nwb.exported import as_read, columns_of, read_file
from tests.journal_lines import journal_of
from tests.records.alignment_files import FIRST, put_alignment, put_frames
from tests.records.journals import put

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]
RECIPES = ROOT / "docs" / "recipes"
MICE = ("rflr", "fq", "q", "logistic", "sticky_hmm", "hmm", "wsls", "random", "random_explorer")
PECKERS = ("pigeon", "greedy", "uniform", "melioration")
GENERAL = GivenGeneral(("Doe, Jane",), "Doe Lab", "University of Example")
SEARCHERS = {"grid_bandit": "gp_ucb", "risky_bandit": "gp_pos", "risky_bandit_exp2": "gp_pos"}
SPECIES = {"rat": "rat", "pigeon": "pigeon", "human": "human", "gp_ucb": "human", "gp_pos": "human"}

Case = tuple[str, str, tuple[str, ...]]
"""A protocol's file, a model, and further words of ``rig sim``."""


def simulated(case: Case, data: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Run a session of a virtual subject; return its folder."""
    protocol, model, words = case
    monkeypatch.setenv("RIG_DATA", str(data))
    name = f"S{len(list(data.glob('sim/*')))}"
    said = main(
        ["sim", protocol, "--model", model, "--subject", name, "--seed", "3", "--start", "2025-03-01T09:00", *words]
    )
    assert said in (0, 1)
    (journal,) = data.glob(f"sim/{name}/*/*/journal.jsonl")
    return journal.parent


def export(folder: Path, to: Path, species: str = "mouse") -> Path:
    """Export a session into a folder of the archive's layout."""
    session = read_session(folder)
    subject = subject_fields(session, GivenFacts(species=species, sex="U", age="P90D"))
    target = target_of(session, subject.fields["subject_id"], to)
    target.parent.mkdir(parents=True, exist_ok=True)
    return write_nwb(session, subject, GENERAL, target)


def remarks(path: Path) -> list[str]:
    """Return what nwbinspector says of a file, by its own rules and by those of DANDI."""
    from nwbinspector import inspect_nwbfile, load_config

    found = []
    for config in (None, load_config("dandi")):
        found += [str(message) for message in inspect_nwbfile(nwbfile_path=path, config=config) if message is not None]
    return found


def dandi_says(folder: Path) -> str:
    """Return what ``dandi validate`` says of a folder, without the network."""
    (folder / "dandiset.yaml").write_text("identifier: '000027'\nname: a set\ndescription: for tests\n")
    offline = {
        "DANDI_NO_ET": "1",
        "NO_PROXY": "",
        "HTTPS_PROXY": "http://127.0.0.1:9",
        "HTTP_PROXY": "http://127.0.0.1:9",
    }
    command = [str(Path(sys.executable).with_name("dandi")), "validate", str(folder)]
    done = subprocess.run(command, env=os.environ | offline, capture_output=True, text=True, check=False, timeout=600)
    return done.stdout + done.stderr


def check_values(folder: Path, path: Path) -> None:
    """Check the file's trials value for value against the journal and ``trials.csv``, and that no table is missing."""
    session, rows = read_session(folder), rows_of(read_journal(folder))
    columns = read_file(path, lambda file: {} if file.trials is None else columns_of(file.trials))
    empty = set(trial_table(session).empty)
    assert bool(columns) == bool(rows)
    for name in set(session.header.columns) - empty if rows else ():
        values = [row[name] for row in rows]
        if any(value is not None for value in values):  # the others are computed after the session
            assert all(as_read(value, read) for value, read in zip(values, columns[name], strict=True)), name
    assert all(row[name] is None for row in rows for name in empty)
    check_cells(folder / "trials.csv", columns, empty)
    for table in further_tables(session):
        read = read_file(path, lambda file, name=table.name: columns_of(file.processing["behavior"][name]))
        assert set(read) == {column.name for column in table.columns}


def check_cells(path: Path, columns: Mapping[str, list[Any]], empty: set[str]) -> None:
    """Check that a table has the cells that the columns of a file give."""
    if not path.exists():  # a session that no command has run has no tables
        return
    with path.open(encoding="utf-8", newline="") as file:
        for place, cells in enumerate(csv.DictReader(file)):
            for name, cell in cells.items():
                value = "" if name in empty else columns[name][place]
                said = format_cell(name, None if value != value else value)
                assert said == cell or float(said) == float(cell)  # a column of numbers may have had an integer


@pytest.mark.parametrize(
    ("case", "species"),
    [
        (("two_armed_bandit", "rflr", ("--set", "stop.session_s=300")), "mouse"),
        (("delay_discounting", "rat", ("--rig", "sim_t_maze_tracked", "--set", "stop.session_s=300")), "rat"),
        (("disk_bandit", "pigeon", ("--set", "stop.session_s=300")), "pigeon"),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else None,
)
def test_the_inspector_has_nothing_to_say(
    case: Case, species: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = simulated(case, tmp_path / "data", monkeypatch)
    path = export(folder, tmp_path / "set", species)
    check_values(folder, path)
    assert remarks(path) == []


@pytest.mark.campaign
def test_the_inspectors_have_nothing_to_say_of_an_aligned_session(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = ("delay_discounting", "rat", ("--rig", "sim_t_maze_tracked", "--set", "stop.session_s=200"))
    folder = simulated(case, tmp_path / "data", monkeypatch)
    for name in ("probe-1.a", "time", "index"):
        put_alignment(folder, name)
    put_alignment(folder, "before", {**FIRST, "to_us": 1e9, "offset_s": -5.0})
    put_alignment(folder, "never", {**FIRST, "from_us": 1e12, "to_us": 2e12})
    put_alignment(folder, "broken", content="{")
    put_frames(folder, "camera.ttl", "0,,0", *(f"{n},{20_000 * n},{n % 7 > 0:d}" for n in range(1, 500)))
    path = export(folder, tmp_path / "set", "rat")
    check_values(folder, path)
    assert remarks(path) == []
    assert "No errors found." in dandi_says(tmp_path / "set")


def test_the_archive_s_own_check_finds_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for protocol, model, species in (
        ("free_water", "random_explorer", "mouse"),
        ("disk_bandit_rr", "pigeon", "pigeon"),
    ):
        folder = simulated((protocol, model, ("--set", "stop.session_s=120")), tmp_path / "data", monkeypatch)
        export(folder, tmp_path / "set", species)
    assert "No errors found." in dandi_says(tmp_path / "set")


# --- the matrix -----------------------------------------------------------------------------------------------------


def shipped() -> Iterable[Case]:
    """Yield each shipped protocol file with a model, each model, and boards that are no plain simulation."""
    short = ("--set", "stop.session_s=600")
    for path in sorted(Path(shipped_folder(), "protocols").glob("*.yaml")):
        name = path.stem
        model = "human" if "human" in name else "pigeon" if "disk" in name else "rat" if "delay" in name else "rflr"
        model = "random_explorer" if name == "free_water" else SEARCHERS.get(name, model)
        yield name, model, () if SPECIES.get(model) == "human" else short
    yield from (("two_armed_bandit", model, short) for model in MICE)
    yield from (("disk_bandit", model, short) for model in PECKERS)
    yield from (
        ("delay_discounting", "rat", ("--rig", rig, *short)) for rig in ("sim_t_maze_tracked", "sim_t_maze_circles")
    )


def recipes() -> Iterable[Case]:
    for path in sorted((RECIPES / "configs" / "protocols").glob("*.yaml")):
        yield path.stem, "random_explorer", ("--set", "stop.session_s=1500")


def said_of_all(folders: Iterable[tuple[Path, str]], to: Path) -> dict[str, list[str]]:
    """Export sessions and check their values; return the remarks of the inspectors, by the sessions."""
    found = {}
    for folder, species in folders:
        path = export(folder, to, species)
        check_values(folder, path)
        found[f"{folder} {species}"] = remarks(path)
    return {name: said for name, said in found.items() if said}


def species_of(case: Case) -> str:
    return SPECIES.get(case[1], "pigeon" if case[0].startswith("disk") else "mouse")


@pytest.mark.campaign
def test_nothing_is_said_of_any_shipped_protocol_and_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    runs = [(simulated(case, tmp_path / "data", monkeypatch), species_of(case)) for case in shipped()]
    assert said_of_all(runs, tmp_path / "set") == {}
    assert "No errors found." in dandi_says(tmp_path / "set")


@pytest.mark.campaign
def test_nothing_is_said_of_any_recipe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(RECIPES)
    runs = [(simulated(case, tmp_path / "data", monkeypatch), "mouse") for case in recipes()]
    assert said_of_all(runs, tmp_path / "set") == {}
    assert "No errors found." in dandi_says(tmp_path / "set")


@pytest.mark.campaign
def test_nothing_is_said_of_sessions_on_the_real_firmware(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    need_avr_tools()
    cases = (("two_armed_bandit", "rflr", "120"), ("delay_discounting", "rat", "200"), ("disk_bandit", "pigeon", "120"))
    runs = []
    for protocol, model, seconds in cases:
        case = (protocol, model, ("--board", "avr", "--set", f"stop.session_s={seconds}"))
        runs.append((simulated(case, tmp_path / "data", monkeypatch), species_of(case)))
    assert said_of_all(runs, tmp_path / "set") == {}


@pytest.mark.campaign
def test_nothing_is_said_of_a_session_on_a_board_without_stamps(tmp_path: Path) -> None:
    _, bench = run(firmata_session(*((at_s, pin) for at_s, pin in zip((2, 5, 9, 13), (6, 7, 6, 7), strict=True))))
    header, *lines = bench.lines
    header = replace(header, start="2025-03-01T09:00:00", subject="F1")
    folder = put(tmp_path / "F1" / "2025-03-01" / "001", journal_of([header, *lines]))
    assert said_of_all([(folder, "mouse")], tmp_path / "set") == {}
