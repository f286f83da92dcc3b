"""What was given to a subject in a stretch of time: by its sessions, and by hand.

A session that ended is read from its end: its footer says what was given in every minute, and its digest whether the
bytes before it are what the program wrote. One that crashed is read line by line. Where more may be missing than can
be read, the total is unknown until a named person has said how much to count.
"""

from __future__ import annotations

import datetime
import errno
import json
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path

from msgspec import DecodeError, Struct, ValidationError
from msgspec.json import Decoder

from rig.core.errors import RecordError
from rig.core.journal.cells import escape_surrogates
from rig.core.journal.delivered import MAX_UNRECORDED_US, DeliveredRewards
from rig.core.journal.header import Footer, Given, Header
from rig.core.journal.journal import MAX_BREAKS
from rig.core.journal.kinds import HandGiven, Text, Torn
from rig.core.model.actions import Amount
from rig.core.model.line import AmountNumber, Count
from rig.records.journal.digest import OTHER_LINES, digest_fits
from rig.records.journal.read import JOURNAL, DamagedLine, TornLine, iter_lines
from rig.records.session.brief import cached_ends
from rig.records.session.never_began import CONFIG, never_began
from rig.records.session.power_loss import may_have_rebooted
from rig.records.session.summary import SUMMARY
from rig.records.session.trials import TRIALS
from rig.records.subject_events import (
    EVENTS,
    append_events,
    event_line,
    events_locked,
    parse_events,
    read_events,
    renumbered,
    time_us,
)
from rig.system.atomic_files import os_error_text, read_errors, write_atomic
from rig.system.config_paths import SIMULATED
from rig.system.file_stamp import Stamp, stamp_of

DECLARED = "declared.json"
_SLACK = datetime.timedelta(hours=1)
"""So much longer than its limit a session may have lasted."""
_CHUNK = 1 << 20
_SESSION_FILES = (JOURNAL, CONFIG, DECLARED, SUMMARY, TRIALS)
"""Whatever of these is left in a folder, a session was there."""
_MAX_DEPTH = 5
"""How many folders deep a session that was moved is searched for."""
_MAX_BYTES = 1 << 16
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_WHOLE = re.compile(rb',"crc":"[0-9a-f]{8}"\}')

Moment = datetime.datetime
Span = tuple[Moment, Moment]
"""From the first on, and before the second."""
ALWAYS: Span = (Moment.min.replace(tzinfo=datetime.UTC), Moment.max.replace(tzinfo=datetime.UTC))


@dataclass(frozen=True)
class UnknownDelivery:
    """A session, or the amounts given by hand, of which more may be missing than can be read."""

    folder: Path
    """The session's folder; of what was given by hand its file."""
    reason: str

    @property
    def name(self) -> str:
        """Return its name below the subject's folder: ``2026-11-21/001``, ``events.jsonl``."""
        return EVENTS if self.folder.name == EVENTS else f"{self.folder.parent.name}/{self.folder.name}"


@dataclass(frozen=True)
class DeliveredTotal:
    """What was given to a subject in a stretch of time: ``amount``, if nothing is unknown.

    Else it is what can be read: more may be missing, and a session without a header may have been on another day, or
    simulated.
    """

    amount: Amount
    unknown: tuple[UnknownDelivery, ...] = ()


@dataclass(frozen=True)
class _Delivery:
    """So much was given at some time within a span."""

    span: Span
    amount: Amount


@dataclass(frozen=True)
class _Account:
    """The amounts that one source records; ``why`` says that more may have been given, at a time within ``span``."""

    pieces: tuple[_Delivery, ...]
    why: str | None = None
    span: Span | None = None


_NOTHING = _Account(())


def delivered_between(subject_folder: Path, since: Moment, until: Moment) -> DeliveredTotal:
    """Return the sum of what a subject was given from ``since`` on and before ``until``. Raises ``RecordError``.

    Every session that may reach into that time counts, whether it ended or not, and what was given by hand.
    """
    window = since.astimezone(), until.astimezone()
    return _total(_accounts(subject_folder, window), window)


class Deliveries:
    """All that a subject was given, read once, for the totals of many stretches of time. Raises ``RecordError``.

    ``window`` bounds these stretches, with time zones: sessions outside of it are not read. With ``by_folder`` the date
    of a session's folder is enough for that, so that many subjects are looked at fast.
    """

    def __init__(self, subject_folder: Path, window: Span = ALWAYS, *, by_folder: bool = False) -> None:
        accounts = _accounts(subject_folder, window, by_folder=by_folder)
        self._accounts = [(place, account, _reach(account)) for place, account in accounts]

    def between(self, since: Moment, until: Moment) -> DeliveredTotal:
        """Return the same as `delivered_between`."""
        window = since.astimezone(), until.astimezone()
        near = ((place, account) for place, account, reach in self._accounts if _overlap(reach, window))
        return _total(near, window)


def _reach(account: _Account) -> Span:
    """Return the shortest span outside of which an account says nothing."""
    if account.why is not None and account.span is None:
        return ALWAYS
    spans = [piece.span for piece in account.pieces] + ([] if account.span is None else [account.span])
    return (min(span[0] for span in spans), max(span[1] for span in spans)) if spans else (ALWAYS[1], ALWAYS[0])


def _total(accounts: Iterable[tuple[Path, _Account]], window: Span) -> DeliveredTotal:
    amount, unknown = Amount(), []
    for place, account in accounts:
        for piece in account.pieces:
            if _overlap(piece.span, window):
                amount += piece.amount
        if account.why is not None and (account.span is None or _overlap(account.span, window)):
            unknown.append(UnknownDelivery(place, account.why))
    return DeliveredTotal(Amount(round(amount.ul, 6), amount.pellets, round(amount.access_s, 6)), tuple(unknown))


def _overlap(one: Span, other: Span) -> bool:
    return one[0] < other[1] and one[1] > other[0]


def _accounts(subject_folder: Path, window: Span, *, by_folder: bool = False) -> Iterator[tuple[Path, _Account]]:
    try:
        for folder in session_folders(subject_folder, window if by_folder else ALWAYS):
            yield folder, _session(folder, window)
        yield subject_folder / EVENTS, _manual_account(subject_folder / EVENTS)
    except OSError as error:
        raise RecordError(
            f"{error.filename}: cannot be read: {os_error_text(error)}: what was given is not known without it"
        ) from error


def session_folders(subject_folder: Path, window: Span = ALWAYS) -> Iterator[Path]:
    """Yield all folders of a subject in which a session may be, also one that was moved. Raises ``OSError``.

    Folders of a day whose sessions lie outside of the window are left out.
    """
    yield from filter(_has_session, _folders_below(subject_folder, _MAX_DEPTH, set(), window))


def _folders_below(folder: Path, levels: int, seen: set[tuple[int, int]], window: Span) -> Iterator[Path]:
    """Return the folders below one, each once whatever links lead to it."""
    for path in _folders(folder):
        if window is not ALWAYS and (span := _day_span(path.name)) is not None and not _overlap(span, window):
            continue
        status = path.stat()
        if (place := (status.st_dev, status.st_ino)) not in seen:
            seen.add(place)
            yield path
            if levels > 1:
                yield from _folders_below(path, levels - 1, seen, window)


def _folders(folder: Path) -> list[Path]:
    try:
        return sorted(Path(entry.path) for entry in os.scandir(folder) if entry.is_dir() and entry.name != CONFIG)
    except FileNotFoundError:
        return []


def _has_session(folder: Path) -> bool:
    names = set(os.listdir(folder))
    return not names.isdisjoint(_SESSION_FILES) and not never_began(folder, names)


# --- one session ----------------------------------------------------------------------------------------------


def _session(folder: Path, window: Span) -> _Account:
    path = folder / JOURNAL
    try:
        stamp = stamp_of(path)
        head = _head(path, stamp)
        if head.simulated or (head.span is not None and not _overlap(head.span, window)):
            return _NOTHING
        account = _journal_account(path, stamp)
    except FileNotFoundError:
        account = _Account((), "it has no journal", _day_of(folder))
    except (OSError, RecordError) as error:
        reason = os_error_text(error) if isinstance(error, OSError) else str(error).removeprefix(f"{path}: ")
        account = _Account((), f"its journal cannot be read: {reason}", _day_of(folder))
    if account.why is None or not (folder / DECLARED).exists():
        return account  # no declaration is needed for what its records state
    return _declared(folder / DECLARED, account)


def unknown_reason(session: Path) -> str | None:
    """Return why more may have been given in a session than can be read; None where all is known, or none is real."""
    return None if session.parent.parent.parent.name == SIMULATED else _session(session, ALWAYS).why


@dataclass(frozen=True)
class _Head:
    """What is known of a session without reading it: when it was, by its header or at least by its folder's date."""

    start: Moment | None
    span: Span | None
    footer: Footer | None
    simulated: bool = False


@lru_cache(maxsize=4096)
def _head(path: Path, stamp: Stamp) -> _Head:
    ends = cached_ends(path, stamp)
    header, footer = ends.header, ends.footer
    if header is None or header.start_time is None:
        return _Head(None, _day_of(path.parent), None)
    start, lasted = header.start_time.astimezone(), _length(header)
    if footer is not None:
        # To the latest time at which an unconfirmed reward may have been given.
        lasted = max(lasted, datetime.timedelta(microseconds=footer.t_us + MAX_UNRECORDED_US))
    return _Head(start, (start, start + lasted), footer, header.simulated)


@lru_cache(maxsize=256)
def _journal_account(path: Path, stamp: Stamp) -> _Account:
    """Read the account of a journal, once: a day is asked for what was given several times."""
    head = _head(path, stamp)
    if head.start is None or head.footer is None:
        return _account_line_by_line(path, head)
    pieces = _rows(head.start, head.footer.given, head.footer.t_us)
    # A recovered journal still misses what its damaged lines said.
    if head.footer.damaged:
        return _Account(pieces, _damaged_lines(head.footer.damaged), head.span)
    if not digest_fits(path, cached_ends(path, stamp)):
        return _Account(pieces, OTHER_LINES, head.span)
    return _Account(pieces)


def _length(header: Header) -> datetime.timedelta:
    session_s, grace_s, resume_min = (header.stop.get(key) for key in ("session_s", "grace_s", "resume_within_min"))
    parts_s = 86_400 if session_s is None else session_s, grace_s or 0, 60 * MAX_BREAKS * (resume_min or 0)
    # Each at most the largest value of a protocol's file: a header may claim any length.
    return datetime.timedelta(seconds=sum(min(86_400, part_s) for part_s in parts_s)) + _SLACK


def _day_of(folder: Path) -> Span | None:
    """Return when a session fell of which only the folder's date is known."""
    return _day_span(folder.parent.name)


def _day_span(name: str) -> Span | None:
    """Return when the sessions fell of a folder with the name of a day; they may have run over midnight."""
    if not _DAY.fullmatch(name):
        return None
    try:
        day = Moment.fromisoformat(name).astimezone()
    except (ValueError, OverflowError):
        return None
    return day, day + datetime.timedelta(days=2) + _SLACK


def _rows(start: Moment, rows: Sequence[Given], ended_us: int) -> tuple[_Delivery, ...]:
    """Read what was given by the minute."""
    first, offset = start.replace(second=0, microsecond=0), start.second * 1_000_000 + start.microsecond
    ended = (offset + ended_us) // 60_000_000  # what stands later is in doubt, and may have fallen since
    minute = datetime.timedelta(minutes=1)
    return tuple(
        _Delivery((first + min(at, ended) * minute, first + (at + 1) * minute), Amount(ul, pellets, access_s))
        for at, ul, pellets, access_s in rows
    )


# --- a session without an end ---------------------------------------------------------------------------------


def _account_line_by_line(path: Path, head: _Head) -> _Account:
    down = may_have_rebooted(path.parent)
    given, damaged, ended = DeliveredRewards(went_down=down), 0, False
    for line in iter_lines(path, *DeliveredRewards.kinds):
        if isinstance(line, TornLine):
            # After a power cut zeros are expected, and the allowance counts what they held.
            damaged += not down and is_damaged_end(path, line.start)
        elif isinstance(line, DamagedLine):
            damaged += 1
        else:
            given.take(line)
            ended = ended or isinstance(line, Footer)
    # Torn while a correction was appended: the footer is there, before it.
    damaged += not ended and footer_is_lost(path.parent)
    if head.start is None:
        span = head.span or ALWAYS
        pieces = tuple(_Delivery(span, Amount(ul, pellets, access_s)) for _, ul, pellets, access_s in given.rows())
        return _Account(pieces, "its journal has no readable header", head.span)
    pieces = _rows(head.start, given.rows(), given.t_us)
    return _Account(pieces, _damaged_lines(damaged), head.span) if damaged else _Account(pieces)


def _damaged_lines(count: int) -> str:
    """Return how much of a journal cannot be trusted."""
    return f"{'one line of its journal is' if count == 1 else f'{count} lines of its journal are'} damaged"


def footer_is_lost(session: Path) -> bool:
    """Whether a journal without a footer had one: what is written only after it is there. Raises ``OSError``."""
    return (session / SUMMARY).exists()


def is_damaged_end(path: Path, start: int = 0) -> bool:
    """Whether the bytes after a last whole line are more than a torn one: zeros, or a line whose end is gone.

    Raises ``OSError``.
    """
    with path.open("rb") as file:
        file.seek(start)
        end = file.read(_CHUNK)
    return b"\0" in end or _WHOLE.search(end) is not None


# --- what people say ------------------------------------------------------------------------------------------


def declare_amount(place: Path, amount: Amount, by: str, reason: str, at: Moment) -> Path:
    """Write down what a named person says was given in an unknown session, or beside a damaged ``events.jsonl``.

    ``place`` is the folder of :class:`UnknownDelivery`. Returns the file that was written. Raises ``RecordError``.
    """
    if place.name == EVENTS:
        return _replace_events(place, amount, by, reason, at)
    fields = {**asdict(amount), "by": by, "reason": reason, "at": at.isoformat(timespec="seconds")}
    return write_atomic(place / DECLARED, json.dumps(escape_surrogates(fields), indent=2) + "\n", synced=True)


class _Declaration(Struct):
    """What a person declared in ``declared.json``."""

    ul: AmountNumber
    pellets: Count
    access_s: AmountNumber
    by: Text
    reason: Text
    at: Text


_decode_declaration = Decoder(_Declaration).decode


def _declared(path: Path, account: _Account) -> _Account:
    """Return the declared amount in place of a journal's, over all the time in which it may have been given."""
    try:
        declared = _decode_declaration(_content(path, _MAX_BYTES))
    except (OSError, ValidationError, DecodeError, RecursionError) as error:
        reason = os_error_text(error) if isinstance(error, OSError) else error
        return _Account(account.pieces, f"{account.why}, and {DECLARED} cannot be read: {reason}", account.span)
    amount = Amount(declared.ul, declared.pellets, declared.access_s)
    spans = [*(piece.span for piece in account.pieces), *([account.span] if account.span else [])] or [ALWAYS]
    return _Account((_Delivery((min(span[0] for span in spans), max(span[1] for span in spans)), amount),))


def _content(path: Path, most: int = -1) -> bytes:
    """Read a file, which a pipe or a device in its place is not. Raises ``OSError``."""
    # Raises FileNotFoundError for a missing file, which is no damage.
    path.stat()
    if not path.is_file():
        raise OSError(errno.EINVAL, "is no file", str(path))
    with path.open("rb") as file:
        return file.read(most)


def record_manual_delivery(
    subject_folder: Path,
    amount: Amount,
    by: str,
    reason: str,
    at: Moment,
    *,
    food_g: float = 0.0,
    top_up_for: str | None = None,
    given_at: Moment | None = None,
) -> int:
    """Write down what a subject was given by hand; return the number of the entry. Raises ``RecordError``.

    ``food_g`` are grams of its usual food; ``top_up_for`` is the ISO date of the day whose top-up this closes. The
    amount counts at ``given_at``, by default the time ``at`` which it is written.
    """
    t_us = 0 if given_at is None else time_us(given_at)
    event = HandGiven(t_us=t_us, **asdict(amount), reason=reason, food_g=food_g, top_up_for=top_up_for)
    return append_events(subject_folder, [event], by, at)


def _replace_events(path: Path, amount: Amount, by: str, reason: str, at: Moment) -> Path:
    """Write the valid lines and the amount declared for the others to a new file, and keep the damaged one."""
    with events_locked(path.parent):
        with read_errors(path):
            raw = path.read_bytes()
            asides = (path.with_name(f"events.damaged.{number}.jsonl") for number in range(1, 10_000))
            write_atomic(next(aside for aside in asides if not aside.exists()), raw, synced=True)
        # New numbers: the damaged lines leave gaps, which the reader refuses. The torn lines that are marked go too.
        good = [line for line in parse_events(raw).lines if not isinstance(line, Torn)]
        kept = renumbered(good, 0)
        declared = event_line(len(kept), HandGiven(**asdict(amount), reason=reason), by, at)
        return write_atomic(path, b"".join([*kept, declared]), synced=True)


def _manual_account(path: Path) -> _Account:
    events = read_events(path.parent)
    pieces = tuple(map(_manual_delivery, events.of_kind(HandGiven)))
    return _Account(pieces, f"{EVENTS} is damaged: {events.amounts_damage[0]}" if events.amounts_damage else None)


def _manual_delivery(line: HandGiven) -> _Delivery:
    at = Moment.fromtimestamp(line.t_us / 1e6, datetime.UTC)
    span = at, at + datetime.timedelta(microseconds=1)
    return _Delivery(span, line.amount)


def manual_between(subject_folder: Path, since: Moment, until: Moment) -> list[HandGiven]:
    """Return the amounts given by hand from ``since`` on and before ``until``. Raises ``RecordError``."""
    first, last = since.astimezone().timestamp() * 1e6, until.astimezone().timestamp() * 1e6
    return [line for line in read_events(subject_folder).of_kind(HandGiven) if first <= line.t_us < last]
