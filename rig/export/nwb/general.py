"""What the file says of the whole session: its description, its provenance, and what a reader must know."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import rig
from rig.core.journal.codec import encode
from rig.export.nwb.columns import clean_text
from rig.export.nwb.identity import session_id, start_of
from rig.export.nwb.other_clocks import clock_notes
from rig.live.end_reasons import ended_text
from rig.records.recorded_session import RecordedSession
from rig.terminal.format import pluralize

PROGRAM = "behavior-rig"
_MAX_LISTED = 5
_FULL_NAME = re.compile(r"[\w\s\-.']+,\s+[\w\s\-.']+")
"""The pattern of DANDI's schema for names of people."""


@dataclass(frozen=True)
class GivenGeneral:
    """What a person says of the session at the export; empty where nothing is said."""

    experimenters: Sequence[str] = ()
    lab: str = ""
    institution: str = ""
    keywords: Sequence[str] = ()
    publications: Sequence[str] = ()


def general_fields(session: RecordedSession, given: GivenGeneral, license_number: str | None) -> dict[str, object]:
    """Return the fields of the file, by the names of PyNWB. Raises ``RecordError`` for a session without a start."""
    header = session.header
    fields = {
        "session_description": _description(session),
        "identifier": _identifier(session),
        "session_start_time": start_of(session),
        "session_id": session_id(session),
        "experiment_description": f"{header.protocol_name}: {header.about or 'a behavioral protocol'}",
        "experimenter": experimenters_of(session, given),
        "lab": given.lab,
        "institution": given.institution,
        "keywords": list(dict.fromkeys((*_keywords(session), *given.keywords))),
        "related_publications": list(dict.fromkeys((*header.publications, *given.publications))),
        "protocol": license_number or "",
        "data_collection": " ".join(_data_collection(session)),
        "notes": "\n".join(_notes(session)),
        "was_generated_by": _programs(session),
    }
    return {name: _clean(value) for name, value in fields.items() if value}


def _clean(value: object) -> object:
    """Return a field with its texts as HDF5 can hold them."""
    if isinstance(value, list):
        return [_clean(each) for each in value]
    return clean_text(value) if isinstance(value, str) else value


def experimenters_of(session: RecordedSession, given: GivenGeneral) -> list[str]:
    """Return who did the experiment: the names that a person says, or else the one in the records."""
    recorded = session.environment.get("experimenter")
    return list(given.experimenters) or ([str(recorded)] if recorded else [])


def is_full_name(name: str) -> bool:
    """Whether a name has the form that DANDI wants: ``Doe, Jane``."""
    return _FULL_NAME.fullmatch(name) is not None


def _description(session: RecordedSession) -> str:
    header = session.header
    session_text = f"A session of the protocol {header.protocol_name} on the rig {header.rig.name}."
    stage = header.curriculum
    if stage is not None:
        session_text += f" Stage {stage.stage} of the curriculum {stage.name}."
    return (
        f"SIMULATED SESSION: no animal and no person took part. {session_text}" if session.simulated else session_text
    )


def _identifier(session: RecordedSession) -> str:
    """Return an identifier that is the same at every export of a session, and another for every other session."""
    return str(uuid.uuid5(uuid.NAMESPACE_OID, f"{encode(session.header).decode()} {session_id(session)}"))


def _keywords(session: RecordedSession) -> Iterator[str]:
    yield from ("behavior", session.header.protocol)
    if session.simulated:
        yield "simulation"


def _programs(session: RecordedSession) -> list[list[str]]:
    """Return the programs that made the data, each with its version."""
    board, recorded = _of(session.environment, "board"), _of(session.environment, "program")
    return [
        [PROGRAM, str(recorded.get("version") or rig.__version__)],
        [f"{PROGRAM} export", rig.__version__],
        *([[f"firmware of board {board.get('name')}", str(board["firmware"])]] if board.get("firmware") else []),
    ]


def _data_collection(session: RecordedSession) -> Iterator[str]:
    environment = session.environment
    program, board = _of(environment, "program"), _of(environment, "board")
    if program:
        yield f"Recorded with {PROGRAM} {program.get('version')}{_commit(program.get('git'))}"
        yield f"on Python {environment.get('python')}, {environment.get('system')}."
    if board:
        yield f"Board {board.get('name')}, id {board.get('uid')}, firmware {board.get('firmware')}."
    header = session.header
    for what, hashes in (("protocol", header.code), ("virtual subject", header.model_code)):
        if hashes:
            yield f"SHA-256 of the files of the {what}: {', '.join(f'{name} {sha}' for name, sha in hashes.items())}."
    yield f"Random seed: {header.seed}."


def _commit(states: object) -> str:
    """Return the state of the program's repository in brackets; empty if it was installed without one."""
    state = states[0] if isinstance(states, list) and states else None
    if not isinstance(state, dict):
        return ""
    return f" (commit {state.get('commit')}{', changed' if state.get('dirty') else ''})"


def _of(environment: Mapping[str, object], name: str) -> Mapping[str, object]:
    fact = environment.get(name)
    return fact if isinstance(fact, dict) else {}


def _notes(session: RecordedSession) -> Iterator[str]:
    yield (
        "All times are seconds from the start of the session, which is the moment at which the board opened it. They "
        "are on the board's clock, in steps of 1 microsecond, not corrected for drift. session_start_time is the "
        "computer's time at the start, to the second" + (", taken as UTC." if _has_no_zone(session) else ".")
    )
    if session.clock.has_paused:
        yield (
            "The session had pauses or gaps. Times of the tables include them here; the columns with lengths of time "
            "do not."
        )
    yield from clock_notes(session)
    yield from _end(session)
    for kind, name in (("weight_skipped", "Subject not weighed"), ("underweight_allowed", "Low weight allowed")):
        if session.header.facts.get(kind):
            yield f"{name}: {session.header.facts[kind]}."


def _has_no_zone(session: RecordedSession) -> bool:
    return session.simulated and not str(session.header.start)[19:]


def _end(session: RecordedSession) -> Iterator[str]:
    """Yield how the session ended, and what of its records is damaged or missing."""
    footer, scan = session.footer, session.scan
    if footer is None:
        yield "INCOMPLETE: the records have no end. The file has what was recorded until they broke off."
    else:
        yield f"The session ended: {ended_text(footer.reason, footer.detail)}."
        counts = (("unconfirmed reward", footer.unconfirmed_rewards), ("expired lease", footer.lease_expirations))
        yield from (f"With {pluralize(count, text)}." for text, count in counts if count)
    if scan.damage:
        listed = "; ".join(f"line {each.line}: {each.why}" for each in scan.damage[:_MAX_LISTED])
        yield f"INCOMPLETE: {pluralize(scan.damaged, 'damaged line')} of the journal left out ({listed})."
    yield from (f"INCOMPLETE: {text}." for text in session.damage_beside_lines)
    if scan.torn_bytes:
        yield f"The last line of the journal is torn ({scan.torn_bytes} bytes) and left out."
