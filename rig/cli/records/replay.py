"""``rig replay``: check that a protocol repeats the decisions of a journal."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from msgspec import to_builtins

from rig.cli.terminal.printing import print_json
from rig.core.errors import ConfigError, RecordError
from rig.core.journal.codec import encode
from rig.records.journal.read import undamaged_lines
from rig.session.recorded_code import RecordedCode, TrustedCode, select_code, select_kinds
from rig.session.replay import replay
from rig.session.replay_comparison import Difference, RecordedDecisions
from rig.system.statuses import FAILED, OK


@dataclass(frozen=True)
class Replayed:
    """The replay of one session: the code that ran, and the first difference."""

    session: str
    protocol: str
    trusted: bool
    differing: tuple[str, ...]
    """The files of the installed protocol and devices that differ from the recorded ones."""
    agreed: int
    difference: Difference | None


def run(arguments: argparse.Namespace) -> int:
    """Run the replay of the sessions, and print the results."""
    with TrustedCode() as trusted:
        results = [
            _replay(session, trusted, trust=arguments.trust, any_version=arguments.any_version)
            for session in arguments.sessions
        ]
    if arguments.json:
        print_json([_as_json(result) for result in results])
    else:
        for result in results:
            print(*_lines(result), sep="\n")
    return FAILED if any(result.difference for result in results) else OK


def _replay(session: str, code: TrustedCode, *, trust: bool, any_version: bool) -> Replayed:
    path = Path(session)
    recorded = RecordedDecisions(undamaged_lines(path))
    protocol = recorded.header.protocol
    try:
        folder = path if path.is_dir() else path.parent
        chosen, kinds = select_code(recorded.header, folder), select_kinds(recorded.header, folder)
        copies = {"protocol": chosen} if isinstance(chosen, RecordedCode) else {}
        copies |= {f"device {word}": copy for word, copy in kinds.copies.items()}
        differing = (*(() if isinstance(chosen, RecordedCode) else chosen.differing), *kinds.differing)
        if differing and not any_version:
            raise RecordError(f"{_not_recorded(protocol, differing)}; --any-version replays it so")
        _check_trust(copies, trusted=trust)
        root = code.root(copies.values())
        devices = {**kinds.installed, **{word: copy.kind(root) for word, copy in kinds.copies.items()}}
        found = chosen.task(root) if isinstance(chosen, RecordedCode) else chosen.found
        return Replayed(session, protocol, bool(copies), differing, *replay(recorded, found, devices))
    except (ConfigError, RecordError) as error:
        raise RecordError(f"{session}: {error}") from error


def _check_trust(copies: Mapping[str, RecordedCode], *, trusted: bool) -> None:
    """Write the code in a session's folder on stderr. Raises ``RecordError`` without ``--trust``."""
    lines = list(dict.fromkeys(line for copy in copies.values() for line in copy.lines()))
    if copies and not trusted:
        raise RecordError(
            f"the {next(iter(copies))} was a laboratory's own file, and no code of a journal's folder runs unless you "
            f"trust it: read it, then add --trust, which runs {'; '.join(lines)}"
        )
    print(*(f"trusted: {line}, as recorded\n" for line in lines), sep="", end="", file=sys.stderr, flush=True)


def _lines(result: Replayed) -> Iterator[str]:
    difference = result.difference
    if difference is None:
        yield f"{result.session}: the same, {result.agreed} decisions"
    else:
        yield f"{result.session}: differs in trial {difference.trial}, after {result.agreed} decisions that agree"
        yield f"  recorded: {encode(difference.recorded).decode()}"
        yield f"  replayed: {encode(difference.replayed).decode()}"
    if files := result.differing:
        yield f"  {_not_recorded(result.protocol, files)}"


def _not_recorded(protocol: str, files: Sequence[str]) -> str:
    differ = f"{', '.join(files)} {'differs' if len(files) == 1 else 'differ'}"
    return f"{protocol}, as installed here, is not the recorded version: {differ}"


def _as_json(result: Replayed) -> dict[str, object]:
    return {
        "session": result.session,
        "code": "trusted" if result.trusted else "installed",
        "differing_files": list(result.differing),
        "agreed": result.agreed,
        "difference": None if result.difference is None else to_builtins(result.difference),
    }
