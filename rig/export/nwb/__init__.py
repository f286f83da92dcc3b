"""Write a session to a file of Neurodata Without Borders (NWB, https://nwb.org).

`write` builds and writes the file. Only `containers` and `write` import PyNWB. What a table holds follows from the
journal alone, so that each protocol is exported without code of its own.
"""
