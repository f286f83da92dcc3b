"""The command line ``rig``: parse arguments, run one command, return an exit status.

May import every package of ``rig``; no package may import this one.
Begin with ``main.py``; ``NAME_arguments.py`` beside a command adds its arguments.
"""
