"""``rig show settings``: what this computer is set to, and where each value comes from."""

from __future__ import annotations

import argparse
import os

from rig.cli.terminal.printing import print_json, print_lines
from rig.config.limits import LAB_FILE
from rig.system.config_paths import SETTINGS, user_settings
from rig.system.settings import VARIABLES, load_settings
from rig.system.settings_text import setting_values, settings_texts
from rig.system.statuses import OK


def run(arguments: argparse.Namespace) -> int:
    """Print every setting with its source."""
    settings = load_settings()
    if arguments.json:
        print_json({key: {"value": value, "source": source} for key, value, source in setting_values(settings)})
        return OK
    lines = [f"{label:32}{text}" for label, text in settings_texts(settings)]
    limits = os.path.join(settings.data.value, LAB_FILE)
    has = "" if os.path.exists(limits) else ", which does not exist"
    lines += [
        "",
        "The first of these that sets a value counts: a command's option; the variable",
        f"{', '.join(f'${each}' for each in VARIABLES.values())};",
        f"{os.path.abspath(SETTINGS)}; {user_settings()}.",
        f"Limits of the animals are in {limits}{has}.",
    ]
    print_lines("\n".join(lines))
    return OK
