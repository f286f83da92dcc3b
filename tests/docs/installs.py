"""What is installed where a page is read: the program with the extras that the page names, and no other ones."""

import re
from importlib.metadata import PackageNotFoundError, packages_distributions, requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tests.docs.pages import page_named
from tests.missing_modules import hide_module

PROGRAM = "behavior-rig"
EXTRAS = frozenset({"analysis", "camera", "screen", "gui", "data", "nwb", "cluster"})
_NAMED = re.compile(r"pip install (?:-e )?['\"]?(?:\.|behavior-rig)\[([\w,]+)\]")


def extras_of(page: Path) -> set[str]:
    """Return the extras whose installation a page names; a tutorial without one is read after the page install.md."""
    named = {extra for listed in _NAMED.findall(page.read_text(encoding="utf-8")) for extra in listed.split(",")}
    return named or (extras_of(page_named("install.md")) if page.parent.name == "tutorials" else set())


def hide_what_is_not_installed(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hide the packages of all extras that the page does not install (``extras_of``) from its commands.

    A page without extras is left as it is: it is no tutorial, and does not say what is installed.
    """
    extras = extras_of(page)
    if not extras:
        return
    # Not what these need in turn: the tools of the tests need some of that, too.
    direct = {_normal(requirement.name) for requirement in _required(PROGRAM, EXTRAS)}
    missing = direct - distributions_of(PROGRAM, extras)
    for module, distributions in packages_distributions().items():
        if missing & set(map(_normal, distributions)):
            hide_module(monkeypatch, module)


def distributions_of(name: str, extras: set[str]) -> set[str]:
    """Return what pip installs with a distribution and some of its extras, the distribution included."""
    found: set[str] = set()
    waiting = [(_normal(name), frozenset(extras))]
    seen = set(waiting)
    while waiting:
        distribution, wanted = waiting.pop()
        found.add(distribution)
        for requirement in _required(distribution, wanted):
            following = (_normal(requirement.name), frozenset(requirement.extras))
            if following not in seen:
                seen.add(following)
                waiting.append(following)
    return found


def _required(distribution: str, extras: frozenset[str]) -> list[Requirement]:
    try:
        required = map(Requirement, requires(distribution) or ())
    except PackageNotFoundError:  # not needed on this computer
        return []
    contexts = [{"extra": extra} for extra in extras or {""}]
    return [one for one in required if one.marker is None or any(map(one.marker.evaluate, contexts))]


def _normal(name: str) -> str:
    return name.lower().replace("_", "-")
