"""The seed of a session's named streams, which its header records."""

from __future__ import annotations

import secrets


def seed_or_drawn(stated: int | None) -> int:
    """Return the seed that a person stated; without one, a random number below 2**32."""
    return secrets.randbits(32) if stated is None else stated
