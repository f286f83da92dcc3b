"""CSV tables of any laboratory, read with a check of every row, and parameters that name such a file.

Imports ``rig.core`` (errors, cells) and ``rig.system`` (tables of text); no analysis, no session. Begin with
`read_table.read_table`. The formats of published tables are in the rooms, such as
``protocols/two_armed_bandit/tables``.
"""
