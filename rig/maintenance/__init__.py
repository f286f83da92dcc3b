"""Work on a rig between sessions: measure valves, count pellets, time hoppers; no session and no task.

It may import config, boards, devices, scales, system and core. Begin with `valves.curve`.
"""
