"""What is normal for a session by the keys of its files: the header has channels for devices, and limits apart.

`rig.session.spec.expectations` makes what this takes apart.
"""

from __future__ import annotations

from dataclasses import replace

from rig.config.errors.errors import Loc
from rig.config.field_docs import FieldDoc, field_docs
from rig.config.models.expect import Expectations, InputExpectation, RewardExpectation
from rig.core.journal.header import RecordedExpectations

_INPUT = {doc.name: doc for doc in field_docs(InputExpectation)}
_REWARD = {doc.name: doc for doc in field_docs(RewardExpectation)}
_LIMIT = {doc.name: doc for doc in field_docs(Expectations)}


def expected_values(expect: RecordedExpectations) -> tuple[dict[Loc, object], dict[Loc, FieldDoc]]:
    """Return the values of a header's ``expect`` by their keys in a rig or protocol file, and what each means."""
    values: dict[Loc, object] = {}
    docs: dict[Loc, FieldDoc] = {}

    def add(loc: Loc, value: object, doc: FieldDoc | None) -> None:
        values[loc] = value
        if doc is not None:
            docs[loc] = doc

    for channel, normal in expect.inputs.items():
        for key, value in normal.items():
            add(("expect", "inputs", _device(channel), key), value, _INPUT.get(key))
    for device, reward in expect.rewards.items():
        for key, setting in reward.items():
            if key == "channel":
                add(("expect", "rewards", device, "at"), _device(str(setting)), replace(_REWARD["at"], default=device))
            else:
                add(("expect", "rewards", device, key), setting, _REWARD.get(key))
    for key, value in expect.limits.items():
        add(("expect", key), value, _LIMIT.get(key))
    return values, docs


def _device(channel: str) -> str:
    """Return the device of an input: that of ``left.beam`` is ``left``; a tracker and the screen have only one."""
    return channel.partition(".")[0]
