"""Whether sessions that an analysis would pool ran the same code with the same parameters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rig.analysis.common.plugin import Analysis, Source
from rig.core.errors import ConfigError
from rig.records.session.task_version import group_by_task, group_lines

FLAG = "--pool-different"


@dataclass(frozen=True)
class _Separated:
    """Names of parameters; that of a group of parameters stands for all of them."""

    names: Sequence[str]

    def __contains__(self, param: object) -> bool:
        return any(param == name or str(param).startswith(f"{name}.") for name in self.names)


def check_same_task(sources: Sequence[Source[Any]], analysis: Analysis[Any], *, pool: bool) -> list[str]:
    """Check that the sessions ran the same code with the same parameters; return notes on those that did not.

    Parameters that the analysis separates may differ. CSV files do not say what they ran. Raises ``ConfigError`` with
    the sessions and their differences, unless they are to be pooled, or the analysis pools no sessions.
    """
    separated = _Separated(analysis.separates)
    # A session without trials adds nothing that could be pooled.
    versions = (source.version for source in sources if source.version is not None and source.session.trials)
    groups = group_by_task(versions, separated)
    lines = list(group_lines(groups, separated))
    if len(groups) < 2:
        return []
    if analysis.pools and not pool:
        raise ConfigError(
            f"the sessions differ in code or parameters: analyze each group alone, or all of them with {FLAG}", *lines
        )
    verb = "are pooled, and differ" if analysis.pools else "differ"
    return [f"sessions that {verb} in code or parameters: {line}" for line in lines]
