"""The source of a protocol, read and never run: values that are thrown away, and wrong objects in a wait.

A dry run reaches some lines of a protocol; these checks reach all of them.
Begin with ``findings.py``, then ``expressions.py``.
"""
