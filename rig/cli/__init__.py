"""The command line ``rig``: parse arguments, run one command, return an exit status.

May import every package of ``rig``; no package may import this one.
Begin with ``main.py``. Each noun has a folder: ``arguments.py`` adds the arguments of all its verbs, and a file has the
body of a verb, or of several short ones. ``rig report``, ``catalog``, ``replay``, ``recover`` and ``watch`` share
``records``.
"""
