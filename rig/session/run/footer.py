"""How a session ended: its outcome for the caller, and the footer of its journal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from msgspec.structs import replace

from rig.core.engine.engine import Engine
from rig.core.engine.interrupts import SessionEnded
from rig.core.journal.header import Footer
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
    access_s: float
    carried_over: Mapping[str, object]
    health: Health
    t_us: int
    footer: Footer
    """The last line of its journal, which has no place in it on a full disk."""
    failure: BaseException | None = None


def outcome_of(
    plan: RigSpec,
    engine: Engine,
    end: SessionEnded,
    failure: BaseException | None,
    health: Health,
    carried_over: Mapping[str, object],
    ended_us: int,
    *,
    task_started: bool,
) -> Outcome:
    """Return the outcome of a session whose rewards and rows are settled."""
    footer = replace(_footer(plan, engine, end, health, ended_us), task_started=task_started, carry_over=carried_over)
    rewards, amount = engine.ledger.account.total
    return Outcome(
        end.reason,
        end.detail,
        footer.trials,
        rewards,
        amount.ul,
        footer.access_s,
        carried_over,
        health,
        ended_us,
        footer,
        failure,
    )


def _footer(plan: RigSpec, engine: Engine, end: SessionEnded, health: Health, ended_us: int) -> Footer:
    journal, handlers, account = engine.journal, engine.handlers, engine.ledger.account
    rewards, amount = account.total
    return Footer(
        t_us=ended_us,
        reason=end.reason,
        detail=end.detail,
        counts=dict(journal.counts),
        complete=health.complete,
        executed=health.executed,
        # After an immediate stop the board's last event is not known; the last one that the task has read is.
        last_event=max(health.last_event, engine.reader.last_read),
        unconfirmed_rewards=account.unconfirmed.rewards,
        unacknowledged_batches=list(health.unacknowledged_batches),
        inactive_inputs=handlers.watch.inactive_inputs(_inputs(plan)),
        refusals=dict(handlers.refusals),
        refused_orders=handlers.refused_orders,
        lease_expirations=engine.orders.lease_expirations,
        rewards=rewards,
        ul=round(amount.ul, 6),
        pellets=amount.pellets,
        access_s=round(amount.access_s, 6),
        given=account.rows(),
        trials=engine.log.rows,
        carry_over={},
        digest=journal.digest,
    )


def _inputs(plan: RigSpec) -> list[str]:
    board_inputs = [channel.name for channel in plan.wiring.channels if isinstance(channel, Input)]
    return [*board_inputs, *sorted(plan.host_inputs)]
