"""`rig device`: the verbs that the class of a device declares."""

import argparse
from collections.abc import Sequence
from pathlib import Path

import pytest

from rig.cli.device import arguments
from rig.devices import Feeder, Hopper, Port
from rig.maintenance.bench import Bench
from rig.maintenance.verb import Verb
from tests.cli.conftest import Rig

CHAMBER = "sim_pigeon_chamber"


class Nod(Verb):
    """A laboratory's own verb."""

    help = "let the hopper nod"
    names = "devices"

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--times", type=int, default=1)

    def run(self, benches: Sequence[Bench], options: argparse.Namespace) -> int:
        for bench in benches:
            bench.confirm_empty("the hopper nods")
            bench.print(*[f"{device.name} of {bench.rig.name} nods" for device in bench.devices] * options.times)
        return 0


def test_a_laboratory_s_class_brings_verbs_of_its_own(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Hopper, "maintenance", {"nod": Nod})
    assert "let the hopper nod" in rig("device", "--help").out
    said = rig("device", "nod", CHAMBER, "--times", "2")
    assert (said.status, said.out) == (0, f"hopper of {CHAMBER} nods\n" * 2), said.err


def test_two_classes_may_not_mean_two_things_by_one_verb(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Hopper, "maintenance", {"test": Nod})
    refused = rig("device", "nod", CHAMBER)
    assert refused.status == 2
    assert "Feeder and Hopper both have a verb 'test', of two classes: rename one" in refused.err


def test_the_rig_of_a_line_brings_the_verbs_of_classes_that_are_not_installed(
    rig: Rig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arguments, "installed_kinds", lambda: {"port": Port})
    assert "cycles" not in rig("device", "--help").out
    assert rig("device", "cycles", CHAMBER, "hopper", "--cycles", "1").status == 0
    refused = rig("device", "cycles", "no_such_rig", "hopper")
    assert refused.status == 2
    assert "no_such_rig" in refused.err
    assert rig("subject", "note", "M1", "device").err.startswith(str(tmp_path)), "a word of another command"


def test_a_class_that_is_not_installed_may_not_mean_something_else_by_an_installed_verb(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arguments, "installed_kinds", lambda: {"feeder": Feeder})
    monkeypatch.setattr(Hopper, "maintenance", {"fill": Nod})
    refused = rig("device", "fill", CHAMBER, "hopper", "--pellets", "1")
    assert refused.status == 2
    assert "hopper: its 'fill' is not that of the installed devices" in refused.err
