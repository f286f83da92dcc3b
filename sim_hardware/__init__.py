"""Simulated hardware in virtual time: boards, their link, the world around them, and virtual subjects.

May import ``rig``; ``rig`` finds it only by entry points (``rig.boards``, ``rig.models``). Begin with `driver` for the
parts of a simulated rig, `loop` for virtual time, and `world.body` for what a virtual subject can do.
"""
