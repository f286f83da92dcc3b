"""A subject's record: facts, weights, what was given, what is due."""
