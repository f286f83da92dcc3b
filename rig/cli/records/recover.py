"""``rig recover``: restore readable records after a crash."""

from __future__ import annotations

import argparse
import asyncio
import datetime
import secrets
from pathlib import Path

from msgspec import to_builtins

from rig.boards.ask_openings import ask_openings
from rig.boards.serial.driver import SerialDriver, opened
from rig.cli.terminal.printing import print_json
from rig.core.clock import running
from rig.core.errors import RecordError
from rig.core.model.board import BoardInfo
from rig.records.journal.read import MAX_LISTED, journal_of
from rig.records.openings.board_answer import BoardAnswer
from rig.records.recover import FAULT, Recovery, board_of, recover
from rig.records.subject.deliveries import unknown_reason
from rig.session.daily_total import settle_command
from rig.session.settle_previous import settle_previous
from rig.session.subject_folder import SubjectFolder
from rig.system.statuses import OK
from rig.terminal.format import pluralize


def run(arguments: argparse.Namespace) -> int:
    """Run the recovery of the sessions; a running session holds a lock and is refused."""
    results = []
    for name in arguments.sessions:
        session = journal_of(Path(name)).parent.resolve()
        subject = session.parent.parent
        with SubjectFolder(subject.parent, subject.name):
            answer = None if arguments.port is None else _ask(session, arguments.port, arguments.baud)
            found = _recovered(session, answer)
        # What its board said when it began: it may have crashed before it could settle the session before it.
        settled = settle_previous(session)
        if arguments.json:
            results.append(_as_json(name, found))
        else:
            lines = _lines(name, session, found, unknown_reason(session))
            lines += _answer_lines(found, answer)
            print(*lines, *(one.text for one in settled), sep="\n")
    if arguments.json:
        print_json(results)
    return OK


def _ask(session: Path, port: str, baud: int | None) -> BoardAnswer:
    """Return what the session's board has kept. Raises ``BoardError``, also for another board, and ``RecordError``."""
    uid = board_of(session)

    async def ask() -> BoardInfo:
        transport = opened(port, baud or SerialDriver.baud)
        return await ask_openings(transport, running(), secrets.randbits(16), uid)

    with asyncio.Runner(loop_factory=lambda: SerialDriver().loop(None)) as runner:
        info = runner.run(ask())
    if info.openings is None:
        raise RecordError(f"{port}: this board keeps no openings: nothing can be asked of it")
    return BoardAnswer(info.uid, info.openings.power_ons, info.openings.kept, port)


def _answer_lines(found: Recovery, answer: BoardAnswer | None) -> list[str]:
    if answer is None:
        return [_doubt_text(found)] if found.undecided else []
    kept = pluralize(len(answer.kept), "opening")
    lines = [f"  board {answer.uid} has kept {kept}: {found.confirmed} given, {found.refused} not given"]
    if found.undecided:
        why = "it has lost its power, or has opened its outputs too often since"
        lines.append(f"  {pluralize(found.undecided, 'reward')} still in doubt, and counted as given: {why}")
    return lines


def _doubt_text(found: Recovery) -> str:
    rewards = pluralize(found.undecided, "reward")
    return f"  {rewards} in doubt, and counted as given: --port PORT asks the board, if it still has power"


def _recovered(session: Path, answer: BoardAnswer | None) -> Recovery:
    try:
        return recover(session, answer)
    except RecordError as error:
        if unknown_reason(session) is None:
            raise
        raise RecordError(f"{error}. {_settled(session)}") from error


def _as_json(name: str, found: Recovery) -> dict[str, object]:
    return {"session": name, **to_builtins(found)}


def _lines(name: str, session: Path, found: Recovery, unknown: str | None) -> list[str]:
    lines = [f"{name}: {found.lines} good lines, {found.trials} trials"]
    if found.torn_bytes:
        lines.append(f"  the last line was torn; its {found.torn_bytes} bytes are in journal.torn")
    lines += [f"  line {item.line}: {item.why}; left as it is" for item in found.damage[:MAX_LISTED]]
    if found.damaged > MAX_LISTED:
        lines.append(f"  and {found.damaged - MAX_LISTED} more lines")
    if found.unwritten:
        lines.append(f"  its header is damaged: {' and '.join(found.unwritten)} are not written")
        lines += [
            f"  {name} is not of this recovery: left as it is" for name in found.unwritten if (session / name).exists()
        ]
    if found.had_footer and found.reason in ("crash", "fault", "panic"):
        lines.append(f"  the journal has an end already: {found.reason}")
    elif found.had_footer:
        lines.append("  the session had ended as it should")
    elif found.reason == FAULT:
        lines.append("  the end of the journal could not be written, as on a full disk: a footer says so now")
    else:
        lines.append("  the session was not ended by its program: a footer says so now")
    lines += [f"  never confirmed: {order}" for order in found.unconfirmed]
    if unknown is not None:
        lines.append(f"  what was given is not known: {unknown}. {_settled(session)}")
    return lines


def _settled(session: Path) -> str:
    if not (_is_date(session.parent.name) and session.name.isdecimal()):
        return "It does not lie where sessions are counted, in <data>/<subject>/<date>/<number>: it may be a copy"
    return settle_command(session.parent.parent, f"{session.parent.name}/{session.name}")


def _is_date(name: str) -> bool:
    try:
        return datetime.date.fromisoformat(name).isoformat() == name
    except ValueError:
        return False
