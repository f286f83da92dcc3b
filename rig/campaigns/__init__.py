"""Many sessions of virtual subjects as jobs, and the tables that they leave.

It may import export, analysis, session and everything below them; it knows no study and no command.
Begin with `session_job.run_job` and `store.CampaignStore`.
"""
