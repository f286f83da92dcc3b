"""Write sessions to files that other programs read, and load them in notebooks (`rig.load`).

It may import records, live (its words), system and core; no session and no analysis. Of the modules here only `frames`
imports pandas, and only `parquet` pyarrow; ``nwb`` is a package of its own.
Begin with `files` (writing) and `load` (notebooks).
"""
