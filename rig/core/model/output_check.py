"""How an operator tries an output of a rig."""

from __future__ import annotations

from dataclasses import dataclass, field

from rig.core.model.actions import Amount, Order


@dataclass(frozen=True, slots=True)
class OutputCheck:
    """One trial of an output: ``what`` it will do, such as ``puff for 50 ms``, and the ``question`` afterwards.

    ``lasts_us`` is the time until the question, ``gives`` what the trial may deliver.
    """

    order: Order
    lasts_us: int
    what: str
    question: str
    gives: Amount = field(default_factory=Amount)
