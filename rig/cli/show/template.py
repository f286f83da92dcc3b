"""``rig show protocols --template NAME``: a task of one's own to grow from, and its YAML file."""

from __future__ import annotations

import re
import sys
from importlib.metadata import packages_distributions
from keyword import iskeyword, issoftkeyword
from pathlib import Path

from rig.config import names
from rig.config.errors.formatting import display_path
from rig.core.errors import ConfigError
from rig.system.file_names import name_problem
from rig.system.plugins import PROTOCOLS, installed_plugins

TEMPLATES = Path(__file__).with_name("templates")
NAME, CLASS = "my_task", "MyTask"
"""What the templates call the task; they are a task that works, as they stand."""

_OURS = ("rig", "protocols", "sim_hardware")
_NAME = re.compile(r"[a-z][a-z0-9_]*")


def write_template(name: str, folder: Path) -> list[Path]:
    """Write ``NAME.py`` and ``NAME.yaml``; nothing is ever overwritten. Raises ``ConfigError``."""
    if not _NAME.fullmatch(name):
        raise _wrong(name, "a name is small letters, digits and _, a letter first, such as my_task")
    if problem := name_problem(name):
        raise _wrong(name, problem)
    class_name = "".join(part.capitalize() for part in name.split("_"))
    texts = {
        folder / template.name.replace(NAME, name): template.read_text(encoding="utf-8")
        for template in (TEMPLATES / f"{NAME}.py", TEMPLATES / f"{NAME}.yaml")
    }
    there = [display_path(path) for path in texts if path.exists()]
    if there:
        raise _wrong(name, f"{' and '.join(there)}: there already, and nothing is overwritten; choose another name")
    _check(name, class_name, "".join(texts.values()))
    written: list[Path] = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path, text in texts.items():
            with path.open("x", encoding="utf-8", newline="\n") as file:
                written.append(path)
                file.write(text.replace(NAME, name).replace(CLASS, class_name))
    except OSError as error:
        for path in written:  # half a task is of no use
            path.unlink(missing_ok=True)
        raise ConfigError(
            f"{display_path(Path(error.filename or folder))}: cannot be written: {error.strerror}"
        ) from error
    return written


def _check(name: str, class_name: str, text: str) -> None:
    """Check that a name has no other meaning yet. Raises ``ConfigError``."""
    if iskeyword(name) or issoftkeyword(name):
        raise _wrong(name, f"is a word of Python: choose another name, such as my_{name}")
    if name in installed_plugins(PROTOCOLS) or name in names("protocols"):
        raise _wrong(name, "there is a protocol of this name: choose another")
    if re.search(rf"\b{class_name}\b", text) and name != NAME:
        raise _wrong(name, f"its class would be {class_name}, which has a meaning already: try my_{name}")
    if name in {*sys.stdlib_module_names, *packages_distributions(), *_OURS}:
        raise _wrong(name, f"a Python module is called {name}, which {name}.py would hide: try my_{name}")


def _wrong(name: str, why: str) -> ConfigError:
    return ConfigError(f"--template {name}: {why}")
