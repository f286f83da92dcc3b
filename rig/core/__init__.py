"""The core of a session: its values, its journal, its engine and its tasks, without any hardware.

It imports the standard library and pydantic only; boards, screens and configuration import it.
Begin with `model.events`, then `engine.engine`.
"""
