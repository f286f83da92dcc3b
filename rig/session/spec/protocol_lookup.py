"""What a person means by the name of a protocol: a task, or a YAML file that names one."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from rig.config import LayeredConfig, ProtocolFile, config_issue, find, load_config, validate
from rig.config.errors.formatting import display_path
from rig.core.errors import ConfigError
from rig.session.spec.task_classes import FoundTask, find_task


@dataclass(frozen=True)
class FoundProtocol:
    """A task, and the YAML file that was asked for, if it was one."""

    found: FoundTask
    layered: LayeredConfig | None = None

    @property
    def file(self) -> str | None:
        """Return the path of the YAML file that was asked for, if it was one."""
        return None if self.layered is None else display_path(self.layered.sources[0])


def look_up_protocol(word: str) -> FoundProtocol:
    """Return the task of a name or a file, or of a YAML file that names it. Raises ``ConfigError``."""
    if word.endswith((".yaml", ".yml")):
        return _of_file(find("protocols", word))
    try:
        return FoundProtocol(find_task(word))
    except ConfigError as error:
        try:
            path = find("protocols", word)
        except ConfigError:
            raise error from None
    return _of_file(path)


def _of_file(path: Path) -> FoundProtocol:
    layered = load_config(path)
    word = validate(ProtocolFile, layered).protocol
    mark = layered.location(("protocol",))
    try:
        found = find_task(word, None if mark.line is None else Path(mark.file).parent)
    except ConfigError as error:
        raise ConfigError(config_issue(mark, ("protocol",), str(error))) from None
    return FoundProtocol(found, layered)
