"""Run one session: lock, folder, board, task, journal, and the state it leaves.

It may import spec, records, boards and core.
Begin with `run_session.run_session`, then `session.Session`.
"""
