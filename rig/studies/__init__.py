"""Studies: arms of virtual subjects, the figures taken from their sessions, and the page that compares them.

It may import campaigns, report and everything below them.
Begin with `plan.Study` and `run.run_study`.
"""
