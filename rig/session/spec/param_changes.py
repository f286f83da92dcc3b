"""Check a parameter that an operator changes during a session: as its file is checked before one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pydantic import BaseModel, ValidationError

from rig.config.errors.closest_names import unknown_name
from rig.config.errors.error_messages import ValidationIssue, booleans_as_numbers, validation_issues
from rig.config.errors.errors import ConfigIssue, Loc
from rig.config.errors.formatting import key_text
from rig.config.inheritance import COMMAND_LINE
from rig.config.yaml.document import parse
from rig.core.engine.reward_ledger import RewardLimits
from rig.core.errors import ConfigError
from rig.core.model.live import live_names
from rig.core.model.reward_types import reward_params
from rig.devices import Device
from rig.session.spec.compatibility import impossible_rewards
from rig.system.plugins import first_line


class ParamChanges:
    """The checks of changed parameters against their model, the devices of the rig and the session's limits."""

    def __init__(self, devices: Mapping[str, Device], limits: RewardLimits) -> None:
        self._devices = devices
        self._limits = {"ul": limits.max_ul, "pellets": limits.max_pellets, "access_s": limits.max_access_s}

    def __call__(self, params: BaseModel, text: str) -> BaseModel:
        """Return parameters with one changed, by a text ``KEY=VALUE``. Raises ``ConfigError`` with what is accepted."""
        key, value = _parsed(params, text)
        changed = _validated(type(params), {**params.model_dump(mode="json"), key: value})
        problems = [*impossible_rewards(changed, self._devices), *self._beyond_limits(params, changed)]
        if problems:
            raise ConfigError(*(f"{key_text(loc)}: {problem}" for loc, problem in problems))
        return changed

    def _beyond_limits(self, params: BaseModel, changed: BaseModel) -> Iterator[tuple[Loc, str]]:
        before = reward_params(params)
        for reward in reward_params(changed):
            most = self._limits[reward.unit]
            if reward not in before and most is not None and reward.size > most:
                unit = reward.unit.replace("access_s", "s")
                text = f"one reward would be {reward.size:g} {unit}, and this session may give {most:g} {unit} in all"
                yield reward.loc, text


def _parsed(params: BaseModel, text: str) -> tuple[str, object]:
    written, equals, value = text.partition("=")
    key, names = written.strip(), live_names(type(params))
    if not names:
        raise ConfigError("no parameter of this protocol may change during a session")
    if key not in names:
        fixed = key in type(params).model_fields
        problem = f"'{key:.60}' {'is fixed for a session' if fixed else 'is no parameter that may change'}"
        raise ConfigError(unknown_name(problem, key, names))
    if not equals:
        raise ConfigError(f"{key}: a value is wanted, such as {key}={params.model_dump(mode='json')[key]}")
    try:
        return key, parse(value, lambda line: COMMAND_LINE, (key,))[0]
    except ConfigError as error:
        raise ConfigError(*(f"{key}: {_text_of(problem)}" for problem in error.mistakes)) from None


def _text_of(mistake: str) -> str:
    return mistake.text if isinstance(mistake, ConfigIssue) else mistake


def _validated(model: type[BaseModel], data: dict[str, object]) -> BaseModel:
    try:
        value = model.model_validate(data)
    except ValidationError as error:
        raise ConfigError(*_lines(validation_issues(model, data, error))) from None
    # The model may have code of the protocol: its mistake must not end a session that runs well.
    except Exception as error:
        raise ConfigError(
            f"the protocol cannot check this value: {type(error).__name__}: {first_line(error)}"
        ) from None
    if wrong := list(booleans_as_numbers(data, value)):
        raise ConfigError(*_lines(wrong))
    return value


def _lines(issues: list[ValidationIssue]) -> Iterator[str]:
    for issue in issues:
        where = f"{key_text(issue.loc)}: " if issue.loc else ""
        yield f"{where}{issue.text}" if issue.got is None else f"{where}{issue.text}, got {issue.got}"
