"""A Python model of the board's chip: what the firmware does, in the words of the wire."""
