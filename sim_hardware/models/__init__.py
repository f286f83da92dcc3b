"""Virtual subjects, one file each, found by the entry points of ``rig.models``.

They act only through `sim_hardware.world.body`, and import no boards or links. Begin with `base` (the interface)
and `random_explorer` (a complete example).
"""
