"""Boxes with boards at ports in real time, each with an animal before it."""

import os
import signal
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from rig.session.spec.build import load_rig_spec
from rig.supervisor.started import StartedSessions
from tests.adversary.chip import Chip

_RIG = """\
calibration_max_days: null
boards: {{uno: {{driver: serial, port: {port}}}}}
devices:
  left:   {{kind: port, beam: 6, light: 10, valve: 3, calibration: left_{name}}}
  center: {{kind: port, beam: 5, light: 8}}
  right:  {{kind: port, beam: 7, light: 9, valve: 4, calibration: right_{name}}}
"""
_DEFAULTS = "defaults: {protocol: two_armed_bandit, stop: {session_s: 600}}\nboxes:\n"


class BoxesAtPorts:
    """The boards, and the files that name them; the first box is for M1."""

    def __init__(self, folder: Path, names: Sequence[str]) -> None:
        self.data, self.file = folder / "data", folder / "boxes" / "today.yaml"
        self.chips: dict[str, Chip] = {}
        for kind in ("rigs", "calibrations", "boxes"):
            (folder / kind).mkdir()
        lines = []
        for seed, name in enumerate(names):
            for side in ("left", "right"):
                (folder / "calibrations" / f"{side}_{name}.yaml").write_text(f"extends: sim_{side}.yaml\n")
            rig = folder / "rigs" / f"{name}.yaml"
            rig.write_text(_RIG.format(port="/dev/nowhere", name=name))
            self.chips[name] = Chip(load_rig_spec(str(rig), "sim"), seed)
            rig.write_text(_RIG.format(port=self.chips[name].port, name=name))
            lines.append(f"  {name}: {{rig: {name}, subject: M{seed + 1}}}\n")
            (self.data / f"M{seed + 1}").mkdir(parents=True)
        self.file.write_text(_DEFAULTS + "".join(lines))

    @property
    def pids(self) -> dict[str, int]:
        """The processes of the newest sessions, by box."""
        return {started.box: started.pid for started in StartedSessions(self.data).newest()}

    async def close(self) -> None:
        """Kill the sessions, and close the boards."""
        for pid in self.pids.values():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        for chip in self.chips.values():
            await chip.close()
