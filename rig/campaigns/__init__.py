"""Many sessions of virtual subjects: the engine that runs them, and the tables that they leave.

It may import export, analysis, session and everything below them; it knows no study and no command.
Begin with `engine.open_engine` and `session_job.run_job`.
"""
