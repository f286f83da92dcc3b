"""The limits of a session that have no room for a single reward."""

from __future__ import annotations

from collections.abc import Iterator

from rig.config import config_issue
from rig.config.errors.errors import ConfigIssue
from rig.core.model.reward_types import reward_params
from rig.session.spec.reward_bounds import UNIT_LIMITS
from rig.session.spec.session_spec import SessionSpec

_NO_REWARD_FITS = "the first reward is already more than a limit allows, so none is ever given: raise the limit"


def limits_below_a_reward(spec: SessionSpec) -> Iterator[ConfigIssue]:
    """Yield the limits that ended a session before its first reward, by the sizes among the parameters.

    A size that is no parameter is not known here: then it names the section.
    """
    sizes: dict[str, list[float]] = {}
    for reward in reward_params(spec.params):
        sizes.setdefault(reward.unit, []).append(reward.size)
    is_named = False
    for unit, (key, _) in UNIT_LIMITS.items():
        limit, largest = getattr(spec.stop, key), max(sizes.get(unit, [0.0]))
        if limit is not None and limit < largest:
            is_named = True
            milliliters = f"; if {limit:g} ml is meant, write {limit * 1000:g}" if unit == "ul" else ""
            text = f"{_NO_REWARD_FITS} to {largest:g} or more{milliliters}"
            yield config_issue(spec.layered.location(("stop", key)), ("stop", key), text)
    if not is_named:
        yield config_issue(spec.layered.location(("stop",)), ("stop",), _NO_REWARD_FITS)
