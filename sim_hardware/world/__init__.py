"""The world around a simulated board: wires, lamps, water, pellets, hopper, screen and camera, and a subject's body.

Imports ``rig.core`` and ``rig.camera.interface``; no board, no link, no model.
Begin at ``body`` (what a virtual subject can do), then ``world`` (pins to places).
"""
