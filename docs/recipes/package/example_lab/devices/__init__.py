"""Devices that several experiments use."""
