"""The firmware on a simulated RP2040: npm's rp2040js under node."""
