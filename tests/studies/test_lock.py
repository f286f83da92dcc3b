"""One run of a study at a time."""

from pathlib import Path

import pytest

from rig.core.errors import ConfigError, RecordError
from rig.studies.lock import only_run


def test_a_second_run_of_a_study_is_refused_until_the_first_one_ends(tmp_path: Path) -> None:
    folder = tmp_path / "studies" / "mice"
    with only_run(folder):
        with pytest.raises(ConfigError, match="another run of this study"), only_run(folder):
            pass
        with only_run(folder.with_name("rats")):
            pass
    with only_run(folder):
        pass


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "studies").write_text("", encoding="ascii")
    with pytest.raises(RecordError, match="cannot be used for results"), only_run(tmp_path / "studies" / "mice"):
        pass
