"""The engine that connects one task to one board: orders out, events in, rewards counted once.

It imports `rig.core.model` and `rig.core.journal`; it has no clock and no port.
Begin with `engine`, then `event_reader` (waits) and `reward_ledger`.
"""
