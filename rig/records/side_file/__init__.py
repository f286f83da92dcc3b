"""A file of records beside a journal, which the journal indexes: positions, samples.

`format` says how it is laid out, `write` appends to it, `read` reads one that may be torn or damaged, and `follow` one
that grows.
"""
