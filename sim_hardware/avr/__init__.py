"""The firmware's binary on a simulated chip, in step with virtual time.

Its `chip` is an AVR in simavr. The simulators under node (``sim_hardware/avr8js``, ``sim_hardware/rp2040``) have chips
with the interface in `seam`, and take the rest from here: `driver`, `board`, `lockstep`, the probe of pins, and the
binaries that `firmware` builds, that of a Pico too.

May import ``rig.boards``, ``rig.core``, ``rig.platform``, ``rig.system`` and the rest of ``sim_hardware``. Begin with
`driver` (``driver: avr``), then `board`, `chip` (the handle on libsimavr) and `lockstep`.
"""
