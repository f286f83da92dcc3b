"""The refusal of a session that a written reason lifts."""

from __future__ import annotations

from rig.core.errors import ConfigError


class NeedsReasonError(ConfigError):
    """A session that a rule refuses; ``rule`` is the one that ``--override RULE=REASON`` names."""

    def __init__(self, text: str, rule: str) -> None:
        super().__init__(f"{text} --override {rule}='reason'")
        self.rule = rule
