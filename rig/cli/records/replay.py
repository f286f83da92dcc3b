"""``rig replay``: check that a protocol repeats the decisions of a journal."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rig.cli.terminal.printing import print_json
from rig.core.errors import ConfigError, RecordError
from rig.records.journal.read import undamaged_lines
from rig.session.recorded import Difference, RecordedSession
from rig.session.recorded_code import InstalledCode, RecordedCode, TrustedCode, select_code
from rig.session.replay import replay
from rig.session.spec.task_classes import FoundTask
from rig.system.statuses import FAILED, OK


@dataclass(frozen=True)
class Replayed:
    """The replay of one session: the code that ran, and the first difference."""

    session: str
    protocol: str
    chosen: InstalledCode | RecordedCode
    agreed: int
    difference: Difference | None

    @property
    def differing(self) -> tuple[str, ...]:
        """Return the files of the protocol that differ from the recorded ones."""
        return () if isinstance(self.chosen, RecordedCode) else self.chosen.differing


def run(arguments: argparse.Namespace) -> int:
    """Run the replay of the sessions, and print the results."""
    with TrustedCode() as trusted:
        results = [
            _replay(session, trusted if arguments.trust else None, any_version=arguments.any_version)
            for session in arguments.sessions
        ]
    if arguments.json:
        print_json([_as_json(result) for result in results])
    else:
        for result in results:
            print(*_lines(result), sep="\n")
    return FAILED if any(result.difference for result in results) else OK


def _replay(session: str, trusted: TrustedCode | None, *, any_version: bool) -> Replayed:
    path = Path(session)
    recorded = RecordedSession(undamaged_lines(path))
    protocol = recorded.header["protocol"]
    try:
        chosen = select_code(recorded.header, path if path.is_dir() else path.parent)
        if isinstance(chosen, InstalledCode) and chosen.differing and not any_version:
            raise RecordError(f"{_not_recorded(protocol, chosen.differing)}; --any-version replays it so")
        found = _load(chosen, trusted) if isinstance(chosen, RecordedCode) else chosen.found
        return Replayed(session, protocol, chosen, *replay(recorded, found))
    except (ConfigError, RecordError) as error:
        raise RecordError(f"{session}: {error}") from error


def _load(copy: RecordedCode, trusted: TrustedCode | None) -> FoundTask:
    """Load the code in a session's folder, after naming it on stderr; only with ``--trust``."""
    if trusted is None:
        raise RecordError(
            "the protocol was a laboratory's own file, and no code of a journal's folder runs unless you trust it: "
            f"read it, then add --trust, which runs {'; '.join(copy.lines())}"
        )
    print(*(f"trusted: {line}, as recorded" for line in copy.lines()), sep="\n", file=sys.stderr, flush=True)
    return trusted.load(copy)


def _lines(result: Replayed) -> Iterator[str]:
    difference = result.difference
    if difference is None:
        yield f"{result.session}: the same, {result.agreed} decisions"
    else:
        yield f"{result.session}: differs in trial {difference.trial}, after {result.agreed} decisions that agree"
        yield f"  recorded: {json.dumps(difference.recorded)}"
        yield f"  replayed: {json.dumps(difference.replayed)}"
    if files := result.differing:
        yield f"  {_not_recorded(result.protocol, files)}"


def _not_recorded(protocol: str, files: Sequence[str]) -> str:
    differ = f"{', '.join(files)} {'differs' if len(files) == 1 else 'differ'}"
    return f"{protocol}, as installed here, is not the recorded version: {differ}"


def _as_json(result: Replayed) -> dict[str, Any]:
    return {
        "session": result.session,
        "code": "trusted" if isinstance(result.chosen, RecordedCode) else "installed",
        "differing_files": list(result.differing),
        "agreed": result.agreed,
        "difference": None if result.difference is None else vars(result.difference),
    }
