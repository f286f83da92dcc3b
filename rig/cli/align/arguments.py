"""The arguments of ``rig align``. Import nothing heavy: completion reads it."""

from __future__ import annotations

from rig.align.readers.format_names import FORMATS, SAMPLES, UNITS
from rig.cli.shared_arguments import add_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rig.cli.argparse_ext import Parser


def add_align(align: Parser) -> None:
    """Add the arguments of ``rig align``."""
    align.runs("rig.cli.align.align:run", "data/M12/2026-11-21/001 recording.csv")
    align.description = (
        "Align the recording of another system with a session, by the sync signal that both have. The mapping between "
        "the two clocks is written beside the session, as alignment/NAME.json. FILE is a table of text (csv); a folder "
        "or file of TTL events of Open Ephys, in its formats Binary, Open Ephys and NWB (open-ephys); a folder or file "
        "of SpikeGLX, with a digital line of the NI device or OneBox, or the SYNC input of a probe (spikeglx); or a "
        "table or series in a file of NWB (nwb)."
    )
    align.add_argument("session", metavar="SESSION", help="a session's folder, or its journal")
    align.add_argument("file", metavar="FILE", help="the other system's file or folder")
    align.add_argument("--format", choices=FORMATS, help="its format (default: by its name)")
    align.add_argument("--name", metavar="NAME", help="the name of the alignment (default: that of the file)")
    align.add_argument("--output", metavar="CHANNEL", help="the session's output that sent the signal, if several did")
    align.add_argument("--force", action="store_true", help="replace an alignment of the same name")
    add_json(align)
    align.add_argument("--plot", metavar="PNG", help="draw the residuals into this file")
    _add_reading(align)
    _add_choices(align)
    _add_frames(align)


def _add_reading(align: Parser) -> None:
    reading = align.add_argument_group("how the file is read")
    reading.add_argument("--time", metavar="COLUMN", help="csv: the column of the times, by name or number from 1")
    reading.add_argument(
        "--level", metavar="COLUMN", help="csv, nwb: the column of the levels (1 or 0, on or off, ...)"
    )
    reading.add_argument("--where", metavar="COLUMN=VALUE", help="csv, nwb: only rows with this value")
    reading.add_argument(
        "--unit", choices=(*UNITS, SAMPLES), help="csv: the unit of the times (default: by the column, else s)"
    )
    reading.add_argument(
        "--wrap",
        type=float,
        metavar="S",
        help="csv: seconds after which the clock begins again at 0 (default: detected, if certain)",
    )
    reading.add_argument("--rate", type=float, metavar="HZ", help="the sampling rate of the other system")
    line = "open-ephys, spikeglx: the digital line; nwb: the channel of a series, or the bit of its whole numbers"
    reading.add_argument("--line", type=int, metavar="N", help=line)
    reading.add_argument("--stream", metavar="NAME", help="open-ephys, spikeglx: the data stream, such as nidq")
    reading.add_argument("--series", metavar="NAME", help="nwb: the table or time series of the signal")


def _add_choices(align: Parser) -> None:
    choices = align.add_argument_group("which part of it, where more than one alignment fits")
    choices.add_argument("--edges", metavar="FIRST-LAST", help="only these edges of the file, counted from 1")
    choices.add_argument("--from", dest="from_s", type=float, metavar="S", help="only edges from this time on, in s")
    choices.add_argument("--to", dest="to_s", type=float, metavar="S", help="only edges up to this time, in s")
    choices.add_argument(
        "--near", type=float, metavar="S", help="the other clock at the session's zero, to 0.15 periods of a square"
    )


def _add_frames(align: Parser) -> None:
    frames = align.add_argument_group("frames of a camera")
    frames.add_argument(
        "--frames",
        metavar="CHANNEL",
        help="number the frames of a camera, whose exposures this input recorded: alignment/frames_CHANNEL.csv",
    )
    frames.add_argument("--number", metavar="COLUMN", help="csv: the column of the frames' numbers")
    frames.add_argument(
        "--first-frame", type=int, metavar="N", help="the number of the frame to which the first edge belongs"
    )
