"""A computer without a package: its module cannot be imported."""

from __future__ import annotations

import builtins
from typing import Any

import pytest


def hide_module(monkeypatch: pytest.MonkeyPatch, hidden: str) -> None:
    """Let the import of a module fail, as where the package is not installed."""
    imported = builtins.__import__

    def lacking(
        name: str, globals: Any = None, locals: Any = None, fromlist: Any = (), level: int = 0
    ) -> Any:  # as `__import__` names them
        if not level and f"{name}.".startswith(f"{hidden}."):
            raise ImportError(name)
        return imported(name, globals, locals, fromlist, level)

    monkeypatch.setattr(builtins, "__import__", lacking)
