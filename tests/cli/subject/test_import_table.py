"""Animals that are added from a table."""

import datetime
from pathlib import Path

import pytest

from rig.records.subject.known_subject import load_facts
from rig.records.subject_events import read_events
from tests.cli.conftest import Rig

TABLE = """\
subject,species,sex,birth,strain,baseline_g,restriction
M1,mouse,female,2026-08-01,C57BL/6N,24.5,water
M2,mouse,male,2026-08-01,"C57BL/6N, line 2",27,water
R1,rat,,,,400,
"""


pytestmark = pytest.mark.usefixtures("morning")


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "animals.csv"
    path.write_text(TABLE, encoding="utf-8")
    return path


def test_the_animals_of_a_table_are_added_with_their_facts(rig: Rig, data: Path, table: Path) -> None:
    answer = rig("subject", "import", table)
    assert answer.status == 0, answer.err
    assert answer.out.splitlines() == ["M1: added", "M2: added", "R1: added", "3 animals added"]
    assert load_facts(data / "M2").model_dump(mode="json", exclude_none=True) == {
        "species": "mouse",
        "sex": "male",
        "birth": "2026-08-01",
        "strain": "C57BL/6N, line 2",
        "baseline_g": 27.0,
        "baseline_date": "2026-11-21",
        "restriction": "water",
    }
    assert load_facts(data / "R1").sex is None


def test_a_spreadsheet_with_semicolons_and_decimal_commas_is_read(rig: Rig, data: Path, table: Path) -> None:
    text = "Subject;species;baseline-g;implant-g\r\nM1;mouse;24,5;1,8\r\n;;;\r\nMö;mouse;25;\r\n"
    table.write_bytes(b"\xef\xbb\xbf" + text.replace("Mö", "M2").encode())
    assert rig("subject", "import", table).status == 0
    facts = load_facts(data / "M1")
    assert (facts.baseline_g, facts.implant_g) == (24.5, 1.8)
    assert load_facts(data / "M2").baseline_g == 25


def test_with_one_wrong_row_nothing_is_written_and_each_mistake_is_named(rig: Rig, data: Path, table: Path) -> None:
    table.write_text(
        "subject,species,birth,baseline_g\n"
        "M1,mouse,2026-08-01,24.5\n"
        "M2,cow,01.08.2026,heavy\n"
        "M 3,mouse,,\n"
        ",mouse,,\n"
        "m1,mouse,,\n"
        "M4,mouse\n"
        "M5,mouse,2027-01-01,\n"
        "M6,mouse,,245\n"
    )
    answer = rig("subject", "import", table)
    assert answer.status == 2
    assert [line.removeprefix(f"{table}:") for line in answer.err.splitlines()] == [
        "5: subject: the name of the animal is missing",
        "7: has 2 cells, and the header has 4",
        "6: subject: m1 is in line 2 already",
        "3: baseline_g: heavy: is no weight; wanted grams, such as 24.1",
        "3: species: 'cow': wanted mouse, rat, pigeon or human",
        "3: birth: '01.08.2026': wanted a date, YYYY-MM-DD",
        "4: subject: subject 'M 3' cannot be a folder's name: use up to 64 letters, digits, '-', '_' or '.', beginning "
        "with a letter or digit, and nothing that Windows takes for a device",
        "8: birth: 2027-01-01: lies in the future: today is 2026-11-21",
        "9: baseline_g: Is a baseline of 245 g right for M6 (a mouse weighs 10 to 60 g)? Add --yes if it is right",
        "Nothing was written: correct the table, and import it again.",
    ]
    assert not data.exists()


def test_an_animal_without_a_species_is_told_to_be_due_nothing(rig: Rig, table: Path) -> None:
    table.write_text("subject,species\nM1,\nM2,mouse\n")
    said = "M1: added\nwarning: M1 has no species, so nothing is due to it."
    answer = rig("subject", "import", table).out
    assert (said in answer, answer.count("warning")) == (True, 1)
    assert "warning: M3 has no species" in rig("subject", "add", "M3").out
    assert "warning" not in rig("subject", "add", "M4", "--restriction", "none").out


def test_a_retired_animal_in_the_table_is_a_mistake(rig: Rig, data: Path, table: Path) -> None:
    table.write_text("subject,species\nM1,mouse\nM2,mouse\n")
    rig("subject", "import", table)
    rig("subject", "retire", "M1", "--reason", "its last day")
    answer = rig("subject", "import", table)
    assert (answer.status, f"{table}:2: subject: M1: is retired since" in answer.err) == (2, True), answer.err


def test_a_baseline_that_looks_mistyped_is_imported_with_yes(rig: Rig, data: Path, table: Path) -> None:
    table.write_text("subject,species,baseline_g\nM6,mouse,62\n")
    assert rig("subject", "import", table).status == 2
    assert rig("subject", "import", table, "--yes").status == 0
    assert load_facts(data / "M6").baseline_g == 62


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is empty: `rig subject import --template` prints the header"),
        ("subject,weight\nM1,24\n", "1: no column is called 'weight'"),
        ("subject,sex,sex\nM1,male,male\n", "1: column 'sex' is there twice"),
        ("species\nmouse\n", "1: has no column 'subject' with the names of the animals"),
        ('subject,strain\nM1,"open\n', "is no table of text: unexpected end of data"),
    ],
)
def test_a_table_of_another_form_is_refused(rig: Rig, data: Path, table: Path, text: str, said: str) -> None:
    table.write_text(text)
    answer = rig("subject", "import", table)
    assert (answer.status, said in answer.err) == (2, True), answer.err
    assert not data.exists()


def test_a_table_in_another_encoding_or_none_is_refused(rig: Rig, table: Path, tmp_path: Path) -> None:
    table.write_bytes("subject,strain\nM1,Mäuse\n".encode("latin-1"))
    assert "is not in UTF-8: save it as 'CSV UTF-8'" in rig("subject", "import", table).err
    assert "cannot be read" in rig("subject", "import", tmp_path / "none.csv").err
    assert "which table?" in rig("subject", "import").err


def test_an_import_that_was_killed_is_completed_by_the_same_command(
    rig: Rig, data: Path, table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    facts = "--species mouse --sex female --birth 2026-08-01 --strain C57BL/6N --baseline-g 24.5 --restriction water"
    rig("subject", "add", "M1", *facts.split())
    monkeypatch.setattr("rig.cli.common.now", lambda: datetime.datetime(2026, 11, 22, 8))
    answer = rig("subject", "import", table)
    assert answer.out.splitlines()[-1] == "2 animals added, 1 had these facts already"
    assert len(read_events(data / "M1").lines) == 1


def test_an_animal_with_other_facts_is_not_changed(rig: Rig, data: Path, table: Path) -> None:
    rig("subject", "add", "R1", "--species", "rat", "--baseline-g", "380")
    answer = rig("subject", "import", table)
    assert (answer.status, "4: subject: R1: is known already" in answer.err) == (2, True), answer.err
    assert not (data / "M1").exists()


def test_the_template_is_a_header_that_can_be_imported(rig: Rig, table: Path) -> None:
    header = rig("subject", "import", "--template").out
    assert header.startswith("subject,species,sex,birth,strain,baseline_g,baseline_date,implant_g")
    table.write_text(header + "M1" + "," * header.count(",") + "\n")
    assert rig("subject", "import", table).status == 0
