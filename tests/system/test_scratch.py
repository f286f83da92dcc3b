"""The folder for temporary files."""

import tempfile
from pathlib import Path

import pytest

from rig.core.errors import ConfigError
from rig.system.scratch import scratch_place


@pytest.fixture
def nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """A system on which no folder can be written, as with a full disk."""
    monkeypatch.setattr(tempfile, "tempdir", None)
    monkeypatch.setattr(tempfile, "_candidate_tempdir_list", lambda: ["/nowhere/at/all"])


def test_it_is_the_system_s(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", None)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    assert scratch_place() == tmp_path


@pytest.mark.usefixtures("nowhere")
def test_a_system_without_one_says_what_names_another() -> None:
    with pytest.raises(ConfigError, match=r"/nowhere/at/all.*TMPDIR names another"):
        scratch_place()
