"""Rig files whose board is at a port, with calibrations of today."""

from datetime import date
from pathlib import Path

_RIG = """
calibration_max_days: null
boards:
  uno: {{{board}, port: {port}}}
devices:
  left:   {{kind: port, beam: 6, light: 10, valve: 3, calibration: measured_left{lockout}}}
  center: {{kind: port, beam: 5, light: 8{lockout}}}
  right:  {{kind: port, beam: 7, light: 9, valve: 4, calibration: measured_right{lockout}}}
"""
_CALIBRATION = """
valve: {valve}
date: {today}
pulses: 100
points: [{{open_ms: 20, ul: 1.1}}, {{open_ms: 60, ul: 3.8}}]
"""


def write_port_rig(
    folder: Path, port: object, board: str = "driver: serial, chip: uno", beam_lockout_us: int | None = None
) -> Path:
    """Write the file of a rig of three nose ports whose board is at a port, and the calibrations of its valves."""
    for part in ("rigs", "calibrations"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    for valve in ("left", "right"):
        text = _CALIBRATION.format(valve=valve, today=date.today())
        (folder / "calibrations" / f"measured_{valve}.yaml").write_text(text)
    lockout = "" if beam_lockout_us is None else f", beam_lockout_us: {beam_lockout_us}"
    path = folder / "rigs" / "here.yaml"
    path.write_text(_RIG.format(board=board, port=port, lockout=lockout))
    return path
