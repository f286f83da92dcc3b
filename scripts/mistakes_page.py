"""Write docs/reference/mistakes.md: common mistakes in YAML files, and the messages of `rig check`."""

from __future__ import annotations

import contextlib
import io
import os
import re
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from rig.cli.main import main

HEAD = """# Common mistakes and their messages

`rig check FILE` lists all mistakes of a file at once. A message names the file, the line and the key. Then it says what
is wrong and what to write instead. `rig run` and `rig sim` print the same messages before a session, and end with
status 2. `make pages` writes this page (`scripts/mistakes_page.py`). The script makes each mistake in a copy of the
shipped files.

| mistake | message of `rig check` |
|---|---|
"""

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "reference" / "mistakes.md"
TODAY = "2026-11-05"

BANDIT = "protocols/two_armed_bandit.yaml"
PORTS = "rigs/sim_nose_ports.yaml"
UNO = "rigs/nose_ports_uno.yaml"
LEFT = "calibrations/sim_left.yaml"

FIRST_POINTS = """  - {open_ms: 10, ul: 0.4}
  - {open_ms: 20, ul: 1.1}
  - {open_ms: 40, ul: 2.5}
"""


@dataclass(frozen=True)
class Slip:
    """A mistake: its description, the file, the correct text and the text written instead."""

    story: str
    file: str
    was: str
    written: str
    also: tuple[str, ...] = ()
    encoding: str = "utf-8"
    today: str = TODAY

    @property
    def shows(self) -> str:
        """Return the first changed line, for the page."""
        was = self.was.strip().splitlines()
        new = [line.strip() for line in self.written.splitlines() if line.strip() not in was and line.strip()]
        return new[0].replace("|", "\\|") if new else ""


SLIPS = (
    Slip("a comma instead of the decimal point", BANDIT, "reward_ul: 2.5", "reward_ul: 2,5"),
    Slip("a separator of thousands", BANDIT, "session_s: 2400", "session_s: 2,400"),
    Slip("a unit behind the number", BANDIT, "session_s: 2400", "session_s: 40 min"),
    Slip("a percentage instead of a probability", BANDIT, "p_high: 0.8", "p_high: 80"),
    Slip("a letter missing in a key", BANDIT, "iti_min_s:", "iti_mn_s:"),
    Slip("a key in the wrong section", BANDIT, "session_s: 2400", "reward_ul: 3.0\n  session_s: 2400"),
    Slip("a tab for the indentation", BANDIT, "  q_stay:", "\tq_stay:"),
    Slip("the same key twice", BANDIT, "  reward_ul: 2.5", "  reward_ul: 2.5\n  reward_ul: 3.0"),
    Slip("no colon", BANDIT, "iti_min_s: 1.0", "iti_min_s 1.0"),
    Slip("no space after the colon", BANDIT, "p_high: 0.8", "p_high:0.8"),
    Slip("a comma as decimal point within braces", UNO, "visit_within_s: 10}", "visit_within_s: 1,5}"),
    Slip("a # without quotes", LEFT, "valve: left", "valve: #3"),
    Slip("a backslash in double quotes", BANDIT, "protocol:", 'extends: "..\\new\\base.yaml"\nprotocol:'),
    Slip("an environment variable", UNO, "driver: serial", "driver: serial, port: $BOX_A"),
    Slip("a device that is indented too far", PORTS, "valve: 3, ", "valve: 3, twin: {kind: port, beam: 2}, "),
    Slip("a section of another file", PORTS, "devices:", "params: {reward_ul: 3}\ndevices:"),
    Slip("no-break spaces from a web page", BANDIT, "  p_high: 0.8", "\u00a0\u00a0p_high: 0.8"),
    Slip("a minus sign from a text processor", BANDIT, "q_stay: 0.98", "q_stay: \u22120.98"),
    Slip("a letter of another alphabet", BANDIT, "reward_ul: 2.5", "r\u0435ward_ul: 2.5"),
    Slip("a time with a colon", BANDIT, "session_s: 2400", "session_s: 40:00"),
    Slip("a bracket that is never closed", PORTS, "beam: 5, light: 8}", "beam: 5, light: 8"),
    Slip("a word that is not one of those accepted", BANDIT, "  q_stay: 0.98", "  switch_rule: blocks\n  q_stay: 0.98"),
    Slip("probabilities that do not sum to one", BANDIT, "p_high: 0.8 ", "p_high: 0.8\n  p_low: 0.3 "),
    Slip("no limit for the rewards", BANDIT, "max_rewards: 800\n  max_ul: 2000", "min_trials: 10"),
    Slip("a limit in a unit that no device gives", BANDIT, "max_ul: 2000", "max_pellets: 200"),
    Slip("the protocol's name misspelled", BANDIT, "protocol: two_armed_bandit", "protocol: two_arm_bandit"),
    Slip("the rig's name misspelled", BANDIT, "rig: sim_nose_ports", "rig: sim_noseports"),
    Slip("two devices on one pin", PORTS, "beam: 5, light: 8", "beam: 6, light: 8"),
    Slip("a device that the protocol needs is missing", PORTS, "  center: {kind", "  middle: {kind", also=(BANDIT,)),
    Slip("a kind by the field's word", PORTS, "center: {kind: port", "center: {kind: lever"),
    Slip("a port without its valve", PORTS, "valve: 3, calibration: sim_left", "beam_inverted: false", also=(BANDIT,)),
    Slip("a calibration's name misspelled", PORTS, "calibration: sim_left", "calibration: sim_lft"),
    Slip("a valve without a calibration", PORTS, ", calibration: sim_left", ""),
    Slip("a reward smaller than the protocol allows", BANDIT, "reward_ul: 2.5", "reward_ul: 0.3"),
    Slip("a volume that was never measured on this valve", LEFT, FIRST_POINTS, "", also=(BANDIT,)),
    Slip("a calibration that is three weeks old", UNO, "# Three", "# Three", today="2026-11-24"),
    Slip("the calibration of the other valve", UNO, "left_2026-11-03", "right_2026-11-03"),
    Slip("the volume of all drops of a point", LEFT, "ul: 2.5", "ul: 250"),
    Slip("a volume that is mistyped", LEFT, "ul: 2.5", "ul: 3.7"),
    Slip("a smaller volume for a longer open time", LEFT, "ul: 3.8", "ul: 2.4"),
    Slip("a date in another order", LEFT, "date: 2026-11-03", "date: 03/11/2026"),
    Slip("a pin that the USB connection of an Uno uses", UNO, "beam: 5, light: 8", "beam: 5, light: 1"),
    Slip("a file that extends itself", BANDIT, "protocol: two_armed_bandit\n", "extends: two_armed_bandit.yaml\n"),
    Slip("a file saved as UTF-16 by an editor", BANDIT, "protocol:", "protocol:", encoding="utf-16"),
    Slip("typographic quotes from a text processor", BANDIT, "rig: sim_nose_ports", "rig: “sim_nose_ports”"),
)  # fmt: skip


def answers() -> Iterator[tuple[Slip, list[str]]]:
    """Yield every mistake with the messages of `rig check`, made in a copy of the shipped files."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            for slip in SLIPS:
                yield slip, _answer(slip)
        finally:
            os.chdir(before)


def _answer(slip: Slip) -> list[str]:
    shutil.rmtree("configs", ignore_errors=True)
    # A fresh copy for every mistake, so that each page entry has one mistake only.
    shutil.copytree(ROOT / "configs", "configs")
    path = Path("configs") / slip.file
    text = path.read_text(encoding="utf-8")
    if slip.was not in text:
        raise SystemExit(f"{slip.file} has no {slip.was!r}")
    path.write_text(text.replace(slip.was, slip.written, 1), encoding=slip.encoding)
    files = [str(path), *(f"configs/{name}" for name in slip.also)]
    said = io.StringIO()
    with contextlib.redirect_stderr(said), contextlib.redirect_stdout(io.StringIO()):
        status = main(["check", *files, "--start", slip.today])
    if status != 2:
        raise SystemExit(f"{slip.story}: status {status}")
    return said.getvalue().splitlines()


def _short(line: str) -> str:
    """Return the message without folders, which differ on the reader's computer."""
    return re.sub(r" \(looked in [^)]*\)|configs/[a-z]+/", "", line)


def _code(line: str) -> str:
    return f"`` {line} ``" if "`" in line else f"`{line}`"


def page() -> str:
    """Return the page."""
    rows = []
    for slip, lines in answers():
        said = "<br>".join(_code(_short(line)) for line in lines)
        shown = f": `{slip.shows}`" if slip.shows else ""
        rows.append(f"| {slip.story}{shown} | {said} |")
    return HEAD + "\n".join(rows) + "\n"


def pages() -> Mapping[Path, str]:
    """Return the page with its path."""
    return {PAGE: page()}
