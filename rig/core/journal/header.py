"""What a journal's header says to people."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def protocol_name(header: Mapping[str, Any]) -> str:
    """Return the name of the protocol's file, such as ``two_armed_bandit_90-10``; without one that of its task.

    A summary and the status of a running session have the same two fields.
    """
    return str(header.get("variant") or header.get("protocol"))
