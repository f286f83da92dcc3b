"""Values of a file that lists sessions, laid over a protocol's file as ``--set`` does, and their mistakes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping

from rig.config.errors.errors import ConfigIssue
from rig.config.inheritance import COMMAND_LINE


def sets_of(params: Mapping[str, object], stop: Mapping[str, object]) -> tuple[str, ...]:
    """Return what a file changes in a protocol's file, as the words of ``--set``."""
    sections = {"params": params, "stop": stop}
    return tuple(
        f"{section}.{key}={json.dumps(value)}" for section, of in sections.items() for key, value in of.items()
    )


def sets_placed(mistakes: Iterable[str], error_at: Callable[[str, str], ConfigIssue]) -> list[str]:
    """Return mistakes, each once; ``error_at`` places those of values that went through ``--set``.

    It takes the key and the text.
    """
    return list(
        dict.fromkeys(
            error_at(mistake.key, mistake.text)
            if isinstance(mistake, ConfigIssue) and mistake.location == COMMAND_LINE and mistake.key
            else mistake
            for mistake in mistakes
        )
    )
