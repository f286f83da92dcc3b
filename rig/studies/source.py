"""A study file that was read: where each of its values is written, and mistakes at these lines."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from rig.config import LayeredConfig, Loc, config_issue
from rig.config.errors.errors import ConfigIssue
from rig.config.models.study_file import StudyFile
from rig.config.user_classes import is_file_reference, split_reference
from rig.core.errors import ConfigError

T = TypeVar("T")


@dataclass(frozen=True)
class StudySource:
    """A study's file, its values, and where they were written."""

    path: Path
    file: StudyFile
    layered: LayeredConfig

    def error_at(self, loc: Loc, text: str) -> ConfigIssue:
        """Return a mistake with its line."""
        return config_issue(self.layered.location(loc), loc, text)

    def at(self, loc: Loc, do: Callable[[], T]) -> T:
        """Return what a function returns. Raises its ``ConfigError`` at a place of the study."""
        try:
            return do()
        except ConfigError as error:
            raise ConfigError(*(self.error_at(loc, said) for said in error.mistakes)) from None

    def loc_in_arm(self, arm: str, *keys: str | int) -> Loc:
        """Return the place of a value of an arm: in it, or in the arm that it is like."""
        name: str | None = arm
        while name is not None:
            loc: Loc = ("arms", name, *keys)
            if loc in self.layered.locations:
                return loc
            name = self.file.arms[name].like
        return ("arms", arm)

    def folder(self, loc: Loc) -> Path:
        """Return the folder from which a path is counted: that of the file in which it is written."""
        mark = self.layered.location(loc)
        return self.path.parent if mark.line is None else Path(mark.file).parent

    def value_named(self, loc: Loc, word: str) -> str:
        """Return a word as it is, and a path that begins with a dot as a whole one."""
        return str((self.folder(loc) / word).absolute()) if word.startswith(("./", "../")) else word

    def class_named(self, loc: Loc, word: str) -> str:
        """Return an installed name as it is, and a class in a file with its whole path."""
        if not is_file_reference(word):
            return word
        path, name = split_reference(word, self.folder(loc))
        return f"{path.absolute()}:{name}" if name else str(path.absolute())
