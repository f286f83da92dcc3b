"""The end of a calibration: which curves of a rig are written, and why the others are not."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from rig.config.errors.errors import Loc, SourceLocation
from rig.config.errors.formatting import display_path
from rig.config.find import find_calibration
from rig.core.errors import ConfigError
from rig.devices.calibration import Calibration
from rig.maintenance.bench import Bench
from rig.maintenance.valves.calibration_writer import CalibrationFacts, file_stem, write_calibration
from rig.maintenance.valves.curve import Curve, reasons_to_refuse, sides_that_differ
from rig.maintenance.valves.target import ValveTarget, valves_beside
from rig.session.spec.calibration_ages import age_days
from rig.system.config_paths import LOCAL_CONFIGS, package_folders


@dataclass(frozen=True)
class CurveWriter:
    """Where the curves of a rig are written, by whom, and at which rewards its valves are compared."""

    bench: Bench
    folder: Path
    date: str
    water_c: float
    by: str
    note: str
    rewards_ul: Sequence[float]

    def reasons(self, curves: Mapping[str, Curve]) -> dict[str, list[str]]:
        """Return why each curve is not written; the list of one that is written is empty."""
        reasons = {
            device: [f"{device}: {reason}" for reason in reasons_to_refuse(curve)] for device, curve in curves.items()
        }
        measured = {
            device: curve.calibration("new", device, "today") for device, curve in curves.items() if not reasons[device]
        }
        for devices, text in self._sides(measured):
            for device in measured.keys() & set(devices):
                reasons[device].append(text)
        return reasons

    def _sides(self, measured: Mapping[str, Calibration]) -> Iterator[tuple[Sequence[str], str]]:
        """Yield the pairs of valves that differ: of those that were measured, and of those beside them in the rig."""
        known = dict(self._known_beside(list(measured))) if measured else {}
        for reward_ul in self.rewards_ul:
            if len(measured) > 1:
                yield from sides_that_differ(measured, reward_ul)
            for other, calibration in known.items():
                if calibration.points[0][1] <= reward_ul <= calibration.points[-1][1]:
                    for device, new in measured.items():
                        yield from sides_that_differ({other: calibration, device: new}, reward_ul)

    def _known_beside(self, names: Sequence[str]) -> Iterator[tuple[str, Calibration]]:
        """Yield the calibrations of the valves that are not measured now, as far as a session may use them."""
        limit, today = self.bench.rig.file.calibration_max_days, datetime.date.fromisoformat(self.date)
        for valve in valves_beside(self.bench.rig, names):
            known = valve.calibration
            if known is not None and (limit is None or 0 <= age_days(known, today) <= limit):
                yield valve.device, known

    def write(self, valve: ValveTarget, curve: Curve) -> None:
        """Write the calibration file and its figure, and print what is to be changed in the rig file."""
        note = "; ".join(filter(None, (f"by {self.by}, rig {self.bench.rig.name}", self.note)))
        facts = CalibrationFacts(valve.valve, self.date, self.water_c, note)
        path = write_calibration(self.folder, curve, facts)
        first, last = curve.trusted[0], curve.trusted[-1]
        self.bench.print(f"{display_path(path)}: written; {valve.device} may give {first.ul:.3g} to {last.ul:.3g} ul")
        if find_spec("matplotlib") is None:
            self.bench.tell("no figure: matplotlib is missing (pip install 'behavior-rig[analysis]')")
        else:
            from rig.maintenance.valves.figure import save_curve

            self.bench.print(f"{display_path(save_curve(path.with_suffix('.png'), path.stem, curve))}: its figure")
        if not self._is_found(path.stem, path):
            unused = f"no session of {self.bench.rig.name} uses this file: it is not in the rig's calibrations"
            self.bench.print(f"{valve.device}: {unused}")
        elif not self._is_found(valve.word, path):
            where = self._place_to_write(("devices", valve.device, "calibration"))
            newest = file_stem(valve.valve)
            self.bench.print(
                f"{where}: devices.{valve.device}.calibration: write {path.stem}, or {newest} for the newest one"
            )

    def _is_found(self, word: str, path: Path) -> bool:
        """Whether this word in the rig file is the name of the new file."""
        try:
            found = find_calibration(word, (self.bench.rig.sources[0].parent.parent,))
        except ConfigError:
            return False
        return found.resolve() == path.resolve()

    def _place_to_write(self, loc: Loc) -> SourceLocation:
        """Return where the rig file says it, or the rig file: a file that it extends serves other rigs too."""
        own = display_path(self.bench.rig.sources[0])
        location = self.bench.rig.layered.location(loc)
        return location if location.file == own else SourceLocation(own)


def calibration_folder(bench: Bench, wanted: str | None) -> Path:
    """Return the folder for new calibrations: beside that of the rig file, or among the simulated records."""
    if wanted is not None:
        return Path(wanted)
    if bench.is_simulated:
        return bench.data / "sim" / "calibrations"
    path = bench.rig.sources[0]
    is_installed = "_configs" in path.parts or str(path.parent.parent) in package_folders().values()
    return Path(LOCAL_CONFIGS) / "calibrations" if is_installed else path.parent.parent / "calibrations"
