"""The boxes as one table on a terminal: a row for each, what the keys do, and the last warning of each."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from rig.live.display_loop import UNRESPONSIVE_S, SessionStatus
from rig.live.warnings import fault_counts
from rig.supervisor.box import Box, BoxState
from rig.terminal.format import clock

RIGHT_MARGIN = 2
BROAD = 100
"""A narrower terminal has one space between two columns."""
LONGEST_NAME, STATE_WIDTH, BOARD_WIDTH = 24, len("not started"), len("NO ANSWER")
BAD, CARE = "bold red", "bold yellow"


def boxes_table(boxes: Sequence[Box], chosen: int, columns: int, hint: str = "") -> RenderableType:
    """Draw the boxes for a terminal of so many columns; ``chosen`` is the place of the box that the keys act on."""
    gap = 2 if columns >= BROAD else 1
    table = Table(box=None, padding=(0, gap, 0, 0), width=columns - RIGHT_MARGIN, header_style="dim")
    table.add_column("", width=4, no_wrap=True)
    for name in ("box", "subject"):
        table.add_column(name, max_width=LONGEST_NAME, no_wrap=True, overflow="ellipsis")
    # It takes the columns that are left, and is shown whole: two variants may differ in their last letters only.
    table.add_column("protocol", ratio=1, overflow="fold")
    # As wide as most states, so that the columns beside it stay where they are.
    table.add_column("state", min_width=STATE_WIDTH, max_width=LONGEST_NAME, no_wrap=True, overflow="ellipsis")
    for name in ("trials", "rewards", "given", "left"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("board", min_width=BOARD_WIDTH, max_width=LONGEST_NAME, no_wrap=True, overflow="ellipsis")
    for index, box in enumerate(boxes):
        table.add_row(*_cells(box, index, chosen == index))
    # Failures first: a terminal that is too low for all lines cuts the last ones.
    told = sorted((box for box in boxes if last_warning(box).plain), key=lambda box: last_warning(box).style != BAD)
    return Group(table, Text(hint, style="dim", overflow="fold"), *map(_below, told))


def _cells(box: Box, place: int, is_chosen: bool) -> list[Text]:
    name = Text(f"{'>' if is_chosen else ' '} {place + 1}")
    style = "bold" if is_chosen else ""
    progress = box.progress
    protocol = "" if progress.header is None else progress.header.protocol_name
    cells = [name, Text(box.name, style), Text(box.subject, style), Text(protocol), state_text(box)]
    if progress.header is None:
        return [*cells, *(Text() for _ in range(5))]
    left = "" if box.left_s is None or not box.is_active else clock(box.left_s)
    counts = (str(progress.trials), str(progress.rewards), amount_text(box), left)
    return [*cells, *map(Text, counts), board_text(box)]


def amount_text(box: Box) -> str:
    """Return what was given, without its limit."""
    amount = box.progress.amount
    if amount.access_s:
        return f"{amount.access_s:g} s"
    return f"{amount.pellets} pellets" if amount.pellets else f"{amount.ul:g} ul"


def state_text(box: Box) -> Text:
    """Return the state of a box: that of its task, or how its session ended."""
    if box.reason:
        return Text("PANIC" if box.reason == "panic" else box.reason.replace("_", " "), BAD if box.has_failed else "")
    if box.progress.faults["panic"]:
        return Text("PANIC", BAD)
    if box.state is not BoxState.RUNNING:
        return Text(box.state.value, "dim")
    if box.progress.clock.is_paused:
        return Text("PAUSED", CARE)
    return Text(box.progress.state.replace("_", " ") or "opening the board")


def board_text(box: Box) -> Text:
    """Return the state of a box's board."""
    troubles = list(fault_counts(box.progress.faults))
    now: SessionStatus = box.now()
    if now.damaged:
        troubles.append(f"{now.damaged} damaged lines")
    if now.reconnect_s is not None:
        return Text(f"LOST, {now.reconnect_s:.0f} s", BAD)
    if box.is_silent and now.quiet_s >= UNRESPONSIVE_S:
        return Text("NO ANSWER", BAD)
    return Text(", ".join(troubles) or "OK", CARE if troubles else "green")


def last_warning(box: Box) -> Text:
    """Return how a box has failed, that its board is lost, or else its last warning; empty without one."""
    if box.has_failed:
        return Text(box.ended or "PANIC: everything is off", BAD)
    if lost := box.now().lost_text:
        return Text(lost, BAD)
    if not box.progress.warnings:
        return Text()
    last = box.progress.warnings[-1]
    return Text(f"{clock(last.t_us / 1e6)}  {last.text}", CARE)


def _below(box: Box) -> Text:
    return Text.assemble((f"{box.name}: ", "bold"), last_warning(box), overflow="fold")
