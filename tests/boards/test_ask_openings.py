import asyncio

from rig.boards.ask_openings import ask_openings
from rig.boards.wire import messages as wire
from rig.core.clock import running
from rig.core.errors import FirmwareMismatchError
from rig.core.model.actions import Pulse, Set
from tests.boards.conftest import VALVE, WIRING, Plug


async def asked(bench, uid):
    """Ask the board of a bench whose host has died with a valve open."""
    rig = bench()
    await rig.open(WIRING)
    rig.host.batch([Pulse("left.valve", 30_000)], 0, 0, 1)
    await asyncio.sleep(0.1)
    rig.host.batch([Set("left.valve", True)], 0, 0, 2)
    await asyncio.sleep(0.01)
    rig.plug.close()
    rig.host._link.close()
    plug = Plug(rig.cable)
    try:
        return rig, plug, await ask_openings(plug, running(), nonce=7, uid=uid)
    except FirmwareMismatchError as error:
        return rig, plug, str(error)


async def test_the_board_is_opened_says_what_it_has_kept_and_is_closed_with_everything_off(bench):
    rig, plug, info = await asked(bench, "5131")
    assert [(one.number, one.state) for one in info.openings.kept] == [(1, "ended"), (2, "ended")]
    assert info.openings.kept[0].ticks == 30_000
    assert rig.pin(VALVE) == 0
    assert plug.closed
    assert len(rig.sends(wire.OPEN)) == 2


async def test_another_board_than_the_journals_is_not_opened(bench):
    rig, plug, text = await asked(bench, "7F3A")
    assert text == "this is board 5131, the journal names board 7F3A: another cable, or another journal"
    assert len(rig.sends(wire.OPEN)) == 1
    assert plug.closed
