"""The rules, each in a file of its own. `rig.expectations.rules_of` chooses those of a session."""
