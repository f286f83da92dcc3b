"""Display a running session in a separate process that reads its journal.

It may import records, terminal and core; the session does not wait for it.
Begin with `display_loop.run_display`.
"""
