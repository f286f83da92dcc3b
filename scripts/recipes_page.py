"""Write docs/how-to/recipes.md from the files below docs/recipes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from rig.session.spec.task_classes import find_task

FOLDER = Path(__file__).parents[1] / "docs" / "recipes"
PAGE = FOLDER.parent / "how-to" / "recipes.md"

RECIPES = {
    "go_no_go": "Go/no-go",
    "lick_counting": "Lick counting",
    "tone_then_drop": "A tone, then a drop",
    "five_choice": "Five-choice serial reaction time",
    "hold": "Hold",
    "time_out": "Time-out",
    "correction_trials": "Correction trials",
    "bias_correction": "Bias correction",
    "trace_conditioning": "Trace conditioning",
    "foraging": "Foraging",
    "staircase": "Staircase",
    "probe_trials": "Probe trials",
    "hint": "A hint",
    "reward_by_weight": "Reward by weight, side by number",
    "poisson_clicks": "Poisson clicks",
    "radial_maze": "Eight-arm radial maze",
    "tone_drop_laser": "A tone, a drop and a laser",
    "running_wheel": "Running wheel",
    "lick_voltage": "Go/no-go by lick voltage",
    "joystick": "Joystick",
}
"""The recipes in the order of the page, and their titles."""

HEAD = """# Recipes

This page has twenty small protocols as starting points. Each consists of one Python file and one YAML file. The
files are in [`docs/recipes`](../recipes), in the same folders as those of a laboratory: `protocols/`,
`configs/protocols/` and `configs/rigs/`. Copy the folder, change into it, and run a protocol:

```sh
rig check go_no_go
rig sim go_no_go --model random_explorer --seed 1
```

[The vocabulary](../reference/vocabulary.md) explains the names that a protocol uses. [Tests of a laboratory's
protocols](ci.md) explains how to test a protocol with a scripted animal, by hand and in CI. `make pages`
writes this page from the files (`scripts/recipes_page.py`). For every recipe, tests run `rig check` and simulated
sessions with a scripted animal.

"""

RIGS = """## The rigs

| rig | recipes | chip |
|---|---|---|
| `sim_spout` | go/no-go, lick counting, a tone then a drop, trace conditioning | Uno, Pico |
| `sim_spout_laser` | a tone, a drop and a laser | Uno, Mega, Pico |
| `sim_five_holes` | five-choice serial reaction time | Uno, Pico |
| `sim_clicks` | Poisson clicks | Uno, Mega, Pico |
| `sim_radial_maze` | eight-arm radial maze | Mega, Pico |
| `sim_wheel` | running wheel | [Pico](../decisions/samples.md) |
| `sim_lick_voltage` | go/no-go by lick voltage | Pico |
| `sim_joystick` | joystick | Pico |
| `sim_nose_ports`, which the program includes | the others | Uno, Pico |

For another chip of this table change `chip:`, such as `chip: uno` to `chip: pico`. On a Mega only some pins can be
inputs; [a Pico has 3.3 V](wiring-pico.md). For a real board change also `driver: sim` to `driver: serial`. Tests run
the clicks, the maze, the laser, go/no-go and the five-choice task on the compiled firmware in the simulator too.

"""


def page() -> str:
    """Return the page."""
    contents = "\n".join(f"- [{title}](#{_anchor(title)}): {sentence(name)}" for name, title in RECIPES.items())
    parts = [_part(name, title) for name, title in RECIPES.items()]
    rigs = [_block(file, "yaml") for file in sorted((FOLDER / "configs" / "rigs").glob("*.yaml"))]
    return HEAD + contents + "\n\n" + "\n".join(parts) + "\n" + RIGS + "\n".join(rigs)


def sentence(name: str) -> str:
    """Return the description of a recipe: the docstring of its task."""
    return str(find_task(name, FOLDER).task.__doc__)


def _part(name: str, title: str) -> str:
    files = (_block(FOLDER / "protocols" / f"{name}.py", "python"), _block(_yaml(name), "yaml"))
    return "\n".join((f"## {title}", "", sentence(name), "", *files))


def _block(file: Path, language: str) -> str:
    path = file.relative_to(FOLDER).as_posix()
    return f"`{path}`\n\n```{language}\n{file.read_text(encoding='utf-8')}```\n"


def _yaml(name: str) -> Path:
    return FOLDER / "configs" / "protocols" / f"{name}.yaml"


def _anchor(title: str) -> str:
    """Return GitHub's anchor of a heading."""
    kept = "".join(letter for letter in title.lower() if letter.isalnum() or letter in " -")
    return kept.replace(" ", "-")


def pages() -> Mapping[Path, str]:
    """Return the page with its path."""
    return {PAGE: page()}
