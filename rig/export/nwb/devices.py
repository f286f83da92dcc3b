"""The devices of the rig, as texts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rig.export.nwb.columns import LONGEST_TEXT, clean_text
from rig.export.nwb.flat import flat_items
from rig.records.recorded_session import RecordedSession


@dataclass(frozen=True)
class DeviceText:
    """A device: its name in the file, what it is, and the id of a board."""

    name: str
    description: str
    serial_number: str | None = None


def device_texts(session: RecordedSession) -> list[DeviceText]:
    """Return the board, and each device of the rig file with its settings; names are made unique."""
    texts: dict[str, DeviceText] = {}
    for device in _devices(session):
        name = device.name
        while name in texts:
            name += "_"
        texts[name] = DeviceText(name, clean_text(device.description)[:LONGEST_TEXT], device.serial_number)
    return list(texts.values())


def _devices(session: RecordedSession) -> Iterator[DeviceText]:
    rig, opened = session.header.rig, session.environment.get("board")
    known = opened if isinstance(opened, dict) else {}
    uid = known.get("uid")
    firmware = f"; firmware {known['firmware']}" if known.get("firmware") else ""
    yield DeviceText(
        "board",
        f"microcontroller that reads the inputs and switches the outputs ({_settings(rig.board)}{firmware})",
        None if uid is None else clean_text(str(uid)),
    )
    for name, config in rig.devices.items():
        rest = {key: value for key, value in config.items() if key != "kind"}
        kind = config.get("kind", "device")
        what = rig.kinds[kind].description if kind in rig.kinds else kind
        yield DeviceText(_name(name), f"{what} of the rig {rig.name} ({_settings(rest)})")


def _name(text: str) -> str:
    """Return a name without the characters that paths in HDF5 and tools for NWB give a meaning."""
    return clean_text(text).replace("/", "_").replace(":", "_").strip(".") or "device"


def _settings(config: dict[str, object]) -> str:
    return ", ".join(f"{path} {value}" for path, value in flat_items(config) if value is not None)
