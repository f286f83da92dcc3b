"""The firmware's binary on a simulated AVR chip (simavr), in step with virtual time.

May import ``rig.boards``, ``rig.core`` and the rest of ``sim_hardware``. Begin with `driver` (``driver: avr``), then
`board`, `chip` (the handle on libsimavr) and `lockstep`.
"""
