"""The test of a simulated rig's channels, with an animal before it, in virtual time."""

import asyncio

from rig.core.model.rig_spec import SimulationOptions
from rig.diagnostics.io_test import ChannelResult, Operator, check_channels
from rig.session.spec.build import load_rig_spec
from sim_hardware.driver import SimDriver
from sim_hardware.loop import VirtualLoop


def try_channels(rig: str, operator: Operator) -> dict[str, ChannelResult]:
    """Test the channels of a rig file; return what was found of each."""
    plan, driver = load_rig_spec(rig), SimDriver()

    async def run() -> dict[str, ChannelResult]:
        connection = driver.connect(plan, SimulationOptions("random_explorer"))
        assert connection.subject is not None
        subject = asyncio.ensure_future(connection.subject())
        results = await check_channels(plan, lambda inbox: driver.board(connection, plan, inbox, 1), operator)
        subject.cancel()
        return {result.channel: result for result in results}

    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(run())
