"""Why a session has ended, in words."""

from __future__ import annotations

from rig.terminal.format import prefixed

REASONS = {
    "time_limit": "the time limit was reached",
    "reward_limit": "the reward limit was reached",
    "trial_limit": "the trial limit was reached",
    "task_finished": "the task was finished",
    "participant_left": "the participant declined or withdrew; the session does not count",
    "idle": "the animal did nothing",
    "operator": "stopped by the operator",
    "fault": "a fault",
    "panic": "panic",
    "crash": "its program ended unexpectedly",
}
RUNNING = "running"
NO_END = "no end: it broke off"
FAILURES = frozenset({"fault", "panic", "crash"})
"""The reasons that the displays show in red."""


def ended_text(reason: str, detail: str = "") -> str:
    """Return a reason in words; a panic in capitals, with what the person does now."""
    if reason == "panic":
        return f"PANIC: everything is off{prefixed(detail)}"
    return f"{REASONS.get(reason, reason)}{prefixed(detail)}"


def end_text(reason: str | None, *, running: bool) -> str:
    """Return how a recorded session ended, which without a reason runs or broke off."""
    if reason is None:
        return RUNNING if running else NO_END
    return REASONS.get(reason, reason)
