"""Scales: read a stable weight from a balance at a serial port, and convert the weight of water to its volume.

It may import core. Begin with `interface.Scale`.
"""
