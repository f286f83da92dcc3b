"""A tree of values through a pydantic model, with every mistake at its file and line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from rig.config.errors.error_messages import ValidationIssue, ambiguous_numbers, booleans_as_numbers, validation_issues
from rig.config.errors.errors import Clash, ConfigIssue, Loc, config_issue
from rig.config.inheritance import LayeredConfig
from rig.config.yaml.document import value_at
from rig.core.errors import ConfigError

M = TypeVar("M", bound=BaseModel)
_WORD = re.compile(r"\w+")


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


def _subtree(data: object, at: tuple[str, ...]) -> object:
    for key in at:
        data = data.get(key, {}) if isinstance(data, dict) else {}
    return data


def _error(wrong: Iterable[ValidationIssue], layered: LayeredConfig, at: Loc) -> ConfigError:
    """Write findings in the order of the files and lines they stand on."""
    lines = [_issue(finding, layered, at + finding.loc) for finding in wrong]
    return ConfigError(*dict.fromkeys(sorted(lines, key=lambda line: line.location.sort_key)))


def _issue(finding: ValidationIssue, layered: LayeredConfig, loc: Loc) -> ConfigIssue:
    text = finding.text
    if isinstance(text, Clash) and layered.blamed(loc, text.other) != loc:
        return config_issue(layered.location(text.other), text.other, text.seen_from_other(loc))
    return config_issue(layered.location(_place(layered, loc, text)), loc, _text(finding))


def _place(layered: LayeredConfig, loc: Loc, text: str) -> Loc:
    """Return the place of a mistake: of one about several values that of the first value that its text names.

    A value of the file itself goes before those of the files that it extends.
    """
    try:
        values = value_at(layered.data, loc)
    except (LookupError, TypeError):
        return loc
    named = [word for word in _WORD.findall(text) if word in values] if isinstance(values, dict) else []
    return layered.blamed(*((*loc, name) for name in named)) if named else loc


def _text(finding: ValidationIssue) -> str:
    return finding.text if finding.got is None else f"{finding.text}, got {finding.got}"
