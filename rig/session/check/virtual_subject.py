"""Check a virtual subject against a rig, without a session."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Iterator

from rig.boards.driver_lookup import find_driver
from rig.core.errors import ConfigError
from rig.session.check.dry_run import on_simulated_board
from rig.session.run.run_session import simulation_options
from rig.session.spec.session_spec import SessionSpec

_PARAMETER = "--param "


def model_mistakes(spec: SessionSpec) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with the virtual subject of a specification on its rig.

    Each has the name of the parameter, or an empty one, and a text.
    """
    driver = find_driver("sim")

    async def connect() -> None:
        driver.connect(on_simulated_board(spec.plan), simulation_options(spec))

    try:
        with asyncio.Runner(loop_factory=lambda: driver.loop(math.inf)) as runner:
            runner.run(connect())
    except ConfigError as error:
        for mistake in error.mistakes:
            key, _, text = mistake.removeprefix(_PARAMETER).partition(": ")
            yield (key, text) if mistake.startswith(_PARAMETER) else ("", mistake)
