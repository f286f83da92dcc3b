"""``rig replay``: does a journal's protocol decide the same again?"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from rig.records.read import read
from rig.session.replay import Difference, compare
from rig.status import FAILED, OK


def run(arguments: argparse.Namespace) -> int:
    """Replay the sessions."""
    results = [(session, *compare(read(Path(session)), _folder(session))) for session in arguments.sessions]
    if arguments.json:
        print(json.dumps([_as_json(*result) for result in results], indent=2))
    else:
        for session, agreed, difference in results:
            print(_as_text(session, agreed, difference))
    return FAILED if any(difference for _, _, difference in results) else OK


def _folder(session: str) -> Path:
    path = Path(session)
    return path if path.is_dir() else path.parent


def _as_text(session: str, agreed: int, difference: Difference | None) -> str:
    if difference is None:
        return f"{session}: the same, {agreed} decisions"
    return (
        f"{session}: differs in trial {difference.trial}, after {agreed} decisions that agree\n"
        f"  recorded: {json.dumps(difference.recorded)}\n"
        f"  replayed: {json.dumps(difference.replayed)}"
    )


def _as_json(session: str, agreed: int, difference: Difference | None) -> dict[str, Any]:
    return {"session": session, "agreed": agreed, "difference": None if difference is None else vars(difference)}
