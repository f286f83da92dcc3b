"""A verb of ``rig device``: one piece of work on devices between sessions.

The module of a verb imports nothing heavy, because ``--help`` and completion read it.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from typing import Any, ClassVar, Literal

from rig.core.errors import ConfigError

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from rig.devices.base import Device
    from rig.maintenance.bench import Bench


class Verb:
    """What a device's class offers under a name in its ``maintenance``."""

    help: ClassVar[str]
    """The line in the list of verbs."""
    description: ClassVar[str] = ""
    """The first sentences of its help page."""
    example: ClassVar[str] = "'box a' left"
    """The end of its help page: what follows the verb."""
    names: ClassVar[Literal["device", "devices", "rigs"]] = "device"
    """What a line names: one device, devices of one rig, or those of several rigs; without a name all that suit."""
    part: ClassVar[str] = ""
    """The kind that a device has to be, or has to have as a part, such as ``valve``."""
    opens_board: ClassVar[bool] = True
    """Whether it needs the board, and with it ``--board`` and ``--yes``."""
    needs_timing: ClassVar[bool] = True
    """Whether the board has to count and time its pulses by itself."""
    is_calibrated: ClassVar[bool] = True
    """Whether it reads calibrations; without them each valve has that of a usual one."""
    has_records: ClassVar[bool] = False
    """Whether it uses the folder of the records, and with it ``--data``."""
    work: ClassVar[str]
    """``module:function`` that does it, imported when it runs: of a bench and the arguments, or of several benches."""

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add its own options."""

    def run(self, benches: Sequence[Bench], arguments: argparse.Namespace) -> int:
        """Run it with the devices of each rig, and return the exit status. Raises ``RigError``."""
        work = _loaded(f"verb '{arguments.what}'", self.work)
        return int(work(benches if self.names == "rigs" else benches[0], arguments))


def verbs_of(classes: Iterable[type[Device]]) -> dict[str, Verb]:
    """Return the verbs of device classes by name. Raises ``ConfigError`` when two classes mean two things by one."""
    owners: dict[str, tuple[str, type[Verb]]] = {}
    for device in classes:
        for name, offered in device.maintenance.items():
            verb = _verb_class(f"{device.__name__}: verb '{name}'", offered)
            owner, known = owners.setdefault(name, (device.__name__, verb))
            if known is not verb:
                raise ConfigError(
                    f"maintenance: {owner} and {device.__name__} both have a verb '{name}', of two classes: rename one"
                )
    return {name: verb() for name, (_, verb) in sorted(owners.items())}


def _verb_class(where: str, offered: object) -> type[Verb]:
    verb = _loaded(where, offered) if isinstance(offered, str) else offered
    if not (isinstance(verb, type) and issubclass(verb, Verb)):
        raise ConfigError(f"{where}: {verb!r} is no subclass of Verb")
    missing = [name for name in ("help", "work") if not hasattr(verb, name) and (name == "help" or _runs_work(verb))]
    if missing:
        raise ConfigError(f"{where}: {verb.__name__} lacks {' and '.join(missing)}")
    return verb


def _runs_work(verb: type[Verb]) -> bool:
    return verb.run is Verb.run


def _loaded(where: str, path: str) -> Any:
    module, _, name = path.partition(":")
    try:
        return getattr(import_module(module), name)
    except (Exception, SystemExit) as error:  # a laboratory's file
        from rig.system.plugins import describe_user_error  # completion rarely needs it

        raise ConfigError(f"{where}: '{path}' cannot be loaded: {describe_user_error(error)}") from error
