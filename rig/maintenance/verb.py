"""A verb of ``rig device``: one piece of work on devices between sessions.

The module of a verb imports nothing heavy, because ``--help`` and completion read it; ``run`` imports what it needs.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from importlib import import_module
from typing import ClassVar, Literal

from rig.core.errors import ConfigError

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from rig.devices.base import Device
    from rig.maintenance.bench import Bench


class Verb(ABC):
    """What a device's class offers under a name in its ``maintenance``."""

    help: ClassVar[str]
    """The line in the list of verbs."""
    description: ClassVar[str] = ""
    """The first sentences of its help page."""
    names: ClassVar[Literal["device", "devices", "rigs"]] = "device"
    """What a line names: one device, devices of one rig, or those of several rigs; without a name all that suit."""
    opens_board: ClassVar[bool] = True
    """Whether it needs the board, and with it ``--board`` and ``--yes``."""
    needs_timing: ClassVar[bool] = True
    """Whether the board has to count and time its pulses by itself."""
    is_calibrated: ClassVar[bool] = True
    """Whether it reads calibrations; without them each valve has that of a usual one."""
    has_records: ClassVar[bool] = False
    """Whether it uses the folder of the records, and with it ``--data``."""

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:  # noqa: B027 (a verb may have none)
        """Add its own options."""

    def missing_part(self, device: Device) -> str:
        """Return the part that a device of the right class lacks, such as ``valve``; empty when it suits."""
        return ""

    @abstractmethod
    def run(self, bench: Bench, arguments: argparse.Namespace) -> int:
        """Run it with the devices of a rig, and return the exit status. Raises ``RigError``."""

    def run_all(self, benches: Sequence[Bench], arguments: argparse.Namespace) -> int:
        """Run it with one rig after the other, and return the worst status."""
        return max(self.run(bench, arguments) for bench in benches)


def verbs_of(classes: Iterable[type[Device]]) -> dict[str, Verb]:
    """Return the verbs of device classes by name. Raises ``ConfigError`` when two classes mean two things by one."""
    owners: dict[str, tuple[str, type[Verb]]] = {}
    for device in classes:
        for name, verb in _verb_classes(device.maintenance).items():
            owner, known = owners.setdefault(name, (device.__name__, verb))
            if known is not verb:
                raise ConfigError(
                    f"maintenance: {owner} and {device.__name__} both have a verb '{name}', of two classes: rename one"
                )
    return {name: verb() for name, (_, verb) in owners.items()}


def _verb_classes(maintenance: Mapping[str, str | type[Verb]]) -> dict[str, type[Verb]]:
    return {name: _loaded(verb) if isinstance(verb, str) else verb for name, verb in maintenance.items()}


def _loaded(path: str) -> type[Verb]:
    module, _, name = path.partition(":")
    verb: type[Verb] = getattr(import_module(module), name)
    return verb
