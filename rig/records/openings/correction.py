"""Append to a journal what its board says afterwards: which of the rewards in doubt were given.

A correction is a `correction` line with the board's answer, a `reward` line for each reward that the answer decides,
and another footer. It is appended in one write, also after a footer; nothing before it changes.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from typing import Any

from rig.core.journal.journal import Journal, fields_of, openings_json
from rig.core.journal.lines import Line, add_crc, parse_line
from rig.core.model.reward import CAUSES, Reward, RewardStatus, amount_of
from rig.records.openings.board_answer import BoardAnswer
from rig.records.openings.match import Decision


class Appendix:
    """Lines to be appended to a journal whose checksum is ``crc`` and whose last line is ``last``."""

    def __init__(self, last: Line, crc: int) -> None:
        self.raw = b""
        self.lines: list[Line] = []
        self._t_us = last["t"]
        self._crc = crc
        self._journal = Journal(self._keep)
        self._journal.seq = last["seq"] + 1

    @property
    def digest(self) -> str:
        """Return the checksum of all bytes so far, those of the journal included."""
        return f"{zlib.crc32(self.raw, self._crc):08x}"

    def correct(
        self, answer: BoardAnswer, doubtful: Mapping[int, Mapping[str, Any]], decisions: Mapping[int, Decision]
    ) -> None:
        """Add the answer of a board and what it decides of the rewards in doubt."""
        kept = openings_json(answer.kept)
        self._journal.note(
            self._t_us, "correction", uid=answer.uid, power_ons=answer.power_ons, source=answer.source, kept=kept
        )
        for number, decision in sorted(decisions.items()):
            self._journal.reward(_reward(doubtful[number], decision))

    def footer(self, fields: Mapping[str, Any]) -> Line:
        """Add a footer and return it. Raises ``ValueError`` for one that a reader would refuse."""
        head = f'{{"seq":{self._journal.seq},"t":{self._t_us},"src":"host","k":"footer"'
        self._keep(add_crc(head + fields_of({**fields, "digest": self.digest})))
        return self.lines[-1]

    def _keep(self, raw: bytes) -> None:
        # Checked before it is appended: a line that the reader refuses would be damage in the journal.
        self.lines.append(parse_line(raw[:-1]))
        self.raw += raw


def _reward(line: Mapping[str, Any], decision: Decision) -> Reward:
    """Return a reward as the board's answer decides it."""
    reward = Reward(
        amount_of(line["amount"], line["unit"]),
        line["source"],
        line["delivered_by"],
        line["t"],
        line["cause"],
        RewardStatus.REFUSED if line["cause"] == "order" else RewardStatus.CANCELLED,
        line["id"],
        **{name: line[name] for name in CAUSES[line["cause"]] if name in line},
    )
    if decision.way is not None:
        reward.status, reward.t_us = RewardStatus.DELIVERED, decision.t_us
        reward.amount, reward.source = decision.way.amount, decision.way.source
    return reward
