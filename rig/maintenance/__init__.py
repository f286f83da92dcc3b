"""The verbs of ``rig device``: work on devices between sessions, without a task.

May import ``rig.session``, ``rig.records`` and what they import; never ``rig.cli``, whose command makes the `Bench`.
Begin with ``verb.py`` and ``bench.py``, then ``verbs.py``.
"""
