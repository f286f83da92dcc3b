"""Peck files, and tables of the people who took part."""
