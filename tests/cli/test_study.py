"""``rig study`` without the packages that it needs, and beside another run of the same study."""

import subprocess
import sys
from pathlib import Path

import pytest

from rig.cli.main import main
from rig.studies.lock import only_run
from rig.system.config_paths import STUDIES

WITHOUT = "import sys; sys.modules['pyarrow'] = None; from rig.cli.main import main; sys.exit(main())"


def test_a_missing_package_is_told_before_anything_else_is_imported() -> None:
    words = [sys.executable, "-c", WITHOUT, "study", "run", "first_study"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == "rig study: needs pyarrow: pip install 'behavior-rig[analysis,data]'\n"


def test_a_second_run_of_a_study_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with only_run(tmp_path / STUDIES / "first_study"):
        assert main(["study", "run", "first_study", "--data", str(tmp_path)]) == 2
    assert "another run of this study" in capsys.readouterr().err
