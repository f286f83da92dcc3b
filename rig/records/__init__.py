"""Read, recover and sum up journals after a session.

It may import config, system and core; it opens no board.
Begin with `journal.read.iter_lines`, then `recorded_session.read_session`.
"""
