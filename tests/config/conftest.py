"""A folder of one's own, in which files are written and named as a user would name them."""

from collections.abc import Callable
from pathlib import Path

import pytest

from rig.core.errors import ConfigError


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def write() -> Callable[..., Path]:
    def write(text: str | bytes, name: str = "a.yaml") -> Path:
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


@pytest.fixture
def mistakes() -> Callable[..., list[str]]:
    def mistakes(call: Callable[..., object], *arguments: object) -> list[str]:
        with pytest.raises(ConfigError) as caught:
            call(*arguments)
        return list(caught.value.mistakes)

    return mistakes
