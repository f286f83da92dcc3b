"""Find the file of any kind that a word means."""

from __future__ import annotations

import os
from pathlib import Path

from rig.config.errors.closest_names import unknown_name
from rig.config.errors.formatting import no_such_file
from rig.config.find import find, is_bare_task, names
from rig.core.errors import ConfigError
from rig.system.config_paths import KINDS


def find_any(word: str) -> Path:
    """Return the path of a file that is given by its path, or by a name of any kind."""
    if word.endswith(".py"):
        raise ConfigError(f"{word}: is Python; check the YAML file whose `protocol:` names it")
    if word.endswith((".yaml", ".yml")) or "/" in word or os.path.isfile(word):
        path = Path(word)
        return path if os.path.isfile(path) else find("protocols", word)
    for kind in KINDS:
        if word in names(kind):
            return find(kind, word)
    if is_bare_task(word):
        return find("protocols", word)
    if word and os.path.lexists(word):
        raise ConfigError(f"{word}: {no_such_file(Path(word))}")
    there = [name for kind in KINDS for name in names(kind)]
    raise ConfigError(unknown_name(f"there is no file '{word}' and nothing of that name", word, there))
