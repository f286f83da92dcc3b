"""The vocabulary of a protocol: the only names one may need. A notebook needs `load`, which reads recorded sessions."""

from __future__ import annotations

__version__ = "0.2.0"

TYPE_CHECKING = False  # a type checker takes it for true; the module typing is a third of what `rig --version` imports
if TYPE_CHECKING:
    from typing import Any

    from rig.export.load import load as load
    from rig.vocabulary import *  # noqa: F403


def __getattr__(name: str) -> Any:
    # Looked up on first use: `rig --version` must not wait for pydantic, nor a protocol for what reads sessions.
    from importlib import import_module

    if name == "load":
        return import_module("rig.export.load").load
    public = {}
    if name == "__all__" or not name.startswith("_"):
        vocabulary = vars(import_module("rig.vocabulary"))
        public = {word: value for word, value in vocabulary.items() if word[0].isalpha() and word != "annotations"}
    if name == "__all__":
        return sorted(public, key=lambda word: (not word.isupper(), word[0].islower(), word))  # as ruff sorts
    if name not in public:
        raise AttributeError(f"module 'rig' has no attribute '{name}'")
    return public[name]
