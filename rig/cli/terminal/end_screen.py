"""The end screen of a session: how it ended, what was delivered, what to check."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from rich.text import Text

from rig.cli.terminal.screen_layout import Row, box, say, warning, write
from rig.core.journal.header import Header
from rig.core.model.actions import Amount
from rig.live.end_reasons import FAILURES, REASONS
from rig.live.follow import JournalFollower
from rig.live.progress import Progress
from rig.live.warnings import fault_counts
from rig.records.journal.read import JOURNAL
from rig.records.session.summary import Summary
from rig.terminal.format import clock, outcomes, pluralize, prefixed, with_limit

MOST_WARNINGS = 5
COLUMNS = ("date", "subject", "grams", "trials", "rewards", "ul", "min", "ended")
"""Columns of the tab-separated lines, few enough for 80 columns; summary.json has all fields."""


@dataclass(frozen=True)
class EndScreen:
    """Lines about the animal for the end screen: its weight, and the water still due."""

    weight: str = ""
    top_up: str = ""


def print_end(summary: Summary, file: TextIO | None, details: EndScreen | None = None) -> None:
    """Print the end screen from a summary and the journal in its folder."""
    folder = Path(summary.folder)
    progress = Progress()
    follower = JournalFollower(folder / JOURNAL)
    while lines := follower.read():
        for line in lines:
            progress.take(line)
    header = progress.header
    if header is not None and header.simulated:
        box(f"SIMULATED: {summary.subject} was in no real rig; this session counts for no real subject", file)
    write(_rows(summary, progress, details or EndScreen()), file)
    say("", file=file)
    for cells in (COLUMNS, _values(summary, header)):
        say(*cells, file=file, sep="\t")
    say("", f"records: {summary.folder}", file=file)


def _rows(summary: Summary, progress: Progress, details: EndScreen) -> Iterator[Row]:
    header = progress.header
    yield "session", f"{_protocol(summary)}, {summary.subject}, seed {summary.seed}"
    if header is not None and header.from_records is not None:
        yield "began", f"from the real records, after {header.from_records}"
    yield "ended", Text(_ended(summary), style="bold red" if summary.reason in FAILURES else "")
    yield "trials", f"{summary.trials}{prefixed(outcomes(summary.outcomes))}"
    rewards = with_limit(summary.rewards, progress.stop.get("max_rewards"), "rewards")
    # The summary counts what was ordered and never confirmed; the lines of a journal without an end do not.
    amount = Amount(summary.ul, summary.pellets, summary.access_s)
    yield "given", f"{progress.against_limit(amount)}, {rewards}"
    if paid := _payment(summary):
        # A laboratory's protocol may write a text, with a currency.
        yield "payment", Text(f"{paid:.2f}" if isinstance(paid, int | float) else str(paid), style="bold")
    if summary.shares:
        labels = {} if header is None else {name: share.label for name, share in header.shares.items()}
        shares = (f"{value:.1%} {labels.get(name) or name}" for name, value in summary.shares.items())
        yield "choices", ", ".join(shares)
    if details.weight:
        yield "weight", details.weight
    yield "board", _board(progress)
    yield from map(warning, _warnings(summary, progress))
    if details.top_up:
        yield "top-up", Text(details.top_up, style="bold")


def _payment(summary: Summary) -> object:
    """Return what the protocol says that a person has earned; None if it says nothing."""
    noted = summary.conditions.get("payment")
    return noted.get("payment") if isinstance(noted, dict) else None


def _ended(summary: Summary) -> str:
    reason = REASONS.get(summary.reason, summary.reason)
    return f"after {clock(summary.duration_s)} min: {reason}{prefixed(summary.detail or '')}"


def _board(progress: Progress) -> str:
    troubles = list(fault_counts(progress.faults))
    if progress.footer is not None and (silent := progress.footer.inactive_inputs):
        troubles.append(f"{' and '.join(silent)} never changed")
    return ", ".join(troubles) or "OK"


def _warnings(summary: Summary, progress: Progress) -> Iterator[str]:
    if progress.footer is None:
        yield "the journal has no end: run `rig recover` on the folder below"
    elif not progress.footer.complete:
        yield "the board did not confirm that everything is off: look at every valve"
    if summary.unconfirmed_rewards:
        yield f"{pluralize(summary.unconfirmed_rewards, 'drop')} ordered and never confirmed: counted as given"
    yield from remarks(summary)
    if summary.refused_orders:
        refused = pluralize(summary.refused_orders, "order")
        yield f"{refused} refused by the board, and not made good: see `rig check`"
    shown = progress.warnings[-MOST_WARNINGS:]
    if len(shown) < len(progress.warnings):
        yield f"{pluralize(len(progress.warnings) - len(shown), 'warning')} before these: in the journal"
    yield from (f"{clock(warned.t_us / 1e6)}  {warned.text}" for warned in shown)


def remarks(summary: Summary) -> Iterator[str]:
    """Yield remarks about an unusual session of a virtual subject."""
    if summary.model is not None and not summary.trials and summary.reason not in ("fault", "panic", "operator"):
        protocol, model = _protocol(summary), summary.model
        if summary.rewards:
            given = pluralize(summary.rewards, "reward")
            yield f"not one trial, though {given} given: does {protocol} begin trials?"
        else:
            yield f"not one trial: {model} did nothing that {protocol} asks for; is it the right virtual subject?"
    if summary.remark:
        yield summary.remark


def _protocol(summary: Summary) -> str:
    return summary.variant or summary.protocol


def _values(summary: Summary, header: Header | None) -> Iterator[str]:
    yield (summary.start or "")[:10]
    yield summary.subject or ""
    yield f"{header.facts['weight_g']:g}" if header is not None and "weight_g" in header.facts else ""
    yield str(summary.trials)
    yield str(summary.rewards)
    yield f"{summary.ul:g}"
    yield f"{summary.duration_s / 60:.1f}"
    yield summary.reason
