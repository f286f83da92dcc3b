"""Build a session from its files, check it, run it, and replay it.

It may import config, records and everything below them; only the command line, analyses and tests import it.
Begin with `spec.build.build_spec`, then `run.run_session.run_session`.
"""
