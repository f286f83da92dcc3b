"""How a session ended: its outcome for the caller, and the footer of its journal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rig.core.engine.engine import Engine
from rig.core.engine.interrupts import SessionEnded
from rig.core.model.board import Health, Input
from rig.core.model.rig_spec import RigSpec


@dataclass(frozen=True)
class Outcome:
    """How a session ended."""

    reason: str
    detail: str
    rows: int
    rewards: int
    ul: float
    pellets: int
    carried_over: Mapping[str, Any]
    health: Health
    t_us: int
    unconfirmed_rewards: int = 0
    access_s: float = 0.0
    failure: BaseException | None = None
    refused_orders: int = 0
    """Orders that the board refused and that were not repeated."""


def outcome_of(
    engine: Engine,
    end: SessionEnded,
    failure: BaseException | None,
    health: Health,
    carried_over: Mapping[str, Any],
    ended_us: int,
) -> Outcome:
    """Return the outcome of a session whose rewards and rows are settled."""
    account = engine.ledger.account
    rewards, amount = account.total
    return Outcome(
        reason=end.reason,
        detail=end.detail,
        rows=engine.log.rows,
        rewards=rewards,
        ul=amount.ul,
        pellets=amount.pellets,
        carried_over=carried_over,
        health=health,
        t_us=ended_us,
        unconfirmed_rewards=account.unconfirmed.rewards,
        access_s=round(amount.access_s, 6),
        failure=failure,
        refused_orders=engine.handlers.refused_orders,
    )


def write_footer(plan: RigSpec, engine: Engine, outcome: Outcome, *, task_started: bool) -> None:
    """Write the last line of a journal. Raises ``RecordError``."""
    journal, health = engine.journal, outcome.health
    journal.note(
        outcome.t_us,
        "footer",
        reason=outcome.reason,
        detail=outcome.detail,
        counts=journal.counts,
        complete=health.complete,
        executed=health.executed,
        task_started=task_started,
        # After an immediate stop the board's last event is not known; the last one that the task has read is.
        last_event=max(health.last_event, engine.reader.last_read),
        unconfirmed_rewards=outcome.unconfirmed_rewards,
        unacknowledged_batches=list(health.unacknowledged_batches),
        inactive_inputs=engine.handlers.watch.inactive_inputs(_inputs(plan)),
        refusals=engine.handlers.refusals,
        refused_orders=outcome.refused_orders,
        lease_expirations=engine.orders.lease_expirations,
        rewards=outcome.rewards,
        ul=round(outcome.ul, 6),
        pellets=outcome.pellets,
        access_s=outcome.access_s,
        given=engine.ledger.account.rows(),
        trials=outcome.rows,
        carry_over=dict(outcome.carried_over),
        digest=journal.digest,
    )


def _inputs(plan: RigSpec) -> list[str]:
    board_inputs = [channel.name for channel in plan.wiring.channels if isinstance(channel, Input)]
    return [*board_inputs, *sorted(plan.host_inputs)]
