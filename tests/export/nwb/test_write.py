"""The file of a session: what PyNWB reads of it is what the journal says."""

import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from pynwb import NWBFile

from rig.core.errors import RecordError
from rig.core.model.rows import TRIAL_TABLE
from rig.export.nwb.general import GivenGeneral
from rig.export.nwb.subject import GivenFacts
from rig.records.sampled.samples import SamplesFile, samples_path
from rig.records.track.positions import PositionsFile, Sample
from tests.export.nwb.exported import as_read, columns_of, exported, made, read_file, trials_of
from tests.journal_lines import sealed_json
from tests.records.journals import Book


def general_of(path: Path) -> dict[str, Any]:
    names = ("session_description", "session_id", "identifier", "notes", "experimenter", "lab", "institution")
    names += ("session_start_time", "experiment_description", "data_collection")

    def read(file: NWBFile) -> dict[str, Any]:
        lists = {
            name: [*getattr(file, name)]
            for name in ("keywords", "related_publications")
            if getattr(file, name) is not None
        }
        return {**{name: getattr(file, name) for name in names}, **lists}

    found: dict[str, Any] = read_file(path, read)
    return found


def test_the_file_says_what_session_it_is(tmp_path: Path) -> None:
    header = {"protocol": "my_task", "about": "Two ports.", "publications": ["https://doi.org/10.1/x"], "seed": 7}
    session = made(tmp_path, fill=lambda book: None, **header)
    found = general_of(exported(session, general=GivenGeneral(("Doe, Jane",), "Lab", "Here", ("mice",), ())))
    assert found["experimenter"] == ("Doe, Jane",)
    assert (found["lab"], found["institution"], found["session_id"]) == ("Lab", "Here", "2025-03-01-001")
    assert found["experiment_description"] == "my_task: Two ports."
    assert found["keywords"] == ["behavior", "my_task", "mice"]
    assert found["related_publications"] == ["https://doi.org/10.1/x"]
    assert found["session_start_time"].isoformat() == "2025-03-01T09:00:00+01:00"
    assert "seed: 7" in found["data_collection"]
    assert "SIMULATED" not in found["session_description"]


def test_a_simulated_session_is_marked_as_one(tmp_path: Path) -> None:
    session = made(tmp_path, fill=lambda book: None, simulated=True, model="rflr", start="2025-03-01T09:00:00")
    found = general_of(exported(session))
    assert found["session_description"].startswith("SIMULATED SESSION")
    assert "simulation" in found["keywords"]
    assert found["session_start_time"].isoformat() == "2025-03-01T09:00:00+00:00"
    assert "taken as UTC" in found["notes"]


def test_an_identifier_is_the_same_at_each_export_and_another_for_each_session(tmp_path: Path) -> None:
    first, other = (made(tmp_path / name, fill=lambda book: None, seed=seed) for name, seed in (("a", 1), ("b", 2)))
    found = [general_of(exported(session))["identifier"] for session in (first, first, other)]
    assert found[0] == found[1] != found[2]


def test_the_machine_s_facts_are_taken_from_beside_the_journal(tmp_path: Path) -> None:
    session = made(tmp_path, fill=lambda book: None)
    facts = {
        "program": {"name": "behavior-rig", "version": "9.8.7", "git": [{"commit": "abc", "dirty": True}]},
        "board": {"name": "uno", "uid": "7F3A", "firmware": "1.2"},
        "experimenter": "Roe, Max",
    }
    (session / "environment.json").write_text(json.dumps(facts))

    def read(file: NWBFile) -> tuple[Any, ...]:
        return [*map(list, file.was_generated_by)], file.devices["board"].serial_number, file.data_collection

    programs, uid, text = read_file(exported(session), read)
    assert ["behavior-rig", "9.8.7"] in programs
    assert ["firmware of board uno", "1.2"] in programs
    assert uid == "7F3A"
    assert "abc, changed" in text
    assert general_of(exported(session, general=GivenGeneral()))["experimenter"] == ("Roe, Max",)


@pytest.mark.parametrize("text", ["{", "[]", '{"board": 3, "program": [], "experimenter": {}}', "\udcff"])
def test_a_file_of_facts_that_is_none_is_left_out(tmp_path: Path, text: str) -> None:
    session = made(tmp_path, fill=lambda book: None)
    (session / "environment.json").write_bytes(text.encode("utf-8", "surrogateescape"))
    assert general_of(exported(session))["session_id"] == "2025-03-01-001"


def test_a_session_without_an_end_is_exported_as_far_as_it_goes_and_says_so(tmp_path: Path) -> None:
    session = made(tmp_path, columns=("trial",), fill=lambda book: [book.line("trial", trial=n) for n in range(3)])
    journal = session / "journal.jsonl"
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join([lines[0], lines[1], b"damaged\n", lines[3], lines[4][:20]]))
    path = exported(session)
    notes = general_of(path)["notes"]
    assert trials_of(path)["trial"] == [0, 2]
    for said in ("no end", "1 damaged line", "is torn"):
        assert said in notes


def test_parameters_and_the_whole_header_are_in_the_file(tmp_path: Path) -> None:
    session = made(tmp_path, fill=lambda book: None, params={"q_stay": 0.98, "laser": {"p": 0.5, "at": "choice"}})

    def read(file: NWBFile) -> tuple[dict[str, list[Any]], str]:
        return columns_of(file.processing["behavior"]["TaskParameters"]), file.scratch["journal_header"].data

    table, header = read_file(exported(session), read)
    values = dict(zip(table["parameter"], map(json.loads, table["value"]), strict=True))
    assert values == {
        "params.q_stay": 0.98,
        "params.laser.p": 0.5,
        "params.laser.at": "choice",
        "stop.session_s": 60,
        "stop.min_trials": 1,
        "seed": 1,
    }
    assert json.loads(header)["params"]["laser"]["at"] == "choice"


def test_positions_are_in_centimeters_that_convert_to_meters(tmp_path: Path) -> None:
    rig = {
        "name": "maze",
        "board": {},
        "devices": {"tracker": {"kind": "tracker", "x_px": 320, "y_px": 400, "px_per_cm": 2}},
        "calibrations": {},
    }
    samples = [Sample(16_667 * n, n, n / 8, float("nan") if n == 1 else 2.0, n) for n in range(1, 5)]
    samples[2] = samples[2]._replace(t_us=60_000)
    session = made(tmp_path, fill=lambda book: None, rig=rig)
    PositionsFile(session).append(samples)

    def read(file: NWBFile) -> tuple[Any, ...]:
        series = file.processing["behavior"]["Position"]["position"]
        return series.data[:], series.timestamps[:], series.conversion, series.unit, series.reference_frame

    data, times, conversion, unit, frame = read_file(exported(session), read)
    np.testing.assert_array_equal(data, np.array([(each.x_cm, each.y_cm) for each in samples], np.float32))
    assert times.tolist() == [each.t_us / 1e6 for each in samples]
    assert (conversion, unit) == (0.01, "meters")
    assert "pixel (320, 400)" in frame


def test_positions_that_cannot_be_read_are_left_out_and_the_file_says_so(tmp_path: Path) -> None:
    session = made(tmp_path, fill=lambda book: None)
    (session / "positions.bin").write_bytes(b"x" * 64)
    path = exported(session)
    assert "positions.bin" in general_of(path)["notes"]
    assert "Position" not in read_file(path, lambda file: list(file.processing["behavior"].data_interfaces))


def test_samples_are_an_acquisition_in_the_unit_of_the_rig_file(tmp_path: Path) -> None:
    rig = {
        "name": "room",
        "board": {},
        "devices": {"wheel": {"kind": "encoder", "scale": 0.25, "unit": "cm"}, "lever": {"kind": "analog_input"}},
        "calibrations": {},
    }
    wheel, lever = [(1_000 * n + 7, n - 2) for n in range(5)], [(0, 7), (3_000, 8), (4_000, 9)]

    def fill(book: Any) -> None:
        for source, values in (("wheel", wheel), ("lever", lever)):
            folder = tmp_path / source
            folder.mkdir()
            book.write(SamplesFile(folder, source).append(values))

    session = made(tmp_path, fill=fill, rig=rig)
    for source in ("wheel", "lever"):
        samples_path(tmp_path / source, source).rename(samples_path(session, source))

    def read(file: NWBFile) -> list[tuple[Any, ...]]:
        found = [file.acquisition[source] for source in ("wheel", "lever")]
        return [
            (series.data[:].tolist(), series.conversion, series.resolution, series.unit, series.rate, _times(series))
            for series in found
        ]

    def _times(series: Any) -> Any:
        return series.starting_time if series.timestamps is None else series.timestamps[:].tolist()

    assert read_file(exported(session), read) == [
        ([-2, -1, 0, 1, 2], 0.25, 0.25, "cm", pytest.approx(1_000), 7e-6),
        ([7, 8, 9], 1.0, 1.0, "arbitrary units", None, [0, 0.003, 0.004]),
    ]


def test_regular_frames_have_a_rate(tmp_path: Path) -> None:
    session = made(tmp_path, fill=lambda book: None)
    PositionsFile(session).append([Sample(20_000 * n, n, 0.0, 0.0, n) for n in range(5)])

    def read(file: NWBFile) -> tuple[float, float]:
        series = file.processing["behavior"]["Position"]["position"]
        return series.rate, series.starting_time

    rate, start_s = read_file(exported(session), read)
    assert rate == pytest.approx(50)
    assert start_s == 0


# --- whatever a laboratory's protocol writes -------------------------------------------------------------------------

TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8)
SCALARS = st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False, allow_infinity=False) | TEXTS
KINDS = (
    st.booleans(),
    st.integers(-(2**53), 2**53),
    st.floats(allow_nan=False, allow_infinity=False),
    TEXTS,
    st.lists(st.floats(allow_nan=False, allow_infinity=False), max_size=3),
    st.lists(TEXTS, max_size=3),
    SCALARS | st.lists(SCALARS, max_size=2) | st.dictionaries(TEXTS, SCALARS, max_size=2),
)
NAMES = st.sampled_from(
    ["trial", "t", "größe", "name", "id", "columns", "start_time", "stop_time", "tags", "x", "x_index", "description"]
) | st.from_regex(r"[a-zA-Z_][a-z0-9_]{0,9}", fullmatch=True)


@st.composite
def odd_tables(draw: st.DrawFn) -> tuple[list[str], list[dict[str, Any]]]:
    names = draw(st.lists(NAMES, min_size=1, max_size=4, unique=True))
    kinds = {name: draw(st.sampled_from(KINDS)) for name in names}
    row = st.fixed_dictionaries(
        {
            name: st.none() | (st.floats(0, 1e4) if name.startswith("t_") or name == "t" else kind)
            for name, kind in kinds.items()
        }
    )
    return names, draw(st.lists(row, max_size=4))


def read_back(columns: Mapping[str, list[Any]], texts: Mapping[str, str], name: str) -> list[Any] | None:
    """Return the values of a protocol's column; None if no column has its name."""
    found = next((own for own in columns if f"(column {name} of the protocol)" in texts[own]), name)
    if found not in columns or (found in ("start_time", "stop_time") and found == name):
        return None
    return [json.loads(value) for value in columns[found]] if "as JSON" in texts[found] else columns[found]


@given(odd_tables())
@settings(
    max_examples=8,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_odd_rows_are_read_as_they_were_written(
    tmp_path_factory: pytest.TempPathFactory, table: tuple[list[str], list[dict[str, Any]]]
) -> None:
    names, rows = table
    session = made(
        tmp_path_factory.mktemp("odd"),
        columns=tuple(names),
        fill=lambda book: [book.row(n, TRIAL_TABLE, row) for n, row in enumerate(rows)],
    )

    def read(file: NWBFile) -> tuple[dict[str, list[Any]], dict[str, str]]:
        if file.trials is None:
            return {}, {}
        return columns_of(file.trials), {column.name: column.description for column in file.trials.columns}

    columns, texts = read_file(exported(session), read)
    for name in names:
        found = read_back(columns, texts, name)
        if found is None:
            assert all(row[name] is None for row in rows)
        else:
            assert all(as_read(row[name], value) for row, value in zip(rows, found, strict=True)), (name, found)


@pytest.mark.parametrize(
    "orders",
    [
        [{"do": "pulse"}],
        [{"do": "train", "output": "a", "on_us": 1, "count": "x", "period_us": 2}],
        [{"do": "set", "output": [], "on": 1}],
    ],
)
def test_a_journal_that_no_program_of_ours_wrote_gives_a_message_or_a_file(tmp_path: Path, orders: list[Any]) -> None:
    def fill(book: Book) -> None:
        command = {"seq": 1, "k": "command", "t": 0, "epoch": 0, "batch": 1, "last_event": 0, "orders": orders}
        book.raw.append(sealed_json(command))
        book.done(1)

    session = made(
        tmp_path, fill=fill, rig={"name": "a/b", "board": {}, "devices": {"../x:y": {}, "..": {}}, "calibrations": {}}
    )
    with suppress(RecordError):
        exported(session, GivenFacts(species="mouse", sex="U", age="P1D"))
    assert {path.name for path in session.iterdir()} <= {"journal.jsonl", "out.nwb"}
