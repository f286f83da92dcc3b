"""``rig analyze``: analyze sessions; and how the answer of an analysis is printed."""
