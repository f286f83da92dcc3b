"""What a session ran, its code and its parameters, and how that differs from another session."""

from __future__ import annotations

import ast
import datetime
import glob
import hashlib
import json
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from rig.config.errors.errors import Loc
from rig.config.explain import yaml_text
from rig.core.journal.header import Header, RecordedStage
from rig.records.session.brief import read_brief
from rig.records.session.history import journals
from rig.terminal.format import pluralize

MOST_PARAMS = 8
"""So many parameters are named in a text; the others are counted."""
MOST_SESSIONS = 3
"""So many sessions of a group are named; the others are counted."""
MOST_CHARS = 60
"""A longer value is shortened, and compared in full."""
_MOST_BYTES = 1_000_000
"""A longer file is no protocol, and is not parsed."""
_ABSENT = object()


@dataclass(frozen=True)
class TaskVersion:
    """The task of a session: its code as SHA-256 by file, and its parameters by dotted names."""

    session: str
    """What texts call the session."""
    protocol: str
    variant: str
    """The name of its protocol's file."""
    stage: str
    """The stage and its curriculum; empty outside of one."""
    code: Mapping[str, object]
    params: Mapping[str, object]
    folder: Path
    """The folder of the session, which holds copies of the code; before a session that of the code."""

    @classmethod
    def of(cls, session: str, header: Header, folder: Path) -> TaskVersion:
        """Return the version that a header names."""
        stage = "" if header.curriculum is None else stage_text(header.curriculum)
        params = flat_params(header.params)
        return cls(session, header.protocol, header.protocol_name, stage, header.code, params, folder)

    def changed_params(self, earlier: TaskVersion) -> dict[str, str]:
        """Return for each parameter that differs from an earlier session its name, and its old and new value."""
        names = dict.fromkeys((*earlier.params, *self.params))
        values = {name: (earlier.params.get(name, _ABSENT), self.params.get(name, _ABSENT)) for name in names}
        return {name: f"{name} {_text(old)} -> {_text(new)}" for name, (old, new) in values.items() if old != new}

    def changed_code(self, earlier: TaskVersion) -> list[str]:
        """Return the files whose statements differ from those of an earlier session."""
        return [_said_of(name, self, earlier) for name in self._differing(earlier) if not self._same(name, earlier)]

    def relaid_code(self, earlier: TaskVersion) -> list[str]:
        """Return the files of which only comments, docstrings or the layout differ."""
        return [name for name in self._differing(earlier) if self._same(name, earlier)]

    def _differing(self, earlier: TaskVersion) -> list[str]:
        names = dict.fromkeys((*self.code, *earlier.code))
        return [name for name in names if self.code.get(name) != earlier.code.get(name)]

    def _same(self, name: str, earlier: TaskVersion) -> bool:
        ours, theirs = (_statements(version.folder, name, str(version.code.get(name))) for version in (self, earlier))
        return ours is not None and ours == theirs


def stage_text(stage: RecordedStage) -> str:
    """Return a stage and its curriculum in words."""
    return f"{stage.stage} of {stage.name}"


def flat_params(params: Mapping[str, object]) -> dict[str, object]:
    """Return parameters by their full names."""
    return {".".join(map(str, loc)): value for loc, value in leaves(params)}


def leaves(values: Mapping[str, object], above: Loc = ()) -> Iterator[tuple[Loc, object]]:
    """Yield the values in nested mappings, each with the keys that lead to it; an empty mapping is a value."""
    for name, inner in values.items():
        if isinstance(inner, Mapping) and inner:
            yield from leaves(inner, (*above, name))
        else:
            yield (*above, name), inner


@dataclass(frozen=True)
class TaskChange:
    """How the task of a session differs from the subject's last session of the protocol."""

    unexpected: tuple[str, ...] = ()
    expected: tuple[str, ...] = ()
    """Differences that another stage or another file of the protocol explains, and those that change no statement."""

    @property
    def texts(self) -> tuple[str, ...]:
        """Return all of them."""
        return (*self.unexpected, *self.expected)


def change_since(version: TaskVersion, newest_first: Iterable[TaskVersion]) -> TaskChange:
    """Return how a version differs from the subject's earlier sessions; those of other protocols are passed over.

    The code is compared with the last session of the protocol. The parameters are compared with the last one in the
    same stage and of the same file. Without one, the other stage or file explains what differs.
    """
    last: TaskVersion | None = None
    alike: TaskVersion | None = None
    for earlier in newest_first:
        if earlier.protocol == version.protocol:
            last = last or earlier
            if _line(earlier) == _line(version):
                alike = earlier
                break
    if last is None:
        return UNCHANGED
    code, relaid = version.changed_code(last), version.relaid_code(last)
    unexpected = [f"the code differs from {last.session}: {', '.join(code)}"] if code else []
    expected = [f"comments or layout differ from {last.session}: {', '.join(relaid)}"] if relaid else []
    params = version.changed_params(alike or last)
    if params and alike is not None:
        unexpected.append(_params_text(params, alike))
    elif params:
        expected.append(f"{_line(last)} -> {_line(version)}: {_params_text(params, last)}")
    return TaskChange(tuple(unexpected), tuple(expected))


def change_of_session(folder: Path, header: Header) -> TaskChange:
    """Return how the task of a recorded session differs from the subject's sessions before. Raises ``RecordError``."""
    position = _position(folder)
    if position is None:  # a copy elsewhere has no sessions beside it
        return UNCHANGED
    version = TaskVersion.of(f"{folder.parent.name}/{folder.name}", header, folder)
    return change_since(version, versions_before(folder.parent.parent, simulated=header.simulated, before=position))


UNCHANGED = TaskChange()


@dataclass(frozen=True)
class TaskGroup:
    """Sessions that ran the same code with the same parameters, the first one first."""

    versions: list[TaskVersion]

    def difference(self, other: TaskGroup, separated: Container[str] = ()) -> str:
        """Return how it differs from another group."""
        own, first = self.versions[0], other.versions[0]
        code = own.changed_code(first)
        params = {name: text for name, text in own.changed_params(first).items() if name not in separated}
        return "; ".join([*([f"code {', '.join(code)}"] if code else []), *([listed_params(params)] if params else [])])

    def __str__(self) -> str:
        """Return how many sessions of what, and the names of the first ones."""
        names = [version.session for version in self.versions]
        more = len(names) - MOST_SESSIONS
        listed = ", ".join(names[:MOST_SESSIONS]) + (f", and {more} more" if more > 0 else "")
        return f"{pluralize(len(names), 'session')} of {_line(self.versions[0])} ({listed})"


def group_by_task(versions: Iterable[TaskVersion], separated: Container[str] = ()) -> list[TaskGroup]:
    """Return the sessions in groups of the same task; parameters in ``separated`` may differ within one."""
    groups: list[TaskGroup] = []
    by_params: dict[str, list[TaskGroup]] = {}
    for version in versions:
        params = {name: _comparable(value) for name, value in version.params.items() if name not in separated}
        # Only groups with these parameters are compared: a campaign may have thousands of different ones.
        same_params = by_params.setdefault(json.dumps(params, sort_keys=True), [])
        # Other bytes may be the same statements.
        alike = (group for group in same_params if not version.changed_code(group.versions[0]))
        if (group := next(alike, None)) is None:
            group = TaskGroup([])
            same_params.append(group)
            groups.append(group)
        group.versions.append(version)
    return groups


def _comparable(value: object) -> object:
    """Return a value whose JSON is that of all equal values: 1.0 is 1."""
    if isinstance(value, list):
        return [_comparable(entry) for entry in value]
    if isinstance(value, Mapping):
        return {name: _comparable(inner) for name, inner in value.items()}
    return int(value) if isinstance(value, float) and value.is_integer() else value


def group_lines(groups: Sequence[TaskGroup], separated: Container[str] = ()) -> Iterator[str]:
    """Yield a line for each group, with how it differs from the first one."""
    for number, group in enumerate(groups):
        yield f"{group}" + (f": {group.difference(groups[0], separated)}" if number else "")


def versions_before(subject: Path, *, simulated: bool, before: tuple[str, int] | None = None) -> Iterator[TaskVersion]:
    """Yield what the sessions of a subject ran, the newest first; voided ones are left out. Raises ``RecordError``.

    ``before`` is the day and the number of a session: only those that are older are read.
    """
    for journal in journals(subject):
        position = _position(journal.parent)
        if position is None or (before is not None and position >= before):
            continue
        past = read_brief(journal)
        if past is not None and past.header.simulated is simulated and past.voided is None:
            yield TaskVersion.of(past.name, past.header, past.folder)


def _position(folder: Path) -> tuple[str, int] | None:
    """Return the day and the number of a session's folder; None for one that is called otherwise."""
    with suppress(ValueError):
        return datetime.date.fromisoformat(folder.parent.name).isoformat(), int(folder.name)
    return None


def _line(version: TaskVersion) -> str:
    return f"stage {version.stage}" if version.stage else version.variant


def _params_text(params: Mapping[str, str], earlier: TaskVersion) -> str:
    return f"parameters differ from {earlier.session}: {listed_params(params)}"


def listed_params(params: Mapping[str, str]) -> str:
    """Return the changes of parameters in one text, which names the first ones."""
    more = len(params) - MOST_PARAMS
    names = [*params.values()][:MOST_PARAMS]
    return ", ".join(names) + (f", and {more} more" if more > 0 else "")


def _said_of(name: str, version: TaskVersion, earlier: TaskVersion) -> str:
    return f"{name} (new)" if name not in earlier.code else f"{name} (gone)" if name not in version.code else name


def _text(value: object) -> str:
    if value is _ABSENT:
        return "(absent)"
    text = yaml_text(value)
    return text if len(text) <= MOST_CHARS else f"{text[:MOST_CHARS].rstrip()} …"


@lru_cache(maxsize=256)
def _statements(folder: Path, name: str, sha256: str) -> str | None:
    """Return the statements of a session's copy of a file; None without a copy that is what was recorded."""
    for path in _copies(folder, name):
        with suppress(OSError, SyntaxError, ValueError, RecursionError, MemoryError):
            source = path.read_bytes() if path.stat().st_size <= _MOST_BYTES else b""
            if hashlib.sha256(source).hexdigest() == sha256:
                return _dump(ast.parse(source))
    return None


def _copies(folder: Path, name: str) -> list[Path]:
    with suppress(OSError, ValueError):  # a header may name any file
        return [folder / name, *folder.glob(f"config/*/{glob.escape(Path(name).name)}")]
    return []


def _dump(tree: ast.Module) -> str:
    """Return a tree as a text, without docstrings: they change nothing that a subject experiences."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            has_docstring = ast.get_docstring(node, clean=False) is not None
            node.body = node.body[1:] if has_docstring else node.body
    return ast.dump(tree)
