"""``rig valve``: measure, check, flush and prime valves, and give a drop by hand."""
