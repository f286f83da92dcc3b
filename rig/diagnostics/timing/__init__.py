"""How punctual a board is, measured at its pins.

Everything here needs leads (``rig/boards/pin_probe.py``), which only simulated boards have, and nothing else of them:
that is why it stands beside the drivers and knows no simulator.
"""
