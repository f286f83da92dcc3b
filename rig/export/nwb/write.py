"""Build the NWB file of a session and write it, completely or not at all."""

from __future__ import annotations

import io
from pathlib import Path

import h5py
from pynwb import NWBHDF5IO, NWBFile, ProcessingModule
from pynwb.device import Device
from pynwb.file import Subject

from rig.core.errors import RecordError
from rig.core.journal.codec import encode
from rig.core.journal.kinds import SceneLine
from rig.core.model.rows import TRIAL_TABLE
from rig.export.nwb import parameters, states
from rig.export.nwb.containers import clock_series, dynamic_table, events_table, position, sample_series, time_intervals
from rig.export.nwb.devices import device_texts
from rig.export.nwb.events import event_tables
from rig.export.nwb.general import GivenGeneral, general_fields
from rig.export.nwb.other_clocks import PIECES, columns_on_other_clocks, mappings
from rig.export.nwb.positions import tracked_positions
from rig.export.nwb.samples import sampled_values
from rig.export.nwb.subject import SubjectFields
from rig.export.nwb.trial_tables import SessionTable, further_tables, trial_table
from rig.records.journal.read import of_kind
from rig.records.recorded_session import RecordedSession
from rig.system.atomic_files import write_atomic

_UNFIT = (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, OSError, RuntimeError)
"""What HDF5 and PyNWB raise."""
_BEHAVIOR = "The animal's position, and further tables of the protocol."


def write_nwb(session: RecordedSession, subject: SubjectFields, general: GivenGeneral, path: Path) -> Path:
    """Write the file of a session. Raises ``RecordError`` for records that NWB cannot hold, or if writing fails."""
    content = io.BytesIO()
    try:
        file = build(session, subject, general)
        with h5py.File(content, "w") as h5, NWBHDF5IO(file=h5, mode="w") as out:
            out.write(file)
    except _UNFIT as error:
        # A journal may come from anywhere, and HDF5 has limits of its own, such as those of its attributes.
        raise RecordError(f"{session.journal}: NWB cannot hold what it has: {error}") from error
    return write_atomic(path, content.getvalue(), shared=True)


def build(session: RecordedSession, subject: SubjectFields, general: GivenGeneral) -> NWBFile:
    """Return the file of a session in memory."""
    file = NWBFile(**general_fields(session, general, subject.license), subject=Subject(**subject.fields))
    for device in device_texts(session):
        file.add_device(Device(name=device.name, description=device.description, serial_number=device.serial_number))
    _add_intervals(file, session)
    for events in event_tables(session):
        file.add_events_table(events_table(events))
    behavior = ProcessingModule(name="behavior", description=_BEHAVIOR)
    file.add_processing_module(behavior)
    columns = parameters.parameter_columns(session)
    behavior.add(dynamic_table(parameters.PARAMETERS, parameters.DESCRIPTION, columns))
    for table in further_tables(session):
        behavior.add(dynamic_table(table.name, _text(table, f"Table '{table.name}' of the protocol."), table.columns))
    tracked = tracked_positions(session)
    if tracked is not None:
        behavior.add(position(tracked))
        times = {"position_time": tracked.t_s.tolist()}
        for column in columns_on_other_clocks(session, times, list(behavior.data_interfaces)):
            behavior.add(clock_series(column, tracked.t_s))
    _add_samples(file, session)
    _add_sources(file, session)
    return file


def _add_samples(file: NWBFile, session: RecordedSession) -> None:
    for sampled in sampled_values(session):
        file.add_acquisition(sample_series(sampled))
        times = {f"{sampled.source}_time": sampled.t_s.tolist()}
        for column in columns_on_other_clocks(session, times, list(file.acquisition)):
            file.add_acquisition(clock_series(column, sampled.t_s))


def _add_intervals(file: NWBFile, session: RecordedSession) -> None:
    trials = trial_table(session)
    if trials.rows:
        file.trials = time_intervals(TRIAL_TABLE, _text(trials, "The trials, one row each."), trials.columns)
    columns = states.state_columns(session)
    if columns:
        file.add_time_intervals(time_intervals(states.STATES, states.DESCRIPTION, columns))


def _text(table: SessionTable, text: str) -> str:
    """Return the description of a table, with the names of the columns that have no value in this session."""
    return f"{text} Columns without a value in this session: {', '.join(table.empty)}." if table.empty else text


def _add_sources(file: NWBFile, session: RecordedSession) -> None:
    """Add what no table has: the header of the journal, the scenes of the screen, and other clocks, as JSON."""
    texts = {
        "journal_header": (
            "The first line of the session's journal, as JSON: the resolved configuration of the protocol and the rig",
            session.header,
        ),
        "scenes": (
            "What the screen showed: the content of each scene, by its id, as JSON",
            {line.id: line for line in of_kind(session.lines, SceneLine)},
        ),
        "alignments": (PIECES, mappings(session)),
    }
    for name, (description, content) in texts.items():
        if content:
            file.add_scratch(encode(content).decode(), name=name, description=description)
