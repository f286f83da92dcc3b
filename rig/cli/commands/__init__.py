"""The commands that have no folder of their own: ``run`` in a module starts the command.

May import every package of ``rig``; the ``*_arguments`` modules import almost nothing.
Begin with ``run.py`` for a session, or ``campaign.py`` for simulated ones.
"""
