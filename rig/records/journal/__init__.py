"""Journals as files: read, recover, and what a disk without room leaves."""
