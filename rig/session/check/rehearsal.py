"""The rehearsal of a protocol: virtual subjects play it, one after the other, until they have entered every state.

No subject enters every state of every protocol. The one that the protocol's file names behaves as the protocol
expects. The explorer pokes anywhere at any time. The guided subject is told what the task waits for, so it finds the
input that a state asks for, and is silent where a state asks for silence.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, field, replace

from rig.core.errors import ConfigError
from rig.session.check.dry_run import DEFAULT_MODEL, USUAL_SPAN, DryRunResult, DryRunSpan, dry_run
from rig.session.check.guided_subject import Experience
from rig.session.check.rehearsal_watch import Doubt
from rig.session.spec.session_spec import SessionSpec

GUIDED = "a guided subject"
GUIDED_SESSIONS = 3
"""The sessions that are always played: in each the guided subject tries what it has not tried before."""
MAX_FURTHER_ROUNDS = 6
MAX_LINES = 100_000
"""The work of a rehearsal, in lines of journals: an idle computer writes 25,000 in a second.

Not its time: the result must not depend on what else the computer does.
"""
MAX_REAL_S = 60.0
"""For screens with so many items that a line takes milliseconds."""


@dataclass(frozen=True)
class Part:
    """One session of a rehearsal: who plays it, with which seed, and for how long."""

    player: str
    seed: int = 1
    accompanied: bool = False
    """Whether the guided subject plays, too."""
    span: DryRunSpan = USUAL_SPAN


@dataclass
class RehearsalRuns:
    """What the sessions of a rehearsal have shown so far."""

    runs: list[tuple[Part, DryRunResult]] = field(default_factory=list)
    unfit: list[str] = field(default_factory=list)
    """Why a virtual subject that the protocol's file names cannot play on this rig."""

    @property
    def results(self) -> list[DryRunResult]:
        """Return the results of the sessions."""
        return [result for _, result in self.runs]

    @property
    def players(self) -> list[str]:
        """Return who has played, in this order."""
        return list(dict.fromkeys(part.player for part, _ in self.runs))

    @property
    def entered(self) -> frozenset[str]:
        """Return the states that were entered."""
        return frozenset(name for result in self.results for _, name in result.steps)

    @property
    def trials(self) -> int:
        """Return the number of trials in all sessions."""
        return sum(result.trials for result in self.results)

    @property
    def seconds(self) -> float:
        """Return the length of all sessions in seconds."""
        return sum(result.seconds for result in self.results)

    @property
    def doubts(self) -> Mapping[Doubt, int]:
        """Return what is hardly meant so in all sessions, and how often."""
        return sum((Counter(result.doubts) for result in self.results), Counter[Doubt]())

    @property
    def failed(self) -> DryRunResult | None:
        """Return the session that has failed, with which a rehearsal ends."""
        return next((result for result in self.results if result.failure is not None), None)


def rehearse(spec: SessionSpec, model: str | None = None, options: Mapping[str, str] | None = None) -> RehearsalRuns:
    """Run a protocol until every state was entered, and at least once by each subject that fits.

    ``model`` plays first, in place of the one that the protocol's file names, and with its ``options``. Raises as
    `dry_run` does.
    """
    player = _Player(spec, model, dict(options or {}))
    for part in _first_round(player):
        player.play(part)
    for part in _further_rounds(player.model, spec.stop.session_s):
        if player.is_over:
            break
        player.play(replace(part, span=player.rest_of(part.span)))
    return player.rehearsal


def is_reproducible(
    spec: SessionSpec, rehearsal: RehearsalRuns, model: str | None = None, options: Mapping[str, str] | None = None
) -> bool:
    """Whether the session with the most states, played again with the same seed, comes to the same decisions.

    ``model`` and ``options`` are those of `rehearse`.
    """
    first = [(part, result) for part, result in rehearsal.runs if part.seed == 1 and part.span is USUAL_SPAN]
    part, result = max(first, key=lambda run: len({name for _, name in run[1].steps}))
    return _Player(spec, model, dict(options or {})).run(part).decided == result.decided


class _Player:
    """Plays the sessions of one rehearsal."""

    def __init__(self, spec: SessionSpec, model: str | None, options: dict[str, str]) -> None:
        self.rehearsal = RehearsalRuns()
        self.model = model or spec.model
        self._must_fit = model is not None
        self._spec = spec
        self._options = options
        self._experience = Experience()
        self._wanted = spec.task.states.keys() - unused_states(spec)

    def play(self, part: Part) -> None:
        """Run one session, unless one has failed; skip the subject of the protocol's file if it does not fit."""
        if self.rehearsal.failed is not None:
            return
        try:
            self.rehearsal.runs.append((part, self.run(part)))
        except ConfigError as error:
            if self._must_fit or part.player != self.model or self.model == DEFAULT_MODEL:
                raise
            self.rehearsal.unfit += error.mistakes
            self.model = None

    def run(self, part: Part) -> DryRunResult:
        """Run one session."""
        model = None if part.player == GUIDED else part.player
        options = self._options if model == self.model else {}
        experience = self._experience if part.accompanied or model is None else None
        return dry_run(self._spec, model, options, part.seed, span=part.span, experience=experience)

    def has_all(self, entered: Set[str]) -> bool:
        """Whether all states that can be entered are entered, with those of the session that runs."""
        return self._wanted <= self.rehearsal.entered | entered

    @property
    def is_over(self) -> bool:
        """Whether another session would show nothing, or would be too much."""
        rehearsal = self.rehearsal
        is_done = self.has_all(frozenset()) and (rehearsal.trials > 0 or not begins_trials(self._spec))
        rest = self.rest_of(USUAL_SPAN)
        return is_done or rehearsal.failed is not None or rest.lines <= 0 or rest.real_s <= 0

    def rest_of(self, span: DryRunSpan) -> DryRunSpan:
        """Return what is left of a span; it ends when the last state was entered."""
        results = self.rehearsal.results
        lines, real_s = sum(run.lines for run in results), sum(run.real_s for run in results)
        return replace(span, lines=MAX_LINES - lines, real_s=MAX_REAL_S - real_s, is_enough=self.has_all)


def begins_trials(spec: SessionSpec) -> bool:
    """Whether the protocol's source begins a trial anywhere."""
    return any(b"begin_trial" in file.read_bytes() for file in spec.found.files)


def unused_states(spec: SessionSpec) -> set[str]:
    """Return the states that are unused with these parameters: by their ``when=``, or because all before them are."""
    states = spec.task.states
    unused = {name for name, info in states.items() if not info.is_used(spec.params)}
    leading_to = {name: {other for other, info in states.items() if name in info.to} - {name} for name in states}
    while behind := {name for name, before in leading_to.items() if before and before <= unused} - unused:
        unused |= behind
    return unused - {next(iter(states))}


def _first_round(player: _Player) -> Iterator[Part]:
    if player.model not in (None, DEFAULT_MODEL):
        yield Part(str(player.model))
    yield Part(DEFAULT_MODEL)
    for seed in range(1, GUIDED_SESSIONS + 1):
        yield Part(GUIDED, seed)
    # Not the model of the beginning: it may have turned out not to fit.
    yield Part(player.model or DEFAULT_MODEL, 2, accompanied=True)


def _further_rounds(model: str | None, session_s: float) -> Iterator[Part]:
    """Yield sessions for the states that are left, with other seeds: as long as the protocol's own, then short ones."""
    long = DryRunSpan(session_s, sys.maxsize)
    for number in range(MAX_FURTHER_ROUNDS):
        span = USUAL_SPAN if number % 2 else long
        if model is not None:
            yield Part(model, number + 3, accompanied=True, span=span)
        yield Part(DEFAULT_MODEL, number + 3, span=span)
        yield from (Part(GUIDED, GUIDED_SESSIONS + 2 * number + each, span=span) for each in (1, 2))
