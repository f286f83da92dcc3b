"""A participant keeps the condition of the first session."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rig import ConfigError


def check_condition(condition: Mapping[str, Any], carried_over: Mapping[str, Any]) -> None:
    """Check the parameters of a condition against the subject's last session. Raises ``ConfigError``."""
    kept = carried_over.get("condition", {})
    mistakes = [
        f"params.{name}: is {value}, and was {kept[name]} in the participant's last session: wanted the same"
        for name, value in condition.items()
        if name in kept and kept[name] != value
    ]
    if mistakes:
        raise ConfigError(*mistakes)
