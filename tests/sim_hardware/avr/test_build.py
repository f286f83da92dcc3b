"""The shim is compiled when it is first needed, and what is missing is named."""

from pathlib import Path

import pytest

from rig.core.errors import ConfigError
from sim_hardware.avr import build


@pytest.fixture(autouse=True)
def _fresh() -> None:
    build.shim.cache_clear()


def test_the_shim_is_compiled_once_into_the_users_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    compiled = build.shim()
    assert compiled.parent == tmp_path / "behavior-rig"
    assert [path.name for path in compiled.parent.iterdir()] == [compiled.name]
    made_at = compiled.stat().st_mtime_ns
    build.shim.cache_clear()
    assert build.shim() == compiled
    assert compiled.stat().st_mtime_ns == made_at


def test_other_sources_are_compiled_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    compiled = build.shim()
    for source in build.SHIM.iterdir():
        (tmp_path / source.name).write_text(source.read_text() + "\n")
    monkeypatch.setattr(build, "SHIM", tmp_path)
    build.shim.cache_clear()
    assert build.shim() != compiled


def test_a_machine_without_a_compiler_is_reported_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(ConfigError, match=r"C compiler is not installed.*sudo apt-get install .*libsimavr-dev"):
        build.shim()


def test_without_the_library_the_error_names_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    fake = tmp_path / "gcc"
    fake.write_text("#!/bin/sh\necho libsimavr.so\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    with pytest.raises(ConfigError, match="libsimavr-dev is not installed"):
        build.shim()


def test_a_shim_that_cannot_be_compiled_says_why(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "broken.c").write_text("this is no C\n")
    monkeypatch.setattr(build, "SHIM", tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    with pytest.raises(ConfigError, match="cannot be compiled"):
        build.shim()
    assert not list((tmp_path / "cache" / "behavior-rig").iterdir())


def test_a_wheel_has_no_shim_and_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(build, "SHIM", tmp_path / "nowhere")
    with pytest.raises(ConfigError, match="not part of the wheel"):
        build.shim()


def test_ci_installs_what_the_message_names() -> None:
    script = (Path(__file__).parents[3] / "scripts" / "test_tools.sh").read_text()
    assert f'chip="{build.PACKAGES}"' in script


@pytest.mark.parametrize("answer", ["exit 1", "exec sleep 600"])
def test_a_compiler_that_does_not_run_counts_as_none(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, answer: str
) -> None:
    """A Mac without its developer tools has such a gcc."""
    fake = tmp_path / "gcc"
    fake.write_text(f"#!/bin/sh\n{answer}\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    monkeypatch.setattr(build, "ASKED_S", 0.5)
    with pytest.raises(ConfigError, match="a C compiler that runs is not installed"):
        build.shim()
