"""The words of a command: those that the shell hands over, and those that a person can type again."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence

if sys.platform == "win32":
    import glob
    import os
    import re
    import subprocess

    _WILD = re.compile(r"[*?]")
    _PLAIN = re.compile(r"[\w\\/:.,+@~-]+", re.ASCII)

    def expanded(words: Sequence[str]) -> list[str]:
        """Return the words with the files that ``*`` and ``?`` mean, sorted; a word that means none stays."""
        return [match for word in words for match in _matches(word)]

    def _matches(word: str) -> list[str]:
        # Brackets are letters here: no shell of Windows takes them for a choice of letters.
        wild = _WILD.search(word) and not os.path.lexists(word)
        return (sorted(glob.glob(word.replace("[", "[[]"))) if wild else []) or [word]

    def quoted(word: str) -> str:
        """Return a word as a person types it: cmd.exe and PowerShell both take double quotes."""
        line = subprocess.list2cmdline([word])
        return line if line.startswith('"') or _PLAIN.fullmatch(line) else f'"{line}"'
else:

    def expanded(words: Sequence[str]) -> list[str]:
        """Return the words: the shell has put files in the place of ``*`` and ``?``."""
        return list(words)

    def quoted(word: str) -> str:
        """Return a word as a person types it."""
        import shlex  # only here: completion answers at every press of the tab key

        return shlex.quote(word)


def command_line(words: Iterable[str]) -> str:
    """Return a command as a person types it."""
    return " ".join(map(quoted, words))
