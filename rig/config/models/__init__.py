"""Pydantic models of the YAML files.

It may import config.errors, devices and core.
Begin with `protocol_file.ProtocolFile`.
"""
