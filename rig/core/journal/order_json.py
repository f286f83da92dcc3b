"""Orders as the journal holds them: JSON objects, which a replay compares and a person can read.

``do`` names the order: ``set``, ``pulse``, ``train``, ``tone``, ``ramp``, ``start``, ``stop``, ``show``, ``load``,
``arm``, ``disarm``, ``nothing`` or ``cancel``. The other fields are those of the order. A reward also has its
``source`` and its amount (``ul``, ``pellets`` or ``access_s``).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields
from functools import lru_cache
from typing import Any

from rig.core.model.actions import Arm, Cancel, Load, Nothing, Order, RewardAction, Set, Show

_encode = json.JSONEncoder(separators=(",", ":"), ensure_ascii=True, allow_nan=False).encode


def order_json(order: Order) -> str:
    """Return an order as JSON text, on one line."""
    if isinstance(order, Set):
        return f'{{"do":"set","output":"{order.output}","on":{"true" if order.on else "false"}}}'
    if isinstance(order, Arm):
        # Channels need no escaping: the names of devices in a rig file are small letters, digits and ``_``.
        members = ",".join(
            f'{{"channel":"{channel}","level":{level},{_action_json(action)[1:]}'
            for channel, level, action in order.members
        )
        until = "null" if order.until_us is None else order.until_us
        return f'{{"do":"arm","group":{order.group},"until_us":{until},"members":[{members}]}}'
    if isinstance(order, Load):
        entries = ",".join(f'{{"at_us":{at_us},{_action_json(action)[1:]}' for at_us, action in order.entries)
        return f'{{"do":"load","sequence":{order.sequence},"entries":[{entries}]}}'
    if isinstance(order, Show):
        return f'{{"do":"show","scene":"{order.scene.id}"}}'
    return _action_json(order)


def in_words(order: Mapping[str, Any]) -> str:
    """Return an order of a journal in words, without what it loads or arms: ``pulse: output left.valve, us 40000``."""
    named = ", ".join(f"{name} {value}" for name, value in order.items() if type(value) in (str, int, float, bool))
    return named.removeprefix("do ").replace(", ", ": ", 1)


def _action_json(action: Order) -> str:
    # Without its hash and its comparison, which are Python: the members of most reflexes do nothing.
    return _EMPTY.get(type(action)) or _text_of(action)


# A task orders the same few actions again and again, so their text is built once.
@lru_cache(maxsize=1024)
def _text_of(action: Order) -> str:
    return _encode(_object(action))


_EMPTY: dict[type[Any], str] = {Nothing: '{"do":"nothing"}', Cancel: '{"do":"cancel"}'}


def _object(action: Any) -> dict[str, Any]:
    if isinstance(action, RewardAction):
        return {**_object(action.action), "source": action.source, **action.amount.fields()}
    named = {field.name: getattr(action, field.name) for field in fields(action)}
    return {"do": type(action).__name__.lower(), **{name: value for name, value in named.items() if value is not None}}
