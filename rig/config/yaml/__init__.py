"""Read one YAML file into plain data with the line of every key.

It may import config.errors, system and PyYAML.
Begin with `document.read_yaml`.
"""
