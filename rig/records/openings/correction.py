"""Append to a journal what its board says afterwards: which of the rewards in doubt were given.

A correction is a `correction` line with the board's answer, a `reward` line for each reward that the answer decides,
and another footer. It is appended in one write, also after a footer; nothing before it changes.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping

from msgspec.structs import replace

from rig.core.journal.codec import parse_line
from rig.core.journal.header import Footer
from rig.core.journal.journal import Journal
from rig.core.journal.kinds import Correction, RewardLine, SessionLine
from rig.records.openings.board_answer import BoardAnswer


class Appendix:
    """Lines to be appended to a journal whose checksum is ``crc``; ``last`` is its last line, number ``last_seq``."""

    def __init__(self, last: SessionLine, last_seq: int, crc: int) -> None:
        self.raw = b""
        self.lines: list[SessionLine] = []
        self._t_us = last.t_us
        self._crc = crc
        self._journal = Journal(self._keep)
        self._journal.seq = last_seq + 1

    def correct(self, answer: BoardAnswer, decided: Mapping[int, RewardLine]) -> None:
        """Add the answer of a board and what it decides of the rewards in doubt."""
        self._journal.write(Correction(self._t_us, answer.uid, answer.power_ons, answer.source, tuple(answer.kept)))
        for _, line in sorted(decided.items()):
            self._journal.write(line)

    def footer(self, footer: Footer) -> Footer:
        """Add a footer and return it, with its time and digest. Raises ``ValueError`` for one that a reader refuses."""
        # The digest is of all bytes so far, those of the journal included: `rig.records.journal.digest`.
        made = replace(footer, t_us=self._t_us, digest=f"{zlib.crc32(self.raw, self._crc):08x}")
        self._journal.write(made)
        return made

    def _keep(self, raw: bytes) -> None:
        # Checked before it is appended: a line that the reader refuses would be damage in the journal.
        self.lines.append(parse_line(raw[:-1])[1])
        self.raw += raw
