"""What ``rig align`` says to a person: a verdict, what it rests on, what is missing, and what to look at."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from rig.align.alignment import Alignment
from rig.align.frames import Frames
from rig.align.gaps import BRIDGED, END, SILENCE, START, STEP, Gap
from rig.align.signal import Signal
from rig.terminal.format import clock, pluralize

_MOST_GAPS = 20
_WHY = {
    START: "no edge before it matches: the recording began later, or its edges differ",
    END: "no edge after it matches: the recording ended before, or its edges differ",
    STEP: "the other clock jumped by {step}: not mapped",
    SILENCE: "no matched edges, and the sides do not agree: not mapped",
    BRIDGED: "no matched edges, and the sides agree: mapped",
}


def alignment_lines(session: str, source: str, found: Alignment, signal: Signal) -> Iterator[str]:
    """Yield the lines about an alignment."""
    yield f"{session} and {source}: {_verdict(found)}"
    rows = [
        ("matched", f"{found.matched} of {found.matched + len(found.lost_us)} expected edges, by {found.how}"),
        ("clock", f"{found.rate_ppm:+.2f} ppm against the session's, {_pieces(len(found.mapping.pieces))}"),
        ("residuals", _residuals(found)),
        ("mapping", f"known to {found.mapping.uncertainty_us:.1f} us{_sampling(found)}"),
        ("covers", _covered(found, signal)),
        ("lost", f"{pluralize(len(found.lost_us), 'edge')} of the session, not in the recording"),
        ("extra", f"{pluralize(len(found.extra_s), 'edge')} of the recording, not sent by the session"),
        *(("gap", _gap_text(gap)) for gap in found.gaps[:_MOST_GAPS]),
        *((("gap", f"and {len(found.gaps) - _MOST_GAPS} more"),) if len(found.gaps) > _MOST_GAPS else ()),
        *(("warning", text) for text in found.warnings),
    ]
    yield from (f"  {key:<10} {text}" for key, text in rows)


def _verdict(found: Alignment) -> str:
    unmapped = sum(gap.why != BRIDGED for gap in found.gaps)
    remarks = [pluralize(unmapped, "gap")] if unmapped else []
    remarks += [pluralize(len(found.warnings), "warning")] if found.warnings else []
    return f"aligned, with {' and '.join(remarks)}" if remarks else "aligned"


def _pieces(count: int) -> str:
    return f"in {pluralize(count, 'straight piece')}"


def _residuals(found: Alignment) -> str:
    parts = found.residuals
    return f"median {parts.median_us:.1f} us, 99 % below {parts.p99_us:.1f} us, largest {parts.max_us:.1f} us"


def _sampling(found: Alignment) -> str:
    return f", with half a sample of {found.resolution_us:.1f} us" if found.resolution_us else ""


def _covered(found: Alignment, signal: Signal) -> str:
    pieces = found.mapping.pieces
    first_us, last_us = int(signal.t_us[0]), int(signal.t_us[-1])
    inside = [max(0.0, min(piece.to_us, last_us) - max(piece.from_us, first_us)) for piece in pieces]
    share = 100 * sum(inside) / max(1, last_us - first_us)
    beyond = sum(found.extrapolated_us) / 1e6
    text = f"{clock(pieces[0].from_us / 1e6)} to {clock(pieces[-1].to_us / 1e6)}, {share:.1f} % of the signal"
    return f"{text}; {beyond:.1f} s of it lie beyond the first and last matched edge"


def _gap_text(gap: Gap) -> str:
    other = " to ".join("?" if time is None else f"{time:.3f}" for time in (gap.from_s, gap.to_s))
    why = _WHY[gap.why].format(step="" if gap.step_us is None else f"{gap.step_us / 1000:+.3f} ms")
    return f"{clock(gap.from_us / 1e6)} to {clock(gap.to_us / 1e6)} (the other clock: {other} s): {why}"


def frames_lines(session: str, source: str, channel: str, found: Frames) -> Iterator[str]:
    """Yield the lines about the frames of a camera."""
    unknown = int(np.isnan(found.t_us).sum())
    computed = int((~found.measured).sum()) - unknown
    yield f"{session} and {source}: {pluralize(len(found.numbers), 'frame')} numbered {found.how}"
    rows = [("edges", f"{found.edges} at {channel}, one every {found.period_us / 1000:.3f} ms")]
    rows += [("dropped", f"{pluralize(len(found.dropped_us), 'edge')} between the first and the last frame have none")]
    rows += [("", _spans(found))] if len(found.dropped_us) else []
    rows += [("computed", f"{pluralize(computed, 'frame')} without an edge: the time is that of the neighbors")]
    if unknown:
        rows += [("unknown", f"{pluralize(unknown, 'frame')} before the first or after the last edge: no time")]
    yield from (f"  {key:<10} {text}" for key, text in rows)


def _spans(found: Frames) -> str:
    """Return when the first dropped frames were exposed."""
    shown = ", ".join(f"{t_us / 1e6:.3f}" for t_us in found.dropped_us[:_MOST_GAPS])
    more = f" and {len(found.dropped_us) - _MOST_GAPS} more" if len(found.dropped_us) > _MOST_GAPS else ""
    return f"at {shown}{more} s"
