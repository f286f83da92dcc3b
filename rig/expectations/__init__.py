"""Judge a session by its journal: rules of what is normal, their findings, and the verdict.

It may import records and core, and knows no protocol: header and lines say everything.
Begin with `monitor.ExpectationMonitor`.
"""
