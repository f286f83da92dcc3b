"""Names of subjects: which there are, and which a mistyped one may mean."""

from __future__ import annotations

import os
from pathlib import Path

from rig.core.errors import ConfigError
from rig.session.subject_folder import NAME, subjects_folder
from rig.system.config_paths import NO_SUBJECTS


def subject_names(data: Path) -> list[str]:
    """Return the names of the folders in which subjects are. Raises ``ConfigError``."""
    try:
        return sorted(
            entry.name for entry in os.scandir(data) if os.path.isdir(entry.path) and entry.name not in NO_SUBJECTS
        )
    except FileNotFoundError:
        return []
    except OSError as error:
        raise ConfigError(f"{data}: cannot be read: {error.strerror}") from None


def is_near(one: str, other: str) -> bool:
    """Whether two names differ by one letter: another, missing, too many, or two that changed places."""
    short, long = sorted((one, other), key=len)
    if len(long) - len(short) > 1 or one == other:
        return False
    same = next((place for place, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    if len(short) < len(long):
        return short[same:] == long[same + 1 :]
    swapped = short[same : same + 2] == long[same : same + 2][::-1] and short[same + 2 :] == long[same + 2 :]
    return short[same + 1 :] == long[same + 1 :] or swapped


def subject_folders(data: Path) -> list[Path]:
    """Return the folders of all real subjects, by name. Raises ``ConfigError``."""
    place = subjects_folder(data, simulated=False)
    try:
        found = [path for path in place.iterdir() if path.is_dir() and NAME.fullmatch(path.name)]
    except FileNotFoundError:
        raise ConfigError(f"{data}: there is no such folder; --data or $RIG_DATA names that of the records") from None
    except OSError as error:
        raise ConfigError(f"{data}: cannot be read: {error.strerror}") from None
    return sorted(path for path in found if path.name.lower() not in NO_SUBJECTS)
