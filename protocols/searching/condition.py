"""A participant keeps the condition of the first session of an experiment."""

from __future__ import annotations

import json
from collections.abc import Mapping

from rig import ConfigError

SIZE = ("width", "height")
"""Another grid, or a line, is another experiment, with a condition of its own."""


def check_condition(condition: Mapping[str, object], carried_over: Mapping[str, object]) -> None:
    """Check the parameters of a condition against the subject's last session. Raises ``ConfigError``."""
    kept = carried_over.get("condition", {})
    # A journal from elsewhere may have anything there.
    if not isinstance(kept, Mapping) or any(kept.get(name) != condition[name] for name in SIZE):
        return
    mistakes = [
        f"params.{name}: is {json.dumps(value)}, and was {json.dumps(kept[name])} in the participant's last session: "
        "wanted the same"
        for name, value in condition.items()
        if name in kept and kept[name] != value
    ]
    if mistakes:
        raise ConfigError(*mistakes)
