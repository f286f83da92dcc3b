"""A laboratory with a simulated board that passes for a real one, and a scale at its port."""

import datetime
from collections import Counter
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from rig.boards.driver_lookup import Connection
from rig.cli import common
from rig.core.errors import LinkLostError
from rig.core.model.rig_spec import RigSpec, SimulationOptions
from rig.maintenance import bench
from rig.maintenance.valves import weights
from sim_hardware.driver import SimRig
from sim_hardware.loop import VirtualLoop
from sim_hardware.world.scale import VirtualScale
from tests.session.real_driver import RealBoardDriver

RIG = """\
boards:
  uno: {driver: serial, port: /dev/nowhere, reference: true}
devices:
  left:   {kind: port, beam: 6, light: 10, valve: 3, calibration: left}
  center: {kind: port, beam: 5, light: 8}
  right:  {kind: port, beam: 7, light: 9, valve: 4, calibration: right}
"""
NOW = datetime.datetime(2026, 11, 24, 9, 0)


class Lab:
    """The folder, the board, and what was opened on it; ``ul_of`` is what the valves really give."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.rig_file = folder / "rigs" / "box.yaml"
        self.rig_file.parent.mkdir(parents=True)
        self.rig_file.write_text(RIG)
        self.reset()

    def reset(self) -> None:
        """Replace the valves by new ones; each gives what it should."""
        self.ul_of: Callable[[str, int], float] = lambda output, open_us: 0.066 * (open_us / 1000 - 4)
        self.pulses: list[tuple[str, int]] = []
        self.before_burst: Callable[[], None] = lambda: None
        self.scale_mg = 0.0
        """What is on the scale: the vial, and all water that was ever given."""
        self._rig: SimRig | None = None

    def give(self, device: str, percent: str) -> None:
        """Set the share of its volume that a valve gives from now on."""
        before = self.ul_of
        self.ul_of = lambda output, us: before(output, us) * (float(percent) / 100 if device in output else 1)

    def unplug(self, burst: str) -> None:
        """Pull the cable before this burst, once."""
        left = [int(burst)]

        def count() -> None:
            left[0] -= 1
            if left[0] == 0:
                raise LinkLostError("the cable is out")

        self.before_burst = count

    def drops(self) -> str:
        """Return how often each valve was opened for how long."""
        return "".join(f"{n} x {us / 1000:g} ms {output}\n" for (output, us), n in Counter(self.pulses).items())

    @property
    def calibrations(self) -> Path:
        return self.folder / "calibrations"

    def files(self, pattern: str) -> list[str]:
        return sorted(path.name for path in self.calibrations.glob(pattern))

    def stable_mg(self) -> float:
        if self._rig is not None:
            self.scale_mg += VirtualScale(self._rig.world, 1, noise_mg=0.0).stable_mg()
            self._rig = None
        return self.scale_mg

    def connect(self, plan: RigSpec, options: SimulationOptions) -> Connection:
        self.before_burst()
        self.stable_mg()

        def really(output: str) -> Callable[[int], float]:
            def give(open_us: int) -> float:
                self.pulses.append((output, open_us))
                return self.ul_of(output, open_us)

            return give

        # The plan's own mapping is what the program believes; the world must give something else.
        object.__setattr__(plan, "ul_of", {output: really(output) for output in plan.ul_of})
        self._rig = SimRig(plan, options)
        return Connection(self._rig.transport)


class BoxDriver(RealBoardDriver):
    calibrations_expire = True

    def __init__(self, lab: Lab) -> None:
        super().__init__()
        self._lab = lab

    def loop(self, speed: float | None) -> Any:
        loop = VirtualLoop(t_max=10_000)
        loop.call_soon_threadsafe = loop.call_soon  # type: ignore[method-assign]
        return loop

    def connect(self, plan: Any, simulation: SimulationOptions) -> Connection:
        return self._lab.connect(plan, simulation)


def make_lab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Lab:
    lab = Lab(tmp_path)
    monkeypatch.setattr(bench, "find_driver", lambda name: BoxDriver(lab))
    monkeypatch.setattr(bench, "on_any_key", lambda pressed: nullcontext())
    monkeypatch.setattr(weights, "open_scale", lambda place: lab)
    monkeypatch.setattr(common, "now", lambda: NOW)
    monkeypatch.setenv("RIG_EXPERIMENTER", "anna")
    return lab
