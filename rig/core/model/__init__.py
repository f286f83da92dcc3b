"""The values that all parts share: actions, events, channels, rewards, scenes, rows, a rig.

It imports `rig.core.errors` and itself.
Begin with `actions` (what a board can do) and `events` (what it reports).
"""
