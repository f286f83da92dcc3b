"""A computer without a package: its module cannot be imported."""

from __future__ import annotations

import builtins
from typing import Any

import pytest


def hide_module(monkeypatch: pytest.MonkeyPatch, hidden: str) -> None:
    """Let the import of a module fail, as where the package is not installed."""
    imported = builtins.__import__

    def lacking(name: str, *args: Any) -> Any:
        if name == hidden:
            raise ImportError(name)
        return imported(name, *args)

    monkeypatch.setattr(builtins, "__import__", lacking)
