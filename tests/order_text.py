"""The orders of a journal, as a person would say them."""

from typing import Any


def order_text(order: dict[str, Any]) -> str:
    """Say an order: ``pulse left.valve 40000 (2.5 ul)``, ``arm 1 until 900: left.beam+ nothing``."""
    fields = dict(order)
    do = fields.pop("do")
    if do == "set":
        return f"{fields['output']} {'on' if fields['on'] else 'off'}"
    if do == "arm":
        until = "" if fields["until_us"] is None else f" until {fields['until_us']}"
        members = "; ".join(
            f"{member.pop('channel')}{'+' if member.pop('level') else '-'} {order_text(member)}"
            for member in map(dict, fields["members"])
        )
        return f"arm {fields['group']}{until}: {members}"
    if do == "load":
        entries = "; ".join(f"+{entry.pop('at_us')} {order_text(entry)}" for entry in map(dict, fields["entries"]))
        return f"load {fields['sequence']}: {entries}"
    if do == "start" and "at_us" in fields:
        return f"start {fields['sequence']} at {fields['at_us']}"
    fields.pop("source", None)
    unit = next((unit for unit in ("ul", "pellets", "access_s") if unit in fields), None)
    amount = None if unit is None else fields.pop(unit)
    named = {"pellets": "pellet" + "s" * (amount != 1), "access_s": "s"}.get(unit or "", "ul")
    return " ".join(map(str, (do, *fields.values()))) + ("" if amount is None else f" ({amount:g} {named})")
