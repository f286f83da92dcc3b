"""Print text from files and boards without letting it control the terminal.

It may import the standard library and rich only.
Begin with `output.SafeOutput`.
"""
