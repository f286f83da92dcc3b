"""The orders of a journal, as a person would say them."""

from rig.core.model.actions import JournaledOrder


def order_text(order: JournaledOrder) -> str:
    """Say an order: ``pulse left.valve 40000 (2.5 ul)``, ``arm 1 until 900: left.beam+ nothing``."""
    return str(order)
