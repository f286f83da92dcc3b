"""Virtual subjects at the eight disks: pigeons, human participants, and agents with one choice rule.

They act through ``sim_hardware.world.body``; no board, no link, no protocol.
Begin at ``disk_choice``, then ``pecking_behavior`` (bouts and meals) and ``pigeon``.
"""
