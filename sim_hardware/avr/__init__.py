"""The firmware itself, instruction by instruction, on a simulated AVR chip in step with virtual time."""
