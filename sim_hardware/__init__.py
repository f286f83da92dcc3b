"""Simulated hardware: a board, a world and subjects in it, in virtual time behind the true wire."""
