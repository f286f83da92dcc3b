"""Check configuration files without an animal: validation, then two dry runs on a simulated board.

It may import spec, curriculum and run.
Begin with `check.check`.
"""
