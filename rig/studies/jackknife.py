"""The errors of a number of a study, by leaving out a part of its sessions in turn.

A number may be anything that an analysis prints, a mean or a test statistic. So its standard error is a jackknife: the
analysis is made again without each of g parts, and with the numbers n(1) to n(g) of these the standard error is
sqrt((g - 1) / g * sum of (n(i) - their mean)²) (Efron & Tibshirani 1993, An Introduction to the Bootstrap, chapter 11;
Shao & Wu 1989, Annals of Statistics 17, for parts of several units). Of a number that is not smooth, such as a maximum
or a rank, it is rough.

The Monte Carlo error says how much the number would differ with another random seed. What another seed draws again
decides the parts. Numbered subjects are drawn by the seed, so the parts are groups of subjects. Named subjects are the
same for every seed, and only their sessions differ: a part is a stretch of sessions of each of them (Künsch 1989,
Annals of Statistics 17, the delete-a-block jackknife). Stretches, because an analysis may look at the session before.
What a seed draws once for all sessions of a named subject does not differ between sessions, and is not in this error.

The spread between subjects says how much the number would differ with other subjects: its parts are always groups of
subjects. Of numbered subjects both are the same number.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from rig.analysis.common.plugin import Source

PARTS = 10
"""Most parts that are left out in turn: more cost as many more analyses, and the error changes little."""
_ENOUGH = 4
"""Fewer parts than this are taken only where a subject has fewer sessions: their error is known badly."""


def without_draws(sources: Sequence[Source[Any]], named: Collection[str]) -> Iterator[list[Source[Any]]]:
    """Yield the sessions without each part of what another seed draws again; nothing where there is one part.

    ``named`` are the subjects that are the same for every seed.
    """
    numbered = [subject for subject in _subjects(sources) if subject not in named]
    if len(numbered) == 1:  # it cannot be left out: none would remain
        numbered = []
    sessions = Counter(source.path for source in sources if source.path.name not in numbered)
    parts = _number_of_parts(len(numbered), sessions)
    groups = {subject: index % parts for index, subject in enumerate(numbered)}
    stretches = {path: iter(stretch) for path, stretch in _stretches(sessions, parts).items()}
    own = [groups[s.path.name] if s.path.name in groups else next(stretches[s.path]) for s in sources]
    yield from _without_each(sources, own, parts)


def without_subjects(sources: Sequence[Source[Any]]) -> Iterator[list[Source[Any]]]:
    """Yield the sessions without each group of subjects; nothing where there is one subject."""
    subjects = _subjects(sources)
    parts = min(PARTS, len(subjects))
    # In turn, so that every group has subjects of every arm.
    groups = {subject: index % parts for index, subject in enumerate(subjects)}
    yield from _without_each(sources, [groups[source.path.name] for source in sources], parts)


def jackknife_error(without: Sequence[float | str]) -> float:
    """Return the standard error of a number from its values without each part; NaN if one of them is not known."""
    values = [value for value in without if not isinstance(value, str) and math.isfinite(value)]
    parts = len(without)
    if parts < 2 or len(values) < parts:
        return math.nan
    mean = sum(values) / parts
    # Not the squares themselves: an analysis may print numbers of any size, whose squares are no floats.
    return math.sqrt((parts - 1) / parts) * math.hypot(*(value - mean for value in values))


def _subjects(sources: Sequence[Source[Any]]) -> list[str]:
    # Without the arm: the sessions of a subject in two arms depend on each other.
    return list(dict.fromkeys(source.path.name for source in sources))


def _number_of_parts(numbered: int, sessions: Mapping[Path, int]) -> int:
    """Return into how many parts subjects and sessions are divided, so that few sessions are left over."""
    most = min([PARTS, *([numbered] if numbered else []), *sessions.values()])
    fewest = min(most, _ENOUGH)
    return min(range(most, fewest - 1, -1), key=lambda parts: sum(count % parts for count in sessions.values()))


def _stretches(sessions: Mapping[Path, int], parts: int) -> dict[Path, list[int | None]]:
    """Return the part of each session, by the folder of its subject; None for a session that is never left out.

    All stretches of a subject have the same length. So each part has the same weight of each subject, and differences
    between subjects are not in the error. The stretches of the next subject begin at another part. So a change over
    days that all subjects share is not in the error.
    """
    stretches: dict[Path, list[int | None]] = {}
    for index, (path, count) in enumerate(sessions.items()):
        length, first = count // parts, index * parts // len(sessions)
        divided = [(first + part) % parts for part in range(parts) for _ in range(length)]
        stretches[path] = [*divided, *[None] * (count - len(divided))]
    return stretches


def _without_each(
    sources: Sequence[Source[Any]], part_of: Sequence[int | None], parts: int
) -> Iterator[list[Source[Any]]]:
    if not sources or parts < 2:
        return
    for part in range(parts):
        yield [source for source, own in zip(sources, part_of, strict=True) if own != part]
