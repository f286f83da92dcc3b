"""``rig study``: the page, the numbers and the exit status."""

import json
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path

import pytest

from rig.cli.main import main
from rig.cli.study import answer as study_run
from rig.studies.lock import only_run
from rig.system.config_paths import STUDIES
from rig.system.statuses import STOPPED
from tests.studies.test_run import MICE
from tests.studies.test_sessions import StoppedEngine
from tests.tables import rows

WITHOUT = "import sys; sys.modules['pyarrow'] = None; from rig.cli.main import main; sys.exit(main())"
MET = MICE.partition("  - {name: never")[0]


def file_in(folder: Path, text: str) -> str:
    path = folder / "mice.yaml"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_a_study_writes_its_page_and_says_where(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["study", "run", file_in(tmp_path, MET), "--data", str(tmp_path)]) == 0
    page = tmp_path / "studies" / "mice" / "run.html"
    printed = capsys.readouterr().out
    assert f"page: {page}" in printed
    assert "1 number: 1 within tolerance." in printed
    assert "choices" in page.read_text(encoding="utf-8")


def test_a_number_that_misses_fails_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = tmp_path / "page.html"
    words = ["study", "run", file_in(tmp_path, MICE), "--data", str(tmp_path), "--json", "--to", str(place)]
    assert main(words) == 1
    found = json.loads(capsys.readouterr().out)
    assert found["kind"] == "study_run"
    assert found["verdicts"] == dict.fromkeys(
        ("within", "off", "not_explained", "explained", "direction", "unknown"), 1
    )
    assert [each["without"] is None for each in found["figures"]] == [True, True, True, False, True, True]
    assert found["missed"] == 2
    assert found["page"] == str(place)
    assert place.is_file()


def test_another_seed_has_a_folder_of_its_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["study", "run", file_in(tmp_path, MET.replace("120", "20")), "--data", str(tmp_path), "--json"]
    found = {}
    for seed in ((), ("--seed", "1"), ("--seed", "2")):
        main([*words, *seed])
        found[seed] = json.loads(capsys.readouterr().out)
    assert {path.name for path in (tmp_path / "studies").iterdir()} == {"mice", "mice-seed-2"}
    assert [(each["study"], each["seed"]) for each in found.values()] == [("mice", 1), ("mice", 1), ("mice-seed-2", 2)]
    assert found["--seed", "2"]["command"].endswith("mice.yaml --seed 2")
    assert found["--seed", "2"]["figures"] != found[()]["figures"]


@rows("words", "said")
def test_a_mistake_in_the_line_is_told(
    words: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["study", *words, "--data", str(tmp_path)]) == 2
    assert said in capsys.readouterr().err
    assert not (tmp_path / "studies").exists()


def test_a_missing_package_is_told_before_anything_else_is_imported() -> None:
    words = [sys.executable, "-c", WITHOUT, "study", "run", "first_study"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == "rig study: needs pyarrow: pip install 'behavior-rig[analysis,data]'\n"


def test_a_second_run_of_a_study_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with only_run(tmp_path / STUDIES / "first_study"):
        assert main(["study", "run", "first_study", "--data", str(tmp_path)]) == 2
    assert "another run of this study" in capsys.readouterr().err


def test_a_stopped_study_says_what_is_kept_and_how_it_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(study_run, "open_engine", lambda *_: nullcontext(StoppedEngine(2)))
    assert main(["study", "run", file_in(tmp_path, MET), "--data", str(tmp_path), "--json"]) == STOPPED
    answer = capsys.readouterr()
    kept = f"2 of 3 sessions have run, and are kept in {tmp_path / 'studies' / 'mice'}; the same command goes on"
    assert (answer.out, answer.err.splitlines()[-1]) == ("", f"stopped: {kept}")
