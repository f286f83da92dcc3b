"""Virtual subjects, one file each, found by the entry points of ``rig.models``."""
