from pathlib import Path

import pytest

from rig.core.errors import RecordError
from rig.session.run.disk_space import check_space


def test_a_nearly_full_disk_is_refused(tmp_path: Path) -> None:
    check_space(tmp_path, needed=1)
    with pytest.raises(RecordError, match=r"MB are free, a session needs 1000000000000 MB: make room or choose --data"):
        check_space(tmp_path, needed=10**18)


def test_a_disk_of_which_the_system_says_nothing_is_said_in_words(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="gone: cannot be read: No such file"):
        check_space(tmp_path / "gone")
