"""Every input by hand, every output by eye or ear, and the first drop of each valve; within a limit of water."""

from __future__ import annotations

from rig.core.model.actions import Amount
from rig.core.model.board import Channel, Output
from rig.core.model.channels import Role
from rig.core.model.rig_spec import SimulationOptions
from rig.diagnostics.acceptance.results import AcceptanceRow, Verdict
from rig.diagnostics.acceptance.site import Site, SiteOperator
from rig.diagnostics.io_test import Answer, Operator, check_channels, spoken_name

VERDICTS: dict[str, Verdict] = {"ok": "pass", "error": "fail", "skipped": "skipped"}


class LimitedOperator(Operator):
    """A operator whose repetitions of a valve, feeder or hopper end at a limit, in microliters per rig."""

    def __init__(self, operator: SiteOperator, max_ul: float) -> None:
        self.within_s = operator.within_s
        self.presses_panic = operator.presses_panic
        self.ul = 0.0
        self._operator = operator
        self._max_ul = max_ul
        self._largest_ul = 0.0

    def instruct(self, text: str) -> None:
        """Show an instruction."""
        self._operator.instruct(text)

    def note_delivery(self, amount: Amount) -> None:
        """Record an amount, for the limit."""
        self.ul += amount.ul
        self._largest_ul = max(self._largest_ul, amount.ul)
        self._operator.note_delivery(amount)

    async def observed(self, question: str) -> Answer:
        """Return what the person has seen."""
        return await self._operator.observed(question)

    async def confirm(self, question: str) -> bool:
        """Return whether the person allows it, and the limit too."""
        if self.ul + self._largest_ul > self._max_ul:
            self._operator.instruct(f"no more water: {self.ul:g} of {self._max_ul:g} ul have been given (--max-ul)")
            return False
        return await self._operator.confirm(question)


async def check_devices(site: Site, max_ul: float) -> list[AcceptanceRow]:
    """Check every input and output with the person. Raises ``BoardError``."""
    limited = LimitedOperator(site.operator, max_ul)
    connection = site.driver.connect(site.plan, SimulationOptions())
    results = await check_channels(site.plan, lambda inbox: site.driver.board(connection, site.plan, inbox, 1), limited)
    rows = [AcceptanceRow(result.channel, VERDICTS[result.result], result.text) for result in results]
    passed = {result.channel for result in results if result.result == "ok"}
    for valve in _valves(site):
        if valve.name in passed:
            rows.append(await _drop(site.operator, valve))
    if limited.ul:
        rows.append(AcceptanceRow("water given", "info", f"{limited.ul:.1f} ul", f"at most {max_ul:g} ul"))
    return rows


async def _drop(operator: SiteOperator, valve: Channel) -> AcceptanceRow:
    what = f"first drop of {spoken_name(valve)}"
    if await operator.observed_once(f"did water come out of {spoken_name(valve)}, and does it not drip now?"):
        return AcceptanceRow(what, "pass", "water came, and it does not drip", "water, and no drip")
    return AcceptanceRow(
        what, "fail", "no water, or it drips: prime it, and look for air and dirt", "water, and no drip"
    )


def _valves(site: Site) -> list[Channel]:
    channels = [channel for channel in site.plan.wiring.channels if isinstance(channel, Output)]
    return [channel for channel in channels if channel.role == Role.VALVE]
