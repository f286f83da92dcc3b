"""Tables of a recorded session as plain Python: what their columns hold, and one fold that makes them of a journal."""
