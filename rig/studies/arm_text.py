"""What an arm of a study runs, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rig.config.models.study_file import StudyFile
from rig.terminal.format import param_texts


def arm_text(file: StudyFile, name: str) -> str:
    """Return the protocol or curriculum of an arm and its virtual subject, each with the values that the study sets."""
    arm = file.arm(name)
    task = _with_values(arm.protocol or arm.curriculum or "", {**arm.params, **arm.stop})
    return f"{task}, virtual subject {_with_values(arm.model or '', arm.model_params)}"


def _with_values(name: str, values: Mapping[str, Any]) -> str:
    return f"{name} ({', '.join(param_texts(values))})" if values else name
