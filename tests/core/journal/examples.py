"""A right line of every kind, as JSON has it."""

from typing import Any

from tests.journal_lines import FOOTER, HEADER

STAMP = {"raw_us": 1, "uncertainty_us": 1}
SAID = {"seq": 3, "by": "me", "at": "2026-11-21T09:00:00"}
CAUSE = {"cause": "reflex", "by": 3, "part": 129}
KEPT = [{"number": 7, "channel": 1, "epoch": 2, **CAUSE, "stamp": 5, "ticks": 10_000, "state": "ended"}]
POINT = {"x_cm": 1.5, "y_cm": 2}
SESSION: dict[str, dict[str, Any]] = {
    "header": HEADER,
    "footer": FOOTER,
    "edge": {"channel": "left.beam", "level": 1, "fired": 0, "number": 1},
    "time": {"executed": 0, "number": 1},
    "sequence_started": {"sequence": 1, "cause": "order", "by": 4, "number": 1},
    "output_on": {"output": "left.valve", "cause": "sequence", "by": 1, "part": 2, "number": 3},
    "refused": {"batch": 1, "order": 0, "reason": "busy", "number": 3},
    "entry_refused": {"sequence": 1, "entry": 0, "reason": "busy", "number": 3},
    "lease_expired": {"board_epoch": 1, "executed": 4, "number": 9},
    "panic": {"board": "uno", "pin": 12, "executed": 4, "number": 9},
    "overflow": {"lost": 3, "executed": 7, "effects": 1, "number": 9},
    "flood": {"channel": "left.beam", "edges_per_s": 38_000, "number": 9},
    "command": {"epoch": 0, "batch": 1, "last_event": 0, "orders": [{"do": "set", "output": "left.light", "on": True}]},
    "batch_done": {"batch": 1},
    "output_done": {"output": "left.valve", "why": "limit"},
    "all_off": {"epoch": 0, "batch": 3},
    "all_off_done": {"last_event": 7},
    "state": {"name": "ready"},
    "zone": {"channel": "left.zone", "level": 0, **STAMP},
    "request": {"what": "stop", **STAMP},
    "key": {"key": "x", **STAMP},
    "hover": {"on": "3,7", **POINT, "frame": 1, **STAMP},
    "frame_shown": {"frame": 1, "scene": "00", **STAMP},
    "touch": {
        "phase": "down",
        "contact": 1,
        **POINT,
        "x_px": 1.5,
        "y_px": 3,
        "frame": 1,
        "on": "",
        "in_margin": False,
        "peck": True,
        **STAMP,
    },
    "fault": {"what": "link_lost", "detail": "silent"},
    "scene": {"id": "00", "items": [{}, [0, 3]], "background": "#000000", "hit_margin_cm": 0.0, "hover": False},
    "positions": {"first": 0, "samples": 1, "lost": 0, "digest": "00000000"},
    "health": {"complete": True, "executed": 3, "counters": {"crc_errors": 0}},
    "note": {"what": "anything", "fields": {"a": [1, {"b": None}]}},
    "operator_note": {"text": "calm", **STAMP},
    "openings": {
        "uid": "5131",
        "power_ons": 12,
        "epoch": 3,
        "batches": 8,
        "stamp": 17,
        "tick_ns": 4000,
        "channels": ["left.beam", "left.valve"],
        "kept": KEPT,
    },
    "correction": {"uid": "5131", "power_ons": 12, "source": "/dev/ttyACM0", "kept": KEPT},
    "allowance": {"rewards": 3, "ul": 7.5, "pellets": 0, "access_s": 0},
    "reward": {
        "id": 1,
        "source": "left",
        "amount": 2.5,
        "unit": "ul",
        "delivered_by": "board",
        "status": "pending",
        "cause": "reflex",
        "group": 1,
        "member": 0,
    },
    "continued": {"gap_us": 1, "why": "crash", "restarted": True, "ul": 1.5},
    "pause": {},
    "resume": {"paused_us": 1},
    "params": {"trial": 1, "changed": {"reward_ul": 3.0}},
    "row": {"table": "days", "row": {"t": 1}},
    "trial": {"row": {"t": 1}},
}
"""Without number, kind, time and checksum; numbers are spelled as the program spells them."""
SUBJECT: dict[str, dict[str, Any]] = {
    "given": {**SAID, "ul": 1.5, "pellets": 0, "access_s": 0, "reason": "so", "food_g": 0.0, "top_up_for": None},
    "facts": {**SAID, "facts": {"species": "mouse"}},
    "weighed": {**SAID, "weight_g": 24.1, "when": "before"},
    "retired": {**SAID, "reason": "its last day"},
    "unretired": {**SAID, "reason": "its last day"},
    "merged": {**SAID, "from": "M81", "to": "M18", "upto": 7, "reason": "mistyped"},
    "voided": {**SAID, "entry": 3, "reason": "meant M17"},
    "remark": {**SAID, "text": "lively"},
    "renamed": {**SAID, "from": "M1", "to": "M2", "reason": "so"},
    "session_moved": {
        **SAID,
        "session": "2026-11-21/001",
        "place": "2026-11-21/002",
        "from": "M1",
        "to": "M2",
        "reason": "so",
    },
    "torn": {**SAID, "by": "", "bytes": 3, "of": None},
}
