"""How mice differ from day to day and change within a session: the fit of the virtual mice, and their comparison.

Begin at ``compare``; ``choices`` and ``tempo`` fit the constants of ``subjects``.
"""
