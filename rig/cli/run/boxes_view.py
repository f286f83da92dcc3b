"""Show boxes until their sessions have ended, and print how each of them did."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence

from rig.cli.terminal.printing import print_json
from rig.supervisor.box import Box
from rig.supervisor.supervise import Wakeup, supervise
from rig.supervisor.table import amount_text
from rig.system.statuses import FAILED, NO_HARDWARE, OK, STOPPED, WRONG_INPUT
from rig.terminal.console import SafeConsole
from rig.terminal.format import pluralize

_FROM_BEST = (OK, STOPPED, WRONG_INPUT, NO_HARDWARE, FAILED)


def show_boxes(boxes: Sequence[Box], wakeup: Wakeup, start: Callable[[Box], str] | None, *, as_json: bool) -> int:
    """Show the boxes, then print their results; return the worst of their exit statuses.

    A person who leaves the table leaves the sessions running: then the status is that of leaving.
    """
    console = SafeConsole(stderr=as_json)
    try:
        have_ended = supervise(boxes, console, wakeup, start)
    except KeyboardInterrupt:
        _print_running(boxes)
        return STOPPED
    if not have_ended:
        _print_running(boxes)
        return OK
    if as_json:
        print_json([_as_json(box) for box in boxes])
    else:
        print(*(_result(box) for box in boxes), sep="\n")
    return max((box.status for box in boxes), key=_FROM_BEST.index, default=OK)


def leave_boxes(boxes: Sequence[Box]) -> int:
    """Print that sessions were started, and leave them; return the worst status of those that were refused."""
    for box in boxes:
        box.close()
        if box.is_active:
            print(f"{box.name}: {box.subject}: started, process {box.pid}")
    return max((box.status for box in boxes), key=_FROM_BEST.index, default=OK)


def _print_running(boxes: Sequence[Box]) -> None:
    running = [box.name for box in boxes if box.is_active]
    if running:
        go_on = "the session goes on" if len(running) == 1 else f"{len(running)} sessions go on"
        print(
            f"{go_on} ({', '.join(running)}): `rig session attach` shows them again, "
            "`rig session end --subject NAME` ends one",
            file=sys.stderr,
        )


def _result(box: Box) -> str:
    return "; ".join(_facts(box))


def _facts(box: Box) -> Iterator[str]:
    progress = box.progress
    yield f"{box.name}: {box.subject}: {box.ended or box.state.value}"
    if progress.header is not None:
        trials, rewards = pluralize(progress.trials, "trial"), pluralize(progress.rewards, "reward")
        yield f"{trials}, {rewards}, {amount_text(box)}"
    if box.folder is not None:
        yield f"records: {box.folder}"
    elif box.log is not None:
        yield f"log: {box.log}"


def _as_json(box: Box) -> dict[str, object]:
    amount = box.progress.amount
    return {
        "box": box.name,
        "subject": box.subject,
        "reason": box.reason or None,
        "detail": box.detail,
        "status": box.status,
        "folder": None if box.folder is None else str(box.folder),
        "log": None if box.log is None else str(box.log),
        "trials": box.progress.trials,
        "rewards": box.progress.rewards,
        "ul": amount.ul,
        "pellets": amount.pellets,
        "access_s": amount.access_s,
    }
