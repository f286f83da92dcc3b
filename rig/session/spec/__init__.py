"""Resolve a request into a `SessionSpec`: files found, read, validated, and checked against each other.

It may import config, records, boards, devices and core, and no other part of session that runs anything.
Begin with `build.build_spec`.
"""
