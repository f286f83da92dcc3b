"""A tree of values through a pydantic model, with every mistake at its file and line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from rig.config.errors.error_messages import ValidationIssue, ambiguous_numbers, booleans_as_numbers, validation_issues
from rig.config.errors.errors import Loc, config_issue
from rig.config.inheritance import LayeredConfig
from rig.core.errors import ConfigError

M = TypeVar("M", bound=BaseModel)


def validate(
    model: type[M], layered: LayeredConfig, at: tuple[str, ...] = (), elsewhere: Mapping[str, str] | None = None
) -> M:
    """Build a model from the values below ``at`` (absent: from none); raise ConfigError with all mistakes.

    ``elsewhere`` gives, for unknown keys, the place to which they belong: ``{"reward_ul": "to `params`"}``.
    """
    data = _subtree(layered.data, at)
    try:
        value = model.model_validate(data)
    except ValidationError as error:
        raise _error(validation_issues(model, data, error, elsewhere or {}), layered, at) from None
    # pydantic takes true for 1; its strict mode would refuse 1e3 as a whole number.
    wrong = [*booleans_as_numbers(data, value), *ambiguous_numbers(data, value)]
    if wrong:
        raise _error(wrong, layered, at)
    return value


def _subtree(data: Any, at: tuple[str, ...]) -> Any:
    for key in at:
        data = data.get(key, {}) if isinstance(data, dict) else {}
    return data


def _error(wrong: Iterable[ValidationIssue], layered: LayeredConfig, at: Loc) -> ConfigError:
    """Write findings in the order of the files and lines they stand on."""
    placed = [(layered.location(_place(layered, at + finding.loc, finding.text)), finding) for finding in wrong]
    placed.sort(key=lambda item: item[0].sort_key)
    lines = (config_issue(mark, at + finding.loc, _text(finding)) for mark, finding in placed)
    return ConfigError(*dict.fromkeys(lines))


def _place(layered: LayeredConfig, loc: Loc, text: str) -> Loc:
    """Return the place of a mistake: of one about several values that of the value with which its text begins."""
    values: Any = layered.data
    for key in loc:
        try:
            values = values[key]
        except (LookupError, TypeError):
            return loc
    named = text.partition(" ")[0]
    return (*loc, named) if isinstance(values, dict) and named in values else loc


def _text(finding: ValidationIssue) -> str:
    return finding.text if finding.got is None else f"{finding.text}, got {finding.got}"
