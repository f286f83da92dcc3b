"""Readers of other laboratories' tables: the published formats of the papers, and rows of our own trial tables."""
