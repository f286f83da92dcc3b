"""What a rehearsal could not try, such as states that no virtual subject entered, and what is hardly meant so.

A mistake in such a state would end the session of an animal.
"""

from __future__ import annotations

from collections.abc import Iterator
from inspect import getsourcefile, getsourcelines
from pathlib import Path

from rig.config import config_issue
from rig.config.errors.errors import ConfigIssue, SourceLocation
from rig.config.errors.formatting import display_path
from rig.session.check.fold import count_text
from rig.session.check.rehearsal import RehearsalRuns, begins_trials, unused_states
from rig.session.spec.session_spec import SessionSpec

FEW_TRIALS = 10
_NO_SHARE = (
    "{row}.shares stay empty: shares are of trials with the outcome 'rewarded' or 'unrewarded', which none of "
    "{trials} trials has: leave these outcomes to self.end_trial(), and give your own words another column"
)


def gaps_of(spec: SessionSpec, rehearsal: RehearsalRuns) -> Iterator[ConfigIssue]:
    """Yield a warning for each state that was not entered, and one if there was no trial."""
    unused = unused_states(spec)
    for name in spec.task.states:
        if name not in rehearsal.entered and name not in unused:
            yield config_issue(_location(spec, name), (), _why(spec, rehearsal, name))
    # A protocol may record all that it does in further tables.
    if not rehearsal.trials and not any(result.table_rows for result in rehearsal.results):
        yield config_issue(_location(spec, next(iter(spec.task.states))), (), _no_trial(spec, rehearsal))
    row = spec.task.row_type
    completed = sum(result.completed for result in rehearsal.results)
    if row.shares and rehearsal.trials >= FEW_TRIALS and not completed:
        location = SourceLocation(display_path(Path(getsourcefile(row) or "")), getsourcelines(row)[1])
        yield config_issue(location, (), _NO_SHARE.format(row=row.__name__, trials=rehearsal.trials))


def doubts_of(rehearsal: RehearsalRuns) -> Iterator[ConfigIssue]:
    """Yield a warning for each line that does what is hardly meant so."""
    for (where, text), times in sorted(rehearsal.doubts.items()):
        yield config_issue(SourceLocation(display_path(Path(where[0])), where[1]), (), count_text(text, times))


def wrong_declarations(spec: SessionSpec, rehearsal: RehearsalRuns) -> Iterator[ConfigIssue]:
    """Yield a mistake for each state that was entered although its ``when`` says that it is not used."""
    declared = {name for name, info in spec.task.states.items() if not info.is_used(spec.params)}
    for name in sorted(declared & rehearsal.entered):
        text = f"state '{name}' was entered, and its when= says that these parameters do not use it"
        yield config_issue(_location(spec, name), (), text)


def _why(spec: SessionSpec, rehearsal: RehearsalRuns, name: str) -> str:
    before = [other for other, info in spec.task.states.items() if name in info.to and other != name]
    players = ", ".join(rehearsal.players)
    if not before and name != next(iter(spec.task.states)):
        return f"state '{name}' is never entered: no other state names it in to=; name it there, or remove the state"
    return (
        f"state '{name}' was not rehearsed: {players} did not come from {' or '.join(before)} to it. Name a virtual "
        "subject that does (simulation.model), or say with which parameters it is used (when=)"
    )


def _no_trial(spec: SessionSpec, rehearsal: RehearsalRuns) -> str:
    if not begins_trials(spec):
        return "no trial began, so the trial table stays empty: a trial begins with self.begin_trial(row)"
    return (
        f"no trial began with {', '.join(rehearsal.players)}, so nothing that happens in one was rehearsed: name a "
        "virtual subject that begins one (simulation.model)"
    )


def _location(spec: SessionSpec, name: str) -> SourceLocation:
    """Return the place of a state's first line, its decorator."""
    code = getattr(spec.task, name).__code__
    return SourceLocation(display_path(code.co_filename), code.co_firstlineno)
