"""A curve as a table and a plot of characters."""

from __future__ import annotations

from collections.abc import Iterator

from rig.maintenance.valves.curve import Curve

WIDTH, HEIGHT = 60, 14
_POINT, _LINE, _UNTRUSTED = "o", ".", "x"


def curve_text(device: str, curve: Curve) -> list[str]:
    """Return the lines of the table of the points, the plot, the residuals and the drift."""
    return [*_table(device, curve), "", *_plot(curve), "", *_ends(curve)]


def _table(device: str, curve: Curve) -> Iterator[str]:
    yield f"{device}: open ms      ul   CV %   +- %  off the line %  drops"
    for point in curve.points:
        mark = "" if point in curve.trusted else "  not trusted"
        yield (
            f"{'':{len(device)}}  {point.open_us / 1000:7.1f} {point.ul:7.3f} {point.cv_pct:6.2f} "
            f"{point.uncertainty_pct:6.2f} {point.line_pct:+15.1f} {point.drops:6}{mark}"
        )


def _plot(curve: Curve) -> list[str]:
    """Return the lines of a plot: volume upward, open time to the right, both from 0."""
    most_us, most_ul = curve.points[-1].open_us, max(point.ul for point in curve.points)
    cells = [[" "] * (WIDTH + 1) for _ in range(HEIGHT + 1)]

    def put(open_us: float, ul: float, mark: str) -> None:
        row, column = HEIGHT - round(HEIGHT * max(ul, 0) / most_ul), round(WIDTH * open_us / most_us)
        cells[row][column] = mark

    for before, after in zip(curve.points, curve.points[1:], strict=False):
        for step in range(WIDTH):
            part = step / WIDTH
            put(
                before.open_us + part * (after.open_us - before.open_us),
                before.ul + part * (after.ul - before.ul),
                _LINE,
            )
    for point in curve.points:
        put(point.open_us, point.ul, _POINT if point in curve.trusted else _UNTRUSTED)
    labels = {0: f"{most_ul:6.2f}", HEIGHT: f"{0:6.2f}"}
    lines = [f"{labels.get(row, ''):>6} |{''.join(line).rstrip()}" for row, line in enumerate(cells)]
    axis = f"{'ul':>6} +{'-' * WIDTH}"
    return [*lines, axis, f"{'':8}0{f'{most_us / 1000:g} ms':>{WIDTH - 1}}"]


def _ends(curve: Curve) -> Iterator[str]:
    residuals = " ".join(f"{each:+.1f}" for each in curve.residuals_pct)
    yield f"residuals of the bursts in their order, in %: {residuals}"
    yield f"drift from the first burst to the last one: {curve.drift_pct:+.1f} %"
    if curve.trusted:
        smallest = curve.trusted[0]
        yield f"smallest volume to be trusted: {smallest.ul:.3g} ul ({smallest.open_us / 1000:g} ms)"
