"""Read a protocol's YAML file: its limits, its task and the task's parameters."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache, partial
from pathlib import Path

from rig.config import LayeredConfig, ProtocolFile, SessionLimits, collect_errors, config_issue, validate
from rig.config.limits import LAB_FILE, DailyLimits
from rig.config.subject import SUBJECT_FILE
from rig.core.errors import ConfigError
from rig.core.task.task import TaskParams
from rig.session.spec.task_classes import FoundTask, find_task


def read_protocol(layered: LayeredConfig) -> tuple[ProtocolFile, FoundTask, TaskParams]:
    """Validate a protocol file, find its task, validate the parameters. Raises ``ConfigError`` with every mistake."""
    # Found once: it is needed at three places, and finding it may run the protocol's file.
    task = cache(partial(task_of, layered))
    file, params = collect_errors(
        lambda: validate(ProtocolFile, layered, elsewhere=_sections_of_keys(task)),
        lambda: validate(task().task.params_type, layered, ("params",), _SECTIONS_OF_FILE),
    )
    return file, task(), params


def task_of(layered: LayeredConfig) -> FoundTask:
    """Return the task that a protocol's file names. Raises ``ConfigError``."""
    word = layered.data.get("protocol")
    if not isinstance(word, str):
        raise ConfigError()  # the validation of the file reports it
    mark = layered.location(("protocol",))
    try:
        return find_task(word, None if mark.line is None else Path(mark.file).parent)
    except ConfigError as error:
        raise ConfigError(config_issue(mark, ("protocol",), str(error))) from None


_SECTIONS_OF_FILE = {
    **dict.fromkeys(ProtocolFile.model_fields, "to the top of the file, without indentation"),
    **dict.fromkeys(SessionLimits.model_fields, "to `stop`"),
}
"""The place of each key that is not a parameter, for error messages."""


def _sections_of_keys(task: Callable[[], FoundTask]) -> Mapping[str, str]:
    """Return the place to which each parameter and limit belongs, for those that are elsewhere in the file."""
    homes = {
        **dict.fromkeys(SessionLimits.model_fields, "to `stop`"),
        **dict.fromkeys(DailyLimits.model_fields, f"to the animal's {SUBJECT_FILE} or the laboratory's {LAB_FILE}"),
    }
    with suppress(ConfigError):  # a missing protocol is reported by task_of
        homes |= dict.fromkeys(task().task.params_type.model_fields, "to `params`")
    return homes
