"""Error messages of configuration files: location, accepted values, and a suggestion.

It may import core, system and pydantic only.
Begin with `errors.ConfigIssue`, then `error_messages.validation_issues`.
"""
