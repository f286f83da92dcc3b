"""Finds the virtual subject of ``--model``: an installed one, or ``./mouse.py:Mouse``."""

from __future__ import annotations

from inspect import isabstract

from rig.config.user_classes import ClassFinder, is_file_reference
from rig.core.errors import ConfigError
from rig.system.plugins import MODELS, load_plugin
from sim_hardware.models.base import Model

_SOUGHT: ClassFinder[Model] = ClassFinder(
    what="model",
    noun="virtual subject",
    example="./mouse.py:Mouse",
    begins="class Mouse(Model)",
    matches=lambda kind: issubclass(kind, Model) and not isabstract(kind),
)


def find_model(word: str) -> type[Model]:
    """Return a model's class. Raises ``ConfigError`` with the installed names, or the line of an error in its file."""
    if is_file_reference(word):
        return _SOUGHT.find(word)[0]
    kind: object = load_plugin(MODELS, word)
    if not (isinstance(kind, type) and issubclass(kind, Model)):
        raise ConfigError(f"model '{word}' cannot be loaded: {kind!r} is no Model")
    return kind
