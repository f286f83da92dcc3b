"""Whose results lie in a folder: ``conditions.json`` has the study's file, and what decided each arm's sessions."""

from __future__ import annotations

import filecmp
import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

from rig.campaigns.store import has_sessions
from rig.core.errors import ConfigError, RecordError
from rig.system.atomic_files import read_errors, write_atomic

CONDITIONS = "conditions.json"
_LARGEST = 10_000_000
"""More bytes are no conditions: those of an arm are about 100."""


@dataclass(frozen=True)
class ResultsBefore:
    """What was written of the results in a folder; nothing where there are none."""

    study: str = ""
    """The whole path of the study's file."""
    arms: Mapping[str, str] = field(default_factory=dict)
    """The key of each arm: another key means other sessions."""

    @classmethod
    def read(cls, folder: Path) -> ResultsBefore:
        """Read what was written of a folder. Raises ``RecordError``."""
        path = folder / CONDITIONS
        if not path.exists():
            return cls()
        try:
            with read_errors(path):
                if path.stat().st_size > _LARGEST:
                    raise ValueError(f"larger than {_LARGEST} bytes")
                document = json.loads(path.read_text(encoding="utf-8"))
            return cls(*_checked(document))
        except (ValueError, RecursionError) as error:
            raise RecordError(
                f"{path}: cannot be read ({error!s:.200}): remove this file, and run the sessions again with --again"
            ) from None

    def check_study(self, folder: Path, path: Path) -> None:
        """Check that the results are of this file. Raises ``ConfigError``.

        A file that was moved, or the same one elsewhere, is not another study.
        """
        other = self.study
        # isfile never raises, and a pipe or a device is no file.
        if other != str(path.absolute()) and os.path.isfile(other) and not _is_equal(other, path):
            raise ConfigError(
                f"{folder}: has the results of {other}, another study of this name: rename one of the two files, or "
                "name another folder with --data"
            )

    def changed_arms(self, folder: Path, study: str, keys: Mapping[str, str]) -> list[str]:
        """Return the arms with sessions that ran under another condition, or an unknown one. Raises ``RecordError``."""
        return [name for name, key in keys.items() if self.arms.get(name) != key and has_sessions(folder, study, name)]


def write_conditions(folder: Path, conditions: ResultsBefore) -> None:
    """Write whose results lie in a folder. Raises ``RecordError``."""
    write_atomic(folder / CONDITIONS, json.dumps(asdict(conditions), indent=1) + "\n")


def _checked(found: object) -> tuple[str, dict[str, str]]:
    """Return the path of the study and the keys of its arms. Raises ``ValueError``."""
    match found:
        case {"study": str(study), "arms": dict(arms)} if all(isinstance(key, str) for key in arms.values()):
            return study, arms
    raise ValueError("wanted the study's file and the key of each arm")


def _is_equal(other: str, path: Path) -> bool:
    try:
        return filecmp.cmp(other, path, shallow=False)
    except OSError:
        return False
