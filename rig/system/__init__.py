"""Operating system: atomic files, signals, exit statuses, plugins and search paths.

It may import terminal and core only.
Begin with `atomic_files.write_atomic` and `plugins.load_plugin`.
"""
