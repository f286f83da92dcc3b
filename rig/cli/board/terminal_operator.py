"""The technician who watches a rig while its inputs and outputs are tried."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable

from rig.boards.driver_lookup import find_driver
from rig.cli.terminal.prompt import ask_meanwhile
from rig.core.errors import NotReadyError
from rig.core.model.rig_spec import RigSpec, SimulationOptions
from rig.diagnostics.io_test import Answer, ChannelResult, Operator, check_channels
from rig.session.check.dry_run import DEFAULT_MODEL
from rig.session.run.stop import StopSignals

Ask = Callable[[str], Awaitable[str | None]]


class TerminalOperator(Operator):
    """A person at the terminal."""

    within_s = 20.0

    def __init__(self, ask: Ask = ask_meanwhile) -> None:
        self._ask = ask

    def instruct(self, text: str) -> None:
        """Print it beside the questions."""
        print(f"    {text}", file=sys.stderr, flush=True)

    async def observed(self, question: str) -> Answer:
        """Return the person's answer to a question; Enter is yes."""
        answer = await self._answer(f"    {question} [Y/n, r: once more] ")
        return "again" if answer.startswith("r") else "no" if answer.startswith("n") else "yes"

    async def confirm(self, question: str) -> bool:
        """Whether the person confirms; Enter is no."""
        return (await self._answer(f"    {question} [y/N] ")).startswith("y")

    async def _answer(self, question: str) -> str:
        answer = await self._ask(question)
        if answer is None:
            raise NotReadyError("no answer from the operator: everything is off")
        return answer.lower()


def run_io_test(plan: RigSpec, operator: Operator) -> list[ChannelResult] | None:
    """Check every input and output of a rig; return None if the operator stopped it. Raises ``BoardError``."""
    driver = find_driver(plan.board.driver)

    async def main() -> list[ChannelResult] | None:
        connection = driver.connect(plan, SimulationOptions(DEFAULT_MODEL, seed=1))
        trying = asyncio.ensure_future(
            check_channels(plan, lambda inbox: driver.board(connection, plan, inbox, seed=1), operator)
        )
        living = None if connection.subject is None else asyncio.ensure_future(connection.subject())

        def cancel() -> None:
            trying.cancel()

        try:
            with stop.deliver_to(cancel, cancel):
                return await trying
        except asyncio.CancelledError:
            return None
        finally:
            if living is not None:
                living.cancel()
                await asyncio.gather(living, return_exceptions=True)

    with StopSignals() as stop, asyncio.Runner(loop_factory=lambda: driver.loop(driver.fastest)) as runner:
        return runner.run(main())
