"""One YAML file in: plain data, the line of every key, and every mistake of the file at once."""

from __future__ import annotations

import operator
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import reduce
from pathlib import Path
from typing import Any, TypeAlias

import yaml
from yaml import events

from rig.config.errors.errors import ConfigIssue, Loc, SourceLocation, config_issue
from rig.config.errors.formatting import display_path, no_such_file, value_text
from rig.config.errors.lookalike_characters import key_problem, missing_space
from rig.config.yaml.lost_text import lost_comma, lost_text, variable_problem
from rig.config.yaml.scalars import YamlValue, collection_tag, scalar, scalar_problem, unknown_tag
from rig.config.yaml.syntax import MAX_DEPTH, TOO_DEEP, forbidden_characters, syntax_problems
from rig.core.errors import ConfigError

# PyYAML may have been built without libyaml, whose parser is the faster one.
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
# Far beyond any configuration: a wrong file is refused before it takes much time or memory.
MAX_VALUES = 5_000
MAX_BYTES = 1_000_000
MAX_ISSUES = 100

Locator: TypeAlias = Callable[[int], SourceLocation]
"""Turns a line number into a mark."""

_CollectionStart: TypeAlias = events.SequenceStartEvent | events.MappingStartEvent
_Node: TypeAlias = events.AliasEvent | events.ScalarEvent | _CollectionStart
"""An event with which a value begins."""


@dataclass(frozen=True, slots=True)
class Document:
    """A YAML file as it was written: plain data, and where each of its keys stands."""

    path: Path
    data: dict[str, YamlValue]
    locations: dict[Loc, SourceLocation]


def read_yaml(path: Path) -> Document:
    """Read one YAML file; raise ConfigError with all its mistakes."""
    name = display_path(path)
    text = _decoded(_contents(path, name), name)
    data, marks = parse(text, lambda line: SourceLocation(name, line))
    if data is None:
        raise ConfigError(
            config_issue(SourceLocation(name, 1), (), "the file is empty; a mapping (key: value) is wanted")
        )
    if not isinstance(data, dict):
        raise ConfigError(config_issue(marks[()], (), f"must be a mapping (key: value), got {value_text(data)}"))
    return Document(path, data, marks)


def parse(text: str, marker: Locator, at: Loc = ()) -> tuple[YamlValue, dict[Loc, SourceLocation]]:
    """Read one YAML value that stands at ``at``; raise ConfigError with all mistakes of the text."""
    # Before the parser, which names no line for such a character.
    mistakes = [config_issue(marker(line), at, words) for line, words in forbidden_characters(text)]
    if mistakes:
        raise ConfigError(*mistakes)
    return _Parser(text, marker).run(at)


def value_at(data: Any, loc: Loc) -> YamlValue:
    """Return the value at a place of a document. Raises ``LookupError`` or ``TypeError`` if there is none."""
    value: YamlValue = reduce(operator.getitem, loc, data)
    return value


def _contents(path: Path, name: str) -> bytes:
    if not os.path.isfile(path):  # unlike Path.is_file, it never raises: a name may be too long or out of reach
        raise ConfigError(config_issue(SourceLocation(name), (), no_such_file(path)))
    try:
        size = os.stat(path).st_size
        if size > MAX_BYTES:
            text = f"{size / 1e6:.1f} MB; a configuration has less than {MAX_BYTES / 1e6:g}: is this the right file?"
            raise ConfigError(config_issue(SourceLocation(name, 1), (), text))
        return path.read_bytes()
    except OSError as error:
        raise ConfigError(config_issue(SourceLocation(name), (), f"cannot be read: {error.strerror}")) from error


def _decoded(contents: bytes, name: str) -> str:
    try:
        # Editors on Windows put a byte order mark first.
        return contents.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = contents.count(b"\n", 0, error.start) + 1
        byte = contents[error.start]
        words = f"the byte 0x{byte:02x} is not UTF-8; save the file as UTF-8"
        raise ConfigError(config_issue(SourceLocation(name, line), (), words)) from error


class _TooMuchError(Exception):
    """The document is too deep or too large to go on; the mistake is already noted."""


class _Parser:
    """One pass over the parser's events.

    Events instead of composed nodes: nesting is bounded before anything recurses, and an alias is a value
    already built, so that one that contains itself cannot arise.
    """

    def __init__(self, text: str, marker: Locator) -> None:
        self._text = text
        self._lines = text.splitlines()
        self._marker = marker
        # Any: no type says which event follows which.
        self._events: Iterator[Any] = yaml.parse(text, Loader=LOADER)
        self._marks: dict[Loc, SourceLocation] = {}
        self._mistakes: list[ConfigIssue] = []
        self._anchors: dict[str | None, tuple[YamlValue, int]] = {}
        self._size = 0

    def run(self, at: Loc) -> tuple[YamlValue, dict[Loc, SourceLocation]]:
        value: YamlValue = None
        try:
            value = self._document(at)
        except _TooMuchError:
            pass
        except (
            yaml.YAMLError,
            ValueError,
            OverflowError,
        ) as error:  # the last two: PyYAML's chr() of an escape
            wrong = syntax_problems(error, self._text)
            # A slip on that line was reported already, and is what stopped the parser.
            told = {said.location for said in self._mistakes}
            self._mistakes += [
                config_issue(mark, at, words) for line, words in wrong if (mark := self._marker(line)) not in told
            ]
        if self._mistakes:
            raise ConfigError(*dict.fromkeys(self._mistakes))
        return value, self._marks

    def _document(self, at: Loc) -> YamlValue:
        value: YamlValue = None
        seen = False
        for event in self._events:
            if isinstance(event, events.DocumentStartEvent):
                if seen:
                    self._wrong(event, at, "a second document begins here; a file holds one")
                    break
                value, seen = self._value(next(self._events), at), True
        return value

    def _value(self, event: _Node, at: Loc) -> YamlValue:
        # A value below its key keeps the line of the key, which was marked before.
        self._marks.setdefault(at, self._mark(event))
        before = self._size
        self._grow(1, event, at)
        if isinstance(event, events.AliasEvent):
            return self._alias(event, at)
        value = self._built(event, at)
        if event.anchor is not None:
            # With its size: an alias counts as many values as it stands for, and nested ones multiply.
            self._anchors[event.anchor] = value, self._size - before
        return value

    def _built(self, event: events.ScalarEvent | _CollectionStart, at: Loc) -> YamlValue:
        if isinstance(event, events.ScalarEvent):
            return self._scalar(event, at)
        if isinstance(event, events.SequenceStartEvent):
            self._check_tag(event, at, "seq")
            return self._sequence(at)
        self._check_tag(event, at, "map")
        return self._mapping(at)

    def _scalar(self, event: events.ScalarEvent, at: Loc) -> YamlValue:
        try:
            said = scalar_problem(event.value) if event.implicit[0] else ""
            if said := said or variable_problem(event.value) or lost_text(event, self._lines):
                self._wrong(event, at, said)
            return scalar(event.value, event.tag, plain=event.implicit[0])
        except ValueError as error:
            self._wrong(event, at, str(error))
            return None

    def _sequence(self, at: Loc) -> list[YamlValue]:
        values: list[YamlValue] = []
        while not isinstance(event := next(self._events), events.SequenceEndEvent):
            values.append(self._value(event, (*at, len(values))))
        return values

    def _mapping(self, at: Loc) -> dict[str, YamlValue]:
        values: dict[str, YamlValue] = {}
        before, last = None, at
        while not isinstance(event := next(self._events), events.MappingEndEvent):
            key = self._key(event, at)
            place = (*at, key)
            if key in values:
                self._wrong(event, place, f"duplicate key (first {self._marks[place].line_text}): take one of them out")
            self._marks.setdefault(place, self._mark(event))
            value: _Node = next(self._events)
            if (
                isinstance(value, events.ScalarEvent)
                and self._is_alone(value, event)
                and (said := missing_space(value.value))
            ):
                self._wrong(value, place, said)
            if said := lost_comma(before, event, value):
                self._wrong(event, last, said)
            values.setdefault(key, self._value(value, place))
            before, last = value, place
        return values

    @staticmethod
    def _is_alone(value: events.ScalarEvent, key: _Node) -> bool:
        """Whether a value is a bare word on a line below its key."""
        return value.implicit[0] and _line(value) > _line(key)

    def _key(self, event: _Node, at: Loc) -> str:
        if isinstance(event, events.ScalarEvent):
            if event.value == "<<" and event.implicit[0]:
                self._wrong(event, at, "'<<' does not merge here; use extends: to build on another file")
            elif event.implicit[0] and (said := key_problem(str(event.value))):
                self._wrong(event, (*at, str(event.value)), said)
            return str(event.value)  # what was written: 1 and no are names here, not numbers and truths
        # Read to its end, so that its events are not taken for those of the value.
        self._value(event, (*at, "?"))
        self._wrong(event, at, "a key must be a single word, not a list, a mapping or an alias")
        return "?"

    def _alias(self, event: events.AliasEvent, at: Loc) -> YamlValue:
        value, size = self._anchors.get(event.anchor, (None, 0))
        if size == 0:
            text = f"*{event.anchor} stands for nothing before it in this file, and an alias reaches no other file"
            self._wrong(event, at, f"{text}: write the value out; a text needs quotes")
        self._grow(size, event, at)
        return value

    def _grow(self, size: int, event: events.Event, at: Loc) -> None:
        self._size += size
        if self._size > MAX_VALUES:
            self._wrong(event, (), f"more than {MAX_VALUES} values; a configuration is smaller")
            raise _TooMuchError
        if len(at) > MAX_DEPTH:
            self._wrong(event, (), TOO_DEEP)
            raise _TooMuchError

    def _check_tag(self, event: _CollectionStart, at: Loc, kind: str) -> None:
        if not collection_tag(event.tag, kind):
            self._wrong(event, at, unknown_tag(event.tag))

    def _mark(self, event: events.Event) -> SourceLocation:
        return self._marker(_line(event))

    def _wrong(self, event: events.Event, at: Loc, words: str) -> None:
        self._mistakes.append(config_issue(self._mark(event), at, words))
        if len(self._mistakes) == MAX_ISSUES:
            self._mistakes.append(config_issue(self._mark(event), (), "and more from here on; mend these first"))
            raise _TooMuchError


def _line(event: Any) -> int:
    return int(event.start_mark.line) + 1
